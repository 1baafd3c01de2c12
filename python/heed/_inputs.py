# SPDX-License-Identifier: MIT
"""What callers hand over as signals: arrays, frames, recordings, trials, MNE's Raw and Epochs. All become time x
channels, with what each says of itself. MNE and pandas are recognised by their habits, never imported."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._errors import InvalidArgumentError
from ._native import Trial
from ._requirements import optional
from .recordings import Recording


@dataclass
class Signals:
    """Samples x channels, and what is known of them; None: nothing."""

    values: Any
    sampling_frequency: float | None = None
    channels: list[str] | None = None
    lengths: list[int] | None = None  # of sequences below each other
    bad: list[str] = field(default_factory=list)
    stimuli: Any = None
    targets: list[str] | None = None  # of the stimuli


def signals_of(signal: Any) -> Signals:
    """Samples x channels of whatever it is; arrays and lists are handed on as they are."""
    if isinstance(signal, Recording):
        return Signals(signal.samples, signal.sampling_frequency, list(signal.channels))
    if isinstance(signal, Trial):
        return _of_trial(signal)
    if is_mne(signal):
        return _of_mne(signal)
    if is_frame(signal):
        return Signals(signal.to_numpy(), channels=[str(name) for name in signal.columns])
    return Signals(signal)


def is_frame(value: Any) -> bool:
    """Whether it is a data frame of pandas."""
    return hasattr(value, "columns") and hasattr(value, "to_numpy")


def is_mne(value: Any) -> bool:
    """Whether it is a Raw or Epochs of MNE."""
    return hasattr(value, "get_data") and hasattr(value, "info")


def scores_of_mne(instance: Any) -> tuple[Any, float]:
    """Channels of type misc as speakers and samples as windows: a frame of a Raw, frames of Epochs; and seconds per
    window."""
    names = [name for name, kind in zip(instance.ch_names, instance.get_channel_types()) if kind == "misc"]
    if not names:
        raise InvalidArgumentError(
            "X: it has no channel of type misc, which scores would be; for EEG, heed.LSDecoder and heed.CCADecoder make scores"
        )
    pandas = optional("pandas", "a Raw or Epochs of scores")
    data = instance.get_data(picks=names)
    window = 1 / float(instance.info["sfreq"])
    if data.ndim == 2:
        return pandas.DataFrame(data.T, columns=names), window
    return [pandas.DataFrame(one.T, columns=names) for one in data], window


def picked(signals: Signals, channels: list[str] | None) -> Signals:
    """Those channels, in that order. Names nobody gave before are names for the columns."""
    if channels is None:
        return signals
    if signals.channels is None:
        signals.channels = list(channels)
        return signals
    absent = [name for name in channels if name not in signals.channels]
    if absent:
        raise InvalidArgumentError(
            f"channels: there is no {', '.join(absent)}; there are {', '.join(signals.channels)}"
        )
    signals.values = np.asarray(signals.values)[:, [signals.channels.index(name) for name in channels]]
    signals.bad = [name for name in signals.bad if name in channels]
    signals.channels = list(channels)
    return signals


def without_bad(signals: Signals) -> Signals:
    """The good channels alone."""
    if not signals.bad:
        return signals
    return picked(signals, [name for name in signals.channels or [] if name not in signals.bad])


def _of_trial(trial: Trial) -> Signals:
    eeg = trial.eeg
    if trial.missing.any():
        eeg = np.where(trial.missing[:, None], np.nan, eeg)
    return Signals(eeg, trial.sampling_frequency, list(trial.channels), stimuli=trial.stimuli, targets=trial.targets)


def _of_mne(instance: Any) -> Signals:
    names = [name for name, kind in zip(instance.ch_names, instance.get_channel_types()) if kind == "eeg"]
    if not names:
        raise InvalidArgumentError("signal: it has no channel of type eeg")
    is_raw = hasattr(instance, "first_samp")
    # What MNE's annotations call bad is missing.
    data = instance.get_data(picks=names, **({"reject_by_annotation": "NaN"} if is_raw else {}))
    lengths = None
    if data.ndim == 3:  # epochs x channels x times: one sequence each
        lengths = [data.shape[2]] * data.shape[0]
        data = np.moveaxis(data, 1, 2).reshape(-1, data.shape[1]).T
    bad = [name for name in names if name in instance.info["bads"]]
    return Signals(np.ascontiguousarray(data.T), float(instance.info["sfreq"]), names, lengths, bad)
