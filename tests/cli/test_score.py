# SPDX-License-Identifier: MIT
"""heed score: planted attention is found, chance stays chance, and what cannot be decoded is named."""
import pathlib
import random
import shutil
import unittest

from decoding_test import (BAD_DATA, CANNOT_CREATE, NO_INPUT, NOT_SUPPORTED, PARTIAL, USAGE, DecodingTest, accuracy, edit,
                           with_random_labels)
from planted_study import CHANNELS, RATE, Study, binomial_bound, read_samples, set_channel, write_brain_vision

FLAT = lambda t: 5.0


class Planted(DecodingTest):
    """The EEG holds the attended envelope 125 ms late."""

    def test_both_decoders_find_it(self):
        study = self.shared("two")
        for decoder, score_type in (("ls", "correlation"), ("cca", "log-odds")):
            found = self.heed_json("score", study, "--decoder", decoder, "-o", "out")
            self.assertEqual(found["participants"][0]["window"], 1)
            (one,) = found["participants"]
            self.assertEqual((one["id"], one["windows"], one["alignment"], one["notes"]), ("01", 120, "aligned", []))
            self.assertGreater(one["accuracy"], 0.95)
            self.assertLess(one["p"], 1e-9)
            tables = [self.scores(run, decoder=decoder) for run in (1, 2, 3)]
            self.assertEqual(tables[0].header, ["onset", "left", "right", "attended"])
            self.assertEqual([set(table["attended"]) for table in tables], [{"left"}, {"right"}, {"left"}])
            self.assertAlmostEqual(sum(map(accuracy, tables)) / 3, one["accuracy"], places=12)
            sidecar = self.read_json(f"out/sub-01/eeg/sub-01_task-attend_run-01_desc-{decoder}_scores.json")
            self.assertEqual((sidecar["WindowLength"], sidecar["ScoreType"]), (1, score_type))
            self.assertIn("zero-phase", str(sidecar))
            self.assertRegex(sidecar["Kernels"], r"^OpenBLAS \w+$")

    def test_the_table_says_what_the_files_say(self):
        text = self.heed("score", self.shared("two"), "--decoder", "ls", "-o", "out")
        self.assertIn("least squares, ridge 0.3, lags 0-250 ms, shrunk cosine 0.3, leave one trial out\n", text)
        self.assertRegex(text, r"sub-01 +1 +120 +(9[5-9]|100)\.\d +50\.0 +58\.3 .* aligned\n")
        self.assertIn("scores written to out; 'heed compare out' tracks attention\n", self.said)

    def test_three_speakers(self):
        study = self.shared("three", speakers=("anna", "bert", "carl"))
        for decoder in ("ls", "cca"):
            (one,) = self.heed_json("score", study, "--decoder", decoder, "-o", "out")["participants"]
            self.assertGreater(one["accuracy"], 0.9)
            self.assertEqual(self.scores(3, decoder=decoder).header, ["onset", "anna", "bert", "carl", "attended"])

    def test_sound_as_well_as_envelopes(self):
        study = self.shared("sound", sound=True, seconds=20)
        (one,) = self.heed_json("score", study, "--decoder", "ls", "-o", "out")["participants"]
        self.assertGreater(one["accuracy"], 0.95)
        self.assertEqual(one["alignment"], "aligned")

    def test_a_recorded_switch(self):
        study = Study(self.folder / "study")
        study.attend = lambda participant, run: [(0, 20, run % 2), (20, 20, 1 - run % 2)]
        study.write()
        for decoder in ("ls", "cca"):
            self.heed("score", "study", "--decoder", decoder, "-o", "out")
            table = self.scores(2, decoder=decoder)
            self.assertEqual(table["attended"], ["right"] * 20 + ["left"] * 20)
            self.assertGreater(accuracy(table), 0.9)

    def test_stretches_without_a_label_are_scored_and_not_counted(self):
        study = Study(self.folder / "study")
        study.attend = lambda participant, run: [(0, 30, run % 2)] if run < 2 else None
        study.write()
        (one,) = self.heed_json("score", "study", "--decoder", "ls", "-o", "out")["participants"]
        self.assertEqual(one["windows"], 60)
        self.assertEqual(self.scores(1)["attended"][28:32], ["left", "left", "n/a", "n/a"])
        self.assertEqual(len(self.scores(3).rows), 40)

    def test_an_offset_is_noticed(self):
        study = Study(self.folder / "study", lag=8 + RATE // 2).write()
        one = self.heed_json("score", study, "--decoder", "ls", "-o", "out")["participants"][0]
        self.assertEqual(one["alignment"], "offset")
        self.assertLess(abs(one["alignment_offset"] - 0.5), 0.1)
        self.assertGreater(one["alignment_strength"], 6)
        self.assertIn("heed: note: sub-01: likely offset", self.said)
        self.assertIn("late relative to the sound", self.said)

    def test_labels_at_random_give_chance(self):
        study = Study(self.folder / "study", runs=4)
        labels = random.Random(7)
        with_random_labels(study.write(), labels, 40)
        for target in ("envelope", "onset", "both"):
            self.heed("score", "study", "--decoder", "ls", "--target", target, "-o", "out")
            tables = [self.scores(run) for run in (1, 2, 3, 4)]
            mean = sum(map(accuracy, tables)) / 4
            self.assertLess(abs(mean - 0.5), binomial_bound(0.5, 160) - 0.5, target)

    def test_window_lengths(self):
        self.heed("score", self.shared("two"), "--decoder", "ls", "--window", "1,5,0.25", "-o", "out")
        rows = {extra: len(self.scores(extra=extra).rows) for extra in ("window-01s_", "window-05s_", "window-0p25s_")}
        self.assertEqual(rows, {"window-01s_": 40, "window-05s_": 8, "window-0p25s_": 160})
        self.assertIn("01", self.heed("mesd", "out"))

    def test_which_runs(self):
        study = self.shared("cohort", participants=("01", "02"), seconds=20)
        self.heed("score", study, "--decoder", "ls", "--participant", "02", "--run", "1,03", "-o", "out")
        self.assertEqual({name.split("_desc")[0] for name in self.bytes_below("out") if "_scores" in name},
                         {f"sub-02/eeg/sub-02_task-attend_run-{run}" for run in ("01", "03")})
        self.heed("score", study, "--decoder", "ls", "--exclude-run", "03", "-o", "rest")
        self.assertEqual(len([name for name in self.bytes_below("rest") if name.endswith("_scores.tsv")]), 4)

    def test_scores_go_on_to_the_other_verbs(self):
        self.heed("score", self.shared("cohort", participants=("01", "02"), seconds=20), "--decoder", "ls", "-o", "out")
        self.assertIn("2 participants, 2 speakers, windows of 1 s", self.heed("compare", "out", "--switch-every", "10"))

    def test_other_ways_to_prepare_and_fit(self):
        study = self.shared("two")
        for options in (["--regularisation", "ledoit-wolf"], ["--regularisation", "ridge-cv"], ["--filters", "causal"],
                        ["--rate", "32"], ["--band", "2-8"], ["--reference", "none"], ["--reference", "Oz"],
                        ["--clip", "6"], ["--channels", "Fz,Cz,Pz,Oz"], ["--lags", "50-200"], ["--ridge", "0.01"]):
            (one,) = self.heed_json("score", study, "--decoder", "ls", *options, "-o", "out")["participants"]
            self.assertGreater(one["accuracy"], 0.9, options)

    def test_targets(self):
        """Where speech becomes louder tells who is heard as well, from envelopes and from sound, in both filter modes."""
        for name, sound in (("two", {}), ("sound", {"sound": True, "seconds": 20})):
            study = self.shared(name, **sound)
            for decoder in ("ls", "cca"):
                for target in ("onset", "both"):
                    for filters in ("zero-phase", "causal"):
                        options = ["--decoder", decoder, "--target", target, "--filters", filters]
                        (one,) = self.heed_json("score", study, *options, "-o", "out")["participants"]
                        self.assertGreater(one["accuracy"], 0.85, options)
                        self.assertEqual(one["notes"], [], options)
            sidecar = self.read_json("out/sub-01/eeg/sub-01_task-attend_run-01_desc-cca_scores.json")
            self.assertIn("targets envelope and onset", str(sidecar))


class SameBytes(DecodingTest):
    def setUp(self):
        super().setUp()
        self.study = self.copy(self.shared("cohort", participants=("01", "02"), seconds=20))

    def cache(self):
        return self.folder / "cache"

    def score(self, out, *options):
        self.heed("score", "study", "--decoder", "ls", "--digits", "17", *options, "-o", out)
        return self.bytes_below(out)

    def cached(self):
        return {path: (path.stat().st_ino, path.read_bytes()) for path in sorted(self.cache().rglob("*.heed"))}

    def test_whatever_the_threads(self):
        self.assertEqual(self.score("one", "--threads", "1", "--no-cache"), self.score("two", "--threads", "2", "--no-cache"))
        self.assertFalse(self.cache().exists())

    def test_a_second_run_takes_the_cache(self):
        first = self.score("first")
        kept = self.cached()
        self.assertEqual(len(kept), 6)
        self.assertEqual(self.score("second"), first)
        self.assertEqual(self.cached(), kept)  # nothing was written again
        self.assertEqual(self.score("third", "--no-cache"), first)

    def test_a_target_has_signals_of_its_own(self):
        envelope = self.score("envelope", "--target", "envelope")
        onset = self.score("onset")
        self.assertNotEqual(onset, envelope)
        self.assertEqual(len(self.cached()), 12)
        self.assertEqual(self.score("again", "--target", "onset", "--no-cache"), onset)
        self.assertEqual(self.score("still", "--target", "envelope"), envelope)

    def test_another_cache(self):
        first = self.score("first", "--cache", "elsewhere")
        self.assertEqual(len(list((self.folder / "elsewhere").glob("*.heed"))), 6)
        self.assertFalse(self.cache().exists())
        self.assertEqual(self.score("second", "--cache", "elsewhere"), first)

    def test_a_damaged_cache_is_not_trusted(self):
        first = self.score("first")
        kept = {path: content for path, (_, content) in self.cached().items()}
        for number, (path, content) in enumerate(kept.items()):
            damage = [content[:len(content) // 2], b"", content[:-40] + b"\1" + content[-39:], b"junk" + content]
            path.write_bytes(damage[number % len(damage)])
        self.assertEqual(self.score("second"), first)
        self.assertEqual({path: content for path, (_, content) in self.cached().items()}, kept)

    def test_changes_are_noticed(self):
        stimulus = self.study / "stimuli" / "run1-left.tsv"
        run = self.study / "sub-01/eeg/sub-01_task-attend_run-02"
        changes = {
            "stimulus": lambda: edit(stimulus, "envelope\n", "envelope\n0.5\n"),
            "labels": lambda: edit(pathlib.Path(f"{run}_events.tsv"), "attend\tright", "attend\tleft"),
            "recording": lambda: set_channel(pathlib.Path(f"{run}_eeg.vhdr"), "Fz", lambda t: float(t * 7919 % 101)),
            "bad channel": lambda: edit(pathlib.Path(f"{run}_channels.tsv"), "Cz\tEEG\tuV\tgood", "Cz\tEEG\tuV\tbad"),
        }
        before = self.score("before")
        for what, change in changes.items():
            change()
            after = self.score(what)
            self.assertNotEqual(after, before, what)
            self.assertEqual(after, self.score(what + " anew", "--no-cache"), what)
            before = after


class BadSignals(DecodingTest):
    """A documented meaning, or an error that names the place."""

    def setUp(self):
        super().setUp()
        self.study = self.copy(self.shared("small", seconds=20))

    def recording(self, run):
        return self.study / f"sub-01/eeg/sub-01_task-attend_run-{run:02}_eeg.vhdr"

    def score(self, *options):
        return self.heed_json("score", "study", "--decoder", "ls", *options, "-o", "out")["participants"][0]

    def test_bad_channels_are_left_out_and_named(self):
        reasons = {"flat": FLAT, "railed": lambda t: 3276.7 if t % 3 else -3276.8, "missing": lambda t: float("nan")}
        for reason, value in reasons.items():
            set_channel(self.recording(2), "Pz", value)
            one = self.score()
            (note,) = one["notes"]
            self.assertRegex(note, rf"^channel Pz is bad \({reason}.* in sub-01_task-attend_run-02\): left out$")
            self.assertGreater(one["accuracy"], 0.9)
            self.assertIn(note, self.said)

    def test_bad_channels_are_interpolated(self):
        set_channel(self.recording(2), "Pz", FLAT)
        one = self.score("--bad-channels", "interpolate")
        self.assertTrue(one["notes"][0].endswith("interpolated"))
        self.assertGreater(one["accuracy"], 0.9)

    def test_all_channels_bad(self):
        for channel in CHANNELS:
            set_channel(self.recording(2), channel, FLAT)
        for more in ([], ["--bad-channels", "interpolate"]):
            self.fails(BAD_DATA, "score", "study", *more, "-o", "out", says=["sub-01", "every EEG channel is bad", "Leave"])

    def test_missing_samples_make_missing_windows(self):
        samples = read_samples(self.recording(2))
        for k in range(300 * len(CHANNELS), 364 * len(CHANNELS)):  # 4.7 to 5.7 s
            samples[k] = float("nan")
        write_brain_vision(self.recording(2), samples)
        one = self.score()
        self.assertEqual(one["notes"], ["sub-01_task-attend_run-02: 2 of 20 windows are missing: EEG was not recorded, or a speaker was silent throughout"])
        self.assertEqual(one["windows"], 58)
        self.assertEqual([t for t, value in enumerate(self.scores(2)["left"]) if value == "n/a"], [4, 5])
        self.assertGreater(one["accuracy"], 0.9)

    def test_an_envelope_shorter_than_the_eeg(self):
        path = self.study / "stimuli" / "run1-left.tsv"
        path.write_text("".join(path.read_text().splitlines(True)[:600]))
        self.fails(BAD_DATA, "score", "study", "-o", "out",
                   says=["run-01_events.tsv: row 2: wants 20 s", "'run1-left.tsv', which ends at 9.35938 s; shorten the row"])

    def test_silence(self):
        for level in ("0", "3"):
            (self.study / "stimuli" / "run1-left.tsv").write_text("envelope\n" + f"{level}\n" * 1280)
            self.fails(BAD_DATA, "score", "study", "-o", "out",
                       says=["sub-01_task-attend_run-01: speaker 'left' is silent", "are the files of its stimulus rows"])

    def test_channels_that_follow_from_others(self):
        for run in (1, 2, 3):
            samples = read_samples(self.recording(run))
            for t in range(0, len(samples), len(CHANNELS)):
                samples[t + 1] = samples[t]
            write_brain_vision(self.recording(run), samples)
        for decoder in ("ls", "cca"):
            self.fails(BAD_DATA, "score", "study", "--decoder", decoder, "--ridge", "0", "--reference", "none", "-o", "out",
                       says=["sub-01: the covariance of the EEG cannot be inverted", "use a ridge above 0"])
        self.assertGreater(self.score()["accuracy"], 0.9)  # the default ridge does

    def test_one_run_twice(self):
        shutil.copy(self.recording(1).with_suffix(".eeg"), self.recording(2).with_suffix(".eeg"))
        self.fails(BAD_DATA, "score", "study", "-o", "out", says=["run-02 holds the same EEG as sub-01_task-attend_run-01", "leave one out"])

    def test_lags_longer_than_a_trial(self):
        for run in (1, 2, 3):
            path = pathlib.Path(str(self.recording(run)).replace("_eeg.vhdr", "_events.tsv"))
            path.write_text(path.read_text().replace("0\t20\t", "0\t5\t"))
        for decoder in ("ls", "cca"):
            self.fails(BAD_DATA, "score", "study", "--decoder", decoder, "--lags", "0-6000", "-o", "out",
                       says=["trial 'sub-01_task-attend_run-01': 320 samples are fewer than the lags reach", "use shorter lags"])

    def test_windows_longer_than_a_trial(self):
        for decoder in ("ls", "cca"):
            self.fails(BAD_DATA, "score", "study", "--decoder", decoder, "--window", "30", "-o", "out",
                       says=["sub-01", "window", "shorter windows"])


class Refused(DecodingTest):
    def test_too_few_trials(self):
        self.copy(self.shared("small", seconds=20))
        self.fails(BAD_DATA, "score", "study", "--run", "01", "-o", "out",
                   says=["sub-01: has 1 trial with attend rows", "needs two", "trained on other data"])

    def test_one_speaker(self):
        Study(self.folder / "study", speakers=("left",), seconds=20).write()
        self.fails(BAD_DATA, "score", "study", "-o", "out", says=["sub-01: has one speaker, 'left'", "two or more"])

    def test_csp_of_three(self):
        study = self.shared("three", speakers=("anna", "bert", "carl"))
        self.fails(NOT_SUPPORTED, "score", study, "--decoder", "csp", "-o", "out", says=["3 speakers", "use least squares or CCA"])

    def test_labels_that_are_not_there(self):
        study = self.shared("small", seconds=20)
        for option, label, says in (("--participant", "99", "has no participant '99'; there are 01"),
                                    ("--run", "9", "has no run '9'; there are 01 02 03"),
                                    ("--task", "rest", "has no task 'rest'; there are attend"),
                                    ("--session", "A", "has no session 'A'"),
                                    ("--exclude-run", "1,2,3", "no run matches everything")):
            self.refused(NO_INPUT, "score", study, option, label, "-o", "out", says=says)
        self.refused(NO_INPUT, "score", "nowhere", "-o", "out", says="nowhere: no such folder")

    def test_channels_that_are_not_there(self):
        study = self.shared("small", seconds=20)
        self.fails(NO_INPUT, "score", study, "--channels", "Fz,Nz", "-o", "out", says=["'Nz'; there are Fz Cz Pz"])
        self.fails(NO_INPUT, "score", study, "--reference", "TP9", "-o", "out", says=["'TP9'", "the recording has"])

    def test_options_that_make_no_sense(self):
        study = self.shared("small", seconds=20)
        for options, says in ((["--rate", "10"], "choose at least 20 Hz"), (["--rate", "abc"], "is not a number"),
                              (["--band", "9-1"], "like 1-9"), (["--band", "1-40"], "lower the edge"), (["--band", "0-9"], "above 0"),
                              (["--lags", "250-0"], "like 0-250"), (["--lags", "0-30000"], "below 10 s"),
                              (["--ridge", "-1"], "the ridge is -1; it must be a finite number of at least 0"), (["--clip", "-1"], "0 for none"),
                              (["--window", "0.3"], "quarter seconds"), (["--window", "0"], "quarter seconds"), (["--decoder", "cca", "--pairs", "0"], "at least one pair"),
                              (["--decoder", "ls", "--pairs", "4"], "canonical pairs was given, which only CCA has"),
                              (["--decoder", "lda"], "--decoder"), (["--digits", "0"], "between 1 and 17"),
                              (["--model", "m.json", "--decoder", "ls"], "--model excludes --decoder"),
                              (["--model", "m.json", "--rate", "32"], "--model excludes --rate")):
            self.refused(USAGE, "score", study, *options, "-o", "out", says=says)

    def test_folders_of_somebody_else(self):
        study = self.copy(self.shared("small", seconds=20))
        before = self.bytes_below("study")
        self.fails(CANNOT_CREATE, "score", "study", "-o", "study", says=["study: lies inside the dataset", "study/derivatives/heed"])
        self.assertEqual(self.bytes_below("study"), before)
        self.write("file", "x")
        self.fails(CANNOT_CREATE, "score", study, "-o", "file", says="file: cannot be created as a folder")
        self.fails(CANNOT_CREATE, "score", study, "--cache", "file", "-o", "out", says=["file: cannot be created as a folder", "do without a cache"])

    def test_one_broken_participant_does_not_stop_the_rest(self):
        study = self.copy(self.shared("cohort", participants=("01", "02"), seconds=20))
        (study / "sub-01/eeg/sub-01_task-attend_run-02_eeg.eeg").write_bytes(b"xx")
        result = self.run_heed("score", "study", "--decoder", "ls", "-o", "out")
        said = result.stderr.decode()
        self.assertEqual(result.returncode, PARTIAL, said)
        self.assertIn("heed: sub-01: ", said)
        self.assertIn("sub-01_task-attend_run-02_eeg.eeg", said)
        self.assertIn("heed: 1 of 2 participants failed\n", said)
        self.assertIn("sub-02", result.stdout.decode())
        self.assertNotIn("sub-01", result.stdout.decode())
        self.assertGreater(accuracy(self.scores(1, "02")), 0.9)


if __name__ == "__main__":
    unittest.main()
