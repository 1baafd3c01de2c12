# SPDX-License-Identifier: MIT
"""What the attention picture shows, read from the caller's arrays and cut into trials."""
from __future__ import annotations

import dataclasses
from typing import Any, Sequence

import numpy as np

from .. import _native
from .._errors import InvalidArgumentError

UNKNOWN = -1


@dataclasses.dataclass
class Switch:
    """A true switch of attention, its window, and when it was detected."""

    at: int
    speaker: int
    detected: int | None
    delay: float  # seconds; negative: foreseen


@dataclasses.dataclass
class Trial:
    """A stretch without a break. Windows count from 0 within it."""

    start: float  # seconds on the picture's clock
    posteriors: np.ndarray  # windows x speakers
    decisions: np.ndarray
    truth: np.ndarray | None
    scores: np.ndarray | None
    switches: list[Switch]

    @property
    def other_changes(self) -> list[int]:
        """Windows in which the decision changes, without noticing a true switch."""
        detected = {switch.detected for switch in self.switches}
        return [int(t) for t in np.flatnonzero(np.diff(self.decisions)) + 1 if t not in detected]


@dataclasses.dataclass
class Picture:
    trials: list[Trial]
    speakers: list[str]
    window: float

    @property
    def windows(self) -> int:
        return sum(len(trial.decisions) for trial in self.trials)

    @property
    def scored(self) -> bool:
        return self.trials[0].scores is not None

    @property
    def labelled(self) -> bool:
        return any(trial.truth is not None and (trial.truth != UNKNOWN).any() for trial in self.trials)


def read_picture(posteriors: Any, truth: Any, scores: Any, *, window: float, onset: float, lengths: Any,
                 speakers: Sequence[str] | None) -> Picture:
    """Throws InvalidArgumentError naming what does not fit."""
    if not window > 0:
        raise InvalidArgumentError(f"window: {window} is not a length in seconds")
    posteriors, scores, lengths = _below_each_other(posteriors, scores, lengths)
    values, decisions = _probabilities(posteriors, speakers)
    names = _names(posteriors, speakers, values.shape[1])
    windows = len(values)
    labels = None if truth is None else _labels(truth, names, windows)
    evidence = None if scores is None else _evidence(scores, values.shape)
    counts = [windows] if lengths is None else _lengths(lengths, windows)
    bounds = np.cumsum([0, *counts])
    trials = []
    for first, end in zip(bounds[:-1], bounds[1:]):
        part = slice(first, end)
        decided = _native.decide(values[part]) if decisions is None else decisions[part]
        known = None if labels is None else labels[part]
        found = [] if known is None else [Switch(*one) for one in _native.find_switches(decided, known, window)]
        trials.append(Trial(onset + window * first, values[part], decided, known,
                            None if evidence is None else evidence[part], found))
    return Picture(trials, names, window)


def _below_each_other(posteriors: Any, scores: Any, lengths: Any) -> tuple[Any, Any, Any]:
    """Trials of a block, (trials, windows, speakers), as a table with lengths; anything else as it is."""
    if np.ndim(posteriors) != 3:
        return posteriors, scores, lengths
    if lengths is not None:
        raise InvalidArgumentError("lengths: needs two dimensions; in a block, all trials have the same length")
    block = np.asarray(posteriors)
    trials, windows, count = block.shape
    if np.shape(scores) == block.shape:
        scores = np.reshape(scores, (-1, count))
    return block.reshape(-1, count), scores, [windows] * trials


def _probabilities(posteriors: Any, speakers: Sequence[str] | None) -> tuple[np.ndarray, np.ndarray | None]:
    """Windows x speakers; and the decisions, where a path of them was given."""
    array = np.asarray(posteriors)
    if array.ndim == 1 and array.size and np.issubdtype(array.dtype, np.integer):
        if array.min() < 0:
            raise InvalidArgumentError("posteriors: a path needs a speaker in every window, numbered from 0")
        count = max(2, int(array.max()) + 1, len(speakers or ()))
        return np.eye(count)[array], array
    values = array.astype(float)
    if values.ndim != 2 or not values.size or values.shape[1] < 2:
        raise InvalidArgumentError(f"posteriors: must be windows x speakers, or a path of decisions; the shape is {array.shape}")
    if not np.isfinite(values).all() or (values < -1e-9).any() or (abs(values.sum(axis=1) - 1) > 1e-6).any():
        raise InvalidArgumentError("posteriors: every row must hold probabilities that add up to one; "
                                   "scores go through heed.smooth or heed.filter first")
    return values, None


def _names(posteriors: Any, speakers: Sequence[str] | None, count: int) -> list[str]:
    if speakers is None:
        columns = getattr(posteriors, "columns", None)
        names = [f"speaker {k}" for k in range(count)] if columns is None else [str(name) for name in columns]
    else:
        names = [str(name) for name in speakers]
    if len(names) != count:
        raise InvalidArgumentError(f"speakers: {len(names)} names for {count} speakers")
    return names


def _labels(truth: Any, names: list[str], windows: int) -> np.ndarray:
    """One speaker's number per window, -1 where unknown; names are looked up among the speakers."""
    given = np.asarray(truth).ravel()
    if given.dtype.kind in "OU":
        given = np.array([_number(label, names) for label in given], float)
    labels = np.where(np.isnan(given.astype(float)), UNKNOWN, given).astype(int)
    if len(labels) != windows:
        raise InvalidArgumentError(f"truth: {len(labels)} labels for {windows} windows; give one per window")
    if labels.min() < UNKNOWN or labels.max() >= len(names):
        raise InvalidArgumentError(f"truth: speakers are numbered from 0 to {len(names) - 1}, -1 is unknown")
    return labels


def _number(label: Any, names: list[str]) -> float:
    if label is None or label in ("", "n/a"):
        return UNKNOWN
    if not isinstance(label, str):
        return float(label)
    if label not in names:
        raise InvalidArgumentError(f"truth: '{label}' is not one of the speakers {', '.join(names)}; -1 or n/a is unknown")
    return names.index(label)


def _evidence(scores: Any, shape: tuple[int, ...]) -> np.ndarray:
    evidence = np.asarray(scores, float)
    if evidence.shape != shape:
        raise InvalidArgumentError(f"scores: shape {evidence.shape} beside posteriors of shape {shape}; give one per window and speaker")
    return evidence


def _lengths(lengths: Any, windows: int) -> list[int]:
    counts = np.asarray(lengths)
    if counts.ndim != 1 or not np.issubdtype(counts.dtype, np.integer) or (counts < 1).any() or counts.sum() != windows:
        raise InvalidArgumentError(f"lengths: whole numbers of windows that add up to {windows}, one per trial")
    return counts.tolist()
