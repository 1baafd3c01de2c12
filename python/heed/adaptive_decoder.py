# SPDX-License-Identifier: MIT
"""A decoder that learns while it listens, with scikit-learn's habits. It computes nothing itself.

Imported when heed.AdaptiveDecoder is first used, since scikit-learn takes a second to load.
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from . import _requirements
from ._errors import InvalidArgumentError
from ._inputs import Signals, picked, signals_of, without_bad
from ._native import AdaptiveEngine, LearntListener, Listener, Participant, Population, sequence_lengths
from ._sequences import laid_below, per_row

_requirements.optional("sklearn", "heed.AdaptiveDecoder")

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

if TYPE_CHECKING:
    from typing import Self

    from numpy import float64
    from numpy.typing import NDArray


class AdaptiveDecoder(BaseEstimator):  # type: ignore[misc]  # scikit-learn tells no types
    """Least squares that starts from other listeners and learns from the one it hears, without labels
    (docs/adaptation.md): ``heed score --adapt`` and ``heed live --population``, with the same bits.

    Signals are prepared by :func:`heed.preprocess` or :func:`heed.read_bids`; every channel is divided by its running
    deviation, so units do not matter. A window is always scored before anything is learnt from it.

    Parameters
    ----------
    population : heed.Population, or path, optional
        Others to start from. None: from nothing; the first 30 s have no scores, about five minutes are worth little.
    sampling_frequency : float
        Of X and y, in Hz.
    window : float
        Length in seconds; of a population, the one it was made with.
    first_lag, longest_lag : float, optional
        Of the EEG behind the sound, in seconds; by default the population's, or 0 and 0.25.
    ridge, score_shrinkage : float, optional
        By default the population's, or 0.3.
    listener : str, optional
        Who is listening: entries of this name in the population are not used.
    learn : bool
        False: the decoder stays as it is, for a test on other speech: ``decoder.set_params(learn=False)`` freezes one
        that has learnt.
    preprocessing : dict, optional
        How X and y were prepared, keywords of :func:`heed.preprocess`; kept in the file. What is not said is the
        population's. Listeners bring their own.

    Attributes
    ----------
    learnt_ : dict
        How much was learnt: ``labelled`` and ``eeg`` (seconds of listening, after forgetting), ``population_share`` (0
        ... 1), ``learning`` (True: not worth listening to yet), ``guarded`` (when the population was given up, as it did
        not fit; None), ``decoders``, ``mu_attended``, ``mu_unattended``, ``sigma``.
    weights_ : ndarray (lags, channels), or None while there is no decoder
    patterns_ : ndarray (channels, lags), or None
        Forward patterns of the decoder as it is now.
    lags_ : ndarray (lags,)
        In seconds.
    scores_, log_likelihoods_ : ndarray (windows, speakers)
        Of the windows that the last :meth:`step`, :meth:`finish` or :meth:`partial_fit` completed, as they were when
        scored.
    n_features_in_, feature_names_in_
        Channels.

    Examples
    --------
    >>> import heed, numpy as np
    >>> random = np.random.default_rng(0)
    >>> speech = random.standard_normal((64 * 400, 2))       # onsets of two speakers, 400 s at 64 Hz
    >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((64 * 400, 8))  # the first is heard 94 ms later
    >>> decoder = heed.AdaptiveDecoder().partial_fit(eeg[:64 * 300], speech[:64 * 300])  # nobody says who
    >>> decoder.window_scores(eeg[64 * 300:], speech[64 * 300:]).argmax(axis=1).mean().round(2) in (0, 1)
    True
    """

    _engine: AdaptiveEngine | None
    _learns: bool  # as the engine does
    _kept: LearntListener | None = None  # what to go on from

    def __init__(
        self,
        population: Any = None,
        *,
        sampling_frequency: float = 64.0,
        window: float = 1.0,
        first_lag: float | None = None,
        longest_lag: float | None = None,
        ridge: float | None = None,
        score_shrinkage: float | None = None,
        listener: str | None = None,
        learn: bool = True,
        preprocessing: dict[str, Any] | None = None,
    ):
        self.population = population
        self.sampling_frequency = sampling_frequency
        self.window = window
        self.first_lag = first_lag
        self.longest_lag = longest_lag
        self.ridge = ridge
        self.score_shrinkage = score_shrinkage
        self.listener = listener
        self.learn = learn
        self.preprocessing = preprocessing

    # ---- learning ----

    def fit(self, X: Any, y: Any = None, lengths: Sequence[int] | None = None) -> Self:
        """Begins anew, then :meth:`partial_fit`.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> speech = random.standard_normal((6400, 2))
        >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))
        >>> heed.AdaptiveDecoder().fit(eeg, speech).learnt_["labelled"] > 90
        True
        """
        self._engine = None
        self._kept = None
        return self.partial_fit(X, y, lengths)

    def partial_fit(self, X: Any, y: Any = None, lengths: Sequence[int] | None = None) -> Self:
        """Listens to more, and learns from it without labels. The end of every sequence ends a trial.

        Parameters
        ----------
        X : array (samples, channels), frame, heed.Recording, heed.Trial, mne Raw or Epochs; array (trials, samples,
            channels), or a list of arrays or frames; or a heed.Listener, who brings y
            A row with NaN was not recorded.
        y : array (samples, speakers), or one per trial
            Speech of all speakers, in the same order throughout; not who is attended, which nobody needs to know.
        lengths : list of int, optional
            Samples of each sequence, where several lie below each other.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> speech = random.standard_normal((6400, 2))
        >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))
        >>> decoder = heed.AdaptiveDecoder().partial_fit(eeg, speech)
        >>> decoder.partial_fit(eeg, speech, lengths=[3200, 3200]).scores_.shape
        (100, 2)
        """
        if isinstance(X, Listener):
            self._take(self.score_trials(X))
            return self
        given, heard = self._heard(X, y, lengths)
        self._running(heard.shape[1]).reset()
        self._keep(self._windows_of(given, heard))
        return self

    def step(self, X: Any, y: Any = None) -> NDArray[float64]:
        """The next samples of a trial, live, as many as there are; then learns from the windows they complete.

        Parameters
        ----------
        X : array (samples, channels)
        y : array (samples, speakers)

        Returns
        -------
        ndarray (windows, speakers) : P(attending j) after each window that became complete, causal; often none. A window
        is complete when the EEG of its lags is there.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> speech = random.standard_normal((640, 2))
        >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((640, 8))
        >>> decoder = heed.AdaptiveDecoder()
        >>> [len(decoder.step(eeg[k:k + 40], speech[k:k + 40])) for k in range(0, 160, 40)]
        [0, 1, 0, 1]
        >>> decoder.finish().shape
        (0, 2)
        """
        given, heard = self._heard(X, y, None)
        return self._keep([self._running(heard.shape[1]).push(given.values, heard)])

    def finish(self) -> NDArray[float64]:
        """Ends the trial of :meth:`step`: beliefs of the windows whose lags reach beyond the end, (windows, speakers).

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> decoder = heed.AdaptiveDecoder()
        >>> decoder.step(random.standard_normal((64, 4)), random.standard_normal((64, 2))).shape
        (0, 2)
        >>> decoder.finish().shape
        (1, 2)
        """
        return self._keep([self._begun().finish()])

    # ---- use ----

    def window_scores(
        self, X: Any, y: Any = None, lengths: Sequence[int] | None = None, *, return_lengths: bool = False
    ) -> Any:
        """Scores of every window and speaker by the decoder as it is, which learns nothing from them; a trial that
        :meth:`step` is in the middle of is ended.

        Parameters
        ----------
        X, y, lengths
            As in :meth:`partial_fit`.
        return_lengths : bool
            Return also how many windows each sequence has.

        Returns
        -------
        ndarray (windows, speakers) : shrunk cosines; a row is NaN where a sample was not recorded.
        list of int : windows of each sequence, where asked for.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> speech = random.standard_normal((6400, 2))
        >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))
        >>> heed.AdaptiveDecoder().partial_fit(eeg, speech).window_scores(eeg, speech).shape
        (100, 2)
        """
        if self._kept is None:
            check_is_fitted(self)
        given, heard = self._heard(X, y, lengths)
        engine = self._running(heard.shape[1])
        engine.learn(False)
        windows = self._windows_of(given, heard)
        engine.learn(self._learns)
        scores = np.concatenate([one[0] for one in windows])
        counts = [len(first[0]) + len(last[0]) for first, last in zip(windows[::2], windows[1::2])]
        return (scores, counts) if return_lengths else scores

    def score_trials(self, listener: Listener) -> Participant:
        """A listener's trials in turn, each window scored before it is learnt from: ``heed score --adapt``, to the bit.

        Whoever heard the sounds of a trial does not lend to it. With ``learn=False`` it is ``--adapt off``.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> speech = random.standard_normal((6400, 2))
        >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))
        >>> me = heed.Listener("01", [heed.Trial(eeg, speech)])
        >>> heed.AdaptiveDecoder().score_trials(me)
        <heed.Participant 01: 1 trial, 100 windows of 1 s, speakers 1, 2>
        """
        first = listener.trials[0]
        if getattr(self, "_engine", None) is None:
            self._name(list(first.channels))
            self._make(len(first.speakers), listener)
        return self._begun().listen(listener)

    # ---- attributes ----

    @property
    def learnt_(self) -> dict[str, Any]:
        """How much was learnt."""
        return self._fitted("learnt_").learnt

    @property
    def weights_(self) -> NDArray[float64] | None:
        """EEG lags x channels."""
        return self._fitted("weights_").weights

    @property
    def patterns_(self) -> NDArray[float64] | None:
        """Channels x EEG lags."""
        pattern = self._fitted("patterns_").pattern
        return None if pattern is None else pattern.T

    @property
    def lags_(self) -> NDArray[float64]:
        """In seconds."""
        return self._fitted("lags_").lags

    # ---- files ----

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes what was learnt, as ``heed live --save-decoder`` does; :meth:`load` and the program go on from it.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> decoder = heed.AdaptiveDecoder().fit(random.standard_normal((6400, 4)), random.standard_normal((6400, 2)))
        >>> decoder.save("me.json")
        >>> heed.AdaptiveDecoder.load("me.json").window
        1.0
        """
        self._begun().learnt_listener().save(os.fspath(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str], population: Any = None, **parameters: Any) -> AdaptiveDecoder:
        """Goes on from what was learnt, of :meth:`save` or of ``heed live --save-decoder``.

        Parameters
        ----------
        path : path
        population : heed.Population, or path, optional
            Instead of the one it started from, which the file knows.
        **parameters
            Of the constructor, where they are not the file's: ``learn``.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> eeg, speech = random.standard_normal((6400, 4)), random.standard_normal((6400, 2))
        >>> heed.AdaptiveDecoder().fit(eeg, speech).save("me.json")
        >>> decoder = heed.AdaptiveDecoder.load("me.json").partial_fit(eeg, speech)
        >>> decoder.learnt_["labelled"] > 150
        True
        """
        kept = LearntListener.load(os.fspath(path))
        self = cls(population, sampling_frequency=kept.sampling_frequency, window=kept.window, first_lag=kept.lags[0],
                   longest_lag=kept.lags[1], listener=kept.listener or None, preprocessing=kept.preprocessing)
        self.set_params(**parameters)
        self._name(kept.channels)
        self._kept = kept
        return self

    # ---- inside ----

    def _heard(self, X: Any, y: Any, lengths: Any) -> tuple[Signals, Any]:
        """X and y checked, trials below each other."""
        laid = laid_below(X)
        if laid is not None:
            if lengths is not None:
                raise ValueError("lengths: trials in a block or a list have lengths of their own")
            X, lengths = laid.rows, laid.lengths
        given = without_bad(signals_of(X))
        if given.sampling_frequency is not None and abs(given.sampling_frequency / self.sampling_frequency - 1) > 1e-9:
            raise InvalidArgumentError(
                f"X: sampled at {given.sampling_frequency:g} Hz, the decoder works at {self.sampling_frequency:g} Hz; "
                "heed.preprocess brings it there"
            )
        if hasattr(self, "feature_names_in_") and given.channels is not None:
            given = picked(given, list(self.feature_names_in_))
        given.values = np.asarray(given.values, dtype=float)
        if given.values.ndim != 2:
            raise InvalidArgumentError(f"X: expected samples x channels, not {given.values.ndim} dimensions")
        if not hasattr(self, "n_features_in_"):
            self._name(given.channels or [str(k + 1) for k in range(given.values.shape[1])])
        given.lengths = given.lengths if lengths is None else lengths
        heard = given.stimuli if y is None else y
        if heard is None:
            raise InvalidArgumentError("y: the speech of every speaker is needed (samples x speakers)")
        heard = np.asarray(per_row(heard, given.lengths, "y"), dtype=float)
        if heard.ndim != 2:
            raise InvalidArgumentError("y: expected samples x speakers, a column for each; not who is attended")
        return given, heard

    def _windows_of(self, given: Signals, heard: Any) -> list[tuple[Any, Any, Any]]:
        """Of every sequence what its samples completed, then what its end did."""
        engine = self._running(heard.shape[1])
        samples = len(given.values)
        if len(heard) != samples:
            raise InvalidArgumentError(f"y: {len(heard)} samples, X has {samples}")
        ends = np.cumsum([samples] if given.lengths is None else sequence_lengths(given.lengths, samples))
        windows = []
        for first, end in zip([0, *ends[:-1]], ends):
            windows += [engine.push(given.values[first:end], heard[first:end]), engine.finish()]
        return windows

    def _keep(self, windows: list[tuple[Any, Any, Any]]) -> NDArray[float64]:
        self.scores_, self.log_likelihoods_, beliefs = (np.concatenate(parts) for parts in zip(*windows))
        return beliefs

    def _take(self, scored: Participant) -> None:
        self.scores_ = np.concatenate([trial.scores for trial in scored.trials])

    def _name(self, channels: list[str]) -> None:
        self.feature_names_in_ = np.array(channels, dtype=object)
        self.n_features_in_ = len(channels)

    def _options(self, preprocessing: dict[str, Any]) -> dict[str, Any]:
        population = self.population
        if isinstance(population, (str, os.PathLike)):
            population = Population.load(os.fspath(population))
        if population is not None and not isinstance(population, Population):
            raise TypeError(f"population: expected a heed.Population or its file, not {type(population).__name__}")
        decoder = {"filters": "zero-phase", **preprocessing, "rate": float(self.sampling_frequency)}
        words = ("first_lag", "longest_lag", "ridge", "score_shrinkage")
        decoder.update((name, getattr(self, name)) for name in words if getattr(self, name) is not None)
        return {"decoder": decoder, "population": population, "listener": self.listener, "window": float(self.window),
                "learn": bool(self.learn), "learnt": self._kept}

    def _make(self, speakers: int, first: Listener | None) -> None:
        signals = dict(self.preprocessing or {}) if first is None else first.preprocessing
        self._learns = bool(self.learn)
        self._engine = AdaptiveEngine([str(name) for name in self.feature_names_in_], speakers, self._options(signals), first)

    def _running(self, speakers: int) -> AdaptiveEngine:
        if getattr(self, "_engine", None) is None:
            self._make(speakers, None)
        return self._begun()

    def _begun(self) -> AdaptiveEngine:
        check_is_fitted(self)
        assert self._engine is not None
        if self._learns != bool(self.learn):  # set_params
            self._learns = bool(self.learn)
            self._engine.learn(self._learns)
        return self._engine

    def _fitted(self, attribute: str) -> AdaptiveEngine:
        if self.__dict__.get("_engine") is None:
            raise AttributeError(f"{attribute}: this AdaptiveDecoder has heard nothing yet; call partial_fit or step")
        return self._begun()

    def __sklearn_is_fitted__(self) -> bool:
        return self.__dict__.get("_engine") is not None

    def __getstate__(self) -> dict[str, Any]:
        """Pickles and copies hold what was learnt, not the trial that is being stepped."""
        state = dict(super().__getstate__())
        engine = state.pop("_engine", None)
        if engine is not None:
            state["_kept"] = engine.learnt_listener()
            state["_engine"] = None
        return state
