# SPDX-License-Identifier: MIT
"""Windows of many trials and participants as scikit-learn has them, one table, and as the engine does."""
from __future__ import annotations

import warnings
from typing import Any, NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._inputs import is_mne, scores_of_mne
from ._native import Participant, ScoredTrial
from ._sequences import Laid, laid_below, per_row
from .cohorts import require_agreement, stack


class Trials(NamedTuple):
    """Trials below each other, and whose each is."""

    scores: NDArray[Any]  # windows x columns
    attended: NDArray[Any] | None  # per window
    lengths: list[int]  # of the trials
    participants: list[Any]  # one per trial


class Table(NamedTuple):
    """What predictions are asked for: trials below each other, however they came."""

    scores: Any  # windows x columns
    lengths: Any = None  # of the trials; None: there is one
    laid: Laid | None = None  # how trials came apart
    window: float | None = None  # of participants and of MNE's objects, seconds
    hop: float | None = None  # likewise
    attended: NDArray[Any] | None = None  # of participants, per window
    trials: tuple[int, ...] = ()  # of each participant

    def by_listener(self) -> list[Table]:
        """Participants one by one; anything else is one listener."""
        if len(self.trials) < 2:
            return [self]
        ends = np.cumsum(self.trials)
        lengths = [self.lengths[end - count : end] for end, count in zip(ends, self.trials)]
        rows = np.split(self.scores, np.cumsum([sum(one) for one in lengths])[:-1])
        return [self._replace(scores=part, lengths=one, trials=()) for part, one in zip(rows, lengths)]

    def as_given(self, values: NDArray[Any]) -> Any:
        """One value per window, in the shape in which the windows came."""
        return values if self.laid is None else self.laid.apart(values)

    def per_window(self, values: Any, name: str) -> Any:
        """Labels or groups below each other, as the windows are."""
        return values if self.laid is None else per_row(values, self.laid.lengths, name)


def table_of(X: Any, lengths: Any) -> Table:
    """Of participants, trials that come apart, MNE's Raw or Epochs, or a table, which stays as it is."""
    participants = taken_apart(X, None, lengths, None)
    if participants is not None:
        scores, attended, theirs, _ = stack(participants)
        listeners = tuple(len(one.trials) for one in participants)
        return Table(scores, theirs, None, participants[0].window, participants[0].hop, attended, listeners)
    window = None
    if is_mne(X):
        X, window = scores_of_mne(X)
    laid = laid_below(X)
    if laid is None:
        return Table(X, lengths, None, window, window)
    if lengths is not None:
        raise ValueError("lengths: needs two dimensions; trials in a block or a list have lengths of their own")
    return Table(laid.rows, laid.lengths, laid, window, window)


def are_names(y: Any) -> bool:
    """Whether labels name columns rather than count them."""
    labels = np.asarray(y)
    return labels.dtype.kind == "U" or (labels.dtype.kind == "O" and any(map(_is_name, labels.flat)))


def _is_name(label: Any) -> bool:
    return isinstance(label, str) and label != "n/a"


def two_names(y: Any) -> list[str]:
    """Of the speakers of a single column, as classifiers order them: it tells of the second."""
    names = sorted({label for label in np.asarray(y).flat if _is_name(label)})
    if len(names) != 2:
        raise ValueError(f"y: one column tells of two speakers, but labels name {len(names)}: {', '.join(names)}")
    return names


def attended_columns(y: Any, names: Sequence[str] | None, states: int) -> NDArray[Any]:
    """Labels as whole numbers below `states`; -1 where they are unknown. Names are looked up in `names`."""
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        remedy = "; y.argmax(axis=1) gives them" if labels.ndim == 2 and labels.shape[1] == states else ""
        raise ValueError(f"y: must have one label per window, but has the shape {labels.shape}{remedy}")
    if labels.dtype.kind in "OUS":
        labels = np.array([_column(label, list(names or ())) for label in labels], dtype=float)
    labels = np.where(np.isnan(labels), -1, labels)
    wrong = np.flatnonzero(~np.isin(labels, np.arange(-1, states)))
    if wrong.size:
        first = wrong[0]
        raise ValueError(
            f"y: window {first + 1}: {labels[first]} is not a column: speakers count from 0 to {states - 1}, -1 is unknown"
        )
    if states == 2 and set(labels) == {-1, 1}:
        warnings.warn(
            "y: holds -1 and 1 but no 0, and -1 means that attention is not known, so that only windows of the second "
            "column count; if these are the two speakers, give (y > 0).astype(int)",
            stacklevel=4,
        )
    return labels.astype(np.int32)


def _column(label: Any, names: list[str]) -> float:
    if label is None or label == "n/a" or label != label:  # NaN differs from itself
        return -1
    if not isinstance(label, str):
        return float(label)
    if label not in names:
        known = f"there are {', '.join(names)}" if names else "columns have no names; count them from 0"
        raise ValueError(f"y: no column {label!r}; {known}")
    return names.index(label)


def taken_apart(X: Any, y: Any, lengths: Any, groups: Any) -> list[Participant] | None:
    """The participants, where X is one or several; None of anything else."""
    if isinstance(X, Participant):
        X = [X]
    if not isinstance(X, (list, tuple)) or not any(isinstance(one, Participant) for one in X):
        return None
    for number, one in enumerate(X, start=1):
        if not isinstance(one, Participant):
            raise TypeError(f"X: number {number} is a {type(one).__name__}, not a heed.Participant like the others")
    if any(given is not None for given in (y, lengths, groups)):
        raise ValueError("participants have their own labels and trials; omit y, lengths and groups")
    require_agreement(X)
    return list(X)


def trials_in(X: NDArray[Any], y: NDArray[Any] | None, lengths: Any, groups: Any) -> Trials:
    """Trials are as long as `lengths` say, else they end where the group changes, else there is one."""
    rows = len(X)
    whose = np.zeros(rows, dtype=int) if groups is None else np.asarray(groups)
    if whose.shape != (rows,):
        raise ValueError(f"groups: must have one participant per window, shape ({rows},), not {whose.shape}")
    changes = np.flatnonzero(whose[1:] != whose[:-1]) + 1
    if lengths is None:
        trials = np.diff([0, *changes, rows]).tolist()
    else:
        trials = _native.sequence_lengths(lengths, rows)
        inside = np.setdiff1d(changes, np.cumsum(trials))
        if inside.size:
            raise ValueError(f"lengths: the group changes within a sequence, at row {inside[0] + 1}")
    firsts = np.cumsum([0, *trials[:-1]])
    return Trials(X, y, trials, [whose[first] for first in firsts])


def participants_of(table: Trials, *, window: float, hop: float, score_type: str, speakers: list[str],
                    features: list[str] | None) -> list[Participant]:
    """In the order they come first; each with all of its trials."""
    trials: dict[Any, list[ScoredTrial]] = {}
    first = 0
    for length, whose in zip(table.lengths, table.participants):
        rows = slice(first, first + length)
        attended = None if table.attended is None else table.attended[rows]
        trials.setdefault(whose, []).append(ScoredTrial(table.scores[rows], attended, window=window, hop=hop))
        first += length
    return [
        Participant(str(whose), own, speakers=speakers, score_type=score_type, features=features)
        for whose, own in trials.items()
    ]
