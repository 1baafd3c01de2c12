# SPDX-License-Identifier: MIT
"""A few calls that fail, in a few verbs; `./dev campaign faults` tries all of them."""
import unittest

from commands import BY_NAME, make_base
from faulty_runs import Fault, FaultyRuns

# Of each kind: how it goes wrong, where (0 the first call, 1 the last), and whether it lasts.
FAULTS = (("open", "EIO", 0.5, False), ("read", "short", 0, True), ("write", "ENOSPC", 0, True), ("write", "short", 0, True),
          ("fsync", "EIO", 0.6, False), ("rename", "EIO", 1, False), ("rename", "kill", 0.5, False), ("mkdir", "ENOSPC", 1, False),
          ("close", "EIO", 0.5, False), ("allocation", "ENOMEM", 0.8, False), ("allocation", "ENOMEM", 0.99, True))
NAMES = ("track", "convert-cnd", "write-cnd", "report", "study-run")


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs = FaultyRuns(make_base)
        cls.addClassCleanup(cls.runs.close)

    def test_end_cleanly_and_are_made_good_by_the_next_run(self):
        for name in NAMES:
            counts = self.runs.counts(BY_NAME[name])
            for kind, error, place, lasts in FAULTS:
                if counts[kind] == 0:
                    continue
                fault = Fault(kind, error, 1 + round(place * (counts[kind] - 1)), lasts)
                with self.subTest(command=name, fault=str(fault)):
                    self.runs.check(BY_NAME[name], fault)

    def test_memory_that_stays_away_at_the_end_is_no_crash(self):
        """HDF5 tidied up at the end of the process, for which it needs memory."""
        memory = self.runs.counts(BY_NAME["convert-cnd"])["allocation"]
        for before_the_end in (17, 34, 170):
            self.runs.check(BY_NAME["convert-cnd"], Fault("allocation", "ENOMEM", memory - before_the_end, lasts=True))

    def test_a_call_that_fails_is_noticed(self):
        """The library does what is asked of it: without it, nothing above would mean anything."""
        for kind in ("open", "read", "write", "fsync", "rename", "allocation"):
            with self.subTest(kind=kind):
                error = "ENOMEM" if kind == "allocation" else "EIO"
                self.assertNotEqual(self.runs.check(BY_NAME["track"], Fault(kind, error, 1, lasts=True)), 0)

    def test_a_kill_between_two_files_of_a_dataset(self):
        """What a killed process left was taken for somebody else's: neither --resume nor a new plan went on."""
        for name in ("convert-cnd", "simulate-recording", "report", "reproduce", "study-plan"):
            counts = self.runs.counts(BY_NAME[name])
            for kind in ("write", "rename"):
                fault = Fault(kind, "kill", {"convert-cnd": counts[kind] // 2}.get(name, 1))
                with self.subTest(command=name, fault=str(fault)):
                    self.runs.check(BY_NAME[name], fault)

    def test_a_kill_between_the_sounds_of_a_participant_and_its_recordings(self):
        """Its own sounds were taken for others of the same name, and --resume refused for ever."""
        last = self.runs.counts(BY_NAME["convert-xdf"])["rename"]
        self.runs.check(BY_NAME["convert-xdf"], Fault("rename", "kill", last))

    def test_a_live_table_without_its_sidecar_has_its_first_row(self):
        for error in ("EIO", "kill"):
            self.runs.check(BY_NAME["live"], Fault("rename", error, 1))

    def test_the_doctor_finds_a_full_folder_and_is_no_patient(self):
        """It took a short count for a fault, and every fault for one of heed's."""
        for error, code in (("short", 0), ("EINTR", 0), ("ENOSPC", 74)):
            self.assertEqual(self.runs.check(BY_NAME["doctor"], Fault("write", error, 1)), code)

    def test_a_population_is_not_made_of_whom_could_not_be_read_again(self):
        """The prepared signals are read again to try an adaptive decoder: who could not be was left out with a note."""
        reads = self.runs.counts(BY_NAME["population"])["read"]
        codes = {self.runs.check(BY_NAME["population"], Fault("read", "EIO", at, lasts=True)) for at in range(reads - 3, reads + 1)}
        self.assertNotEqual(codes, {0})


if __name__ == "__main__":
    unittest.main()
