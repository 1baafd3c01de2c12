# SPDX-License-Identifier: MIT
"""Trials that come apart, as a block (trials, rows, columns) or a list of tables of any length, laid below each other."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Laid(NamedTuple):
    """One table, and how it came."""

    rows: Any  # rows x columns; a frame if the trials were frames
    lengths: list[int]  # of the trials
    equal: bool  # whether they form a block

    def apart(self, values: NDArray[Any]) -> Any:
        """One value per row, in the shape in which the rows came: a block, or a list of arrays."""
        if self.equal:
            return values.reshape(len(self.lengths), -1, *values.shape[1:])
        return np.split(values, np.cumsum(self.lengths)[:-1])


def laid_below(X: Any) -> Laid | None:
    """The trials below each other; None if X is no block or list of tables."""
    if isinstance(X, np.ndarray) and X.ndim == 3 and X.size:
        return Laid(X.reshape(-1, X.shape[2]), [X.shape[1]] * len(X), True)
    if not isinstance(X, (list, tuple)) or not X or any(np.ndim(one) != 2 for one in X):
        return None
    lengths = [len(one) for one in X]
    return Laid(_together(X), lengths, len(set(lengths)) == 1)


def _together(tables: Any) -> Any:
    columns = {np.shape(one)[1] for one in tables}
    if len(columns) > 1:
        raise ValueError(f"X: trials must have the same columns, but they have {' and '.join(map(str, sorted(columns)))}")
    if not all(hasattr(one, "columns") for one in tables):
        return np.concatenate([np.asarray(one) for one in tables])
    names = list(tables[0].columns)
    for number, one in enumerate(tables, start=1):
        if list(one.columns) != names:
            raise ValueError(f"X: trial {number} has the columns {', '.join(map(str, one.columns))}, the first has "
                             f"{', '.join(map(str, names))}")
    values = np.concatenate([one.to_numpy() for one in tables])
    return type(tables[0])(values, columns=names)


def per_row(values: Any, lengths: list[int] | None, name: str) -> Any:
    """Labels, groups or signals of trials that came apart, below each other; one label per trial holds for all its rows.
    Anything else stays as it is."""
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if lengths is None or not hasattr(values, "__len__") or len(values) != len(lengths):
        return values
    if np.ndim(values[0]) == 0:
        return np.repeat(np.asarray(values), lengths)
    for number, (one, length) in enumerate(zip(values, lengths), start=1):
        if len(one) != length:
            raise ValueError(f"{name}: inconsistent numbers of samples: trial {number} has {len(one)} for {length} rows of X")
    return np.concatenate([np.asarray(one) for one in values])
