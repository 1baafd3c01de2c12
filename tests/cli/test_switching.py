#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--switch-probability auto: a bank of filters against plain ones in logarithms, at every verb, and what was found."""
import json
import math
import unittest

import oracle
from heed_program import BY_HAND, HeedTest, parse_table, speaker_names
from svg_picture import Picture
from test_live_streams import LiveStreamTest, header, score_lines
from test_track import MU_A, MU_U, SIGMA, random_scores, thirds

PER_SECOND = [10 ** (k / 2 - 4) for k in range(7)]
AUTO = ("--switch-probability", "auto")
USAGE, UNSUPPORTED = 2, 69


class Bank:
    """The filters of one listener, trial after trial."""

    def __init__(self, states, hop=1.0):
        self.states = states
        self.values = [p for p in PER_SECOND if p <= 1 / states + 1e-12]
        self.per_window = [(1 - (1 - states * p) ** hop) / states for p in self.values]
        self.log_weights = [0.0] * len(self.values)
        self.log_evidence = 0.0

    def track(self, log_b, method, lag=0):
        hmms = [oracle.Hmm(oracle.sticky(self.states, p), log_b) for p in self.per_window]
        # A missing window adds nothing to any alpha but the chain, so the sum over states is the evidence so far.
        history = [oracle.softmax([w + oracle.log_sum(h.alpha[t]) for w, h in zip(self.log_weights, hmms)])
                   for t in range(len(log_b))]
        before = oracle.log_sum(self.log_weights)
        self.log_weights = [w + h.log_evidence() for w, h in zip(self.log_weights, hmms)]
        self.log_evidence += oracle.log_sum(self.log_weights) - before
        if method == "viterbi":
            return oracle.one_hot(hmms[history[-1].index(max(history[-1]))].viterbi(), self.states)
        rows = {"causal": lambda h: h.causal(), "smooth": lambda h: h.smooth(), "fixed-lag": lambda h: h.fixed_lag(lag)}
        each = [rows[method](h) for h in hmms]
        ahead = {"causal": 0, "smooth": len(log_b), "fixed-lag": lag}[method]
        return [[sum(w * each[g][t][j] for g, w in enumerate(history[min(t + ahead, len(log_b) - 1)]))
                 for j in range(self.states)] for t in range(len(log_b))]

    def posterior(self):
        return oracle.softmax(self.log_weights)


class Track(HeedTest):
    def setUp(self):
        super().setUp()
        self.trials = [random_scores(5, 60, 3, missing=(0, 7, 40)), random_scores(6, 50, 3)]
        names = speaker_names(3)
        rows = [[t, f"trial-{k}", *(row or [None] * 3)] for k, trial in enumerate(self.trials)
                for t, row in enumerate(trial)]
        self.write_table("s.tsv", ["onset", "trial", *names], rows)
        self.log_b = [oracle.gaussian(trial, MU_A, MU_U, SIGMA) for trial in self.trials]

    def test_every_method_over_the_trials_of_a_listener(self):
        for method, lag in (("causal", 0), ("smooth", 0), ("viterbi", 0), ("fixed-lag", 4)):
            with self.subTest(method):
                bank = Bank(3)
                expected = [row for trial in self.log_b for row in bank.track(trial, method, lag)]
                summary = json.loads(self.heed("track", "s.tsv", *BY_HAND, *AUTO, "--method", method, "--lag", "4",
                                               "-o", "out.tsv", "--digits", "17", "--json"))
                self.assert_close(self.read_table("out.tsv").numbers(*speaker_names(3)), expected, 1e-11)
                self.assertIsNone(summary["switch_probability"])
                self.assert_close(summary["log_evidence"], bank.log_evidence, 1e-9)
                self.assert_close(summary["switching"]["posterior"], bank.posterior(), 1e-11)
                self.assert_close(summary["switching"]["per_second"], PER_SECOND, 1e-15)
                self.assert_close(summary["switching"]["interval"], [1 / (2 * p) for p in PER_SECOND], 1e-9)
                sidecar = json.loads((self.folder / "out.json").read_text())
                self.assertEqual(sidecar["SwitchProbability"], "auto")
                self.assertEqual(sidecar["SwitchPosterior"]["Probability"], summary["switching"]["posterior"])

    def test_it_is_told_in_words(self):
        self.heed("track", "s.tsv", *BY_HAND, *AUTO, "-o", "out.tsv")
        self.assertIn("method causal, p unknown\n", self.said)
        self.assertRegex(self.said, r"the listener switches about every \S+ s \(p = \S+ per second, \d+ %")


    def test_values_are_per_second(self):
        self.write("half.json", '{"WindowLength": 0.5}')
        rows = random_scores(8, 80, 2)
        self.write_table("half.tsv", ["onset", *speaker_names(2)], [[t / 2, *row] for t, row in enumerate(rows)])
        bank = Bank(2, hop=0.5)
        expected = bank.track(oracle.gaussian(rows, MU_A, MU_U, SIGMA), "causal")
        table = parse_table(self.heed("track", "half.tsv", *BY_HAND, *AUTO, "--digits", "17"))
        self.assert_close(table.numbers(*speaker_names(2)), expected, 1e-11)

    def test_many_speakers_leave_values_out(self):
        self.write_scores("many.tsv", random_scores(3, 20, 64))
        summary = json.loads(self.heed("track", "many.tsv", *BY_HAND, *AUTO, "-o", "out.tsv", "--json"))
        self.assertEqual(len(summary["switching"]["posterior"]), 5)
        self.assertIn("0.03162, 0.1 per second are not tried", " ".join(summary["notes"]))

    def test_a_method_without_p_takes_no_notice(self):
        for method in ("raw", "probabilistic-gain", "markov-chain"):
            self.heed("track", "s.tsv", *BY_HAND, "--method", method, "-o", "plain.tsv")
            summary = json.loads(self.heed("track", "s.tsv", *BY_HAND, *AUTO, "--method", method, "-o", "out.tsv",
                                           "--json"))
            self.assertIsNone(summary["switching"])
            self.assertEqual((self.folder / "out.tsv").read_bytes(), (self.folder / "plain.tsv").read_bytes())
            self.refused(USAGE, "track", "s.tsv", *BY_HAND, *AUTO, "--method", method, "-o", "out.tsv",
                         "--plot-switching", "p.svg", says=("--switch-probability auto", "causal"))

    def test_the_picture(self):
        self.heed("track", "s.tsv", *BY_HAND, *AUTO, "-o", "out.tsv", "--plot-switching", "p.svg")
        picture = Picture((self.folder / "p.svg").read_bytes())
        self.assertIn("one switch every", " ".join(picture.words("values")))
        self.assertEqual(len(picture.groups("history")), 1)
        for ending in ("pdf", "png"):
            self.heed("track", "s.tsv", *BY_HAND, *AUTO, "-o", "out.tsv", "--plot-switching", f"p.{ending}")
        self.refused(USAGE, "track", "s.tsv", *BY_HAND, *AUTO, "--plot-switching", "p.jpg", says=(".svg",))
        self.refused(USAGE, "track", "s.tsv", *BY_HAND, "-p", "0.01", "-o", "new.tsv", "--plot-switching", "q.svg",
                     says=("add --switch-probability auto",))

    def test_paths(self):
        labels = thirds(40, 3)
        rows = random_scores(3, 40, 3)
        self.write_scores("labelled.tsv", rows, labels)
        log_b = oracle.gaussian(rows, MU_A, MU_U, SIGMA)
        joints, evidences = [], []
        for p in PER_SECOND:
            chain = oracle.sticky(3, p)
            prior = math.log(1 / 3) + sum(math.log(chain[i][j]) for i, j in zip(labels, labels[1:]))
            joints.append(prior + sum(b[j] for b, j in zip(log_b, labels)))
            evidences.append(oracle.Hmm(chain, log_b).log_evidence())
        found = json.loads(self.heed("track", "labelled.tsv", *BY_HAND, *AUTO, "-o", "out.tsv", "--path", "labels",
                                     "--json"))["path"]
        self.assert_close(found["log_joint"], oracle.log_sum(joints) - math.log(7), 1e-9)
        self.assert_close(found["log_posterior"], oracle.log_sum(joints) - oracle.log_sum(evidences), 1e-9)

    def test_what_does_not_go_together(self):
        self.write_scores("labelled.tsv", random_scores(3, 40, 2), thirds(40, 2))
        self.write("chain.tsv", "0.9\t0.1\n0.1\t0.9\n")
        track = ("track", "labelled.tsv", "-o", "out.tsv")
        self.refused(USAGE, *track, *BY_HAND, *AUTO, "--transition", "chain.tsv", says="either --switch-probability or")
        self.refused(USAGE, *track, *AUTO, "--fit", "labels", "--calibrate", says="leave the calibration out")
        self.refused(USAGE, *track, *AUTO, "--fit", "baum-welch", "--fit-switch-probability", says="choose one")
        for p in ("automatic", "nan", "0.1x"):
            self.refused(USAGE, *track, *BY_HAND, "-p", p, says="give a probability, such as 0.001, or auto")
        for p in ("0.51", "0", "-0.1"):
            self.refused(USAGE, *track, *BY_HAND, f"--switch-probability={p}", says=("above 0 and at most 1/N = 0.5",))

    def test_baum_welch_says_at_which_p_it_learns(self):
        self.write_scores("long.tsv", random_scores(3, 300, 2))
        self.heed("track", "long.tsv", *AUTO, "-o", "out.tsv")
        self.assertIn("at the usual switch probability of 0.001 per second", self.said)

    def test_adapting(self):
        self.heed("track", "s.tsv", *BY_HAND, *AUTO, "--fit", "adaptive", "-o", "out.tsv", "--json")


class Compare(HeedTest):
    def setUp(self):
        super().setUp()
        self.heed("simulate", "scores", "--participants", "4", "--trials", "2", "--accuracy", "0.7", "-o", "c")
        self.options = ("compare", "c", "--join", "--switch-every", "30", "--methods", "causal,smooth,raw")

    def test_it_follows_a_listener_who_switches_often(self):
        known, found = (self.heed_json(*self.options, *more) for more in ((), AUTO))
        self.assertEqual(len(found["switching"]), 4)
        for one in found["switching"]:
            self.assertIn(round(one["interval"][one["posterior"].index(max(one["posterior"]))]), (10, 32, 100))
        for k, name in enumerate(("causal", "smooth")):
            whole = [sum(p["whole_accuracy"] for p in c["methods"][k]["participants"]) / 4 for c in (known, found)]
            self.assertGreater(whole[1], whole[0] + 0.02, name)
        self.assertEqual(found["methods"][2], known["methods"][2] | {"wilcoxon": found["methods"][2]["wilcoxon"]})
        self.assertNotIn("switching", known)

    def test_the_table_says_how_often(self):
        text = self.heed(*self.options, *AUTO)
        self.assertRegex(text, r"p unknown: listeners switch about every [\d.]+ s \(median; [\d.]+ to [\d.]+ s\)")

    def test_the_curve_is_that_of_known_probabilities(self):
        self.heed(*self.options, *AUTO, "--plot", "t.svg")
        words = (self.folder / "t.svg").read_text()
        self.assertIn("large marks: p unknown", words)
        self.assertIn("mean at p = 0.01", words)

    def test_it_does_not_calibrate(self):
        self.refused(USAGE, *self.options, *AUTO, "--calibrate", says="leave the calibration out")

    def test_evidence_that_counts_twice_is_scaled_first(self):
        """Doubled scores look like switching; scaled, they give what single ones give."""
        for path in sorted((self.folder / "c").glob("*_scores.tsv")):
            table = parse_table(path.read_text())
            names = [n for n in table.header if n not in ("onset", "trial", "attended")]
            rows = [[*(float(table[n][t]) for n in ("onset",)), table["trial"][t], math.atanh(a) - math.atanh(b),
                     math.atanh(b) - math.atanh(a), table["attended"][t]]
                    for t, (a, b) in enumerate(table.numbers(*names))]
            self.write_table(f"d/{path.name}", ["onset", "trial", *names, "attended"], rows)
            self.write(f"d/{path.stem}.json", '{"ScoreType": "log-odds", "WindowLength": 1}')
        doubled = ("compare", "d", *self.options[2:], "--spread", "shared")
        scaled, twice = (self.heed_json(*doubled, *AUTO, *more) for more in ((), ("--evidence", "as-is")))
        self.assertTrue(all(t > 1.5 for t in scaled["temperatures"]))
        ece = [c["methods"][0]["ece"] for c in (scaled, twice)]
        self.assertLess(ece[0], ece[1])


class Live(LiveStreamTest):
    def test_it_is_the_offline_bank(self):
        rows = random_scores(4, 90, 2, missing=(5, 6))
        model = self.model()
        self.write_scores("s.tsv", rows)
        self.heed("track", "s.tsv", "--model", "model.json", *AUTO, "-o", "offline.tsv", "--digits", "17")
        text = (header(2) + score_lines(rows)).encode()
        said = json.loads(self.heed("live", "-", *model, *AUTO, "-o", "tsv:live.tsv", "--digits", "17", "--json",
                                    stdin=text))
        offline, live = (self.read_table(name).numbers(*speaker_names(2)) for name in ("offline.tsv", "live.tsv"))
        self.assertEqual(live, offline)
        sidecars = [json.loads((self.folder / name).read_text()) for name in ("offline.json", "live.json")]
        self.assertEqual([one["SwitchProbability"] for one in sidecars], ["auto", "auto"])
        self.assertEqual(said["switching"]["posterior"], sidecars[0]["SwitchPosterior"]["Probability"])

    def test_it_is_told_at_the_end(self):
        rows = random_scores(4, 30, 2)
        self.heed("live", "-", *self.model(), *AUTO, "-o", "ndjson:-", stdin=(header(2) + score_lines(rows)).encode())
        self.assertRegex(self.said, r"the listener switches about every \S+ s")
        self.heed("live", "-", *self.model(), "-o", "ndjson:-", stdin=(header(2) + score_lines(rows)).encode())
        self.assertNotIn("the listener switches", self.said)


if __name__ == "__main__":
    unittest.main()
