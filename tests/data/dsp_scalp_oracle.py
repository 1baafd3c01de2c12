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
    for name in ["biosemi16", "biosemi32", "biosemi64", "biosemi128", "biosemi160", "biosemi256", "standard_1005"]:
        electrodes = mne.channels.make_standard_montage(name).get_positions()["ch_pos"]
        # A sphere around the middle of the head: halfway between the outermost electrodes from ear to ear, at Oz's height.
        middle = np.zeros(3)
        if name == "standard_1005":
            middle = np.array([0, (electrodes["Fpz"][1] + electrodes["Oz"][1]) / 2, electrodes["T7"][2]])
        with (FOLDER / f"{name}.txt").open("w") as file:
            for electrode, place in electrodes.items():
                place = (place - middle) / np.linalg.norm(place - middle)
                print(electrode, *(f"{value:.17g}" for value in place), file=file)
except ImportError:
    pass
