# SPDX-License-Identifier: MIT
"""Decoders with scikit-learn's habits. They hold what the engine trained, and compute nothing themselves.

Imported when heed.LSDecoder or heed.CCADecoder is first used, since scikit-learn takes a second to load.
"""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._eeg_decoder import EegDecoder
from ._errors import InvalidArgumentError
from ._native import Decoder
from ._sequences import per_row

from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_consistent_length


class LSDecoder(EegDecoder):
    """Least squares: the attended envelope reconstructed from the EEG of the quarter of a second after it.

    Signals are taken as they are: band-passed by :func:`heed.preprocess` (or :func:`heed.read_bids`) and without mean.
    There is no intercept.

    Parameters
    ----------
    sampling_frequency : float
        Of X and y, in Hz.
    first_lag, longest_lag : float
        Of the EEG behind the sound, in seconds.
    recipe : {"heed", "paper"}, optional
        What is not said by other parameters (docs/recipe.md): heed's own is ridge 0.3 and cosine, on onsets of 0.5-9 Hz;
        the paper's ridge 0.1 and pearson, on envelopes of 1-9 Hz. By default heed's, or the one listeners were read by.
    regularisation : {"ridge", "ridge-cv", "ledoit-wolf"}
        ridge-cv chooses the ridge within the training data.
    ridge : float, optional
        Of ``regularisation="ridge"``, times the mean variance of a channel.
    score_rule : {"pearson", "cosine"}, optional
        How :meth:`window_scores` compares a window's signals; the program's ``--score``. cosine is less noisy and keeps
        what lies below 1 Hz.
    score_shrinkage : float, optional
        Of cosine: how much of the signals' usual power is added to a window's; 0.3 by default.
    score_memory : float or "trial", optional
        Of cosine: usual is what was so many seconds ago, or the trial. By default the trial, 60 with causal filters.
    preprocessing : dict, optional
        How X and y were prepared, keywords of :func:`heed.preprocess`; kept in the file, so that whoever loads it can
        do the same. ``filters="causal"`` makes the decoder keep scales of its own, ``target="envelope"`` says that y holds
        envelopes. Listeners bring their own.

    Attributes
    ----------
    weights_ : ndarray (lags, channels)
    lags_ : ndarray (lags,)
        In seconds.
    patterns_ : ndarray (channels, lags)
        Forward patterns: where and when the decoded signal shows. Weights cannot be read so.
    decoder_ : heed decoder, as the program's files hold it
    attention_ : list of ndarray (windows, speakers)
        Of ``fit(..., label_free=True)``: how likely each speaker was attended, trial by trial.
    certainty_ : list of float
        Likewise: mean probability of the likeliest speaker after each pass. It is no evidence of being right.
    n_features_in_, feature_names_in_
        Channels.

    Examples
    --------
    >>> import heed, numpy as np
    >>> random = np.random.default_rng(0)
    >>> speech = random.standard_normal((6400, 2))           # envelopes of two speakers, 100 s at 64 Hz
    >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))  # the first is heard 94 ms later
    >>> decoder = heed.LSDecoder().fit(eeg, speech[:, 0])
    >>> decoder.weights_.shape
    (17, 8)
    >>> decoder.window_scores(eeg, speech).argmax(axis=1).mean()
    0.0
    """

    _kind = "ls"

    def __init__(
        self,
        *,
        sampling_frequency: float = 64.0,
        first_lag: float = 0.0,
        longest_lag: float = 0.25,
        recipe: str | None = None,
        regularisation: str = "ridge",
        ridge: float | None = None,
        score_rule: str | None = None,
        score_shrinkage: float | None = None,
        score_memory: float | str | None = None,
        preprocessing: dict[str, Any] | None = None,
    ):
        self.sampling_frequency = sampling_frequency
        self.first_lag = first_lag
        self.longest_lag = longest_lag
        self.recipe = recipe
        self.regularisation = regularisation
        self.ridge = ridge
        self.score_rule = score_rule
        self.score_shrinkage = score_shrinkage
        self.score_memory = score_memory
        self.preprocessing = preprocessing

    def fit(
        self,
        X: Any,
        y: Any = None,
        lengths: Sequence[int] | None = None,
        *,
        population: Any = None,
        label_free: bool = False,
    ) -> LSDecoder:
        """Trains on signals, or on listeners as ``heed train`` does.

        Parameters
        ----------
        X : array (samples, channels), frame, heed.Recording, mne Raw or Epochs; array (trials, samples, channels), or a
            list of arrays or frames, which may differ in length; or heed.Listener, several, a BidsFolder, or trials,
            which bring their own y
            A row with NaN was not recorded.
        y : array (samples,), or (trials, samples), or a list of arrays
            Onsets (or envelope) of the attended speaker.
        lengths : list of int, optional
            Samples of each sequence, where several lie below each other.
        population : heed.Population, BidsFolder or listeners, optional
            Others whom one listener leans on. Of a folder or of listeners it is used with heed's recipe and from four
            others on; a Population is used as it is.
        label_free : bool
            Learn from one listener (or trials) without looking at who was attended; a population helps.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> speech = random.standard_normal((6400, 2))
        >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))
        >>> heed.LSDecoder(ridge=0.01).fit(eeg, speech[:, 0], lengths=[3200, 3200]).patterns_.shape
        (8, 17)
        """
        listeners = self._listeners_in(X)
        if listeners is not None:
            self._fit_listeners(listeners, population=population, label_free=label_free)
        elif label_free or population is not None:
            raise InvalidArgumentError(
                "X: without labels, or with a population, a listener or trials are needed, which say what was played"
            )
        else:
            self._fit_arrays(X, lambda values, lengths: self._target(y, values, lengths)[:, None], lengths)
        return self

    @property
    def weights_(self) -> np.ndarray:
        """EEG lags x channels."""
        return self._trained("weights_").eeg_filters[0]


class CCADecoder(ClassNamePrefixFeaturesOutMixin, TransformerMixin, EegDecoder):
    """Canonical correlation: EEG and envelope both filtered so that they correlate best, several pairs, and one
    discriminant over the correlations of a window that tells the attended speaker from the others.

    Parameters
    ----------
    sampling_frequency : float
        Of X and y, in Hz.
    pairs : int
        At most.
    first_lag, longest_lag : float
        Of the EEG behind the sound, in seconds; the envelope has the same lags before it.
    recipe : {"heed", "paper"}, optional
        What is not said by other parameters: see :class:`heed.LSDecoder`.
    regularisation : {"ridge", "ridge-cv", "ledoit-wolf"}
    ridge : float, optional
        Of the EEG, times the mean variance of a channel.
    score_rule, score_shrinkage, score_memory
        How a window's signals are compared before the discriminant: see :class:`heed.LSDecoder`.
    window : float
        Length in seconds whose correlations the discriminant learns.
    preprocessing : dict, optional
        How X was prepared: see :class:`heed.LSDecoder`.

    Attributes
    ----------
    eeg_filters_ : ndarray (pairs, lags, channels)
    stimulus_filters_ : ndarray (pairs, lags, targets)
    lags_ : ndarray (lags,)
        Of the EEG, in seconds.
    patterns_ : ndarray (channels, lags)
        Forward pattern of the first pair.
    decoder_ : heed decoder, as the program's files hold it

    Examples
    --------
    >>> import heed, numpy as np
    >>> random = np.random.default_rng(0)
    >>> speech = random.standard_normal((6400, 2))
    >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))
    >>> decoder = heed.CCADecoder(pairs=3).fit(eeg, speech[:, 0], others=speech[:, 1])
    >>> decoder.transform(eeg).shape
    (6400, 3)
    >>> decoder.window_scores(eeg, speech).argmax(axis=1).mean()
    0.0
    """

    _kind = "cca"

    def __init__(
        self,
        *,
        sampling_frequency: float = 64.0,
        pairs: int = 10,
        first_lag: float = 0.0,
        longest_lag: float = 0.25,
        recipe: str | None = None,
        regularisation: str = "ridge",
        ridge: float | None = None,
        score_rule: str | None = None,
        score_shrinkage: float | None = None,
        score_memory: float | str | None = None,
        window: float = 1.0,
        preprocessing: dict[str, Any] | None = None,
    ):
        self.sampling_frequency = sampling_frequency
        self.pairs = pairs
        self.first_lag = first_lag
        self.longest_lag = longest_lag
        self.recipe = recipe
        self.regularisation = regularisation
        self.ridge = ridge
        self.score_rule = score_rule
        self.score_shrinkage = score_shrinkage
        self.score_memory = score_memory
        self.window = window
        self.preprocessing = preprocessing

    def fit(
        self,
        X: Any,
        y: Any = None,
        others: Any = None,
        lengths: Sequence[int] | None = None,
        *,
        population: Any = None,
    ) -> CCADecoder:
        """Trains on signals, or on listeners as ``heed train`` does.

        Parameters
        ----------
        X, y, lengths, population
            As in :meth:`heed.LSDecoder.fit`.
        others : array (samples,) or (samples, speakers - 1), optional
            Envelopes of those who were not attended. Without them there are pairs but no discriminant: ``transform``,
            ``predict`` and ``score`` work, ``window_scores`` does not.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> speech = random.standard_normal((6400, 2))
        >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))
        >>> decoder = heed.CCADecoder(pairs=3).fit(eeg, speech[:, 0], others=speech[:, 1])
        >>> decoder.eeg_filters_.shape, decoder.stimulus_filters_.shape
        ((3, 17, 8), (3, 17, 1))
        """

        def heard(values: np.ndarray, lengths: Any) -> np.ndarray:
            target = self._target(y, values, lengths)
            if others is None:
                return target[:, None]
            unattended = per_row(others, lengths, "others")
            check_consistent_length(values, unattended)
            return np.column_stack([target, np.asarray(unattended, dtype=float)])

        listeners = self._listeners_in(X)
        if listeners is not None:
            self._fit_listeners(listeners, self.window, population=population)
        else:
            self._fit_arrays(X, heard, lengths, self.window)
        return self

    def transform(self, X: Any, lengths: Sequence[int] | None = None) -> np.ndarray:
        """The EEG side of every pair: ndarray (samples, pairs), the best first; NaN where a sample was not recorded.

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> speech = random.standard_normal((6400, 2))
        >>> eeg = np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))
        >>> heed.CCADecoder(pairs=3).fit(eeg, speech[:, 0]).transform(eeg).shape
        (6400, 3)
        """
        return self._filtered(X, lengths)

    @property
    def eeg_filters_(self) -> np.ndarray:
        """Pairs x EEG lags x channels."""
        return self._trained("eeg_filters_").eeg_filters

    @property
    def stimulus_filters_(self) -> np.ndarray:
        """Pairs x stimulus lags x targets."""
        return self._trained("stimulus_filters_").stimulus_filters

    @property
    def _n_features_out(self) -> int:
        return len(self.eeg_filters_)

    @classmethod
    def _parameters_of(cls, decoder: Decoder) -> dict[str, Any]:
        return dict(super()._parameters_of(decoder), pairs=len(decoder.eeg_filters), window=decoder.window)
