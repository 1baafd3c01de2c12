# SPDX-License-Identifier: MIT
"""heed track: posteriors against a plain log-domain HMM, every option, files and streams."""
import json
import math
import random
import subprocess
import unittest

import oracle
from heed_program import BY_HAND, PROGRAM, HeedTest, parse_table, speaker_names

MU_A, MU_U, SIGMA = 0.12, 0.04, 0.3
EXACT = ("--digits", "17")


def random_scores(seed, windows, speakers, missing=()):
    """Correlations, a little higher for the speaker of each third of the trial."""
    stream = random.Random(seed)
    rows = []
    for t in range(windows):
        attended = 3 * t // windows % speakers
        row = [math.tanh(stream.gauss(0.4 if j == attended else 0.0, 0.3)) for j in range(speakers)]
        rows.append(None if t in missing else row)
    return rows


def thirds(windows, speakers):
    return [3 * t // windows % speakers for t in range(windows)]


class TrackTest(HeedTest):
    def track(self, *arguments, stdin=b""):
        """Posteriors on standard output, exact."""
        return parse_table(self.heed("track", *arguments, *EXACT, stdin=stdin))

    def assert_posteriors(self, table, expected, tolerance=1e-12):
        names = [n for n in table.header if n not in ("onset", "trial", "decision", "attended")]
        self.assert_close(table.numbers(*names), expected, tolerance)


class Methods(TrackTest):
    """Three speakers, missing windows, an asymmetric start: each method against the oracle."""

    def setUp(self):
        super().setUp()
        self.rows = random_scores(1, 60, 3, missing=(0, 7, 8, 40))
        self.write_scores("s.tsv", self.rows)
        self.initial = [0.5, 0.3, 0.2]
        self.options = ("s.tsv", *BY_HAND, "-p", "0.03", "--initial", "0.5,0.3,0.2")
        b = oracle.gaussian(self.rows, MU_A, MU_U, SIGMA)
        self.hmm = oracle.Hmm(oracle.sticky(3, 0.03), b, self.initial)

    def check(self, method, expected, *options):
        table = self.track(*self.options, "--method", method, *options)
        self.assert_posteriors(table, expected)
        names = speaker_names(3)
        self.assertEqual(table["decision"], [names[j] for j in oracle.decide(expected)])

    def test_causal(self):
        self.check("causal", self.hmm.causal())

    def test_causal_is_the_default(self):
        self.assertEqual(self.heed("track", *self.options), self.heed("track", *self.options, "--method", "causal"))

    def test_smooth(self):
        self.check("smooth", self.hmm.smooth())

    def test_fixed_lag(self):
        self.check("fixed-lag", self.hmm.fixed_lag(5))
        self.check("fixed-lag", self.hmm.fixed_lag(2), "--lag", "2")
        self.check("fixed-lag", self.hmm.fixed_lag(3), "--lag", "2.5")
        self.check("fixed-lag", self.hmm.causal(), "--lag", "0")
        self.check("fixed-lag", self.hmm.smooth(), "--lag", "1e6")

    def test_viterbi_is_one_hot_on_the_best_path(self):
        table = self.track(*self.options, "--method", "viterbi")
        self.assert_posteriors(table, oracle.one_hot(self.hmm.viterbi(), 3), 0)
        self.assertEqual(table["decision"], [speaker_names(3)[j] for j in self.hmm.viterbi()])

    def test_raw_looks_at_each_window_alone(self):
        alone = oracle.Hmm([[1 / 3] * 3] * 3, self.hmm.log_b)
        self.check("raw", alone.causal())

    def test_log_evidence_switches_and_held_windows(self):
        for method, rows in {"causal": self.hmm.causal(), "smooth": self.hmm.smooth(),
                             "viterbi": oracle.one_hot(self.hmm.viterbi(), 3)}.items():
            summary = self.heed_json("track", *self.options, "--method", method, "-o", "out.tsv")
            decisions = oracle.decide(rows)
            self.assert_close(summary["log_evidence"], self.hmm.log_evidence())
            self.assertEqual(summary["switches"], sum(a != b for a, b in zip(decisions, decisions[1:])))
            self.assertEqual((summary["windows"], summary["held"], summary["trials"]), (60, 4, 1))
            self.assertEqual(summary["method"], method)
            self.assertEqual(summary["switch_probability"], 0.03)


class Paths(TrackTest):
    """--path: labels, decisions and other files' decisions, by the products of equations 1 to 3."""

    def setUp(self):
        super().setUp()
        self.rows = random_scores(3, 30, 3, missing=(5,))
        self.labels = thirds(30, 3)
        self.write_scores("s.tsv", self.rows, self.labels)
        self.options = ("track", "s.tsv", *BY_HAND, "-p", "0.03", "-o", "out.tsv")
        self.log_b = oracle.gaussian(self.rows, MU_A, MU_U, SIGMA)

    def expected(self, path):
        chain = oracle.sticky(3, 0.03)
        prior = math.log(1 / 3) + sum(math.log(chain[i][j]) for i, j in zip(path, path[1:]))
        return prior, prior + sum(self.log_b[t][j] for t, j in enumerate(path) if t != 5)

    def check(self, path, *options):
        summary = self.heed_json(*self.options, *options)
        prior, joint = self.expected(path)
        self.assert_close([summary["path"]["log_prior"], summary["path"]["log_joint"]], [prior, joint])
        self.assert_close(summary["path"]["log_posterior"], joint - summary["log_evidence"])

    def test_labels(self):
        self.check(self.labels, "--path", "labels")
        result = self.run_heed(*self.options, "--path", "labels")
        prior, joint = self.expected(self.labels)
        self.assertIn(f"path labels: log-probability {prior:.6g}, with the scores {joint:.6g}, given the scores",
                      result.stderr.decode())
        self.assertNotIn("path", self.heed_json(*self.options))

    def test_decisions_of_viterbi_are_the_most_probable(self):
        best = oracle.Hmm(oracle.sticky(3, 0.03), self.log_b).viterbi()
        self.check(best, "--method", "viterbi", "--path", "decisions")
        self.heed("track", "s.tsv", *BY_HAND, "-p", "0.03", "--method", "viterbi", "-o", "best.tsv")
        self.check(best, "--path", "best.tsv")
        found = [self.heed_json(*self.options, "--method", m, "--path", "decisions")["path"]["log_joint"]
                 for m in ("viterbi", "smooth", "causal")]
        self.assertEqual(max(found), found[0])

    def test_labels_that_are_not_known_are_summed_over(self):
        self.write_scores("s.tsv", self.rows, [None] * 30)
        self.assert_close(self.heed_json(*self.options, "--path", "labels")["path"]["log_posterior"], 0)

    def test_what_has_no_probability(self):
        self.refused(69, *self.options, "--method", "raw", "--path", "labels", says=("raw", "hidden Markov model"))
        self.refused(66, *self.options, "--path", "nothing.tsv", says=("nothing.tsv",))
        self.heed(*self.options)
        self.write_scores("two.tsv", random_scores(3, 30, 2))
        self.refused(65, "track", "two.tsv", *BY_HAND, "--path", "out.tsv", says=("the same speakers",))
        self.write_scores("short.tsv", self.rows[:9])
        self.refused(2, "track", "short.tsv", *BY_HAND, "--path", "out.tsv", says=("30 states for 9 windows",))


class Chains(TrackTest):
    def setUp(self):
        super().setUp()
        self.rows = random_scores(2, 50, 3)
        self.write_scores("s.tsv", self.rows)
        self.b = oracle.gaussian(self.rows, MU_A, MU_U, SIGMA)

    def matrix(self, name, rows):
        return self.write(name, "".join("\t".join(map(repr, row)) + "\n" for row in rows))

    def test_general_matrix_equal_to_the_sticky_one(self):
        self.matrix("a.tsv", oracle.sticky(3, 0.02))
        for method in ("causal", "smooth", "viterbi", "fixed-lag"):
            sticky = self.track("s.tsv", *BY_HAND, "-p", "0.02", "--method", method)
            general = self.track("s.tsv", *BY_HAND, "--transition", "a.tsv", "--method", method)
            self.assert_posteriors(general, sticky.numbers(*speaker_names(3)))
            self.assertEqual(general["decision"], sticky["decision"])

    def test_zeros_forbid_moves(self):
        # A conversation that only goes on: 1 -> 2 -> 3, never back.
        chain = [[0.95, 0.05, 0.0], [0.0, 0.95, 0.05], [0.0, 0.0, 1.0]]
        self.matrix("a.tsv", chain)
        hmm = oracle.Hmm(chain, self.b, [1.0, 0.0, 0.0])
        options = ("s.tsv", *BY_HAND, "--transition", "a.tsv", "--initial", "1,0,0")
        self.assert_posteriors(self.track(*options), hmm.causal())
        self.assert_posteriors(self.track(*options, "--method", "smooth"), hmm.smooth())
        path = self.track(*options, "--method", "viterbi")["decision"]
        self.assertEqual(path, [speaker_names(3)[j] for j in hmm.viterbi()])
        self.assertEqual(path, sorted(path))

    def test_matrix_has_no_single_switch_probability(self):
        self.matrix("a.tsv", oracle.sticky(3, 0.02))
        summary = self.heed_json("track", "s.tsv", *BY_HAND, "--transition", "a.tsv", "-o", "o.tsv")
        self.assertIsNone(summary["switch_probability"])
        self.assertNotIn("SwitchProbability", self.read_json("o.json"))

    def test_default_probability_grows_with_the_window(self):
        self.write_scores("s4.tsv", self.rows, window=4)
        for scaling, p in {"linear": 0.004, "exact": (1 - (1 - 3 * 0.001) ** 4) / 3}.items():
            options = ("s4.tsv", *BY_HAND, "--switch-scaling", scaling)
            self.assert_posteriors(self.track(*options), oracle.Hmm(oracle.sticky(3, p), self.b).causal())
            self.assert_close(self.heed_json("track", *options, "-o", "o.tsv")["switch_probability"], p)
        self.assertEqual(self.heed("track", "s4.tsv", *BY_HAND),
                         self.heed("track", "s4.tsv", *BY_HAND, "--switch-scaling", "linear"))

    def test_largest_probability_is_no_memory(self):
        third = repr(1 / 3)
        self.assert_posteriors(self.track("s.tsv", *BY_HAND, "-p", third),
                               self.track("s.tsv", *BY_HAND, "--method", "raw").numbers(*speaker_names(3)))

    def test_long_and_short_name_and_place_of_options(self):
        expected = self.heed("track", "s.tsv", *BY_HAND, "-p", "0.02", "--initial", "0.2,0.3,0.5")
        self.assertEqual(expected, self.heed("track", "--switch-probability", "0.02", "--initial", "0.2,0.3,0.5",
                                             "s.tsv", *BY_HAND))
        self.assertEqual(expected, self.heed("track", "--initial=0.2,0.3,0.5", "-p0.02", *BY_HAND, "s.tsv"))


class Emissions(TrackTest):
    def test_gaussian_takes_any_number(self):
        rows = [[3.0, -2.0], [0.5, 4.0], [-1.0, 2.5]]
        self.write_scores("s.tsv", rows)
        hmm = oracle.Hmm(oracle.sticky(2, 0.001), oracle.gaussian(rows, 2, -1, 1.5, fisher=False))
        options = ("--emission", "gaussian", "--mu-attended", "2", "--mu-unattended", "-1", "--sigma", "1.5")
        self.assert_posteriors(self.track("s.tsv", *options), hmm.causal())

    def test_correlations_of_one_are_drawn_in(self):
        rows = [[1.0, -1.0], [0.2, 0.1]]
        self.write_scores("s.tsv", rows)
        drawn = [[1 - 1e-7, -1 + 1e-7], [0.2, 0.1]]
        hmm = oracle.Hmm(oracle.sticky(2, 0.001), oracle.gaussian(drawn, MU_A, MU_U, SIGMA))
        self.assert_posteriors(self.track("s.tsv", *BY_HAND), hmm.causal(), 1e-9)

    def test_log_likelihoods_as_given_with_the_impossible(self):
        rows = [[-1.0, -2.0, -3.0], [-math.inf, 0.5, -0.5], [2.0, 1.0, -math.inf], [0.0, 0.1, 0.2]]
        self.write_table("s.tsv", ["a", "b", "c"], [[cell if cell > -math.inf else "-inf" for cell in r] for r in rows])
        table = self.track("s.tsv", "--emission", "log-likelihood", "-p", "0.1")
        hmm = oracle.Hmm(oracle.sticky(3, 0.1), rows)
        self.assert_posteriors(table, hmm.causal())
        self.assertEqual(table.numbers("a")[1], [0.0])

    def test_softmax_divides_the_class_priors_out(self):
        rows = [[1.0, -2.0], [0.5, 0.25], [-3.0, 1.0]]
        self.write_scores("s.tsv", rows)
        flat = oracle.Hmm(oracle.sticky(2, 0.05), rows)
        self.assert_posteriors(self.track("s.tsv", "--emission", "softmax", "-p", "0.05"), flat.causal())
        weighed = [[x - math.log(q) for x, q in zip(row, (0.8, 0.2))] for row in rows]
        hmm = oracle.Hmm(oracle.sticky(2, 0.05), weighed)
        table = self.track("--class-priors", "0.8,0.2", "s.tsv", "--emission", "softmax", "-p", "0.05")
        self.assert_posteriors(table, hmm.causal())

    def test_sidecar_says_what_scores_are(self):
        self.write_scores("s.tsv", [[3.0, -2.0], [0.5, 4.0]])
        self.write("s.json", json.dumps({"ScoreType": "log-odds", "WindowLength": 1}))
        summary = self.heed_json("track", "s.tsv", "--mu-attended", "2", "--mu-unattended", "-1", "--sigma", "1",
                                 "-o", "o.tsv")
        self.assertTrue(summary["emission"].startswith("gaussian"), summary)


class Fitting(TrackTest):
    def setUp(self):
        super().setUp()
        self.rows = random_scores(3, 90, 3, missing=(5, 33))
        self.labels = [None if t in (29, 30) else a for t, a in enumerate(thirds(90, 3))]
        self.write_scores("s.tsv", self.rows, self.labels)

    def model(self, *options):
        self.heed("track", *options, "--save-model", "m.json", "-o", "o.tsv")
        return self.read_json("m.json")

    def assert_fit(self, model, expected):
        emission = model["Emission"]
        sigma = "sigma" if emission["Spread"] != "separate" else "sigma_attended"
        other = "sigma" if emission["Spread"] != "separate" else "sigma_unattended"
        self.assert_close([emission[k] for k in ("MuAttended", "MuUnattended", "SigmaAttended", "SigmaUnattended")],
                          [expected["mu_attended"], expected["mu_unattended"], expected[sigma], expected[other]])

    def test_labels_of_the_scores_themselves(self):
        expected = oracle.fit([list(zip(self.rows, self.labels))])
        for options in ((), ("--fit", "labels")):
            model = self.model("s.tsv", *options)
            self.assert_fit(model, expected)
            self.assertEqual((model["Emission"]["Kind"], model["Participants"]), ("fisher-gaussian", 1))
            self.assertIn("heed: note: ", self.said)
            self.assertIn("same scores", self.said)
        b = oracle.gaussian(self.rows, expected["mu_attended"], expected["mu_unattended"], expected["sigma"])
        self.assert_posteriors(self.track("s.tsv"), oracle.Hmm(oracle.sticky(3, 0.001), b).causal())

    def test_labels_of_others(self):
        cohort = []
        for k, windows in enumerate((60, 90, 30)):
            rows, labels = random_scores(10 + k, windows, 3), thirds(windows, 3)
            self.write_scores(f"cohort/sub-0{k + 1}_scores.tsv", rows, labels)
            cohort.append(list(zip(rows, labels)))
        model = self.model("s.tsv", "--fit", "labels", "--fit-from", "cohort")
        self.assert_fit(model, oracle.fit(cohort))
        self.assertEqual(model["Participants"], 3)
        self.assertNotIn("same scores", self.said)
        files = [f"cohort/sub-0{k}_scores.tsv" for k in (3, 1, 2)]
        self.assertEqual(model, self.model("s.tsv", "--fit-from", *files))
        self.assertEqual(model, self.model("--fit-from", *files, "--", "s.tsv"))
        self.assert_fit(self.model("s.tsv", "--fit-from", *files[:2]), oracle.fit([cohort[2], cohort[0]]))

    def test_spreads(self):
        expected = oracle.fit([list(zip(self.rows, self.labels))])
        self.assert_fit(self.model("s.tsv", "--spread", "shared"), expected)
        self.assert_fit(self.model("s.tsv", "--spread", "separate"), expected)
        b = oracle.gaussian(self.rows, expected["mu_attended"], expected["mu_unattended"], expected["sigma_attended"],
                            sigma_unattended=expected["sigma_unattended"])
        self.assert_posteriors(self.track("s.tsv", "--spread", "separate"),
                               oracle.Hmm(oracle.sticky(3, 0.001), b).causal())

    def test_exchangeable_counts_one_difference_once(self):
        # right = -left: the pair says no more than the left score alone, whose log-odds are 2 mu z / sigma^2.
        stream = random.Random(4)
        z = [stream.gauss(0.5 if t < 40 else -0.5, 1) for t in range(80)]
        rows = [[x, -x] for x in z]
        self.write_scores("d.tsv", rows, [0] * 40 + [1] * 40)
        fitted = oracle.fit([list(zip(rows, [0] * 40 + [1] * 40))], fisher=False)
        slope = 2 * fitted["mu_attended"] / fitted["sigma"] ** 2
        hmm = oracle.Hmm(oracle.sticky(2, 0.001), [[slope * x / 2, -slope * x / 2] for x in z])
        table = self.track("d.tsv", "--emission", "gaussian", "--spread", "exchangeable")
        self.assert_posteriors(table, hmm.causal(), 1e-10)

    def test_saved_model_gives_the_same_bytes(self):
        for spread in ("shared", "separate", "exchangeable"):
            self.heed("track", "s.tsv", "--spread", spread, "--save-model", "m.json", "-o", "a.tsv", *EXACT)
            self.heed("track", "s.tsv", "--model", "m.json", "--save-model", "m2.json", "-o", "b.tsv", *EXACT)
            self.assertEqual(self.read("a.tsv"), self.read("b.tsv"))
            self.assertEqual(self.read("m.json"), self.read("m2.json"))
            self.assertEqual(self.read_json("a.json"), self.read_json("b.json"))

    def test_model_through_a_pipe(self):
        expected = self.heed("track", "s.tsv", "--save-model", "m.json")
        shell = subprocess.run(["bash", "-c", '"$0" track s.tsv --model <(cat m.json)', PROGRAM], cwd=self.folder,
                               capture_output=True, check=True)
        self.assertEqual(shell.stdout.decode(), expected)

    def test_model_of_other_windows_is_noted(self):
        self.write_scores("s2.tsv", self.rows, window=2)
        self.heed("track", "s.tsv", "--save-model", "m.json", "-o", "o.tsv")
        summary = self.heed_json("track", "s2.tsv", "--model", "m.json", "-o", "o.tsv")
        self.assertEqual(summary["window"], 2)
        self.assertIn("fitted to windows of 1 s", " ".join(summary["notes"]))


if __name__ == "__main__":
    unittest.main()
