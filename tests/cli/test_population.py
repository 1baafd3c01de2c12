# SPDX-License-Identifier: MIT
"""heed population, and score and train that lean on it: who learns from whom, without labels, and what is refused."""
import json
import os
import pathlib
import random
import shutil
import unittest

from decoding_test import BAD_DATA, NO_INPUT, NOT_SUPPORTED, REAL_DATA, USAGE, DecodingTest, accuracy, edit, with_random_labels
from planted_study import binomial_bound

EVERYBODY = ("01", "02", "03", "04", "05", "06")


class PopulationTest(DecodingTest):
    def setUp(self):
        super().setUp()
        self.study = self.shared("cohort", participants=EVERYBODY, runs=2, seconds=30, noise=3.0)

    def population(self, *options):
        """Of the study, which no test changes: made once for each choice of options."""
        kept = pathlib.Path(self.studies.name) / f"{'_'.join([self.study.name, *options])}.json"
        if not kept.exists():
            self.heed("population", self.study, *options, "-o", kept)
        shutil.copy(kept, self.folder / "pop.json")
        return self.read_json("pop.json")


class Making(PopulationTest):
    def test_an_entry_a_listener_and_run(self):
        made = self.population()
        self.assertEqual((made["Format"], made["FormatVersion"]), ("heed-population", 2))
        self.assertEqual([(one["Listener"], one["Run"][-2:]) for one in made["Entries"]],
                         [(who, run) for who in EVERYBODY for run in ("01", "02")])
        for one in made["Entries"]:
            self.assertEqual(len(one["Products"]), 17 * 8)
            self.assertEqual((one["Samples"], one["Scores"]["Windows"]), (30 * 64, 30))
            self.assertEqual(len(one["Stimuli"]), 2)
        sounds = {run: {tuple(one["Stimuli"]) for one in made["Entries"] if one["Run"].endswith(run)} for run in ("01", "02")}
        self.assertEqual([len(found) for found in sounds.values()], [1, 1])  # everybody heard the same
        self.assertFalse(set(*sounds["01"]) & set(*sounds["02"]))
        self.assertEqual(len({one["Recording"] for one in made["Entries"]}), 12)

    def test_heeds_recipe_unless_told(self):
        made = self.population()
        self.assertEqual((made["Targets"], made["Decoder"]["Kind"], made["Decoder"]["Ridge"]), (["onset"], "ls", 0.3))
        self.assertEqual(made["Decoder"]["ScoreRule"]["Measure"], "cosine")
        self.assertEqual((made["Preprocessing"]["LowEdge"], made["Preprocessing"]["HighEdge"]), (0.5, 9))
        made = self.population("--recipe", "paper", "--lags", "0-125")
        self.assertEqual((made["Targets"], made["Decoder"]["Kind"], made["Decoder"]["Ridge"]), (["envelope"], "cca", 0.1))
        self.assertEqual((made["Preprocessing"]["LowEdge"], made["Delays"]), (1, [0, 16]))

    def test_help_shows_what_runs(self):
        shown = self.heed("population", "--help")
        for default in ("default heed", "default ls", "default 0.3", "default cosine", "default onset", "default 0.5-9"):
            self.assertIn(default, shown)
        shown = self.heed("score", "--help")
        for default in ("default heed", "default ls", "default 0.3", "default cosine", "default onset", "default 0.5-9"):
            self.assertIn(default, shown)

    def test_same_bytes_however_made(self):
        for name, options in (("a.json", ["--threads", "1"]), ("b.json", ["--threads", "4"]), ("c.json", ["--no-cache"])):
            self.heed("population", self.study, *options, "-o", name)
        self.assertEqual(self.read("a.json"), self.read("b.json"))
        self.assertEqual(self.read("a.json"), self.read("c.json"))

    def test_the_table(self):
        lines = self.heed("population", self.study, "-o", "pop.json").splitlines()
        self.assertEqual(lines[0].split(), ["listener", "entries", "labelled", "s", "channels", "windows", "d'", "start", "d'", "learnt", "d'"])
        self.assertEqual(lines[1].split()[:5], ["sub-01", "2", "60", "8", "60"])
        self.assertEqual(len(lines), 7)
        self.assertIn("6 listeners, 12 entries; ls, ridge 0.3", self.said)

    def test_info(self):
        self.population()
        shown = self.heed("info", "pop.json")
        for text in ("pop.json: population: 6 listeners, 12 entries; ls, ridge 0.3", "360 s labelled, 4 sounds, spread of scores in 12 of 12 entries",
                     "6 listeners\n  01 02 03 04 05 06\n", "8 channels\n  "):
            self.assertIn(text, shown)
        found = self.heed_json("info", "pop.json")
        self.assertEqual((found["format"], found["listeners"], found["labelled"]), ("population", list(EVERYBODY), 360))
        self.write("junk.json", "{}")
        self.refused(BAD_DATA, "info", "junk.json", says=["junk.json", "not a decoder"])

    def test_refused(self):
        self.refused(BAD_DATA, "population", self.study, "--participant", "01", "-o", "pop.json", says=["1 listener", "no population"])
        self.refused(USAGE, "population", self.study, "--decoder", "csp", "-o", "pop.json", says="--decoder")
        self.refused(NO_INPUT, "population", "nowhere", "-o", "pop.json", says="nowhere")


class Leaning(PopulationTest):
    def separation(self, out, who):
        rows = [self.scores(run, who, out=out).numbers("left", "right") for run in (1, 2)]
        return sum(sum((a - b) * (1 if run == 0 else -1) for a, b in table) for run, table in enumerate(rows))

    def test_a_population_brings_its_own_options(self):
        self.population()
        self.heed("score", self.study, "--population", "pop.json", "-o", "out")
        sidecar = self.read_json("out/sub-01/eeg/sub-01_task-attend_run-01_desc-ls_scores.json")
        self.assertRegex(sidecar["Population"], r"^prior 0.28 of 5 others, of pop.json \(xxh3-128:[0-9a-f]{32}\)$")
        self.assertIn("onset", json.dumps(sidecar))
        # The same said by hand.
        self.heed("score", self.study, "--recipe", "heed", "--population", "pop.json", "-o", "said")
        self.assertEqual(self.read("out/sub-02/eeg/sub-02_task-attend_run-01_desc-ls_scores.tsv"),
                         self.read("said/sub-02/eeg/sub-02_task-attend_run-01_desc-ls_scores.tsv"))

    def test_the_folders_others_are_the_population_of_heeds_recipe(self):
        self.population()
        self.heed("score", self.study, "--population", "pop.json", "--digits", "17", "-o", "file")
        self.heed("score", self.study, "--recipe", "heed", "--digits", "17", "-o", "out")
        self.assertIn("of this folder", self.read_json("out/sub-01/eeg/sub-01_task-attend_run-01_desc-ls_scores.json")["Population"])
        for who in EVERYBODY:
            name = f"sub-{who}/eeg/sub-{who}_task-attend_run-02_desc-ls_scores.tsv"
            self.assertEqual(self.read("out/" + name), self.read("file/" + name))

    def test_too_few_others_are_none(self):
        study = self.copy(self.study)
        for who in EVERYBODY[3:]:
            shutil.rmtree(study / f"sub-{who}")
        self.heed("score", "study", "--recipe", "heed", "-o", "out")
        self.assertIn("decoded without a population: the folder has 2 other listeners, and at least 4 are needed", self.said)
        self.assertEqual(self.read_json("out/sub-01/eeg/sub-01_task-attend_run-01_desc-ls_scores.json")["Population"], "none")
        self.population()
        self.heed("score", "study", "--recipe", "heed", "--population", "pop.json", "-o", "given")
        self.assertIn("of pop.json", self.read_json("given/sub-01/eeg/sub-01_task-attend_run-01_desc-ls_scores.json")["Population"])

    def test_no_weight_is_no_population(self):
        self.population()
        self.heed("score", self.study, "--population", "pop.json", "--prior-weight", "0", "--digits", "17", "-o", "zero")
        self.heed("score", self.study, "--recipe", "heed", "--prior-weight", "0", "--digits", "17", "-o", "out")
        for who in ("01", "06"):
            self.assertEqual(self.scores(1, who, out="zero").rows, self.scores(1, who, out="out").rows)

    def test_none_is_the_recipe_without_others(self):
        self.population()
        for name, options in (("none", ["--recipe", "heed", "--population", "none"]), ("zero", ["--population", "pop.json", "--prior-weight", "0"])):
            self.heed("score", self.study, "--participant", "01", *options, "--digits", "17", "-o", name)
            self.assertNotIn("prior", self.read(f"{name}/sub-01/eeg/sub-01_task-attend_run-01_desc-ls_scores.json"))
        self.assertEqual(self.scores(1, "01", out="none").rows, self.scores(1, "01", out="zero").rows)
        for name, options in (("none.json", ["--recipe", "heed", "--population", "none"]), ("zero.json", ["--population", "pop.json", "--prior-weight", "0"])):
            for label_free in ([], ["--label-free"]):
                self.heed("train", self.study, "--participant", "01", *options, *label_free, "-o", "".join(label_free) + name)
                self.assertNotIn("prior", self.said)
        for kind in ("", "--label-free"):
            self.assertEqual(self.read(kind + "none.json"), self.read(kind + "zero.json"))
        self.refused(USAGE, "score", self.study, "--recipe", "heed", "--population", "none", "--prior-weight", "0.5", "-o", "out", says="but there is no population")

    # What a listener must not know is made nonsense; not a digit of the scores changes.
    def test_own_entries_and_those_of_the_tests_sounds_are_not_seen(self):
        made = self.population()
        self.heed("score", self.study, "--participant", "03", "--population", "pop.json", "--digits", "17", "-o", "out")
        expected = {run: self.scores(run, "03").rows for run in (1, 2)}
        for tested in (1, 2):
            for one in made["Entries"]:
                if one["Listener"] == "03" or one["Run"].endswith(f"run-{tested:02}"):
                    one["Products"] = [1e6] * len(one["Products"])
            self.write("poisoned.json", json.dumps(made))
            self.heed("score", self.study, "--participant", "03", "--population", "poisoned.json", "--digits", "17", "-o", "out")
            self.assertEqual(self.scores(tested, "03").rows, expected[tested])
            self.assertNotEqual(self.scores(3 - tested, "03").rows, expected[3 - tested])
            # A decoder of the other run will be tested on this one.
            for name, population in (("clean.json", "pop.json"), ("model.json", "poisoned.json")):
                self.heed("train", self.study, "--participant", "03", "--exclude-run", f"{tested:02}", "--population", population,
                          "-o", name)
            self.assertEqual(self.read_json("clean.json")["Weights"], self.read_json("model.json")["Weights"])
            made = self.read_json("pop.json")

    def test_a_listener_under_another_name_is_still_himself(self):
        made = self.population()
        for one in made["Entries"]:
            if one["Listener"] == "03":
                one["Listener"] = "somebody"
                one["Products"] = [1e6] * len(one["Products"])
        self.write("renamed.json", json.dumps(made))
        for name in ("pop.json", "renamed.json"):
            self.heed("score", self.study, "--participant", "03", "--population", name, "--digits", "17", "-o", name + ".out")
        self.assertEqual(self.scores(1, "03", out="pop.json.out").rows, self.scores(1, "03", out="renamed.json.out").rows)

    def test_a_trained_decoder_scores_as_the_folds_do(self):
        self.population()
        self.heed("score", self.study, "--participant", "02", "--population", "pop.json", "--digits", "17", "-o", "folds")
        self.heed("train", self.study, "--participant", "02", "--exclude-run", "01", "--population", "pop.json", "-o", "model.json")
        self.assertIn("prior 0.28 of 5 others", self.said)
        self.heed("score", self.study, "--participant", "02", "--run", "01", "--model", "model.json", "--digits", "17", "-o", "out")
        self.assert_close(self.scores(1, "02").numbers("left", "right"), self.scores(1, "02", out="folds").numbers("left", "right"), 1e-9)

    # Nothing but chance where labels mean nothing, whoever lends.
    def test_permuted_labels_are_chance(self):
        study = with_random_labels(self.copy(self.study), random.Random(4), 30)
        self.heed("score", "study", "--recipe", "heed", "-o", "out")
        self.assertIn("of this folder", self.read("out/sub-01/eeg/sub-01_task-attend_run-01_desc-ls_scores.json"))
        found = [accuracy(self.scores(run, who)) for who in EVERYBODY for run in (1, 2)]
        self.assertLess(abs(sum(found) / len(found) - 0.5), binomial_bound(0.5, 30 * len(found)) - 0.5)

    # Another run's sounds under a run's EEG: nothing relates them, and nobody can lend what is not there.
    def test_exchanged_files_are_chance(self):
        study = self.copy(self.study)
        for path in study.glob("sub-*/eeg/*_events.tsv"):
            mine, other = ("run1-", "run2-") if "run-01" in path.name else ("run2-", "run1-")
            edit(path, mine, other)
        self.heed("score", "study", "--recipe", "heed", "-o", "out")
        found = [accuracy(self.scores(run, who)) for who in EVERYBODY for run in (1, 2)]
        self.assertLess(abs(sum(found) / len(found) - 0.5), binomial_bound(0.5, 30 * len(found)) - 0.5)

    def test_refused(self):
        self.population()
        score = ("score", self.study, "--population", "pop.json", "-o", "out")
        for options, says in ((["--band", "1-9"], "other signals"), (["--rate", "32"], "other signals"), (["--target", "envelope"], "other signals"),
                              (["--prior-weight", "2"], "--prior-weight: '2'"), (["--prior-weight", "much"], "neither auto"),
                              (["--recipe", "paper"], "other signals"), (["--decoder", "csp"], "")):
            result = self.run_heed(*score, *options)
            self.assertIn(result.returncode, (USAGE, NOT_SUPPORTED), result.stderr.decode())
            self.assertIn(says, result.stderr.decode())
        self.refused(USAGE, "score", self.study, "--recipe", "paper", "--prior-weight", "0.5", "-o", "out", says="name one, or use heed's recipe")
        self.refused(USAGE, "train", self.study, "--population", "pop.json", "-o", "m.json", says=["one listener at a time", "say which one is meant"])
        self.refused(NO_INPUT, "score", self.study, "--population", "none.json", "-o", "out", says="none.json")
        self.write("junk.json", '{"Format": "heed-decoder"}')
        self.refused(BAD_DATA, "score", self.study, "--population", "junk.json", "-o", "out", says=["junk.json", "make one"])
        self.write("nan.json", self.read("pop.json").replace('"Products":[', '"Products":[NaN,', 1))
        self.refused(BAD_DATA, "score", self.study, "--population", "nan.json", "-o", "out", says="nan.json")

    def test_another_montage(self):
        self.population()
        study = self.copy(self.study)
        for path in study.glob("sub-01/eeg/*_eeg.vhdr"):
            edit(path, "=Cz,", "=CPz,")
        for path in study.glob("sub-01/eeg/*_channels.tsv"):
            edit(path, "Cz\t", "CPz\t")
        self.fails(BAD_DATA, "score", "study", "--participant", "01", "--population", "pop.json", "-o", "out",
                   says=["sub-01", "nobody in the population has the channels CPz; it has ", "only those both have (Fz,"])
        both = self.said_channels("score", "study", "--participant", "01", "--population", "pop.json", "-o", "out")
        self.heed("score", "study", "--participant", "01", "--population", "pop.json", "--channels", both, "-o", "out")

    def said_channels(self, *arguments):
        return self.run_heed(*arguments).stderr.decode().split("both have (")[1].split(")")[0].replace(" ", "")

    def test_lags_it_does_not_cover(self):
        self.population()
        score = ("score", self.study, "--population", "pop.json", "-o", "out")
        self.fails(USAGE, *score, "--lags", "0-400", says=["pop.json: ", "0 to 250 ms", "0 to 406 ms", "least squares", "lags 0-400 ms"])
        self.fails(USAGE, *score, "--decoder", "cca", says=["pop.json: ", "CCA, 10 pairs"])
        self.population("--lags", "0-400")
        self.heed(*score, "--lags", "0-250")

    def test_one_other_sound_for_all(self):
        """Everybody heard the test: nobody is left, and heed's recipe does without."""
        study = self.copy(self.study)
        for path in study.glob("sub-*/eeg/*_run-02_events.tsv"):
            path.write_text(path.read_text().replace("run2-", "run1-"))
        self.heed("population", "study", "-o", "pop.json")
        self.fails(BAD_DATA, "score", "study", "--participant", "01", "--population", "pop.json", "-o", "out", says="heed: sub-01: nobody in the population is left")
        said = self.fails(BAD_DATA, "train", "study", "--participant", "01", "--population", "pop.json", "--run", "01", "-o", "m.json",
                          says="sub-01: nobody in the population is left")
        self.assertNotIn("sub-01: sub-01:", said)
        self.heed("score", "study", "--participant", "01", "--recipe", "heed", "-o", "out")
        self.assertIn("sub-01: decoded without a population: 0 other listeners heard sounds other than those of the test, and at least 4 are needed", self.said)
        self.assertEqual(self.read_json("out/sub-01/eeg/sub-01_task-attend_run-01_desc-ls_scores.json")["Population"], "none")


class WithoutLabels(PopulationTest):
    def setUp(self):
        super().setUp()
        self.study = self.shared("long", participants=EVERYBODY, runs=2, seconds=110, noise=2.0)

    def test_as_good_as_with_labels(self):
        self.population()
        found = {}
        for name, options in (("with", []), ("without", ["--label-free", "--posteriors", "attention.tsv"])):
            self.heed("train", self.study, "--participant", "03", "--exclude-run", "02", "--population", "pop.json", *options, "-o", "model.json")
            self.heed("score", self.study, "--participant", "03", "--run", "02", "--model", "model.json", "-o", "out")
            found[name] = accuracy(self.scores(2, "03"))
        self.assertGreater(found["with"], 0.8)
        self.assertGreater(found["without"], found["with"] - 0.03)
        attention = self.read_table("attention.tsv")
        self.assertEqual(len(attention.rows), 110)
        self.assertEqual(attention["decision"].count("left"), 110)
        self.assertIn("end of trial", self.read("attention.json"))

    def test_how_it_went_is_told(self):
        self.population()
        self.heed("train", self.study, "--participant", "03", "--exclude-run", "02", "--label-free", "--population", "pop.json", "-o", "model.json")
        for text in ("pass 1: certainty ", "pass 3: certainty ", " % of windows decided differently", "certainty is no evidence of being right", "without labels, prior 0.28 of 5 others"):
            self.assertIn(text, self.said)
        self.assertNotIn("note", self.said)

    def test_a_population_without_scores_of_such_decoders(self):
        made = self.population()
        for one in made["Entries"]:
            one["Scores"] = None
        self.write("bare.json", json.dumps(made))
        self.heed("population", self.study, "--decoder", "cca", "-o", "cca.json")
        for name in ("bare.json", "cca.json"):
            self.heed("train", self.study, "--participant", "03", "--exclude-run", "02", "--label-free", "--population", name, "-o", "model.json")
            self.assertIn("note: sub-03: the population does not say how scores of such decoders are distributed", self.said)
            self.assertEqual(self.read_json("model.json")["Kind"], "least-squares")

    def test_labels_are_not_looked_at(self):
        self.population()
        study = with_random_labels(self.copy(self.study), random.Random(4), 110)
        for name, folder in (("a.json", self.study), ("b.json", study)):
            self.heed("train", folder, "--participant", "03", "--exclude-run", "02", "--label-free", "--population", "pop.json", "-o", name)
        self.assertEqual(self.read("a.json"), self.read("b.json"))

    def test_without_a_population(self):
        self.heed("train", self.study, "--participant", "03", "--exclude-run", "02", "--label-free", "-o", "model.json")
        self.assertIn("least squares", self.said)
        self.heed("score", self.study, "--participant", "03", "--run", "02", "--model", "model.json", "-o", "out")
        self.assertGreater(accuracy(self.scores(2, "03")), 0.75)

    def test_too_little_is_told(self):
        small = self.shared("cohort", participants=EVERYBODY, runs=2, seconds=30, noise=3.0)
        self.heed("train", small, "--participant", "03", "--label-free", "--decoder", "ls", "-o", "model.json")
        self.assertIn("heed: note: sub-03: 60 s of EEG are too little", self.said)

    def test_refused(self):
        train = ("train", self.study, "--label-free", "-o", "model.json")
        self.refused(USAGE, *train, "--decoder", "ls", says=["one listener at a time", "6 were chosen"])
        self.refused(USAGE, *train, "--participant", "01", "--decoder", "cca", says=["training without labels needs least squares", "decoder cca"])
        self.fails(USAGE, *train, "--participant", "01", "--decoder", "ls", "--regularisation", "ridge-cv", says="a ridge is chosen by labels")
        self.refused(USAGE, "train", self.study, "--participant", "01", "--posteriors", "x.tsv", "-o", "model.json", says="--label-free")
        self.population("--window", "2")
        self.fails(USAGE, *train, "--participant", "01", "--population", "pop.json", says="another kind, measure or window")
        self.heed(*train, "--participant", "01", "--population", "pop.json", "--window", "2")

    def test_silence(self):
        study = self.copy(self.study)
        path = study / "stimuli/run1-left.tsv"
        path.write_text("envelope\n" + "0.5\n" * (110 * 64))
        self.fails(BAD_DATA, "train", "study", "--participant", "01", "--run", "01", "--label-free", "--decoder", "ls", "-o", "model.json",
                   says="silent throughout")
        self.assertFalse((self.folder / "model.json").exists())


@unittest.skipIf(os.environ.get("HEED_SANITIZE"), "an hour of EEG has figures to give, but no path of the program")
@unittest.skipUnless(REAL_DATA, "HEED_TEST_DATA is not set")
class RealData(DecodingTest):
    """dtu-match: figures of an independent implementation, within a point of accuracy on single windows, and 1.5 points and
    3 s through the model."""

    def setUp(self):
        super().setUp()
        self.study = pathlib.Path(REAL_DATA) / "dtu-match"

    def test_the_prior_of_eight_others(self):
        found = self.heed_json("score", self.study, "--recipe", "heed", "-o", "out")
        mean = sum(one["accuracy"] for one in found["participants"]) / len(found["participants"])
        self.assertLess(abs(mean - 0.6620), 0.01)
        found = self.heed_json("compare", "out", "--join", "--switch-every", "60-125", "--repeats", "20", "--methods", "causal,smooth")
        for method, (right, slow) in zip(found["methods"], ((0.959, 12.5), (0.961, 6.7))):
            self.assertLess(abs(method["accuracy"]["mean"] - right), 0.015)
            self.assertLess(abs(method["switch_time"]["mean"] - slow), 3)

    def test_without_labels(self):
        """Adapted on one run without labels, tested on the other, the population from the other eight."""
        self.heed("population", self.study, "-o", "pop.json")
        found = {"with": [], "without": []}
        for who in [f"{k:02}" for k in range(1, 10)]:
            for name, options in (("with", []), ("without", ["--label-free"])):
                self.heed("train", self.study, "--participant", who, "--exclude-run", "02", "--population", "pop.json", *options, "-o", "m.json")
                (one,) = self.heed_json("score", self.study, "--participant", who, "--run", "02", "--model", "m.json", "-o", "out")["participants"]
                found[name].append(one["accuracy"])
        means = {name: sum(values) / len(values) for name, values in found.items()}
        self.assertGreater(means["without"], means["with"] - 0.015)


if __name__ == "__main__":
    unittest.main()
