#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Spherical splines by numpy, from the formula and, where MNE is there, by MNE itself; and BioSemi's own electrode places.

    dsp_scalp_oracle.py FOLDER
"""
import pathlib
import sys

import numpy as np
from numpy.polynomial.legendre import legval

FOLDER = pathlib.Path(sys.argv[1])
RANDOM = np.random.default_rng(6)


def write(name, values):
    np.savetxt(FOLDER / name, np.atleast_2d(values), fmt="%.17g")


def spline(cosine):
    weights = [(2 * n + 1) / (n**4 * (n + 1) ** 4 * 4 * np.pi) for n in range(1, 51)]
    return legval(cosine, [0] + weights)


def weights(start, end):
    count = len(start)
    system = np.ones((count + 1, count + 1))
    system[:count, :count] = spline(start @ start.T) + 1e-5 * np.eye(count)
    system[count, count] = 0
    places = np.hstack([spline(end @ start.T), np.ones((len(end), 1))])
    return places @ np.linalg.pinv(system)[:, :-1]


def places(count):
    x = RANDOM.standard_normal((count, 3))
    return x / np.linalg.norm(x, axis=1, keepdims=True)


start, end = places(20), places(3)
write("from.txt", start)
write("to.txt", end)
write("weights.txt", weights(start, end))
try:
    import mne
    from mne.channels.interpolation import _make_interpolation_matrix

    write("mne_weights.txt", _make_interpolation_matrix(start, end))
    montage = mne.channels.make_standard_montage("biosemi64").get_positions()["ch_pos"]
    points = np.array(list(montage.values()))
    write("biosemi.txt", points / np.linalg.norm(points, axis=1, keepdims=True))
    (FOLDER / "biosemi_names.txt").write_text("\n".join(montage) + "\n")
except ImportError:
    pass
