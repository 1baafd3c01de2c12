# SPDX-License-Identifier: MIT
"""Forward patterns on the head, as the pages of heed bids show them: maps at a few lags, and every channel over lags."""
from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from .. import _native
from .._errors import InvalidArgumentError
from . import _head as head
from . import _style as style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAPS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25)  # seconds
CELL, LINES, INSET = 72.0, 110.0, 84.0  # points
FEWEST_ELECTRODES = 3


def patterns(patterns: Any, channels: Sequence[str] | None = None, lags: Any = None, *, maps: Any = None,
             unit: str = "a.u.", title: str | None = None) -> Axes:
    """Draw how strongly, and with which sign, the decoded signal is present in each channel at each lag.

    Heads above, seen from above with the nose up, on one scale: blue is negative, red positive. Below, every channel
    over all lags, coloured by its position, and the global field power (the standard deviation over channels). The
    weights of a decoder cannot be interpreted this way: a channel may have a large one because it cancels noise.

    Parameters
    ----------
    patterns : array (channels, lags), or a decoder
        Given a decoder, its ``patterns_`` are drawn, with its channels and lags.
    channels : list of str, optional
        Names from the 10-10 system or BioSemi's; others have lines, but no position in the maps. Needed for an array.
    lags : array (lags,), optional
        Seconds from the sound to the EEG, increasing. Needed for an array.
    maps : list of float, or "peaks", optional
        Lags of the heads in seconds: the nearest lags of the pattern are shown, and given above them (47 ms for 0.05 at
        64 Hz). "peaks": where the field power is largest. By default 0, 0.05 ... 0.25.
    unit : str
        Of the pattern.
    title : str, optional

    Returns
    -------
    matplotlib Axes : that of the lines; lags in milliseconds across. Its ``figure`` holds the heads, too.

    Examples
    --------
    >>> import heed, numpy as np
    >>> lags = np.arange(17) / 64
    >>> pattern = np.outer([1.0, 0.8, -0.5, 0.2], np.sin(2 * np.pi * 4 * lags))
    >>> ax = heed.plot.patterns(pattern, ["Fz", "Cz", "Oz", "T7"], lags)
    >>> ax.get_xlabel()
    'lag of the EEG (ms)'
    """
    shown = _read(patterns, channels, lags, unit)
    chosen = _chosen_lags(shown, maps) if len(shown.placed) >= FEWEST_ELECTRODES else []
    caption = _caption(shown, bool(chosen))
    right, bottom = INSET if len(shown.placed) else 10.0, 42.0 if caption else 30.0
    ax = style.new_axes(LINES, (40.0, right, _above(len(chosen), title), bottom))
    _draw_maps(ax, shown, chosen)
    _draw_lines(ax, shown)
    if len(shown.placed):
        _draw_inset(ax, shown)
    ax.annotate(caption, (0, 0), xycoords="axes fraction", xytext=(0, -28), textcoords="offset points", va="top",
                fontsize=style.SMALL, color=style.INK)
    if title:
        across, whole = (inches * style.POINTS for inches in ax.figure.get_size_inches())
        ax.figure.text(9 / across, 1 - 5 / whole, title, va="top", fontsize=10, fontweight="bold", color=style.INK)
    return ax


@dataclasses.dataclass
class _Shown:
    """A pattern made ready to be drawn: places found, numbers short enough for an axis."""

    values: np.ndarray  # channels x lags, in `unit`
    channels: list[str]
    milliseconds: np.ndarray
    places: np.ndarray  # channels x 3; NaN: unknown
    unit: str

    @property
    def placed(self) -> np.ndarray:
        return np.flatnonzero(np.isfinite(self.places).all(axis=1))

    @property
    def field_power(self) -> np.ndarray:
        return np.nanstd(self.values, axis=0)


def _of_decoder(decoder: Any, channels: Sequence[str] | None, lags: Any) -> tuple[Any, Sequence[str] | None, Any]:
    """Its patterns, channels and lags; where channels or lags are given, those."""
    name = type(decoder).__name__
    if not hasattr(decoder, "patterns_"):
        known = hasattr(decoder, "lags_")
        raise InvalidArgumentError(
            f"patterns: this {name} was loaded from a file, and files hold no patterns, since those need the EEG; fit it on the recordings"
            if known else f"patterns: this {name} is not fitted yet, so it has no patterns; call fit"
        )
    if channels is None:
        channels = getattr(decoder, "feature_names_in_", None)
    return decoder.patterns_, channels, decoder.lags_ if lags is None else lags


def _read(given: Any, channels: Sequence[str] | None, lags: Any, unit: str) -> _Shown:
    if hasattr(given, "patterns_") or hasattr(given, "fit"):
        given, channels, lags = _of_decoder(given, channels, lags)
    values = np.asarray(given, float)
    if values.ndim != 2 or not np.isfinite(values).any():
        raise InvalidArgumentError(f"patterns: must be numbers, channels x lags; the shape is {values.shape}")
    if channels is None:
        raise InvalidArgumentError("channels: their names are needed to draw a pattern; give them as channels=")
    if lags is None:
        raise InvalidArgumentError("lags: the seconds from the sound to the EEG are needed; give them as lags=")
    names, seconds = [str(name) for name in channels], np.asarray(lags, float)
    if len(names) != values.shape[0]:
        raise InvalidArgumentError(f"channels: {len(names)} names for a pattern of {values.shape[0]} channels")
    if seconds.shape != (values.shape[1],) or not (np.diff(seconds) > 0).all():
        raise InvalidArgumentError(f"lags: {values.shape[1]} of them, in seconds and increasing, are needed for this pattern")
    # Numbers that would need many digits are shown in thousands or thousandths, as often as need be.
    largest = float(np.nanmax(abs(values)))
    if largest != 0 and not 0.01 <= largest < 10000:
        exponent = 3 * int(np.floor(np.log10(largest) / 3))
        values = values * 10.0**-exponent
        unit = f"$10^{{{exponent}}}$ {unit}".strip()
    return _Shown(values, names, 1000 * seconds, _native.electrode_positions(names), unit)


def _chosen_lags(shown: _Shown, maps: Any) -> list[int]:
    times, power = shown.milliseconds / 1000, shown.field_power
    if isinstance(maps, str):
        if maps != "peaks":
            raise InvalidArgumentError(f"maps: lags in seconds, or 'peaks'; not '{maps}'")
        around = np.r_[-np.inf, power, -np.inf]
        peaks = np.flatnonzero((power > around[:-2]) & (power >= around[2:]))
        return sorted(int(k) for k in peaks[np.argsort(-power[peaks])][:len(MAPS)])
    reach = 0.5 * (times[1] - times[0]) * (1 + 1e-9) if len(times) > 1 else 0.0
    nearest = [int(np.argmin(abs(times - wanted))) for wanted in (MAPS if maps is None else maps)
               if abs(times - wanted).min() <= reach]
    spread = np.linspace(0, len(times) - 1, min(len(MAPS), len(times))).astype(int)
    return sorted(set(nearest or [int(k) for k in spread]))


def _above(maps: int, title: str | None) -> float:
    """Room for the heads, the legend and the title, in points."""
    return (CELL + 22 if maps else 0) + 16 + (16 if title else 4)


def _draw_maps(lines: Axes, shown: _Shown, chosen: list[int]) -> None:
    """In one row, on one scale, with a bar of colours at its end."""
    if not chosen:
        return
    there = [k for k in shown.placed if np.isfinite(shown.values[k, chosen]).all()]
    places = shown.places[there]
    most = float(abs(shown.values[np.ix_(there, chosen)]).max()) or 1.0
    field = head.HeadField(places, head.rim_around(places))
    figure = lines.figure
    across, whole = style.WIDTH * style.POINTS, figure.get_figheight() * style.POINTS
    cell = min(1.1 * CELL, (across - 60) / len(chosen))
    bottom = lines.get_position().y1 * whole + 20
    for k, lag in enumerate(chosen):
        ax = figure.add_axes(((9 + k * cell) / across, bottom / whole, cell / across, CELL / whole))
        head.draw_map(ax, field, places, shown.values[there, lag], most)
        ax.set_title(f"{style.number_text(shown.milliseconds[lag], 0)} ms", fontsize=style.TEXT, color=style.INK, pad=2)
    _draw_bar(figure.add_axes(((16 + len(chosen) * cell) / across, (bottom + 4) / whole, 7 / across, (CELL - 12) / whole)),
              most, shown.unit)


def _draw_bar(ax: Axes, most: float, unit: str) -> None:
    for colour, low in zip(head.band_colours(), np.linspace(-most, most, head.BANDS + 1)):
        ax.axhspan(low, low + 2.02 * most / head.BANDS, color=colour, linewidth=0)
    style.ink(ax)
    ax.set(xticks=[], ylim=(-most, most))
    ax.yaxis.tick_right()
    ax.locator_params(axis="y", nbins=5)
    ax.yaxis.set_major_formatter(lambda value, _: style.number_text(value))
    ax.tick_params(labelsize=style.SMALL)
    ax.set_title(unit, fontsize=style.SMALL, color=style.INK, loc="left", pad=3)


def _draw_lines(ax: Axes, shown: _Shown) -> None:
    from matplotlib.lines import Line2D

    colours = np.tile(head.channels_of(style.palette.PLACELESS_INK), (len(shown.channels), 1))
    colours[shown.placed] = head.place_colours(shown.places[shown.placed])
    ax.axhline(0, color=style.FAINT, linewidth=0.6)
    for name, line, colour in zip(shown.channels, shown.values, colours):
        ax.plot(shown.milliseconds, line, color=colour, linewidth=0.6, label=name)
    ax.plot(shown.milliseconds, shown.field_power, color=style.INK, linewidth=1.8)
    most = 1.08 * float(np.nanmax(abs(shown.values))) or 1.0
    ax.set(ylim=(-most, most), xlim=(shown.milliseconds[0], shown.milliseconds[-1]))
    style.ink(ax)
    ax.grid(color=style.GRID, linewidth=0.4)
    ax.set_axisbelow(True)
    ax.tick_params(length=0, labelsize=style.TEXT)
    ax.yaxis.set_major_formatter(lambda value, _: style.number_text(value))
    ax.set_xlabel("lag of the EEG (ms)", fontsize=style.TEXT + 1, color=style.INK)
    ax.set_ylabel(f"pattern ({shown.unit})" if shown.unit else "pattern", fontsize=style.TEXT + 1, color=style.INK)
    signs = [Line2D([], [], color=style.INK, linewidth=1.8, label="global field power")]
    if len(shown.placed):
        signs.append(Line2D([], [], color=style.palette.LEFT_INK, linewidth=0.7, label="channel, coloured by its position"))
    if len(shown.placed) < len(shown.channels):
        signs.append(Line2D([], [], color=style.palette.PLACELESS_INK, linewidth=0.7, label="channel without a known position"))
    ax.legend(handles=signs, loc="lower left", bbox_to_anchor=(0, 1), ncol=3, frameon=False, fontsize=style.TEXT,
              labelcolor=style.INK, borderaxespad=0.2, borderpad=0.2, columnspacing=1.4)


def _draw_inset(lines: Axes, shown: _Shown) -> None:
    """A small head that shows which colour is where."""
    places = shown.places[shown.placed]
    box = lines.get_position()
    room = INSET / (style.WIDTH * style.POINTS)
    ax = lines.figure.add_axes((box.x1 + 0.1 * room, box.y0, 0.8 * room, box.height))
    ax.scatter(*head.on_plane(places).T, s=9 if len(places) <= 80 else 4, color=head.place_colours(places), linewidth=0, zorder=4)
    head.draw_outline(ax, head.rim_around(places), 0.8)


def _caption(shown: _Shown, with_maps: bool) -> str:
    """Which channels are not in the maps, or why there are no maps."""
    without = [name for k, name in enumerate(shown.channels) if k not in set(shown.placed)]
    if not with_maps:
        return f"No maps: they need at least {FEWEST_ELECTRODES} channels with a known position, and there are {len(shown.placed)}."
    if not without:
        return ""
    names = ", ".join(without[:12]) + (f" and {len(without) - 12} more" if len(without) > 12 else "")
    return f"Not in the maps, since their positions are unknown: {names}."
