# SPDX-License-Identifier: MIT
"""From raw signals to what decoders take: envelopes of speech, EEG band-passed at the decoders' rate."""
from __future__ import annotations

import os
from typing import Any, Sequence

import numpy as np

from . import _native
from ._errors import InvalidArgumentError
from ._inputs import Signals, is_frame, picked, signals_of


def envelope(sound: Any, sampling_frequency: float | None = None, *, rate: float = 64.0) -> np.ndarray:
    """The envelope of speech, from an auditory filter bank: 15 gammatone bands, \\|.\\|^0.6 of each, aligned and summed.

    It is not band-passed: ``heed.preprocess(..., kind="envelope")`` does that, as for the EEG.

    Parameters
    ----------
    sound : array (samples,), or path
        One channel; a file (WAV, FLAC, OGG ...) may have several, which are averaged.
    sampling_frequency : float
        Of the sound, in Hz, at least 1000; a file knows its own.
    rate : float
        Of the envelope, in Hz.

    Returns
    -------
    ndarray (samples * rate / sampling_frequency,) : sample k lies k / rate seconds after the first of the sound.

    Examples
    --------
    >>> import heed, numpy as np
    >>> noise = np.random.default_rng(0).standard_normal(16000)
    >>> heed.envelope(noise, 16000).shape
    (64,)
    """
    if isinstance(sound, (str, os.PathLike)):
        return _native._envelope_of_file(os.fspath(sound), rate)
    return _native._envelope(sound, _hertz(sampling_frequency), rate)


def preprocess(
    signal: Any,
    sampling_frequency: float | None = None,
    *,
    kind: str = "eeg",
    recipe: str = "heed",
    band: tuple[float, float] | None = None,
    rate: float = 64.0,
    filters: str = "zero-phase",
    reference: str | Sequence[str] = "average",
    channels: Sequence[str] | None = None,
    bad: Sequence[str] | None = None,
    bad_channels: str = "exclude",
    clip: float = 0.0,
    target: str | Sequence[str] | None = None,
) -> Any:
    """Signals as decoders take them: referenced, resampled, band-passed, as by ``heed preprocess``.

    Parameters
    ----------
    signal : array or frame (samples, channels), heed.Recording, mne Raw or Epochs
        Raw. NaN, and what MNE's annotations call bad, counts as not recorded. From MNE, the EEG channels are taken, in
        volts; recordings are mostly in microvolts (``units``).
    sampling_frequency : float
        In Hz; recordings and MNE know their own.
    kind : {"eeg", "envelope"}
        Envelopes are resampled and band-passed only.
    recipe : {"heed", "paper"}
        What is not said of band and target: 0.5-9 Hz and onsets, or 1-9 Hz and envelopes.
    band : (low, high), optional
        In Hz, Butterworth, order 2 on either side.
    rate : float
        Of the result, in Hz.
    filters : {"zero-phase", "causal"}
        Without delay, or as in a live session.
    reference : {"average", "none"} or names
        What is subtracted: the mean of all channels, nothing, or the mean of these channels.
    channels : list of str, optional
        Names of an array's columns; for anything that has names, the channels to take, in this order.
    bad : list of str, optional
        Channels that cannot be used (MNE knows its own).
    bad_channels : {"exclude", "interpolate"}
        What is done with those: left out, or interpolated from the others by spherical splines.
    clip : float
        Limit band-passed EEG to this many robust standard deviations; 0 leaves artefacts as they are.
    target : {"envelope", "onset", "both"}, optional
        Which feature of an envelope: itself, its onsets (where it rises), or both, side by side as a last dimension.

    Returns
    -------
    ndarray (samples * rate / sampling_frequency, channels), or one dimension as given; (epochs, samples, channels) for
    Epochs, as decoders take them; for EEG in a frame, a frame with its columns. Rows that were not recorded are NaN, as everywhere in heed. Units are those given: the result for a
    ``heed.Recording`` is a million times that for its ``to_mne()``.

    Examples
    --------
    >>> import heed, numpy as np
    >>> eeg = np.random.default_rng(0).standard_normal((5120, 4))
    >>> heed.preprocess(eeg, 512).shape
    (640, 4)
    """
    given = picked(signals_of(signal), None if channels is None else list(channels))
    options = dict(recipe=recipe, band=band, rate=rate, filters=filters, reference=reference, bad_channels=bad_channels, clip=clip,
                   target=target)
    frequency = _frequency(given, sampling_frequency)
    if kind == "envelope":
        return _prepared_envelope(given.values, frequency, options)
    if kind != "eeg":
        raise InvalidArgumentError(f"kind: '{kind}' is not eeg or envelope")
    unusable = given.bad + [name for name in bad or [] if name not in given.bad]
    made = [_native._preprocess_eeg(piece, frequency, given.channels, unusable, options) for piece in _pieces(given)]
    if is_frame(signal):
        return type(signal)(made[0][0], columns=made[0][1])
    return made[0][0] if given.lengths is None else np.stack([values for values, _ in made])


def _hertz(sampling_frequency: Any) -> float:
    if sampling_frequency is None:
        raise InvalidArgumentError("sampling_frequency: an array does not say how fast it was sampled; give Hz")
    if isinstance(sampling_frequency, (str, bytes)) or not hasattr(sampling_frequency, "__float__"):
        raise TypeError(f"sampling_frequency: must be a number in Hz, not a value of type {type(sampling_frequency).__name__}")
    return float(sampling_frequency)


def _frequency(given: Signals, sampling_frequency: float | None) -> float:
    if given.sampling_frequency is None:
        return _hertz(sampling_frequency)
    if sampling_frequency is not None and _hertz(sampling_frequency) != given.sampling_frequency:
        raise InvalidArgumentError(
            f"sampling_frequency: {sampling_frequency:g} Hz, but the signal says {given.sampling_frequency:g}")
    return given.sampling_frequency


def _prepared_envelope(values: Any, frequency: float, options: dict[str, Any]) -> np.ndarray:
    values = np.asarray(values)
    columns = values[:, None] if values.ndim == 1 else values
    prepared = _native._preprocess_envelope(columns, frequency, options)
    if prepared.shape[1] > columns.shape[1]:  # those of the first target, then those of the next
        prepared = prepared.reshape(len(prepared), -1, columns.shape[1]).swapaxes(1, 2)
    return prepared[:, 0] if values.ndim == 1 else prepared


def _pieces(given: Signals) -> list[Any]:
    if given.lengths is None:
        return [given.values]
    return np.split(given.values, np.cumsum(given.lengths)[:-1])
