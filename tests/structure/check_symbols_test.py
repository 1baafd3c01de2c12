#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The positive control of check_symbols.py: an object that allocates, throws and locks is reported.

    check_symbols_test.py NM OBJECT_OF_forbidden_symbols.cpp
"""
import sys
import unittest

import check_symbols

NM, CONTROL = sys.argv[1:3]
FORBIDDEN = {"_Znwm", "malloc", "__cxa_throw", "pthread_mutex_lock", "__cxa_guard_acquire"}


class SymbolsTest(unittest.TestCase):
    def test_every_forbidden_act_is_seen(self):
        seen = {name for _, name in check_symbols.foreign(NM, [CONTROL])}
        self.assertLessEqual(FORBIDDEN, seen)
        self.assertTrue(any(name.startswith("_ZdlPv") for name in seen), seen)

    def test_only_copies_are_allowed(self):
        for name in ("memcpy", "memset", "sqrtf"):
            self.assertTrue(check_symbols.ALLOWED.fullmatch(name), name)
        for name in (*FORBIDDEN, "calloc", "realloc", "free", "_ZdaPv", "memalign", "pow", "powf", "exp", "log", "printf", "abort"):
            self.assertFalse(check_symbols.ALLOWED.fullmatch(name), name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
