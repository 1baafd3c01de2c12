# SPDX-License-Identifier: MIT
"""heed simulate scores: what was asked for is in the files, and the same seed gives the same files."""
import itertools
import math
import statistics
import unittest

from heed_program import HeedTest


class SimulateTest(HeedTest):
    def simulate(self, *options, into="cohort"):
        """Tables of the participants, in order."""
        self.assertEqual(self.heed("simulate", "scores", "-o", into, *options), "")
        paths = sorted((self.folder / into).glob("*_scores.tsv"))
        return [self.read_table(path.relative_to(self.folder)) for path in paths]

    @staticmethod
    def speakers(table):
        return [name for name in table.header if name not in ("onset", "trial", "attended")]

    def windows(self, table):
        """(trial, scores or None, attended or None) of each row."""
        names = self.speakers(table)
        columns = [table.header.index(name) for name in names]
        for row, trial, attended in zip(table.rows, table["trial"], table["attended"]):
            cells = [row[c] for c in columns]
            yield (trial, None if "n/a" in cells else [float(cell) for cell in cells],
                   None if attended == "n/a" else names.index(attended))

    def blocks(self, table):
        """Lengths of the stretches of one attended speaker, in windows, a list a trial."""
        result = {}
        for (trial, _), rows in itertools.groupby(self.windows(table), key=lambda window: (window[0], window[2])):
            result.setdefault(trial, []).append(len(list(rows)))
        return list(result.values())

    def accuracy(self, table):
        right = [scores.index(max(scores)) == attended for _, scores, attended in self.windows(table)
                 if scores and attended is not None]
        return statistics.fmean(right)


class Files(SimulateTest):
    def test_defaults(self):
        tables = self.simulate("--minutes", "1")
        names = [f"sub-{k:02d}_scores" for k in range(1, 14)]
        self.assertEqual(set(self.files()), {"cohort", *(f"cohort/{n}.{e}" for n in names for e in ("tsv", "json"))})
        for table in tables:
            self.assertEqual(table.header, ["onset", "trial", "left", "right", "attended"])
            self.assertEqual(table["trial"], [str(k) for k in range(1, 5) for _ in range(60)])
            self.assertEqual(table["onset"], [str(t) for t in range(240)])
        sidecar = self.read_json("cohort/sub-01_scores.json")
        self.assertEqual((sidecar["WindowLength"], sidecar["ScoreType"]), (1, "correlation"))
        self.assertIn("13 participants, 4 trials of 1 min each, 2 speakers, seed 1", self.said)

    def test_sizes(self):
        tables = self.simulate("--participants", "3", "--speakers", "4", "--trials", "2", "--minutes", "0.5",
                               "--window", "0.5", "--accuracy", "0.4", "--switch-every", "10")
        self.assertEqual(len(tables), 3)
        for table in tables:
            self.assertEqual(self.speakers(table), [f"speaker-{k}" for k in range(1, 5)])
            self.assertEqual(len(table.rows), 2 * 60)
            self.assertEqual(table["onset"][:3], ["0", "0.5", "1"])
        self.assertEqual(self.read_json("cohort/sub-02_scores.json")["WindowLength"], 0.5)
        self.heed("compare", "cohort")

    def test_seed(self):
        options = ("--participants", "3", "--minutes", "1", "--digits", "17")
        for folder, seed in (("a", "7"), ("b", "7"), ("c", "8")):
            self.simulate(*options, "--seed", seed, into=folder)
        for name in ("sub-01_scores.tsv", "sub-03_scores.tsv", "sub-02_scores.json"):
            self.assertEqual(self.read(f"a/{name}"), self.read(f"b/{name}"))
        self.assertNotEqual(self.read("a/sub-01_scores.tsv"), self.read("c/sub-01_scores.tsv"))

    def test_larger_cohort_keeps_its_participants(self):
        self.simulate("--participants", "2", "--minutes", "1", into="a")
        self.simulate("--participants", "5", "--minutes", "1", into="b")
        self.assertEqual(self.read("a/sub-02_scores.tsv"), self.read("b/sub-02_scores.tsv"))
        self.assertNotEqual(self.read("b/sub-01_scores.tsv"), self.read("b/sub-02_scores.tsv"))

    def test_nothing_is_replaced_unless_forced(self):
        self.simulate("--participants", "2", "--minutes", "1")
        self.refused(73, "simulate", "scores", "-o", "cohort", "--participants", "3", "--minutes", "1", "--seed", "2",
                     says=["cohort/sub-01_scores.tsv", "--force"])
        before = self.read("cohort/sub-01_scores.tsv")
        self.simulate("--participants", "2", "--minutes", "1", "--seed", "2", "--force")
        self.assertNotEqual(self.read("cohort/sub-01_scores.tsv"), before)

    def test_folders_are_made(self):
        self.simulate("--participants", "1", "--minutes", "1", into="a/b/c")
        self.assertTrue((self.folder / "a/b/c/sub-01_scores.tsv").exists())

    def test_digits(self):
        exact = self.simulate("--participants", "1", "--minutes", "1", "--digits", "17", into="a")[0]
        short = self.simulate("--participants", "1", "--minutes", "1", "--digits", "3", into="b")[0]
        for row, cells in zip(exact.numbers("left"), short["left"]):
            self.assertEqual(float(cells), float(f"{row[0]:.3g}"))


class Scores(SimulateTest):
    """Long enough that chance moves a measure by less than the tolerance: four standard errors or more."""

    def test_accuracy(self):
        for speakers, accuracy in ((2, 0.7), (3, 0.45)):
            tables = self.simulate("--participants", "4", "--speakers", speakers, "--accuracy", accuracy, "--force",
                                   "--accuracy-spread", "0", "--autocorrelation", "0", "--minutes", "20")
            for table in tables:  # 4,800 windows each: standard error .007
                self.assertAlmostEqual(self.accuracy(table), accuracy, delta=0.03)
            self.assertAlmostEqual(statistics.fmean(map(self.accuracy, tables)), accuracy, delta=0.015)

    def test_accuracy_spread(self):
        tables = self.simulate("--participants", "30", "--accuracy", "0.7", "--accuracy-spread", "0.08", "--trials", "1",
                               "--minutes", "20", "--autocorrelation", "0")
        # .08 from listener to listener and .013 of counting make .081, known to 13 % from 30 listeners.
        self.assertAlmostEqual(statistics.stdev(map(self.accuracy, tables)), 0.081, delta=0.042)

    def test_autocorrelation(self):
        for phi in (0, 0.5):
            table = self.simulate("--participants", "1", "--minutes", "60", "--trials", "1", "--switch-every", "10000",
                                  "--autocorrelation", phi, "--force")[0]
            for name in ("left", "right"):
                z = [math.atanh(row[0]) for row in table.numbers(name)]
                self.assertAlmostEqual(statistics.correlation(z[:-1], z[1:]), phi, delta=0.07)
                self.assertAlmostEqual(statistics.correlation(z[:-2], z[2:]), phi ** 2, delta=0.09)
            z = [[math.atanh(x) for x in row] for row in table.numbers("left", "right")]
            self.assertAlmostEqual(statistics.correlation(*zip(*z)), 0, delta=0.09)

    def test_fixed_switches(self):
        for table in self.simulate("--participants", "2", "--minutes", "2", "--switch-every", "50"):
            self.assertEqual(self.blocks(table), [[50, 50, 20]] * 4)

    def test_random_switches(self):
        lengths = []
        for table in self.simulate("--participants", "3", "--minutes", "20", "--switch-every", "20-40"):
            for blocks in self.blocks(table):
                lengths += blocks[:-1]  # the last is cut
                self.assertLessEqual(blocks[-1], 40)
        self.assertEqual((min(lengths), max(lengths)), (20, 40))
        self.assertAlmostEqual(statistics.fmean(lengths), 30, delta=6.1 * 4 / math.sqrt(len(lengths)))

    def test_attention_without_switches(self):
        table = self.simulate("--participants", "1", "--minutes", "1", "--switch-every", "60")[0]
        self.assertEqual(self.blocks(table), [[60]] * 4)

    def test_attention_goes_round(self):
        table = self.simulate("--participants", "1", "--speakers", "3", "--accuracy", "0.5", "--minutes", "2",
                              "--switch-every", "30")[0]
        for trial in ("1", "2", "3", "4"):
            path = [key for key, _ in itertools.groupby(a for t, _, a in self.windows(table) if t == trial)]
            self.assertEqual(path, [(path[0] + k) % 3 for k in range(4)])

    def test_window_that_straddles_a_switch_has_no_label(self):
        table = self.simulate("--participants", "1", "--trials", "1", "--minutes", "0.5", "--window", "2",
                              "--switch-every", "5")[0]
        unknown = [float(onset) for onset, a in zip(table["onset"], table["attended"]) if a == "n/a"]
        self.assertEqual(unknown, [4, 14, 24])

    def test_artefacts(self):
        tables = self.simulate("--participants", "6", "--artefacts", "0.1", "--artefact-length", "5", "--digits", "17",
                               "--minutes", "20")
        lost = [[scores is None for _, scores, _ in self.windows(table)] for table in tables]
        share = statistics.fmean(x for one in lost for x in one)
        bursts = [len(list(run)) for one in lost for missing, run in itertools.groupby(one) if missing]
        self.assertAlmostEqual(share, 0.1, delta=0.03)
        self.assertAlmostEqual(statistics.fmean(bursts), 5, delta=1)
        whole = self.simulate("--participants", "6", "--digits", "17", "--minutes", "20", into="whole")
        for with_artefacts, without in zip(tables, whole):
            for a, b in zip(with_artefacts.rows, without.rows):
                self.assertTrue(a == b or "n/a" in a)


if __name__ == "__main__":
    unittest.main()
