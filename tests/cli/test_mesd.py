# SPDX-License-Identifier: MIT
"""heed mesd: accuracies counted and gain chains laid out in plain Python."""
import math
import random
import statistics
import unittest

import oracle
from heed_program import HeedTest


def chain(p):
    """K and the target state, by running through the formulas as printed."""
    r = p / (1 - p)
    states = 5
    while True:
        state = math.floor(math.log(0.8 + 0.2 * r**states) / math.log(r) + 1 + 1e-12)
        if (state - 1) / (states - 1) >= 0.65 - 1e-12:
            return states, math.ceil(0.65 * (states - 1) + 1 - 1e-12)
        states += 1


def duration(p, window):
    q, (_, target) = 1 - p, chain(p)
    r = p / q
    weights = {i: r**-i for i in range(1, target)}
    hits = {i: (target - i) / (p - q) + p * (r**-target - r**-i) / (p - q) ** 2 for i in weights}
    return window * sum(weights[i] * hits[i] for i in weights) / sum(weights.values())


def mesd(curve):
    """(duration, window, accuracy) of the best of 1000 window lengths."""
    points = sorted(curve.items())
    first, last = points[0][0], points[-1][0]
    best = None
    for k in range(1000):
        window = first + (last - first) * k / 999
        below = max((point for point in points if point[0] <= window), key=lambda point: point[0])
        above = min((point for point in points if point[0] >= window - 1e-12), key=lambda point: point[0])
        share = 0 if above[0] == below[0] else (window - below[0]) / (above[0] - below[0])
        p = below[1] + share * (above[1] - below[1])
        if p > 0.5 + 1e-5:
            best = min(filter(None, [best, (duration(p, window), window, p)]))
    return best


class MesdTest(HeedTest):
    def write_listener(self, name, separations, speakers=2, windows=600):
        """{window: gap of the means}; gives {window: (accuracy, pairwise accuracy)}."""
        stream = random.Random(name)
        result = {}
        for window, gap in separations.items():
            attended = [t // 50 % speakers for t in range(windows)]
            rows = [[stream.gauss(gap if j == a else 0, 0.1) / 2 for j in range(speakers)] for a in attended]
            self.write_scores(f"c/sub-{name}_window-{window:02d}s_scores.tsv", rows, attended, window=window)
            wins = [sum(row[a] > x for x in row) for row, a in zip(rows, attended)]
            result[window] = (sum(w == speakers - 1 for w in wins) / windows, sum(wins) / windows / (speakers - 1))
        return result


class Curves(MesdTest):
    GAPS = {1: 0.03, 5: 0.06, 10: 0.09, 30: 0.15}

    def test_curves_and_durations_against_plain_python(self):
        listeners = {name: self.write_listener(name, self.GAPS) for name in ("01", "02")}
        result = self.heed_json("mesd", "c")
        self.assertEqual(set(result), {"participants", "mesd"})
        durations = []
        for row, (name, curve) in zip(result["participants"], listeners.items()):
            self.assertEqual((row["id"], row["speakers"]), (name, 2))
            self.assertEqual([point["window"] for point in row["curve"]], list(self.GAPS))
            for point in row["curve"]:
                self.assertIsInstance(point["windows"], int)
                self.assert_close([point["accuracy"], point["pairwise_accuracy"]], curve[point["window"]])
                self.assert_close(point["chance_bound"], oracle.chance_bound(2, 600))
            best = mesd({window: pairwise for window, (_, pairwise) in curve.items()})
            self.assert_close([row["mesd"], row["window"], row["accuracy"]], best, 1e-9)
            self.assertEqual((row["states"], row["target"]), chain(row["accuracy"]))
            durations.append(row["mesd"])
        self.assert_close([result["mesd"]["mean"], result["mesd"]["sd"]],
                          [statistics.fmean(durations), statistics.stdev(durations)])

    def test_table_for_people(self):
        curve = self.write_listener("01", self.GAPS)
        row = self.heed_json("mesd", "c")["participants"][0]
        text = self.heed("mesd", "c")
        self.assertEqual(self.said, "")
        for window, (accuracy, _) in curve.items():
            self.assertRegex(text, rf"(?m)^01 +{window} +600 +{100 * accuracy:.1f} ")
        self.assertRegex(text, rf"(?m)^01 +{row['mesd']:.2f} +{row['window']:.2f} .* {row['states']}$")

    def test_three_speakers_count_pairs(self):
        curve = self.write_listener("01", {1: 0.05, 5: 0.1}, speakers=3)
        row = self.heed_json("mesd", "c")["participants"][0]
        for point in row["curve"]:
            self.assert_close([point["accuracy"], point["pairwise_accuracy"]], curve[point["window"]])
        self.assert_close(row["mesd"], mesd({window: pairs for window, (_, pairs) in curve.items()})[0], 1e-9)
        self.assertIn("pairwise %", self.heed("mesd", "c"))

    def test_runs_of_one_window_length_are_pooled(self):
        self.write_listener("01", {1: 0.05, 5: 0.1})
        whole = self.heed_json("mesd", "c")
        for window in (1, 5):
            name = f"c/sub-01_window-{window:02d}s_scores.tsv"
            header, *rows = self.read(name).splitlines(keepends=True)
            (self.folder / name).unlink()
            for run, part in ((1, rows[:200]), (2, rows[200:])):
                self.write(f"c/sub-01_run-{run}_window-{window:02d}s_scores.tsv", header + "".join(part))
        self.assertEqual(self.heed_json("mesd", "c"), whole)

    def test_one_window_length_is_a_curve(self):
        (_, p), = self.write_listener("01", {2: 0.1}).values()
        row = self.heed_json("mesd", "c")["participants"][0]
        self.assert_close([row["mesd"], row["window"]], [duration(p, 2), 2], 1e-9)


class BadInput(MesdTest):
    def test_listeners_nobody_can_decide(self):
        self.write_listener("01", {1: -0.1, 5: -0.1})
        self.refused(65, "mesd", "c", says=["participant 01", "accuracy above chance"])
        self.write_listener("02", {1: 0.1, 5: 0.1})
        result = self.run_heed("mesd", "c")
        self.assertEqual(result.returncode, 1)
        self.assertIn("note: participant 01", result.stderr.decode())
        self.assertRegex(result.stdout.decode(), r"(?m)^01 +n/a")

    def test_no_labels(self):
        self.write_scores("c/sub-01_window-01s_scores.tsv", [[0.1, 0.2]] * 5)
        self.refused(65, "mesd", "c", says=["participant 01", "windows of 1 s", "attended"])

    def test_window_lengths_that_do_not_grow(self):
        self.write_listener("01", {1: 0.1})
        self.write("c/sub-01_window-1000ms_scores.tsv", self.read("c/sub-01_window-01s_scores.tsv"))
        self.refused(65, "mesd", "c", says=["participant 01", "windows of 1 s", "give them once"])

    def test_decoders_and_speakers_are_not_mixed(self):
        rows = [[0.1, 0.2], [0.3, 0.1]] * 10
        self.write_scores("d/sub-01_decoder-a_window-01s_scores.tsv", rows, [0] * 20)
        self.write_scores("d/sub-01_decoder-b_window-02s_scores.tsv", rows, [0] * 20, window=2)
        self.refused(65, "mesd", "d", says=["sub-01", "decoder-a, decoder-b"])
        self.write_scores("e/sub-01_window-01s_scores.tsv", rows, [0] * 20)
        self.write_scores("e/sub-01_window-02s_scores.tsv", rows, [0] * 20, window=2, speakers=["a", "b"])
        self.refused(65, "mesd", "e", says=["participant 01", "differ in speakers"])

    def test_no_files(self):
        self.refused(66, "mesd", "nowhere", says="nowhere")
        self.refused(2, "mesd", says="scores")


if __name__ == "__main__":
    unittest.main()
