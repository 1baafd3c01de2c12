# SPDX-License-Identifier: MIT
"""Every operation of leaks.py once, and every layout of test_trackers.py: what test_memcheck_slow.py lets valgrind watch.

    python3 memory.py [planted]        with `planted`, memory is read after it was freed
"""
import ctypes
import sys

import leaks
import numpy as np
import test_trackers as layouts


def planted():
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    libc.free.argtypes = [ctypes.c_void_p]
    block = libc.malloc(64)
    libc.free(block)
    return ctypes.c_double.from_address(block).value


def main():
    for operation in leaks.OPERATIONS.values():
        operation()
    values = layouts.windows(40)
    values[3] = np.nan
    for tracker in layouts.TRACKERS:
        for layout in layouts.LAYOUTS.values():
            tracker(layout(values), 0.01)
        for layout in layouts.BLOCKS.values():
            tracker(layout(layouts.windows(120).reshape(6, 20, 2)), 0.01)
        layouts.test_sequences_of_one_window(tracker)
        layouts.test_sequences_know_nothing_of_each_other(tracker, 2)
        for speakers in (2, 3, 8):
            layouts.test_one_row_that_stands_for_many(tracker, speakers)
    if sys.argv[1:] == ["planted"]:
        planted()
    print("end")


if __name__ == "__main__":
    main()
