#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program as it is used: how long it takes to start, to score a cohort with and without its cache, and to reproduce the
paper; run by `./dev bench program`.

  program_bench.py HEED FOLDER            FOLDER holds the cohort, made at first use
  program_bench.py HEED FOLDER --paper    the whole paper instead, as `heed reproduce -o FOLDER/paper`
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

START_GOAL_MS = 5
QUICK_GOAL_S = 45
PAPER_GOAL_S, PAPER_GOAL_MB = 100, 700


class Run:
    """One run of a command: seconds that passed, seconds of the processor, most megabytes in memory."""

    def __init__(self, *command):
        begin = time.perf_counter()
        with subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            message = process.stderr.read().decode()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))} failed:\n{message}")
        self.wall = time.perf_counter() - begin
        self.processor = used.ru_utime + used.ru_stime
        self.megabytes = used.ru_maxrss / 1024


def row(name, run, remark=""):
    print(f"  {name:44} {run.processor * 1e3:9.1f} ms of the processor {run.wall * 1e3:9.1f} ms in all  {remark}", flush=True)


def fastest(times, *command):
    return min((Run(*command) for _ in range(times)), key=lambda run: run.processor)


def measure_start(heed):
    run = fastest(21, heed, "--version")
    row("heed --version", run, f"goal: {START_GOAL_MS} ms")
    row("true, a program that does nothing", fastest(21, "true"))


def cohort(heed, folder):
    """Three simulated listeners of 64 channels, two trials of four minutes each."""
    made = folder / "cohort"
    if not made.exists():
        unfinished = folder / "cohort.part"
        Run(heed, "simulate", "recording", "--participants", 3, "--trials", 2, "--minutes", 4, "--force", "-o", unfinished)
        unfinished.rename(made)
    return made


def measure_scores(heed, folder):
    score = [heed, "score", cohort(heed, folder), "--recipe", "heed", "--threads", 1]
    with tempfile.TemporaryDirectory(dir=folder) as kept:
        cache = ["--cache", f"{kept}/cache"]
        without = Run(*score, *cache, "-o", f"{kept}/first")
        cached = fastest(3, *score, *cache, "-o", f"{kept}/again")
        row("heed score, nothing in the cache", without)
        row("heed score, prepared signals in the cache", cached, f"{without.processor / cached.processor:.1f} x")


def measure_reproduction(heed, folder, options, goal):
    target = folder / "paper"
    shutil.rmtree(target, ignore_errors=True)
    run = Run(heed, "reproduce", *options, "--no-cache", "-o", target)
    row(" ".join(["heed reproduce", *options]), run, f"{run.megabytes:.0f} MB; goal: {goal}")


def main():
    heed, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if "--paper" in sys.argv:
        measure_reproduction(heed, folder, [], f"{PAPER_GOAL_S} s in all, {PAPER_GOAL_MB} MB")
        return
    measure_start(heed)
    measure_scores(heed, folder)
    measure_reproduction(heed, folder, ["--quick"], f"{QUICK_GOAL_S} s in all")


if __name__ == "__main__":
    main()
