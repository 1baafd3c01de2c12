# SPDX-License-Identifier: MIT
"""Recordings of EEG, as their files hold them."""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from . import _native, _requirements

_VOLTS = {"V": 1.0, "mV": 1e-3, "uV": 1e-6, "µV": 1e-6, "μV": 1e-6, "nV": 1e-9}


class RecordingEvent(NamedTuple):
    """A trigger, marker or annotation.

    Attributes
    ----------
    onset, duration : float
        In seconds, on the clock of the samples.
    description : str

    Examples
    --------
    >>> import heed
    >>> heed.RecordingEvent(1.5, 0.0, "S 1").onset
    1.5
    """

    onset: float
    duration: float
    description: str


@dataclass(frozen=True, eq=False)
class Recording:
    """Samples of a recording, all of one rate. Made by :func:`heed.read_raw`.

    Attributes
    ----------
    samples : ndarray of float32 (samples, channels)
        In each channel's unit.
    sampling_frequency : float
        In Hz.
    channels, units : list of str
        One per column; a unit is empty if the file does not give it.
    events : list of RecordingEvent
        Of the whole file: (onset, duration, description), seconds from its first sample.
    onset : float
        Of the first sample here, in seconds from the first of the file.
    format : str
        EDF, EDF+, BDF, BDF+ or BrainVision.
    start : str or None
        Local time of the beginning, e.g. 2026-11-15T09:30:00.
    notes : list of str
        What you should know about the file.

    Examples
    --------
    >>> import heed, numpy as np
    >>> recording = heed.Recording(np.zeros((512, 2), "float32"), 256.0, ["Fz", "Cz"], ["uV", "uV"])
    >>> recording.duration
    2.0
    """

    samples: np.ndarray
    sampling_frequency: float
    channels: list[str]
    units: list[str]
    events: list[RecordingEvent] = field(default_factory=list)
    onset: float = 0.0
    format: str = ""
    start: str | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def duration(self) -> float:
        """Of the samples here, in seconds."""
        return len(self.samples) / self.sampling_frequency

    def __repr__(self) -> str:
        return (
            f"<heed.Recording {self.format}: {self.duration:g} s at {self.sampling_frequency:g} Hz, "
            f"{len(self.channels)} channels, {len(self.events)} events>"
        )

    def to_mne(self) -> Any:
        """The same for MNE: an ``mne.io.RawArray`` in volts, with events as annotations.

        Channels whose unit is not a voltage get the type misc and keep their numbers.

        Examples
        --------
        >>> import heed, numpy as np
        >>> raw = heed.Recording(np.ones((128, 2), np.float32), 64.0, ["Cz", "Oz"], ["uV", "uV"]).to_mne()
        >>> raw.ch_names, float(raw.get_data()[0, 0])
        (['Cz', 'Oz'], 1e-06)
        """
        mne = _requirements.optional("mne", "Recording.to_mne")
        scales = np.array([_VOLTS.get(unit, 1.0) for unit in self.units])
        types = ["eeg" if unit in _VOLTS else "misc" for unit in self.units]
        info = mne.create_info(list(self.channels), self.sampling_frequency, types)
        raw = mne.io.RawArray(self.samples.T.astype(float) * scales[:, None], info, verbose="error")
        inside = [e for e in self.events if self.onset <= e.onset < self.onset + self.duration]
        if inside:
            onsets, durations, texts = zip(*inside)
            raw.set_annotations(mne.Annotations(np.array(onsets) - self.onset, durations, texts))
        return raw


def read_raw(
    path: str | os.PathLike[str],
    *,
    channels: list[str] | None = None,
    start: float | None = None,
    stop: float | None = None,
) -> Recording:
    """Reads a recording: BDF, BDF+, EDF, EDF+ or BrainVision (give the .vhdr).

    Parameters
    ----------
    path : path
    channels : list of str, optional
        These channels only, in this order. By default all those at the file's (highest) sampling frequency.
    start, stop : float, optional
        Seconds on the recording's clock: samples at or after ``start`` and before ``stop``. A file with pauses
        can only be read between them.

    Returns
    -------
    Recording : samples as float32 (samples, channels).

    Examples
    --------
    >>> import heed
    >>> heed.read_raw("nowhere.bdf")
    Traceback (most recent call last):
    ...
    heed.NotFoundError: nowhere.bdf: no such file
    """
    parts = _native._read_recording(os.fspath(path), channels, start, stop)
    parts["events"] = [RecordingEvent(*event) for event in parts["events"]]
    return Recording(**parts)
