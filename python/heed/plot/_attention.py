# SPDX-License-Identifier: MIT
"""Attention over time (the paper's Fig. 2), in bands as heed's reports have it."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

from . import _attention_panels as panels
from . import _style as style
from ._attention_legend import header_height, legend_of, write_header
from ._trials import Picture, read_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Heights of the bands in points, as in the reports.
RIBBON, LANE, POSTERIOR, OTHERS, RAW, GAP, SCORES = 8.0, 8.0, 62.0, 5.5, 10.0, 4.0, 40.0
MARGINS = {"left": 46.0, "right": 9.0, "bottom": 27.0}


def attention(posteriors: Any, truth: Any = None, *, scores: Any = None, window: float = 1.0, onset: float = 0.0,
              lengths: Any = None, speakers: Sequence[str] | None = None, score_name: str = "score",
              title: str | None = None, ax: Axes | None = None) -> Axes:
    """Draw who is attended over time: the probability of every speaker, stacked to one.

    Above it, where the truth is known: the attended speaker, and marks where a switch of attention was detected, with
    its delay. Below it, if scores are given: the speaker each window on its own would decide for, and smoothed scores.

    Parameters
    ----------
    posteriors : array (windows, speakers) or (trials, windows, speakers), or of int (windows,)
        Probabilities, e.g. from heed.smooth; or a path of decisions, e.g. from heed.viterbi.
    truth : array (windows,) or (trials, windows), optional
        The attended speaker: a column's index, or its name; -1, NaN or "n/a" where unknown.
    scores : array (windows, speakers) or as the posteriors, optional
        What the posteriors were made from. A row with NaN is a missing window.
    window : float
        Length of a window in seconds.
    onset : float
        When the first window begins, in seconds.
    lengths : array of int, optional
        Number of windows of each trial, where several are stacked. They are drawn one after the other.
    speakers : list of str, optional
        Names of the speakers; by default the columns of a frame.
    score_name : str
        What the scores are, with their unit, for example "correlation".
    title : str, optional
    ax : matplotlib Axes, optional
        Where to draw; all bands share its area. By default, a new figure.

    Returns
    -------
    matplotlib Axes : that of the probabilities; its x axis is in seconds, whatever the unit of the labels.

    Examples
    --------
    >>> import heed, numpy as np
    >>> truth = np.repeat([0, 1], 60)
    >>> scores = np.where(truth[:, None] == [0, 1], 0.5, -0.5) + np.random.default_rng(1).normal(size=(120, 2))
    >>> posteriors = heed.filter(scores, switch_probability=0.01)
    >>> ax = heed.plot.attention(posteriors, truth, scores=scores, speakers=["left", "right"])
    >>> ax.get_ylabel()
    'probability'
    """
    picture = read_picture(posteriors, truth, scores, window=window, onset=onset, lengths=lengths, speakers=speakers)
    signs = legend_of(picture)
    if ax is None:
        ax = style.new_axes(_height(picture, signs, title), (MARGINS["left"], MARGINS["right"], 3.0, MARGINS["bottom"]))
    bands = _Bands(ax, picture, header_height(signs, style.width_of(ax), title))
    write_header(bands.header, signs, style.width_of(ax), title)
    for trial in picture.trials:
        panels.draw_posterior(ax, trial, picture)
        if bands.ribbon is not None:
            panels.draw_truth(bands.ribbon, trial, picture, bands.points_per_second)
        if bands.raw is not None and bands.scores is not None:
            panels.draw_raw(bands.raw, trial, picture, bands.crowded)
            panels.draw_scores(bands.scores, trial, picture)
        for axes in bands.crossed:
            panels.draw_true_switches(axes, trial, picture)
        panels.draw_marks(bands.detected, bands.others, trial, picture, bands.points_per_second)
    _dress(bands, picture, score_name)
    return ax


def _height(picture: Picture, signs: list[Any], title: str | None) -> float:
    """Of all bands of a figure of heed's width, in points."""
    height = header_height(signs, style.WIDTH * style.POINTS - MARGINS["left"] - MARGINS["right"], title)
    height += LANE + POSTERIOR + OTHERS + (RIBBON if picture.labelled else 0)
    return height + (RAW + GAP + SCORES if picture.scored else 0)


class _Bands:
    """The axes' place, cut into bands of one time axis."""

    def __init__(self, ax: Axes, picture: Picture, header: float) -> None:
        style.pyplot()
        from mpl_toolkits.axes_grid1 import make_axes_locatable

        divider = make_axes_locatable(ax)

        def band(side: str, height: float, gap: float = 0.0) -> Axes:
            axes = divider.append_axes(side, size=height / style.POINTS, pad=gap / style.POINTS, sharex=ax)
            style.plain(axes)
            axes.set_ylim(0, 1)
            axes.set_facecolor("none")
            return axes

        self.posterior = ax
        self.window = picture.window
        self.points_per_second = style.width_of(ax) / (picture.windows * picture.window)
        self.detected = band("top", LANE)
        self.ribbon = band("top", RIBBON) if picture.labelled else None
        self.header = band("top", header)
        self.others = band("bottom", OTHERS)
        self.raw = band("bottom", RAW) if picture.scored else None
        self.scores = band("bottom", SCORES, GAP) if picture.scored else None

    @property
    def bottom(self) -> Axes:
        """That of the time axis."""
        return self.scores if self.scores is not None else self.others

    @property
    def crossed(self) -> list[Axes]:
        """Those a line at a true switch runs across."""
        return [axes for axes in (self.ribbon, self.posterior, self.others, self.raw, self.scores) if axes is not None]

    @property
    def crowded(self) -> bool:
        """Windows are too narrow to be seen one by one: the raw strip then tells shares of them."""
        return self.points_per_second * self.window < 1


def _dress(bands: _Bands, picture: Picture, score_name: str) -> None:
    """Axes, ticks and words; borders between trials."""
    starts = [trial.start for trial in picture.trials]
    end = starts[0] + picture.window * picture.windows
    bands.posterior.set(ylim=(0, 1), yticks=[0, 0.5, 1], yticklabels=["0", "0.5", "1"], xlim=(starts[0], end))
    for axes in (bands.posterior, bands.bottom):
        style.ink(axes)
        axes.spines[["top", "right", "left"]].set_visible(False)
    bands.posterior.spines["bottom"].set_visible(False)
    bands.posterior.tick_params(bottom=False, labelbottom=False)
    bands.bottom.spines["bottom"].set_visible(True)
    bands.bottom.tick_params(bottom=True, labelbottom=True)
    bands.bottom.set_xlabel(f"time ({_label_time(bands.bottom, end - starts[0])})", fontsize=style.TEXT, color=style.INK)
    for border in starts[1:]:
        for axes in bands.crossed:
            axes.axvline(border, color=style.PAPER, linewidth=2, zorder=1.9)
    bands.posterior.set_ylabel("probability", fontsize=style.TEXT, color=style.INK)
    if bands.ribbon is not None:
        style.name_band(bands.ribbon, "attended", style.TEXT)
    if bands.raw is not None and bands.scores is not None:
        style.name_band(bands.raw, "raw, share" if bands.crowded else "raw", style.SMALL if bands.crowded else style.TEXT)
        smoothing = style.duration_text(panels.smoothing_of(picture))
        bands.scores.set_ylabel(f"{score_name}\nmean, {smoothing}", fontsize=style.SMALL, color=style.INK)


def _label_time(axes: Axes, span: float) -> str:
    """Ticks at round numbers of a unit that suits the span; the unit. The data stay in seconds."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator, MultipleLocator

    unit, length = ("s", 1.0) if span <= 180 else ("min", 60.0) if span <= 3 * 3600 else ("h", 3600.0)
    locations = MaxNLocator(nbins=12, steps=[1, 2, 5, 10]).tick_values(0, span / length)
    axes.xaxis.set_major_locator(MultipleLocator(length * (locations[1] - locations[0])))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda seconds, _: style.number_text(seconds / length)))
    return unit
