# SPDX-License-Identifier: MIT
"""The rivals of the HMM in heed track and heed compare, against the walks written out in plain Python."""
import math
import random
import unittest

import oracle
from heed_program import BY_HAND, HeedTest


def random_rows(seed, windows, speakers=2, missing=()):
    stream = random.Random(seed)
    rows = [[math.tanh(stream.gauss(0.1 if j == 0 else 0.0, 0.3)) for j in range(speakers)] for _ in range(windows)]
    return [None if t in missing else row for t, row in enumerate(rows)]


def walk(drives, step):
    """Gains of the first of two speakers; a drive of 0 holds."""
    gain, gains = 0.5, []
    for drive in drives:
        gain = min(1, max(0, gain + step * drive))
        gains.append(gain)
    return gains


class Rivals(HeedTest):
    def setUp(self):
        super().setUp()
        self.rows = random_rows(1, 200, missing=(3, 50, 51))
        self.write_scores("s.tsv", self.rows)

    def tracked(self, *options):
        self.heed("track", "s.tsv", "-o", "o.tsv", "--digits", "17", *options)
        return [float(row[1]) for row in self.read_table("o.tsv").rows]

    def signs(self):
        return [0 if row is None else (row[0] > row[1]) - (row[0] < row[1]) for row in self.rows]

    def test_markov_chain(self):
        self.assert_close(self.tracked("--method", "markov-chain"), walk(self.signs(), 1 / 16))
        for words in ("method markov-chain, 17 states", "3 held", "decided"):
            self.assertIn(words, self.said)
        self.assertNotIn("emission", self.said)
        self.assertNotIn("log-evidence", self.said)
        self.assert_close(self.tracked("--method", "markov-chain", "--gain-states", "6"), walk(self.signs(), 1 / 5))

    def test_markov_chain_by_other_listeners(self):
        stream = random.Random(2)
        rows = [[stream.gauss(0.1, 0.1), stream.gauss(0, 0.1)] for _ in range(5000)]
        self.write_scores("other.tsv", rows, [0] * 5000)
        right = sum(row[0] > row[1] for row in rows) / 5000
        self.assertTrue(0.72 < right < 0.8, right)  # the smallest chain, of 5 states
        options = ("--method", "markov-chain", "--fit-from", "other.tsv")
        self.assert_close(self.tracked(*options), walk(self.signs(), 1 / 4))
        self.assertIn("5 states", self.said)
        self.assert_close(self.tracked(*options, "--gain-states", "9"), walk(self.signs(), 1 / 8))
        self.write_scores("other.tsv", rows, [1] * 5000)
        self.assert_close(self.tracked(*options), walk(self.signs(), 1 / 100))
        self.assertIn("too poorly", self.said)

    def test_probabilistic_gain(self):
        logs = oracle.gaussian([row or [0, 0] for row in self.rows], 0.12, 0.04, 0.3)
        drives = [0 if row is None else math.tanh((b[0] - b[1]) / 2) for row, b in zip(self.rows, logs)]
        self.assert_close(self.tracked("--method", "probabilistic-gain", *BY_HAND), walk(drives, 0.4))
        self.assertIn("emission", self.said)
        options = ("--method", "probabilistic-gain", "--gain-step", "0.15", *BY_HAND)
        self.assert_close(self.tracked(*options), walk(drives, 0.15))

    def test_state_space(self):
        plain = self.tracked("--method", "state-space")
        self.assertEqual(plain[:14], [0.5] * 14)
        self.assertTrue(all(0 < p < 1 and p != 0.5 for p in plain[14:]))
        compatible = self.tracked("--method", "state-space", "--state-space-compatible")
        self.assertNotEqual(compatible, plain)
        self.assert_close(compatible, plain, 0.1)

    def test_sidecar_and_summary_hold_what_is_used(self):
        summary = self.heed_json("track", "s.tsv", "--method", "markov-chain", "-o", "o.tsv")
        self.assertEqual(summary["gain_states"], 17)
        for name in ("emission", "switch_probability", "log_evidence"):
            self.assertIsNone(summary[name])
        sidecar = self.read_json("o.json")
        self.assertEqual((sidecar["Method"], sidecar["LookAhead"], sidecar["LogEvidence"]), ("markov-chain", 0, None))
        self.assertNotIn("Emission", sidecar)

    def test_what_cannot_be_done_is_said(self):
        self.write_scores("three.tsv", random_rows(3, 40, 3))
        self.write_scores("slow.tsv", random_rows(4, 40), window=30)
        self.refused(69, "track", "three.tsv", "--method", "state-space", "-o", "o.tsv", says="for two speakers, not 3")
        self.refused(69, "track", "slow.tsv", "--method", "state-space", "-o", "o.tsv", says="too long")
        self.refused(2, "track", "s.tsv", "--method", "markov-chain", "--save-model", "m.json", says="no emission")
        for wrong in ("1", "0", "-3", "many"):
            self.refused(2, "track", "s.tsv", "--method", "markov-chain", "--gain-states", wrong, says="--gain-states")
        for wrong in ("0", "-0.1", "much"):
            self.refused(2, "track", "s.tsv", "--gain-step", wrong, says="--gain-step")


class Compared(HeedTest):
    def write_cohort(self, speakers):
        for k in range(3):
            attended = [t // 60 % speakers for t in range(180)]
            stream = random.Random(k)
            rows = [[math.tanh(stream.gauss(0.25 if j == a else 0, 0.3)) for j in range(speakers)] for a in attended]
            self.write_scores(f"c/sub-{k}_scores.tsv", rows, attended)

    def test_all_by_default(self):
        self.write_cohort(2)
        methods = self.heed_json("compare", "c")["methods"]
        self.assertEqual([method["name"] for method in methods],
                         ["causal", "fixed-lag", "smooth", "viterbi", "markov-chain", "probabilistic-gain",
                          "state-space", "raw"])
        self.assertEqual(self.said, "")
        for method in methods:
            states = [row["gain_states"] for row in method["participants"]]
            self.assertTrue(all(5 <= k <= 12 for k in states) if method["name"] == "markov-chain" else
                            states == [None] * 3, states)

    def test_options_reach_the_methods(self):
        self.write_cohort(2)
        plain = self.heed_json("compare", "c", "--methods", "markov-chain,probabilistic-gain,state-space")
        other = self.heed_json("compare", "c", "--methods", "markov-chain,probabilistic-gain,state-space",
                               "--gain-states", "31", "--gain-step", "0.05", "--state-space-compatible")
        self.assertEqual([row["gain_states"] for row in other["methods"][0]["participants"]], [31] * 3)
        for one, two in zip(plain["methods"], other["methods"]):
            self.assertNotEqual([row["brier"] for row in one["participants"]], [row["brier"] for row in two["participants"]])

    def test_three_speakers_leave_the_state_space_model_out(self):
        self.write_cohort(3)
        names = [method["name"] for method in self.heed_json("compare", "c")["methods"]]
        self.assertNotIn("state-space", names)
        self.assertIn("markov-chain", names)
        self.assertIn("state-space is left out: it is for two speakers, not 3", self.said)
        self.refused(69, "compare", "c", "--methods", "causal,state-space", says="for two speakers, not 3")


if __name__ == "__main__":
    unittest.main()
