# SPDX-License-Identifier: MIT
"""The program as such: help, version, doctor, manual pages, completion, mistyped command lines."""
import os
import platform
import re
import shutil
import subprocess
import unittest

from heed_program import BY_HAND, PROGRAM, HeedTest

VERBS = ["track", "evaluate", "compare", "mesd", "simulate", "info", "validate", "convert", "preprocess",
         "population", "train", "score", "rescore", "live", "export", "bids", "reproduce", "study", "report", "doctor", "help", "manual",
         "completion"]
PAGES = [*VERBS, "simulate scores", "simulate recording",
         "study plan", "study run", "study status", "study gather", "study slurm"]


def options_in(help_text):
    return set(re.findall(r"^  (?:-\w,)?(--[a-z_-]+)", help_text, re.MULTILINE))


@unittest.skipIf(os.environ.get("HEED_SANITIZE") or platform.machine() != "x86_64", "linked as usual there")
class Start(HeedTest):
    def test_loads_what_every_verb_needs_and_nothing_else(self):
        said = subprocess.run(["readelf", "-d", PROGRAM], capture_output=True, text=True, check=True).stdout
        needed = set(re.findall(r"NEEDED.*\[(.*?)\.so", said))
        self.assertLessEqual({"libstdc++", "libc"}, needed)
        self.assertLessEqual(needed, {"libfmt", "libz", "libstdc++", "libm", "libgcc_s", "libc", "ld-linux-x86-64"})

    def test_says_which_library_cannot_be_opened(self):
        (self.folder / "libsndfile.so.1").write_bytes(b"")
        result = self.run_heed("simulate", "recording", "-o", "x", "--participants", "1", "--trials", "1", "--minutes", "1",
                               env={**os.environ, "LD_LIBRARY_PATH": str(self.folder)})
        self.assertEqual(result.returncode, 127, result.stderr)
        self.assertIn("libsndfile.so.1", result.stderr.decode())
        self.assertIn("install", result.stderr.decode())


class Help(HeedTest):
    def test_without_words_the_help_and_a_usage_error(self):
        result = self.run_heed()
        self.assertEqual((result.returncode, result.stdout), (2, b""))
        self.assertEqual(result.stderr.decode(), self.heed("--help"))

    def test_program_help_lists_the_verbs(self):
        text = self.heed("--help")
        self.assertEqual(self.heed("-h"), text)
        self.assertEqual(self.heed("help"), text)
        listed = re.findall(r"^  ([a-z]+) ", text.split("Verbs:\n")[1].split("\n\n")[0], re.MULTILINE)
        self.assertEqual(listed, VERBS)
        self.assertIn("Examples:", text)

    def test_help_of_a_verb_in_three_ways(self):
        for page in PAGES:
            words = page.split()
            text = self.heed("help", *words)
            self.assertEqual(self.heed(*words, "--help"), text, page)
            self.assertEqual(self.heed(*words, "-h"), text, page)
            self.assertIn(f"Usage: heed {page}", text)
        for verb in ("track", "evaluate", "compare", "mesd", "simulate", "simulate scores", "doctor", "help"):
            self.assertRegex(self.heed("help", *verb.split()), rf"Examples:\n(.*\n)*  heed {verb} ")

    def test_help_has_no_stray_brackets(self):
        """What is optional stands in a pair of them; nothing else does."""
        for page in PAGES:
            text = self.heed("help", *page.split()).split("Examples:")[0]
            self.assertNotIn("\n\n\n", text, page)
            for line in text.splitlines():
                self.assertEqual(line.count("["), line.count("]"), line)
                self.assertNotRegex(line, r"default \[")

    def test_help_fits_a_terminal(self):
        for page in PAGES:
            described = self.heed("help", *page.split()).split("Examples:")[0]
            self.assertLessEqual(max(map(len, described.splitlines())), 100, page)

    def test_options_of_the_issue_are_there(self):
        model = {"--switch-probability", "--emission", "--mu-attended", "--mu-unattended", "--sigma", "--model",
                 "--transition", "--initial", "--lag"}
        wanted = {"track": model | {"--output", "--method", "--fit", "--fit-from", "--digits", "--json"},
                  "evaluate": {"--json"},
                  "compare": model | {"--switch-every", "--trial", "--join", "--repeats", "--seed", "--methods", "--json"},
                  "simulate scores": {"--output", "--speakers", "--participants", "--minutes", "--accuracy",
                                      "--accuracy-spread", "--autocorrelation", "--switch-every", "--artefacts", "--seed"}}
        for verb, options in wanted.items():
            self.assertLessEqual(options, options_in(self.heed("help", *verb.split())), verb)

    def test_examples_run(self):
        """The first example of each verb, on files of those names."""
        self.heed("simulate", "scores", "--participants", "2", "--minutes", "2", "--switch-every", "30", "-o", "cohort")
        shutil.copy(self.folder / "cohort/sub-01_scores.tsv", self.folder / "sub-01_scores.tsv")
        self.heed("track", "sub-01_scores.tsv", "--method", "smooth", "-o", "sub-01_posterior.tsv")
        self.heed("evaluate", "sub-01_posterior.tsv")
        self.heed("compare", "cohort/")

    def test_version(self):
        self.assertRegex(self.heed("--version"), r"^heed \d+\.\d+\.\d+\n$")


class Doctor(HeedTest):
    def test_all_is_well(self):
        text = self.heed("doctor")
        self.assertTrue(text.startswith(self.heed("--version").strip()))
        self.assertIn("All is well.", text)
        self.assertNotIn("FAIL", text)

    def test_says_which_kernels_fit_decoders(self):
        """The last bits of a fit depend on them, so that whoever compares machines has to know."""
        text = self.run_heed("doctor", env={"OPENBLAS_CORETYPE": "Prescott"}).stdout.decode()
        self.assertIn("kernels of decoders: OpenBLAS Prescott\n", text)

    def test_a_place_that_cannot_be_written_is_found(self):
        result = self.run_heed("doctor", env={"TMPDIR": str(self.folder / "nowhere")})
        self.assertEqual(result.returncode, 73)  # not 70, which is a fault of heed's
        self.assertIn(b"FAIL", result.stdout)
        self.assertIn(b"set TMPDIR", result.stdout)
        self.assertNotIn(b"report", result.stdout)
        self.assertEqual(result.stderr, b"")


class Manual(HeedTest):
    def test_pages(self):
        listed = self.heed("manual", "--list").splitlines()
        self.assertEqual(sorted(listed), sorted(["heed", *(f"heed {page}" for page in PAGES)]))
        for words in listed:
            page = self.heed("manual", *words.split()[1:])
            self.assertTrue(page.startswith(f".TH {words.replace(' ', '-')}".replace("-", r"\-")), page[:60])
            for section in ("NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS"):
                self.assertIn(f".SH {section}\n", page)
            for option in options_in(self.heed("help", *words.split()[1:])):
                self.assertIn(option.replace("-", r"\-"), page)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_has_nothing_to_warn_of(self):
        for page in PAGES:
            text = self.heed("manual", *page.split())
            result = subprocess.run(["groff", "-man", "-ww", "-Tutf8"], input=text.encode(), capture_output=True, check=True)
            self.assertEqual(result.stderr, b"", page)
            self.assertIn(f"heed-{page.replace(' ', '-')}".encode(), result.stdout)


@unittest.skipUnless(shutil.which("bash"), "bash is not installed")
class BashCompletion(HeedTest):
    def setUp(self):
        super().setUp()
        self.write("heed.bash", self.heed("completion", "bash"))

    def complete(self, *words):
        """What bash offers for the last word."""
        script = ('source ./heed.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heed; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        result = subprocess.run(["bash", "-c", script, "bash", *words], cwd=self.folder, capture_output=True, check=True)
        self.assertEqual(result.stderr, b"")
        return result.stdout.decode().split()

    def test_syntax(self):
        for shell in ("bash", "zsh"):
            text = self.heed("completion", shell)
            subprocess.run(["bash", "-n"], input=text.encode(), check=True, capture_output=True)
        registered = subprocess.run(["bash", "-c", "source ./heed.bash; complete -p heed"], cwd=self.folder,
                                    capture_output=True, check=True)
        self.assertIn(b"-F _heed heed", registered.stdout)

    def test_verbs(self):
        self.assertEqual(sorted(self.complete("heed", "tr")), ["track", "train"])
        self.assertEqual(sorted(self.complete("heed", "comp")), ["compare", "completion"])
        self.assertLessEqual(set(VERBS), set(self.complete("heed", "")))
        self.assertEqual(self.complete("heed", "simulate", "sc"), ["scores"])

    def test_options_of_the_verb_typed(self):
        self.assertEqual(self.complete("heed", "track", "--tr"), ["--transition"])
        self.assertEqual(self.complete("heed", "simulate", "scores", "--part"), ["--participants"])
        self.assertEqual(self.complete("heed", "compare", "a_scores.tsv", "--sw"), ["--switch-every", "--switch-probability",
                                                                                  "--switch-scaling"])
        for verb in ("track", "compare", "evaluate", "simulate scores"):
            offered = set(self.complete("heed", *verb.split(), "--"))
            self.assertEqual(offered, options_in(self.heed("help", *verb.split())), verb)

    def test_files(self):
        self.write("sub-01_scores.tsv", "")
        self.assertEqual(self.complete("heed", "track", "sub"), ["sub-01_scores.tsv"])
        self.assertEqual(self.complete("heed", "track", "--model", "sub"), ["sub-01_scores.tsv"])

    def test_values_of_options(self):
        self.write("smile.tsv", "")
        self.assertEqual(self.complete("heed", "track", "--emission", "s"), ["softmax"])
        self.assertEqual(self.complete("heed", "track", "--method", "sm"), ["smooth"])
        self.assertEqual(self.complete("heed", "completion", "z"), ["zsh"])
        self.assertEqual(self.complete("heed", "help", "ev"), ["evaluate"])

    def test_fish_names_every_option(self):
        text = self.heed("completion", "fish")
        for verb in VERBS:
            self.assertRegex(text, rf"(?m)^complete -c heed .* -a {verb} ")
        for option in options_in(self.heed("help", "track")):
            self.assertRegex(text, rf"(?m)^complete -c heed -n '__fish_seen_subcommand_from track' -l {option[2:]} ")


class MistypedLines(HeedTest):
    def setUp(self):
        super().setUp()
        self.write_scores("s.tsv", [[0.1, 0.2], [0.3, 0.1]], [0, 1])
        self.given = ("track", "s.tsv", *BY_HAND)

    def test_verbs(self):
        self.refused(2, "nonsense", says=["no verb 'nonsense'", "heed --help"])
        self.refused(2, "Track", "s.tsv", says="no verb 'Track'")
        self.refused(2, "simulate", says=["a verb is missing", "heed simulate --help"])
        self.refused(2, "simulate", "eeg", says="no verb 'eeg'")
        self.refused(2, "help", "nonsense", says="no verb 'nonsense'")
        self.refused(2, "manual", "nonsense", says="heed manual --list")
        self.refused(2, "completion", "csh", says="csh")
        self.refused(2, "completion", says="shell")

    def test_options(self):
        self.refused(2, "--nonsense", says="no option '--nonsense'")
        self.refused(2, "-x", says="no option '-x'")
        self.refused(2, *self.given, "--nonsense", says=["no option '--nonsense'", "heed track --help"])
        self.refused(2, "track", "--nonsense", says="no option '--nonsense'")
        self.refused(2, "compare", "s.tsv", "--method", "raw", says="no option '--method'")
        self.refused(2, "evaluate", "--csv", "s.tsv", says="no option '--csv'")

    def test_what_may_have_been_meant(self):
        for words, meant in {("trakc", "s.tsv"): "track", ("Track", "s.tsv"): "track", ("eval", "s.tsv"): "evaluate",
                             ("simulate", "score"): "scores", ("study", "rum", "plan"): "run", ("help", "compar"): "compare",
                             ("track", "s.tsv", "--metod", "raw"): "--method", ("track", "s.tsv", "--sgima=1"): "--sigma",
                             ("compare", "s.tsv", "--method", "raw"): "--methods",
                             ("track", "s.tsv", "--switch-prob", "0.1"): "--switch-probability"}.items():
            self.refused(2, *words, says=f", did you mean '{meant}'?")
        for words in (("nonsense",), ("x",), ("track", "s.tsv", "--nonsense"), ("track", "s.tsv", "-x")):
            self.assertNotIn("mean", self.refused(2, *words))

    def test_values_that_are_no_numbers(self):
        for words, says in {("-p", "abc"): "--switch-probability: give a probability, such as 0.001, or auto, not abc",
                            ("--gain-step", "many"): "--gain-step: 'many' is not a number; write e.g. --gain-step 0.4",
                            ("--gain-step", "-1"): "--gain-step: '-1' must be above 0; write e.g. --gain-step 0.4",
                            ("--digits", "99"): "--digits: '99' must lie between 1 and 17; write e.g. --digits 6",
                            ("--digits", "2.5"): "--digits: '2.5'",
                            ("--sigma", "0,3"): "--sigma: '0,3' is not a number; write e.g. --sigma 0.3",
                            ("--initial", "a,b"): "--initial: 'a b' is not a number; write e.g. --initial 0.5,0.5"}.items():
            self.refused(2, "track", "s.tsv", *words, says=says)

    def test_words_missing_or_too_many(self):
        self.refused(2, "track", says=["scores is missing", "heed track --help"])
        self.refused(2, "score", "x", "--recipe", "heeed", says="--recipe: 'heeed' is not one of (paper, heed), did you mean 'heed'?")
        self.refused(2, "track", "x.tsv", "--lag", says="--lag needs a value; write e.g. --lag 5")
        self.refused(2, "doctor", "now", says="'now' is not expected here")
        self.refused(2, "evaluate", says="posteriors is missing")
        self.refused(2, "compare", says="is missing")
        self.refused(2, "simulate", "scores", says="--output")
        self.refused(2, *self.given, "other.tsv", says="-o FOLDER")
        for option in ("--method", "--digits", "-p", "--model", "-o", "--fit-from"):
            self.refused(2, *self.given, option, says="needs a value")

    def test_values(self):
        for option, values in {"--digits": ("0", "18", "-5", "abc", "2.5", ""), "--method": ("hmm", "Causal", ""),
                               "-p": ("abc", "", "1e", "0.1x"), "--emission": ("normal",), "--spread": ("wide",),
                               "--fit": ("unsupervised",), "--lag": ("-5", "abc", "nan"), "--initial": ("a,b", "0.5;0.5"),
                               "--switch-scaling": ("log",)}.items():
            for value in values:
                self.refused(2, "track", "s.tsv", option, value)

    def test_values_of_compare(self):
        for option, values in {"--switch-every": ("abc", "-5", "0", "60-", "-", "125-60", "1.5-3", "60-125-3", ""),
                               "--trial": ("abc", "-5", "0", "0.5", "nan"), "--repeats": ("0", "-5", "abc", "1.5"),
                               "--seed": ("-1", "abc", "1.5"), "--methods": ("hmm", "causal,hmm", ","),
                               "--lag": ("-5", "abc")}.items():
            for value in values:
                self.refused(2, "compare", "s.tsv", *BY_HAND, option, value)

    def test_values_of_simulate(self):
        for option, values in {"--participants": ("0", "-5", "abc", "1.5"), "--speakers": ("1", "0", "-5"),
                               "--trials": ("0", "-5"), "--minutes": ("0", "-5", "nan", "abc"),
                               "--window": ("0", "-5", "nan", "1000"), "--accuracy": ("0.5", "1", "-5", "nan"),
                               "--accuracy-spread": ("-5", "nan"), "--autocorrelation": ("1", "-5", "nan"),
                               "--switch-every": ("abc", "-5", "0", "5-3"), "--artefacts": ("-5", "1", "nan"),
                               "--artefact-length": ("0", "-5", "nan"), "--seed": ("-5", "abc"),
                               "--digits": ("0", "18")}.items():
            for value in values:
                said = self.refused(2, "simulate", "scores", "-o", "c", option, value)
                word = option.strip("-").split("-")[0]
                self.assertIn(word if word in said else {"minutes": "trial", "artefacts": "artefact"}[word], said)

    def test_options_that_exclude_each_other(self):
        self.write("m.json", "{}")
        self.write("a.tsv", "1\t0\n0\t1\n")
        for words in (("--mu-attended", "1"), ("--sigma", "1", "--mu-attended", "0"),
                      (*BY_HAND, "--model", "m.json"), (*BY_HAND, "--fit", "labels"), (*BY_HAND, "--fit-from", "s.tsv"),
                      ("--model", "m.json", "--emission", "gaussian"), (*BY_HAND, "--emission", "softmax"),
                      ("--emission", "softmax", "--fit", "labels"), ("--class-priors", "0.5,0.5"),
                      (*BY_HAND, "--spread", "separate"), ("-p", "0.1", "--transition", "a.tsv"),
                      ("--emission", "softmax", "--class-priors", "0.5,0.6"), (*BY_HAND, "--initial", "0.5,0.6"),
                      (*BY_HAND, "--initial", "1"), (*BY_HAND[:-1], "0"), (*BY_HAND[:-1], "-5"), (*BY_HAND[:-1], "nan")):
            self.refused(2, "track", "s.tsv", *words)

    def test_option_given_twice(self):
        self.refused(2, *self.given, "--method", "raw", "--method", "smooth", says="--method")


if __name__ == "__main__":
    unittest.main()
