# SPDX-License-Identifier: MIT
"""Heads seen from above, nose up: electrodes on the plane, the field between them, and the colours of both."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _native
from . import _style as style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BANDS = 17  # of colour: an odd number, so that the middle one is white
_RINGS, _SPOKES = 26, 84
_BEYOND = 0.12  # about half the distance between the electrodes of a cap of 64; the equator is at 1


def channels_of(colour: str) -> np.ndarray:
    """Red, green and blue from 0 to 1."""
    return np.array([int(colour[k:k + 2], 16) for k in (1, 3, 5)]) / 255


def band_colours() -> np.ndarray:
    """Deepest blue to deepest red, (BANDS, 3)."""
    anchors = np.array([channels_of(colour) for colour in style.palette.MAPS])
    places = np.linspace(0, len(anchors) - 1, BANDS)
    return np.column_stack([np.interp(places, range(len(anchors)), anchors[:, k]) for k in range(3)])


def place_colours(places: np.ndarray) -> np.ndarray:
    """Left is blue, right is orange, the middle grey; the front is lighter than the back. (electrodes, 3)."""
    names = (style.palette.LEFT_INK, style.palette.MIDDLE_INK, style.palette.RIGHT_INK)
    left, middle, right = (channels_of(colour) for colour in names)
    x, y = places[:, :1], places[:, 1:2]
    side = middle + np.sqrt(np.minimum(1, abs(x))) * (np.where(x < 0, left, right) - middle)
    darker = side * (1 - 0.62 * np.clip(-y, 0, 1))
    lighter = side + (1 - side) * 0.38 * np.clip(y, 0, 1)
    return np.where(y < 0, darker, lighter)


def on_plane(places: np.ndarray) -> np.ndarray:
    """Azimuthal equidistant: distances from the vertex are true, the equator of the head lies at radius 1."""
    flat = np.hypot(places[:, 0], places[:, 1])
    radius = np.arctan2(flat, places[:, 2]) / (np.pi / 2)
    return places[:, :2] * (radius / np.where(flat == 0, 1, flat))[:, None]


def rim_around(places: np.ndarray) -> float:
    """The equator, or a little beyond the lowest electrode."""
    farthest = float(np.hypot(*on_plane(places).T).max(initial=0))
    return 1.06 * farthest if farthest > 1 else 1.0


def covered_part(electrodes: np.ndarray, rim: float) -> tuple[np.ndarray, np.ndarray]:
    """What electrodes on the plane speak for: the convex hull around them and a little beyond, within the rim. A point
    inside, and how far the part reaches from there in every direction of a spoke, (spokes, 2)."""
    angles = 2 * np.pi * np.arange(_SPOKES) / _SPOKES
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    centre = electrodes.mean(axis=0)
    along = directions @ centre
    to_rim = -along + np.sqrt(along**2 - centre @ centre + rim**2)
    # A convex set is what lies on the inner side of all its tangents, here one per direction.
    tangents = ((electrodes - centre) @ directions.T).max(axis=0) + _BEYOND
    speeds = directions @ directions.T
    to_tangents = np.where(speeds > 0, tangents / np.where(speeds > 0, speeds, 1), np.inf)
    return centre, directions * np.minimum(to_rim, to_tangents.min(axis=1))[:, None]


class HeadField:
    """The spherical spline through values at the electrodes, as far as they cover the head. Its weights are made once."""

    def __init__(self, places: np.ndarray, rim: float) -> None:
        self.rim = rim
        centre, spokes = covered_part(on_plane(places), rim)
        shares = np.arange(1, _RINGS + 1)[:, None, None] / _RINGS
        self.x, self.y = np.vstack([centre, (centre + shares * spokes).reshape(-1, 2)]).T
        turn = np.hypot(self.x, self.y) * np.pi / 2
        along = np.divide(np.sin(turn), np.hypot(self.x, self.y), out=np.zeros_like(turn), where=turn > 0)
        self._weights = _native.scalp_weights(places, np.column_stack([along * self.x, along * self.y, np.cos(turn)]))

    def values(self, at_electrodes: np.ndarray) -> np.ndarray:
        """No larger than measured: at the margin the spline runs on."""
        return np.clip(self._weights @ at_electrodes, at_electrodes.min(), at_electrodes.max())


def draw_outline(ax: Axes, rim: float, width: float) -> None:
    """Skull, nose and ears; the axes show nothing else of their own."""
    looks: dict[str, Any] = {"color": style.INK, "linewidth": width, "clip_on": False}
    around = np.linspace(0, 2 * np.pi, 200)
    ax.plot(rim * np.sin(around), rim * np.cos(around), zorder=3, **looks)
    nose = np.array([(-0.16, 1.0), (-0.025, 1.14), (0.025, 1.14), (0.16, 1.0)])
    ax.plot(rim * nose[:, 1] * np.sin(nose[:, 0]), rim * nose[:, 1] * np.cos(nose[:, 0]), zorder=1, **looks)
    turn = np.linspace(0, np.pi, 13)
    for side in (-1, 1):
        ax.plot(side * rim * (0.985 + 0.085 * np.sin(turn)), rim * 0.19 * np.cos(turn), zorder=1, **looks)
    ax.set(aspect="equal", xlim=(-1.15 * rim, 1.15 * rim), ylim=(-1.15 * rim, 1.15 * rim))
    ax.axis("off")


def draw_map(ax: Axes, field: HeadField, places: np.ndarray, values: np.ndarray, most: float) -> None:
    """One head: bands of colour from -most to most, and the electrodes."""
    edges = np.linspace(-most, most, BANDS + 1)
    colours = band_colours()
    # Bands end below their upper edge, so the outermost colours go on beyond: the largest value would stay unpainted.
    ax.tricontourf(field.x, field.y, field.values(values), levels=edges, colors=[colours[0], *colours, colours[-1]],
                   extend="both", zorder=2, antialiased=False)
    dots = on_plane(places)
    ax.plot(*dots.T, linestyle="none", marker="o", markersize=1.4 if len(places) <= 80 else 0.9, markeredgewidth=0,
            color=style.INK, zorder=4)
    draw_outline(ax, field.rim, 0.9)
