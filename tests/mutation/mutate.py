# SPDX-License-Identifier: MIT
"""Breaks lines of core and of hmm's plain forms, one at a time, and counts what the tests notice.

    mutate.py DONE [--most N]    DONE keeps a line for each mutant that was tried, so that the next call goes on from
                                 there; removed, it begins again. N mutants, spread evenly; without it, all there are.

A mutant that does not compile is none. It is noticed where a test fails, crashes or takes too long. Those that nothing
notices are printed, but for those that survivors.txt explains: they change nothing that can be observed. Before files
of a kind are broken, one of them has to pass as it is: otherwise everything would seem to be noticed.
"""
import argparse
import collections
import pathlib
import re
import sys

from workshop import ROOT, Workshop

HERE = pathlib.Path(__file__).resolve().parent
CORE = sorted((ROOT / "include/heed/core").glob("*.h")) + [
    ROOT / "src/core" / name for name in ("recursion.cpp", "bank_filter.cpp", "elementary.cpp", "exponential.h", "c_interface.cpp")]
# The plain forms: what is left of hmm without its kernels.
PLAIN = [ROOT / "src/hmm" / f"{name}.cpp" for name in
         ("passes", "filter", "smooth", "viterbi", "best_moves", "expectation", "baum_welch", "chain", "fixed_lag", "sample")]

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


def changes_of(path):
    """(line number, the line when it is broken)."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code, comment, rest = line.partition("//")
        if PASSED_OVER.match(line) or not code.strip():
            continue
        for pattern, other in CHANGES:
            for found in re.finditer(pattern, code):
                yield number, code[:found.start()] + other + code[found.end():] + comment + rest
        if STATEMENT.match(code.rstrip()) and "return" not in code:
            yield number, ";" + comment + rest


def mutants(path):
    """(name, line number, broken line). The name stays when lines above it come or go."""
    seen = collections.Counter()
    lines = path.read_text().splitlines()
    for number, broken in changes_of(path):
        what = f"{' '.join(lines[number - 1].split())}  ->  {' '.join(broken.split())}"
        seen[what] += 1
        again = f"  ({seen[what]})" if seen[what] > 1 else ""
        yield f"{path.relative_to(ROOT)}: {what}{again}", number, broken


def spread(items, most):
    """So many of them, as evenly as possible."""
    return items if not most or len(items) <= most else [items[k * len(items) // most] for k in range(most)]


def explained_survivors(known):
    """Names in survivors.txt; it is an error to explain what there is no more."""
    names = {line for line in (HERE / "survivors.txt").read_text().splitlines() if line and not line.startswith(("#", " "))}
    if names - known:
        sys.exit("survivors.txt explains mutants that do not exist:\n" + "\n".join(sorted(names - known)))
    return names


def verdict_of(workshop, path, number, broken):
    lines = path.read_text().splitlines()
    lines[number - 1] = broken
    return {None: "no program", True: "noticed", False: "survived"}[workshop.noticed(path, "\n".join(lines) + "\n")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("done", type=pathlib.Path)
    parser.add_argument("--most", type=int, default=0)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="where the tests have been built")
    parser.add_argument("--only", default="", help="files whose path holds this")
    arguments = parser.parse_args()
    every = [(path, *mutant) for path in CORE + PLAIN for mutant in mutants(path)]
    explained = explained_survivors({name for _, name, _, _ in every})
    every = [mutant for mutant in every if arguments.only in str(mutant[0])]
    done = dict(line.rsplit("\t", 1) for line in arguments.done.read_text().splitlines()) if arguments.done.exists() else {}
    counts, sound = collections.Counter(), set()
    with Workshop(arguments.build.resolve()) as workshop:
        for path, name, number, broken in spread(every, arguments.most):
            if name not in done:
                kind = path.parent, path.suffix  # built alike
                if kind not in sound and workshop.noticed(path, path.read_text()) is not False:
                    sys.exit(f"{path}: the tests do not pass as it is")
                sound.add(kind)
                done[name] = verdict_of(workshop, path, number, broken)
                with arguments.done.open("a") as file:
                    file.write(f"{name}\t{done[name]}\n")
            outcome = "explained" if done[name] == "survived" and name in explained else done[name]
            counts[outcome] += 1
            if outcome == "survived":
                print(f"survived, line {number}:  {name}", flush=True)
    tried = counts["noticed"] + counts["survived"]
    print(f"{counts['noticed']} of {tried} mutants noticed; {counts['explained']} more change nothing that can be observed, "
          f"{counts['no program']} do not compile")
    return 0 if counts["noticed"] >= 0.95 * tried else 1


if __name__ == "__main__":
    sys.exit(main())
