# SPDX-License-Identifier: MIT
"""heed validate: what it prints and how it ends. The checks themselves are unit tests (dataset_check_test.cpp)."""
import json
import os
import pathlib
import shutil
import unittest

from bids_folder import write_bids_folder
from heed_program import HeedTest

BAD_DATA, NO_INPUT, USAGE = 65, 66, 2
RUN = "sub-01/eeg/sub-01_task-attend_run-1"


class Validate(HeedTest):
    def setUp(self):
        super().setUp()
        self.study = write_bids_folder(self.folder / "study")

    def broken(self):
        """Runs heed on a study with errors: (what it printed, what it said as JSON)."""
        text = self.run_heed("validate", "study")
        as_json = self.run_heed("validate", "study", "--json")
        for result in (text, as_json):
            self.assertEqual(result.returncode, BAD_DATA, result.stderr)
            self.assertEqual(result.stderr, b"")
        return text.stdout.decode(), json.loads(as_json.stdout)

    def change(self, name, old, new):
        path = self.study / name
        path.write_text(path.read_text().replace(old, new, 1))

    def test_a_good_study(self):
        self.assertEqual(self.heed("validate", "study"),
                         "Small: 2 participants, 2 runs, 2 trials\n"
                         "0.7 minutes of EEG, 0.7 in trials, 0.7 with known attention\n"
                         "0 errors, 0 warnings\n")
        self.assertEqual(self.heed_json("validate", "study"),
                         {"name": "Small", "participants": 2, "runs": 2, "trials": 2, "recorded": 40, "heard": 40,
                          "labelled": 40, "errors": [], "warnings": []})

    def test_nothing_is_written(self):
        before = self.files()
        self.heed("validate", "study")
        self.assertEqual(self.files(), before)

    def test_every_problem_at_once(self):
        (self.study / "dataset_description.json").unlink()
        self.change(f"{RUN}_events.tsv", "attend\tright", "attend\tmiddle")
        self.change(f"{RUN}_events.tsv", "right.tsv", "gone.tsv")
        self.change(f"{RUN}_channels.tsv", "Cz\tEEG\tuV\n", "")
        (self.study / "sub-03").mkdir()
        text, found = self.broken()
        self.assertEqual([(one["file"], one["row"]) for one in found["errors"]],
                         [("dataset_description.json", None), ("sub-03", None), (f"{RUN}_channels.tsv", None),
                          (f"{RUN}_events.tsv", 3), (f"{RUN}_events.tsv", 5)])
        for one in found["errors"]:
            self.assertIn(";", one["message"], "no remedy")
            self.assertIn(one["message"], text)
        self.assertIn(f"  {RUN}_events.tsv\n    row 3, column stim_file: there is no 'stimuli/gone.tsv'", text)
        self.assertTrue(text.endswith("5 errors, 0 warnings\n"), text)

    def test_warnings_alone_are_no_failure(self):
        self.change(f"{RUN}_events.tsv", "0\t12\tattend\tleft\tn/a\n12\t8\tattend\tright\tn/a\n", "")
        text = self.heed("validate", "study")
        self.assertIn(f"Warnings\n  {RUN}_events.tsv\n    row 2: the run has no attend row", text)
        self.assertIn("0.7 in trials, 0.3 with known attention\n0 errors, 1 warning\n", text)

    def test_what_many_files_have_in_common_is_said_once(self):
        write_bids_folder(self.folder / "many", [f"{k:02}" for k in range(1, 7)])
        for table in (self.folder / "many").glob("sub-*/eeg/*_channels.tsv"):
            table.unlink()
        text = self.heed("validate", "many")
        self.assertEqual(text.count("has no channels.tsv"), 1)
        self.assertIn(f"Warnings\n  {RUN}_eeg.vhdr\n    has no channels.tsv", text)
        self.assertIn("write one to be sure (and 5 more like it)\n", text)
        self.assertIn("0 errors, 6 warnings\n", text)
        self.assertEqual(len(self.heed_json("validate", "many")["warnings"]), 6)
        self.assertIn("2 participants, 2 runs", self.heed("validate", "many", "--participant", "02,03"))

    def test_other_tasks_are_no_mistake(self):
        for ending in ("vhdr", "eeg"):
            shutil.copy(self.study / f"{RUN}_eeg.{ending}", self.study / f"sub-01/eeg/sub-01_task-rest_eeg.{ending}")
        note = "no events of task rest have a column speaker, so their runs are left out"
        self.assertIn(f"note: {note}\n\nSmall: 2 participants, 2 runs", self.heed("validate", "study"))
        self.assertEqual(self.heed_json("validate", "study")["note"], note)
        self.assertIn(f"note: {note}\n", self.heed("info", "study"))
        asked = self.run_heed("validate", "study", "--task", "rest")
        self.assertEqual(asked.returncode, BAD_DATA)
        self.assertIn("sub-01_task-rest_eeg.vhdr\n", asked.stdout.decode())

    def test_sounds_shorter_and_longer_than_the_eeg(self):
        shutil.rmtree(self.study)
        write_bids_folder(self.study, ["01"], seconds=15)
        self.assertIn("continues for 5 s after the EEG has ended", self.heed("validate", "study"))
        shutil.rmtree(self.study)
        write_bids_folder(self.study, ["01"], seconds=30)
        self.assertIn("0.5 minutes of EEG, 0.3 in trials", self.heed("validate", "study"))

    def test_no_such_folder(self):
        self.refused(NO_INPUT, "validate", "none", says="none: no such folder")
        self.write("file", "x")
        self.refused(NO_INPUT, "validate", "file", says="is not a folder")
        self.refused(USAGE, "validate", says="folder")

    def test_an_empty_folder(self):
        (self.folder / "empty").mkdir()
        result = self.run_heed("validate", "empty")
        self.assertEqual(result.returncode, BAD_DATA)
        self.assertIn("there is no sub- folder", result.stdout.decode())

    @unittest.skipUnless(os.environ.get("HEED_TEST_DATA"), "HEED_TEST_DATA is not set")
    def test_real_data(self):
        study = pathlib.Path(os.environ["HEED_TEST_DATA"]) / "dtu-match"
        self.assertEqual(self.heed("validate", study).splitlines()[1:],
                         ["75.0 minutes of EEG, 75.0 in trials, 75.0 with known attention", "0 errors, 0 warnings"])


if __name__ == "__main__":
    unittest.main()
