#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What scipy itself takes for the task of dsp_bench.cpp: gammatone(f, 'iir') and lfilter a band, abs, power, resample_poly.

    scipy_envelope.py      best of three, one thread
"""
import time

import numpy as np
from scipy import signal

RATE = 44100
CENTRES = [178.7, 250.3, 334.5, 433.5, 549.9, 686.8, 847.7, 1036.9, 1259.3, 1520.9, 1828.4, 2190.0, 2615.1, 3114.9, 3702.6]


def envelope(sound):
    total = np.zeros_like(sound)
    for centre in CENTRES:
        b, a = signal.gammatone(centre, "iir", fs=RATE)
        total += np.abs(signal.lfilter(b, a, sound)) ** 0.6
    return signal.resample_poly(total, 16, 11025, window=("kaiser", 5.0), padtype="line")


def main():
    sound = 0.05 * np.random.default_rng(1).standard_normal(60 * RATE)
    best = np.inf
    for _ in range(3):
        start = time.process_time()
        envelope(sound)
        best = min(best, time.process_time() - start)
    print(f"scipy: {best * 1000:.0f} ms, {best / len(sound) * 1e9:.0f} ns a sample")


if __name__ == "__main__":
    main()
