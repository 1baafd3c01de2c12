#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints how many seconds libxdffileio takes to read a BDF into memory, as float: the best of three, without starting
Python. (Debian: libxdffileio0, python3-numpy.)

    xdffileio_read.py FILE
"""
import ctypes
import os
import sys
import time

import numpy as np

# Of xdfio.h.
END, CHANNELS = 0, 4
ARRAY, OFFSET, DIGITAL, TYPE = range(10001, 10005)
READ, ANY_FORMAT, FLOAT = 1, 0, 8

library = ctypes.CDLL("libxdffileio.so.0", use_errno=True)
library.xdf_open.restype = library.xdf_get_channel.restype = ctypes.c_void_p
library.xdf_read.restype = ctypes.c_ssize_t


def read(path):
    xdf = ctypes.c_void_p(library.xdf_open(path.encode(), READ, ANY_FORMAT))
    if not xdf:
        sys.exit(f"{path}: libxdffileio does not open it")
    count = ctypes.c_int()
    library.xdf_get_conf(xdf, CHANNELS, ctypes.byref(count), END)
    channels = count.value
    for k in range(channels):
        channel = ctypes.c_void_p(library.xdf_get_channel(xdf, k))
        library.xdf_set_chconf(channel, ARRAY, 0, OFFSET, 4 * k, TYPE, FLOAT, DIGITAL, 0, END)
    library.xdf_define_arrays(xdf, 1, (ctypes.c_size_t * 1)(4 * channels))
    if library.xdf_prepare_transfer(xdf) != 0:
        sys.exit(f"{path}: libxdffileio does not read it: {ctypes.get_errno()}")
    samples = (os.path.getsize(path) - 256 * (channels + 1)) // (3 * channels)  # of a BDF whose channels have one rate
    values = np.empty((samples, channels), np.float32)
    got = library.xdf_read(xdf, ctypes.c_size_t(samples), values.ctypes.data_as(ctypes.c_void_p))
    library.xdf_close(xdf)
    if got != samples:
        sys.exit(f"{path}: libxdffileio reads {got} of {samples} samples")
    return values


def seconds(path):
    begin = time.perf_counter()
    read(path)
    return time.perf_counter() - begin


if __name__ == "__main__":
    print(min(seconds(sys.argv[1]) for _ in range(3)))
