# SPDX-License-Identifier: MIT
"""heed study and heed report: plan, run in shares, status, gather, and the page."""
import json
import re
import subprocess
import unittest

from heed_program import PROGRAM, HeedTest
from study_test import SETTINGS, STUDY, StudyTest

BAD_DATA, NO_INPUT, CANNOT_CREATE, USAGE = 65, 66, 73, 2


class Study(StudyTest):
    def test_a_plan_is_run_and_gathered(self):
        self.plan()
        self.assertIn(f"{4 * SETTINGS} results of 4 participants at {SETTINGS} settings", self.said)
        self.assertEqual([path.name for path in (self.folder / "plan").iterdir()], ["plan.json"], "nothing is computed yet")
        self.heed("study", "run", "plan")
        self.assertIn(f"{4 * SETTINGS} results of 4 participants, 0 done before, {4 * SETTINGS} made", self.said)
        text, sidecar = self.gathered()
        self.assertEqual(len(text.splitlines()), 1 + 4 * SETTINGS)
        said = json.loads(sidecar)
        self.assertEqual((said["Missing"], said["Cohort"]["Seed"], len(said["Cohort"]["Participants"])), (0, 1, 4))

    def test_what_the_cohort_cannot_give_is_said(self):
        self.write("windows.toml", 'title = "x"\nquestion = "x"\n[[grid]]\nwindow = [1, 2]\n')
        self.heed("study", "plan", "windows.toml", "--on", "cohort", "-o", "windows")
        self.heed("study", "run", "windows")
        self.assertIn("4 results could not be computed: participant 01 has no scores in windows of 2 s", self.said)

    def test_the_table_is_that_of_reproduce(self):
        self.plan()
        self.heed("study", "run", "plan")
        self.heed("reproduce", "--on", "cohort", "--studies", "mine.toml", "-o", "repro")
        self.assertEqual(self.gathered()[0], self.read("repro/tables/mine.tsv"))

    def test_shares_give_the_bytes_of_one_process(self):
        self.plan("whole")
        self.heed("study", "run", "whole", "--threads", "1")
        expected = self.gathered("whole", "whole.tsv")
        for count in (2, 3, 4, 7):
            plan = f"in{count}"
            self.plan(plan)
            for number in range(count, 0, -1):
                self.heed("study", "run", plan, "--shard", f"{number}/{count}")
            self.assertEqual(self.gathered(plan, f"{plan}.tsv"), expected)

    def test_finished_participants_stay(self):
        self.plan()
        self.heed("study", "run", "plan", "--shard", "1/2")
        half = self.times()
        self.assertEqual(sorted(half), ["sub-01.tsv", "sub-02.tsv"])
        self.heed("study", "run", "plan")
        self.assertIn(f"{2 * SETTINGS} done before", self.said)
        after = self.times()
        self.assertEqual({name: after[name] for name in half}, half)
        self.heed("study", "run", "plan")
        self.assertIn("0 made", self.said)

    def test_every_measure_can_be_planned(self):
        for name in ("calibration", "attention_switch", "independence", "speakers", "artificial_switches"):
            with self.subTest(name):
                self.plan(name, study=name)
                self.heed("study", "run", name)
                self.heed("study", "gather", name, "-o", f"{name}.tsv")
                self.heed("reproduce", "--on", "cohort", "--studies", name, "-o", f"{name}-repro")
                made = {path.name: path.read_text() for path in self.folder.glob(f"{name}-repro/tables/*")}
                self.heed("report", f"{name}.tsv", "-o", f"{name}-report")
                drawn = {path.name: path.read_text() for path in self.folder.glob(f"{name}-report/tables/*")}
                self.assertEqual(drawn, made)
                self.assertTrue(made, name)

    def test_a_plan_says_where_it_was_made_from_wherever_it_is_run(self):
        self.plan()
        (self.folder / "elsewhere").mkdir()
        result = subprocess.run([PROGRAM, "study", "run", "../plan"], cwd=self.folder / "elsewhere", capture_output=True,
                                timeout=60, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)

    # ---- status ----

    def test_status(self):
        self.plan()
        self.heed("study", "run", "plan", "--shard", "1/2")
        found = self.heed_json("study", "status", "plan")
        self.assertEqual((found["results"], found["done"], found["finished"], found["damaged"]), (4 * SETTINGS, 2 * SETTINGS, 2, 0))
        self.assertEqual([one["done"] for one in found["participants"]], [SETTINGS, SETTINGS, 0, 0])
        text = self.heed("study", "status", "plan")
        self.assertIn(f"2 of 4 participants and {2 * SETTINGS} of {4 * SETTINGS} results done", text)
        self.assertIn("sub-03", text)
        self.heed("study", "run", "plan")
        self.assertIn("finished", self.heed("study", "status", "plan"))

    def test_status_of_a_plan_that_was_not_begun(self):
        self.plan()
        found = self.heed_json("study", "status", "plan")
        self.assertEqual((found["done"], found["rate"], found["seconds_left"]), (0, None, None))
        self.assertIn("time left: unknown", self.heed("study", "status", "plan"))

    # ---- the page ----

    def test_report(self):
        self.plan()
        self.heed("study", "run", "plan")
        self.gathered()
        self.heed("report", "table.tsv", "-o", "report")
        page = self.read("report/report.html")
        self.assertTrue("What does p trade?" in page and "heed report table.tsv" in page)
        self.assertTrue("<svg" in self.read("report/figures/mine.svg"))
        first = self.files()
        self.heed("report", "table.tsv", "-o", "report")
        self.assertEqual(self.files(), first, "the same bytes")

    def test_a_report_of_a_part_says_so(self):
        self.plan()
        self.heed("study", "run", "plan", "--shard", "1/2")
        self.heed("study", "gather", "plan", "-o", "part.tsv", "--partial")
        self.assertIn(f"{2 * SETTINGS} of {4 * SETTINGS} results are missing", self.said)
        self.heed("report", "part.tsv", "-o", "report")
        self.assertIn("not finished", self.said)
        self.assertTrue("not finished" in self.read("report/report.html"))

    # ---- bad input ----

    def test_studies_that_are_none(self):
        bad = {'title = "x"\n[[grid]]\ntraker = ["causal"]\n': ("mine2.toml", "traker", "tracker"),
               'title = "x"\n[[grid]]\ntracker = []\n': ("mine2.toml", "tracker has no values"),
               'title = "x"\n': ("mine2.toml", "no grid"),
               'title = "x"\nfigur = 1\n[[grid]]\nwindow = 1\n': ("mine2.toml", "figur", "figure")}
        for text, says in bad.items():
            self.write("mine2.toml", text)
            self.refused(BAD_DATA, "study", "plan", "mine2.toml", "--on", "cohort", "-o", "x", says=says)
        self.refused(NO_INPUT, "study", "plan", "switch_probabilty", "--on", "cohort", "-o", "x", says="switch_probability")
        self.refused(NO_INPUT, "study", "plan", "mine.toml", "--on", "nowhere", "-o", "x", says="nowhere")

    def test_shards_that_are_none(self):
        self.plan()
        for shard in ("0/0", "0/2", "3/2", "1", "a/b", "1/2/3"):
            self.refused(USAGE, "study", "run", "plan", "--shard", shard, says=("--shard " + shard, "i/n"))

    def test_an_output_that_is_there(self):
        self.plan()
        self.refused(CANNOT_CREATE, "study", "plan", "mine.toml", "--on", "cohort", "-o", "plan", says=("plan", "already"))
        self.write("file", "")
        self.refused(CANNOT_CREATE, "study", "plan", "mine.toml", "--on", "cohort", "-o", "file", says="a file is in its place")

    def test_plans_that_are_none(self):
        for verb in (("run",), ("status",), ("gather", "-o", "t.tsv")):
            self.refused(NO_INPUT, "study", verb[0], "nowhere", *verb[1:], says=("nowhere", "heed study plan"))
            self.refused(BAD_DATA, "study", verb[0], "cohort", *verb[1:], says="not the plan of a study")

    def test_a_plan_of_another_version(self):
        self.plan()
        text = self.read("plan/plan.json")
        version = json.loads(text)["Version"]
        for changed, says in ((text.replace(f'"Version": "{version}"', '"Version": "0.0.1"'), "made by heed 0.0.1"),
                              (re.sub(r'"Format": \d+', '"Format": 99', text), "another format"),
                              (re.sub(r'"Format": \d+', '"Format": 1', text), "an earlier version of heed"), (text[:100], "not the plan of a study")):
            self.write("plan/plan.json", changed)
            for verb in (("run",), ("status",), ("gather", "-o", "t.tsv")):
                self.refused(BAD_DATA, "study", verb[0], "plan", *verb[1:], says=(says, "plan again"))

    def test_a_folder_of_an_earlier_version(self):
        """Version 0.1 kept a file for every participant at every setting; nothing of it is touched."""
        self.plan()
        self.write("plan/plan.json", re.sub(r'"Format": \d+', '"Format": 1', self.read("plan/plan.json")))
        self.write("plan/cells/ab/abcdef.tsv", "# heed 0.1.0 | seed 1 | sub-01 | 00\n")
        before = self.files()
        for verb in (("run",), ("status",), ("gather", "-o", "t.tsv"), ("slurm", "--tasks", "2")):
            self.refused(BAD_DATA, "study", verb[0], "plan", *verb[1:], says=("made by an earlier version of heed", "another folder"))
        self.assertEqual(self.files(), before)

    def test_a_study_that_grows_keeps_its_results(self):
        self.plan()
        self.heed("study", "run", "plan")
        self.write("mine.toml", STUDY.replace("0.1]", "0.1, 0.2]"))
        self.plan("grown")
        (self.folder / "plan/results").rename(self.folder / "grown/results")
        self.heed("study", "run", "grown")
        self.assertIn(f"{4 * SETTINGS} done before, 8 made", self.said)
        self.plan("anew")
        self.heed("study", "run", "anew")
        self.assertEqual(self.gathered("grown", "grown.tsv"), self.gathered("anew", "anew.tsv"))

    def test_a_gather_of_what_is_not_finished(self):
        self.plan()
        self.refused(BAD_DATA, "study", "gather", "plan", "-o", "t.tsv", says=(f"{4 * SETTINGS} of {4 * SETTINGS} results are missing", "gather what is there"))
        self.refused(USAGE, "study", "gather", "plan", "-o", "t.csv", says=".tsv")

    def test_a_report_of_something_else(self):
        self.write_table("t.tsv", ["a"], [[1]])
        self.refused(NO_INPUT, "report", "t.tsv", "-o", "report", says="t.json")
        self.write("t.json", "{}")
        self.refused(BAD_DATA, "report", "t.tsv", "-o", "report", says=("t.json", "heed study gather"))

    def test_a_plan_inside_the_recordings(self):
        self.heed("simulate", "recording", "--participants", "2", "--trials", "2", "--minutes", "1", "--channels", "19", "-o", "bids")
        self.refused(CANNOT_CREATE, "study", "plan", "mine.toml", "--on", "bids", "-o", "bids/plan", says="inside")


class StudyFromEeg(HeedTest):
    """As a new user would try it, but for the size of the recordings."""

    def test_two_shares_on_recordings(self):
        self.heed("simulate", "recording", "--participants", "3", "--trials", "4", "--minutes", "1", "--switch-every", "30",
                  "--channels", "19", "--signal", "4", "--seed", "7", "-o", "sim")
        self.heed("study", "plan", "switch_probability", "--on", "sim", "-o", "plan")
        self.heed("study", "run", "plan", "--shard", "1/2", "--no-cache")
        decoded = {path: path.stat().st_mtime_ns for path in (self.folder / "plan/scores").glob("*.tsv")}
        self.assertEqual(len(decoded), 3, "everybody's scores are needed by everybody's emissions")
        self.heed("study", "run", "plan", "--shard", "2/2", "--no-cache")
        self.assertEqual({path: path.stat().st_mtime_ns for path in decoded}, decoded, "decoded once")
        self.heed("study", "gather", "plan", "-o", "table.tsv")
        self.heed("reproduce", "--on", "sim", "--studies", "switch_probability", "--no-cache", "-o", "repro")
        self.assertEqual(self.read("table.tsv"), self.read("repro/tables/switch_probability.tsv"))


if __name__ == "__main__":
    unittest.main()
