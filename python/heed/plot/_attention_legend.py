# SPDX-License-Identifier: MIT
"""What stands above the attention picture: a title, and a legend of the signs that are in it."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _style as style
from ._trials import UNKNOWN, Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = 14.0  # points

def legend_of(picture: Picture) -> list[Any]:
    """Handles of matplotlib, each with its label."""
    style.pyplot()
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    def mark(text: str, sign: str, **looks: Any) -> Any:
        looks = {"color": style.INK, "markersize": 5, "markeredgewidth": 0, **looks}
        return Line2D([], [], linestyle="none", marker=sign, label=text, **looks)

    trials = picture.trials
    switches = [switch for trial in trials for switch in trial.switches]
    changes = any(trial.other_changes for trial in trials)
    unknown = any(trial.truth is not None and (trial.truth == UNKNOWN).any() for trial in trials)
    missing = any(trial.scores is not None and np.isnan(trial.scores).any() for trial in trials)
    signs = [Patch(color=style.colour(k), label=name) for k, name in enumerate(picture.speakers)]
    if switches:
        signs.append(mark("true switch", "|", markersize=8, markeredgewidth=0.8))
    if any(switch.detected is not None for switch in switches):
        signs.append(mark("detected, with delay", "v"))
    if any(switch.detected is None for switch in switches):
        signs.append(mark("missed", "x", markeredgewidth=0.9))
    if changes and picture.labelled:
        signs.append(mark("other change of decision", "^", markersize=3.4, markerfacecolor="none", markeredgewidth=0.6,
                          markeredgecolor=style.FAINT))
    if changes and not picture.labelled:
        signs.append(mark("change of decision", "v"))
    if unknown and picture.labelled:
        signs.append(Patch(facecolor=style.GRID, edgecolor=style.FAINT, hatch="////", linewidth=0, label="attention unknown"))
    if missing:
        signs.append(Patch(color=style.GRID, label="missing window"))
    return signs


def header_height(signs: list[Any], room: float, title: str | None) -> float:
    """Of the legend and the title above it, in points."""
    rows = style.rows_of(signs, room)
    return style.ROW * rows + 3 + (TITLE if title else 0)


def write_header(axes: Axes, signs: list[Any], room: float, title: str | None) -> None:
    axes.legend(handles=signs, loc="lower left", bbox_to_anchor=(0, 0), ncol=style.columns_of(signs, room), frameon=False,
                fontsize=style.TEXT, labelcolor=style.INK, borderaxespad=0.2, borderpad=0.2, handlelength=1.2,
                handleheight=1.1, labelspacing=0.4, columnspacing=1.4, handletextpad=0.5)
    if title:
        axes.text(0, 1, title, transform=axes.transAxes, va="top", fontsize=10, fontweight="bold", color=style.INK)
