# SPDX-License-Identifier: MIT
"""--recipe and --score: a recipe is the options it stands for, typed ones win, and no way to score leaks labels or loudness."""
import random
import unittest

from decoding_test import USAGE, DecodingTest, accuracy, edit, with_random_labels
from planted_study import Study, binomial_bound

HEED = {"--decoder": "ls", "--ridge": "0.3", "--score": "cosine", "--target": "onset", "--band": "0.5-9"}
PAPER = {"--decoder": "cca", "--ridge": "0.1", "--score": "pearson", "--target": "envelope", "--band": "1-9"}
WAYS = ({"--recipe": "paper", "--decoder": "ls"}, {**HEED, "--target": "envelope"}, HEED, {**HEED, "--target": "both"}, {**HEED, "--filters": "causal"},
        {**HEED, "--decoder": "cca"}, {**PAPER, "--score": "cosine"})


def typed(options):
    return [word for option in options.items() for word in option]


def exchange_sounds(root, runs):
    """Every run is told to have played what another played: nothing of it is in its EEG."""
    for run in range(1, runs + 1):
        for path in root.glob(f"sub-*/eeg/*_run-{run:02}_events.tsv"):
            edit(path, f"run{run}-", f"run{run % runs + 1}-")
    return root


def make_louder(root, factor):
    """The left speaker alone."""
    for path in root.glob("stimuli/*-left.tsv"):
        header, *values = path.read_text().splitlines()
        path.write_text("\n".join([header, *(f"{factor * float(value):.6g}" for value in values)]) + "\n")
    return root


class Recipes(DecodingTest):

    def scored(self, *options, study=None, out="out"):
        self.heed("score", study or self.shared("two"), "--digits", "17", *options, "-o", out)
        return self.bytes_below(out)

    def test_heeds_is_the_default_and_the_papers_a_word_away(self):
        plain = self.scored(out="plain")
        self.assertEqual(self.scored("--recipe", "heed", out="said"), plain)
        paper = self.scored("--recipe", "paper", out="paper")
        tables = lambda files: {name: content for name, content in files.items() if name.endswith(".tsv")}
        self.assertEqual(tables(self.scored(*typed(PAPER), out="typed")), tables(paper))
        self.assertNotEqual(paper.keys(), plain.keys())

    def test_heeds_own_is_what_it_stands_for(self):
        self.assertEqual(self.scored("--recipe", "heed", out="recipe"), self.scored(*typed(HEED), out="typed"))
        found = self.heed_json("score", self.shared("two"), "-o", "out")
        self.assertEqual(found["recipe"], "heed")
        self.assertEqual(found["decoder"], "least squares, ridge 0.3, lags 0-250 ms, shrunk cosine 0.3, leave one trial out")
        self.assertEqual(found["preprocessing"], "0.5 ... 9 Hz, zero-phase, 64 Hz, average reference, target onset")
        self.assertGreater(accuracy(self.scores(out="recipe")), 0.9)
        sidecar = str(self.read_json("recipe/sub-01/eeg/sub-01_task-attend_run-01_desc-ls_scores.json"))
        self.assertIn("ridge 0.3, lags 0-250 ms, shrunk cosine 0.3", sidecar)
        self.assertIn("target onset", sidecar)
        self.assertIn("'Recipe': 'heed', 'Population': 'none'", sidecar)
        self.assertIn("note: decoded without a population: the folder has 0 other listeners, and at least 4 are needed", self.said)

    def test_what_is_typed_wins(self):
        paper = {name: content for name, content in self.scored("--recipe", "paper", out="plain").items() if name.endswith(".tsv")}
        said = self.scored("--recipe", "heed", *typed(PAPER), out="all")
        self.assertEqual({name: content for name, content in said.items() if name.endswith(".tsv")}, paper)
        for option, value in PAPER.items():
            expected = self.scored(*typed({**HEED, option: value}), out="typed" + option)
            self.assertEqual(self.scored("--recipe", "heed", option, value, out="over" + option), expected, option)
        self.assertIn("ledoit-wolf", self.heed("score", self.shared("two"), "--regularisation", "ledoit-wolf", "-o", "out"))

    def test_other_decoders_beside_heeds_recipe(self):
        """CCA takes the rest of it; CSP has signals of its own, and no recipe is about it."""
        self.heed("score", self.shared("two"), "--decoder", "cca", "-o", "out")
        self.assertIn("note: CCA uses the signals, ridge and score of heed's recipe", self.said)
        study = Study(self.folder / "switching", seconds=80)
        study.attend = lambda participant, run: [(0, 40, run % 2), (40, 40, 1 - run % 2)]
        text = self.heed("score", study.write(), "--decoder", "csp", "-o", "out")
        self.assertIn("common spatial patterns", text)
        self.assertIn("note: CSP decodes EEG rhythms and not the sound", self.said)

    def test_bids_and_train_know_it_too(self):
        self.heed("bids", self.shared("two"), "derived", "participant")
        self.assertIn("least squares, ridge 0.3", self.said)
        self.assertIn("decoded without a population", self.said)
        self.assertIn("learns from the folder's other listeners", self.heed("bids", "--help"))
        scores = self.read_table("derived/sub-01/eeg/sub-01_task-attend_run-01_desc-ls_scores.tsv")
        self.assertGreater(accuracy(scores), 0.9)
        self.assertIn("shrunk cosine 0.3", (self.folder / "derived" / "sub-01.html").read_text())
        self.heed("train", self.shared("two"), "--recipe", "heed", "-o", "model.json")
        model = self.read_json("model.json")
        self.assertEqual((model["FormatVersion"], model["Kind"], model["Targets"]), (2, "least-squares", ["onset"]))
        self.assertEqual(model["ScoreRule"], {"Measure": "cosine", "Shrinkage": 0.3})

    def test_a_model_brings_its_rule(self):
        """Causal decoders remember a minute, so that a live session can use them."""
        for options, memory in (([], 60), (["--score-memory", "7.5"], 7.5), (["--score-memory", "trial"], None)):
            how = ["--recipe", "heed", "--filters", "causal", "--target", "both", "--score-shrinkage", "0.2", *options]
            self.heed("train", self.shared("two"), *how, "--exclude-run", "01", "-o", "model.json")
            rule = self.read_json("model.json")["ScoreRule"]
            self.assertEqual((rule["Measure"], rule["Shrinkage"], rule.get("Memory")), ("cosine", 0.2, memory))
            self.scored(*how, out="folds")
            self.scored("--run", "01", "--model", "model.json", out="out")
            mine, fold = self.scores(), self.scores(out="folds")
            self.assert_close(mine.numbers("onset", "left", "right"), fold.numbers("onset", "left", "right"), 1e-9)

    def test_options_that_make_no_sense(self):
        study = self.shared("two")
        for options, says in ((["--score", "pearson", "--score-shrinkage", "0.3"], "needs the cosine"),
                              (["--recipe", "paper", "--score-memory", "60"], "needs the cosine"),
                              (["--score-shrinkage", "-1"], "at least 0"), (["--score-shrinkage", "nan"], "at least 0"),
                              (["--score", "cosine", "--score-memory", "0"], "nor 'trial'"),
                              (["--score", "cosine", "--score-memory", "run"], "nor 'trial'"), (["--score", "sine"], "--score"),
                              (["--decoder", "csp", "--score", "cosine"], "CSP does not compare signals"), (["--recipe", "soup"], "--recipe"),
                              (["--model", "m.json", "--recipe", "heed"], "--model excludes --recipe"),
                              (["--model", "m.json", "--score", "cosine"], "--model excludes --score")):
            self.refused(USAGE, "score", study, *options, "-o", "out", says=says)


class NothingLeaks(DecodingTest):
    """Four runs of 40 s; whoever guesses stays within the bound."""

    def expect_chance(self, root):
        for options in WAYS:
            self.heed("score", root, *typed(options), "-o", "out")
            mean = sum(accuracy(self.scores(run, decoder=options["--decoder"])) for run in (1, 2, 3, 4)) / 4
            self.assertLess(abs(mean - 0.5), binomial_bound(0.5, 160) - 0.5, options)

    def test_labels_at_random(self):
        self.expect_chance(with_random_labels(Study(self.folder / "study", runs=4).write(), random.Random(7), 40))

    def test_sounds_exchanged(self):
        self.expect_chance(exchange_sounds(Study(self.folder / "study", runs=4).write(), 4))

    def test_one_speaker_is_louder_and_nothing_is_in_the_eeg(self):
        """Who is attended is always the loud one: if loudness showed in scores, a discriminant would learn it."""
        study = Study(self.folder / "study", runs=4, noise=1e4)
        study.attend = lambda participant, run: [(0, 40, 0)]
        self.expect_chance(make_louder(study.write(), 100))


if __name__ == "__main__":
    unittest.main()
