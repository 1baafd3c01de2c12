# SPDX-License-Identifier: MIT
"""Windows of many trials and participants as scikit-learn has them, one table, and as the engine does."""
from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._native import Participant, ScoredTrial


class Trials(NamedTuple):
    """Trials below each other, and whose each is."""

    scores: NDArray[Any]  # windows x columns
    attended: NDArray[Any] | None  # per window
    lengths: list[int]  # of the trials
    participants: list[Any]  # one a trial


def attended_columns(y: Any, names: Sequence[str] | None, states: int) -> NDArray[Any]:
    """Labels as whole numbers below `states`; -1 where they are unknown. Names are looked up in `names`."""
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise ValueError(f"y: wants one label a window, got shape {labels.shape}")
    if labels.dtype.kind in "OUS":
        labels = np.array([_column(label, list(names or ())) for label in labels], dtype=float)
    labels = np.where(np.isnan(labels), -1, labels)
    wrong = np.flatnonzero(~np.isin(labels, np.arange(-1, states)))
    if wrong.size:
        first = wrong[0]
        raise ValueError(
            f"y: window {first + 1}: {labels[first]} is no column: speakers count from 0 to {states - 1}, -1 is unknown"
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
    if not isinstance(X, (list, tuple)) or not X or not all(isinstance(one, Participant) for one in X):
        return None
    if any(given is not None for given in (y, lengths, groups)):
        raise ValueError("participants bring labels and trials of their own; leave y, lengths and groups out")
    return list(X)


def trials_in(X: NDArray[Any], y: NDArray[Any] | None, lengths: Any, groups: Any) -> Trials:
    """Trials are as long as `lengths` say, else they end where the group changes, else there is one."""
    rows = len(X)
    whose = np.zeros(rows, dtype=int) if groups is None else np.asarray(groups)
    if whose.shape != (rows,):
        raise ValueError(f"groups: wants one participant a window, shape ({rows},), not {whose.shape}")
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


def participants_of(table: Trials, *, window: float, score_type: str, speakers: list[str],
                    features: list[str] | None) -> list[Participant]:
    """In the order they come first; each with all of its trials."""
    trials: dict[Any, list[ScoredTrial]] = {}
    first = 0
    for length, whose in zip(table.lengths, table.participants):
        rows = slice(first, first + length)
        attended = None if table.attended is None else table.attended[rows]
        trials.setdefault(whose, []).append(ScoredTrial(table.scores[rows], attended, window=window))
        first += length
    return [
        Participant(str(whose), own, speakers=speakers, score_type=score_type, features=features)
        for whose, own in trials.items()
    ]
