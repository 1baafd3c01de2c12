# SPDX-License-Identifier: MIT
"""What the decoders share: signals in, a trained decoder of the engine inside, scikit-learn's habits around it."""
from __future__ import annotations

import os
from typing import Any, Sequence

import numpy as np

from . import _native, _requirements
from ._errors import InvalidArgumentError
from ._inputs import Signals, picked, signals_of, without_bad
from ._native import BidsFolder, Decoder, Listener, Participant, Trial
from ._sequences import laid_below, per_row

_requirements.optional("sklearn", "A decoder of heed")

from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, column_or_1d

_NOT_OF_ONE_SAMPLE = "a sample is decoded from the EEG of the quarter of a second after it: order and neighbours count"
_TOO_SHORT = "the ten samples of this check are fewer than the lags reach"


class EegDecoder(RegressorMixin, BaseEstimator):
    """The base of LSDecoder and CCADecoder; nothing to make by itself."""

    _kind = ""

    # ---- scikit-learn ----

    def _more_tags(self) -> dict[str, Any]:
        skips = dict.fromkeys(
            ["check_methods_sample_order_invariance", "check_methods_subset_invariance"], _NOT_OF_ONE_SAMPLE
        )
        if self.longest_lag * self.sampling_frequency > 9:
            skips.update(dict.fromkeys(["check_fit2d_1feature", "check_regressors_no_decision_function"], _TOO_SHORT))
        return {"allow_nan": True, "_xfail_checks": skips}  # a row with NaN was not recorded

    # ---- parameters, in the engine's words ----

    def _words(self) -> dict[str, Any]:
        """The decoder asked for, as heed.cross_validate takes it."""
        names = ("regularisation", "ridge", "first_lag", "longest_lag", "pairs", "score_shrinkage", "score_memory")
        given = {name: getattr(self, name, None) for name in names}
        return {"decoder": self._kind, "score": self.score_rule,
                **{name: value for name, value in given.items() if value is not None}}

    def _words_and_recipe(self) -> dict[str, Any]:
        return {"recipe": self.recipe, **self._words()}

    def _preparation(self) -> dict[str, Any]:
        options = dict(self.preprocessing or {})
        if options.get("rate", self.sampling_frequency) != self.sampling_frequency:
            raise InvalidArgumentError(
                f"preprocessing: its rate of {options['rate']:g} Hz is not the sampling_frequency of "
                f"{self.sampling_frequency:g} Hz"
            )
        return {"recipe": self.recipe, **options, "rate": float(self.sampling_frequency)}

    # ---- signals ----

    def _signals(self, X: Any, lengths: Any, *, reset: bool) -> Signals:
        """X checked: samples x channels, NaN where nothing was recorded."""
        laid = laid_below(X)
        if laid is not None:
            if lengths is not None:
                raise ValueError("lengths: trials in a block or a list have lengths of their own")
            X, lengths = laid.rows, laid.lengths
        if hasattr(X, "columns") or not (hasattr(X, "channels") or hasattr(X, "ch_names")):
            self._check_feature_names(X, reset=reset)
            values = check_array(
                X, dtype=np.float64, force_all_finite="allow-nan", ensure_min_samples=2 if reset else 1, estimator=self
            )
            self._check_n_features(values, reset=reset)
            return Signals(values, lengths=lengths)
        given = without_bad(signals_of(X))
        if abs(given.sampling_frequency - self.sampling_frequency) > 1e-9 * self.sampling_frequency:
            raise InvalidArgumentError(
                f"X: sampled at {given.sampling_frequency:g} Hz, the decoder works at {self.sampling_frequency:g} Hz; "
                "heed.preprocess brings it there"
            )
        if reset:
            self._name(given.channels or [])
        elif hasattr(self, "feature_names_in_"):
            given = picked(given, list(self.feature_names_in_))
        given.lengths = given.lengths if lengths is None else lengths
        given.values = check_array(given.values, dtype=np.float64, force_all_finite="allow-nan", estimator=self)
        self._check_n_features(given.values, reset=False)
        return given

    def _name(self, channels: Sequence[str]) -> None:
        self.feature_names_in_ = np.array(channels, dtype=object)
        self.n_features_in_ = len(channels)

    def _target(self, y: Any, values: np.ndarray, lengths: Any) -> np.ndarray:
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None: the envelope "
                             "of the attended speaker")
        y = column_or_1d(per_row(y, lengths, "y"), warn=True)
        y = check_array(y, dtype=np.float64, ensure_2d=False, input_name="y", estimator=self)
        check_consistent_length(values, y)
        return y

    # ---- training ----

    def _fit_arrays(self, X: Any, stimuli: Any, lengths: Any, window: float = 1.0) -> None:
        given = self._signals(X, lengths, reset=True)
        if self._preparation().get("target", "onset") not in ("envelope", "onset"):
            raise InvalidArgumentError("preprocessing: its target is two; arrays train on one, listeners on both")
        heard = stimuli(given.values, given.lengths)
        names = getattr(self, "feature_names_in_", range(1, self.n_features_in_ + 1))
        trained = _native._train_on_arrays(
            given.values, heard, given.lengths, [str(n) for n in names], {**self._preparation(), **self._words()}, window
        )
        self._adopt(*trained)

    def _fit_listeners(
        self, listeners: Any, window: float = 1.0, *, population: Any = None, label_free: bool = False
    ) -> None:
        rate = listeners[0].trials[0].sampling_frequency
        if rate != self.sampling_frequency:
            raise InvalidArgumentError(
                f"sampling_frequency: {self.sampling_frequency:g} Hz, but the listeners' trials have {rate:g} Hz"
            )
        if label_free or population is not None:
            if len(listeners) != 1:
                raise InvalidArgumentError(
                    f"X: a population, and learning without labels, are for one listener at a time, not {len(listeners)}"
                )
            decoder, patterns, attention, certainty = _native._train_on_listener(
                listeners[0], self._words_and_recipe(), window, population, label_free
            )
            if label_free:
                self.attention_, self.certainty_ = attention, certainty
        else:
            decoder, patterns = _native._train_on_listeners(listeners, self._words_and_recipe(), window)
        self._name(decoder.channels)
        self._adopt(decoder, patterns)

    def _listeners_in(self, X: Any) -> Any:
        """Listeners, where X is one, several, or a listener's trials; else None."""
        if isinstance(X, BidsFolder):
            return X
        items = list(X) if isinstance(X, (list, tuple)) else [X]
        if items and all(isinstance(item, Listener) for item in items):
            return items
        if items and all(isinstance(item, Trial) for item in items):
            return [Listener("trials", items, preprocessing=self._preparation())]
        return None

    def _adopt(self, decoder: Decoder, patterns: np.ndarray | None) -> None:
        self.decoder_ = decoder
        self.lags_ = decoder.lags
        if patterns is not None:
            self.patterns_ = patterns

    def _trained(self, attribute: str) -> Decoder:
        """The decoder behind a fitted attribute."""
        decoder = self.__dict__.get("decoder_")
        if decoder is None:
            raise AttributeError(f"{attribute}: this {type(self).__name__} is not fitted yet; call fit, or load a file")
        return decoder

    # ---- use ----

    def _telling_speakers_apart(self) -> Decoder:
        """The decoder, where it can."""
        check_is_fitted(self)
        if not self.decoder_.can_score:
            raise InvalidArgumentError(
                "others: this CCADecoder has pairs but no discriminant, as fit had no envelopes of those who were not "
                "attended; give them, fit(X, y, others=...)"
            )
        return self.decoder_

    def _filtered(self, X: Any, lengths: Any) -> np.ndarray:
        check_is_fitted(self)
        given = self._signals(X, lengths, reset=False)
        return _native._filtered_eeg(self.decoder_, given.values, given.lengths)

    def predict(self, X: Any, lengths: Sequence[int] | None = None) -> np.ndarray:
        """What the EEG says of the attended envelope, sample by sample.

        Parameters
        ----------
        X : array (samples, channels), frame, heed.Trial, heed.Recording, mne Raw or Epochs; array (trials, samples,
            channels), or a list of arrays or frames, which may differ in length
        lengths : list of int, optional
            Samples of each sequence, where several lie below each other: lags do not reach across.

        Returns
        -------
        ndarray (samples,), trials below each other : NaN where a sample it needs was not recorded. Beyond the end of a sequence are zeros.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> speech = random.standard_normal((6400, 2))
        >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))
        >>> decoder = heed.LSDecoder().fit(eeg, speech[:, 0])
        >>> decoder.predict(eeg).shape
        (6400,)
        """
        return self._filtered(X, lengths)[:, 0].copy()

    def score(self, X: Any, y: Any, lengths: Sequence[int] | None = None) -> float:
        """Pearson's correlation of :meth:`predict` with the envelope, over all samples that were recorded.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> speech = random.standard_normal((6400, 2))
        >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))
        >>> decoder = heed.LSDecoder().fit(eeg, speech[:, 0])
        >>> decoder.score(eeg, speech[:, 0]) > 0.9
        True
        """
        check_is_fitted(self)
        given = self._signals(X, lengths, reset=False)
        found = _native._filtered_eeg(self.decoder_, given.values, given.lengths)[:, 0]
        target = self._target(y, found, given.lengths)
        heard = _native._filtered_stimulus(self.decoder_, target[:, None], given.lengths)
        recorded = ~np.isnan(found)
        return float(np.corrcoef(found[recorded], heard[recorded, 0])[0, 1])

    def window_scores(
        self,
        X: Any,
        stimuli: Any = None,
        window: float = 1.0,
        lengths: Sequence[int] | None = None,
        *,
        return_lengths: bool = False,
        hop: float | None = None,
        step: float | None = None,
    ) -> Any:
        """Scores of every window and speaker, as ``heed.AttentionHMM``, ``heed.smooth`` and the others take them.

        Parameters
        ----------
        X : as in :meth:`predict`
        stimuli : array (samples, speakers), or one per trial
            Envelopes (or onsets), prepared as in training; a heed.Trial brings its own. Of a decoder of two targets
            (samples, speakers, targets).
        window : float
            Length in seconds, a multiple of 0.25. A last partial window is dropped.
        lengths : list of int, optional
            Samples of each sequence.
        return_lengths : bool
            Return also how many windows each sequence has.
        hop : float, optional
            Seconds from one window to the next, where windows overlap; by default the window's length.
        step : float, optional
            Instead of windows: steps of 0.25, 0.5 or 0.75 s, each measured by the power of the last second (LSDecoder only).

        Returns
        -------
        ndarray (windows, speakers) : correlations or cosines (LSDecoder) or log-odds (CCADecoder); a row is NaN where a sample
        was not recorded. Steps may lie beyond -1 ... 1.
        list of int : windows of each sequence, where asked for.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> speech = random.standard_normal((6400, 2))
        >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))
        >>> decoder = heed.LSDecoder().fit(eeg, speech[:, 0])
        >>> scores, lengths = decoder.window_scores(eeg, speech, window=5.0, lengths=[3200, 3200], return_lengths=True)
        >>> scores.shape, lengths
        ((20, 2), [10, 10])
        """
        decoder = self._telling_speakers_apart()
        given = self._signals(X, lengths, reset=False)
        heard = given.stimuli if stimuli is None else stimuli
        if heard is None:
            raise InvalidArgumentError("stimuli: an envelope for each speaker is needed (samples x speakers)")
        heard = per_row(heard, given.lengths, "stimuli")
        targets = decoder.targets if stimuli is not None or given.targets is None else given.targets
        scores, counts = _native._window_scores(decoder, given.values, heard, given.lengths, (window, hop, step), targets)
        return (scores, counts) if return_lengths else scores

    def score_trials(
        self,
        listener: Listener,
        windows: float | Sequence[float] = 1.0,
        *,
        hop: float | None = None,
        step: float | None = None,
    ) -> Participant | list[Participant]:
        """Scores of a listener it was not trained on: ``heed score --model``.

        Parameters
        ----------
        listener : Listener
        windows : float, or several
            Lengths in seconds, multiples of 0.25.
        hop, step : float, optional
            As in :meth:`window_scores`.

        Returns
        -------
        heed.Participant : a list of them, one per length, where several were given.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> speech = random.standard_normal((6400, 2))
        >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))
        >>> me = heed.Listener("01", [heed.Trial(eeg, speech, np.zeros(6400, int))])
        >>> heed.LSDecoder().fit(me).score_trials(me, windows=5.0)
        <heed.Participant 01: 1 trial, 20 windows of 5 s, speakers 1, 2>
        """
        scored = _native._score_trials(listener, self._telling_speakers_apart(), windows, hop, step)
        return scored[0] if isinstance(windows, (int, float)) else scored

    # ---- files ----

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the decoder's file, which ``heed score --model`` reads; whole or not at all.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> speech = random.standard_normal((6400, 2))
        >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))
        >>> decoder = heed.LSDecoder().fit(eeg, speech[:, 0])
        >>> decoder.save("decoder.json")
        >>> np.array_equal(heed.LSDecoder.load("decoder.json").weights_, decoder.weights_)
        True
        """
        self._telling_speakers_apart().save(os.fspath(path))  # as files hold whole decoders only

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Any:
        """A decoder from its file, of ``heed train`` or of :meth:`save`.

        Parameters are those of the file, where it has them: how its ridge was chosen, and ``patterns_``, it has not.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> speech = random.standard_normal((6400, 2))
        >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))
        >>> decoder = heed.LSDecoder().fit(eeg, speech[:, 0])
        >>> decoder.save("decoder.json")
        >>> heed.LSDecoder.load("decoder.json").weights_.shape
        (17, 8)
        """
        decoder = Decoder.load(os.fspath(path))
        if decoder.kind != cls._kind:
            raise InvalidArgumentError(f"{os.fspath(path)}: holds a decoder of kind {decoder.kind}, not {cls._kind}")
        self = cls(**cls._parameters_of(decoder))
        self._name(decoder.channels)
        self._adopt(decoder, None)
        return self

    @classmethod
    def _parameters_of(cls, decoder: Decoder) -> dict[str, Any]:
        return dict(
            sampling_frequency=decoder.sampling_frequency,
            first_lag=float(decoder.lags[0]),
            longest_lag=float(decoder.lags[-1]),
            preprocessing=decoder.preprocessing,
            **_rule_of(decoder),
        )


def _rule_of(decoder: Decoder) -> dict[str, Any]:
    if decoder.score == "pearson":
        return dict(score_rule="pearson")
    memory = "trial" if decoder.score_memory is None else decoder.score_memory
    return dict(score_rule=decoder.score, score_shrinkage=decoder.score_shrinkage, score_memory=memory)
