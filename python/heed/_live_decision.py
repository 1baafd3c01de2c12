# SPDX-License-Identifier: MIT
"""What a live session says of one window."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class LiveDecision:
    """What a :class:`heed.LiveSession` says of one window.

    Attributes
    ----------
    t : float
        End of the window in seconds, on the clock of the stamps.
    onset : float
        Its beginning in seconds, by the count of samples.
    window : int
        Its number in the trial, from 0.
    trial : str
        The trial's name.
    posterior : ndarray (speakers,)
        P(attending j), from this window and those before it.
    decision : str
        The speaker decided for; a tie keeps the previous one.
    gains_db : ndarray (speakers,)
        Gains in dB after this window.
    state : {"calibrating", "tracking", "unknown"}
    scores : ndarray (speakers,)
        NaN where the window is missing.
    held : bool
        The window was missing: predicted, not updated.
    attended : str or None
        As :meth:`heed.LiveSession.attend` told it. The session never looks at it.
    hindsight : ndarray (speakers,) or None
        With ``lag``: the posterior of the window that ended ``lag`` seconds before.

    Examples
    --------
    >>> import heed
    >>> session = heed.LiveSession(["left", "right"], emission=heed.GaussianEmission(0.3, 0.0, 0.2))
    >>> decision, = session.push_scores([[0.4, 0.1]])
    >>> decision.decision, decision.state, decision.posterior.round(2)
    ('left', 'tracking', array([0.92, 0.08]))
    """

    t: float
    onset: float
    window: int
    trial: str
    posterior: NDArray[float64]
    decision: str
    gains_db: NDArray[float64]
    state: str
    scores: NDArray[float64]
    held: bool
    attended: str | None
    hindsight: NDArray[float64] | None
