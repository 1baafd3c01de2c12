#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the instructions of heed's kernels with callgrind and compares them with instructions.tsv.

A count does not depend on how busy the machine is, so it guards against regressions where a time cannot.
Callgrind knows no AVX-512: the AVX2 kernels are counted, on any machine.

  check_instructions.py BINARY            compare; exit 1 if a task needs over 3 % more than recorded
  check_instructions.py BINARY --update   record the counts of this build
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

RECORD = pathlib.Path(__file__).with_name("instructions.tsv")
ALLOWED = 1.03
# What one task goes through: 600 windows unless said.
WINDOWS = {"state-space-8": 8 * 600} | dict.fromkeys(["batch", "batch-3", "batch-filter", "batch-filter-3"], 16 * 600)
SAMPLES = {"envelope": 44100, "prepare-eeg": 8 * 1024} | dict.fromkeys(
    ["band-pass", "bdf", "filters-over-lags-1", "filters-over-lags-10", "least-squares", "scores"], 1024)
FITS = dict.fromkeys(["cca-solved", "least-squares-solved"], 1)

# The same kernels of OpenBLAS on any machine, on one thread.
ONE_OPENBLAS = {"OPENBLAS_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Haswell"}


def instructions(binary, task, times):
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", binary, task, str(times)]
        result = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | ONE_OPENBLAS)
    found = re.search(r"Collected : (\d+)", result.stderr)
    if result.returncode != 0 or not found:
        sys.exit(f"callgrind failed on '{task}':\n{result.stderr}")
    return int(found.group(1))


def per_item(binary, task):
    """Per window, per sample of signals, or per fit of a decoder."""
    few, many = 2, 12
    difference = instructions(binary, task, many) - instructions(binary, task, few)
    return difference / (many - few) / (WINDOWS | SAMPLES | FITS).get(task, 600)


def read_record():
    rows = [line.split("\t") for line in RECORD.read_text().splitlines()[1:]]
    return {task: float(count) for task, count in rows}


def main():
    binary = sys.argv[1]
    tasks = subprocess.run([binary], capture_output=True, text=True, check=True).stdout.split()
    counts = {task: per_item(binary, task) for task in tasks}
    if "--update" in sys.argv:
        rows = "".join(f"{task}\t{count:.2f}\n" for task, count in counts.items())
        RECORD.write_text("task\tinstructions_per_item\n" + rows)
        print(f"recorded in {RECORD.name}")
        return 0
    record = read_record()
    gone = sorted(set(record) - set(counts))
    worse = [f"{task} is recorded, but no task of the program" for task in gone]
    for task, count in counts.items():
        known = record.get(task)
        verdict = "NOT RECORDED" if known is None else "ok" if count <= known * ALLOWED else "MORE THAN RECORDED"
        if verdict != "ok":
            worse.append(f"{task}: {verdict.lower()}")
        item = "sample" if task in SAMPLES else "fit" if task in FITS else "window"
        shown = "-" if known is None else f"{known:.2f}"
        print(f"{task:20} {count:11.2f} instructions per {item}, recorded {shown:>11}  {verdict}", flush=True)
    if worse:
        print("\n".join(worse) + "\nIf this is meant, record it: ./dev bench --check --update")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
