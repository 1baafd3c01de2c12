#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints how many seconds MNE takes to read a BDF into memory: the best of three, without starting Python.

    mne_read.py FILE
"""
import sys
import time

import mne


def seconds(path):
    begin = time.perf_counter()
    mne.io.read_raw_bdf(path, preload=True, verbose="error")
    return time.perf_counter() - begin


print(min(seconds(sys.argv[1]) for _ in range(3)))
