# SPDX-License-Identifier: MIT
"""The bands of the attention picture, one function each: they draw one trial into the axes of their band."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import _style as style
from ._trials import UNKNOWN, Picture, Trial

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARK, SMALL_MARK = 5.0, 3.4  # points across
MOST_COLUMNS = 2400  # of a trial: finer than print shows


def edges_of(trial: Trial, picture: Picture) -> np.ndarray:
    """Where windows begin and the last one ends, in seconds."""
    return trial.start + picture.window * np.arange(len(trial.decisions) + 1)


def stretches(chosen: np.ndarray) -> list[tuple[int, int]]:
    """(first, end) of the runs that are true."""
    turns = np.flatnonzero(np.diff(np.r_[False, chosen, False].astype(int)))
    return [(int(first), int(end)) for first, end in zip(turns[::2], turns[1::2])]


def smoothing_of(picture: Picture) -> float:
    """A round number of seconds: enough to see a difference, but short beside the time between switches."""
    span = picture.windows * picture.window
    wanted = span / 40 if span < 2400 else max(60.0, span / 120)
    steps = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600)
    return float(next((step for step in steps if step >= wanted), 3600 * np.ceil(wanted / 3600)))


def smoothed(values: np.ndarray, width: int) -> np.ndarray:
    """Mean over so many windows around each, of those that are there; NaN where the window itself is not."""
    there = ~np.isnan(values)
    around = ((width // 2, (width - 1) // 2), (0, 0))

    def sums(part: np.ndarray) -> np.ndarray:
        return np.lib.stride_tricks.sliding_window_view(np.pad(part, around), width, axis=0).sum(axis=-1)

    counts = sums(there.astype(float))
    return np.where(there, sums(np.where(there, values, 0.0)) / np.maximum(counts, 1), np.nan)


def _smoothed_windows(picture: Picture) -> int:
    return max(1, round(smoothing_of(picture) / picture.window))


def _columns(shares: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Windows finer than the drawing, put together: their mean, so that areas stay true."""
    if len(shares) <= MOST_COLUMNS:
        return shares, edges
    firsts = np.arange(MOST_COLUMNS) * len(shares) // MOST_COLUMNS
    bounds = np.r_[firsts, len(shares)]
    return np.add.reduceat(shares, firsts, axis=0) / np.diff(bounds)[:, None], edges[bounds]


def _stack(ax: Axes, shares: np.ndarray, edges: np.ndarray, colours: list[str]) -> None:
    """The highest first: each area covers the lower part of the one before, so that no seam shows."""
    shares, edges = _columns(shares, edges)
    for k in reversed(range(shares.shape[1])):
        ax.stairs(shares[:, :k + 1].sum(axis=1), edges, fill=True, color=colours[k], linewidth=0)


def draw_posterior(ax: Axes, trial: Trial, picture: Picture) -> None:
    edges = edges_of(trial, picture)
    _stack(ax, trial.posteriors, edges, [style.colour(k) for k in range(len(picture.speakers))])
    if trial.scores is not None:
        for first, end in stretches(np.isnan(trial.scores).any(axis=1)):
            ax.axvspan(edges[first], edges[end], color=style.PAPER, alpha=0.6, linewidth=0)


def draw_truth(ax: Axes, trial: Trial, picture: Picture, points_per_second: float) -> None:
    truth = np.full(len(trial.decisions), UNKNOWN) if trial.truth is None else trial.truth
    edges = edges_of(trial, picture)
    for speaker in np.unique(truth):
        pieces = [(edges[first], edges[end] - edges[first]) for first, end in stretches(truth == speaker)]
        if speaker == UNKNOWN:
            ax.broken_barh(pieces, (0, 1), facecolor=style.GRID, edgecolor=style.FAINT, hatch="////", linewidth=0)
            continue
        colour, name = style.colour(speaker), picture.speakers[speaker]
        ax.broken_barh(pieces, (0, 1), facecolor=colour, linewidth=0)
        for left, width in pieces:
            if style.text_width(name, style.SMALL) + 4 <= width * points_per_second:
                ax.text(left + width / 2, 0.45, name, size=style.SMALL, ha="center", va="center",
                        color=style.readable_on(colour))


def draw_raw(ax: Axes, trial: Trial, picture: Picture, crowded: bool) -> None:
    """Whom each window alone would decide for; where windows are too narrow to be seen, shares of them."""
    assert trial.scores is not None
    missing = np.isnan(trial.scores).any(axis=1)
    count = len(picture.speakers)
    winners = np.where(missing, count, np.argmax(np.where(missing[:, None], 0, trial.scores), axis=1))
    shares = np.eye(count + 1)[winners]
    if crowded:
        shares = smoothed(shares, _smoothed_windows(picture))
    _stack(ax, shares, edges_of(trial, picture), [*(style.colour(k) for k in range(count)), style.GRID])


def draw_scores(ax: Axes, trial: Trial, picture: Picture) -> None:
    from matplotlib.ticker import MaxNLocator

    assert trial.scores is not None
    middles = edges_of(trial, picture)[:-1] + picture.window / 2
    for k, line in enumerate(smoothed(trial.scores, _smoothed_windows(picture)).T):
        ax.plot(middles, line, color=style.colour(k), linewidth=0.9)
    ax.relim()
    ax.autoscale(axis="y")
    ax.margins(y=0.06)
    ax.yaxis.set_major_locator(MaxNLocator(nbins=4, steps=[1, 2, 5, 10]))
    ax.yaxis.set_major_formatter(lambda value, _: style.number_text(value))


def draw_true_switches(ax: Axes, trial: Trial, picture: Picture) -> None:
    from matplotlib.collections import LineCollection

    times = [trial.start + picture.window * switch.at for switch in trial.switches]
    lines = LineCollection([[(at, 0), (at, 1)] for at in times], transform=ax.get_xaxis_transform(), colors=style.INK,
                           linewidths=0.35 if len(times) > 20 else 0.6)
    ax.add_collection(lines, autolim=False)  # from edge to edge: no heights the axis should make room for


def draw_marks(detected: Axes, others: Axes, trial: Trial, picture: Picture, points_per_second: float) -> None:
    """Above: switches detected or missed, with their delay; below: decisions that changed without one."""
    marks = []
    for switch in trial.switches:
        found = switch.detected is not None
        at = trial.start + picture.window * (switch.detected if switch.detected is not None else switch.at)
        sign = "+" if switch.delay > 0 else ""
        marks.append((at, "v" if found else "x", style.colour(switch.speaker) if found else style.INK,
                      sign + style.duration_text(switch.delay) if found else "missed"))
    changes = trial.start + picture.window * np.array(trial.other_changes)
    if picture.labelled:
        others.plot(changes, np.full(len(changes), 0.5), linestyle="none", marker="^", markersize=SMALL_MARK,
                    markerfacecolor="none", markeredgecolor=style.FAINT, markeredgewidth=0.6, clip_on=False)
    else:
        marks += [(at, "v", style.colour(trial.decisions[window]), "") for at, window in zip(changes, trial.other_changes)]
    end = edges_of(trial, picture)[-1]
    _draw_lane(detected, sorted(marks), end, points_per_second)


def _draw_lane(ax: Axes, marks: list[tuple[float, str, str, str]], end: float, points_per_second: float) -> None:
    """Words go to the right of their mark; of the last one, if the trial ends too soon, to the left; else nowhere."""
    for sign, colour in sorted({mark[1:3] for mark in marks}):
        times = [mark[0] for mark in marks if mark[1:3] == (sign, colour)]
        ax.plot(times, np.full(len(times), 0.5), linestyle="none", marker=sign, color=colour, clip_on=False,
                markersize=MARK if sign == "v" else 0.8 * MARK, markeredgewidth=0 if sign == "v" else 0.9)
    free_from = -np.inf
    for k, (at, _, _, text) in enumerate(marks):
        last = k + 1 == len(marks)
        room = MARK / 2 + 1 + style.text_width(text, style.SMALL)
        right = at + room / points_per_second <= (end if last else marks[k + 1][0] - MARK / 2 / points_per_second)
        left = last and at - (room + 4) / points_per_second >= free_from
        free_from = at + (room if right else MARK / 2) / points_per_second
        if text and (right or left):
            ax.annotate(text, (at, 0.5), xytext=((1 if right else -1) * (MARK / 2 + 1), 0), textcoords="offset points",
                        ha="left" if right else "right", va="center_baseline", size=style.SMALL, color=style.INK,
                        annotation_clip=False)
