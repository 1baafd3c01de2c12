# SPDX-License-Identifier: MIT
"""Standard streams that are full or closed, and several runs that write into one folder at the same time."""
import json
import os
import pathlib
import subprocess
import unittest

from heed_program import BY_HAND, PATIENCE, PROGRAM, HeedTest
from study_test import STUDY

ROUNDS = int(os.environ.get("HEED_ROUNDS", "1"))  # of writers at once; `./dev campaign writers` has 100
SUCCESS, NO_INPUT, CANNOT_CREATE, IO = 0, 66, 73, 74
SCORES = "onset\tleft\tright\tattended\n0\t0.1\t0.2\tleft\n1\t0.3\t0.1\tleft\n2\t0.0\t0.4\tright\n"
RECORDING = ("simulate", "recording", "--participants", "2", "--trials", "2", "--minutes", "0.5", "--channels", "Fz,Cz,T7,T8",
             "--rate", "64", "--sound-rate", "8000")


class StandardStreams(HeedTest):
    def code(self, redirection, *arguments):
        """The exit code of heed, called by a shell with that redirection."""
        result = subprocess.run(["sh", "-c", f'exec "$@" {redirection}', "sh", PROGRAM, *map(str, arguments)],
                                cwd=self.folder, timeout=PATIENCE, check=False, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
        return result.returncode

    def test_a_log_that_cannot_be_written_changes_nothing(self):
        self.write("scores.tsv", SCORES)
        track = ("track", "scores.tsv", *BY_HAND)
        self.heed(*track, "-o", "expected.tsv")
        for number, redirection in enumerate(("2>/dev/full", "2>&-", "0<&- 1>&- 2>&-")):
            with self.subTest(redirection=redirection):
                self.assertEqual(self.code(redirection, *track, "-o", f"out{number}.tsv"), SUCCESS)
                self.assertEqual(self.read(f"out{number}.tsv"), self.read("expected.tsv"))
                self.assertEqual(self.code(redirection, "info", "nowhere.tsv"), NO_INPUT)

    def test_an_output_that_cannot_be_written_is_an_error(self):
        self.write("scores.tsv", SCORES)
        self.heed("track", "scores.tsv", *BY_HAND, "-o", "posterior.tsv")
        self.heed("simulate", "scores", "--participants", "2", "--trials", "2", "--minutes", "1", "-o", "cohort")
        self.heed(*RECORDING, "-o", "bids")
        self.heed("bids", "bids", "derivatives", "participant")
        calls = (("info", "scores.tsv"), ("track", "scores.tsv", *BY_HAND), ("evaluate", "posterior.tsv"), ("--help",),
                 ("--version",), ("doctor",), ("compare", "cohort"), ("bids", "bids", "derivatives", "group"),
                 ("score", "bids", "-o", "scored"))
        for redirection in (">/dev/full", ">&-", ">/dev/full 2>/dev/full", ">&- 2>&-"):
            for call in calls:
                with self.subTest(call=call, redirection=redirection):
                    self.assertEqual(self.code(redirection, *call), IO)

    def test_names_do_not_reach_the_terminal_as_escape_sequences(self):
        result = self.run_heed("info", "a\033]0;owned\007b.tsv")
        self.assertEqual(result.returncode, NO_INPUT)
        self.assertNotIn(b"\033", result.stderr)
        self.assertIn(rb"a\x1b]0;owned\x07b.tsv", result.stderr)
        result = self.run_heed("info", os.fsdecode("a\u009b31m\u202eb".encode() + b"\x9bc.tsv"))
        self.assertIn(rb"a\u009b31m\u202eb\x9bc.tsv", result.stderr)

    def test_nor_do_those_in_files(self):
        """Of participants, speakers, datasets and folders, in what is printed on standard output."""
        odd = "\033]0;owned\007\u009b31m\u202e"
        self.heed("simulate", "scores", "--participants", "2", "--trials", "2", "--minutes", "1", "--switch-every", "20", "-o", "cohort")
        (self.folder / "posteriors").mkdir()
        for participant in ("01", "02"):
            for ending in (".tsv", ".json"):
                file = self.folder / f"cohort/sub-{participant}_scores{ending}"
                file.write_text(file.read_text().replace("left", f"left{odd}" if ending == ".tsv" else "left"))
                file.rename(self.folder / f"cohort/sub-{participant}{odd}_scores{ending}")
            self.heed("track", f"cohort/sub-{participant}{odd}_scores.tsv", *BY_HAND, "-o", f"posteriors/sub-{participant}{odd}_posterior.tsv")
        self.write("mine.toml", STUDY)
        self.heed("study", "plan", "mine.toml", "--on", "cohort", "-o", f"plan{odd}")
        self.heed(*RECORDING, "-o", f"bids{odd}")
        self.write(f"bids{odd}/dataset_description.json", json.dumps({"Name": f"name{odd}", "BIDSVersion": "1.9.0"}))
        for call in (("info", "cohort"), ("info", f"bids{odd}"), ("validate", f"bids{odd}"), ("evaluate", "posteriors"),
                     ("mesd", "cohort"), ("compare", "cohort"), ("study", "status", f"plan{odd}"), ("study", "run", f"plan{odd}"),
                     ("reproduce", "--on", "cohort", "--studies", "mine.toml", "-o", f"report{odd}")):
            with self.subTest(call=call[:2]):
                result = self.run_heed(*call)
                self.assertEqual(result.returncode, SUCCESS, result.stderr)
                for text in (result.stdout, result.stderr):
                    for obeyed in ("\033", "\007", "\u009b", "\u202e"):
                        self.assertNotIn(obeyed.encode(), text)


class ManyWriters(HeedTest):
    def at_once(self, *calls):
        runs = [subprocess.Popen([PROGRAM, *map(str, call)], cwd=self.folder, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE) for call in calls]
        return [(run.communicate(timeout=PATIENCE)[1].decode(), run.returncode) for run in runs]

    def files_of(self, folder):
        root = pathlib.Path(self.folder) / folder
        return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}

    def one_wins(self, expected, out, *call, may_differ=""):
        codes = []
        for said, code in self.at_once(*[(*call, out)] * 3):
            codes.append(code)
            self.assertIn(code, (SUCCESS, CANNOT_CREATE), said)
            if code == CANNOT_CREATE:
                self.assertRegex(said, "another process is writing to|is not empty|something already")
        self.assertIn(SUCCESS, codes)
        there, wanted = self.files_of(out), self.files_of(expected)
        self.assertEqual(there.pop(may_differ, None) is None, wanted.pop(may_differ, None) is None)
        self.assertEqual(there, wanted)

    def all_succeed(self, call):
        for said, code in self.at_once(*[call] * 3):
            self.assertEqual(code, SUCCESS, said)

    def test_recordings_and_what_is_prepared_of_them(self):
        self.heed(*RECORDING, "-o", "one")
        self.heed("preprocess", "one", "-o", "prepared")
        self.heed("convert", "cnd", "one", "cnd")
        self.heed("convert", "cnd", "cnd", "again")
        for attempt in range(ROUNDS):
            self.one_wins("one", f"many{attempt}", *RECORDING, "--force", "-o")
            self.one_wins("prepared", f"out{attempt}", "preprocess", "one", "--resume", "-o")
            self.one_wins("cnd", f"cnd{attempt}", "convert", "cnd", "one")
            self.one_wins("again", f"again{attempt}", "convert", "cnd", "cnd")

    def test_reports_and_plans(self):
        """Several reproductions into one new folder told each other that it held something else."""
        self.heed("simulate", "scores", "--participants", "2", "--trials", "2", "--minutes", "1", "--switch-every", "20",
                  "-o", "cohort")
        self.write("mine.toml", STUDY)
        reproduce = ("reproduce", "--on", "cohort", "--studies", "mine.toml", "--json", "-o")
        plan = ("study", "plan", "mine.toml", "--on", "cohort", "-o")
        self.heed(*reproduce, "one")
        self.heed(*plan, "plan")
        self.heed("study", "run", "plan")
        self.heed("study", "gather", "plan", "-o", "table.tsv")
        self.heed("report", "table.tsv", "-o", "report")
        self.heed(*plan, "planned")
        for attempt in range(ROUNDS):
            self.one_wins("cohort", f"cohort{attempt}", "simulate", "scores", "--participants", "2", "--trials", "2", "--minutes", "1",
                          "--switch-every", "20", "--force", "-o")
            self.one_wins("one", f"many{attempt}", *reproduce, may_differ="report.html")  # names the command
            self.one_wins("planned", f"planned{attempt}", *plan)
            self.one_wins("report", f"report{attempt}", "report", "table.tsv", "-o", may_differ="report.html")
            self.all_succeed(("study", "run", f"planned{attempt}"))
            self.assertEqual(self.files_of(f"planned{attempt}"), self.files_of("plan"))
            self.all_succeed(("study", "gather", "plan", "-o", f"table{attempt}.tsv"))
            self.assertEqual(self.read(f"table{attempt}.tsv"), self.read("table.tsv"))

    def test_decoders_scores_and_pages(self):
        self.heed(*RECORDING, "-o", "one")
        self.heed("train", "one", "--participant", "01", "-o", "decoder.json")
        self.heed("population", "one", "-o", "population.json")
        self.heed("score", "one", "-o", "scores")
        self.heed("bids", "one", "derivatives", "participant")
        for attempt in range(ROUNDS):
            for verb, file in (("train", "decoder"), ("population", "population")):
                alone = ("--participant", "01") if verb == "train" else ()
                self.all_succeed((verb, "one", *alone, "-o", f"{file}{attempt}.json"))
                self.assertEqual(self.read(f"{file}{attempt}.json"), self.read(f"{file}.json"))
            self.all_succeed(("score", "one", "-o", f"scores{attempt}"))
            self.assertEqual(self.files_of(f"scores{attempt}"), self.files_of("scores"))
            self.all_succeed(("bids", "one", f"derivatives{attempt}", "participant"))
            self.assertEqual(sorted(self.files_of(f"derivatives{attempt}")), sorted(self.files_of("derivatives")))

    def test_live_sessions(self):
        """Tables and XDF files belong to one session; a folder has a run for each."""
        self.heed(*RECORDING, "-o", "bids")
        self.heed("train", "bids", "--participant", "01", "--filters", "causal", "-o", "causal.json")
        session = ("live", "replay:bids", "--participant", "01", "--run", "01", "--model", "causal.json", "--tracking", "reference",
                   "--speed", "max")
        self.heed(*session, "--record", "one", "--out", "tsv:one.tsv")
        self.heed(*session, "--record", "one.xdf", "--out", "ndjson:one.ndjson")
        self.heed("convert", "xdf", "one.xdf", "converted")
        kinds = (("--out", "tsv:", ".tsv"), ("--out", "ndjson:", ".ndjson"), ("--record", "", ".xdf"))
        for attempt in range(ROUNDS):
            for option, scheme, ending in kinds:
                file = f"many{attempt}{ending}"
                results = self.at_once(*[(*session, option, scheme + file)] * 3)
                self.assertIn(SUCCESS, [code for _, code in results])
                for said, code in results:
                    self.assertIn(code, (SUCCESS, CANNOT_CREATE), said)
                    refused = "another process is writing to it" in said or "which a recording does not replace" in said
                    self.assertEqual(refused, code == CANNOT_CREATE, said)
                self.assertEqual((self.folder / file).read_bytes(), (self.folder / f"one{ending}").read_bytes(), file)
            self.one_wins("converted", f"converted{attempt}", "convert", "xdf", "one.xdf")
            for said, code in self.at_once(*[(*session, "--record", f"runs{attempt}")] * 3):
                self.assertEqual(code, SUCCESS, said)
            recorded = sorted((self.folder / f"runs{attempt}/sub-live/eeg").glob("*.eeg"))
            self.assertEqual(len(recorded), 3)
            expected = next((self.folder / "one/sub-live/eeg").glob("*.eeg")).read_bytes()
            self.assertEqual([path.read_bytes() == expected for path in recorded], [True] * 3)

    def test_tables_are_whole_whoever_comes_last(self):
        self.write("scores.tsv", SCORES)
        self.heed("simulate", "scores", "--participants", "2", "--trials", "2", "--minutes", "1", "--switch-every", "20", "-o", "cohort")
        self.heed("track", "scores.tsv", *BY_HAND, "--save-model", "model.json", "-o", "expected.tsv")
        calls = {"track.tsv": ("track", "scores.tsv", "--model", "model.json", "-o"), "compare.svg": ("compare", "cohort", "--plot"),
                 "export.h": ("export", "model.json", "--switch-probability", "0.001", "--c", "-o")}
        for name, call in calls.items():
            self.heed(*call, f"one-{name}")
            for _ in range(ROUNDS):
                for said, code in self.at_once(*[(*call, name)] * 8):
                    self.assertEqual(code, SUCCESS, said)
                self.assertEqual(self.read(name), self.read(f"one-{name}"))
        left = [name for name in os.listdir(self.folder) if name.startswith(".heed")]
        self.assertEqual(left, [])


class Doctor(HeedTest):
    def test_follows_no_link_in_the_temporary_folder(self):
        treasure = self.folder / "treasure"
        treasure.write_text("gold")
        temporary = self.folder / "tmp"
        temporary.mkdir()
        for process in range(os.getpid(), os.getpid() + 200):
            (temporary / f"heed-doctor-{process}.txt").symlink_to(treasure)
        subprocess.run([PROGRAM, "doctor"], env={**os.environ, "TMPDIR": str(temporary)}, timeout=PATIENCE, check=True,
                       stdout=subprocess.DEVNULL)
        self.assertEqual(treasure.read_text(), "gold")
        self.assertEqual(len(list(temporary.iterdir())), 200)


if __name__ == "__main__":
    unittest.main()
