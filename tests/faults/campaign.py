# SPDX-License-Identifier: MIT
"""Every call of every verb goes wrong, one after the other: hours.

    campaign.py DONE [--most N] [--only NAME]    DONE keeps what was tried, so that the next call goes on from there;
                                                 removed, it begins again. At most N places of each kind of call are
                                                 tried; without N all of them, and of allocations the first 2,000 and
                                                 500 of the others. NAME is part of the name of commands.
"""
import argparse
import collections
import pathlib
import subprocess
import sys

from commands import COMMANDS, make_base
from faulty_runs import ERRORS, Fault, FaultyRuns, Wrong, faults_of, spread

# Ten verbs for allocations: of each layer one. Not those that draw PNG or PDF: fontconfig and cairo end the process.
ALLOCATING = ("simulate-scores", "track", "compare", "convert-cnd", "preprocess", "train", "score", "study-run", "reproduce",
              "live")
FIRST, SPREAD = 2000, 500


def allocation_faults(total, most):
    places = [*range(1, min(FIRST, total) + 1), *(FIRST + k for k in spread(max(0, total - FIRST), SPREAD))]
    return [Fault("allocation", "ENOMEM", at) for at in (spread(total, most) if most else places)]


def parts(runs, most, only):
    """(name, command, faults): what is finished together. Allocations come last, as there are most of them."""
    for kind in ERRORS:
        for command in (command for command in COMMANDS if only in command.name):
            count = runs.counts(command)[kind]
            if kind == "allocation":
                faults = allocation_faults(count, most) if command.name in ALLOCATING else []
            else:
                faults = list(faults_of(kind, count, most or count))
            if faults:
                yield f"{command.name} {kind}", command, faults


def try_all(runs, command, faults):
    """How often it ended how, and what was wrong."""
    codes, wrong = collections.Counter(), []
    for fault in faults:
        try:
            codes[runs.check(command, fault)] += 1
        except (Wrong, subprocess.TimeoutExpired) as found:
            wrong.append(str(found))
    return codes, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("done", type=pathlib.Path)
    parser.add_argument("--most", type=int, default=0)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    done = set(arguments.done.read_text().splitlines()) if arguments.done.exists() else set()
    runs = FaultyRuns(make_base)
    found = 0
    for name, command, faults in parts(runs, arguments.most, arguments.only):
        tried = f"{name}: {len(faults)} faults"  # more places are another part
        if tried in done:
            continue
        codes, wrong = try_all(runs, command, faults)
        print(f"{tried}, exit codes {dict(sorted(codes.items()))}", flush=True)
        for text in wrong:
            print(f"WRONG: {text}\n", flush=True)
        found += len(wrong)
        if not wrong:
            with arguments.done.open("a") as file:
                file.write(tried + "\n")
    runs.close()
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
