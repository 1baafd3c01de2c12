#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scores that repeat each other: --dependence at the doors of track and compare, model files, and what is refused."""
import json
import math
import random
import unittest

from test_emissions import BAD_DATA, USAGE, UNAVAILABLE, EmissionTest, blocks, scores

PHI = 0.8


def log_densities(rows, mu, sigma, phi):
    """[t](i, j): log density of a window given the one before, as a product of normal densities."""
    def log_normal(x, variance):
        return -x * x / (2 * variance) - math.log(2 * math.pi * variance) / 2

    def noise(row, attended):
        return [z - mu[0 if k == attended else 1] for k, z in enumerate(row)]

    found = []
    for t, row in enumerate(rows):
        variance = sigma ** 2 * (1 - (phi ** 2 if t > 0 else 0))
        table = {}
        for i in range(len(row)):
            for j in range(len(row)):
                before = noise(rows[t - 1], i) if t > 0 else [0] * len(row)
                table[i, j] = sum(log_normal(now - (phi * then if t > 0 else 0), variance)
                                  for now, then in zip(noise(row, j), before))
        found.append(table)
    return found


def causal(rows, p, mu, sigma, phi):
    """The filter by the definition, O(N^2)."""
    n = len(rows[0])
    belief, result = [1 / n] * n, []
    for t, table in enumerate(log_densities(rows, mu, sigma, phi)):
        stay = 1 - (n - 1) * p
        belief = [sum(belief[i] * (1 if t == 0 else stay if i == j else p) * math.exp(table[i, j])
                      for i in range(n) if t > 0 or i == j) for j in range(n)]
        total = sum(belief)
        belief = [b / total for b in belief]
        result.append(belief)
    return result


class Dependence(EmissionTest):
    def setUp(self):
        super().setUp()
        self.labels = blocks(600, 150)

    def write_cohort(self, folder, phi=PHI, speakers=2, trials=1, sidecar=None, offset=0.0):
        stream = random.Random(5)
        for k in range(3):
            labels = blocks(600, 150, speakers)
            rows = scores(k, labels, speakers=speakers, phi=phi)
            length = len(rows) // trials
            if offset:
                for trial in range(trials):
                    shift = offset * stream.gauss(0, 1)
                    for row in rows[trial * length:(trial + 1) * length]:
                        row[0], row[1] = math.tanh(math.atanh(row[0]) + shift), math.tanh(math.atanh(row[1]) - shift)
            name = f"{folder}/sub-0{k + 1}_scores.tsv"
            self.write_scores(name, rows, labels)
            if trials > 1:
                self.add_trials(name, length)
            if sidecar:
                (self.folder / folder / f"sub-0{k + 1}_scores.json").write_text(sidecar, encoding="utf-8")

    def add_trials(self, name, length):
        lines = self.read(name).splitlines()
        self.write(name, "\n".join([lines[0] + "\ttrial"] + [f"{line}\t{t // length + 1}"
                                                            for t, line in enumerate(lines[1:])]) + "\n")

    def test_track_is_the_definition(self):
        self.write_cohort("c", speakers=3)
        self.heed("track", "c/sub-01_scores.tsv", "--fit-from", "c/sub-02_scores.tsv", "c/sub-03_scores.tsv",
                  "--dependence", "ar1", "--save-model", "m.json", "-o", "p.tsv")
        model = self.read_json("m.json")
        self.assertEqual(model["FormatVersion"], 2)
        phi = model["Dependence"]["Autocorrelation"]
        self.assertAlmostEqual(phi, PHI, delta=0.05)
        self.assertIn(f"autocorrelation {phi:.6g}"[:22], self.said)
        found = self.causal("c/sub-01_scores.tsv", "--model", "m.json")
        emission = model["Emission"]
        table = self.read_table("c/sub-01_scores.tsv")
        rows = [[math.atanh(x) for x in row] for row in table.numbers(*table.header[1:4])]
        expected = causal(rows, 0.001, (emission["MuAttended"], emission["MuUnattended"]), emission["SigmaAttended"], phi)
        self.assert_close(found, expected)

    def test_none_is_the_default(self):
        self.write_cohort("c")
        plain = self.heed("compare", "c", "--methods", "causal,smooth", "--json")
        self.assertEqual(self.heed("compare", "c", "--methods", "causal,smooth", "--json", "--dependence", "none"), plain)
        self.assertNotIn("dependences", json.loads(plain))

    def test_auto_says_why(self):
        self.write_cohort("repeating")
        found = self.heed_json("compare", "repeating", "--methods", "causal", "-p", 0.005, "--dependence", "auto")
        self.assertAlmostEqual(found["dependences"][0]["autocorrelation"], PHI, delta=0.05)
        self.assertEqual(found["temperatures"], [1] * 3)
        plain = self.heed_json("compare", "repeating", "--methods", "causal", "-p", 0.005)
        self.assertLess(found["methods"][0]["ece"], plain["methods"][0]["ece"])
        said = self.heed("compare", "repeating", "--methods", "causal", "--dependence", "auto")
        self.assertIn("models know that scores repeat each other: autocorrelation 0.", said)
        self.assertRegex(self.said, "note: dependence ar1: attended scores correlate by 0.[78]")
        self.assertNotIn("not independent, as the HMM assumes", self.said)
        self.write_cohort("fresh", phi=0)
        self.heed("compare", "fresh", "--methods", "causal", "--dependence", "auto")
        self.assertRegex(self.said, "note: dependence none: attended scores correlate by -?0(.0|.1|\\b)")

    def test_compare_shows_what_it_changes(self):
        """Two rows per method; those of independent windows are what compare says without the dependence."""
        self.write_cohort("c")
        options = ("compare", "c", "--methods", "raw,causal,smooth", "-p", 0.005)
        plain, known = self.heed_json(*options), self.heed_json(*options, "--dependence", "ar1")
        self.assertNotIn("dependence_effect", known["methods"][0])
        for before, now in zip(plain["methods"][1:], known["methods"][1:]):
            self.assertNotIn("dependence_effect", before)
            effect = now["dependence_effect"]
            for side, method in (("independent", before), ("repeating", now)):
                self.assertEqual(effect[side]["whole_accuracy"], method["whole_accuracy"]["mean"])
                self.assertEqual(effect[side]["switch_time"], method["switch_time"]["mean"])
                self.assertEqual(effect[side]["ece"], method["ece"])
            self.assertLess(effect["repeating"]["log_loss"], effect["independent"]["log_loss"])
        table = self.heed(*options, "--dependence", "ar1")
        rows = [line.split() for line in table[table.index("what the model of the repetition changes"):].splitlines()]
        self.assertIn(["causal", "independent"], [row[:2] for row in rows])
        smooth = next(row for row in rows if row[:2] == ["smooth", "repeating"])
        self.assertEqual(smooth[-1], f"{known['methods'][2]['ece']:.3f}")
        self.assertNotIn("the model of the repetition", self.heed(*options))

    def test_track_says_it(self):
        self.write_cohort("c")
        mine, others = "c/sub-01_scores.tsv", ("--fit-from", "c/sub-02_scores.tsv", "c/sub-03_scores.tsv")
        for fit in ((), others):
            self.heed("track", mine, *fit, "-o", "p.tsv")
            self.assertRegex(self.said, "attended scores correlate by 0.[78].*dependence auto")
            self.assertIn("single windows mean what they say, but neighbours repeat each other", self.said)
        self.heed("track", mine, *others, "-p", "auto", "-o", "p.tsv")
        self.assertIn("taken for switches", self.said)
        self.heed("track", mine, *others, "--dependence", "auto", "-o", "p.tsv")
        self.assertNotIn("as the HMM assumes", self.said)
        self.assertIn("what neighbours repeat is counted by the model", self.said)

    def test_offsets(self):
        self.write_cohort("c", phi=0.5, trials=6, offset=0.4)
        found = self.heed_json("compare", "c", "--methods", "causal,viterbi", "--dependence", "offset")
        for one in found["dependences"]:
            self.assertGreater(one["offset_sigma"], 0.2)
        self.refused(BAD_DATA, "compare", "c", "--join", "--dependence", "offset", says=["2 labelled trials", "at least 6", "ar1"])
        self.heed("compare", "c", "--methods", "causal", "--dependence", "offset", "--switch-every", 30)
        self.assertIn("judge offsets by recorded switches", self.said)
        self.write_cohort("three", speakers=3, trials=6)
        self.refused(UNAVAILABLE, "compare", "three", "--dependence", "offset", says=["two speakers, not 3", "ar1"])

    def test_without_labels(self):
        self.write_scores("s.tsv", scores(1, self.labels, phi=PHI))
        self.heed("track", "s.tsv", "-p", 0.005, "--fit", "baum-welch", "--dependence", "auto", "--save-model", "m.json",
                  "-o", "p.tsv")
        self.assertIn("dependence ar1", self.said)
        self.assertAlmostEqual(self.read_json("m.json")["Dependence"]["Autocorrelation"], PHI, delta=0.1)
        self.refused(UNAVAILABLE, "track", "s.tsv", "--fit", "baum-welch", "--dependence", "offset", says="needs labels")

    def test_an_unknown_switch_probability(self):
        """P(windows) is the mean over what every switch probability says; the estimator of p sums over them."""
        self.write_cohort("c")
        mine, others = "c/sub-01_scores.tsv", ("--fit-from", "c/sub-02_scores.tsv", "c/sub-03_scores.tsv")
        self.heed("track", mine, *others, "--dependence", "ar1", "--save-model", "m.json", "-o", "p.tsv")
        unknown = self.heed_json("track", mine, "--model", "m.json", "-p", "auto", "-o", "auto.tsv")
        evidence = [self.heed_json("track", mine, "--model", "m.json", "-p", p, "-o", "p.tsv")["log_evidence"]
                    for p in unknown["switching"]["per_window"]]
        largest = max(evidence)
        weights = [math.exp(one - largest) for one in evidence]
        self.assertAlmostEqual(unknown["log_evidence"], largest + math.log(sum(weights) / len(weights)), delta=1e-6)
        for found, weight in zip(unknown["switching"]["posterior"], weights):
            self.assertAlmostEqual(found, weight / sum(weights), delta=1e-6)
        plain = self.heed_json("compare", "c", "--methods", "causal", "-p", "auto")
        known = self.heed_json("compare", "c", "--methods", "causal", "-p", "auto", "--dependence", "auto")
        self.assertLess(known["methods"][0]["ece"], plain["methods"][0]["ece"])

    def test_what_does_not_go_together(self):
        self.write_cohort("c")
        mine, others = "c/sub-01_scores.tsv", ("--fit-from", "c/sub-02_scores.tsv", "c/sub-03_scores.tsv")
        for options, says in ((("--calibrate",), "makes up for the same thing"),
                              (("--evidence", "scaled"), "makes up for the same thing"),
                              (("--spread", "separate"), "one sigma"), (("--fit", "adaptive"), "labels or by Baum-Welch")):
            self.refused(UNAVAILABLE, "track", mine, *others, "--dependence", "ar1", *options, says=says)
        self.refused(UNAVAILABLE, "track", mine, "--mu-attended", 0.1, "--mu-unattended", 0, "--sigma", 0.3,
                     "--dependence", "ar1", says="the emission is given")
        self.refused(UNAVAILABLE, "track", mine, *others, "--dependence", "ar1", "--path", "labels", says="dependence none")
        self.refused(USAGE, "track", mine, "--dependence", "ar2", says=["--dependence", "ar1"])
        self.write_cohort("overlap", sidecar='{"ScoreType": "correlation", "WindowLength": 1, "HopLength": 0.25}')
        self.refused(UNAVAILABLE, "compare", "overlap", "--dependence", "ar1", says=["share samples", "evidence scale"])
        self.heed("compare", "overlap", "--methods", "causal", "--dependence", "auto")
        self.assertIn("dependence none: windows share samples", self.said)

    def test_bad_models(self):
        self.write_cohort("c")
        mine = "c/sub-01_scores.tsv"
        self.heed("track", mine, "--fit-from", "c/sub-02_scores.tsv", "--dependence", "ar1", "--save-model", "m.json", "-o", "p.tsv")
        good = self.read_json("m.json")
        for change, says in (({"Autocorrelation": 1}, ["Dependence.Autocorrelation", "below 1, not 1"]),
                             ({"Autocorrelation": -0.5}, "Dependence.Autocorrelation"),
                             ({"Autocorrelation": "high"}, "Autocorrelation"), ({"OffsetSigma": -1}, "OffsetSigma")):
            self.write("bad.json", json.dumps({**good, "Dependence": {**good["Dependence"], **change}}))
            self.refused(BAD_DATA, "track", mine, "--model", "bad.json", says=["bad.json", *([says] if isinstance(says, str) else says)])
        self.write("bad.json", json.dumps({**good, "Temperature": 2}))
        self.refused(BAD_DATA, "track", mine, "--model", "bad.json", says="Temperature must be 1")
        self.write_cohort("three", speakers=3)
        self.write("wide.json", json.dumps({**good, "Dependence": {"Autocorrelation": 0.5, "OffsetSigma": 0.1}}))
        self.refused(USAGE, "track", "three/sub-01_scores.tsv", "--model", "wide.json", says="two speakers, not 3")
        self.refused(USAGE, "track", mine, "--model", "m.json", "--calibrate", says="temperature")
        self.refused(UNAVAILABLE, "track", mine, "--model", "m.json", "--dependence", "ar1", says="the emission is given")
        self.heed("track", mine, "--model", "m.json", "--dependence", "none", "-o", "plain.tsv")
        self.assertNotIn("autocorrelation", self.said)


if __name__ == "__main__":
    unittest.main()
