# SPDX-License-Identifier: MIT
"""heed evaluate: every measure recomputed from its definition."""
import json
import math
import random
import statistics
import unittest

import oracle
from heed_program import BY_HAND, HeedTest, speaker_names

USAGE = 2
COUNTS = ("missed", "switches", "windows", "steady_windows")


def wandering(seed, windows, speakers, hold):
    """Speakers that change now and then, about every `hold` windows."""
    stream = random.Random(seed)
    states = [stream.randrange(speakers)]
    while len(states) < windows:
        states.append(stream.randrange(speakers) if stream.random() < 1 / hold else states[-1])
    return states


def posteriors_deciding(states, speakers, seed):
    """Rows of four decimals whose largest is the state."""
    stream = random.Random(seed)
    rows = []
    for state in states:
        top = stream.randrange(10000 // speakers + speakers, 10001)
        row = [(10000 - top) // (speakers - 1)] * speakers
        row[state] = 10000 - (10000 - top) // (speakers - 1) * (speakers - 1)
        rows.append([x / 10000 for x in row])
    return rows


class EvaluateTest(HeedTest):
    def write_posteriors(self, name, trials, window=1, sidecar=None):
        """Trials: (posterior rows, decisions, attended)."""
        speakers = speaker_names(len(trials[0][0][0]))
        lines = [[t * window, f"t{k}", *row, speakers[d], None if a is None else speakers[a]]
                 for k, (rows, decisions, attended) in enumerate(trials)
                 for t, (row, d, a) in enumerate(zip(rows, decisions, attended))]
        self.write_table(name, ["onset", "trial", *speakers, "decision", "attended"], lines)
        if sidecar:
            self.write(name.replace(".tsv", ".json"), json.dumps(sidecar))
        return name

    def random_trial(self, seed, windows, speakers, unknown=0.0):
        stream = random.Random(-seed - 1)
        attended = [None if stream.random() < unknown else a for a in wandering(seed, windows, speakers, 25)]
        decisions = wandering(seed + 500, windows, speakers, 12)
        # Follow the truth half of the time, some windows late or early.
        shift = stream.randrange(-5, 6)
        for t in range(windows):
            source = t - shift
            if 0 <= source < windows and attended[source] is not None and t // 40 % 2 == 0:
                decisions[t] = attended[source]
        return posteriors_deciding(decisions, speakers, seed), decisions, attended

    def assert_measures(self, row, trials, window=1, look_ahead=0):
        expected = oracle.Metric([(d, a) for _, d, a in trials], window, look_ahead).measures()
        for name, value in expected.items():
            self.assert_close(row[name], value, 0 if name in COUNTS else 1e-12, name)
            if name in COUNTS:
                self.assertIsInstance(row[name], int, name)


def gain_targets(row, word, distance):
    """Shares of the way from -distance to 0 dB, by the definitions of docs/mathematics.md."""
    n, top = len(row), max(row)
    chosen = [1.0 if p == top else 0.0 for p in row] if row.count(top) == 1 else [1 / n] * n
    if word == "decibels":
        return row
    if word == "decision":
        return chosen
    if word == "dead-zone":
        return chosen if top > 0.8 else [1 / n] * n
    if word == "2dB/nat":
        lower = [max(2 * math.log(p / top), -distance) if p > 0 else -distance for p in row]
    else:
        ratio = [math.tanh(abs(math.log(p / top)) / 4) / math.tanh(2 * 0.12 * 3) if p > 0 else 1 for p in row]
        lower = [-min(math.atanh(x) / 0.24, distance) if x < 1 else -distance for x in ratio]
    return [1 / n + (x - sum(lower) / n) / distance for x in lower]


def gains_of(rows, word, distance=12, slew=6, hop=1):
    gains = [[-distance + distance / len(rows[0])] * len(rows[0])]
    for row in rows:
        wanted = [-distance + distance * share for share in gain_targets(row, word, distance)]
        gains.append([a + max(-slew * hop, min(slew * hop, w - a)) for a, w in zip(gains[-1], wanted)])
    return gains[1:]


def gain_worth(trials, hop=1):
    """Trials: (gains, attended)."""
    benefits, moved, windows = [], 0, 0
    for gains, attended in trials:
        windows += len(gains)
        for before, now in zip(gains, gains[1:]):
            moved += max(abs((b - a) - (d - c)) for a, b in zip(before, now) for c, d in zip(before, now))
        for row, who in zip(gains, attended):
            if who is None:
                continue
            others = [10 ** (a / 10) for k, a in enumerate(row) if k != who]
            benefits.append(row[who] - 10 * math.log10(sum(others) / len(others)))
    return {"benefit": statistics.mean(benefits), "wrong_emphasis": 60 * statistics.mean(max(0, -b) for b in benefits),
            "travel": 60 * moved / (windows * hop), "wrong_share": statistics.mean(b < -3 for b in benefits)}


class Gains(EvaluateTest):
    def test_every_map_against_its_definition(self):
        for speakers in (2, 3, 5):
            trials = [self.random_trial(seed, 120, speakers, 0.1) for seed in (1, 2)]
            self.write_posteriors("g_posterior.tsv", trials)
            maps = ["decibels", "decision", "dead-zone", "2dB/nat"] + (["intelligibility"] if speakers == 2 else [])
            for options, distance, slew in (((), 12, 6), (("--range", 9, "--slew", 100), 9, 100)):
                row = self.heed_json("evaluate", "g_posterior.tsv", "--gain", ",".join(maps), *options)["participants"][0]
                self.assertEqual(list(row["gains"]), maps)
                for word in maps:
                    expected = gain_worth([(gains_of(rows, word, distance, slew), attended) for rows, _, attended in trials])
                    for name, value in expected.items():
                        self.assert_close(row["gains"][word][name], value, 1e-9, f"{word} {name}")

    def test_the_table(self):
        for name in ("sub-01", "sub-02"):
            self.write_posteriors(f"p/{name}_posterior.tsv", [self.random_trial(3, 60, 2)])
        text = self.heed("evaluate", "p", "--gain", "2dB/nat", "--gain", "dead-zone:0.9")
        self.assertIn("gains: 12 dB, at most 6 dB/s\n", text)
        for words in ("benefit dB", "wrong dB s/min", "travel dB/min", "below -3 dB %", "mean ± SD", "dead-zone:0.9"):
            self.assertIn(words, text)
        self.assertNotIn("gains", self.heed("evaluate", "p"))

    def test_bad_gains(self):
        self.write_posteriors("a_posterior.tsv", [self.random_trial(3, 60, 2)])
        self.write_posteriors("b_posterior.tsv", [self.random_trial(3, 60, 3)])
        for options, says in ((("--gain", "2dB"), ["'2dB'", "2dB/nat"]), (("--gain", "loud"), ["'loud'", "dead-zone"]),
                              (("--gain", "2dB/nat", "--range", 0), ["range above 0 dB", "not 0"]),
                              (("--gain", "2dB/nat", "--range", -9), ["range above 0 dB", "not -9"]),
                              (("--gain", "2dB/nat", "--slew", 0), "slew limit"), (("--gain", "0dB/nat"), "above 0, not 0"),
                              (("--gain", "dead-zone:1"), "below 1"), (("--range", 9), "--gain")):
            self.refused(USAGE, "evaluate", "a_posterior.tsv", *options, says=says)
        self.refused(USAGE, "evaluate", "b_posterior.tsv", "--gain", "2dB/nat", "--slew", 0,
                     says="heed: the slew limit of gains must be above 0 dB/s, not 0")
        self.refused(USAGE, "evaluate", "b_posterior.tsv", "--gain", "intelligibility", says=["two speakers, not for 3", "dead-zone"])


class Measures(EvaluateTest):
    def test_a_switch_noticed_late_foreseen_and_missed(self):
        # Attended   0 0 0 0 1 1 1 1 0 0 0 0 1 1 1 1
        # Decided    0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0   late by 2; foreseen by 1 (run from 7); foreseen by 1
        attended = [0] * 4 + [1] * 4 + [0] * 4 + [1] * 4
        decisions = [0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0]
        self.write_posteriors("a_posterior.tsv", [(oracle.one_hot(decisions, 2), decisions, attended)], window=2)
        row = self.heed_json("evaluate", "a_posterior.tsv")["participants"][0]
        self.assertEqual((row["switches"], row["missed"]), (3, 0))
        self.assert_close([row["switch_time"], row["signed_switch_time"], row["first_hit_time"]],
                          [2 * (2 + 1 + 1) / 3, 2 * (2 - 1 - 1) / 3, 2 * 2 / 3])
        self.assert_close(row["median_switch_time"], 2)
        self.assert_close(row["latency_inclusive_time"], 2 * (2 + 1 + 1) / 3 + 2)
        # Steady: 0-3 (3 right), 6-7 (1), 8-11 (3), 12-15 (1).
        self.assertEqual(row["steady_windows"], 14)
        self.assert_close(row["accuracy"], 8 / 14)
        self.assert_close(row["whole_accuracy"], 8 / 16)
        # Changes at 1, 2, 6, 7, 11, 13; detected were 6, 7 and 11: three are false, in 32 s.
        self.assert_close(row["false_switch_rate"], 3 / (32 / 60))

    def test_missed(self):
        attended = [0] * 5 + [1] * 5
        decisions = [0] * 10
        self.write_posteriors("a_posterior.tsv", [(oracle.one_hot(decisions, 2), decisions, attended)])
        row = self.heed_json("evaluate", "a_posterior.tsv")["participants"][0]
        self.assertEqual((row["switches"], row["missed"], row["miss_rate"]), (1, 1, 1))
        self.assert_close([row["switch_time"], row["first_hit_time"], row["accuracy"]], [5, 5, 0.5])

    def test_random_trials_against_the_definition(self):
        for seed, speakers, window in ((1, 2, 1), (2, 3, 0.5), (3, 4, 5)):
            trials = [self.random_trial(seed * 10 + k, 200, speakers, unknown=0.05) for k in range(3)]
            self.write_posteriors("a_posterior.tsv", trials, window=window)
            row = self.heed_json("evaluate", "a_posterior.tsv")["participants"][0]
            self.assertGreater(row["switches"], 5)
            self.assert_measures(row, trials, window)
            self.assertEqual(row["chance"], 1 / speakers)
            self.assert_close(row["chance_bound"], oracle.chance_bound(speakers, int(row["windows"])))

    def test_calibration(self):
        for speakers in (2, 3):
            trials = [self.random_trial(70 + k, 150, speakers, unknown=0.1) for k in range(2)]
            self.write_posteriors("a_posterior.tsv", trials)
            row = self.heed_json("evaluate", "a_posterior.tsv")["participants"][0]
            brier, loss, error, bins = oracle.calibration([r for t in trials for r in t[0]], [a for t in trials for a in t[2]])
            self.assert_close([row["brier"], row["log_loss"], row["ece"]], [brier, loss, error])
            self.assertEqual(len(row["reliability"]), 10)
            for k, (point, content) in enumerate(zip(row["reliability"], bins)):
                self.assert_close([point["lower"], point["upper"], point["count"]], [k / 10, (k + 1) / 10, len(content)])
                self.assert_close(point["confidence"], statistics.fmean(c for c, _ in content) if content else None)
                self.assert_close(point["accuracy"], statistics.fmean(r for _, r in content) if content else None)

    def test_look_ahead_counts_in_the_latency(self):
        trials = [self.random_trial(5, 300, 2)]
        for said, counted in ((0, 0), (3.5, 3.5), ("end of trial", math.inf)):
            self.write_posteriors("a_posterior.tsv", trials, sidecar={"LookAhead": said, "WindowLength": 1})
            row = self.heed_json("evaluate", "a_posterior.tsv")["participants"][0]
            self.assert_measures(row, trials, look_ahead=counted)

    def test_no_switches_no_switch_time(self):
        decisions = [0, 0, 1, 0]
        self.write_posteriors("a_posterior.tsv", [(oracle.one_hot(decisions, 2), decisions, [0] * 4)])
        result = self.heed_json("evaluate", "a_posterior.tsv")
        row = result["participants"][0]
        for name in ("switch_time", "median_switch_time", "signed_switch_time", "first_hit_time",
                     "latency_inclusive_time", "miss_rate"):
            self.assertIsNone(row[name], name)
        self.assertEqual((row["switches"], row["missed"], row["accuracy"]), (0, 0, 0.75))
        self.assertEqual(result["switch_time"], {"mean": None, "sd": None})
        self.assertIn("n/a", self.heed("evaluate", "a_posterior.tsv").splitlines()[1])


class Cohorts(EvaluateTest):
    def setUp(self):
        super().setUp()
        self.trials = {name: [self.random_trial(20 + k, 300, 2)] for k, name in enumerate(("01", "02", "10"))}
        for name, trials in self.trials.items():
            self.write_posteriors(f"all/sub-{name}_posterior.tsv", trials)

    def test_mean_and_spread_over_participants(self):
        result = self.heed_json("evaluate", *(f"all/sub-{name}_posterior.tsv" for name in ("10", "01", "02")))
        self.assertEqual([row["id"] for row in result["participants"]], ["01", "02", "10"])
        for row in result["participants"]:
            self.assert_measures(row, self.trials[row["id"]])
        for name in ("accuracy", "switch_time"):
            values = [row[name] for row in result["participants"]]
            self.assert_close([result[name]["mean"], result[name]["sd"]],
                              [statistics.fmean(values), statistics.stdev(values)])

    def test_folders_are_searched(self):
        expected = self.heed("evaluate", *(f"all/sub-{name}_posterior.tsv" for name in ("01", "02", "10")))
        self.write("all/deep/er/notes.txt", "no posteriors")
        (self.folder / "all/sub-02_posterior.tsv").rename(self.folder / "all/deep/er/sub-02_posterior.tsv")
        self.assertEqual(self.heed("evaluate", "all"), expected)
        self.assertEqual(self.heed("evaluate", "."), expected)

    def test_table_for_people(self):
        lines = self.heed("evaluate", "all").splitlines()
        self.assertEqual([line.split()[0] for line in lines[1:4]], ["01", "02", "10"])
        result = self.heed_json("evaluate", "all")
        for line, row in zip(lines[1:4], result["participants"]):
            self.assertIn(f"{100 * row['accuracy']:.1f}", line)
            self.assertIn(f"{row['switch_time']:.1f}", line)
        self.assertIn(f"{100 * result['accuracy']['mean']:.1f} ± {100 * result['accuracy']['sd']:.1f} %", lines[-1])

    def test_files_of_one_participant_are_pooled(self):
        both = [self.random_trial(40, 100, 2), self.random_trial(41, 120, 2)]
        for k, trial in enumerate(both):
            self.write_posteriors(f"runs/sub-03_run-{k + 1}_posterior.tsv", [trial])
        self.write_posteriors("sub-03_posterior.tsv", both)
        expected = self.heed_json("evaluate", "sub-03_posterior.tsv")
        self.assertEqual(self.heed_json("evaluate", "runs"), expected)
        self.assert_measures(expected["participants"][0], both)
        self.assertEqual(expected["accuracy"]["sd"], None)

    def test_alternatives_of_one_participant_are_no_trials(self):
        for key, values in {"desc": ("causal", "smooth"), "window": ("01s", "05s"), "decoder": ("ls", "cca")}.items():
            names = [self.write_posteriors(f"sub-04_{key}-{value}_posterior.tsv", self.trials["01"]) for value in values]
            self.refused(65, "evaluate", *names,
                         says=["sub-04", f"{key}-", *(f"{key}-{value}" for value in values), "give the files of only one"])
            self.heed("evaluate", names[0])

    def test_standard_input(self):
        text = (self.folder / "all/sub-01_posterior.tsv").read_bytes()
        row = self.heed_json("evaluate", "-", stdin=text)["participants"][0]
        self.assertEqual(row["id"], "stdin")
        self.assert_measures(row, self.trials["01"])


class AfterTrack(EvaluateTest):
    def test_what_track_writes_is_measured(self):
        stream = random.Random(6)
        attended = [0] * 100 + [1] * 80 + [0] * 100
        rows = [[math.tanh(stream.gauss(0.5 if a == j else 0, 0.3)) for j in (0, 1)] for a in attended]
        self.write_scores("s.tsv", rows, attended)
        hmm = oracle.Hmm(oracle.sticky(2, 0.001), oracle.gaussian(rows, 0.12, 0.04, 0.3))
        for method, posteriors, look_ahead in (("causal", hmm.causal(), 0), ("smooth", hmm.smooth(), math.inf),
                                               ("viterbi", oracle.one_hot(hmm.viterbi(), 2), math.inf)):
            for digits in ("17", "6", "2"):
                self.heed("track", "s.tsv", *BY_HAND, "--method", method, "--digits", digits, "-o", "p.tsv")
                row = self.heed_json("evaluate", "p.tsv")["participants"][0]
                decided = oracle.decide(posteriors)
                expected = oracle.Metric([(decided, attended)], 1, look_ahead).measures()
                for name, value in expected.items():
                    self.assert_close(row[name], value, 1e-12, name)
                if digits == "17":
                    self.assert_close(row["brier"], oracle.calibration(posteriors, attended)[0], 1e-12)


if __name__ == "__main__":
    unittest.main()
