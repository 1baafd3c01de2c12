# SPDX-License-Identifier: MIT
"""Recordings of simulated listeners, in memory or as the BIDS folder of `heed simulate recording`."""
from __future__ import annotations

import os
import pathlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import InvalidArgumentError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, eq=False, repr=False)
class SimulatedRun:
    """One trial of a simulated listener: the EEG, and the truth behind it.

    Attributes
    ----------
    participant, trial : str, int
        The participant, "01" ..., and the number of the trial, from 1.
    eeg : ndarray of float32 (samples, channels)
        In microvolts; NaN where samples dropped out.
    sampling_frequency : float
        Of all arrays, in Hz.
    channels, speakers : list of str
    envelopes : ndarray (samples, speakers)
        What drove the brain; mean 0, standard deviation 1.
    attended : ndarray of int32 (samples,)
        Column of the attended speaker.
    events : list of dict
        Rows of an events file: onset and duration in seconds, trial_type, speaker.

    Examples
    --------
    >>> import heed
    >>> heed.simulate_recording(participants=1, trials=1, minutes=0.5, channels=32)[0]
    <heed.SimulatedRun 01, trial 1: 30 s at 128 Hz, 32 channels, speakers left, right>
    """

    participant: str
    trial: int
    eeg: npt.NDArray[np.float32]
    sampling_frequency: float
    channels: list[str]
    speakers: list[str]
    envelopes: npt.NDArray[np.float64]
    attended: npt.NDArray[np.int32]
    events: list[dict[str, Any]]

    def __repr__(self) -> str:
        seconds = len(self.eeg) / self.sampling_frequency
        return (
            f"<heed.SimulatedRun {self.participant}, trial {self.trial}: {seconds:g} s at "
            f"{self.sampling_frequency:g} Hz, {len(self.channels)} channels, speakers {', '.join(self.speakers)}>"
        )


def simulate_recording(
    *,
    folder: str | os.PathLike[str] | None = None,
    participants: int | None = None,
    trials: int | None = None,
    minutes: float = 10.0,
    speakers: int | None = None,
    conversations: int | None = None,
    sustained: int | None = None,
    switch_every: float | str | tuple[int, int] | None = None,
    seed: int = 1,
    channels: int | Sequence[str] = 64,
    rate: float = 128.0,
    signal: float = 1.0,
    signal_spread: float = 0.15,
    noise: float = 1.0,
    gaze: float = 1.0,
    blinks: float = 0.0,
    artefacts: float = 0.0,
    dropouts: float = 0.0,
    dropout_length: float = 3.0,
    line_noise: float = 0.0,
    line_frequency: float = 50.0,
    sound_rate: float = 16000.0,
    format: str = "bdf",
    sounds: str = "flac",
    force: bool = False,
) -> list[SimulatedRun] | pathlib.Path:
    """EEG of listeners and what they heard, with known attention: ``heed simulate recording``.

    Parameters
    ----------
    folder : path, optional
        Write a BIDS folder, the same bytes as the program, instead of keeping everything in memory.
    participants, trials : int, optional
        Number of listeners (13; 20 with ``conversations``) and trials of each (4; 6). By default a listener takes 80 MB.
    minutes : float
        Length of a trial.
    speakers, conversations : int, optional
        Number of competing talkers (2), or instead of conversations between two talkers who take turns.
    sustained : int, optional
        Number of trials without a switch, at the beginning (0; 3 with ``conversations``).
    switch_every : float, (shortest, longest) or str, optional
        Seconds between switches; by default 300, or half of a trial no longer than that.
    seed : int
        The same seed gives the same bytes.
    channels : int or sequence of str
        A cap of 64, 32 or 19 electrodes, or their names in the 10-10 system.
    rate : float
        Sampling frequency of the EEG in Hz.
    signal, signal_spread, noise, gaze : float
        Strength of the responses to speech (at 1, decoders do as well as on real EEG) and its standard deviation over
        listeners; strength of all other EEG; how far activity is lateralised to the attended side.
    blinks, artefacts, dropouts : float
        Number per minute of blinks, bursts of muscle activity or movement, stretches without EEG.
    dropout_length : float
        Mean length of dropouts in seconds.
    line_noise, line_frequency : float
        Amplitude in microvolts and frequency in Hz of line noise.
    sound_rate, format, sounds, force
        With a folder: sampling frequency of the sounds in Hz, 'bdf' or 'brainvision', 'flac' or 'wav', whether to replace
        an earlier simulation.

    Returns
    -------
    list of SimulatedRun, listener by listener; or the path of the folder, if one was given.

    Examples
    --------
    >>> import heed
    >>> runs = heed.simulate_recording(participants=2, trials=1, minutes=1, channels=["Fz", "Cz", "T7"], seed=7)
    >>> runs[1].eeg.shape, runs[1].eeg.dtype, runs[1].envelopes.shape
    ((7680, 3), dtype('float32'), (7680, 2))
    """
    options = dict(locals())
    del options["folder"]
    if folder is None:
        for name, usual in (("format", "bdf"), ("sounds", "flac"), ("force", False)):
            if options[name] != usual:
                raise InvalidArgumentError(f"{name}: needs a folder; give folder=, or omit it")
        return [SimulatedRun(**run) for run in _native.simulated_runs(options)]
    _native.simulated_folder(folder, options)
    return pathlib.Path(folder)
