#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Filters, resampling and preprocessing as scipy does them, for the tests of the layer dsp.

    dsp_oracle.py FOLDER      matrices as text, one row per line, 17 digits
"""
import pathlib
import sys

import numpy as np
from scipy import signal

FOLDER = pathlib.Path(sys.argv[1])
RANDOM = np.random.default_rng(5)

# order, low (0: low-pass), high, rate, samples
FILTERS = [(2, 1, 9, 64, 300), (2, 0.5, 9, 64, 301), (2, 1, 9, 128, 64), (1, 1, 9, 64, 100), (3, 4, 8, 64, 255),
           (4, 2, 6, 128, 500), (8, 12, 30, 128, 500), (2, 0.05, 9, 64, 2000), (2, 0.02, 0.4, 512, 3000),
           (1, 1, 31, 64, 80), (2, 0, 8, 64, 200), (3, 0, 8, 64, 201), (1, 0, 8, 64, 40), (5, 0, 30, 500, 400)]

# up, down, samples, channels
RATIOS = [(1, 2, 200, 3), (1, 8, 1001, 9), (16, 125, 1999, 2), (1, 32, 3000, 1), (16, 11025, 40001, 1), (3, 2, 77, 5),
          (5, 1, 30, 16), (64, 100, 512, 1), (2, 3, 7, 64), (1, 1, 10, 2)]


def write(name, values):
    np.savetxt(FOLDER / name, np.atleast_2d(values), fmt="%.17g")


def filters():
    write("filters.txt", FILTERS)
    for number, (order, low, high, rate, samples) in enumerate(FILTERS):
        edges, kind = ([low, high], "bandpass") if low else (high, "lowpass")
        sos = signal.butter(order, edges, kind, fs=rate, output="sos")
        x = RANDOM.standard_normal((samples, 3)).cumsum(axis=0) + [0, 100, -5]
        write(f"filter_{number}_sections.txt", sos)
        write(f"filter_{number}_input.txt", x)
        write(f"filter_{number}_causal.txt", signal.sosfilt(sos, x, axis=0))
        write(f"filter_{number}_zero_phase.txt", signal.sosfiltfilt(sos, x, axis=0))
        frequency = (low + high) / 2 if low else high / 2
        # The group delay of the sections one by one: that of the whole polynomial is inexact at low edges.
        delay = sum(signal.group_delay((s[:3], s[3:]), [frequency], fs=rate)[1][0] for s in sos) / rate
        write(f"filter_{number}_delay.txt", [frequency, delay])


def resampling():
    write("ratios.txt", RATIOS)
    for number, (up, down, samples, channels) in enumerate(RATIOS):
        x = RANDOM.standard_normal((samples, channels)).cumsum(axis=0) + 10
        write(f"ratio_{number}_input.txt", x)
        for padding in ("line", "edge"):
            y = signal.resample_poly(x, up, down, axis=0, window=("kaiser", 5.0), padtype=padding)
            write(f"ratio_{number}_{padding}.txt", y)


def preparing():
    """EEG at 512 Hz with offsets, average reference, 64 Hz, 1-9 Hz."""
    raw = (RANDOM.standard_normal((5003, 6)).cumsum(axis=0) + [9000, -20000, 0, 5, 1e5, 7]).astype(np.float32)
    x = raw.astype(float)
    x -= x.mean(axis=1, keepdims=True)
    y = signal.resample_poly(x, 1, 8, axis=0, window=("kaiser", 5.0), padtype="edge")
    sos = signal.butter(2, [1, 9], "bandpass", fs=64, output="sos")
    write("eeg_raw.txt", raw)
    write("eeg_zero_phase.txt", signal.sosfiltfilt(sos, y, axis=0))
    write("eeg_causal.txt", signal.sosfilt(sos, y - x[:1], axis=0))


def rises(q):
    """The rectified slope of a smoothed envelope, central and at the ends to the one neighbour."""
    return np.maximum(0, np.gradient(q, axis=0))


def causal_rises(x, rate):
    """Held at both ends, smoothed forwards, and moved back by the smoothing's delay in whole samples."""
    sos = signal.butter(2, 8, "lowpass", fs=rate, output="sos")
    delay = round(float(signal.group_delay((sos[0, :3], sos[0, 3:]), [1e-6], fs=rate)[1][0]))
    held = np.vstack([np.repeat(x[:1], 500, axis=0), x, np.repeat(x[-1:], delay + 1, axis=0)])
    q = signal.sosfilt(sos, held - x[:1], axis=0)[500 + delay - 1:]
    return np.maximum(0, (q[2:] - q[:-2]) / 2), delay


def onsets():
    """Of envelopes at several rates; then one of 100 Hz all the way, 0.5-9 Hz at 64 Hz, beside its onset."""
    rates = [64, 20, 128, 500]
    delays = []
    for number, rate in enumerate(rates):
        x = np.abs(RANDOM.standard_normal((300 + number, 3))) ** 0.6 + [0, 100, -5]
        sos = signal.butter(2, 8, "lowpass", fs=rate, output="sos")
        causal, delay = causal_rises(x, rate)
        delays.append(delay)
        write(f"onset_{number}_input.txt", x)
        write(f"onset_{number}_zero_phase.txt", rises(signal.sosfiltfilt(sos, x, axis=0)))
        write(f"onset_{number}_causal.txt", causal)
    write("onset_rates.txt", np.column_stack([rates, delays]))

    given = np.abs(RANDOM.standard_normal((1500, 2))) + 2
    band = signal.butter(2, [0.5, 9], "bandpass", fs=64, output="sos")
    smooth = signal.butter(2, 8, "lowpass", fs=64, output="sos")
    x = signal.resample_poly(given, 16, 25, axis=0, window=("kaiser", 5.0), padtype="line")
    both = np.hstack([x, rises(signal.sosfiltfilt(smooth, x, axis=0))])
    write("targets_given.txt", given)
    write("targets_zero_phase.txt", signal.sosfiltfilt(band, both, axis=0))
    x = signal.resample_poly(given - given[:1], 16, 25, axis=0, window=("kaiser", 5.0), padtype="edge")
    write("targets_causal.txt", signal.sosfilt(band, np.hstack([x, causal_rises(x, 64)[0]]), axis=0))


filters()
resampling()
preparing()
onsets()
