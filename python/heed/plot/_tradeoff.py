# SPDX-License-Identifier: MIT
"""Accuracy against switch time (the paper's Fig. 5), as heed compare --plot draws it."""
from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np

from .._errors import InvalidArgumentError
from . import _style as style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Point = tuple[float, float]  # switch time in seconds, accuracy in per cent

MEAN, SWEEP, PARTICIPANT = 6.5, 2.4, 3.4  # sizes of marks in points
SEE_THROUGH = 0.5  # participants lie on each other
LEAST_ERROR = 1.0  # per cent: 100 % lies infinitely high, so marks far beyond share one height
NARROW = 130 / 25.4 * style.POINTS  # the legend then goes below, as in the reports
# Each has a colour and a mark of its own, whichever others it is shown with: those of the program's full comparison.
METHODS = ("causal", "fixed-lag", "smooth", "viterbi", "markov-chain", "probabilistic-gain", "state-space", "raw")


def tradeoff(comparison: Mapping[str, Any], *, participants: bool = True, title: str | None = None,
             ax: Axes | None = None) -> Axes:
    """Draw accuracy against switch time: a large mark per method, a small one per participant. Up and left is better.

    Parameters
    ----------
    comparison : Comparison
        From heed.compare; with a ``sweep``, it has a curve for each method with a switch probability. The
        dict that ``heed compare --json`` prints works as well, without curves.
    participants : bool
        Whether to draw participants, too.
    title : str, optional
    ax : matplotlib Axes, optional
        Where to draw; its area is shared with the legend. By default, a new figure.

    Returns
    -------
    matplotlib Axes : switch time in seconds across, accuracy in per cent up. Times are on a logarithmic axis where they
        span a factor of six or more; accuracies on one that is logarithmic in the error where errors do. Accuracies too
        close to 100 % for it then share the tick marked ≥.

    Examples
    --------
    >>> import heed
    >>> cohort = heed.simulate_scores(participants=3, trials=1, seed=7)
    >>> ax = heed.plot.tradeoff(heed.compare(cohort, sweep=True))
    >>> ax.get_xlabel()
    'switch time (s)'
    """
    if not isinstance(comparison, Mapping) or not {"methods", "chance"} <= set(comparison):
        raise InvalidArgumentError("comparison: must be what heed.compare returns, or what heed compare --json prints")
    sweeps = getattr(comparison, "curves", {})
    curves = [_Curve(method, sweeps.get(method["name"], [])) for method in comparison["methods"]]
    points = [point for curve in curves for point in curve.points(participants)]
    if not points:
        raise InvalidArgumentError("comparison: no method has a switch time, so there is nothing to draw: attention never "
                                   "switches in these scores; make artificial switches (switch_every)")
    if ax is None:
        ax = style.new_axes(260.0, (43.0, 8.0, 24.0 if title else 8.0, 30.0))
    looks = _looks([curve.name for curve in curves])
    top = _scale(ax, np.array(points), 100 * float(comparison["chance"]))
    for k, curve in enumerate(curves):
        curve.draw(ax, looks[k], participants, top)
        ax.lines[-1].set_zorder(5 - k / 100)  # the first, with which the others are compared, on top
    _dress(ax, title)
    _draw_legend(ax, _signs(curves, looks, participants))
    return ax


@dataclasses.dataclass
class _Look:
    """What distinguishes a method from the others."""

    colour: str
    marker: str


def _looks(names: list[str]) -> list[_Look]:
    """That of the method's name; names heed does not know take what is left."""
    free = (k for k in itertools.count() if k >= len(METHODS) or METHODS[k] not in names)
    places = [METHODS.index(name) if name in METHODS else next(free) for name in names]
    return [_Look(style.colour(k), style.MARKERS[k % len(style.MARKERS)]) for k in places]


class _Curve:
    """A method: its mean, its participants, and its means at other switch probabilities."""

    def __init__(self, method: Mapping[str, Any], sweep: Sequence[Mapping[str, Any]]) -> None:
        self.name = str(method["name"])
        self.mean = _point(method["accuracy"]["mean"], method["switch_time"]["mean"])
        self.participants = [_point(one["accuracy"], one["switch_time"]) for one in method["participants"]]
        self.sweep = [_point(one["accuracy"]["mean"], one["switch_time"]["mean"]) for one in sweep]

    def points(self, participants: bool) -> list[Point]:
        every = [self.mean, *self.sweep, *(self.participants if participants else [])]
        return [point for point in every if point is not None]

    def draw(self, ax: Axes, look: _Look, participants: bool, top: float) -> None:
        """Participants below curves, curves below the mean, which comes last."""

        def put(points: list[Point | None], **looks: Any) -> None:
            there = [(time, min(accuracy, top)) for time, accuracy in filter(None, points)]
            times, accuracies = zip(*there) if there else ((), ())
            ax.plot(times, accuracies, color=look.colour, clip_on=False, **looks)

        if participants:
            put(list(self.participants), linestyle="none", marker=look.marker, markersize=PARTICIPANT, markeredgewidth=0,
                alpha=SEE_THROUGH, zorder=2)
        put(list(self.sweep), linewidth=1.3, marker="o", markersize=SWEEP, markeredgewidth=0, zorder=3)
        put([self.mean], linestyle="none", marker=look.marker, markersize=MEAN + 1, markeredgecolor=style.PAPER,
            markeredgewidth=1, label=self.name)


def _point(accuracy: float | None, time: float | None) -> Point | None:
    return None if accuracy is None or time is None else (time, 100 * accuracy)


def _scale(ax: Axes, points: np.ndarray, chance: float) -> float:
    """Both axes as the values need them; the highest accuracy that has a height of its own."""
    times, accuracies = points.T
    if times.min() > 0 and times.max() / times.min() >= 6:
        ax.set_xscale("log")
        ax.set_xlim(times.min() / 1.15, times.max() * 1.15)
        _log_ticks(ax)
    else:
        ax.set_xlim(min(0.0, times.min()), times.max() * 1.06 if times.max() > 0 else 1.0)
    low = chance if accuracies.min() - 12 < chance < accuracies.min() else accuracies.min()
    error = max(LEAST_ERROR, 100 - accuracies.max())
    if (100 - low) / error >= 6:
        bottom, top, highest = max(-1.0, 100 - 1.08 * (100 - low)), 100 - error / 1.6, 100 - error / 1.4
        _error_scale(ax, bottom, highest, shared=bool(accuracies.max() > highest))
    else:
        margin = max(1.0, 0.05 * (accuracies.max() - low))
        bottom, top = max(-1.0, low - margin), min(101.5, accuracies.max() + margin)
        highest = top
    ax.set_ylim(bottom, top)
    if bottom < chance < top:
        ax.axhline(chance, color=style.FAINT, linewidth=0.6, dashes=(4, 4))
        ax.annotate("chance", (1, chance), xycoords=ax.get_yaxis_transform(), xytext=(-3, 2.5), textcoords="offset points",
                    ha="right", size=style.SMALL, color=style.FAINT)
    return float(highest)


def _log_ticks(ax: Axes) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: style.number_text(value)))


def _error_scale(ax: Axes, bottom: float, highest: float, *, shared: bool) -> None:
    """Logarithmic in the error: curves near 100 % can be told apart. Shared: marks beyond the highest lie there, too."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    def up(value: np.ndarray) -> np.ndarray:
        return -np.log10(np.maximum(100 - np.asarray(value), 1e-3))

    def down(height: np.ndarray) -> np.ndarray:
        return 100 - 10 ** -np.asarray(height)

    ax.set_yscale("function", functions=(up, down))
    errors = [factor * 10.0**decade for decade in (-1, 0, 1, 2) for factor in (1, 2, 5)]
    ticks = [100 - error for error in errors if bottom <= 100 - error <= highest]
    ax.yaxis.set_major_locator(FixedLocator([*ticks, highest] if shared else ticks))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter(FuncFormatter(
        lambda value, _: f"≥ {style.number_text(value, 1)}" if shared and value == highest else style.number_text(value)))


def _dress(ax: Axes, title: str | None) -> None:
    style.ink(ax)
    ax.set(xlabel="switch time (s)", ylabel="accuracy (%)")
    for axis in (ax.xaxis, ax.yaxis):
        axis.label.set(fontsize=style.TEXT + 1, color=style.INK)
        axis.set_tick_params(length=0, labelsize=style.TEXT)
    ax.grid(color=style.GRID, linewidth=0.4)
    ax.set_axisbelow(True)
    if title:
        ax.set_title(title, loc="left", fontsize=10, fontweight="bold", color=style.INK)


def _signs(curves: list[_Curve], looks: list[_Look], participants: bool) -> list[Any]:
    """Handles of the legend: the methods, then what marks of different sizes are."""
    from matplotlib.lines import Line2D

    signs = []
    for curve, look in zip(curves, looks):
        line: dict[str, Any] = {"linewidth": 1.3} if curve.sweep else {"linestyle": "none"}
        signs.append(Line2D([], [], color=look.colour, marker=look.marker, markersize=6, markeredgewidth=0,
                            label=curve.name, **line))
    faint: dict[str, Any] = {"color": style.FAINT, "marker": "o", "markeredgewidth": 0}
    signs.append(Line2D([], [], linestyle="none", markersize=MEAN, label="mean", **faint))
    if any(curve.sweep for curve in curves):
        signs.append(Line2D([], [], linewidth=1.3, markersize=SWEEP, label="other p", **faint))
    if participants:
        signs.append(Line2D([], [], linestyle="none", markersize=PARTICIPANT, alpha=SEE_THROUGH, label="participant", **faint))
    return signs


def _draw_legend(ax: Axes, signs: list[Any]) -> None:
    """Beside the plot, or below it where it is narrow; within the place of the axes, so that nothing lies under it."""
    from mpl_toolkits.axes_grid1 import make_axes_locatable

    room = style.width_of(ax)
    below = room < NARROW
    if below:
        side, size, gap, columns = "bottom", style.ROW * style.rows_of(signs, room), 26.0, style.columns_of(signs, room)
    else:
        longest = max(style.text_width(sign.get_label(), style.TEXT) for sign in signs)
        side, size, gap, columns = "right", longest + 30, 0.0, 1
    band = make_axes_locatable(ax).append_axes(side, size=size / style.POINTS, pad=gap / style.POINTS)
    band.axis("off")
    band.legend(handles=signs, loc="upper left", bbox_to_anchor=(0, 1), ncol=columns, frameon=False, fontsize=style.TEXT,
                labelcolor=style.INK, handlelength=1.8 if below else 2.4, borderaxespad=0.0 if below else 0.6,
                columnspacing=1.2)
