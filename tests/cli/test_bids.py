# SPDX-License-Identifier: MIT
"""heed bids: a BIDS App. One that was stopped goes on, one broken participant does not stop the rest."""
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import time
import unittest

from decoding_test import (BAD_DATA, CANNOT_CREATE, NO_INPUT, PARTIAL, REAL_DATA, USAGE, DecodingTest, accuracy, edit)
from heed_program import PROGRAM
from planted_study import Study

COHORT = {"participants": ("01", "02", "03"), "seconds": 20}
METHODS = ("raw", "causal", "fixed-lag", "smooth", "viterbi")


class Bids(DecodingTest):
    def setUp(self):
        super().setUp()
        self.study = self.copy(self.shared("cohort", **COHORT))

    def bids(self, level, *options, out="out"):
        return self.heed("bids", "study", out, level, "--decoder", "ls", *options)

    def test_both_levels(self):
        self.assertEqual(self.bids("participant"), "")
        self.assertIn("next: heed bids study out group\n", self.said)
        stem = "out/sub-02/eeg/sub-02_task-attend_run-03"
        self.assertGreater(accuracy(self.scores(3, "02")), 0.9)
        for method in ("causal", "smooth"):
            table = self.read_table(f"{stem}_desc-{method}_posterior.tsv")
            self.assertEqual(table.header, ["onset", "left", "right", "decision", "attended"])
            self.assertGreater(table["decision"].count("left"), 17)
            self.assertEqual(self.read_json(f"{stem}_desc-{method}_posterior.json")["Method"], method)
        self.assertEqual(len(self.read_table("out/sub-02/eeg/sub-02_desc-ls_pattern.tsv").rows), 8)
        self.assertIsNone(self.read_json("out/sub-02/sub-02_heed.json")["Failure"])
        description = self.read_json("out/dataset_description.json")
        self.assertEqual((description["DatasetType"], description["GeneratedBy"][0]["Name"]), ("derivative", "heed"))

        text = self.bids("group", "--switch-every", "10")
        self.assertIn("3 participants, windows of 1 s, switches artificial, every 10 s\n", text)
        table = self.read_table("out/group_comparison.tsv")
        self.assertEqual(table.header, ["participant", "method", "accuracy", "whole_accuracy", "switch_time", "missed", "switches", "windows",
                                        "benefit", "wrong_emphasis", "travel", "wrong_share"])
        self.assertTrue(all(benefit > 5 for (benefit,) in table.numbers("benefit")))
        self.assertEqual(sorted(set(table["participant"])), ["sub-01", "sub-02", "sub-03"])
        self.assertEqual(list(dict.fromkeys(table["method"])), list(METHODS))
        self.assertTrue(all(value > 0.9 for (value,) in table.numbers("accuracy")))
        self.assertEqual([method["name"] for method in self.read_json("out/group_comparison.json")["methods"]], list(METHODS))
        self.assertEqual(self.read_json("out/group_model.json")["Participants"], 3)

    def test_pages(self):
        self.bids("participant")
        self.bids("group")
        page = self.read("out/sub-01.html")
        for words in ("sub-01", "Planted", "least squares", "sub-01_task-attend_run-02", "heed bids study out participant --decoder ls", "<svg"):
            self.assertIn(words, page)
        group = self.read("out/group.html")
        for words in ('href="sub-01.html"', "No switch of attention was recorded", "xxh3-128:"):
            self.assertIn(words, group)
        for text in (page, group):
            self.assertNotRegex(text, r"(src|href)=\"https?:")  # nothing is loaded

    def test_hops_and_steps(self):
        for options, words in ((("--hop", "0.25"), "windows of 1 s every 0.25 s"), (("--step", "0.25"), "steps of 0.25 s")):
            out = options[0].strip("-")
            self.bids("participant", *options, out=out)
            self.assertIn(words, self.read(f"{out}/sub-01.html"))
            self.bids("group", out=out)
            group = self.read(f"{out}/group.html")
            self.assertIn(words, group)
            self.assertIn("Evidence scale", group)
            sidecar = self.read_json(f"{out}/sub-01/eeg/sub-01_task-attend_run-01_desc-causal_posterior.json")
            self.assertEqual(sidecar.get("HopLength", sidecar["WindowLength"]), 0.25)
        self.assertEqual(self.read_json("step/group_model.json")["ScoreType"], "step-cosine")
        self.refused(USAGE, "bids", "study", "out", "participant", "--hop", "2", says="longer than the window of 1 s")
        self.refused(USAGE, "bids", "study", "out", "participant", "--step", "0.25", "--hop", "0.25", says="--hop")

    def test_gains_on_the_pages(self):
        self.bids("participant")
        self.bids("group")
        for name in ("sub-01", "group"):
            page = self.read(f"out/{name}.html")
            for words in ("What gains would be worth", "dead-zone, 12 dB, at most 6 dB/s", "wrong emphasis"):
                self.assertIn(words, page)

    def test_same_bytes_whatever_the_processors(self):
        self.bids("participant", "--n_cpus", "1")
        self.bids("group")
        (self.folder / "out").rename(self.folder / "one")
        self.bids("participant", "--n_cpus", "2", "-w", "work")
        self.bids("group")
        one, two = self.bytes_below("one"), self.bytes_below("out")
        pages = [name for name in one if name.endswith(".html")]  # tell the command, which differs
        self.assertEqual(one.keys(), two.keys())
        for name in one:
            if name not in pages:
                self.assertEqual(one[name], two[name], name)
        self.assertTrue(list((self.folder / "work").glob("*.heed")))

    def test_a_second_start_has_nothing_to_do(self):
        self.bids("participant")
        before = {path: path.stat().st_mtime_ns for path in (self.folder / "out").rglob("*.*")}
        self.bids("participant")
        self.assertEqual(self.said.count("done before"), 3)
        self.assertEqual({path: path.stat().st_mtime_ns for path in (self.folder / "out").rglob("*_*.*")},
                         {path: when for path, when in before.items() if "_" in path.name})

    def test_other_data_or_options_are_done_again(self):
        self.bids("participant")
        edit(self.study / "sub-02/eeg/sub-02_task-attend_run-01_events.tsv", "0\t20\tattend", "0\t15\tattend")
        self.bids("participant")
        self.assertEqual(self.said.count("done before"), 2)
        self.assertNotIn("sub-02: done before", self.said)
        for options in (["--ridge", "0.2"], ["--band", "1-8"], ["--filters", "causal"], ["--channels", "Fz,Cz,Pz"], ["--lags", "0-200"]):
            self.bids("participant", "--participant_label", "01", *options)
            self.assertNotIn("done before", self.said, options)

    def test_a_mixture_of_options_is_told(self):
        self.bids("participant")
        self.bids("participant", "--participant_label", "02", "--band", "2-8")
        self.bids("group")
        words = "02: decoded differently (least squares, ridge 0.3, lags 0-250 ms, shrunk cosine 0.3; 2 ... 8 Hz"
        self.assertIn("heed: note: sub-" + words, self.said)
        self.assertIn("Participant " + words, self.read("out/group.html"))

    def test_results_of_another_decoder_in_the_folder_are_told(self):
        self.bids("participant", "--participant_label", "01")
        self.assertNotIn("of an earlier start", self.said)
        self.heed("bids", "study", "out", "participant", "--recipe", "paper", "--participant_label", "01")
        self.assertIn("out holds scores of an earlier start, by ls (desc-ls); they stay beside those by cca", self.said)
        self.assertTrue((self.folder / "out/sub-01/eeg/sub-01_task-attend_run-01_desc-ls_scores.tsv").exists())

    def test_labels(self):
        self.bids("participant", "--participant_label", "01", "03", "--task_label", "attend")
        self.assertEqual(sorted(path.name for path in (self.folder / "out").glob("*.html")), ["sub-01.html", "sub-03.html"])
        self.bids("group", "--participant_label", "01", "03")
        result = self.run_heed("bids", "study", "out", "group", "--decoder", "ls")
        self.assertEqual(result.returncode, PARTIAL)
        self.assertIn("heed: sub-02 is left out: not decoded yet; run the participant level\n", result.stderr.decode())
        self.assertIn("not decoded yet", self.read("out/group.html"))

    def test_sessions(self):
        Study(self.folder / "sessions", seconds=20, runs=2).write()
        root = self.folder / "sessions"
        (root / "sub-01/ses-A").mkdir()
        (root / "sub-01/eeg").rename(root / "sub-01/ses-A/eeg")
        for path in list((root / "sub-01/ses-A/eeg").iterdir()):
            path.rename(path.with_name(path.name.replace("sub-01_", "sub-01_ses-A_")))
        for path in (root / "sub-01/ses-A/eeg").glob("*.vhdr"):
            edit(path, "DataFile=sub-01_", "DataFile=sub-01_ses-A_")
        self.heed("bids", "sessions", "out", "participant", "--decoder", "ls", "--session_label", "A")
        self.assertTrue((self.folder / "out/sub-01/ses-A/eeg/sub-01_ses-A_task-attend_run-01_desc-ls_scores.tsv").exists())
        self.refused(NO_INPUT, "bids", "sessions", "out", "participant", "--session_label", "B", says="has no session 'B'")

    def test_other_tasks_and_a_run_without_events(self):
        """Rest lies beside what was listened to, and one run of one listener has lost its events."""
        root = self.study.rename(self.folder / "my study")
        for one in ("01", "02", "03"):
            for ending in ("vhdr", "eeg"):
                shutil.copy(root / f"sub-{one}/eeg/sub-{one}_task-attend_run-01_eeg.{ending}", root / f"sub-{one}/eeg/sub-{one}_task-rest_eeg.{ending}")
        lost = "sub-02_task-attend_run-02"
        (root / f"sub-02/eeg/{lost}_events.tsv").unlink()
        result = self.run_heed("bids", "my study", "my results", "participant")
        said = result.stderr.decode()
        self.assertEqual(result.returncode, PARTIAL, said)
        self.assertIn("heed: note: no events of task rest have a column speaker, so their runs are left out\n", said)
        self.assertIn("sub-01.html", said)
        # What it prints can be typed: the run, and what is next.
        remedy = re.search(r"or exclude the run (\S+)", said)[1]
        self.heed("bids", "my study", "my results", "participant", "--exclude-run", remedy, "--task_label", "attend")
        self.assertNotIn("task rest", self.said)
        self.assertIn("sub-02.html", self.said)
        self.assertFalse(list((self.folder / "my results").rglob(f"{lost}*")))
        typed = shlex.split(re.search(r"next: (.*)\n", self.said)[1])
        self.assertEqual(typed, ["heed", "bids", "my study", "my results", "group"])
        self.heed(*typed[1:])
        self.assertIn("heed bids 'my study' 'my results' group", self.read("my results/group.html").replace("&#39;", "'"))

    def test_how_often_attention_moves(self):
        self.bids("participant")
        before = self.read("out/sub-01/eeg/sub-01_task-attend_run-01_desc-causal_posterior.tsv")
        self.bids("participant", "-p", "0.2")
        self.assertNotIn("done before", self.said)
        self.assertNotEqual(self.read("out/sub-01/eeg/sub-01_task-attend_run-01_desc-causal_posterior.tsv"), before)
        self.assertIn("windows of 1 s, p = 0.2", self.read("out/sub-01.html"))
        self.bids("participant", "-p", "0.2")
        self.assertEqual(self.said.count("done before"), 3)
        typed = shlex.split(re.search(r"next: (.*)\n", self.said)[1])
        self.assertEqual(typed[-2:], ["-p", "0.2"])
        self.heed(*typed[1:])
        self.assertIn("windows of 1 s, p = 0.2", self.read("out/group.html"))
        self.bids("group", "-p", "auto")

    def test_one_broken_participant(self):
        whole = (self.study / "sub-02/eeg/sub-02_task-attend_run-01_eeg.eeg").read_bytes()
        (self.study / "sub-02/eeg/sub-02_task-attend_run-01_eeg.eeg").write_bytes(b"xx")
        for options in ([], ["--skip_bids_validator"]):
            result = self.run_heed("bids", "study", "out", "participant", "--decoder", "ls", *options)
            said = result.stderr.decode()
            self.assertEqual(result.returncode, PARTIAL, said)
            self.assertRegex(said, "heed: sub-02: .*sub-02_task-attend_run-01_eeg.eeg: .*copy it again\n")
            self.assertIn("heed: 1 of 3 participants failed\n", said)
            self.assertTrue((self.folder / "out/sub-03.html").exists())
            self.assertFalse((self.folder / "out/sub-02.html").exists())
        result = self.run_heed("bids", "study", "out", "group", "--decoder", "ls")
        self.assertEqual(result.returncode, PARTIAL)
        self.assertRegex(result.stderr.decode(), "heed: sub-02 is left out: .*it is truncated, copy it again\n")
        self.assertIn("it is truncated", self.read("out/group.html"))
        # Mended, it is the only one to be done.
        (self.study / "sub-02/eeg/sub-02_task-attend_run-01_eeg.eeg").write_bytes(whole)
        self.bids("participant")
        self.assertEqual(self.said.count("done before"), 2)
        self.bids("group")

    def test_a_fault_of_the_dataset_stops_all(self):
        (self.study / "dataset_description.json").write_text("{}")
        self.fails(BAD_DATA, "bids", "study", "out", "participant", says=["dataset_description.json", "heed validate"])

    def test_the_group_takes_what_the_participants_were_decoded_by(self):
        self.heed("bids", "study", "out", "participant", "-w", "work", "--recipe", "paper")
        self.heed("bids", "study", "out", "group", "-w", "work")
        self.assertIn("CCA", (self.folder / "out/group.html").read_text())
        result = self.run_heed("bids", "study", "out", "group", "--recipe", "heed")
        self.assertEqual(result.returncode, NO_INPUT)
        self.assertIn("no participant has been decoded by ls yet", result.stderr.decode())

    def test_what_cannot_be_done(self):
        self.refused(NO_INPUT, "bids", "study", "out", "participant", "--participant_label", "99", says="has no participant '99'; there are 01 02 03")
        self.refused(NO_INPUT, "bids", "study", "out", "group", says="out: no participant has been decoded yet; first: heed bids study out participant")
        self.refused(USAGE, "bids", "study", "out", "analysis", says="participant")
        self.refused(USAGE, "bids", "study", "out", "participant", "--rate", "5", says="at least 20 Hz")
        self.refused(USAGE, "bids", "study", "out", "participant", "--window", "0.1", says="quarter seconds")
        self.fails(CANNOT_CREATE, "bids", "study", "study", "participant", says=["lies inside the dataset", "derivatives"])
        self.bids("participant", "--participant_label", "01")
        # A single listener is judged trial by trial.
        result = self.run_heed("bids", "study", "out", "group", "--decoder", "ls", "--participant_label", "01")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertIn("each trial is judged by an emission fitted to the other trials", result.stderr.decode())


class Interrupted(DecodingTest):
    def test_it_goes_on_where_it_was(self):
        participants = tuple(f"{number:02}" for number in range(1, 7))
        Study(self.folder / "study", participants=participants, seconds=60).write()
        command = ["bids", "study", "out", "participant", "--n_cpus", "1"]
        self.heed(*command)
        (self.folder / "out").rename(self.folder / "whole")
        process = subprocess.Popen([PROGRAM, *command, "-w", "work"], cwd=self.folder, env=self.environment(), stderr=subprocess.DEVNULL)
        while process.poll() is None and len(self.done()) < 2:
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        done = len(self.done())
        self.assertTrue(2 <= done < 6, done)
        self.heed(*command)
        self.assertEqual(self.said.count("done before"), done)
        left = {name: content for name, content in self.bytes_below("out").items() if not name.split("/")[-1].startswith(".heed-")}
        whole = self.bytes_below("whole")
        self.assertEqual(left.keys(), whole.keys())
        for name, content in whole.items():
            same = left[name].replace(b" --work-dir work", b"")  # the page tells the command
            self.assertEqual(same, content, name)

    def done(self):
        return list((self.folder / "out").glob("sub-*/sub-*_heed.json"))


@unittest.skipUnless(REAL_DATA, "HEED_TEST_DATA is not set")
class RealData(DecodingTest):
    def test_two_listeners(self):
        study = pathlib.Path(REAL_DATA) / "dtu-match"
        label = ["--participant_label", "01", "08"]
        self.heed("bids", study, "out", "participant", *label)
        self.assertGreater(accuracy(self.scores(1, "08", "ls")), 0.58)
        self.heed("bids", study, "out", "group", *label, "--switch-every", "60")
        self.assertEqual(len(self.read_table("out/group_comparison.tsv").rows), 2 * len(METHODS))


if __name__ == "__main__":
    unittest.main()
