# SPDX-License-Identifier: MIT
"""heed rescore: reconstructions of anybody's decoder, from planted listeners whose reconstructions are late and smeared."""
import json
import random
import struct
import unittest

from decoding_test import BAD_DATA, NO_INPUT, NOT_SUPPORTED, USAGE, accuracy
from heed_program import HeedTest
from planted_study import binomial_bound, speech_like

RATE = 64
SECONDS = 60
SPEAKERS = ("left", "right")
LISTENERS = ("01", "02", "03", "04")


def npy(values, kind="<f8", shape=None, version=1, order="False"):
    """As numpy.save writes it."""
    header = f"{{'descr': '{kind}', 'fortran_order': {order}, 'shape': ({shape or f'{len(values)},'}), }}"
    width = 10 if version == 1 else 12
    header += " " * (-(len(header) + width + 1) % 64) + "\n"
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    letter = "d" if kind.endswith("8") else "f"
    return b"\x93NUMPY" + bytes([version, 0]) + length + header.encode() + struct.pack(f"<{len(values)}{letter}", *values)


def rises(envelope):
    """Where it becomes louder, smoothed a little."""
    slope = [max(0.0, b - a) for a, b in zip(envelope, envelope[2:])] + [0.0, 0.0]
    return [sum(slope[max(0, t - 3):t + 1]) for t in range(len(slope))]


class Planted:
    """Listeners whose reconstruction follows the attended speaker's rises, 5 samples late, under noise; every run has
    sounds of its own. Tests change it, then write it."""

    def __init__(self, seed=1, runs=2, noise=1.5, listeners=LISTENERS):
        numbers = random.Random(seed)
        self.runs = {}
        for listener in listeners:
            for run in range(1, runs + 1):
                envelopes = [speech_like(numbers, RATE * SECONDS) for _ in SPEAKERS]
                attended = numbers.randrange(2)
                heard = rises(envelopes[attended])
                values = [heard[max(0, t - 5)] + numbers.gauss(0, noise) for t in range(len(heard))]
                self.runs[f"sub-{listener}_run-{run:02}"] = {
                    "values": values, "envelopes": envelopes, "sidecar": {"SamplingFrequency": RATE, "Attended": SPEAKERS[attended]}}

    def write(self, test, folder="rec", array=False):
        for name, run in self.runs.items():
            stem = f"{folder}/{name}"
            if array:
                test.write(stem + "_reconstruction.npy", npy(run["values"]))
            else:
                test.write_table(stem + "_reconstruction.tsv", ["reconstruction"], [[value] for value in run["values"]])
            test.write(stem + "_reconstruction.json", json.dumps(run["sidecar"]))
            test.write_table(stem + "_envelopes.tsv", SPEAKERS, [list(row) for row in zip(*run["envelopes"])])
            test.write(stem + "_envelopes.json", json.dumps({"SamplingFrequency": RATE}))
        return folder


class RescoreTest(HeedTest):
    def scores(self, name, out="out", extra=""):
        return self.read_table(f"{out}/{name}_{extra}desc-rescored_scores.tsv")

    def mean_accuracies(self, found):
        lengths = [one["lengths"][0] for one in found["participants"]]
        return [sum(one[key] for one in lengths) / len(lengths) for key in ("correlation_accuracy", "accuracy")]


class Winning(RescoreTest):
    def test_beats_the_plain_correlation(self):
        planted = Planted()
        found = self.heed_json("rescore", planted.write(self), "-o", "out")
        plain, rescored = self.mean_accuracies(found)
        self.assertGreater(rescored, plain + 0.05)
        self.assertGreater(rescored, binomial_bound(0.5, 2 * SECONDS * len(LISTENERS)))
        tables = [self.scores(name) for name in planted.runs]
        self.assert_close(sum(map(accuracy, tables)) / len(tables), rescored, 1e-9)
        self.assertEqual(tables[0].header, ["onset", "left", "right", "attended"])
        self.assertEqual(len(tables[0].rows), SECONDS)
        sidecar = self.read_json("out/sub-01_run-01_desc-rescored_scores.json")
        self.assertEqual((sidecar["ScoreType"], sidecar["WindowLength"]), ("log-odds", 1))
        self.assertIn("8 pairs", sidecar["Decoder"])
        self.heed("compare", "out")

    def test_windows_that_overlap(self):
        folder = Planted(noise=0.5).write(self)
        found = self.heed_json("rescore", folder, "--hop", "0.25", "--digits", "17", "-o", "often")
        self.heed("rescore", folder, "--digits", "17", "-o", "apart")
        self.assertEqual(found["participants"][0]["lengths"][0]["hop"], 0.25)
        often, apart = (self.scores("sub-01_run-01", out) for out in ("often", "apart"))
        self.assertEqual(often.numbers("left", "right")[::4], apart.numbers("left", "right"))
        self.assertEqual(self.read_json("often/sub-01_run-01_desc-rescored_scores.json")["HopLength"], 0.25)
        self.assertIn("windows of 1 s every 0.25 s", self.heed("rescore", folder, "--hop", "0.25", "-o", "often"))
        self.refused(USAGE, "rescore", folder, "--hop", "2", "-o", "out", says="hop of 2 s is longer than the window of 1 s")
        self.refused(USAGE, "rescore", folder, "--hop", "0.3", "-o", "out", says="quarter seconds")

    def test_permuted_labels_give_chance(self):
        planted = Planted(seed=2, noise=0.5)
        labels = random.Random(5)
        for run in planted.runs.values():
            run["sidecar"]["Attended"] = [{"Onset": t, "Speaker": labels.choice(SPEAKERS)} for t in range(SECONDS)]
        _, rescored = self.mean_accuracies(self.heed_json("rescore", planted.write(self), "-o", "out"))
        windows = SECONDS * len(planted.runs)
        self.assertLess(abs(rescored - 0.5), binomial_bound(0.5, windows) - 0.5)

    def test_exchanged_files_give_chance(self):
        """Envelopes of another run: nothing in the sounds alone says who was attended."""
        planted = Planted(seed=4, noise=0.5)
        names = list(planted.runs)
        moved = [planted.runs[name]["envelopes"] for name in names[3:] + names[:3]]
        for name, envelopes in zip(names, moved):
            planted.runs[name]["envelopes"] = envelopes
        _, rescored = self.mean_accuracies(self.heed_json("rescore", planted.write(self), "-o", "out"))
        self.assertLess(abs(rescored - 0.5), binomial_bound(0.5, SECONDS * len(names)) - 0.5)

    def test_own_labels_do_not_matter(self):
        """A listener's scores are learnt from the others alone."""
        planted = Planted()
        self.heed("rescore", planted.write(self), "-o", "a")
        for run in ("01", "02"):
            planted.runs[f"sub-01_run-{run}"]["sidecar"]["Attended"] = "n/a"
        self.heed("rescore", planted.write(self), "-o", "b")
        for run in ("01", "02"):
            name = f"sub-01_run-{run}"
            self.assertEqual(self.scores(name, "a").numbers(*SPEAKERS), self.scores(name, "b").numbers(*SPEAKERS))
            self.assertNotEqual(self.scores(f"sub-02_run-{run}", "a").rows, self.scores(f"sub-02_run-{run}", "b").rows)


class Reading(RescoreTest):
    def test_arrays_give_the_bytes_of_tables(self):
        planted = Planted()
        planted.write(self, "tables")
        planted.write(self, "arrays", array=True)
        self.heed("rescore", "tables", "-o", "a", "--threads", "1")
        self.heed("rescore", "arrays", "-o", "b", "--threads", "2")
        self.assertEqual(self.read("a/sub-03_run-02_desc-rescored_scores.tsv"), self.read("b/sub-03_run-02_desc-rescored_scores.tsv"))

    def test_an_envelope_a_speaker(self):
        planted = Planted()
        planted.write(self)
        self.heed("rescore", "rec", "-o", "a")
        for name, run in planted.runs.items():
            (self.folder / f"rec/{name}_envelopes.tsv").unlink()
            run["sidecar"]["Envelopes"] = [{"Speaker": who, "File": f"sounds/{name}-{who}.npy"} for who in SPEAKERS]
            self.write(f"rec/{name}_reconstruction.json", json.dumps(run["sidecar"]))
            for who, envelope in zip(SPEAKERS, run["envelopes"]):
                self.write(f"rec/sounds/{name}-{who}.npy", npy(envelope, version=2))
                self.write(f"rec/sounds/{name}-{who}.json", json.dumps({"SamplingFrequency": RATE}))
        self.heed("rescore", "rec", "-o", "b")
        for name in planted.runs:
            self.assertEqual(self.scores(name, "a").rows, self.scores(name, "b").rows)

    def test_several_lengths(self):
        table = self.heed("rescore", Planted(noise=0.5).write(self), "--window", "1,5", "-o", "out")
        self.assertEqual(len(self.scores("sub-01_run-01", extra="window-05s_").rows), SECONDS // 5)
        self.assertEqual(len(self.scores("sub-01_run-01", extra="window-01s_").rows), SECONDS)
        self.assertIn("accuracy of single windows of 5 s", table)
        self.assertEqual(table.splitlines()[2].split()[:4], ["listener", "window", "s", "windows"])

    def test_another_rate_of_everything(self):
        """Half the samples, and the times stay."""
        planted = Planted(noise=0.5)
        for run in planted.runs.values():
            run["values"] = [(a + b) / 2 for a, b in zip(run["values"][::2], run["values"][1::2])]
            run["envelopes"] = [[(a + b) / 2 for a, b in zip(one[::2], one[1::2])] for one in run["envelopes"]]
            run["sidecar"]["SamplingFrequency"] = RATE // 2
        planted.write(self)
        for name in planted.runs:
            self.write(f"rec/{name}_envelopes.json", json.dumps({"SamplingFrequency": RATE // 2}))
        plain, rescored = self.mean_accuracies(self.heed_json("rescore", "rec", "-o", "out"))
        self.assertGreater(rescored, plain)
        self.assertEqual(len(self.scores("sub-01_run-01").rows), SECONDS)


class Sharing(RescoreTest):
    def shared(self, runs):
        """Everybody hears what sub-01 hears in the run of the same number, and attends to the same."""
        planted = Planted(seed=3, runs=runs)
        for name, run in planted.runs.items():
            first = planted.runs["sub-01" + name[6:]]
            run["envelopes"] = first["envelopes"]
            run["sidecar"] = dict(first["sidecar"])
        return planted

    def test_runs_of_the_same_sounds_teach_nothing(self):
        """What others' runs of the same sounds hold has no say."""
        planted = self.shared(2)
        self.heed("rescore", planted.write(self), "-o", "a")
        planted.runs["sub-02_run-01"]["values"].reverse()
        self.heed("rescore", planted.write(self), "-o", "b")
        same = {name: self.scores(name, "a").rows == self.scores(name, "b").rows for name in planted.runs}
        self.assertTrue(same["sub-01_run-01"] and same["sub-03_run-01"])
        self.assertFalse(same["sub-01_run-02"] or same["sub-02_run-01"])

    def test_nobody_left(self):
        self.shared(1).write(self)
        result = self.run_heed("rescore", "rec", "-o", "out")
        self.assertEqual(result.returncode, BAD_DATA)
        self.assertIn("keep shared sounds", result.stderr.decode())
        self.heed("rescore", "rec", "--shared-sounds", "keep", "-o", "out")
        self.assertIn("same sounds", self.read("out/sub-01_run-01_desc-rescored_scores.json"))


class Refused(RescoreTest):
    def setUp(self):
        super().setUp()
        self.planted = Planted(listeners=("01", "02"), runs=1)
        self.planted.write(self)

    def refuses(self, code, *says):
        self.refused(code, "rescore", "rec", "-o", "out", says=says)

    def test_a_listener_alone(self):
        self.refused(BAD_DATA, "rescore", "rec/sub-01_run-01_reconstruction.tsv", "-o", "out", says=["one listener", "sub-02"])

    def test_nothing_there(self):
        self.refused(NO_INPUT, "rescore", "nowhere", "-o", "out", says="nowhere")
        self.write("empty/x", "")
        self.refused(NO_INPUT, "rescore", "empty", "-o", "out", says="_reconstruction.npy")
        self.refused(USAGE, "rescore", "-", "-o", "out", says="standard input")

    def test_other_rate(self):
        self.write("rec/sub-02_run-01_envelopes.json", json.dumps({"SamplingFrequency": 125}))
        self.refuses(BAD_DATA, "sub-02_run-01_envelopes.tsv", "125 samples per second", "64", "resample")

    def test_other_length_or_begin(self):
        path = self.folder / "rec/sub-02_run-01_envelopes.tsv"
        whole = path.read_text()
        path.write_text(whole + "1\t1\n")
        self.refuses(BAD_DATA, "3841 samples", "3840")
        path.write_text(whole)
        self.write("rec/sub-02_run-01_envelopes.json", json.dumps({"SamplingFrequency": RATE, "StartTime": 2}))
        self.refuses(BAD_DATA, "begins at 2 s")

    def test_gaps_and_nothing(self):
        path = self.folder / "rec/sub-01_run-01_reconstruction.tsv"
        lines = path.read_text().splitlines()
        lines[7] = "n/a"
        path.write_text("\n".join(lines))
        self.refuses(BAD_DATA, "row 8", "sub-01_run-01_reconstruction.tsv")
        path.write_text("reconstruction\n")
        self.refuses(BAD_DATA, "no samples")
        path.write_text("")
        self.refuses(BAD_DATA, "empty")
        path.unlink()
        values = self.planted.runs["sub-01_run-01"]["values"]
        for wrong, words in ((values[:6] + [float("nan")] + values[7:], "row 7"), ([], "no samples")):
            self.write("rec/sub-01_run-01_reconstruction.npy", npy(wrong))
            self.refuses(BAD_DATA, words, "sub-01_run-01_reconstruction.npy")

    def test_a_header_that_lies(self):
        (self.folder / "rec/sub-01_run-01_reconstruction.tsv").unlink()
        values = self.planted.runs["sub-01_run-01"]["values"]
        for code, content, words in (
                (BAD_DATA, npy(values, shape="1000000000000000,"), "header says 1000000000000000"),
                (BAD_DATA, npy(values, shape="99999999999999999999999,"), "header"),
                (BAD_DATA, npy(values, shape="-1,"), "header"),
                (BAD_DATA, npy(values)[:-3], "header says 3840"),
                (BAD_DATA, npy(values)[:30], "within its header"),
                (BAD_DATA, b"PK\x03\x04", "not a file of numpy"),
                (NOT_SUPPORTED, npy(values, shape="1920, 2"), "one column"),
                (NOT_SUPPORTED, npy(values, kind=">f8"), "astype"),
                (NOT_SUPPORTED, npy(values, order="True"), "ascontiguousarray"),
                (NOT_SUPPORTED, npy(values, version=3), "version 3")):
            self.write("rec/sub-01_run-01_reconstruction.npy", content)
            self.refuses(code, words)

    def test_what_never_changes(self):
        run = self.planted.runs["sub-02_run-01"]
        run["envelopes"][1] = [0.3] * len(run["values"])
        self.planted.write(self)
        self.refuses(BAD_DATA, "sub-02_run-01", "envelope of 'right' never changes")
        run["values"] = [1.0] * len(run["values"])
        self.planted.write(self)
        self.refuses(BAD_DATA, "reconstruction never changes")

    def test_sidecars(self):
        stem = "rec/sub-02_run-01_reconstruction.json"
        for sidecar, words in (({"Attended": "left"}, "SamplingFrequency"),
                               ({"SamplingFrequency": RATE, "Attended": "middle"}, "no speaker is called 'middle'"),
                               ({"SamplingFrequency": RATE, "Attended": [{"Onset": 99, "Speaker": "left"}]}, "outside"),
                               ({"SamplingFrequency": RATE, "Attended": [{"Onset": 9, "Speaker": "left"}] * 2}, "must increase"),
                               ({"SamplingFrequency": RATE, "Attended": 3}, "Attended"),
                               ({"SamplingFrequency": RATE, "Envelopes": []}, "one speaker")):
            self.write(stem, json.dumps(sidecar))
            self.refuses(BAD_DATA, words)
        self.write(stem, json.dumps({"SamplingFrequency": RATE, "Envelopes": "gone.tsv"}))
        self.refuses(NO_INPUT, "gone.tsv")
        (self.folder / stem).unlink()
        self.refuses(NO_INPUT, "no JSON beside it")

    def test_the_same_twice(self):
        run = self.planted.runs["sub-02_run-01"]
        run["values"] = self.planted.runs["sub-01_run-01"]["values"]
        self.planted.write(self)
        self.refuses(BAD_DATA, "same reconstruction")
        self.write("rec/sub-01_run-01_reconstruction.npy", npy(run["values"]))
        self.refuses(BAD_DATA, "same name")

    def test_options(self):
        self.refused(USAGE, "rescore", "rec", "-o", "out", "--window", "1,1", says="twice")
        self.refused(USAGE, "rescore", "rec", "-o", "out", "--window", "0.3", says="0.25")
        self.refused(USAGE, "rescore", "rec", "-o", "out", "--band", "9-1", says="band")
        self.refused(USAGE, "rescore", "rec", "-o", "out", "--shared-sounds", "some", says="--shared-sounds")


if __name__ == "__main__":
    unittest.main()
