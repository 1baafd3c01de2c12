#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Evidence counted right: the scale beside every fit, columns that are one score, windows that overlap, and steps."""
import unittest

from decoding_test import DecodingTest
from test_emissions import BAD_DATA, USAGE, EmissionTest, blocks, scores

METHODS = ("--methods", "causal,smooth")


def negated(rows):
    return [[row[0] - row[1], row[1] - row[0]] for row in rows]


def overlapping(rows, count=4):
    """Means over `count` rows, one per row: windows of `count` rows, one every row."""
    return [[sum(row[j] for row in rows[t:t + count]) / count for j in range(2)] for t in range(len(rows) - count + 1)]


class Cohort(EmissionTest):
    def setUp(self):
        super().setUp()
        self.labels = blocks(800, 100)
        self.rows = [scores(k, self.labels, d=0.2) for k in range(4)]

    def write_cohort(self, folder, change=lambda rows: rows, sidecar=None, labels=None):
        for k, rows in enumerate(self.rows):
            self.write_scores(f"{folder}/sub-0{k + 1}_scores.tsv", change(rows), labels or self.labels)
            if sidecar:
                (self.folder / folder / f"sub-0{k + 1}_scores.json").write_text(sidecar, encoding="utf-8")

    def figures(self, found):
        return [(method["accuracy"]["mean"], method["switch_time"]["mean"]) for method in found["methods"]]


class Scale(Cohort):
    def test_honest_scores_are_left_as_they_are(self):
        self.write_cohort("honest")
        found = self.heed_json("compare", "honest", *METHODS)
        self.assertEqual(found["temperatures"], [1] * 4)
        self.assertEqual(self.figures(found), self.figures(self.heed_json("compare", "honest", *METHODS, "--evidence", "as-is")))
        for scale in found["evidence_scales"]:
            self.assertAlmostEqual(scale, 1, delta=0.15)
        self.assertRegex(found["evidence"], r"^\S+: the scores mean what they say$")
        self.assertIn(f"evidence scale {found['evidence']}\n", self.heed("compare", "honest", *METHODS))

    def test_one_score_counts_once(self):
        self.write_cohort("honest")
        self.write_cohort("doubled", negated, '{"ScoreType": "log-odds", "WindowLength": 1}')
        once = self.heed_json("compare", "doubled", *METHODS)
        self.assertEqual(once["temperatures"], [1] * 4)
        self.heed("compare", "doubled", *METHODS)
        self.assertIn("one score told several times", self.said)
        twice = self.heed_json("compare", "doubled", *METHODS, "--spread", "shared", "--evidence", "as-is")
        for one, two in zip(once["evidence_scales"], twice["evidence_scales"]):
            self.assertAlmostEqual(two, one / 2, places=9)
        self.assertIn("evidence is counted twice - are the columns s and -s?", twice["evidence"])
        scaled = self.heed_json("compare", "doubled", *METHODS, "--spread", "shared", "--evidence", "scaled")
        self.assertLess(self.figures(twice)[0][1], self.figures(once)[0][1], "counted twice, decisions come sooner")
        for (accuracy, time), (expected, seconds) in zip(self.figures(scaled), self.figures(once)):
            self.assertAlmostEqual(accuracy, expected, delta=0.01)
            self.assertAlmostEqual(time, seconds, delta=2)

    def test_the_model_keeps_the_scale(self):
        self.write_cohort("doubled", negated, '{"ScoreType": "log-odds", "WindowLength": 1}')
        others = [f"doubled/sub-0{k}_scores.tsv" for k in (2, 3, 4)]
        track = ("track", "doubled/sub-01_scores.tsv", "--fit-from", *others, "--spread", "shared")
        found = self.heed_json(*track, "--save-model", "m.json", "-o", "a.tsv")
        self.assertAlmostEqual(self.read_json("m.json")["Temperature"], 1 / found["evidence_scale"], places=12)
        self.assertIn("counted twice", " ".join(found["notes"]))
        self.heed("track", "doubled/sub-01_scores.tsv", "--model", "m.json", "-o", "b.tsv")
        self.assertEqual((self.folder / "a.tsv").read_text(), (self.folder / "b.tsv").read_text())
        self.heed(*track, "--evidence", "as-is", "-o", "c.tsv")
        self.assertIn("evidence scale 0.5", self.said)
        self.assertNotEqual((self.folder / "a.tsv").read_text(), (self.folder / "c.tsv").read_text())

    def test_evaluate_tells_it(self):
        self.write_cohort("honest")
        self.heed("track", "honest/sub-01_scores.tsv", "-o", "sub-01_posterior.tsv")
        found = self.heed_json("evaluate", "sub-01_posterior.tsv", "--scores", "honest/sub-01_scores.tsv")
        self.assertAlmostEqual(found["evidence_scale"], 1, delta=0.25)
        text = self.heed("evaluate", "sub-01_posterior.tsv", "--scores", "honest/sub-01_scores.tsv")
        self.assertIn(f"evidence scale {found['evidence']}\n", text)

    def test_bad_combinations(self):
        self.write_cohort("honest")
        self.refused(USAGE, "compare", "honest", "--calibrate", "--evidence", "scaled", says=["--calibrate", "--evidence scaled"])
        self.refused(USAGE, "compare", "honest", "--fit", "baum-welch", "--evidence", "scaled", says="labels")
        self.refused(USAGE, "compare", "honest", "--evidence", "twice", says="--evidence")


class Overlap(Cohort):
    SIDECAR = '{"WindowLength": 4, "HopLength": 1, "ScoreType": "log-odds"}'

    def setUp(self):
        super().setUp()
        labels = [["left", "right"][label] for label in self.labels]
        whole = [labels[t] if len(set(labels[t:t + 4])) == 1 else "n/a" for t in range(len(labels) - 3)]
        (self.folder / "s").mkdir()
        for k, rows in enumerate(self.rows):
            lines = ["onset\tduration\tleft\tright\tattended"]
            lines += [f"{t}\t4\t{a:.9g}\t{b:.9g}\t{who}" for t, ((a, b), who) in enumerate(zip(overlapping(rows), whole))]
            (self.folder / f"s/sub-0{k + 1}_scores.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
            (self.folder / f"s/sub-0{k + 1}_scores.json").write_text(self.SIDECAR, encoding="utf-8")

    def test_is_scaled_by_blocks(self):
        found = self.heed_json("compare", "s", *METHODS)
        self.assertEqual((found["window"], found["hop"]), (4, 1))
        for scale, temperature in zip(found["evidence_scales"], found["temperatures"]):
            self.assertAlmostEqual(scale, 0.26, delta=0.06)
            self.assertAlmostEqual(temperature, 1 / scale, places=9)
        text = self.heed("compare", "s", *METHODS)
        self.assertIn("windows of 4 s every 1 s", text)
        self.assertIn("windows overlap, so evidence is counted", text)
        plain = self.heed_json("compare", "s", *METHODS, "--evidence", "as-is")
        self.assertGreater(self.figures(found)[0][1], self.figures(plain)[0][1], "counted once, decisions wait")

    def test_posteriors_keep_the_hop(self):
        self.heed("track", "s/sub-01_scores.tsv", "-p", 0.01, "-o", "o_posterior.tsv")
        sidecar = self.read_json("o_posterior.json")
        self.assertEqual((sidecar["WindowLength"], sidecar["HopLength"]), (4, 1))
        row = self.heed_json("evaluate", "o_posterior.tsv")["participants"][0]
        self.assertAlmostEqual(row["latency_inclusive_time"], row["switch_time"] + 4)

    def test_irregular_hops_and_hops_beyond_the_window(self):
        table = (self.folder / "s/sub-01_scores.tsv").read_text(encoding="utf-8").replace("\n7\t", "\n7.4\t")
        (self.folder / "x.tsv").write_text(table, encoding="utf-8")
        self.refused(BAD_DATA, "track", "x.tsv", says=["row 9, column onset", "1.4 s after the row before", "not a whole number of hops of 1 s"])
        (self.folder / "s/sub-01_scores.json").write_text('{"HopLength": 5}', encoding="utf-8")
        self.refused(BAD_DATA, "track", "s/sub-01_scores.tsv", says=["hop of 5 s is longer than the window of 4 s"])


class Score(DecodingTest):
    def test_hops_are_windows_of_the_same_samples(self):
        study = self.shared("two")
        self.heed("score", study, "--decoder", "ls", "--digits", 17, "-o", "apart")
        found = self.heed_json("score", study, "--decoder", "ls", "--hop", 0.25, "--digits", 17, "-o", "often")
        self.assertEqual(found["participants"][0]["hop"], 0.25)
        name = "sub-01/eeg/sub-01_task-attend_run-01_desc-ls_scores"
        apart, often = self.read_table(f"apart/{name}.tsv"), self.read_table(f"often/{name}.tsv")
        self.assertEqual(len(often.rows), 4 * len(apart.rows) - 3)
        self.assertEqual(often.numbers("left", "right")[::4], apart.numbers("left", "right"))
        self.assertEqual(self.read_json(f"often/{name}.json")["HopLength"], 0.25)
        self.assertNotIn("HopLength", self.read_json(f"apart/{name}.json"))

    def test_steps(self):
        study = self.shared("two")
        found = self.heed_json("score", study, "--decoder", "ls", "--step", 0.25, "-o", "out")
        self.assertGreater(found["participants"][0]["accuracy"], 0.8)
        name = "out/sub-01/eeg/sub-01_task-attend_run-01_desc-ls_scores"
        self.assertEqual(self.read_json(f"{name}.json")["ScoreType"], "step-cosine")
        self.assertEqual(self.read_json(f"{name}.json")["WindowLength"], 0.25)
        self.heed("track", f"{name}.tsv", "-o", "o.tsv")
        self.assertIn("emission gaussian", self.said)

    def test_models_of_steps_and_of_windows_are_told_apart(self):
        study = self.shared("two")
        name = "sub-01/eeg/sub-01_task-attend_run-01_desc-ls_scores.tsv"
        for kind, options in (("steps", ("--step", 0.25)), ("windows", ("--window", 0.25))):
            self.heed("score", study, "--decoder", "ls", *options, "-o", kind)
            self.heed("track", f"{kind}/{name}", "--save-model", f"{kind}.json", "-o", "o.tsv")
            self.heed("track", f"{kind}/{name}", "--model", f"{kind}.json", "-o", "again.tsv")
        self.assertEqual(self.read_json("steps.json")["ScoreType"], "step-cosine")
        self.assertNotIn("ScoreType", self.read_json("windows.json"))
        for scores, model in (("windows", "steps"), ("steps", "windows")):
            for verb in ("track", "compare"):
                self.refused(USAGE, verb, f"{scores}/{name}", "--model", f"{model}.json",
                             says=[f"fitted to scores of {model}", f"these are scores of {scores}", "same kind"])
        self.write("odd.json", self.read("steps.json").replace("step-cosine", "cosine"))
        self.refused(BAD_DATA, "track", f"steps/{name}", "--model", "odd.json", says=["odd.json", "ScoreType", "'cosine'"])

    def test_layouts_that_are_none(self):
        study = self.shared("two")
        for options, says in ((("--hop", 1.25), "hop of 1.25 s is longer than the window of 1 s"),
                              (("--hop", 0.3), "a hop of 0.3 s is not a whole number of quarter seconds"), (("--hop", 0), "a hop of 0 s"),
                              (("--step", 0.3), "a step of 0.3 s is not a whole number of quarter seconds; use 0.25, 0.5 or 0.75\n"),
                              (("--step", 1), "not shorter than a second; use 0.25, 0.5 or 0.75, or windows"), (("--step", 0.25, "--hop", 0.25), "--hop"),
                              (("--step", 0.25, "--window", 2), "--window")):
            self.refused(USAGE, "score", study, *options, "-o", "out", says=says)


if __name__ == "__main__":
    unittest.main()
