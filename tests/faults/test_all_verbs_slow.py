# SPDX-License-Identifier: MIT
"""The first and the last call of each kind, in every verb that writes: more than `./dev test` tries, and fewer than
`./dev campaign faults`."""
import unittest

from campaign import parts, try_all
from commands import make_base
from faulty_runs import FaultyRuns

PLACES = 2  # of each kind of call and of each way in which it fails


class Faults(unittest.TestCase):
    def test_in_every_verb(self):
        runs = FaultyRuns(make_base)
        self.addCleanup(runs.close)
        tried = 0
        for name, command, faults in parts(runs, PLACES, only=""):
            with self.subTest(name):
                codes, wrong = try_all(runs, command, faults)
                self.assertEqual(wrong, [])
                tried += sum(codes.values())
        self.assertGreater(tried, 1000)


if __name__ == "__main__":
    unittest.main()
