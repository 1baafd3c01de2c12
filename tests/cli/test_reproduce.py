# SPDX-License-Identifier: MIT
"""heed reproduce: every study on a cohort, one report; the same bytes every time, nothing of others touched."""
import os
import pathlib
import re
import subprocess
import unittest

from heed_program import PATIENCE, PROGRAM, HeedTest

BAD_DATA, NO_INPUT, CANNOT_CREATE, USAGE = 65, 66, 73, 2
REAL_DATA = os.environ.get("HEED_TEST_DATA")
OF_THE_PAPER = ("post_processors", "frontiers", "attention_switch", "window_length", "decoders", "switch_probability", "switch_interval",
                "speakers", "decoder_accuracy", "independence", "spatial_scores",
                "artificial_switches")
BEYOND = ("one_score_or_two", "fixed_lag", "calibration", "dependence", "label_free", "random_intervals", "steering",
          "beyond_paper")
WHEN_NAMED = ("adaptation", "adaptation_disturbed")
NEED_EEG = {"decoders", "window_length", "spatial_scores", "dependence", "beyond_paper"}


class Reproduce(HeedTest):
    def setUp(self):
        super().setUp()
        self.heed("simulate", "scores", "--participants", "6", "--trials", "2", "--seed", "3", "-o", "cohort")

    def reproduce(self, *options, on="cohort", out="repro"):
        return self.heed_json("reproduce", "--on", on, "-o", out, *options)

    def test_score_files_end_in_a_report(self):
        found = {study["name"]: study for study in self.reproduce()["studies"]}
        self.assertEqual(set(found), set(OF_THE_PAPER + BEYOND))
        self.assertEqual({name for name, study in found.items() if not study["applicable"]}, NEED_EEG)
        page = self.read("repro/report.html")
        for name, study in found.items():
            if study["applicable"]:
                self.assertTrue("<svg" in self.read(f"repro/figures/{name}.svg"), name)
            else:
                self.assertIn("EEG", study["obstacle"])
                self.assertTrue(study["obstacle"].split(",")[0] in page, "listed, not dropped")
        self.assertTrue("heed reproduce --on cohort --output repro" in page, "the command")
        self.assertTrue("accuracy over all windows" in page, "late and missed switches included, beside the accuracy")
        self.assertFalse("http://" in page.replace("http://www.w3.org/", ""), "nothing is fetched")

    def test_tables_are_tidy_and_hold_what_compare_says(self):
        self.reproduce("--studies", "switch_probability")
        table = self.read_table("repro/tables/switch_probability.tsv")
        self.assertEqual(len(table.rows), 13 * 2 * 6)
        compared = self.heed_json("compare", "cohort", "--methods", "causal", "-p", "0.01")["methods"][0]
        ours = {row["participant"]: float(row["accuracy"]) for row in table.as_dicts()
                if row["tracker"] == "causal" and row["switch_probability"] == "0.01"}
        self.assertEqual(len(ours), 6)
        for one in compared["participants"]:
            self.assertAlmostEqual(ours["sub-" + one["id"]], one["accuracy"], delta=1e-12)

    def test_log_odds_have_a_table_of_post_processors(self):
        """The state-space model takes correlations; the other methods do not wait for it."""
        for path in (self.folder / "cohort").glob("*_scores.json"):
            path.write_text(path.read_text().replace('"correlation"', '"log-odds"'))
        found, frontiers = self.reproduce("--studies", "post_processors,frontiers")["studies"]
        self.assertTrue(found["applicable"], found["obstacle"])
        self.assertTrue(frontiers["applicable"], frontiers["obstacle"])
        told = {claim["text"]: claim["tested"] for claim in found["claims"]}
        self.assertTrue(told["The causal model is more accurate than the Markov chain."])
        self.assertFalse(told["The causal model is more accurate than the state-space model."])
        self.assertTrue(any("state-space" in note and "correlations" in note for note in found["notes"]), found["notes"])
        trackers = {row["tracker"] for row in self.read_table("repro/tables/post_processors.tsv").as_dicts()}
        self.assertEqual(trackers, {"smooth", "viterbi", "causal", "markov-chain", "probabilistic-gain", "raw"})

    def test_windows_that_are_too_long_for_the_state_space_model(self):
        """Correlations are not said to be CCA's log-odds for that."""
        self.heed("simulate", "scores", "--participants", "4", "--window", "20", "--seed", "3", "-o", "long")
        self.write("mine.toml", 'title = "Mine"\n[[grid]]\ntracker = ["causal", "smooth", "state-space"]\nwindow = 20\n')
        found = self.reproduce("--studies", "mine.toml", on="long")["studies"][0]
        self.assertTrue(any("too long for the state-space model" in note for note in found["notes"]), found["notes"])
        self.assertFalse(any("CCA" in note for note in found["notes"]), found["notes"])

    def test_columns_that_are_one_score_are_told(self):
        """A fit that nobody told a spread takes them for one, and says so in the JSON and on the page."""
        said = "one score told several times"
        self.assertFalse(any(said in note for note in self.reproduce("--studies", "post_processors")["notes"]))
        for path in (self.folder / "cohort").glob("*_scores.tsv"):
            table = self.read_table(path)
            first, second = (table.header.index(name) for name in ("left", "right"))
            rows = [[str(-float(row[first])) if k == second else cell for k, cell in enumerate(row)] for row in table.rows]
            path.write_text("".join("\t".join(row) + "\n" for row in [table.header, *rows]))
        found = self.reproduce("--studies", "post_processors,speakers", out="once")
        notes = found["notes"] + [note for study in found["studies"] for note in study["notes"]]
        self.assertEqual(sum(said in note for note in notes), 1, notes)
        self.assertIn(said, self.read("once/report.html"))

    def test_every_claim_is_counted(self):
        """Those of studies that cannot be run here, too: on the terminal, in the JSON and on the page."""
        studies = self.reproduce()["studies"]
        verdicts = [claim["holds"] for study in studies for claim in study["claims"]]
        text = self.heed("reproduce", "--on", "cohort", "-o", "repro")
        last = next(line for line in text.splitlines() if line.startswith("all "))
        self.assertEqual([int(word) for word in last.split()[1:]], [verdicts.count(True), verdicts.count(False), verdicts.count(None)])
        decoders = next(study for study in studies if study["name"] == "decoders")
        self.assertFalse(decoders["applicable"])
        self.assertEqual(len(decoders["claims"]), 5)
        for claim in decoders["claims"]:
            self.assertIsNone(claim["holds"])
            self.assertTrue(claim["evidence"].startswith("not applicable here: "), claim["evidence"])
        page = self.read("repro/report.html")
        self.assertIn("The paper claims that a hidden Markov model", page)
        self.assertIn("cannot be told", page)
        self.assertIn("Table III (least squares)", page, "correlations stand beside least squares")

    def test_same_bytes_whatever_the_threads(self):
        for folder, threads in (("a", 1), ("b", 2)):
            (self.folder / folder).mkdir()
            result = subprocess.run([PROGRAM, "reproduce", "--on", "../cohort", "-o", "repro", "--threads", str(threads)],
                                    cwd=self.folder / folder, capture_output=True, timeout=PATIENCE, check=False)
            self.assertEqual(result.returncode, 0, result.stderr)
        files = {folder: {str(path.relative_to(self.folder / folder)): path.read_bytes()
                          for path in (self.folder / folder).rglob("*") if path.is_file()} for folder in "ab"}
        self.assertEqual(sorted(files["a"]), sorted(files["b"]))
        for name, content in files["a"].items():
            self.assertTrue(content == files["b"][name], name)

    def test_again_into_the_same_folder(self):
        self.reproduce("--studies", "speakers,fixed_lag")
        self.assertTrue((self.folder / "repro/figures/fixed_lag.svg").exists())
        self.reproduce("--studies", "speakers")
        self.assertFalse((self.folder / "repro/figures/fixed_lag.svg").exists(), "what the report no longer shows is gone")
        self.assertTrue((self.folder / "repro/figures/speakers.svg").exists())

    def test_only_what_is_missing_is_made_again(self):
        self.reproduce("--studies", "switch_probability,post_processors")
        files = sorted((self.folder / "repro/results").glob("*.tsv"))
        self.assertEqual([path.name for path in files], [f"sub-0{k}.tsv" for k in range(1, 7)])
        expected = {path: path.read_bytes() for path in (self.folder / "repro").rglob("*") if path.is_file()}
        for path in files[::3]:
            path.unlink()
        kept = [path for k, path in enumerate(files) if k % 3]
        times = {path: path.stat().st_mtime_ns for path in kept}
        self.reproduce("--studies", "switch_probability,post_processors")
        self.assertEqual({path: path.stat().st_mtime_ns for path in kept}, times, "a finished participant was made again")
        for path, content in expected.items():
            self.assertTrue(path.read_bytes() == content, path)

    def test_studies_share_their_settings(self):
        """The baseline is in most studies, and is run once."""
        self.reproduce("--studies", "switch_probability")
        alone = self.read("repro/results/sub-01.tsv")
        self.reproduce("--studies", "switch_probability", out="repro")
        self.assertEqual(self.read("repro/results/sub-01.tsv"), alone)
        self.write("subset.toml", 'title = "p"\n[[grid]]\ntracker = ["causal", "smooth"]\nswitch_probability = [0.001, 0.01]\n')
        self.reproduce("--studies", "subset.toml")
        self.assertEqual(self.read("repro/results/sub-01.tsv"), alone, "nothing was left to run")
        self.assertEqual(len(self.read_table("repro/tables/subset.tsv").rows), 4 * 6)

    def test_a_folder_of_an_earlier_version(self):
        self.reproduce("--studies", "speakers")
        record = self.read("repro/reproduce.json")
        self.write("repro/reproduce.json", re.sub(r'  "Format": \d+,\n', "", record))
        before = self.files()
        self.refused(CANNOT_CREATE, "reproduce", "--on", "cohort", "--studies", "speakers", "-o", "repro",
                     says=("made by an earlier version of heed", "choose another folder"))
        self.assertEqual(self.files(), before)

    def test_a_study_that_was_changed_is_run_again(self):
        text = 'title = "p"\n[[grid]]\nswitch_probability = [0.001, 0.01]\n'
        self.write("mine.toml", text)
        self.reproduce("--studies", "mine.toml")
        self.write("mine.toml", text.replace("0.01]", "0.02]"))
        self.reproduce("--studies", "mine.toml")
        self.assertIn("0.02", self.read_table("repro/tables/mine.tsv")["switch_probability"])

    def test_lists_its_studies(self):
        text = self.heed("reproduce", "--list")
        for name in OF_THE_PAPER + BEYOND:
            self.assertIn(name, text)
        for name in WHEN_NAMED:
            self.assertRegex(text, name + r" .*\(when named\)")

    def test_what_takes_long_is_run_when_it_is_named(self):
        said = "only when they are named: adaptation, adaptation_disturbed"
        usual = self.reproduce()
        self.assertTrue(any(said in note for note in usual["notes"]), usual["notes"])
        self.assertIn(said, self.read("repro/report.html"))
        every = self.reproduce("--studies", "all")
        self.assertEqual({study["name"] for study in every["studies"]}, set(OF_THE_PAPER + BEYOND + WHEN_NAMED))
        self.assertFalse(any(said in note for note in every["notes"]))

    def test_a_study_of_ones_own(self):
        self.write("mine.toml", 'title = "Three values of p"\nquestion = "Which?"\n[figure]\npicture = "sweep"\n'
                   'along = "switch_probability"\nseries = ["tracker"]\n[[grid]]\ntracker = ["causal"]\n'
                   'switch_probability = [0.001, 0.01, 0.1]\n')
        found = self.reproduce("--studies", "mine.toml")
        self.assertEqual([study["name"] for study in found["studies"]], ["mine"])
        self.assertTrue("Three values of p" in self.read("repro/report.html"))

    def test_what_differs_is_said_with_its_reason(self):
        """A reason that says two things needs both."""
        self.write("mine.toml", 'title = "Mine"\npaper = "Section I"\n[[grid]]\ntracker = ["causal", "raw"]\n'
                   '[[claim]]\nkind = "greater"\ntext = "A."\nmeasure = "accuracy"\nat = { tracker = "causal" }\n'
                   'than = { tracker = "raw" }\nplace = "Section I"\nsays = "the causal HMM is more accurate than"\n'
                   'of = "single windows"\n'
                   '[[claim]]\nkind = "less"\ntext = "B."\nmeasure = "accuracy"\nat = { tracker = "causal" }\n'
                   'than = { tracker = "raw" }\nplace = "Section I"\n'
                   '[[reason]]\ntext = "both"\nholds = ["A.", "B."]\n[[reason]]\ntext = "one"\nholds = ["A."]\nfails = ["B."]\n')
        self.reproduce("--studies", "mine.toml")
        page = self.read("repro/report.html")
        self.assertIn("In this cohort, the causal HMM is more accurate than single windows.", page)
        self.assertIn("Where it differs: one.", page)

    # ---- bad input ----

    def test_seeds_of_files(self):
        self.refused(USAGE, "reproduce", "--on", "cohort", "--seeds", "2", "-o", "x", says="simulated cohorts")
        self.refused(USAGE, "reproduce", "--seeds", "0", "-o", "x", says="seeds")

    def test_an_unknown_study(self):
        self.refused(NO_INPUT, "reproduce", "--on", "cohort", "--studies", "switch_probabilty", "-o", "x",
                     says=("switch_probabilty", "switch_probability"))

    def test_a_grid_outside_its_range(self):
        self.write("mine.toml", 'title = "x"\nquestion = "x"\n[figure]\npicture = "comparison"\nseries = ["tracker"]\n'
                   '[[grid]]\nswitch_probability = [0.7]\n')
        self.refused(BAD_DATA, "reproduce", "--on", "cohort", "--studies", "mine.toml", "-o", "x",
                     says=("mine.toml", "switch_probability"))

    def test_one_participant(self):
        self.write("one/sub-01_scores.tsv", (self.folder / "cohort" / "sub-01_scores.tsv").read_bytes())
        table = self.heed("reproduce", "--on", "one", "-o", "x", "--studies", "post_processors")
        self.assertIn("score files of 1 participant, 2 speakers", table)
        self.assertIn("nothing is said of other listeners", table)
        claims = next(line.split() for line in table.splitlines() if line.startswith("post_processors"))
        self.assertEqual(claims[-3:-1], ["0", "0"], "of one listener no claim can be told")
        header, *rows = (line.split("\t") for line in self.read("x/tables/post_processors.tsv").splitlines())
        self.assertEqual({row[header.index("participant")] for row in rows}, {"sub-01"}, "parts of a listener are no listeners")
        self.refused(USAGE, "reproduce", "--participants", "1", "-o", "y")

    def test_scores_without_labels(self):
        for k in (1, 2):
            self.write(f"bare/sub-0{k}_scores.tsv", "left\tright\n0.1\t0.2\n0.2\t0.1\n")
        self.refused(BAD_DATA, "reproduce", "--on", "bare", "-o", "x", says="attended")

    def test_a_folder_of_others(self):
        self.write("mine/notes.txt", "not heed's")
        self.refused(CANNOT_CREATE, "reproduce", "--on", "cohort", "-o", "mine", says=("mine", "something other"))
        self.write("file", "a file")
        self.refused(CANNOT_CREATE, "reproduce", "--on", "cohort", "-o", "file", says="a file is in its place")

    def test_the_results_of_another_cohort(self):
        self.reproduce("--studies", "speakers")
        self.heed("simulate", "scores", "--participants", "3", "--seed", "4", "-o", "other")
        self.refused(CANNOT_CREATE, "reproduce", "--on", "other", "-o", "repro", says="another cohort")

    def test_nothing_there(self):
        self.refused(NO_INPUT, "reproduce", "--on", "nowhere", "-o", "x", says="nowhere")
        self.refused(USAGE, "reproduce", "--on", "cohort", says="-o")

    def test_an_output_inside_the_recordings(self):
        self.heed("simulate", "recording", "--participants", "2", "--trials", "2", "--minutes", "1", "--channels", "19",
                  "-o", "study")
        self.refused(CANNOT_CREATE, "reproduce", "--on", "study", "-o", "study/repro", says="inside")


class ReproduceFromEeg(HeedTest):
    def kept(self, kind):
        return sorted((self.folder / "repro" / kind).glob("*.tsv"))

    def test_recordings_are_decoded_once(self):
        self.heed("simulate", "recording", "--participants", "3", "--trials", "3", "--minutes", "2", "--switch-every", "60",
                  "--channels", "19", "--signal", "4", "--seed", "7", "-o", "study")
        options = ("reproduce", "--on", "study", "--studies", "decoders,window_length,independence", "--cache", "cache",
                   "-o", "repro")
        first = self.heed_json(*options)
        self.assertTrue(all(study["applicable"] for study in first["studies"]), first)
        files = self.kept("scores")
        self.assertEqual(len(files), 3 * 3, "CCA, least squares and CSP of three participants")
        self.assertEqual(len(self.kept("results")), 3, "one file per participant")
        files += self.kept("results")
        times = {path: path.stat().st_mtime_ns for path in files}
        page = self.read("repro/report.html")
        self.heed_json(*options)
        self.assertEqual({path: path.stat().st_mtime_ns for path in files}, times, "used again")
        self.assertTrue(self.read("repro/report.html") == page, "the same bytes")

    def test_a_damaged_file_is_made_again(self):
        self.heed("simulate", "recording", "--participants", "2", "--trials", "3", "--minutes", "1", "--channels", "19",
                  "--signal", "4", "-o", "study")
        options = ("reproduce", "--on", "study", "--studies", "switch_probability", "--cache", "cache", "-o", "repro")
        self.heed(*options)
        table = self.read("repro/tables/switch_probability.tsv")
        for kind in ("scores", "results"):
            path = self.kept(kind)[0]
            whole = path.read_bytes()
            path.write_bytes(whole[:-20])
            self.heed(*options)
            self.assertEqual(path.read_bytes(), whole)
            self.assertTrue(self.read("repro/tables/switch_probability.tsv") == table)

    def test_simulated_is_said_on_every_figure(self):
        self.heed("reproduce", "--quick", "--participants", "2", "--studies", "switch_probability", "-o", "repro")
        self.assertIn("simulating and decoding", self.said)
        figures = sorted((self.folder / "repro/figures").iterdir())
        self.assertGreaterEqual(len(figures), 2)
        for figure in figures:
            self.assertTrue("simulated" in figure.read_text(), figure.name)


    def test_several_seeds(self):
        self.heed("reproduce", "--quick", "--participants", "2", "--seeds", "2", "--studies", "frontiers", "-o", "repro")
        page = self.read("repro/report.html")
        self.assertIn("seed 1, and 1 more seed", page)
        self.assertNotIn("1 more seeds", page)
        self.assertIn("over the seeds, where they are wider", page, "which intervals")
        listeners = {row["participant"] for row in self.read_table("repro/tables/frontiers.tsv").as_dicts()}
        self.assertEqual(listeners, {f"sub-0{k}_seed-{seed}" for k in (1, 2) for seed in (1, 2)})

    def test_the_first_run_of_each_condition(self):
        self.heed("simulate", "recording", "--participants", "2", "--trials", "4", "--minutes", "1", "--channels", "19",
                  "--signal", "4", "-o", "study")
        conditions = {"run-01": "acq-Video1", "run-02": "acq-Video2", "run-03": "acq-Audio1", "run-04": "acq-Audio2"}
        for path in (self.folder / "study").glob("sub-*/eeg/*"):
            run = re.search("run-0[1-4]", path.name).group()
            path.rename(path.with_name(path.name.replace(run, f"{conditions[run]}_{run}")))
        options = ("reproduce", "--on", "study", "--studies", "switch_probability")
        self.heed(*options, "-o", "repro")
        whole = len(self.read_table(self.kept("scores")[0]).rows)
        self.assertNotIn("the first trial of each condition", self.read("repro/report.html"))
        self.heed(*options, "--first-of-each-condition", "-o", "repro2")
        self.assertIn("the first trial of each condition", self.read("repro2/report.html"))
        scores = sorted((self.folder / "repro2/scores").glob("*.tsv"))
        sealed = 1  # the last line is a digest
        self.assertEqual([len(self.read_table(path).rows) for path in scores], [(whole - sealed) / 2 + sealed] * 2,
                         "Video1 and Audio1")
        for condition, trials in (("Video", 2), ("Video2,Audio", 3)):
            out = "only-" + condition.lower().replace(",", "-")
            self.heed(*options, "--condition", condition, "-o", out)
            self.assertIn("some of the runs", self.read(f"{out}/report.html"))
            for path in sorted((self.folder / out / "scores").glob("*.tsv")):
                self.assertEqual(len(self.read_table(path).rows), (whole - sealed) / 4 * trials + sealed, condition)


@unittest.skipUnless(REAL_DATA, "HEED_TEST_DATA is not set: no real scores here")
class ReproduceRealScores(HeedTest):
    """The trends of the paper on eight real listeners, and what these do not show."""

    def test_kul_scores(self):
        files = sorted(pathlib.Path(REAL_DATA).glob("kul-scores/*_window-01s_scores.tsv"))
        found = self.heed_json("reproduce", "--on", *files, "-o", "repro")
        studies = {study["name"]: study for study in found["studies"]}
        self.assertEqual({name for name, study in studies.items() if not study["applicable"]},
                         NEED_EEG | {"artificial_switches"})
        rows = [row for row in self.read_table("repro/tables/post_processors.tsv").as_dicts()
                if row["switch_interval"] != "none"]  # without switches, two trackers alone

        def mean(column, **setting):
            values = [float(row[column]) for row in rows if all(row[key] == value for key, value in setting.items())]
            self.assertEqual(len(values), 8, setting)
            return sum(values) / len(values)

        scaled = {"switch_probability": "scaled"}
        for tracker, accuracy, time in (("causal", .9407, 33.1), ("smooth", .9731, 19.3), ("viterbi", .9647, 27.2)):
            self.assertAlmostEqual(mean("accuracy", tracker=tracker, **scaled), accuracy, delta=0.003, msg=tracker)
            self.assertAlmostEqual(mean("switch_time", tracker=tracker, **scaled), time, delta=0.5, msg=tracker)
        self.assertAlmostEqual(mean("accuracy", tracker="raw"), .5816, delta=0.003)
        matched = {"tracker": "causal", "switch_probability": "as-fast-as-state-space"}
        self.assertAlmostEqual(mean("switch_time", **matched), mean("switch_time", tracker="state-space"), delta=1)
        self.assertGreater(mean("accuracy", **matched), mean("accuracy", tracker="state-space") + 0.15)


if __name__ == "__main__":
    unittest.main()
