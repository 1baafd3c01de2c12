#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calibration of emissions, and whether neighbouring windows are independent as the HMM takes them to be."""
import math
import unittest

import oracle
from test_emissions import BAD_DATA, EmissionTest, blocks, scores


class Calibration(EmissionTest):
    def setUp(self):
        super().setUp()
        self.labels = blocks(600, 100)
        for k in range(4):
            rows = scores(k, self.labels, d=0.15)
            self.write_scores(f"c/sub-0{k + 1}_scores.tsv", rows, self.labels)
        # sigma is 0.3: with 0.15 every window says four times too much.
        self.sure = ("--mu-attended", 0.15, "--mu-unattended", 0, "--sigma", 0.15, "-p", 0.01)

    def error(self, result):
        rows = result["methods"][0]["participants"]
        return sum(row["ece"] for row in rows) / len(rows)

    def test_compare_with_the_others_temperature(self):
        plain = self.heed_json("compare", "c", *self.sure, "--methods", "causal")
        self.assertEqual(plain["temperatures"], [1] * 4)
        tempered = self.heed_json("compare", "c", *self.sure, "--methods", "causal", "--calibrate")
        for temperature in tempered["temperatures"]:
            self.assertTrue(2.5 < temperature < 7, temperature)
        self.assertLess(self.error(tempered), self.error(plain) / 2)
        before, after = plain["methods"][0], tempered["methods"][0]
        self.assertEqual(after["uncalibrated"], {"brier": before["brier"], "ece": before["ece"]})
        self.assertIsNone(before["uncalibrated"])
        self.assert_close(after["ece"], self.error(tempered))

    def test_compare_shows_what_calibration_changed(self):
        shown = self.heed("compare", "c", *self.sure, "--calibrate")
        self.assertRegex(shown, r"(?m)^emission calibrated on the other participants: temperature \d\.\d\d ± \d\.\d\d$")
        table = shown[shown.index("Brier before"):].splitlines()
        self.assertEqual([line.split()[0] for line in table[1:]],
                         ["causal", "fixed-lag", "smooth", "viterbi", "probabilistic-gain", "raw"])
        method = self.heed_json("compare", "c", *self.sure, "--calibrate", "--methods", "causal")["methods"][0]
        figures = [method["uncalibrated"]["brier"], method["brier"], method["uncalibrated"]["ece"], method["ece"]]
        self.assertEqual(table[1].split()[1:], [f"{x:.3f}" for x in figures])
        self.assertLessEqual(max(map(len, shown.splitlines())), 100)
        self.assertNotIn("calibrated", self.heed("compare", "c", *self.sure))

    def test_temperature_has_the_least_causal_log_loss(self):
        others = [f"c/sub-0{k}_scores.tsv" for k in (2, 3, 4)]
        self.heed("track", "c/sub-01_scores.tsv", *self.sure, "--fit-from", *others, "--calibrate", "--save-model",
                  "m.json", "-o", "o.tsv")
        best = self.read_json("m.json")["Temperature"]
        self.assertIn(", temperature ", self.said)

        def loss(temperature):
            total = 0
            for k in (1, 2, 3):
                b = oracle.gaussian(scores(k, self.labels, d=0.15), 0.15, 0, 0.15)
                b = [[x / temperature for x in row] for row in b]
                rows = oracle.Hmm(oracle.sticky(2, 0.01), b).causal()
                total -= sum(math.log(row[a]) for row, a in zip(rows, self.labels)) / len(rows)
            return total / 3

        for factor in (0.9, 0.99, 1.01, 1.1):
            self.assertGreater(loss(best * factor), loss(best), factor)

    def test_model_keeps_the_temperature_and_files_without_one_are_read(self):
        fit = ("--fit-from", "c", "--calibrate", "-p", 0.01)
        first = self.causal("c/sub-01_scores.tsv", *fit, "--save-model", "m.json")
        self.assertEqual(self.causal("c/sub-01_scores.tsv", "--model", "m.json", "-p", 0.01), first)
        model = self.read("m.json")
        self.assertIn('"Temperature"', model)
        self.write("old.json", "\n".join(line for line in model.splitlines() if '"Temperature"' not in line))
        self.assertNotEqual(self.causal("c/sub-01_scores.tsv", "--model", "old.json", "-p", 0.01), first)
        self.assertNotIn("temperature", self.said)
        self.write("cold.json", model.replace(f'{self.read_json("m.json")["Temperature"]!r}', "0"))
        self.refused(BAD_DATA, "track", "c/sub-01_scores.tsv", "--model", "cold.json", says="Temperature")

    def test_one_participant_leaves_nobody_to_calibrate_on(self):
        self.refused(BAD_DATA, "compare", "c/sub-01_scores.tsv", "--calibrate", *self.sure, says="is alone and has one labelled trial")

    def test_scores_that_repeat_each_other_are_told(self):
        for k in range(2):
            rows = scores(k, self.labels, phi=0.7)
            self.write_scores(f"r/sub-0{k + 1}_scores.tsv", rows, self.labels)
        result = self.heed_json("compare", "r", "--methods", "causal")
        self.assertAlmostEqual(result["lag_correlations"][0], 0.7, delta=0.08)
        self.assertIn("heed: note: neighbouring windows are not independent", self.said)
        for words in ("over-confident", "calibrate", "longer windows"):
            self.assertIn(words, self.said)
        table = self.heed("compare", "r", "--methods", "causal")
        self.assertIn(f"neighbouring windows correlate by {result['lag_correlations'][0]:.2f} as recorded", table)
        self.heed("compare", "r", "--methods", "causal", "--calibrate")
        self.assertIn("makes up for most of it", self.said)
        self.assertNotIn("calibrate the emission", self.said)
        self.heed("compare", "c", "--methods", "causal")
        self.assertNotIn("independent", self.said)

    def test_evaluate_looks_at_the_scores_it_is_shown(self):
        for k in range(2):
            self.write_scores(f"r/sub-0{k + 1}_scores.tsv", scores(k, self.labels, phi=0.7), self.labels)
            self.heed("track", f"r/sub-0{k + 1}_scores.tsv", *self.sure, "-o", f"r/sub-0{k + 1}_posterior.tsv")
        self.assertIsNone(self.heed_json("evaluate", "r")["lag_correlations"])
        expected = self.heed_json("compare", "r", "--methods", "causal")["lag_correlations"]
        result = self.heed_json("evaluate", "r", "--scores", "r")
        self.assertEqual(result["lag_correlations"], expected)
        self.assertIn("heed: note: neighbouring windows are not independent", self.said)
        self.assertIn("by " + ", ".join(f"{x:.2f}" for x in expected), self.heed("evaluate", "r", "--scores", "r"))
        self.assertIn("over-confident", self.said)
        # Files of one participant may be called as they like.
        self.heed("track", "c/sub-01_scores.tsv", "--fit-from", "c", "-p", 0.01, "-o", "fair.tsv")
        self.assertIn("later by", self.heed("evaluate", "fair.tsv", "--scores", "c/sub-01_scores.tsv"))
        self.assertEqual(self.said, "")
        self.refused(BAD_DATA, "evaluate", "r/sub-01_posterior.tsv", "--scores", "r", says=["scores of participant 02", "posteriors"])
        self.write_scores("plain.tsv", scores(1, self.labels))
        self.refused(BAD_DATA, "evaluate", "fair.tsv", "--scores", "plain.tsv", says=["independence", "'attended'"])
        self.refused(66, "evaluate", "fair.tsv", "--scores", "nowhere.tsv", says="nowhere.tsv")

    def test_evaluate_tells_what_comes_of_it(self):
        self.heed("track", "c/sub-01_scores.tsv", "--mu-attended", 0.15, "--mu-unattended", 0, "--sigma", 0.05, "-p",
                  0.1, "-o", "sure_posterior.tsv")
        row = self.heed_json("evaluate", "sure_posterior.tsv")["participants"][0]
        self.assertGreater(row["over_confidence"], 0.1)
        self.assertIn("over-confident", self.said)
        self.heed("track", "c/sub-01_scores.tsv", "--fit-from", "c", "-p", 0.01, "-o", "fair_posterior.tsv")
        self.heed("evaluate", "fair_posterior.tsv")
        self.assertEqual(self.said, "")


if __name__ == "__main__":
    unittest.main()
