# SPDX-License-Identifier: MIT
"""Bad input, each with its own test: the exit code, one line that names file, place and remedy, no file touched."""
import json
import os
import resource
import shutil
import unittest

from heed_program import BY_HAND, HeedTest

USAGE, BAD_DATA, NO_INPUT, UNAVAILABLE, CANNOT_CREATE, IO = 2, 65, 66, 69, 73, 74
GOOD = "onset\tleft\tright\tattended\n0\t0.1\t0.2\tleft\n1\t0.3\t0.1\tleft\n2\t0.0\t0.4\tright\n"


class BadInputTest(HeedTest):
    def track_refused(self, code, text, says, *options):
        """The scores come from a file, then from standard input; both must be refused, naming their source."""
        self.write("bad.tsv", text)
        arguments = (*(options or BY_HAND), "-o", "out.tsv")
        said = self.refused(code, "track", "bad.tsv", *arguments, says=["bad.tsv: ", *says])
        data = (self.folder / "bad.tsv").read_bytes()
        self.refused(code, "track", "-", *arguments, stdin=data, says=["standard input: ", *says])
        return said


class Scores(BadInputTest):
    def test_empty_file(self):
        self.track_refused(BAD_DATA, "", ["the file is empty", "header"])
        self.track_refused(BAD_DATA, "\n\n", ["the file is empty"])
        self.track_refused(BAD_DATA, "onset\tleft\tright\n", ["no windows"])

    def test_missing_column(self):
        # A row that is short of a cell, a header that is, and cells parted by spaces.
        self.track_refused(BAD_DATA, "left\tright\n0.1\t0.2\n0.3\n", ["row 3", "1 cell", "2"])
        self.track_refused(BAD_DATA, "left\tright\n0.1\t0.2\t0.3\n", ["row 2", "3 cells", "2"])
        self.track_refused(BAD_DATA, "left right\n0.1 0.2\n", ["row 1", "separated by tabs"])
        self.track_refused(BAD_DATA, "0.1\t0.2\n0.3\t0.4\n", ["row 1"])
        self.track_refused(BAD_DATA, "left\tleft\n0.1\t0.2\n", ["left"])

    def test_text_in_a_number(self):
        for cell in ("abc", "0,5", "nan", "inf", "1e999", "0x1p3", "", " 0.1", "0.1 "):
            said = self.track_refused(BAD_DATA, f"left\tright\n0.1\t0.2\n0.1\t{cell}\n", ["row 3, column right"])
            self.assertIn("n/a", said)
        self.track_refused(BAD_DATA, "onset\tleft\tright\nzero\t0.1\t0.2\n", ["row 2, column onset", "'zero'"])
        self.track_refused(BAD_DATA, "onset\tleft\tright\nn/a\t0.1\t0.2\n", ["row 2, column onset"])

    def test_one_speaker(self):
        self.track_refused(BAD_DATA, "onset\tleft\n0\t0.1\n", ["row 1", "one speaker column (left)", "at least two"])
        self.track_refused(BAD_DATA, "onset\tattended\n0\tn/a\n", ["no speaker column"])

    def test_correlations_beyond_one(self):
        for score in ("1.5", "-1.0001"):
            self.track_refused(BAD_DATA, f"left\tright\n0.1\t0.2\n{score}\t0.1\n",
                               ["window 2", "not a correlation", "gaussian"])
        labelled = "trial\tleft\tright\tattended\nx\t0.1\t0.2\tleft\ny\t0.3\t0.1\tleft\ny\t7\t0.1\tleft\n"
        self.track_refused(BAD_DATA, labelled, ["trial y", "window 2", "not a correlation"], "--fit", "labels")
        self.track_refused(BAD_DATA, labelled, ["trial y", "window 2", "not a correlation"])

    def test_posteriors_for_scores(self):
        self.write("sub-01_scores.tsv", GOOD)
        for method in ("causal", "viterbi", "markov-chain"):
            self.heed("track", "sub-01_scores.tsv", *BY_HAND, "--method", method, "-o", "sub-01_posterior.tsv")
            self.track_refused(BAD_DATA, self.read("sub-01_posterior.tsv"), ["posteriors, not scores", "evaluated as they are"])
        for verb in ("compare", "mesd"):
            self.refused(BAD_DATA, verb, "sub-01_posterior.tsv", says=["sub-01_posterior.tsv", "posteriors, not scores"])
        self.refused(BAD_DATA, "track", "sub-01_scores.tsv", "--fit-from", "sub-01_posterior.tsv", "-o", "o.tsv",
                     says=["sub-01_posterior.tsv", "posteriors, not scores"])
        self.heed("track", "sub-01_posterior.tsv", "--emission", "probability", "-o", "o.tsv")
        self.heed("track", "sub-01_posterior.tsv", "--emission", "hard-decision", "--accuracy", "0.6", "-o", "o.tsv")

    def test_all_windows_missing(self):
        self.track_refused(BAD_DATA, "left\tright\nn/a\t0.1\n0.1\tn/a\n", ["every window is missing", "n/a"])

    def test_unknown_attended_name(self):
        self.track_refused(BAD_DATA, GOOD.replace("0.1\tleft", "0.1\tmiddle"),
                           ["row 3, column attended", "'middle'", "left, right", "n/a"])

    def test_overlapping_onsets(self):
        self.track_refused(BAD_DATA, "onset\tduration\tleft\tright\n0\t1\t.1\t.2\n0.5\t1\t.1\t.2\n1\t1\t.1\t.2\n1.1\t1\t.1\t.2\n",
                           ["row 5, column onset", "overlaps", "begin every 0.5 s"])
        self.track_refused(BAD_DATA, "onset\tleft\tright\n0\t.1\t.2\n1\t.1\t.2\n1\t.1\t.2\n", ["row 4, column onset"])
        self.track_refused(BAD_DATA, "onset\tleft\tright\n0\t.1\t.2\n1\t.1\t.2\n0\t.1\t.2\n", ["row 4, column onset", "trial"])

    def test_irregular_onsets(self):
        rows = "".join(f"{t}\t.1\t.2\n" for t in (0, 1, 2, 3.4, 4.4))
        self.track_refused(BAD_DATA, "onset\tleft\tright\n" + rows, ["row 5, column onset", "whole number of windows"])
        self.track_refused(BAD_DATA, "onset\tleft\tright\n0\t.1\t.2\n1\t.1\t.2\n1e12\t.1\t.2\n", ["row 4, column onset"])
        self.track_refused(BAD_DATA, "duration\tleft\tright\n1\t.1\t.2\n2\t.1\t.2\n", ["row 3, column duration", "one length"])
        self.track_refused(BAD_DATA, "duration\tleft\tright\n0\t.1\t.2\n", ["row 2, column duration"])

    def test_trials_in_pieces(self):
        self.track_refused(BAD_DATA, "trial\tleft\tright\na\t.1\t.2\nb\t.1\t.2\na\t.1\t.2\n", ["row 4, column trial", "together"])
        self.track_refused(BAD_DATA, "trial\tleft\tright\nn/a\t.1\t.2\n", ["row 2, column trial"])

    def test_not_a_text(self):
        self.track_refused(BAD_DATA, b"left\tright\n\xff\t0.1\n", ["row 2", "UTF-8"])
        self.track_refused(BAD_DATA, b"PK\x03\x04\0\0", ["NUL"])

    def test_sidecar(self):
        self.write("good.tsv", GOOD)
        for text, says in (("{", "JSON"), ("[]", "{"), ('{"WindowLength": -1}', "WindowLength"),
                           ('{"WindowLength": "1 s"}', "WindowLength"), ('{"ScoreType": "wav"}', "log-odds")):
            self.write("good.json", text)
            self.refused(BAD_DATA, "track", "good.tsv", *BY_HAND, says=["good.tsv: sidecar", says])

    def test_nothing_to_fit_on(self):
        plain = "onset\tleft\tright\n0\t.1\t.2\n1\t.3\t.1\n"
        self.write("plain.tsv", plain)
        self.refused(USAGE, "track", "plain.tsv", "--fit", "labels",
                     says=["plain.tsv", "no attended speaker", "scores of others", "a model", "baum-welch"])
        self.write("good.tsv", GOOD)
        self.refused(BAD_DATA, "track", "good.tsv", "--fit-from", "plain.tsv", says=["fitting to the others", "attended"])
        self.track_refused(BAD_DATA, "left\tright\tattended\n.1\t.1\tleft\n.1\t.1\tleft\n", ["do not vary"], "--fit", "labels")

    def test_fit_from_other_kinds_of_scores(self):
        self.write("good.tsv", GOOD)
        self.write("slow.tsv", GOOD.replace("\n1\t", "\n2\t").replace("\n2\t0.0", "\n4\t0.0"))
        self.refused(BAD_DATA, "track", "good.tsv", "--fit-from", "slow.tsv", says=["windows of 1 s", "2 s"])
        self.write("lda.tsv", GOOD)
        self.write("lda.json", '{"ScoreType": "log-odds"}')
        self.refused(BAD_DATA, "track", "good.tsv", "--fit-from", "lda.tsv", says="ScoreType")


class Chains(BadInputTest):
    def setUp(self):
        super().setUp()
        self.write("good.tsv", GOOD)

    def test_switch_probability(self):
        for p in ("nan", "inf", "often"):
            self.refused(USAGE, "track", "good.tsv", *BY_HAND, "-p", p, says=f"give a probability, such as 0.001, or auto, not {p}")
        for p in ("0", "-0.1", "-5", "0.51", "1"):
            self.refused(USAGE, "track", "good.tsv", *BY_HAND, "-p", p, says=["switch probability", "0.5"])
            self.refused(USAGE, "compare", "good.tsv", *BY_HAND, "-p", p, says=["switch probability", "0.5"])
        self.refused(USAGE, "track", "good.tsv", "-p", "0.51", says="0.5")  # the note on fitting does not come first

    def test_windows_too_long_for_the_default(self):
        self.write("long.tsv", "duration\tleft\tright\n600\t.1\t.2\n")
        self.refused(USAGE, "track", "long.tsv", *BY_HAND, says=["windows of 600 s", "give the probability"])
        self.heed("track", "long.tsv", *BY_HAND, "--switch-scaling", "exact")

    def refuse_matrix(self, text, says, code=BAD_DATA):
        self.write("a.tsv", text)
        for verb in ("track", "compare"):
            self.refused(code, verb, "good.tsv", *BY_HAND, "--transition", "a.tsv", says=says)

    def test_rows_that_do_not_sum_to_one(self):
        self.refuse_matrix("0.9\t0.1\n0.1\t0.8\n", ["a.tsv: row 2", "0.9", "sum to 1"])
        self.refuse_matrix("1.1\t-0.1\n0.1\t0.9\n", ["a.tsv: row 1", "between 0 and 1"])

    def test_matrices_of_another_shape(self):
        self.refuse_matrix("", ["a.tsv", "empty"])
        self.refuse_matrix("0.9\t0.1\n", ["a.tsv", "row 1"])
        self.refuse_matrix("0.9\t0.1\n1\n", ["a.tsv: row 2"])
        self.refuse_matrix("left\tright\n0.9\t0.1\n0.1\t0.9\n", ["a.tsv: row 1, column 1", "'left'", "no header"])
        self.refuse_matrix("0.8\t0.1\t0.1\n0.1\t0.8\t0.1\n0.1\t0.1\t0.8\n", ["a.tsv: ", "3 speakers", "2"])

    def test_matrix_not_there(self):
        self.refused(NO_INPUT, "track", "good.tsv", *BY_HAND, "--transition", "none.tsv", says="none.tsv: no such file")

    def test_initial(self):
        for text in ("0.5,0.6", "1", "0.2,0.3,0.5", "1.5,-0.5"):
            self.refused(USAGE, "track", "good.tsv", *BY_HAND, "--initial", text, says="initial distribution")


class Models(BadInputTest):
    def setUp(self):
        super().setUp()
        self.write("good.tsv", GOOD)
        self.heed("track", "good.tsv", "--save-model", "m.json", "-o", "o.tsv")
        self.model = self.read_json("m.json")

    def refuse(self, code, change, says):
        change(self.model)
        self.write("m.json", json.dumps(self.model))
        for verb in ("track", "compare"):
            self.refused(code, verb, "good.tsv", "--model", "m.json", says=["m.json: ", says])

    def test_not_a_model(self):
        self.refused(BAD_DATA, "track", "good.tsv", "--model", "good.tsv", says=["good.tsv", "JSON"])
        self.refused(BAD_DATA, "track", "good.tsv", "--model", "o.json", says=["o.json", "not a model of heed"])
        self.refused(NO_INPUT, "track", "good.tsv", "--model", "none.json", says="none.json: no such file")

    def test_key_missing(self):
        self.refuse(BAD_DATA, lambda model: model["Emission"].pop("MuAttended"), "Emission.MuAttended")

    def test_sigma_of_zero(self):
        self.refuse(BAD_DATA, lambda model: model["Emission"].update(SigmaAttended=0), "Emission.SigmaAttended")

    def test_version_of_tomorrow(self):
        self.refuse(UNAVAILABLE, lambda model: model.update(FormatVersion=99), "FormatVersion is 99")


class Cohorts(BadInputTest):
    def test_nothing_found(self):
        (self.folder / "empty").mkdir()
        for verb, ending in (("compare", "*_scores.tsv"), ("evaluate", "*_posterior.tsv")):
            self.refused(NO_INPUT, verb, "empty", says=["empty: ", ending])
            self.refused(NO_INPUT, verb, "nowhere", says="nowhere: no such file or folder")
        self.refused(NO_INPUT, "track", "nowhere.tsv", *BY_HAND, says="nowhere.tsv: no such file")
        self.write("good.tsv", GOOD)
        self.refused(NO_INPUT, "track", "good.tsv", "--fit-from", "nowhere", says="nowhere: no such file or folder")

    def test_a_file_twice(self):
        self.write("c/sub-01_scores.tsv", GOOD)
        self.refused(BAD_DATA, "compare", "c", "c/sub-01_scores.tsv", says=["c/sub-01_scores.tsv", "twice"])

    def test_files_that_do_not_agree(self):
        self.write("c/sub-01_scores.tsv", GOOD)
        self.write("c/sub-02_scores.tsv", "onset\ta\tb\tc\tattended\n0\t.1\t.2\t.3\ta\n1\t.1\t.2\t.3\tb\n")
        self.refused(BAD_DATA, "compare", "c", says=["sub-01_scores.tsv has 2 speakers", "sub-02_scores.tsv has 3 speakers"])
        self.write("c/sub-02_scores.tsv", "duration\tleft\tright\tattended\n5\t.1\t.2\tleft\n")
        self.refused(BAD_DATA, "compare", "c", says=["windows of 1 s", "windows of 5 s"])

    def test_nobody_attended(self):
        self.write("c/sub-01_scores.tsv", GOOD)
        self.write("c/sub-02_scores.tsv", "onset\tleft\tright\n0\t.1\t.2\n1\t.3\t.1\n")
        self.refused(BAD_DATA, "compare", "c", says=["participant 02", "'attended'"])

    def test_trials_longer_than_the_recording(self):
        self.write("c/sub-01_scores.tsv", GOOD)
        self.refused(BAD_DATA, "compare", "c", *BY_HAND, "--trial", "600", says=["participant 01", "600"])

    def test_posteriors(self):
        good = "onset\tleft\tright\tdecision\tattended\n0\t0.4\t0.6\tright\tleft\n1\t0.7\t0.3\tleft\tleft\n"
        self.write("p.tsv", good)
        self.heed("evaluate", "p.tsv")
        for text, says in (("", ["empty"]), (GOOD, ["column decision is missing"]),
                           (good.replace("0.6", "0.7"), ["row 2", "sum to 1.1"]),
                           (good.replace("0.7\t0.3", "1.7\t-0.7"), ["row 3", "probability"]),
                           (good.replace("0.7\t0.3", "n/a\tn/a"), ["row 3", "n/a"]),
                           (good.replace("right\tleft\n1", "n/a\tleft\n1"), ["row 2", "decision"]),
                           (good.replace("right\tleft\n1", "middle\tleft\n1"), ["row 2, column decision", "'middle'"]),
                           (good + "3\t0.7\t0.3\tleft\tleft\n", ["row 4", "missing"]),
                           (good.replace("\tleft\n", "\tn/a\n"), ["attended"])):
            self.write("p.tsv", text)
            self.refused(BAD_DATA, "evaluate", "p.tsv", says=["p", *says])
        self.refused(BAD_DATA, "evaluate", "-", stdin=b"", says="standard input: the file is empty")


class Places(BadInputTest):
    """Folders and files where they should not be, or cannot be written."""

    def setUp(self):
        super().setUp()
        self.write("good.tsv", GOOD)
        (self.folder / "folder").mkdir()

    def test_a_directory_as_file(self):
        self.refused(USAGE, "track", "folder", *BY_HAND, says="-o FOLDER")  # a folder is all of its score files
        self.refused(IO, "track", "good.tsv", *BY_HAND, "--transition", "folder", says="is a directory")
        self.refused(IO, "track", "good.tsv", "--model", "folder", says="is a directory")
        self.refused(CANNOT_CREATE, "track", "good.tsv", *BY_HAND, "-o", "folder", says=["folder", "directory"])
        self.refused(CANNOT_CREATE, "track", "good.tsv", *BY_HAND, "-o", "folder/", says="folder/")
        self.refused(CANNOT_CREATE, "track", "good.tsv", *BY_HAND, "-o", "out.tsv", "--save-model", "folder", says="folder")

    def test_unwritable_output(self):
        for output in ("nowhere/out.tsv", "good.tsv/out.tsv", "/proc/heed/out.tsv", "x" * 300 + ".tsv"):
            self.refused(CANNOT_CREATE, "track", "good.tsv", *BY_HAND, "-o", output, says=[output.removesuffix(".tsv"), "cannot be written"])
        self.refused(USAGE, "track", "good.tsv", *BY_HAND, "-o", "out.json", says=["out.json", ".tsv"])
        for output in ("good.tsv", "good.tsv/cohort", "/proc/heed/cohort"):
            self.refused(CANNOT_CREATE, "simulate", "scores", "-o", output, "--minutes", "1", says=output)

    def test_sidecar_that_cannot_be_written_takes_the_table_with_it(self):
        (self.folder / "out.json").mkdir()
        self.refused(CANNOT_CREATE, "track", "good.tsv", *BY_HAND, "-o", "out.tsv", says="out.json")

    def as_somebody(self):
        """Root may read and write everything: it runs heed as nobody."""
        if os.geteuid() != 0:
            return {}
        self.folder.chmod(0o755)
        nobody = {"user": 65534, "group": 65534, "extra_groups": []}
        try:
            self.assertEqual(self.run_heed("--version", **nobody).returncode, 0)
        except PermissionError:
            self.skipTest("the program lies where nobody but root may run it")
        return nobody

    def test_permissions(self):
        somebody = self.as_somebody()
        (self.folder / "folder").chmod(0o555)
        self.addCleanup((self.folder / "folder").chmod, 0o755)
        self.refused(CANNOT_CREATE, "track", "good.tsv", *BY_HAND, "-o", "folder/out.tsv",
                     says=["folder/out.tsv", "Permission denied"], **somebody)
        self.write("locked.tsv", "precious")
        (self.folder / "locked.tsv").chmod(0o444)
        self.refused(CANNOT_CREATE, "track", "good.tsv", *BY_HAND, "-o", "locked.tsv", says="locked.tsv", **somebody)

    def test_file_that_may_not_be_read(self):
        somebody = self.as_somebody()
        self.write("folder/secret.tsv", GOOD)
        (self.folder / "folder").chmod(0o000)
        before = self.run_heed("track", "folder/secret.tsv", *BY_HAND, **somebody)
        (self.folder / "folder").chmod(0o755)
        self.assertEqual((before.returncode, before.stdout), (IO, b""))
        self.assertRegex(before.stderr, rb"^heed: folder/secret.tsv: .*Permission denied.*\n$")

    def test_file_names_with_line_ends(self):
        self.refused(NO_INPUT, "track", "two\nlines.tsv", *BY_HAND, says="two lines.tsv")


class FullDisk(BadInputTest):
    def setUp(self):
        super().setUp()
        self.write_scores("good.tsv", [[0.1, 0.2], [0.3, 0.1]] * 200, [0] * 400)

    def with_room_for(self, size):
        return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))}

    def test_the_table_does_not_fit(self):
        # ThreadSanitizer writes a byte of its own before there is a program that could be told.
        least = 1 if os.environ.get("HEED_SANITIZE") == "thread" else 0
        for size in (least, 1, 1000, 8192):
            self.refused(IO, "track", "good.tsv", *BY_HAND, "-o", "out.tsv", says=["out.tsv", "writing failed"],
                         **self.with_room_for(size))

    def test_what_was_there_stays(self):
        self.write("out.tsv", "precious")
        self.write("out.json", "{}")
        self.refused(IO, "track", "good.tsv", *BY_HAND, "-o", "out.tsv", says="out.tsv", **self.with_room_for(1000))

    def test_the_model_does_not_fit(self):
        self.refused(IO, "track", "good.tsv", *BY_HAND, "-o", "/dev/null", "--save-model", "m.json", says="m.json",
                     **self.with_room_for(10))

    def test_the_cohort_does_not_fit(self):
        result = self.run_heed("simulate", "scores", "-o", "c", "--participants", "2", "--minutes", "2",
                               **self.with_room_for(2000))
        self.assertEqual(result.returncode, IO)
        self.assertEqual(result.stderr.count(b"\n"), 1)
        self.assertIn(b"c/sub-01_scores.tsv", result.stderr)
        self.assertEqual(set(self.files()), {"c", "good.tsv"})

    def test_standard_output(self):
        self.write("c/sub-02_scores.tsv", (self.folder / "good.tsv").read_bytes())
        shutil.copy(self.folder / "good.tsv", self.folder / "c/sub-01_scores.tsv")
        self.heed("track", "good.tsv", *BY_HAND, "-o", "p.tsv")
        for words in (("track", "good.tsv", *BY_HAND), ("track", "good.tsv", *BY_HAND, "--json", "-o", "p.tsv"),
                      ("evaluate", "p.tsv"), ("evaluate", "p.tsv", "--json"), ("compare", "c", *BY_HAND),
                      ("compare", "c", *BY_HAND, "--json"), ("help", "track"), ("--help",), ("--version",), ("doctor",),
                      ("manual", "track"), ("manual", "--list"), ("completion", "bash"), ("completion", "fish")):
            with open("/dev/full", "wb") as full:
                self.refused(IO, *words, says="standard output", stdout=full)

    def test_device_as_output(self):
        self.refused(IO, "track", "good.tsv", *BY_HAND, "-o", "/dev/full", says=["/dev/full", "the disk is full"])


if __name__ == "__main__":
    unittest.main()
