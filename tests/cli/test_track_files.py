# SPDX-License-Identifier: MIT
"""heed track: files, streams, sidecars and summaries."""
import json
import math
import random
import subprocess
import unittest

from heed_program import BY_HAND, PROGRAM, parse_table
from test_track import EXACT, TrackTest, random_scores, thirds


class Files(TrackTest):
    def test_standard_input_and_output(self):
        name = self.write_scores("s.tsv", random_scores(5, 20, 2), thirds(20, 2))
        self.assertEqual(self.heed("track", name, *BY_HAND, "-o", "o.tsv"), "")
        text = self.read("o.tsv")
        scores = (self.folder / name).read_bytes()
        self.assertEqual(self.heed("track", name, *BY_HAND), text)
        self.assertEqual(self.heed("track", "-", *BY_HAND, "-o", "-", stdin=scores), text)
        self.assertIn("standard input: 20 windows", self.said)
        self.assertEqual(self.heed("track", "-", *BY_HAND, "--output", "p.tsv", stdin=scores), "")
        self.assertEqual(self.read("p.tsv"), text)

    def test_columns(self):
        self.write_scores("s.tsv", random_scores(6, 4, 2), [0, None, 1, 1], onset=10)
        table = self.track("s.tsv", *BY_HAND)
        self.assertEqual(table.header, ["onset", "left", "right", "decision", "attended"])
        self.assertEqual(table["onset"], ["10", "11", "12", "13"])
        self.assertEqual(table["attended"], ["left", "n/a", "right", "right"])
        self.write_scores("u.tsv", random_scores(6, 4, 2))
        self.assertEqual(self.track("u.tsv", *BY_HAND).header, ["onset", "left", "right", "decision"])

    def test_digits(self):
        self.write_scores("s.tsv", random_scores(7, 30, 2))
        exact = self.track("s.tsv", *BY_HAND).numbers("left", "right")
        for digits in (1, 3, 6):
            table = parse_table(self.heed("track", "s.tsv", *BY_HAND, "--digits", digits))
            for row, (left, right) in zip(table.numbers("left", "right"), exact):
                self.assertEqual(row, [float(f"{left:.{digits}g}"), float(f"{right:.{digits}g}")])
        self.assertEqual(self.heed("track", "s.tsv", *BY_HAND), self.heed("track", "s.tsv", *BY_HAND, "--digits", "6"))

    def test_seventeen_digits_lose_nothing(self):
        # Posteriors written and read as log-likelihoods of a memoryless chain come back to the last bit or two.
        self.write_scores("s.tsv", random_scores(8, 30, 2))
        first = self.track("s.tsv", *BY_HAND).numbers("left", "right")
        logs = [[math.log(p) for p in row] for row in first]
        self.write_scores("l.tsv", logs)
        again = self.track("l.tsv", "--emission", "log-likelihood", "--method", "raw").numbers("left", "right")
        self.assert_close(again, first, 1e-15)

    def test_sidecar(self):
        self.write_scores("s.tsv", random_scores(9, 30, 2), window=2)
        look_ahead = {"causal": 0, "raw": 0, "smooth": "end of trial", "viterbi": "end of trial", "fixed-lag": 6}
        for method, expected in look_ahead.items():
            summary = self.heed_json("track", "s.tsv", *BY_HAND, "--method", method, "-o", "o.tsv", "--digits", "9")
            sidecar = self.read_json("o.json")
            self.assertEqual((sidecar["Method"], sidecar["LookAhead"], sidecar["WindowLength"], sidecar["Digits"]),
                             (method, expected, 2, 9))
            self.assertEqual(sidecar.get("SwitchProbability"), None if method == "raw" else 0.002)
            self.assertEqual(sidecar["LogEvidence"], summary["log_evidence"])
            self.assertEqual(sidecar["Sources"], ["s.tsv"])
            self.assertEqual("heed " + sidecar["HeedVersion"], self.heed("--version").strip())
            self.assertIn("0.12 / 0.04", sidecar["Emission"])
            self.assertEqual(sidecar["onset"]["Units"], "s")

    def test_window_length_duration_then_sidecar_then_onsets(self):
        rows = [[0.1, 0.2], [0.3, 0.1]]

        def window():
            return self.heed_json("track", "s.tsv", *BY_HAND, "-o", "o.tsv")

        self.write_scores("s.tsv", rows, window=4)
        self.assertEqual(window()["window"], 4)
        self.write("s.json", '{"WindowLength": 2}')
        self.assertEqual(window()["window"], 2)
        self.assertEqual(len(self.read_table("o.tsv").rows), 3)  # 0, (2), 4 s
        self.write_table("s.tsv", ["onset", "duration", "left", "right"], [[0, 1, 0.1, 0.2], [4, 1, 0.3, 0.1]])
        self.assertEqual(window()["window"], 1)
        self.write_table("s.tsv", ["left", "right"], rows)
        self.assertEqual(window()["window"], 2)
        (self.folder / "s.json").unlink()
        summary = window()
        self.assertEqual((summary["window"], summary["windows"]), (1, 2))
        self.assertIn("1 s is assumed", " ".join(summary["notes"]))

    def test_gaps_are_missing_windows(self):
        rows = random_scores(11, 20, 2)
        self.write_scores("na.tsv", [None if t in (4, 5, 12) else row for t, row in enumerate(rows)])
        self.write_table("gap.tsv", ["onset", "left", "right"],
                         [[t, *row] for t, row in enumerate(rows) if t not in (4, 5, 12)])
        self.write_table("half.tsv", ["onset", "left", "right"],
                         [[t, row[0], None if t in (4, 5, 12) else row[1]] for t, row in enumerate(rows)])
        expected = self.heed("track", "na.tsv", *BY_HAND, *EXACT)
        self.assertEqual(len(expected.splitlines()), 21)
        self.assertIn("20 windows of 1 s in 1 trial, 3 held", self.said)
        self.assertEqual(self.heed("track", "gap.tsv", *BY_HAND, *EXACT), expected)
        self.assertEqual(self.heed("track", "half.tsv", *BY_HAND, *EXACT), expected)

    def test_each_trial_is_tracked_alone(self):
        first, second = random_scores(12, 15, 2), random_scores(13, 10, 2)
        self.write_table("both.tsv", ["onset", "trial", "left", "right"],
                         [[t, "b", *row] for t, row in enumerate(first)] +
                         [[t, "a", *row] for t, row in enumerate(second)])
        for method in ("causal", "smooth", "viterbi", "fixed-lag", "raw"):
            table = self.track("both.tsv", *BY_HAND, "--method", method)
            self.assertEqual(table["trial"], ["b"] * 15 + ["a"] * 10)
            expected = []
            for rows in (first, second):
                self.write_scores("one.tsv", rows)
                expected += self.track("one.tsv", *BY_HAND, "--method", method).rows
            self.assertEqual([[r[0], *r[2:]] for r in table.rows], expected)
        self.assertEqual(self.heed_json("track", "both.tsv", *BY_HAND, "-o", "o.tsv")["trials"], 2)

    def test_json_goes_where_the_posteriors_do_not(self):
        self.write_scores("s.tsv", random_scores(14, 20, 2), thirds(20, 2))
        summary = self.heed_json("track", "s.tsv", "-o", "o.tsv")
        self.assertEqual(self.said, "")
        self.assertEqual(self.heed("track", "s.tsv", "--json"), self.read("o.tsv"))
        beside = json.loads(self.said)
        self.assertEqual(beside, summary)
        self.assertEqual(set(summary), {"scores", "method", "switch_probability", "gain_states", "emission",
                                        "emission_parameters", "emission_origin", "window", "evidence_scale", "switching", "trials",
                                        "windows", "held", "switches", "log_evidence", "notes"})

    def test_json_has_the_emission_in_numbers(self):
        self.write_scores("s.tsv", random_scores(14, 20, 2), thirds(20, 2))
        summary = self.heed_json("track", "s.tsv", *BY_HAND, "-o", "o.tsv")
        self.assertEqual(summary["emission_parameters"],
                         {"kind": "fisher-gaussian", "spread": "shared", "mu_attended": 0.12, "mu_unattended": 0.04,
                          "sigma_attended": 0.3, "sigma_unattended": 0.3, "correlation": 0.0, "temperature": 1.0})
        hard = self.heed_json("track", "s.tsv", "--emission", "hard-decision", "--accuracy", "0.6", "-o", "o.tsv")
        self.assertEqual(hard["emission_parameters"], {"kind": "hard-decision", "accuracy": 0.6, "temperature": 1.0})
        mixture = self.heed_json("track", "s.tsv", "--emission", "mixture", "--states", "left,right", "-o", "o.tsv")
        self.assertEqual(mixture["emission_parameters"]["components"][0]["state"], "left")
        self.assertIsNone(self.heed_json("track", "s.tsv", "--method", "markov-chain", "-o", "o.tsv")["emission_parameters"])

    def test_summary_for_people(self):
        self.write_scores("s.tsv", random_scores(15, 20, 2, missing=(3,)))
        self.heed("track", "s.tsv", *BY_HAND, "-o", "o.tsv")
        for words in ("20 windows", "1 held", "p = 0.001", "log-evidence", "decided", "method causal"):
            self.assertIn(words, self.said)

    def test_output_is_replaced(self):
        self.write_scores("s.tsv", random_scores(16, 5, 2))
        self.write("o.tsv", "old")
        self.heed("track", "s.tsv", *BY_HAND, "-o", "o.tsv")
        self.assertEqual(self.read("o.tsv"), self.heed("track", "s.tsv", *BY_HAND))
        self.assertEqual(set(self.files()), {"s.tsv", "o.tsv", "o.json"})

    def test_names_of_any_letters(self):
        self.write_scores("hören 1.tsv", random_scores(17, 5, 2), [0, 0, 1, 1, 1], speakers=["Čapek", "the left one"])
        self.heed("track", "hören 1.tsv", *BY_HAND, "-o", "größe.tsv")
        self.assertEqual(self.read_table("größe.tsv").header, ["onset", "Čapek", "the left one", "decision", "attended"])

    def test_name_that_is_not_utf_8(self):
        name = b"s\xff.tsv"
        with open(bytes(self.folder) + b"/" + name, "wb") as file:
            file.write(b"left\tright\n.1\t.2\n")
        result = subprocess.run([PROGRAM.encode(), b"track", name, b"--json", b"-o", b"o.tsv",
                                 *(word.encode() for word in BY_HAND)], cwd=self.folder, capture_output=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["windows"], 1)
        self.read_json("o.json")

    def test_windows_line_ends_and_byte_order_mark(self):
        rows = random_scores(18, 5, 2)
        plain = self.write_scores("s.tsv", rows)
        expected = self.heed("track", plain, *BY_HAND)
        self.write("w.tsv", b"\xef\xbb\xbf" + (self.folder / plain).read_bytes().replace(b"\n", b"\r\n"))
        self.assertEqual(self.heed("track", "w.tsv", *BY_HAND), expected)


class Many(TrackTest):
    def setUp(self):
        super().setUp()
        self.heed("simulate", "scores", "--participants", "3", "--trials", "2", "--minutes", "5", "-o", "c")

    def test_a_folder_is_tracked_file_by_file(self):
        self.heed("track", "c", "--fit-from", "c", "-o", "out")
        self.assertEqual(self.said.count("are left out of the fit"), 3)
        for k in (1, 2, 3):
            others = [f"c/sub-0{j}_scores.tsv" for j in (1, 2, 3) if j != k]
            alone = self.heed("track", f"c/sub-0{k}_scores.tsv", "--fit-from", *others)
            self.assertEqual(self.read(f"out/sub-0{k}_posterior.tsv"), alone)
        summaries = self.heed_json("track", "c/sub-01_scores.tsv", "c/sub-03_scores.tsv", "--fit-from", "c", "-o", "two")
        self.assertEqual([one["scores"] for one in summaries], ["c/sub-01_scores.tsv", "c/sub-03_scores.tsv"])

    def test_one_that_fails_does_not_stop_the_others(self):
        self.write("c/sub-02_scores.tsv", "nothing\n")
        result = self.run_heed("track", "c", *BY_HAND, "-o", "out")
        self.assertEqual(result.returncode, 1)
        self.assertIn("c/sub-02_scores.tsv", result.stderr.decode())
        self.assertEqual(sorted(path.name for path in (self.folder / "out").glob("*.tsv")),
                         ["sub-01_posterior.tsv", "sub-03_posterior.tsv"])

    def test_what_does_not_go_together(self):
        self.refused(2, "track", "c", *BY_HAND, says="-o FOLDER")
        self.refused(2, "track", "c", *BY_HAND, "-o", "out", "--save-model", "m.json", says="--save-model")


class OwnScores(TrackTest):
    """The tracked scores among those to learn from."""

    def setUp(self):
        super().setUp()
        self.heed("simulate", "scores", "--participants", "3", "--trials", "1", "-o", "c")

    def test_are_left_out_under_any_name(self):
        expected = self.heed("track", "c/sub-01_scores.tsv", "--fit-from", "c/sub-02_scores.tsv", "c/sub-03_scores.tsv")
        self.assertNotIn("left out", self.said)
        self.assertEqual(self.heed("track", "c/sub-01_scores.tsv", "--fit-from", "c"), expected)
        self.assertIn("participant 01: the tracked scores are among those to fit to, and are left out of the fit", self.said)
        for ending in ("tsv", "json"):
            copied = self.folder / f"c/sub-01_scores.{ending}"
            if copied.exists():
                self.write(f"c/a_copy_scores.{ending}", copied.read_bytes())
                copied.unlink()
        self.assertEqual(self.heed("track", "c/a_copy_scores.tsv", "--fit-from", "c"), expected)
        self.assertIn("left out of the fit", self.said)

    def test_and_nobody_else_is_there(self):
        alone = self.heed("track", "c/sub-01_scores.tsv")
        self.assertIn("fitted to the labels of these same scores", self.said)
        self.assertEqual(self.heed("track", "c/sub-01_scores.tsv", "--fit-from", "c/sub-01_scores.tsv"), alone)
        self.assertIn("fitted to the labels of these same scores", self.said)
        self.assertIn("left out of the fit", self.said)


class Noise(TrackTest):
    def test_nothing_is_sure_without_labels(self):
        """Recordings of pure noise, ten minutes each: every posterior stays at chance, and heed says why."""
        for seed in range(10):
            rows = [[math.tanh(x) for x in row] for row in noise(seed, 600)]
            self.write_scores("n.tsv", rows)
            table = parse_table(self.heed("track", "n.tsv", "--method", "smooth"))
            self.assertIn("do not tell the speakers apart", self.said)
            self.assertEqual({value for row in table.numbers("left", "right") for value in row}, {0.5})

    def test_a_listener_is_still_followed(self):
        self.write_scores("s.tsv", random_scores(3, 600, 2))
        table = parse_table(self.heed("track", "s.tsv", "--method", "smooth"))
        self.assertNotIn("tell the speakers apart", self.said)
        self.assertGreater(max(row[0] for row in table.numbers("left", "right")), 0.99)


def noise(seed, windows):
    stream = random.Random(seed)
    return [[stream.gauss(0.05, 0.3), stream.gauss(0.05, 0.3)] for _ in range(windows)]


if __name__ == "__main__":
    unittest.main()
