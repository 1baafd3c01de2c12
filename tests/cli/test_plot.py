# SPDX-License-Identifier: MIT
"""--plot of heed track and heed compare: what is drawn is what was computed, in three formats."""
import math
import os
import pathlib
import random
import re
import statistics
import struct
import subprocess
import unittest
import zlib

from heed_program import BY_HAND, PROGRAM, HeedTest, speaker_names
from svg_picture import NUMBER, Picture, area

ROOT = pathlib.Path(__file__).resolve().parents[2]


class PlotTest(HeedTest):
    def listener(self, speakers=2, windows=300, block=100, missing=(), seed=1, name="sub-01_scores.tsv"):
        """Writes scores; gives who was attended."""
        stream = random.Random(seed)
        attended = [t // block % speakers for t in range(windows)]
        rows = [None if t in missing else
                [math.tanh(stream.gauss(0.5 if j == attended[t] else 0, 0.3)) for j in range(speakers)]
                for t in range(windows)]
        self.write_scores(name, rows, attended)
        return attended

    def picture(self, name):
        return Picture(self.read(name))


class Attention(PlotTest):
    def track(self, *options, scores="sub-01_scores.tsv"):
        self.heed("track", scores, *BY_HAND, "-o", "out.tsv", "--plot", "out.svg", *options)
        return self.picture("out.svg"), self.read_table("out.tsv")

    def test_areas_are_the_posteriors_for_two_to_six_speakers(self):
        for speakers in range(2, 7):
            self.listener(speakers, name=f"sub-0{speakers}_scores.tsv")
            picture, table = self.track(scores=f"sub-0{speakers}_scores.tsv")
            [posterior] = picture.groups("posterior")
            self.assertEqual([shape.hint for shape in posterior], speaker_names(speakers)[::-1])
            whole = area(posterior[0].pieces[0])
            below = 0
            for name, shape in zip(speaker_names(speakers), posterior[::-1]):
                seen = area(shape.pieces[0])
                mean = statistics.fmean(row[0] for row in table.numbers(name))
                self.assert_close((seen - below) / whole, mean, 1e-3, f"{speakers} {name}")
                below = seen
            for name in speaker_names(speakers):
                self.assertIn(name, picture.texts)

    def test_truth_and_marks_lie_where_they_belong(self):
        attended = self.listener(3, 400, 100)
        picture, table = self.track()
        [truth], [posterior], [detected] = (picture.groups(name) for name in ("truth", "posterior", "detected"))
        left, width = posterior[0].left, posterior[0].right - posterior[0].left
        at = lambda window: left + width * window / 400
        self.assertEqual([shape.hint for shape in truth],
                         ["speaker-1, 0 to 100 s", "speaker-2, 100 to 200 s", "speaker-3, 200 to 300 s",
                          "speaker-1, 300 to 400 s"])
        for k, shape in enumerate(truth):
            self.assert_close([shape.left, shape.right], [at(100 * k), at(100 * (k + 1))], 1e-3)
        decisions = [speaker_names(3).index(name) for name in table["decision"]]
        outcomes = [self.detected(decisions, attended, a) for a in (100, 200, 300)]
        self.assertNotIn(None, outcomes)
        for shape, window in zip(detected, outcomes, strict=True):
            self.assert_close((shape.left + shape.right) / 2, at(window), 1e-3)
        delays = [f"+{d - a} s" if d > a else f"\u2212{a - d} s" if d < a else "0 s"
                  for d, a in zip(outcomes, (100, 200, 300))]
        self.assertEqual(picture.words("detected"), delays)
        [lines] = picture.groups("true-switches")
        self.assert_close(sorted({piece[0][0] for piece in lines[0].pieces}), [at(a) for a in (100, 200, 300)], 1e-3)

    @staticmethod
    def detected(decisions, attended, a):
        """Section 10 of the metric: where the switch at window a was detected."""
        new = attended[a]
        if decisions[a] == new:
            while a > 0 and decisions[a - 1] == new:
                a -= 1
            return a
        return next((t for t in range(a, len(decisions)) if decisions[t] == new), None)

    def test_missing_windows_are_seen(self):
        self.listener(missing=range(120, 150))
        picture, _ = self.track()
        [missing], [posterior], [raw], [scores] = (
            picture.groups(name) for name in ("missing", "posterior", "raw", "scores"))
        left, width = posterior[0].left, posterior[0].right - posterior[0].left
        self.assert_close([missing[0].left, missing[0].right], [left + width * 0.4, left + width * 0.5], 1e-3)
        self.assertEqual([len(shape.pieces) for shape in scores], [2, 2])
        winners = area(raw[1].pieces[0]) / area(raw[0].pieces[0])
        self.assert_close(winners, 0.9, 1e-3)
        self.assertIn("missing window", picture.texts)

    def test_without_truth_there_is_no_ribbon(self):
        self.listener()
        table = self.read("sub-01_scores.tsv").splitlines()
        self.write("bare.tsv", "".join(line.rsplit("\t", 1)[0] + "\n" for line in table))
        picture, _ = self.track(scores="bare.tsv")
        self.assertEqual(picture.groups("truth"), [])
        self.assertIn("unknown", picture.description)

    def test_titles_tell_file_method_and_p(self):
        self.listener()
        picture, _ = self.track("--method", "smooth", "-p", "0.004")
        self.assertEqual(picture.words("title"), ["sub-01_scores.tsv", "smooth, p = 0.004, windows of 1 s"])
        self.assertEqual(picture.title, "sub-01_scores.tsv: smooth, p = 0.004, windows of 1 s")
        self.assertEqual(picture.root.get("role"), "img")
        self.assertEqual(picture.root.get("aria-label"), picture.title)
        self.assertEqual(picture.root.get("width"), "180mm")
        for words in ("attended", "probability", "raw", "correlation", "time (min)"):
            self.assertIn(words, picture.texts)
        picture, _ = self.track("--plot-title", "A & <B>", "--plot-width", "88")
        self.assertEqual(picture.words("title")[0], "A & <B>")
        self.assertEqual(picture.root.get("width"), "88mm")

    def test_every_method_can_be_drawn(self):
        self.listener()
        for method in ("raw", "causal", "smooth", "viterbi", "fixed-lag", "markov-chain", "probabilistic-gain",
                       "state-space"):
            options = BY_HAND if method not in ("markov-chain", "state-space") else ()
            self.heed("track", "sub-01_scores.tsv", *options, "--method", method, "-o", "out.tsv", "--plot", "out.svg")
            self.assertEqual(len(self.picture("out.svg").groups("posterior")[0]), 2, method)

    def test_trials_have_panels_of_their_own(self):
        self.heed("simulate", "scores", "--participants", "1", "--trials", "6", "--minutes", "2", "-o", "c")
        picture, _ = self.track(scores="c/sub-01_scores.tsv")
        self.assertEqual(len(picture.groups("posterior")), 6)
        self.assertEqual(picture.words("trial"), [f"trial {k}" for k in range(1, 7)])

    def test_one_window(self):
        self.write_scores("one.tsv", [[0.1, 0.2]], [1])
        picture, _ = self.track(scores="one.tsv")
        self.assertEqual(len(picture.groups("posterior")[0]), 2)

    def test_a_name_that_is_no_text(self):
        self.listener()
        odd = os.fsencode(self.folder) + b"/odd\xff<&\".tsv"
        os.rename(os.fsencode(self.folder / "sub-01_scores.tsv"), odd)
        result = self.run_heed("track", os.fsdecode(odd), *BY_HAND, "-o", "out.tsv", "--plot", "out.svg")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.picture("out.svg").words("title")[0], "odd?<&\".tsv")

    def test_ten_hours_stay_small(self):
        self.heed("simulate", "scores", "--participants", "1", "--trials", "1", "--minutes", "600", "--speakers", "6",
                  "--accuracy", "0.35", "--switch-every", "60-300", "--artefacts", "0.03", "-o", "c")
        self.heed("track", "c/sub-01_scores.tsv", *BY_HAND, "-o", "out.tsv", "--plot", "out.svg")
        self.assertLess(os.path.getsize(self.folder / "out.svg"), 500_000)


class Formats(PlotTest):
    def draw(self, name):
        self.heed("track", "sub-01_scores.tsv", *BY_HAND, "-o", "out.tsv", "--plot", name)
        return (self.folder / name).read_bytes()

    def test_png(self):
        self.listener()
        png = self.draw("out.png")
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        chunks, at = {}, 8
        while at < len(png):
            length, kind = struct.unpack(">I4s", png[at:at + 8])
            body, (check,) = png[at + 8:at + 8 + length], struct.unpack(">I", png[at + 8 + length:at + 12 + length])
            self.assertEqual(zlib.crc32(kind + body), check, kind)
            chunks[kind] = chunks.get(kind, b"") + body
            at += 12 + length
        width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
        self.assertEqual(width, 2126, "180 mm at 300 dots an inch")
        self.assertEqual(struct.unpack(">IIB", chunks[b"pHYs"]), (11811, 11811, 1))
        self.assertEqual((depth, colour), (8, 2))
        self.assertEqual(len(zlib.decompress(chunks[b"IDAT"])), height * (1 + 3 * width))

    def test_pdf(self):
        self.listener()
        pdf = self.draw("out.PDF")
        self.assertTrue(pdf.startswith(b"%PDF-1."))
        self.assertTrue(pdf.endswith(b"%%EOF\n"))
        start = int(re.search(rb"startxref\s+(\d+)", pdf)[1])
        self.assertEqual(pdf[start:start + 4], b"xref")
        width = float(re.search(rb"/MediaBox \[ 0 0 ([\d.]+)", pdf)[1])
        self.assert_close(width, 180 / 25.4 * 72, 1e-4)

    def test_the_same_scores_give_the_same_bytes(self):
        self.listener()
        for name in ("a.svg", "a.pdf", "a.png"):
            first = self.draw(name)
            self.assertEqual(self.draw(name), first, name)


class Refused(PlotTest):
    def test_other_endings(self):
        self.listener()
        for name in ("out.jpg", "out", "svg", "-"):
            for verb in ("track", "compare"):
                self.refused(2, verb, "sub-01_scores.tsv", *BY_HAND, "--plot", name, says=(".svg", ".pdf", ".png"))

    def test_unwritable(self):
        self.listener()
        (self.folder / "folder.svg").mkdir()
        for name in ("none/out.svg", "folder.svg"):
            self.refused(73, "track", "sub-01_scores.tsv", *BY_HAND, "-o", "out.tsv", "--plot", name, says=name)

    def test_widths_that_cannot_be(self):
        self.listener()
        for width in ("10", "-5", "nan", "1e9", "x"):
            self.refused(2, "track", "sub-01_scores.tsv", *BY_HAND, "--plot", "a.svg", "--plot-width", width)

    def test_a_disk_that_fills(self):
        self.listener()
        self.write("out.svg", "as it was")
        small = "ulimit -f 1; exec \"$0\" track sub-01_scores.tsv " + " ".join(BY_HAND) + " --plot out.svg"
        before = self.files()
        result = self.run_shell(small)
        self.assertEqual(result.returncode, 74, result.stderr)
        self.assertEqual(self.files(), before)

    def run_shell(self, script):
        return subprocess.run(["bash", "-c", script, PROGRAM], cwd=self.folder, capture_output=True, check=False)


class TradeOff(PlotTest):
    def setUp(self):
        super().setUp()
        for k in range(4):
            self.listener(seed=k, windows=400, name=f"c/sub-0{k + 1}_scores.tsv")

    def draw(self, *options):
        self.table = self.heed("compare", "c", "--plot", "out.svg", *options)
        return self.picture("out.svg")

    def test_a_curve_a_method_and_a_dot_a_participant(self):
        methods = ["causal", "fixed-lag", "smooth", "viterbi", "raw"]
        picture = self.draw("--methods", ",".join(methods))
        self.assertEqual(self.table, self.heed("compare", "c", "--methods", ",".join(methods)), "the table is the same")
        curves = picture.groups("curve")
        self.assertEqual([len(group) for group in curves], [1 + 13] * 4, "a line and its points; raw has no p")
        self.assertEqual([group[0].hint for group in curves], methods[:4])
        self.assertEqual([len(group) for group in picture.groups("participants")], [4] * 5)
        self.assertEqual(len(picture.groups("in-use")), 5)
        for words in [*methods, "accuracy (%), log error", "switch time (s)", "4 participants, 2 speakers, windows of 1 s"]:
            self.assertIn(words, picture.texts)

    def test_points_are_the_comparison_at_their_probability(self):
        picture = self.draw("--methods", "causal")
        [[_, *points]] = picture.groups("curve")
        self.assertTrue(points[0].hint.startswith("causal, mean at p = 0.0001: "))
        self.assertTrue(points[-1].hint.startswith("causal, mean at p = 0.1: "))
        for point, p in ((points[0], "0.0001"), (points[4], "0.001"), (points[8], "0.01"), (points[-1], "0.1")):
            [method] = self.heed_json("compare", "c", "--methods", "causal", "-p", p)["methods"]
            accuracy, time = re.search(r": ([\d.]+) %, ([\d.]+) s$", point.hint).groups()
            self.assertLessEqual(abs(100 * method["accuracy"]["mean"] - float(accuracy)), 0.051, p)
            self.assertLessEqual(abs(method["switch_time"]["mean"] - float(time)), 0.051, p)

    def test_json_goes_with_it(self):
        alone = self.heed_json("compare", "c")
        self.assertEqual(self.heed_json("compare", "c", "--plot", "out.png"), alone)
        self.assertTrue((self.folder / "out.png").read_bytes().startswith(b"\x89PNG"))

    def test_a_matrix_leaves_single_marks(self):
        self.write("chain.tsv", "0.99\t0.01\n0.02\t0.98\n")
        picture = self.draw("--methods", "causal,smooth", "--transition", "chain.tsv")
        self.assertEqual(picture.groups("curve"), [])
        self.assertEqual(len(picture.groups("in-use")), 2)

    def test_without_switches_there_is_no_picture_but_the_table(self):
        for k in range(3):
            self.listener(seed=k, block=1000, name=f"d/sub-0{k + 1}_scores.tsv")
        result = self.run_heed("compare", "d", "--plot", "none.svg")
        self.assertEqual(result.returncode, 65)
        self.assertIn(b"--switch-every", result.stderr)
        self.assertIn(b"causal", result.stdout)
        self.assertFalse((self.folder / "none.svg").exists())

    def test_unwritable(self):
        result = self.run_heed("compare", "c", "--methods", "causal", "--plot", "none/out.svg")
        self.assertEqual(result.returncode, 73)
        self.assertIn(b"none/out.svg", result.stderr)
        self.assertIn(b"causal", result.stdout, "the table was worked for")

    def test_same_bytes(self):
        self.draw("--methods", "causal,raw")
        first = self.read("out.svg")
        self.draw("--methods", "causal,raw")
        self.assertEqual(self.read("out.svg"), first)


class Documentation(PlotTest):
    def test_the_picture_in_the_documentation_is_what_its_command_draws(self):
        page = (ROOT / "docs/verbs/track.md").read_text(encoding="utf-8")
        commands = [line for line in page.splitlines() if line.startswith("heed ") and " simulated" in line]
        self.assertEqual(len(commands), 2)
        program = pathlib.Path(PROGRAM).resolve()
        script = "\n".join(["set -e", *commands]).replace("heed ", f"'{program}' ")
        result = subprocess.run(["bash", "-c", script], cwd=self.folder, capture_output=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        kept, drawn = (ROOT / "docs/images/attention.svg").read_text(encoding="utf-8"), self.read("attention.svg")
        self.assertIn("simulated", kept)
        self.assertLess(len(kept), 100_000)
        self.assertEqual(NUMBER.sub("", drawn), NUMBER.sub("", kept))
        # Another compiler may round another way, by a hundredth of a point.
        self.assert_close(*([float(one) for one in NUMBER.findall(text)] for text in (drawn, kept)), 0.02)


if __name__ == "__main__":
    unittest.main()
