# SPDX-License-Identifier: MIT
"""Every verb, every kind of call, at a handful of places."""
import unittest

from commands import COMMANDS, make_base
from faulty_runs import ERRORS, FaultyRuns, faults_of

PLACES = 4


class Faults(unittest.TestCase):
    def test_end_cleanly_and_are_made_good_by_the_next_run(self):
        runs = FaultyRuns(make_base)
        self.addCleanup(runs.close)
        for command in COMMANDS:
            for kind in ERRORS:
                for fault in faults_of(kind, runs.counts(command)[kind], PLACES):
                    with self.subTest(command=command.name, fault=str(fault)):
                        runs.check(command, fault)


if __name__ == "__main__":
    unittest.main()
