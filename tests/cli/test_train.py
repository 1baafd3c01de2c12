# SPDX-License-Identifier: MIT
"""heed train: decoders as files, and heed score with them."""
import math
import unittest

from decoding_test import BAD_DATA, NO_INPUT, USAGE, DecodingTest, accuracy, edit
from planted_study import CHANNELS, LAG, PATTERN, RATE, Study

EVERY_RUN = ("01", "02", "03")


class Train(DecodingTest):
    def setUp(self):
        super().setUp()
        self.study = self.shared("one")

    def test_what_is_in_the_file(self):
        self.heed("train", self.study, "--participant", "01", "--exclude-run", "01", "--recipe", "paper", "--filters", "causal", "-o", "model.json")
        self.assertIn("CCA, 10 pairs, 8 channels, lags 0 ... 16; 1 ... 9 Hz, causal, 64 Hz, average reference\n", self.said)
        self.assertIn("trained on 1 participant, 2 runs: written to model.json\n", self.said)
        self.assertIn("live, EEG is delayed by", self.said)
        model = self.read_json("model.json")
        self.assertEqual((model["Format"], model["FormatVersion"], model["Kind"]), ("heed-decoder", 1, "cca"))
        self.assertEqual(model["Channels"], list(CHANNELS))
        self.assertEqual((model["EegLags"], model["Participants"]), ([0, 16], 1))
        self.assertEqual(model["Runs"], [f"sub-01_task-attend_run-{run}" for run in EVERY_RUN[1:]])
        self.assertEqual(model["Preprocessing"]["Filters"], "causal")
        self.assertEqual(len(model["Pairs"]), 10)
        self.assertEqual(len(model["Pairs"][0]["EegFilter"]), 17 * len(CHANNELS))
        self.assertTrue(all(0.5 < deviation < 100 for deviation in model["EegScales"]["Deviation"]))  # microvolts

    def test_a_model_scores_as_the_fold_that_it_is(self):
        """Trained on the other runs, it is the decoder cross-validation has for the run left out."""
        for decoder in ("ls", "cca"):
            for filters in ("causal", "zero-phase"):
                how = ["--recipe", "paper", "--decoder", decoder, "--filters", filters]
                self.heed("score", self.study, *how, "--digits", "17", "-o", "folds")
                self.heed("train", self.study, *how, "--exclude-run", "01", "-o", "model.json")
                self.heed("score", self.study, "--run", "01", "--model", "model.json", "--digits", "17", "-o", "out")
                self.assertNotIn("trained on a run", self.said)
                mine, fold = self.scores(1, decoder=decoder), self.scores(1, decoder=decoder, out="folds")
                self.assertGreater(accuracy(mine), 0.95)
                self.assert_close(mine.numbers("onset", "left", "right"), fold.numbers("onset", "left", "right"), 1e-9)

    def test_a_model_brings_its_targets(self):
        for target, names in (("onset", ["onset"]), ("both", ["envelope", "onset"])):
            how = ["--decoder", "cca", "--filters", "causal", "--target", target]
            self.heed("train", self.study, *how, "--exclude-run", "01", "-o", "model.json")
            self.assertIn("ms (resampling), onsets of sound 47 ms more, and the lags", self.said)
            model = self.read_json("model.json")
            self.assertEqual((model["FormatVersion"], model["Targets"], model["Preprocessing"]["Targets"]), (2, names, names))
            self.assertEqual(len(model["StimulusScales"]["Deviation"]), len(names))
            self.heed("score", self.study, *how, "--digits", "17", "-o", "folds")
            self.heed("score", self.study, "--run", "01", "--model", "model.json", "--digits", "17", "-o", "out")
            mine, fold = self.scores(1, decoder="cca"), self.scores(1, decoder="cca", out="folds")
            self.assert_close(mine.numbers("onset", "left", "right"), fold.numbers("onset", "left", "right"), 1e-9)
        self.refused(USAGE, "score", self.study, "--model", "model.json", "--target", "onset", "-o", "x", says="--target")

    def test_a_cosine_no_live_session_can_know(self):
        how = ["--filters", "causal", "--score", "cosine"]
        self.heed("train", self.study, *how, "--score-memory", "trial", "-o", "model.json")
        self.assertIn("note: a live session cannot use this decoder", self.said)
        for options in ([*how, "--score-memory", "30"], how, ["--score", "cosine", "--score-memory", "trial"]):
            self.heed("train", self.study, *options, "-o", "model.json")
            self.assertNotIn("live session", self.said)

    def test_info(self):
        self.heed("train", self.study, "--decoder", "ls", "--exclude-run", "01", "-o", "model.json")
        shown = self.heed("info", "model.json")
        for text in ("model.json: decoder: least squares", "compared by shrunk cosine 0.3\ntrained on 1 participant, 2 runs\n", " ".join(CHANNELS)):
            self.assertIn(text, shown)
        found = self.heed_json("info", "model.json")
        self.assertEqual((found["format"], found["channels"], len(found["runs"])), ("decoder", list(CHANNELS), 2))

    def test_same_bytes(self):
        for out, options in (("a.json", []), ("b.json", []), ("c.json", ["--no-cache"])):
            self.heed("train", self.study, *options, "-o", out)
        self.assertEqual(self.read("a.json"), self.read("b.json"))
        self.assertEqual(self.read("a.json"), self.read("c.json"))

    def test_one_decoder_for_everybody(self):
        study = self.shared("cohort", participants=("01", "02", "03"), seconds=20)
        for decoder in ("ls", "cca"):
            self.heed("train", study, "--participant", "01,02", "--decoder", decoder, "-o", "pooled.json")
            self.assertEqual(self.read_json("pooled.json")["Participants"], 2)
            self.heed("score", study, "--participant", "03", "--model", "pooled.json", "-o", "out")
            self.assertGreater(accuracy(self.scores(1, "03", decoder)), 0.9)

    def test_the_pattern_is_the_planted_one(self):
        self.heed("train", self.study, "--target", "envelope", "--reference", "none", "-o", "model.json",
                  "--patterns", "pattern.tsv", "--patterns", "pattern.svg")
        table = self.read_table("pattern.tsv")
        self.assertEqual(table["channel"], list(CHANNELS))
        lags = [float(name) for name in table.header[1:]]
        columns = [[float(row[1 + k]) for row in table.rows] for k in range(len(lags))]
        power = [sum(value * value for value in column) for column in columns]
        self.assertAlmostEqual(lags[power.index(max(power))], LAG / RATE, delta=1.5 / RATE)
        self.assertGreater(cosine(columns[power.index(max(power))], PATTERN), 0.95)
        self.assertIn("<svg", self.read("pattern.svg"))

    def test_runs_it_was_trained_on_are_told(self):
        self.heed("train", self.study, "--exclude-run", "03", "-o", "model.json")
        self.heed("score", self.study, "--model", "model.json", "-o", "out")
        for run in EVERY_RUN[:2]:
            self.assertIn(f"heed: note: sub-01_task-attend_run-{run}: the model was trained on a run of this name", self.said)
        self.assertEqual(self.said.count("trained on a run"), 2)

    def test_a_listener_without_labels(self):
        self.heed("train", self.study, "--decoder", "ls", "-o", "model.json")
        study = Study(self.folder / "study", participants=("07",), seconds=20)
        study.attend = lambda participant, run: None
        study.write()
        (one,) = self.heed_json("score", "study", "--model", "model.json", "-o", "out")["participants"]
        self.assertEqual((one["windows"], one["accuracy"]), (0, None))
        self.assertEqual(len(self.scores(1, "07").rows), 20)


class Refused(DecodingTest):
    def setUp(self):
        super().setUp()
        self.study = self.copy(self.shared("small", seconds=20))

    def events(self):
        return sorted(self.study.glob("sub-01/eeg/*_events.tsv"))

    def test_nothing_to_train_on(self):
        for path in self.events():
            path.write_text("".join(line for line in path.read_text().splitlines(True) if "\tattend\t" not in line))
        self.fails(BAD_DATA, "train", "study", "-o", "model.json", says=["sub-01: no trial has attend rows", "events.tsv"])
        self.assertFalse((self.folder / "model.json").exists())

    def test_one_speaker(self):
        Study(self.folder / "alone", speakers=("left",), seconds=20).write()
        self.fails(BAD_DATA, "train", "alone", "--decoder", "cca", "-o", "model.json", says=["only one speaker", "use least squares"])
        self.heed("train", "alone", "--decoder", "ls", "-o", "model.json")
        self.fails(BAD_DATA, "score", "alone", "--model", "model.json", "-o", "out", says=["sub-01: has one speaker, 'left'", "two or more"])
        self.heed("score", "study", "--model", "model.json", "-o", "out")  # what it learned serves others
        self.assertGreater(accuracy(self.scores()), 0.9)

    def test_a_model_of_other_channels(self):
        self.heed("train", "study", "--decoder", "ls", "-o", "model.json")
        for path in self.study.glob("sub-01/eeg/*_eeg.vhdr"):
            edit(path, "=Cz,", "=CPz,")
        for path in self.study.glob("sub-01/eeg/*_channels.tsv"):
            edit(path, "Cz\t", "CPz\t")
        self.fails(BAD_DATA, "score", "study", "--model", "model.json", "-o", "out",
                   says=["sub-01_task-attend_run-01: there is no good EEG channel 'Cz'; there are Fz CPz", "model.json was trained with it", "train another on the channels of this recording"])

    def test_participants_of_different_channels(self):
        study = self.copy(self.shared("cohort", participants=("01", "02"), seconds=20), "cohort")
        edit(study / "sub-02/eeg/sub-02_task-attend_run-01_channels.tsv", "Pz\tEEG\tuV\tgood", "Pz\tEEG\tuV\tbad")
        self.fails(BAD_DATA, "train", "cohort", "-o", "model.json",
                   says=["sub-01 and sub-02 differ in channels (Pz)", "interpolate bad channels"])
        self.heed("train", "cohort", "--bad-channels", "interpolate", "-o", "model.json")

    def test_files_that_are_no_model(self):
        self.refused(NO_INPUT, "score", "study", "--model", "none.json", "-o", "out", says="none.json: no such file")
        for text, says in (("{}", "not a decoder of heed"), ("junk", "model.json"),
                           ('{"Format": "heed-model", "FormatVersion": 1}', "train one")):
            self.write("model.json", text)
            self.refused(BAD_DATA, "score", "study", "--model", "model.json", "-o", "out", says=says)

    def test_a_damaged_model(self):
        self.heed("train", "study", "--decoder", "ls", "-o", "model.json")
        text = self.read("model.json")
        for old, new, says in (('"FormatVersion": 2', '"FormatVersion": 99', "FormatVersion is 99"),
                               ('"EegLags": [0,16]', '"EegLags": [0,17]', "Weights"), ('"Kind": "least-squares"', '"Kind": "net"', "'net'")):
            self.assertIn(old, text)
            self.write("model.json", text.replace(old, new))
            result = self.run_heed("score", "study", "--model", "model.json", "-o", "out")
            self.assertIn(result.returncode, (65, 69))
            self.assertIn(says, result.stderr.decode())
            self.assertIn("model.json", result.stderr.decode())

    def test_options_that_make_no_sense(self):
        for options, says in ((["--patterns", "x.doc"], ".svg, .pdf or .png"), (["--decoder", "csp"], "--decoder"),
                              (["--rate", "10"], "at least 20 Hz"), (["--lags", "0-20000"], "below 10 s")):
            self.refused(USAGE, "train", "study", *options, "-o", "model.json", says=says)
        self.refused(NO_INPUT, "train", "study", "--participant", "99", "-o", "model.json", says="has no participant '99'; there are 01")


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b)) / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))


if __name__ == "__main__":
    unittest.main()
