#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Emissions beyond the Gaussian: hard decisions, probabilities, features; fits without labels; calibration."""
import json
import math
import random
import unittest

import oracle
from heed_program import BY_HAND, HeedTest

USAGE, BAD_DATA, UNAVAILABLE = 2, 65, 69


def blocks(windows, length, speakers=2):
    return [(t // length) % speakers for t in range(windows)]


def scores(seed, labels, speakers=2, d=0.3, sigma=0.3, phi=0.0):
    """Correlations: tanh of normal numbers, the attended one higher by d; phi repeats the noise."""
    stream = random.Random(seed)
    noise = [stream.gauss(0, 1) for _ in range(speakers)]
    rows = []
    for attended in labels:
        rows.append([math.tanh(sigma * noise[j] + (d if j == attended else 0)) for j in range(speakers)])
        noise = [phi * e + math.sqrt(1 - phi * phi) * stream.gauss(0, 1) for e in noise]
    return rows


class EmissionTest(HeedTest):
    def causal(self, *options):
        """Posteriors of a track, in full precision."""
        self.heed("track", *options, "--digits", 17, "-o", "o.tsv")
        table = self.read_table("o.tsv")
        return table.numbers(*table.header[1:table.header.index("decision")])

    def expected(self, log_likelihoods, p=0.001):
        return oracle.Hmm(oracle.sticky(len(next(b for b in log_likelihoods if b)), p), log_likelihoods).causal()


class Decisions(EmissionTest):
    ROWS = [[0.3, 0.1, -0.2], [0.1, 0.4, 0.2], [0.2, 0.2, 0.1], [0.0, 0.0, 1.0], None, [-0.3, -0.1, -0.2]]

    def setUp(self):
        super().setUp()
        self.write_scores("s.tsv", self.ROWS)

    def test_hard_decisions(self):
        right, wrong = math.log(0.6), math.log(0.2)
        b = [[right, wrong, wrong], [wrong, right, wrong], None, [wrong, wrong, right], None, [wrong, right, wrong]]
        self.assert_close(self.causal("s.tsv", "--emission", "hard-decision", "--accuracy", 0.6), self.expected(b))
        self.assertIn("2 held", self.said)
        self.assertIn("hard-decision, accuracy 0.6 (given by hand)", self.said)

    def test_accuracy_lies_between_chance_and_one(self):
        for accuracy in (0.2, 1, 1.5, -0.6, 0.333):
            self.refused(USAGE, "track", "s.tsv", "--emission", "hard-decision", "--accuracy", accuracy,
                         says=["accuracy", "1/N = 0.333"])
        self.refused(BAD_DATA, "track", "s.tsv", "--emission", "hard-decision", says="give their accuracy, or labels")
        self.refused(USAGE, "track", "s.tsv", *BY_HAND, "--accuracy", 0.6, says="hard-decision")

    def test_probabilities(self):
        rows = [[0.7, 0.3], [0.25, 0.75], [1.0, 0.0], [0.5, 0.5]]
        self.write_scores("p.tsv", rows)
        b = [[oracle.log(x) for x in row] for row in rows]
        self.assert_close(self.causal("p.tsv", "--emission", "probability"), self.expected(b))
        b = [[oracle.log(x) - math.log(prior) for x, prior in zip(row, (0.6, 0.4))] for row in rows]
        self.assert_close(self.causal("p.tsv", "--emission", "probability", "--class-priors", "0.6,0.4"),
                          self.expected(b))

    def test_rows_that_are_no_probabilities(self):
        for bad in ([0.7, 0.7], [1.2, -0.2], [0.1, 0.1]):
            self.write_scores("p.tsv", [[0.5, 0.5], bad])
            self.refused(BAD_DATA, "track", "p.tsv", "--emission", "probability",
                         says=["p.tsv", "window 2", "probabilities"])

    def test_models_keep_them(self):
        for options in (("hard-decision", "--accuracy", 0.6), ("probability",)):
            self.write_scores("p.tsv", [[0.7, 0.3], [0.2, 0.8]])
            given = self.causal("p.tsv", "--emission", *options, "--save-model", "m.json")
            self.assertEqual(self.causal("p.tsv", "--model", "m.json"), given)


class WithoutLabels(EmissionTest):
    def setUp(self):
        super().setUp()
        self.labels = blocks(400, 80)
        self.rows = scores(1, self.labels, d=0.4)
        self.write_scores("plain.tsv", self.rows)
        self.write_scores("labelled.tsv", self.rows, self.labels)

    def model(self, *options):
        self.heed("track", *options, "--save-model", "m.json", "-o", "o.tsv")
        return self.read_json("m.json")["Emission"]

    def baum_welch(self, rows, p, iterations):
        """The three tied parameters, straight from their formulas."""
        z = [[math.atanh(x) for x in row] for row in rows]
        n, windows = len(z[0]), len(z)
        every = [x for row in z for x in row]
        mean = sum(every) / len(every)
        sd = math.sqrt(sum((x - mean) ** 2 for x in every) / len(every))
        a, u, sigma = mean + sd / 4, mean - sd / 4, sd
        for _ in range(iterations):
            b = oracle.gaussian(z, a, u, sigma, fisher=False)
            g = oracle.Hmm(oracle.sticky(n, p), b).smooth()
            a = sum(gj * zj for gr, zr in zip(g, z) for gj, zj in zip(gr, zr)) / windows
            u = sum((1 - gj) * zj for gr, zr in zip(g, z) for gj, zj in zip(gr, zr)) / (windows * (n - 1))
            sigma = math.sqrt(sum(gj * (zj - a) ** 2 + (1 - gj) * (zj - u) ** 2
                                  for gr, zr in zip(g, z) for gj, zj in zip(gr, zr)) / (n * windows))
        return [a, u, sigma]

    def test_baum_welch_is_the_default_where_nothing_is_known(self):
        emission = self.model("plain.tsv", "-p", 0.01)
        self.assertIn("heed: note: no labels and no parameters are given", self.said)
        self.assertIn("Baum-Welch", self.said)
        self.assertEqual(emission, self.model("plain.tsv", "-p", 0.01, "--fit", "baum-welch"))
        self.assertNotIn("note:", self.said)
        self.assert_close([emission[k] for k in ("MuAttended", "MuUnattended", "SigmaAttended")],
                          self.baum_welch(self.rows, 0.01, 60), 1e-4)

    def test_the_reference_is_a_last_resort(self):
        """Noise decides nothing, and the note names what is left; the reference says at every door what it is."""
        noise = [[random.Random(t).gauss(0, 0.2), random.Random(-t - 1).gauss(0, 0.2)] for t in range(120)]
        self.write_scores("noise.tsv", noise)
        self.heed("track", "noise.tsv", "-o", "o.tsv")
        self.assertIn("or a model: as a last resort, heed's reference", self.said)
        emission = self.model("plain.tsv", "--model", "reference")
        self.assertIn("heed's reference, made from simulated listeners: a last resort", self.said)
        self.assertGreater(emission["MuAttended"], emission["MuUnattended"])
        self.assertEqual(self.read_json("m.json")["Origin"], "heed's reference, made from simulated listeners")
        posterior = self.read("o.tsv")
        self.heed("track", "plain.tsv", "--model", "m.json", "-o", "o.tsv")
        self.assertEqual(self.read("o.tsv"), posterior)
        self.assertIn("a last resort", self.said)
        self.heed("compare", "labelled.tsv", "--model", "reference", "--methods", "causal")
        self.assertIn("a last resort", self.said)
        self.assertIn("(heed's reference, made from simulated listeners, a last resort)", self.heed("export", "reference", "--c"))
        self.write("plain.json", json.dumps({"ScoreType": "log-odds"}))
        self.refused(USAGE, "track", "plain.tsv", "--model", "reference", says="correlations of windows")

    def test_the_reference_knows_windows_that_overlap(self):
        """A second of evidence counts once, however long windows are and however often they come."""
        def worth(window, hop):
            self.write("plain.json", json.dumps({"ScoreType": "correlation", "WindowLength": window, "HopLength": hop}))
            self.write_scores("plain.tsv", self.rows, window=hop)
            emission = self.model("plain.tsv", "--model", "reference")
            slope = (emission["MuAttended"] - emission["MuUnattended"]) / emission["SigmaAttended"] ** 2
            return slope / self.read_json("m.json").get("Temperature", 1) / hop
        self.assertAlmostEqual(worth(5, 1), worth(5, 5), places=9)
        self.assertLess(abs(math.log(worth(5, 5) / worth(1, 1))), 0.15)

    def test_labels_are_not_looked_at(self):
        self.assertEqual(self.model("plain.tsv", "--fit", "baum-welch"),
                         self.model("labelled.tsv", "--fit", "baum-welch"))
        self.assertEqual(self.model("plain.tsv", "--fit", "memoryless"),
                         self.model("labelled.tsv", "--fit", "memoryless"))

    def test_others_without_labels(self):
        self.write_scores("c/sub-01_scores.tsv", scores(5, self.labels))
        self.write_scores("c/sub-02_scores.tsv", scores(6, self.labels))
        emission = self.model("plain.tsv", "--fit", "baum-welch", "--fit-from", "c")
        self.assertAlmostEqual(emission["MuAttended"] - emission["MuUnattended"], 0.3, delta=0.06)

    def test_switch_probability_is_learnt_only_if_asked(self):
        fitted = ("track", "plain.tsv", "--fit", "baum-welch", "-o", "o.tsv")
        self.assertEqual(self.heed_json(*fitted)["switch_probability"], 0.001)
        learnt = self.heed_json(*fitted, "--fit-switch-probability")["switch_probability"]
        self.assertGreater(learnt, 0.002)  # 4 switches in 399 steps, and a prior of 1 in 1000
        self.assertAlmostEqual(learnt, 5 / 1399, delta=0.001)
        self.refused(USAGE, "track", "labelled.tsv", "--fit-switch-probability", says="Baum-Welch")
        self.refused(USAGE, "track", "plain.tsv", *BY_HAND, "--fit-switch-probability", says="nothing to fit")
        self.write("chain.tsv", "0.9\t0.1\n0.2\t0.8\n")
        self.refused(USAGE, "track", "plain.tsv", "--transition", "chain.tsv", "--fit-switch-probability", says="sticky")

    def test_memoryless(self):
        emission = self.model("plain.tsv", "--fit", "memoryless")
        z = [[math.atanh(x) for x in row] for row in self.rows]
        sums = [a + b for a, b in z]
        mean = sum(sums) / len(sums)
        sd = math.sqrt(sum((s - mean) ** 2 for s in sums) / len(sums))
        d = emission["MuAttended"] - emission["MuUnattended"]
        magnitude = sum(abs(a - b) for a, b in z) / len(z)
        self.assert_close(sd * math.sqrt(2 / math.pi) * math.exp(-d * d / (2 * sd * sd)) +
                          d * math.erf(d / (math.sqrt(2) * sd)), magnitude)
        self.assert_close(emission["MuAttended"] + emission["MuUnattended"], mean)
        self.assert_close(emission["SigmaAttended"], sd / math.sqrt(2))

    def test_probabilities_are_not_taken_for_correlations_in_silence(self):
        self.write_scores("p.tsv", [[0.5 + 0.4 * math.sin(t), 0.5 - 0.4 * math.sin(t)] for t in range(200)], self.labels[:200])
        self.model("p.tsv", "--fit", "labels")
        self.assertIn("as the probabilities of a classifier do; the emission 'probability' takes them as that", self.said)
        self.heed("track", "p.tsv", "--emission", "probability", "-o", "o.tsv")
        self.assertNotIn("classifier", self.said)
        self.model("labelled.tsv", "--fit", "labels")
        self.assertNotIn("classifier", self.said)

    def test_memoryless_that_degenerates_says_so(self):
        self.write_scores("same.tsv", [[x, x + 0.001] for x in (0.1, 0.3, -0.2, 0.5)])
        emission = self.model("same.tsv", "--fit", "memoryless")
        self.assertEqual(emission["MuAttended"], emission["MuUnattended"])
        self.assertIn("heed: note: the memoryless fit is degenerate", self.said)

    def test_scores_that_decide_nothing_move_nothing(self):
        rows = [[math.tanh(x + d), math.tanh(x - d)] for x, d in
                ((math.sin(1.7 * t) / 2, math.sin(2.3 * t) / 20) for t in range(200))]
        self.write_scores("same.tsv", rows)
        for method in ("causal", "fixed-lag", "smooth", "viterbi", "probabilistic-gain", "raw"):
            self.heed("track", "same.tsv", "--fit", "memoryless", "--method", method, "--digits", "17", "-o", "o.tsv")
            self.assertIn("degenerate", self.said)
            table = self.read_table("o.tsv")
            self.assertEqual(set(table["decision"]), {"left"}, method)
            if method != "viterbi":  # its path is certain of itself
                self.assertEqual({*table["left"], *table["right"]}, {"0.5"}, method)

    def test_what_cannot_be_learnt_without_labels(self):
        self.write_scores("three.tsv", scores(2, blocks(60, 20, 3), 3))
        self.refused(UNAVAILABLE, "track", "three.tsv", "--fit", "memoryless", says=["two speakers", "Baum-Welch"])
        self.refused(USAGE, "track", "plain.tsv", "--fit", "baum-welch", "--spread", "separate", says="one sigma")
        self.refused(USAGE, "track", "plain.tsv", "--fit", "baum-welch", "--calibrate", says="labels")
        self.refused(USAGE, "track", "plain.tsv", "--calibrate", says=["no attended speaker", "scores of others"])
        self.refused(USAGE, "track", "plain.tsv", "--emission", "mixture", says=["no attended speaker", "scores of others"])
        self.refused(USAGE, "track", "plain.tsv", "--emission", "mixture", "--fit", "memoryless", says="by Baum-Welch")
        self.refused(USAGE, "track", "plain.tsv", *BY_HAND, "--fit", "baum-welch", says="nothing to fit")
        self.write_scores("flat.tsv", [[0.2, 0.2]] * 5)
        self.refused(BAD_DATA, "track", "flat.tsv", says=["flat.tsv", "do not vary"])

    def test_compare_learns_from_each_participant_alone(self):
        for k in range(3):
            self.write_scores(f"c/sub-0{k + 1}_scores.tsv", scores(20 + k, self.labels, d=0.5), self.labels)
        result = self.heed_json("compare", "c", "--fit", "baum-welch", "--methods", "smooth")
        self.heed("track", "c/sub-02_scores.tsv", "--fit", "baum-welch", "--method", "smooth", "-o", "o_posterior.tsv")
        alone = self.heed_json("evaluate", "o_posterior.tsv")["participants"][0]
        self.assertEqual(result["methods"][0]["participants"][1]["accuracy"], alone["accuracy"])


class Features(EmissionTest):
    def features(self, seed, labels, names=("f1", "f2", "f3")):
        stream = random.Random(seed)
        rows = []
        for t, label in enumerate(labels):
            centre = 0.8 if label == 0 else -0.8
            rows.append([t, *(round(stream.gauss(centre * (k < 2), 1), 6) for k in range(len(names))),
                         ("left", "right")[label]])
        return self.write_table(f"sub-0{seed}_features.tsv", ["onset", *names, "attended"], rows)

    def setUp(self):
        super().setUp()
        self.labels = blocks(300, 60)
        self.recorded = [self.features(seed, self.labels) for seed in (1, 2, 3)]
        self.states = ("--states", "left,right", "--emission", "mixture")

    def test_one_gaussian_a_state_is_mean_and_covariance(self):
        self.heed("track", self.recorded[0], *self.states, "--components", 1, "--save-model", "m.json", "-o", "o.tsv")
        table = self.read_table(self.recorded[0])
        emission = self.read_json("m.json")["Emission"]
        self.assertEqual((emission["States"], emission["Features"]), (["left", "right"], ["f1", "f2", "f3"]))
        densities = {}
        for component in emission["Components"]:
            rows = [row for row, state in zip(table.numbers("f1", "f2", "f3"), table["attended"])
                    if state == component["State"]]
            mean = [sum(column) / len(rows) for column in zip(*rows)]
            covariance = [sum((r[i] - mean[i]) * (r[j] - mean[j]) for r in rows) / len(rows)
                          for i in range(3) for j in range(3)]
            self.assert_close(component["Mean"], mean)
            self.assert_close(component["Covariance"], covariance)
            densities[component["State"]] = (mean, covariance)
        b = [[log_density(row, *densities[state]) for state in ("left", "right")]
             for row in table.numbers("f1", "f2", "f3")]
        self.assert_close(self.causal(self.recorded[0], "--model", "m.json"), self.expected(b), 1e-9)

    def test_mixture_of_others_follows_attention_and_is_kept_in_the_model(self):
        fitted = ("--fit-from", *self.recorded[1:], "--components", 2, "--save-model", "m.json")
        first = self.causal(self.recorded[0], *self.states, *fitted)
        right = sum((row[0] > 0.5) == (label == 0) for row, label in zip(first, self.labels))
        self.assertGreater(right, 0.9 * len(first))
        self.assertEqual(self.causal(self.recorded[0], "--model", "m.json"), first)
        self.assertEqual(self.causal(self.recorded[0], "--model", "m.json", "--states", "left,right"), first)
        self.assertEqual(first, self.causal(self.recorded[0], *self.states, *fitted, "--mixture-seed", 1))
        self.assertNotEqual(first, self.causal(self.recorded[0], *self.states, *fitted, "--covariance", "diagonal"))
        self.assertIn("diagonal covariance", self.said)

    def test_scores_of_speakers_are_features_too(self):
        self.write_scores("s.tsv", scores(3, self.labels), self.labels)
        self.heed("track", "s.tsv", "--emission", "mixture", "--components", 1, "--save-model", "m.json", "-o", "o.tsv")
        self.assertEqual(self.read_json("m.json")["Emission"]["Features"], ["left", "right"])
        self.assertEqual(self.read_table("o.tsv").header, ["onset", "left", "right", "decision", "attended"])

    def test_compare(self):
        result = self.heed_json("compare", *self.recorded, *self.states, "--methods", "causal,smooth")
        self.assertGreater(result["methods"][1]["accuracy"]["mean"], 0.95)
        self.assertEqual(set(result["lag_correlations"]), {None})
        self.refused(UNAVAILABLE, "compare", *self.recorded, *self.states, "--switch-every", 30, says="features")

    def test_fewer_points_than_components(self):
        labels = [0] * 40 + [1] * 3
        few = self.features(7, labels)
        self.refused(BAD_DATA, "track", few, *self.states, "--components", 4,
                     says=[few, "state right", "3 labelled windows", "4 components"])

    def test_singular_covariance(self):
        rows = [[t, random.Random(t).gauss(0, 1), 0, "left" if t < 20 else "right"] for t in range(40)]
        self.write_table("flat.tsv", ["onset", "a", "b", "attended"], rows)
        self.refused(BAD_DATA, "track", "flat.tsv", *self.states, says=["flat.tsv", "state left", "does not vary"])
        for row in rows:
            row[2] = 2 * row[1]
        self.write_table("twice.tsv", ["onset", "a", "b", "attended"], rows)
        self.refused(BAD_DATA, "track", "twice.tsv", *self.states, says=["state left", "singular", "diagonal"])
        self.causal("twice.tsv", *self.states, "--covariance", "diagonal")

    def test_features_of_another_width(self):
        wide = self.features(8, self.labels, ("f1", "f2", "f3", "f4"))
        other = self.features(9, self.labels, ("f1", "f3", "f2"))
        self.heed("track", self.recorded[0], *self.states, "--save-model", "m.json", "-o", "o.tsv")
        self.refused(BAD_DATA, "track", wide, "--model", "m.json", says=[wide, "4 features", "fitted to 3"])
        self.refused(BAD_DATA, "track", other, "--model", "m.json", says=[other, "'f3'", "'f2'", "same order"])
        self.refused(BAD_DATA, "track", self.recorded[0], *self.states, "--fit-from", wide, says=["3 features", "4"])
        self.refused(BAD_DATA, "compare", self.recorded[0], wide, *self.states, says=["3 features", "4 features"])

    def test_state_never_visited(self):
        one = self.features(7, [0] * 50)
        self.refused(BAD_DATA, "track", one, *self.states, says=[one, "state right", "never attended"])
        self.refused(BAD_DATA, "track", self.recorded[0], *self.states, "--fit-from", one, says="state right")

    def test_names(self):
        self.refused(USAGE, "track", self.recorded[0], "--states", "left,left", "--emission", "mixture", says="different")
        self.refused(USAGE, "track", self.recorded[0], "--states", "left", "--emission", "mixture", says="two or more")
        self.refused(BAD_DATA, "track", self.recorded[0], "--states", "a,b", "--emission", "mixture",
                     says=["row 2", "'left'", "a, b"])
        self.refused(USAGE, "track", self.recorded[0], "--states", "left,right", says="--emission mixture")
        self.refused(USAGE, "track", self.recorded[0], *self.states, *BY_HAND, says="gaussian")
        self.write_scores("s.tsv", scores(3, self.labels))
        self.refused(USAGE, "track", "s.tsv", "--components", 2, *BY_HAND, says="--emission mixture")
        self.write("empty.tsv", "onset\tattended\n0\tleft\n1\tright\n")
        self.refused(BAD_DATA, "track", "empty.tsv", *self.states, says=["row 1", "no feature"])
        self.heed("track", self.recorded[0], *self.states, "--save-model", "m.json", "-o", "o.tsv")
        self.refused(USAGE, "track", self.recorded[0], "--model", "m.json", "--states", "l,r", says=["left,right"])
        self.refused(USAGE, "track", self.recorded[0], "--model", "m.json", "--components", 2, says="--model")

    def test_rivals_want_scores(self):
        self.refused(UNAVAILABLE, "track", self.recorded[0], *self.states, "--method", "state-space", says="features")


def log_density(x, mean, covariance):
    """Of three features, by the adjugate."""
    (a, b, c), (d, e, f), (g, h, i) = covariance[0:3], covariance[3:6], covariance[6:9]
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    inverse = [[e * i - f * h, c * h - b * i, b * f - c * e],
               [f * g - d * i, a * i - c * g, c * d - a * f],
               [d * h - e * g, b * g - a * h, a * e - b * d]]
    r = [u - v for u, v in zip(x, mean)]
    form = sum(r[p] * inverse[p][q] * r[q] for p in range(3) for q in range(3)) / determinant
    return -(form + math.log(determinant) + 3 * math.log(2 * math.pi)) / 2


if __name__ == "__main__":
    unittest.main()
