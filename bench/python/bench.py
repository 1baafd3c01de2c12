# SPDX-License-Identifier: MIT
"""Python beside C++ and beside what one would write without heed; run by `./dev bench python`.

Everything is measured in turns, several rounds of it, in time of the processor, and the best of each is taken: times on a
busy machine are noisy, ratios of one run less so.
"""
import json
import subprocess
import sys
import time

import numpy as np
import rivals

import heed

ROUNDS = 5
WINDOWS, SEQUENCES = 600, 10_000
P = 0.001
TRACKERS = {"filter": heed.filter, "smooth": heed.smooth, "viterbi": heed.viterbi, "fixed_lag": heed.fixed_lag}


def seconds(call, repeats=1, rounds=1):
    """Of the processor, a call; the best of some rounds."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(repeats):
            call()
        taken.append((time.process_time() - start) / repeats)
    return min(taken)


def cpp_times(program):
    """Seconds a call, by name, of Google Benchmark's."""
    done = subprocess.run([program, "--benchmark_format=json", "--benchmark_min_time=0.005", "--benchmark_repetitions=10"],
                          capture_output=True, text=True, check=True)
    unit = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}
    runs = [run for run in json.loads(done.stdout)["benchmarks"] if run["run_type"] == "iteration"]
    return best([{run["name"].split("/")[0]: run["cpu_time"] * unit[run["time_unit"]]} for run in runs])


def best(rounds):
    names = {name: None for one in rounds for name in one}
    return {name: min(one[name] for one in rounds if name in one) for name in names}


def calls(program):
    """What a call costs over the C++ call."""
    values = np.random.default_rng(0).normal(size=(WINDOWS, 2))
    block = np.random.default_rng(1).normal(size=(SEQUENCES, WINDOWS, 2))
    python, cpp = [], []
    for _ in range(ROUNDS):
        cpp.append(cpp_times(program))
        python.append({name: seconds(lambda tracker=tracker: tracker(values, P), repeats=50, rounds=20)
                       for name, tracker in TRACKERS.items()} | {"smooth_batch": seconds(lambda: heed.smooth(block, P), rounds=3)})
    python, cpp = best(python), best(cpp)
    print(f"\n{WINDOWS} windows, 2 speakers, microseconds a call\n{'':12}{'Python':>10}{'C++':>10}{'over it':>10}   goal: 5 at most")
    for name in TRACKERS:
        print(f"{name:12}{python[name] * 1e6:10.1f}{cpp[name] * 1e6:10.1f}{(python[name] - cpp[name]) * 1e6:10.1f}")
    return block, python["smooth_batch"], cpp["smooth_batch"]


def steps():
    """A window live: AttentionHMM.step."""
    scores = np.tanh(np.random.default_rng(2).normal(scale=0.3, size=(1000, 2)))
    hmm = heed.AttentionHMM(P, emission=heed.GaussianEmission(0.124, 0.037, 0.303)).fit(scores)
    taken = seconds(lambda: [hmm.step(row) for row in scores], rounds=20) / len(scores)
    print(f"\nAttentionHMM.step, 2 speakers: {taken * 1e6:.2f} microseconds a window")


def batch(block, python, cpp):
    """Smoothing many sequences, beside the scaling recursion over all of them at once in numpy."""
    rival = rivals.ScalingRecursion(block, P)
    difference = np.abs(rival.smooth() - np.moveaxis(heed.smooth(block, P), 0, 1)).max()
    assert difference < 1e-9, difference
    theirs = seconds(rival.smooth, rounds=3)
    count = block.shape[0] * block.shape[1]
    print(f"\n{SEQUENCES:,} sequences of {WINDOWS} windows smoothed in one call, nanoseconds a window")
    for name, time_taken in (("Python", python), ("C++", cpp), ("scaling recursion, numpy", theirs)):
        print(f"{name:26}{time_taken / count * 1e9:8.2f}{time_taken / python:8.2f} x the time of heed from Python")


def cca():
    """A CCA from signals to fitted weights, beside scikit-learn's on the lagged matrices."""
    if not hasattr(heed, "CCADecoder"):
        print("\nCCA: heed.CCADecoder is not there")
        return
    rival = rivals.Cca(*rivals.signals())
    assert abs(rival.heed() - rival.sklearn()) < 0.01  # the same correlation
    ours = seconds(rival.heed, rounds=3)
    theirs = seconds(rival.sklearn)
    print(f"\nCCA of {rival.text}\nheed {ours * 1e3:.0f} ms, scikit-learn {theirs * 1e3:.0f} ms: {theirs / ours:.1f} x as fast")


if __name__ == "__main__":
    batch(*calls(sys.argv[1]))
    steps()
    cca()
