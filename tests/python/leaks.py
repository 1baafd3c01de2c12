# SPDX-License-Identifier: MIT
"""How much memory stays behind, a call: every operation of OPERATIONS many times, in a process of its own.

    python3 leaks.py        prints JSON: operation -> bytes a call; ENVIRONMENT belongs to it

Python's pools and malloc's short-cuts are switched off there, so that malloc's book-keeping sees every object.
"""
import contextlib
import copy
import ctypes
import gc
import json
import os
import pickle
import signal
import sys
import tempfile

import numpy as np

import heed

ENVIRONMENT = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0"}
CALLS = 400
libc = ctypes.CDLL(None)


class Mallinfo2(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
                ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def allocated():
    """Bytes handed out and not given back."""
    gc.collect()
    try:
        measure = libc.__sanitizer_get_current_allocated_bytes
    except AttributeError:
        libc.mallinfo2.restype = Mallinfo2
        info = libc.mallinfo2()
        return info.uordblks + info.hblkhd
    measure.restype = ctypes.c_size_t
    return measure()


def values():
    return np.zeros((600, 2))


def emission():
    return heed.GaussianEmission(0.124, 0.037, 0.303)


def participant():
    return heed.Participant("01", [heed.ScoredTrial(values()[:20], np.arange(20) // 10)])


def listener():
    signals = np.random.default_rng(0).normal(size=(3, 200, 4))
    return heed.Listener("01", [heed.Trial(part[:, :2], part[:, 2:], 0, name=name) for part, name in zip(signals, "abc")])


def score_file():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sub-01_scores.tsv")
        heed.write_scores(path, participant())
        heed.read_scores(path)


def refused(call, *arguments, **keywords):
    with contextlib.suppress(ValueError, TypeError, OSError):
        call(*arguments, **keywords)
        raise AssertionError("nothing was refused")


class Ring(Exception):
    pass


def interrupted(call, *arguments, **keywords):
    def ring(*_):
        raise Ring

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    with contextlib.suppress(Ring):
        call(*arguments, **keywords)
        raise AssertionError("nobody interrupted")


OPERATIONS = {
    "filter": lambda: heed.filter(values(), 0.01),
    "smooth": lambda: heed.smooth(values(), 0.01, return_log_evidence=True),
    "viterbi": lambda: heed.viterbi(values(), 0.01, return_log_probability=True),
    "fixed_lag": lambda: heed.fixed_lag(values(), 0.01, lag=2),
    "adapted_log_likelihoods": lambda: heed.adapted_log_likelihoods(values() / 9, emission(), 0.01, lengths=[300, 300]),
    "path_probability": lambda: heed.path_probability(values(), np.zeros(600, int), 0.01, lengths=[300, 300]),
    "an array that is copied": lambda: heed.smooth(np.asfortranarray(values()).astype(">f4"), 0.01),
    "a masked array": lambda: heed.smooth(np.ma.masked_array(values(), mask=False), 0.01),
    "a list": lambda: heed.smooth(values()[:20].tolist(), 0.01),
    "a block": lambda: heed.smooth(values().reshape(6, 100, 2), 0.01, emission=emission(), return_log_evidence=True),
    "lengths": lambda: heed.smooth(values(), 0.01, lengths=[300, 300], return_log_evidence=True),
    "a whole chain": lambda: heed.filter(values(), transition=np.eye(2), initial=[0.5, 0.5]),
    "emissions": lambda: [emission(), heed.SoftmaxEmission([0.5, 0.5]), heed.HardDecisionEmission(0.6)],
    "models": lambda: heed.Model.from_json(heed.Model(emission()).to_json()).emission,
    "a model's file": lambda: model_file(),
    "pickles and copies": lambda: [pickle.loads(pickle.dumps(emission())), copy.deepcopy(heed.Model(emission()))],
    "repr, hash, ==": lambda: (repr(emission()), hash(emission()), emission() == emission()),
    "trials and participants": lambda: participant().trials[0].scores,
    "score files": lambda: score_file(),
    "pickled participants": lambda: pickle.loads(pickle.dumps(participant(), 0)),
    "evaluate": lambda: heed.evaluate(heed.filter(values(), 0.01), np.arange(600) // 300),
    "simulated scores": lambda: heed.simulate_scores(participants=1, trials=1, minutes=1, switch_every=30),
    "steps": lambda: heed._native.AttentionStream(heed.Model(emission()), 2, lag=1).step([0.1, 0.2]),
    "listeners": lambda: listener().trials[0].eeg,
    "pickled listeners": lambda: pickle.loads(pickle.dumps(listener(), 2)),
    "cross-validation": lambda: heed.cross_validate(listener(), "ls"),
    "preparation": lambda: heed.preprocess(np.ones((300, 2)), 128.0),
    "envelopes": lambda: heed.envelope(np.ones(2000), 8000.0),
    "no recording": lambda: refused(heed.read_raw, "/nowhere/recording.bdf"),
    "no window": lambda: refused(heed._native.AttentionStream(heed.Model(emission()), 2).step, [0.1]),
    "no trial": lambda: refused(heed.ScoredTrial, values(), [0, 1]),
    "no numbers": lambda: refused(heed.smooth, [["a", "b"]], 0.01),
    "no array": lambda: refused(heed.smooth, [[1, 2], [3]], 0.01),
    "objects": lambda: refused(heed.smooth, [[{}, {}]], 0.01),
    "no probability": lambda: refused(heed.smooth, values(), "a"),
    "no chain": lambda: refused(heed.smooth, values(), 2),
    "wrong lengths": lambda: refused(heed.smooth, values(), 0.01, lengths=[1, 2]),
    "a bad score": lambda: refused(heed.smooth, values() + 2, 0.01, emission=emission()),
    "no file": lambda: refused(heed.Model.load, "/nowhere/model.json"),
    "no model": lambda: refused(heed.Model.from_json, "{}"),
    "no emission": lambda: refused(heed.GaussianEmission, 0, 0, -1),
}

# Slow ones, done fewer times.
INTERRUPTED = {
    "an interrupted call": lambda: interrupted(heed.fixed_lag, np.zeros((100_000, 2)), 0.01, lag=50_000),
    "an interrupted batch": lambda: interrupted(heed.fixed_lag, np.full((500, 600, 2), 0.1), 0.01, lag=600,
                                                emission=emission()),
}

# What the measure must find.
kept = []
PLANTED = {
    "a planted object": lambda: kept.append(object()),
    "a planted array": lambda: kept.append(heed.filter(np.zeros((2, 2)), 0.01)),
    "a planted malloc": lambda: libc.malloc(32),
    "a planted reference": lambda: ctypes.pythonapi.Py_IncRef(ctypes.py_object(emission())),
}


def model_file():
    with tempfile.TemporaryDirectory() as folder:
        heed.Model(emission()).save(os.path.join(folder, "model.json"))
        heed.Model.load(os.path.join(folder, "model.json"))


def left_behind(operation, calls):
    """Bytes a call, the smallest of a few rounds: caches fill once, leaks grow for ever."""
    for _ in range(calls):
        operation()
    smallest = float("inf")
    for _ in range(6):
        before = allocated()
        for _ in range(calls):
            operation()
        smallest = min(smallest, (allocated() - before) / calls)
        if smallest < 1:
            break
    return smallest


def main():
    grown = {name: left_behind(operation, CALLS) for name, operation in (OPERATIONS | PLANTED).items()}
    grown |= {name: left_behind(operation, 10) for name, operation in INTERRUPTED.items()}
    json.dump(grown, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
