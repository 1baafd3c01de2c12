# SPDX-License-Identifier: MIT
"""heed compare: the whole comparison recomputed in plain Python, and every option."""
import json
import math
import random
import statistics
import unittest

import oracle
from heed_program import BY_HAND, HeedTest, table_text

USAGE = 2
# Asked for by name: more methods may come, and these must not change with them.
METHODS = ["causal", "fixed-lag", "smooth", "viterbi", "raw"]
METRIC = ("accuracy", "switch_time", "median_switch_time", "signed_switch_time", "first_hit_time",
          "latency_inclusive_time", "missed", "switches", "false_switch_rate", "whole_accuracy", "windows")


def scores_of(seed, attended, speakers=2, gain=0.5):
    stream = random.Random(seed)
    return [[math.tanh(stream.gauss(gain if j == a else 0.0, 0.3)) for j in range(speakers)] for a in attended]


def numbers_in(json_value):
    if isinstance(json_value, dict):
        json_value = list(json_value.values())
    return [numbers_in(one) for one in json_value] if isinstance(json_value, list) else \
        json_value if isinstance(json_value, (int, float)) else None


class CompareTest(HeedTest):
    speakers = 2

    def setUp(self):
        super().setUp()
        self.cohort = {}
        for k, windows in enumerate((300, 260, 280, 320)):
            attended = [t // 70 % self.speakers for t in range(windows)]
            rows = scores_of(k, attended, self.speakers, 0.2 + 0.1 * k)
            name = f"{k + 1:02d}"
            self.write_scores(f"c/sub-{name}_scores.tsv", rows, attended)
            self.cohort[name] = (rows, attended)

    def compare(self, *options):
        return self.heed_json("compare", *self.with_methods(*options))

    @staticmethod
    def with_methods(*options):
        return options if "--methods" in options else (*options, "--methods", ",".join(METHODS))

    def expected(self, cohort, p, window=1):
        """{method: {participant: measures}}; participants are lists of (rows, attended), one per trial."""
        result = {method: {} for method in METHODS}
        for name, trials in cohort.items():
            others = [[pair for rows, attended in cohort[other] for pair in zip(rows, attended)]
                      for other in cohort if other != name]
            fitted = oracle.fit(others)
            parameters = [fitted[key] for key in ("mu_attended", "mu_unattended", "sigma")]
            hmms = [oracle.Hmm(oracle.sticky(self.speakers, p), oracle.gaussian(rows, *parameters)) for rows, _ in trials]
            raws = [oracle.Hmm(oracle.sticky(self.speakers, 1 / self.speakers), hmm.log_b) for hmm in hmms]
            ways = {"causal": ([h.causal() for h in hmms], 0), "smooth": ([h.smooth() for h in hmms], math.inf),
                    "viterbi": ([oracle.one_hot(h.viterbi(), self.speakers) for h in hmms], math.inf),
                    "raw": ([h.causal() for h in raws], 0)}
            for method, (posteriors, look_ahead) in ways.items():
                pairs = [(oracle.decide(rows), attended) for rows, (_, attended) in zip(posteriors, trials)]
                measures = oracle.Metric(pairs, window, look_ahead).measures()
                measures["brier"] = oracle.calibration([r for rows in posteriors for r in rows],
                                                       [a for _, attended in trials for a in attended])[0]
                result[method][name] = measures
        return result

    def assert_comparison(self, result, expected):
        for method in result["methods"]:
            if method["name"] == "fixed-lag":
                continue  # test_track has it; its oracle is slow
            wanted = expected[method["name"]]
            self.assertEqual([row["id"] for row in method["participants"]], list(wanted))
            for row in method["participants"]:
                for name in (*METRIC, "brier"):
                    self.assert_close(row[name], wanted[row["id"]][name], 1e-10, f"{method['name']} {row['id']} {name}")


class AsRecorded(CompareTest):
    def test_everything_against_plain_python(self):
        result = self.compare("c", "-p", "0.01")
        self.assertEqual([m["name"] for m in result["methods"]], METHODS)
        self.assertEqual(set(result), {"methods", "chance", "speakers", "window", "temperatures", "evidence_scales", "evidence",
                                       "lag_correlations"})
        self.assertEqual((result["chance"], result["speakers"], result["window"]), (0.5, 2, 1))
        expected = self.expected({name: [trial] for name, trial in self.cohort.items()}, 0.01)
        self.assert_comparison(result, expected)

    def test_mean_spread_and_wilcoxon(self):
        result = self.compare("c")
        first = result["methods"][0]
        for method in result["methods"]:
            self.assertEqual(set(method), {"name", "accuracy", "whole_accuracy", "switch_time", "brier", "ece", "uncalibrated",
                                           "participants", "wilcoxon"})
            for name in ("accuracy", "switch_time"):
                values = [row[name] for row in method["participants"]]
                self.assert_close([method[name]["mean"], method[name]["sd"]],
                                  [statistics.fmean(values), statistics.stdev(values)])
                differences = [a - row[name] for a, row in zip(values, first["participants"])]
                if method is first:
                    self.assertIsNone(method["wilcoxon"][f"{name}_p"])
                elif 0 not in differences and len({abs(d) for d in differences}) == len(differences):
                    self.assert_close(method["wilcoxon"][f"{name}_p"], oracle.wilcoxon_p(differences))
            self.assertEqual(method["switch_time"]["missed"], sum(row["missed"] for row in method["participants"]))
            for row in method["participants"]:
                self.assert_close(row["chance_bound"], oracle.chance_bound(2, int(row["windows"])))

    def test_same_as_track_on_others_then_evaluate(self):
        result = {m["name"]: m for m in self.compare("c", "--lag", "7")["methods"]}
        others = [f"c/sub-{name}_scores.tsv" for name in ("01", "02", "04")]
        for method in METHODS:
            self.heed("track", "c/sub-03_scores.tsv", "--fit-from", *others, "--method", method, "--lag", "7",
                      "--digits", "17", "-o", "sub-03_posterior.tsv")
            measured = self.heed_json("evaluate", "sub-03_posterior.tsv")["participants"][0]
            row = result[method]["participants"][2]
            for name, value in row.items():
                if name not in ("id", "gain_states", "uncalibrated"):
                    self.assert_close(measured[name], value, 1e-10, f"{method} {name}")

    def test_methods_in_the_order_asked_for(self):
        everything = {m["name"]: m for m in self.compare("c")["methods"]}
        result = self.compare("--methods", "smooth,raw", "c")
        self.assertEqual([m["name"] for m in result["methods"]], ["smooth", "raw"])
        for method in result["methods"]:
            self.assertEqual(method["participants"], everything[method["name"]]["participants"])
        self.assertIsNone(result["methods"][0]["wilcoxon"]["accuracy_p"])
        self.assertIn("against smooth", self.heed("compare", "c", "--methods", "smooth,raw"))
        files = sorted(str(path.relative_to(self.folder)) for path in self.folder.glob("c/*.tsv"))
        self.assertEqual(self.compare("--methods", "smooth,raw", *files), result)

    def test_all_methods_by_default_the_causal_first(self):
        names = [method["name"] for method in self.heed_json("compare", "c")["methods"]]
        self.assertEqual(names[0], "causal")
        self.assertLessEqual(set(METHODS), set(names))

    def test_table_for_people(self):
        result = self.compare("c")
        lines = self.heed("compare", *self.with_methods("c")).splitlines()
        self.assertEqual(self.said, "")
        self.assertIn("4 participants, 2 speakers, windows of 1 s, switches as recorded; chance 50.0 %", lines[0])
        rows = {line.split()[0]: line for line in lines[3:8]}
        self.assertEqual(list(rows), METHODS)
        for method in result["methods"]:
            accuracy, time, whole = method["accuracy"], method["switch_time"], method["whole_accuracy"]
            each = [participant["whole_accuracy"] for participant in method["participants"]]
            self.assert_close(whole["mean"], sum(each) / len(each), 1e-12)
            for shown in (f"{100 * accuracy['mean']:.1f} ± {100 * accuracy['sd']:.1f}",
                          f"{100 * whole['mean']:.1f} ± {100 * whole['sd']:.1f}",
                          f"{time['mean']:.1f} ± {time['sd']:.1f}", f"{time['missed']:.4g}/"):
                self.assertIn(shown, rows[method["name"]])

    def test_one_listener_is_judged_trial_by_trial(self):
        self.heed("simulate", "scores", "--participants", "1", "--trials", "3", "--minutes", "5", "-o", "one")
        result = self.heed_json("compare", "one", "--methods", "causal,smooth")
        self.assertTrue(result["by_trial"])
        self.assertEqual([one["id"] for one in result["methods"][0]["participants"]], ["01/1", "01/2", "01/3"])
        self.assertEqual(result["methods"][1]["wilcoxon"], {"accuracy_p": None, "switch_time_p": None})
        table = self.heed("compare", "one", "--methods", "causal,smooth")
        self.assertIn("1 participant, 3 trials, 2 speakers", table)
        self.assertIn("n/a", next(line for line in table.splitlines() if line.startswith("smooth")))
        self.assertIn("each trial is judged by an emission fitted to the other trials", self.said)

    def test_misses_are_told(self):
        self.heed("simulate", "scores", "--participants", "3", "--trials", "1", "-o", "few")
        self.heed("compare", "few", "--switch-every", "20-40", "--methods", "causal,viterbi")
        self.assertRegex(self.said, r"many switches are never noticed by .*viterbi \(\d+ %\)")
        self.heed("compare", "few", "--switch-every", "20-40", "--methods", "viterbi", "-p", "auto")
        self.assertIn("never noticed by viterbi", self.said)
        self.assertNotIn("or auto", self.said)

    def test_files_folders_and_their_order(self):
        expected = self.heed("compare", "c", "--json")
        files = [f"c/sub-{name}_scores.tsv" for name in ("04", "01", "03", "02")]
        self.assertEqual(self.heed("compare", *files, "--json"), expected)
        (self.folder / "c/deep").mkdir()
        (self.folder / "c/sub-02_scores.tsv").rename(self.folder / "c/deep/sub-02_scores.tsv")
        self.write("c/README", "not scores")
        self.assertEqual(self.heed("compare", "c", "--json"), expected)
        self.assertEqual(self.heed("compare", "c/deep", *files[:3], "--json"), expected)

    def test_no_switches_no_switch_time(self):
        for k in range(3):
            self.write_scores(f"still/sub-{k}_scores.tsv", scores_of(k, [0] * 50), [0] * 50)
        for method in self.compare("still")["methods"]:
            self.assertEqual(method["switch_time"], {"mean": None, "sd": None, "missed": 0})
            self.assertIsNone(method["wilcoxon"]["switch_time_p"])
            self.assertIsNone(method["participants"][0]["switch_time"])
            self.assertIsNotNone(method["accuracy"]["mean"])
        self.assertIn("n/a", self.heed("compare", "still").splitlines()[3])

    def test_standard_input_is_a_participant(self):
        text = (self.folder / "c/sub-01_scores.tsv").read_bytes()
        rest = [f"c/sub-{name}_scores.tsv" for name in ("02", "03", "04")]
        result = self.heed_json("compare", "-", *rest, stdin=text)
        self.assertEqual({row["id"] for row in result["methods"][0]["participants"]}, {"stdin", "02", "03", "04"})


class Participants(CompareTest):
    def test_several_files_of_one_participant_are_its_trials(self):
        for name, (rows, attended) in self.cohort.items():
            half = len(rows) // 2
            for run, part in enumerate((slice(0, half), slice(half, None))):
                self.write_scores(f"runs/sub-{name}_run-{run + 1}_scores.tsv", rows[part], attended[part])
            speakers = ("left", "right")
            self.write(f"trials/sub-{name}_scores.tsv", table_text(
                ["trial", *speakers, "attended"],
                [["a" if t < half else "b", *row, speakers[a]] for t, (row, a) in enumerate(zip(rows, attended))]))
            self.write(f"trials/sub-{name}_scores.json", '{"WindowLength": 1}')
        expected = self.compare("trials")
        self.assertEqual(self.compare("runs"), expected)
        halves = {name: [(rows[part], attended[part]) for part in (slice(0, len(rows) // 2), slice(len(rows) // 2, None))]
                  for name, (rows, attended) in self.cohort.items()}
        self.assert_comparison(expected, self.expected(halves, 0.001))

    def test_files_without_sub_are_participants(self):
        for name in self.cohort:
            (self.folder / f"c/sub-{name}_scores.tsv").rename(self.folder / f"c/listener{name}_scores.tsv")
        rows = self.compare("c")["methods"][0]["participants"]
        self.assertEqual([row["id"] for row in rows], [f"listener{name}" for name in self.cohort])

    def test_alternatives_of_one_participant_are_no_trials(self):
        for key, values in {"window": ("01s", "05s"), "decoder": ("cnn", "ridge"), "desc": ("cca", "ls")}.items():
            for value in values:
                self.write_scores(f"{key}/sub-01_{key}-{value}_scores.tsv", *self.cohort["01"])
            self.refused(65, "compare", key, says=["sub-01", f"{key}-", f"{key}-{values[0]}, {key}-{values[1]}", "give"])

    def test_one_participant_cannot_be_left_out(self):
        said = self.refused(65, "compare", "c/sub-01_scores.tsv", says="is alone and has one labelled trial")
        self.assertIn("give other listeners or trials", said)
        result = self.compare("c/sub-01_scores.tsv", *BY_HAND)
        self.assertIsNone(result["methods"][0]["accuracy"]["sd"])
        rows, attended = self.cohort["01"]
        hmm = oracle.Hmm(oracle.sticky(2, 0.001), oracle.gaussian(rows, 0.12, 0.04, 0.3))
        measures = oracle.Metric([(oracle.decide(hmm.causal()), attended)]).measures()
        self.assert_close(result["methods"][0]["accuracy"]["mean"], measures["accuracy"])

    def test_given_emission_is_used_for_everybody(self):
        by_hand = self.compare("c", *BY_HAND)
        self.heed("track", "c/sub-01_scores.tsv", *BY_HAND, "--save-model", "m.json", "-o", "o.tsv")
        self.assertEqual(self.compare("c", "--model", "m.json"), by_hand)
        self.assertNotEqual(self.compare("c"), by_hand)
        softmax = self.compare("c", "--emission", "softmax")
        self.assertEqual(softmax, self.compare("c", "--emission", "log-likelihood"))
        self.assertNotEqual(softmax, by_hand)

    def test_chain_options(self):
        self.write("a.tsv", "0.98\t0.02\n0.02\t0.98\n")
        sticky, general = self.compare("c", "-p", "0.02"), self.compare("c", "--transition", "a.tsv")
        for one, other in zip(sticky["methods"], general["methods"]):
            self.assert_close(one["accuracy"]["mean"], other["accuracy"]["mean"])
        one_way = self.compare("c", "-p", "0.02", "--initial", "0.01,0.99")
        self.assertNotEqual(one_way, sticky)
        self.assertEqual(one_way["methods"][-1], sticky["methods"][-1])  # raw has no chain


class ArtificialSwitches(CompareTest):
    def rotated(self, interval, trials=None):
        trials = trials or {name: [trial] for name, trial in self.cohort.items()}
        return {name: [oracle.rotated(rows, attended, interval, whose + k) for k, (rows, attended) in enumerate(parts)]
                for whose, (name, parts) in enumerate(trials.items())}

    def cut(self, length):
        return {name: [(rows[t:t + length], attended[t:t + length]) for t in range(0, len(rows) - length + 1, length)]
                for name, (rows, attended) in self.cohort.items()}

    def test_every_so_many_seconds(self):
        result = self.compare("c", "--switch-every", "60")
        self.assert_comparison(result, self.expected(self.rotated(60), 0.001))
        self.assertIn("switches artificial, every 60 s", self.heed("compare", "c", "--switch-every", "60"))
        self.assertEqual(self.compare("c", "--switch-every", "60-60"), result)
        again = self.compare("c", "--switch-every", "60", "--repeats", "3", "--seed", "9")
        self.assert_close(numbers_in(again), numbers_in(result))  # nothing is drawn, so the mean is of equals

    def test_trials_cut_and_the_rest_dropped(self):
        self.assert_comparison(self.compare("c", "--trial", "100"), self.expected(self.cut(100), 0.001))
        result = self.compare("c", "--trial", "120", "--switch-every", "60")
        self.assert_comparison(result, self.expected(self.rotated(60, self.cut(120)), 0.001))
        self.assertEqual([row["windows"] for row in result["methods"][0]["participants"]], [240, 240, 240, 240])
        self.assertEqual([row["switches"] for row in result["methods"][0]["participants"]], [2, 2, 2, 2])

    def write_two_trials(self):
        for name, (rows, attended) in self.cohort.items():
            for run, part in enumerate((slice(0, 60), slice(60, 120))):
                self.write_scores(f"two/sub-{name}_run-{run + 1}_scores.tsv", rows[part], attended[part])

    def switches(self, *options):
        return {row["switches"] for row in self.compare("two", "--methods", "causal", *options)["methods"][0]["participants"]}

    def test_join(self):
        self.write_two_trials()
        self.assertEqual(self.switches("--switch-every", "35"), {2})            # 35 in each of two
        self.assertEqual(self.switches("--switch-every", "35", "--join"), {3})  # 35, 70, 105 of 120
        self.assertEqual(self.switches("--switch-every", "35", "--join", "--trial", "100"), {2})
        joined = {name: [(rows[:120], attended[:120])] for name, (rows, attended) in self.cohort.items()}
        self.assert_comparison(self.compare("two", "--join", "--switch-every", "35"),
                               self.expected(self.rotated(35, joined), 0.001))

    def test_trials_too_short_for_a_switch_are_joined(self):
        self.write_two_trials()
        self.assertEqual(self.compare("two", "--switch-every", "60"), self.compare("two", "--switch-every", "60", "--join"))

    def test_random_intervals_repeat_with_their_seed(self):
        options = ("compare", "c", "--switch-every", "20-45", "--json", "--methods", "causal,raw")
        first = self.heed(*options, "--seed", "5", "--repeats", "4")
        self.assertEqual(self.heed(*options, "--seed", "5", "--repeats", "4"), first)
        self.assertNotEqual(self.heed(*options, "--seed", "6", "--repeats", "4"), first)
        self.assertEqual(self.heed(*options), self.heed(*options, "--seed", "1", "--repeats", "20"))
        options += ("--repeats", "1")
        # 300 s in blocks of 20 to 45 s: 6 to 14 switches; the mean over draws need not be whole.
        counts = [json.loads(self.heed(*options, "--seed", seed))["methods"][0]["participants"][0]["switches"]
                  for seed in range(8)]
        self.assertTrue(all(6 <= count <= 14 and count == int(count) for count in counts), counts)
        self.assertGreater(len(set(counts)), 1)
        mean = json.loads(self.heed(*options[:-2], "--repeats", "60"))["methods"][0]["participants"][0]["switches"]
        self.assertAlmostEqual(mean, 300 / 32.5 - 0.35, delta=0.6)

    def test_draws_tell_how_much_they_vary(self):
        options = ("c", "--switch-every", "20-45", "--methods", "causal,raw", "--repeats", "5")
        found = self.compare(*options)
        self.assertEqual(found["draws"], 5)
        # Each draw by itself, as the difference that one more draw makes to the mean.
        means = [[statistics.mean(one["accuracy"] for one in method["participants"])
                  for method in self.compare(*options[:-1], n)["methods"]] for n in range(1, 6)]
        for m, method in enumerate(found["methods"]):
            draws = [n * means[n - 1][m] - (n - 1) * means[n - 2][m] if n > 1 else means[0][m] for n in range(1, 6)]
            self.assert_close(method["over_draws"]["accuracy_sd"], statistics.stdev(draws), 1e-9)
        text = self.heed("compare", *options)
        self.assertRegex(text, r"averaged over 5 draws of the switches; means of single draws vary by [\d.]+( to [\d.]+)? points")
        once = self.compare("c", "--switch-every", "60")
        self.assertNotIn("draws", once)
        self.assertNotIn("over_draws", once["methods"][0])

    def test_gains_are_those_of_evaluate(self):
        options = ("--methods", "causal", "-p", "0.01", "--mu-attended", "0.2", "--mu-unattended", "0", "--sigma", "0.3")
        found = self.compare("c", *options, "--gain", "2dB/nat", "--range", "9")
        self.assertEqual(found["gain_map"], "2dB/nat")
        for one in found["methods"][0]["participants"]:
            self.heed("track", f"c/sub-{one['id']}_scores.tsv", *options[2:], "--digits", "17", "-o", "p.tsv")
            row = self.heed_json("evaluate", "p.tsv", "--gain", "2dB/nat", "--range", "9")["participants"][0]
            for name, value in row["gains"]["2dB/nat"].items():
                self.assert_close(one["gains"][name], value, 1e-12, name)
        self.assertIn("gains by 2dB/nat: 9 dB, at most 6 dB/s", self.heed("compare", "c", *options, "--gain", "2dB/nat", "--range", "9"))
        self.assertNotIn("gains", self.compare("c", *options)["methods"][0]["participants"][0])
        self.refused(USAGE, "compare", "c", "--gain", "decibels,decision", says="one map")
        self.refused(USAGE, "compare", "c", "--gain", "decision", "--slew", 0, says="heed: the slew limit of gains")
        self.assertNotIn("by several", " ".join(self.heed("compare", "--help").split()))
        self.assertIn("by several", " ".join(self.heed("evaluate", "--help").split()))

    def test_repeats_are_averaged(self):
        # Draws are independent of how many are asked for: more repeats change a mean by the new ones only.
        options = ("c", "--switch-every", "20-45", "--methods", "causal")
        means = [self.compare(*options, "--repeats", n)["methods"][0]["participants"][0]["accuracy"] for n in (1, 2, 3)]
        second, third = 2 * means[1] - means[0], 3 * means[2] - 2 * means[1]
        for accuracy in (means[0], second, third):
            self.assertTrue(0.4 < accuracy <= 1, means)
        self.assertNotEqual(means[0], means[1])


class ThreeSpeakers(ArtificialSwitches):
    """The same with a rotation that is more than an exchange."""

    speakers = 3

    def test_chance_is_a_third(self):
        result = self.compare("c")
        self.assert_close([result["chance"], result["speakers"]], [1 / 3, 3])



class Learning(HeedTest):
    """Fits without labels say what they know of the recording they are judged on."""

    def setUp(self):
        super().setUp()
        self.heed("simulate", "scores", "--participants", "4", "--trials", "1", "--accuracy", "0.7", "-o", "cohort")

    def test_transductive_and_causal(self):
        labels = self.heed_json("compare", "cohort", "--methods", "causal")
        self.assertNotIn("learning", labels)
        whole = self.run_heed("compare", "cohort", "--methods", "causal", "--fit", "baum-welch", "--json")
        self.assertEqual(json.loads(whole.stdout)["learning"], "transductive")
        self.assertIn("future included (transductive)", whole.stderr.decode())
        live = self.run_heed("compare", "cohort", "--methods", "causal", "--fit", "adaptive", "--json")
        self.assertEqual(json.loads(live.stdout)["learning"], "causal")
        self.assertNotIn("transductive", live.stderr.decode())

    def test_sidecars(self):
        scores = "cohort/sub-01_scores.tsv"
        self.heed("track", scores, "--fit", "baum-welch", "-o", "whole.tsv")
        self.assertIn("(transductive)", self.read_json("whole.json")["Emission"])
        self.heed("track", scores, "--fit", "adaptive", "--fit-from", "cohort/sub-02_scores.tsv", "-o", "live.tsv")
        self.assertIn("heard so far (causal)", self.read_json("live.json")["Emission"])
        self.heed("track", scores, "--fit-from", "cohort/sub-02_scores.tsv", "-o", "o.tsv")
        self.assertNotIn("fitted", self.read_json("o.json")["Emission"])
        self.refused(2, "track", scores, "--fit", "adaptive", says=("adaptation needs a start",))

if __name__ == "__main__":
    unittest.main()
