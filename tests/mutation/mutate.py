# SPDX-License-Identifier: MIT
"""Breaks lines of core and of hmm's plain forms, one at a time, and counts what the tests notice.

    mutate.py DONE [--most N]    DONE keeps a line for each mutant that was tried, so that the next call goes on from
                                 there; removed, it begins again. N mutants, spread evenly; without it, all there are.

A mutant that does not compile is none. It is noticed where a test fails, crashes or takes too long. Those that nothing
notices are printed, but for those that survivors.txt explains: they change nothing that can be observed.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
CORE = sorted((ROOT / "include/heed/core").glob("*.h"))
# The plain forms: what is left of hmm without its kernels.
PLAIN = [ROOT / "src/hmm" / f"{name}.cpp" for name in
         ("passes", "filter", "smooth", "viterbi", "best_moves", "expectation", "baum_welch", "chain", "fixed_lag", "sample")]
COMPILER = ["c++", "-std=c++20", "-O0", "-w", "-ffp-contract=off", "-DEIGEN_MAX_ALIGN_BYTES=64", "-DHEED_X86_KERNELS"]
INCLUDED = ["include", "src", "tests"]
COMMON = ("gtest/gtest.h", "rapidcheck/gtest.h", "algorithm", "array", "cmath", "deque", "limits", "random", "string", "vector")
PATIENCE = 600  # seconds for a compiler or a test, on a machine that is busy

# What is written for what: each place in a line is one mutant.
CHANGES = ((r"(?<= )\+(?= )", "-"), (r"(?<= )-(?= )", "+"), (r"(?<= )\*(?= )", "/"), (r"(?<= )/(?= )", "*"), (r"(?<= )<(?= )", "<="),
           (r"(?<= )<=(?= )", "<"), (r"(?<= )>(?= )", ">="), (r"(?<= )>=(?= )", ">"), (r"==", "!="), (r"!=", "=="), (r"&&", "||"),
           (r"\|\|", "&&"), (r"\+=", "-="), (r"-=", "+="), (r"\*=", "/="), (r"/=", "*="), (r"\+\+", "--"),
           (r"(?<![\w.])1(?![\w.])", "2"), (r"(?<![\w.])0(?![\w.])", "1"), (r"(?<![\w.])2(?![\w.])", "3"), (r"\btrue\b", "false"),
           (r"\bfalse\b", "true"), (r"std::max\b", "std::min"), (r"std::min\b", "std::max"), (r"!(?=[\w(])", ""))
# A statement that is left out.
STATEMENT = re.compile(r"^\s+[\w.\[\]()>-]+(?: [-+*/]?= |\().*;$")
# Nothing of the program: comments, preprocessor, what is checked when it is compiled or says what a type is like.
PASSED_OVER = re.compile(r"^\s*(//|#|template|static_assert|using|namespace|requires|concept|class|struct|public:|private:)|operator")


def mutants(path):
    """(line number, text of the line, broken text)."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code, comment, rest = line.partition("//")
        if PASSED_OVER.match(line) or not code.strip():
            continue
        for pattern, other in CHANGES:
            for found in re.finditer(pattern, code):
                yield number, line, code[:found.start()] + other + code[found.end():] + comment + rest
        if STATEMENT.match(code.rstrip()) and "return" not in code:
            yield number, line, ";" + comment + rest


def key(path, number, broken):
    return f"{path.relative_to(ROOT)}:{number}: {' '.join(broken.split())}"


def spread(items, most):
    """So many of them, as evenly as possible."""
    return items if not most or len(items) <= most else [items[k * len(items) // most] for k in range(most)]


def run(*command, **more):
    try:
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=PATIENCE, check=False,
                              cwd=ROOT, **more)
    except subprocess.TimeoutExpired:
        return None


class Workshop:
    """Compiles tests against a broken file, which lies before the true one, and runs them."""

    def __init__(self, build):
        self._scratch = tempfile.TemporaryDirectory(prefix="heed-mutation-")
        self.folder = pathlib.Path(self._scratch.name)
        self.build = build
        self.tests = sorted((ROOT / "tests/unit/core").glob("*_test.cpp")) + sorted((ROOT / "tests/unit/hmm").glob("*_test.cpp"))
        self._objects, self._included = {}, {}
        self._common = self.folder / "common.h"  # read once: it takes most of the time of a small test
        self._common.write_text("".join(f"#include <{name}>\n" for name in COMMON))
        run(*COMPILER, *self._includes(), "-x", "c++-header", self._common, "-o", f"{self._common}.gch")

    def noticed(self, path, text):
        """True or False; None: it does not compile."""
        changed = path.parent.name == "hmm"
        if changed:
            return self._noticed_by([self._object(test) for test in self._tests_of(path)], [self._broken_source(path, text)])
        header = self.folder / "include" / path.relative_to(ROOT / "include")
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text(text)
        try:
            for test in self._tests_of(path):
                verdict = self._noticed_by([self._compiled(test, self.folder / "include")], [])
                if verdict is not False:
                    return verdict
            return False
        finally:
            shutil.rmtree(self.folder / "include")

    def _tests_of(self, path):
        """Its own tests first; of headers, of core alone, all that read it."""
        if path.parent.name == "hmm":
            return [test for test in self.tests if test.parent.name == "hmm"]
        own = [test for test in self.tests if test.stem == path.stem + "_test"]
        others = [test for test in self.tests if test.parent.name == "core" and test not in own and path in self._reads(test)]
        return own + others

    def _reads(self, test):
        if test not in self._included:
            made = run(*COMPILER, *self._includes(), "-MM", test)
            self._included[test] = {(ROOT / word).resolve() for word in made.stdout.replace("\\", " ").split()[1:]}
        return self._included[test]

    def _includes(self, *first):
        eigen = ["-isystem", "/usr/include/eigen3", "-I", self.build / "generated"]
        return [word for folder in (*first, *(ROOT / name for name in INCLUDED)) for word in ("-I", folder)] + eigen

    def _compiled(self, source, *first):
        """An object, or None."""
        target = self.folder / (source.stem + ".o")
        made = run(*COMPILER, "-include", self._common, *self._includes(*first), "-c", source, "-o", target)
        return target if made is not None and made.returncode == 0 else None

    def _object(self, source):
        if source not in self._objects:
            kept = self.folder / ("kept_" + source.stem + ".o")
            made = self._compiled(source)
            if made is None:
                sys.exit(f"{source} does not compile as it is")
            self._objects[source] = made.rename(kept)
        return self._objects[source]

    def _broken_source(self, path, text):
        broken = self.folder / path.name
        broken.write_text(text)
        return self._compiled(broken, path.parent)

    def _noticed_by(self, tests, sources):
        if None in (*tests, *sources):
            return None
        plain = [self._object(path) for path in sorted((ROOT / "src/hmm").glob("*.cpp"))
                 if sources and path.stem + ".o" != pathlib.Path(sources[0]).name]
        support = [self._object(path) for path in (ROOT / "tests/support/allocation_counter.cpp", ROOT / "tests/support/hmm_oracle.cpp",
                                                   ROOT / "tests/unit/core/exponential_lanes.cpp")]
        program = self.folder / "tests"
        # What was compiled here comes first, and is taken.
        made = run("c++", *tests, *sources, *plain, *support, "-Wl,--allow-multiple-definition", "-o", program,
                   *(self.build / f"libheed_{layer}.a" for layer in ("hmm", "core", "data")), "-lgtest", "-lgtest_main",
                   "-lrapidcheck", "-lpthread")
        if made is None or made.returncode != 0:
            return None
        ended = run(program, "--gtest_fail_fast", "--gtest_brief=1", env={**os.environ, "RC_PARAMS": "seed=1"})
        return ended is None or ended.returncode != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("done", type=pathlib.Path)
    parser.add_argument("--most", type=int, default=0)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="where the libraries are")
    parser.add_argument("--only", default="", help="files whose path holds this")
    arguments = parser.parse_args()
    explained = {line for line in (HERE / "survivors.txt").read_text().splitlines() if line and not line.startswith(("#", " "))}
    every = [(path, *mutant) for path in CORE + PLAIN if arguments.only in str(path) for mutant in mutants(path)]
    done = dict(line.rsplit("\t", 1) for line in arguments.done.read_text().splitlines()) if arguments.done.exists() else {}
    workshop = Workshop(arguments.build.resolve())
    counts = {"noticed": 0, "survived": 0, "explained": 0, "no program": 0}
    for path, number, _, broken in spread(every, arguments.most):
        name = key(path, number, broken)
        if name not in done:
            lines = path.read_text().splitlines()
            lines[number - 1] = broken
            verdict = workshop.noticed(path, "\n".join(lines) + "\n")
            done[name] = {None: "no program", True: "noticed", False: "survived"}[verdict]
            with arguments.done.open("a") as file:
                file.write(f"{name}\t{done[name]}\n")
        outcome = "explained" if done[name] == "survived" and name in explained else done[name]
        counts[outcome] += 1
        if outcome == "survived":
            print(f"survived  {name}", flush=True)
    tried = counts["noticed"] + counts["survived"]
    print(f"{counts['noticed']} of {tried} mutants noticed; {counts['explained']} more change nothing that can be observed, "
          f"{counts['no program']} do not compile")
    return 0 if counts["noticed"] >= 0.95 * tried else 1


if __name__ == "__main__":
    sys.exit(main())
