# SPDX-License-Identifier: MIT
"""What the pictures share: colours, marks and sizes of heed's own figures (src/report), and how a figure is begun."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

from .._requirements import optional
from . import _palette as palette  # written by CMake from palette.txt

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKERS = ("o", "s", "^", "D", "v", "P", "p", "X")  # methods are told apart by shape as well
INK, FAINT, GRID, PAPER = palette.INK, palette.FAINT_INK, palette.GRID_INK, palette.PAPER

POINTS = 72.0  # an inch
WIDTH = 180 / 25.4  # inches: a page of A4 between its margins
TEXT, TICKS, SMALL = 7.0, 6.5, 6.0  # points
ROW = 11.0  # points: of a legend


def colour(index: int) -> str:
    """Of the speaker or method so numbered; beyond the last one they repeat, paler."""
    speakers = palette.SPEAKERS
    base, kept = speakers[index % len(speakers)], 0.6 ** (index // len(speakers))
    channels = (round(255 - (255 - int(base[k:k + 2], 16)) * kept) for k in (1, 3, 5))
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def readable_on(background: str) -> str:
    """Black or white, whichever is read more easily on it."""
    red, green, blue = (int(background[k:k + 2], 16) for k in (1, 3, 5))
    return palette.BLACK if 0.299 * red + 0.587 * green + 0.114 * blue > 125 else PAPER


def pyplot() -> Any:
    """matplotlib.pyplot, imported now."""
    return optional("matplotlib.pyplot", "heed.plot")


def new_axes(height: float, margins: Sequence[float]) -> Axes:
    """Axes of so many points within a figure of heed's width; margins left, right, top and bottom in points."""
    left, right, top, bottom = margins
    whole = height + top + bottom
    figure = pyplot().figure(figsize=(WIDTH, whole / POINTS), dpi=150)
    across = WIDTH * POINTS
    return figure.add_axes((left / across, bottom / whole, (across - left - right) / across, height / whole))


def width_of(axes: Axes) -> float:
    """Of the axes, in points."""
    return axes.get_position().width * axes.figure.get_figwidth() * POINTS


def text_width(text: str, size: float) -> float:
    """About so many points; enough to see whether two words would meet."""
    return 0.55 * size * len(text)


def columns_of(signs: Sequence[Any], room: float) -> int:
    """How many signs of a legend stand beside each other in so many points."""
    widths = [text_width(sign.get_label(), TEXT) + 3 * TEXT for sign in signs]
    return len(signs) if sum(widths) <= room else max(1, int(room // max(widths)))


def rows_of(signs: Sequence[Any], room: float) -> int:
    """How many lines a legend then has."""
    return -(-len(signs) // columns_of(signs, room))


def number_text(value: float, digits: int = 3) -> str:
    """With at most so many decimals, none for nothing, and a true minus sign."""
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return ("0" if text == "-0" else text).replace("-", "\N{MINUS SIGN}")


def duration_text(seconds: float) -> str:
    """"37 s", "2.5 min", "3.2 h"."""
    size = abs(seconds)
    if size < 120:
        return f"{number_text(seconds, 1 if size < 10 else 0)} s"
    if size < 3 * 3600:
        return f"{number_text(seconds / 60, 1)} min"
    return f"{number_text(seconds / 3600, 1)} h"


def plain(axes: Axes) -> None:
    """No frame and no ticks: a band of a figure."""
    axes.set_yticks([])
    axes.tick_params(axis="x", which="both", bottom=False, labelbottom=False)
    for spine in axes.spines.values():
        spine.set_visible(False)


def ink(axes: Axes) -> None:
    """Ticks and frame in heed's ink and sizes."""
    axes.tick_params(labelsize=TICKS, colors=INK, width=0.5, length=2.5)
    for spine in axes.spines.values():
        spine.set(color=INK, linewidth=0.5)


def name_band(axes: Axes, name: str, size: float) -> None:
    """To the left of a band, level."""
    axes.set_ylabel(name, rotation=0, ha="right", va="center", fontsize=size, color=INK, labelpad=4)
