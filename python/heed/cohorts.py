# SPDX-License-Identifier: MIT
"""Participants as the arrays that estimators take."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ._errors import BadDataError, InvalidArgumentError

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._native import Participant


class Stacked(NamedTuple):
    """The windows of a cohort, stacked.

    Attributes
    ----------
    scores : ndarray (windows, speakers)
    attended : ndarray of int32 (windows,); -1 is unknown
    lengths : ndarray of int (trials,)
        How many windows each trial has.
    groups : ndarray of str (windows,)
        The id of the participant of each window.

    Examples
    --------
    >>> import heed
    >>> heed.stack(heed.simulate_scores(participants=2, trials=3)).lengths
    array([600, 600, 600, 600, 600, 600])
    """

    scores: npt.NDArray[np.float64]
    attended: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int_]
    groups: npt.NDArray[np.str_]


def stack(participants: Participant | Sequence[Participant]) -> Stacked:
    """Trials of participants stacked, with their lengths, as estimators and trackers take them.

    Parameters
    ----------
    participants : Participant, or sequence of them
        All with the same number of columns, window length and type of scores.

    Returns
    -------
    Stacked : a named tuple of scores (windows, speakers), attended (windows,), lengths (trials,), groups (windows,)

    Examples
    --------
    >>> import heed
    >>> X, y, lengths, groups = heed.stack(heed.simulate_scores(participants=2))
    >>> posteriors = heed.smooth(X, emission=heed.GaussianEmission(0.124, 0.037, 0.303), lengths=lengths)
    >>> posteriors.shape, sorted(set(groups))
    ((4800, 2), ['01', '02'])
    """
    cohort = list(participants) if isinstance(participants, Sequence) else [participants]
    trials = [trial for participant in cohort for trial in participant.trials]
    if not trials:
        raise InvalidArgumentError("participants: is empty, so there is nothing to stack")
    if len({trial.scores.shape[1] for trial in trials}) > 1:
        raise InvalidArgumentError("participants: they differ in the number of columns, so they cannot be stacked")
    require_agreement(cohort)
    return Stacked(
        np.concatenate([trial.scores for trial in trials]),
        np.concatenate([trial.attended for trial in trials]),
        np.array([len(trial.scores) for trial in trials]),
        np.repeat([one.id for one in cohort], [sum(len(trial.scores) for trial in one.trials) for one in cohort]),
    )


def require_agreement(cohort: Sequence[Participant]) -> None:
    """Refuses participants that cannot be taken together, as the program refuses their files."""
    for one in cohort[1:]:
        for ours, theirs in zip(_terms(cohort[0]), _terms(one)):
            if ours != theirs:
                raise BadDataError(f"participant {cohort[0].id} has {ours}, participant {one.id} has {theirs}; "
                                   "participants taken together must agree")


def _terms(participant: Participant) -> tuple[str, ...]:
    return (
        f"{len(participant.speakers)} speakers",
        f"{len(participant.features)} features",
        f"windows of {participant.window:.6g} s",
        "correlations" if participant.score_type == "correlation" else "log-odds",
    )
