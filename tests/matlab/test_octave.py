#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The functions for MATLAB as Octave runs them: the program's results to the bit, mistakes, examples, time, pictures.

    test_octave.py --octave OCTAVE --functions FOLDER --program HEED --build FOLDER
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np
from scipy.io import loadmat, savemat

HERE = pathlib.Path(__file__).resolve().parent
MOST_MICROSECONDS = 50
arguments = None


def octave(code, folder, functions=None):
    """What the code prints. Standard error is kept apart: Octave may complain there of a machine without a display."""
    command = [arguments.octave, "--norc", "--no-history", "--path", str(functions or arguments.functions), "--eval", code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


class Octave(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="heed-octave-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_octave(self, code, functions=None):
        done = octave(code, self.folder, functions)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def heed(self, *words):
        done = subprocess.run([arguments.program, *map(str, words)], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def table(self, name, speakers):
        """The columns of the speakers, trial by trial, and labels counted from 1 (NaN: unknown)."""
        lines = [line.split("\t") for line in (self.folder / name).read_text().splitlines()]
        at = {column: place for place, column in enumerate(lines[0])}
        trials = {}
        for row in lines[1:]:
            trials.setdefault(row[at["trial"]] if "trial" in at else "1", []).append(row)
        number = lambda text: float("nan") if text == "n/a" else float(text)
        values = [np.array([[number(row[at[name]]) for name in speakers] for row in trial]) for trial in trials.values()]
        labels = [np.array([[speakers.index(row[at["attended"]]) + 1.0] if row[at["attended"]] in speakers else [np.nan]
                            for row in trial]) for trial in trials.values()]
        return values, labels

    def listener(self, speakers):
        """A score file of a listener who switches, some windows of whom are missing or unlabelled, and given.mat."""
        self.heed("simulate", "scores", "--participants", 1, "--trials", 2, "--switch-every", 90, "--speakers", speakers,
                  "--seed", 4, "--force", "-o", ".")
        name = "sub-01_scores.tsv"
        lines = (self.folder / name).read_text().splitlines()
        names = [column for column in lines[0].split("\t") if column not in ("onset", "duration", "trial", "attended")]
        for row, column in ((70, names[0]), (71, names[1]), (300, "attended")):
            cells = lines[row].split("\t")
            cells[lines[0].split("\t").index(column)] = "n/a"
            lines[row] = "\t".join(cells)
        (self.folder / name).write_text("\n".join(lines) + "\n")
        self.give(name, names)
        return name, names

    def give(self, name, names):
        """What is in the score file, as given.mat."""
        scores, labels = self.table(name, names)
        given = {"scores": np.empty(len(scores), object), "attended": np.empty(len(scores), object)}
        given["scores"][:], given["attended"][:] = scores, labels
        savemat(self.folder / "given.mat", given)

    def listener_told_twice(self):
        """The same, of columns s and -s."""
        name, names = self.listener(2)
        lines = [line.split("\t") for line in (self.folder / name).read_text().splitlines()]
        left, right = (lines[0].index(column) for column in names)
        for row in lines[1:]:
            if row[left] != "n/a":
                row[right] = repr(-float(row[left]))
        (self.folder / name).write_text("".join("\t".join(row) + "\n" for row in lines))
        self.give(name, names)
        return name, names

    def test_results_are_the_programs_to_the_bit(self):
        for speakers in (2, 3):
            with self.subTest(speakers=speakers):
                self.compare_with_program(speakers)

    def compare_with_program(self, speakers):
        name, names = self.listener(speakers)
        methods = {"causal": "heed_filter(scores, 'Emission', emission, 'SwitchProbability', 0.004)",
                   "fixed-lag": "heed_filter(scores, 'Emission', emission, 'SwitchProbability', 0.004, 'Lag', 6.5)",
                   "smooth": "heed_smooth(scores, 'Emission', emission, 'SwitchProbability', 0.004)",
                   "viterbi": "heed_viterbi(scores, 'Emission', emission, 'SwitchProbability', 0.004)"}
        code = "load given.mat; emission = heed_fit(scores, attended, 'Spread', 'separate', 'Evidence', 'as-is');"
        for number, call in enumerate(methods.values()):
            code += f"[r{number}, e{number}] = {call}; m{number} = heed_evaluate(r{number}, attended);"
        self.run_octave(code + "save -v6 found.mat r0 r1 r2 r3 e0 e1 e2 e3 m0 m1 m2 m3 emission")
        found = loadmat(self.folder / "found.mat")
        for number, method in enumerate(methods):
            lag = ("--lag", 6.5) if method == "fixed-lag" else ()
            said = json.loads(self.heed("track", name, "--fit", "labels", "--spread", "separate", "--evidence", "as-is", "-p", 0.004,
                                        "--method", method, *lag, "--digits", 17, "--json", "-o", "p.tsv"))
            expected, _ = self.table("p.tsv", names)
            for trial, posterior in enumerate(expected):
                own = found[f"r{number}"].ravel()[trial]
                if method == "viterbi":
                    own = (own == np.arange(1, speakers + 1)).astype(float)
                np.testing.assert_array_equal(own, posterior, f"{method}, trial {trial + 1}")
            if method in ("causal", "smooth"):
                self.assertAlmostEqual(found[f"e{number}"].sum(), said["log_evidence"], delta=1e-9)
            self.compare(found[f"m{number}"][0, 0], json.loads(self.heed("evaluate", "p.tsv", "--json"))["participants"][0])
            self.compare(found["emission"][0, 0], said["emission_parameters"])

    def test_evidence_is_counted_as_the_program_does(self):
        """Columns s and -s count twice: the same scale, temperature, words and posteriors."""
        name, names = self.listener_told_twice()
        code = """load given.mat; lastwarn('');
            emission = heed_fit(scores, attended, 'Spread', 'shared'); [words, identifier] = lastwarn();
            plain = heed_fit(scores, attended, 'Spread', 'shared', 'Evidence', 'as-is');
            p = heed_smooth(scores, 'Emission', emission);
            save -v6 found.mat emission plain p words identifier"""
        self.run_octave(code)
        found = loadmat(self.folder / "found.mat")
        said = json.loads(self.heed("track", name, "--fit", "labels", "--spread", "shared", "--method", "smooth", "--digits", 17,
                                    "--json", "-o", "p.tsv"))
        emission = found["emission"][0, 0]
        self.assertLess(said["evidence_scale"], 0.7)
        self.assertEqual(emission["evidence_scale"][0, 0], said["evidence_scale"])
        self.assertEqual(emission["temperature"][0, 0], 1 / said["evidence_scale"])
        self.assertEqual(found["plain"][0, 0]["temperature"][0, 0], 1)
        self.assertEqual(found["identifier"][0], "heed:evidence")
        self.assertIn(found["words"][0].removeprefix("heed_mex: "), str(said["notes"]))
        for trial, posterior in enumerate(self.table("p.tsv", names)[0]):
            np.testing.assert_array_equal(found["p"].ravel()[trial], posterior)

    def test_columns_that_repeat_each_other_count_once(self):
        """As the program does by itself: the same emission, the same words, with labels and without."""
        name, names = self.listener_told_twice()
        for labels, fit in (("attended", "labels"), ("[]", "baum-welch")):
            with self.subTest(fit=fit):
                self.run_octave(f"""load given.mat; lastwarn('');
                    emission = heed_fit(scores, {labels}); [words, identifier] = lastwarn();
                    p = heed_smooth(scores, 'Emission', emission);
                    save -v6 found.mat emission p words identifier""")
                found = loadmat(self.folder / "found.mat")
                said = json.loads(self.heed("track", name, "--fit", fit, "--method", "smooth", "--digits", 17, "--json", "-o", "p.tsv"))
                self.compare(found["emission"][0, 0], said["emission_parameters"])
                self.assertLess(found["emission"][0, 0]["correlation"][0, 0], -0.9)
                self.assertEqual(found["identifier"][0], "heed:fit")
                self.assertIn(found["words"][0].removeprefix("heed_mex: "), str(said["notes"]))
                for trial, posterior in enumerate(self.table("p.tsv", names)[0]):
                    np.testing.assert_array_equal(found["p"].ravel()[trial], posterior)

    def test_paths_are_as_probable_as_the_program_says(self):
        name, _ = self.listener(3)
        self.run_octave("""load given.mat; emission = heed_fit(scores, attended, 'Evidence', 'as-is');
            found = heed_path_probability(scores, attended, 'Emission', emission);
            one = heed_path_probability(scores{1}, attended{1}, 'Emission', emission);
            assert(one.log_joint, found.log_joint(1));
            assert(size(found.log_prior), size(scores));
            [best, joint] = heed_viterbi(scores{1}, 'Emission', emission);
            largest = heed_path_probability(scores{1}, best, 'Emission', emission);
            assert(largest.log_joint, joint, 1e-9);
            save -v6 found.mat found""")
        found = loadmat(self.folder / "found.mat")["found"][0, 0]
        said = json.loads(self.heed("track", name, "--fit", "labels", "--evidence", "as-is", "--path", "labels", "--json", "-o", "p.tsv"))
        for logarithm in ("log_prior", "log_joint", "log_posterior"):
            self.assertAlmostEqual(found[logarithm].sum(), said["path"][logarithm], delta=1e-9, msg=logarithm)

    def test_memory_is_clean(self):
        """The same source behind a small stand-in for MATLAB, in valgrind: good calls, and every kind of mistake."""
        if not shutil.which("valgrind"):
            self.skipTest("no valgrind here")
        program = self.folder / "interpreter"
        root = HERE.parent.parent
        library = arguments.build / "c"
        subprocess.run(["cc", "-std=c99", "-g", "-I", HERE / "fake_mex", "-I", root / "include", root / "matlab" / "heed_mex.c",
                        HERE / "fake_mex" / "interpreter.c", "-L", library, "-lheed-c", "-lm", f"-Wl,-rpath,{library}", "-o", program],
                       check=True)
        done = subprocess.run(["valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full", program], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def compare(self, own, program):
        """Every number of a struct is the program's, under its name there."""
        names = {"false_switches_per_minute": "false_switch_rate", "fisher": None, "evidence_scale": None}
        for name in own.dtype.names:
            if names.get(name, name) is not None:
                self.assertEqual(own[name][0, 0], program[names.get(name, name)], name)

    def test_mistakes_are_errors(self):
        said = self.run_octave(f"addpath('{HERE}'); misuse()")
        self.assertGreaterEqual(int(re.match(r"(\d+) mistakes", said)[1]), 50)

    def test_examples_of_the_help_run(self):
        for function in sorted(arguments.functions.glob("heed_*.m")):
            text = function.read_text()
            comment = re.search(r"^function.*?\n((?:%.*\n)+)", text)[1]
            example = re.search(r"Example:\n((?:% {6}.*\n)+)", comment)
            if function.stem in ("heed_colours", "heed_build"):
                self.assertIsNone(example)
                continue
            with self.subTest(function=function.stem):
                lines = "\n".join(line[1:] for line in example[1].splitlines())
                self.run_octave("figure('visible', 'off');" * (function.stem == "heed_plot") + lines)
                said = self.run_octave(f"help {function.stem}")
                self.assertIn(function.stem.upper(), said)
                self.assertIn("Example:", said)

    def test_classes_and_shapes(self):
        """Singles, integers, cells of any shape, and one window."""
        self.run_octave("""
            x = single([1 0; 0 2; 3 1]);
            assert(heed_smooth(x), heed_smooth(double(x)));
            assert(heed_smooth(int8(x)), heed_smooth(double(x)));
            [p, e] = heed_smooth({double(x); double(x(1, :))});
            assert(size(p), [2 1]); assert(size(e), [2 1]);
            assert(p{2}, heed_smooth([1 0]));
            [path, l] = heed_viterbi([2 0; NaN 0; 0 9]);
            assert(path, [2; 2; 2]); assert(isfinite(l));
            assert(heed_filter([1 0; 0 2], 'switchprobability', 0.5), heed_filter([1 0; 0 2], 'Transition', [.5 .5; .5 .5]), 1e-15);
            m = heed_evaluate([1 1 2 2], [1 1 2 2]); assert(m.accuracy, 1); assert(m.switch_time, 0);
            m = heed_evaluate({[1 1], [2 2]}, {[1 1], [2 2]}); assert(m.switches, 0); assert(isnan(m.switch_time));
        """)

    def test_a_call_costs_little(self):
        """The whole call, so more than what it adds to C++; the best of many, since others use the machine, too."""
        said = self.run_octave("""
            x = randn(600, 2); best = Inf; through = Inf;
            for batch = 1:40
              tic; for k = 1:50, p = heed_mex('smooth', x, 'SwitchProbability', 1e-3); end; best = min(best, toc / 50);
              tic; for k = 1:50, p = heed_smooth(x, 'SwitchProbability', 1e-3); end; through = min(through, toc / 50);
            end
            printf('%g %g', 1e6 * best, 1e6 * through)""")
        gateway, function = map(float, said.split())
        print(f"heed_smooth of 600 windows: {gateway:.1f} us by the MEX file, {function:.1f} us by the function")
        self.assertLessEqual(gateway, MOST_MICROSECONDS)

    def test_picture(self):
        """Areas tile time and probability; the strip shows who was attended."""
        self.run_octave("""
            f = figure('visible', 'off');
            p = [0.9 0.1; 0.4 0.6; 0.25 0.75];
            h = heed_plot(p, 'Attended', [1 NaN 2], 'Window', 2, 'Speakers', {'left', 'right'}, 'Title', 'a trial');
            assert(numel(h), 2);
            area = @(k) polyarea(get(h(k), 'XData'), get(h(k), 'YData'));
            assert([area(1) area(2)], 2 * sum(p), 1e-12);
            patches = findobj(gca, 'type', 'patch');
            assert(numel(patches), 4);
            assert(get(gca, 'XLim'), [0 6]);
            assert(get(h(1), 'FaceColor'), [0 114 178] / 255, 1e-12);
        """)

    def test_built_by_a_user(self):
        """heed_build compiles the copied source against an installation, wherever it is called from."""
        prefix, mine = self.folder / "prefix", self.folder / "mine"
        done = subprocess.run(["cmake", "--install", str(arguments.build), "--prefix", str(prefix)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        mine.mkdir()
        for file in arguments.functions.iterdir():
            if file.suffix in (".m", ".c"):
                (mine / file.name).write_bytes(file.read_bytes())
        home = f"setenv('HOME', '{self.folder}'); "
        for given in ("~/prefix", "prefix"):  # as a user types it: the compiler is told where that is
            self.run_octave(home + f"heed_build('{given}')", mine)
            (mine / "heed_mex.mex").unlink()
        self.run_octave(f"heed_build('{prefix}'); assert(size(heed_smooth(randn(600, 2))), [600 2]); assert(which('heed_mex'), '{mine}/heed_mex.mex')", mine)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("--octave", "--functions", "--program", "--build"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    arguments, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
