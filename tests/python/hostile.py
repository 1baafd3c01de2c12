# SPDX-License-Identifier: MIT
"""Every argument of a callable replaced by things it was never meant for; run by test_hostile.py, one callable a process.

    python3 hostile.py NAME        a line a call, "argument | thing | outcome", flushed before and after it
"""
import os
import resource
import sys
import tempfile
import warnings

import numpy as np
import pandas as pd

import heed

ROOM = 6 << 30  # bytes of address space: whoever asks for more gets a MemoryError, and the machine stays alive

values = np.random.default_rng(0).normal(size=(60, 2))
scores = np.tanh(0.3 * values)
attended = np.repeat([0, 1], 30)
emission = heed.GaussianEmission(0.124, 0.037, 0.303)
posteriors = heed.smooth(scores, 0.01, emission=emission)
folder = tempfile.mkdtemp()


def trial(name=""):
    return heed.ScoredTrial(scores, attended, name=name)


def participants():
    return [heed.Participant(name, [trial("a"), trial("b")]) for name in ("01", "02", "03")]


def estimator(**parameters):
    """The class itself keeps what it is given, as scikit-learn wants it: parameters are looked at by fit."""
    return heed.AttentionHMM(**parameters).fit(scores, attended)


def stepped(x):
    return heed.AttentionHMM(0.01, emission=emission).fit(scores).step(x)


TRACKER = {"values": values, "switch_probability": 0.01, "emission": None, "transition": None, "initial": None, "window": 1.0,
           "lengths": None}
SMALL = {"participants": 1, "trials": 1, "minutes": 1.0}

# name: the call, and arguments that are fine
CALLS = {
    "filter": (heed.filter, TRACKER),
    "smooth": (heed.smooth, TRACKER | {"return_log_evidence": True}),
    "viterbi": (heed.viterbi, TRACKER),
    "fixed_lag": (heed.fixed_lag, TRACKER | {"lag": 2.0}),
    "GaussianEmission": (heed.GaussianEmission, {"mu_attended": 0.1, "mu_unattended": 0.0, "sigma": 0.3,
                                                 "sigma_unattended": None, "correlation": None, "fisher": True}),
    "SoftmaxEmission": (heed.SoftmaxEmission, {"class_priors": None}),
    "HardDecisionEmission": (heed.HardDecisionEmission, {"accuracy": 0.6}),
    "Model": (heed.Model, {"emission": emission, "window": 1.0, "temperature": 1.0, "origin": "x"}),
    "Model.load": (heed.Model.load, {"path": "/nowhere"}),
    "Model.from_json": (heed.Model.from_json, {"text": "{}"}),
    "ScoredTrial": (heed.ScoredTrial, {"scores": scores, "attended": attended, "name": "a", "onset": 0.0, "window": 1.0}),
    "Participant": (heed.Participant, {"id": "01", "trials": [trial()], "speakers": ["a", "b"], "score_type": "correlation",
                                       "features": None}),
    "read_scores": (heed.read_scores, {"paths": "/nowhere", "states": None, "probabilities": False}),
    "write_scores": (heed.write_scores, {"path": folder + "/sub-01_scores.tsv", "participant": participants()[0], "digits": 6}),
    "evaluate": (heed.evaluate, {"posteriors": posteriors, "attended": attended, "decisions": None, "window": 1.0,
                                 "lengths": None, "look_ahead": 0.0, "speakers": None, "id": ""}),
    "decide": (heed.decide, {"posteriors": posteriors, "lengths": None}),
    "compare": (heed.compare, {"scores": participants(), "switch_probability": 0.01, "emission": None, "transition": None,
                               "initial": None, "methods": ["causal"]}),
    "mesd": (heed.mesd, {"windows": [1.0, 5.0, 10.0], "accuracies": [0.6, 0.7, 0.8]}),
    "simulate_scores": (heed.simulate_scores, SMALL | {
        "speakers": 2, "window": 1.0, "accuracy": 0.6, "accuracy_spread": 0.03, "autocorrelation": 0.0, "switch_every": 30,
        "artefacts": 0.0, "artefact_length": 3.0, "seed": 1}),
    "simulate_recording": (heed.simulate_recording, SMALL | {
        "channels": ["Fz", "Cz", "T7"], "speakers": 2, "switch_every": None, "seed": 1, "rate": 64.0, "signal": 1.0,
        "noise": 1.0, "blinks": 0.0, "dropouts": 0.0, "dropout_length": 3.0, "line_noise": 0.0, "sound_rate": 8000.0}),
    "AttentionHMM": (estimator, {"switch_probability": 0.01, "emission": emission, "method": "smooth", "lag": 5.0,
                                 "window": 1.0, "transition": None, "initial": None}),
    "AttentionHMM.fit": (lambda **data: heed.AttentionHMM(0.01).fit(**data), {"X": scores, "y": attended, "lengths": None,
                                                                              "groups": None}),
    "AttentionHMM.step": (stepped, {"x": [0.1, 0.2]}),
}

THINGS = {
    "None": None, "True": True, "zero": 0, "-1": -1, "a huge integer": 2**63, "an endless integer": 10**400, "1e308": 1e308,
    "NaN": np.nan, "inf": np.inf, "complex": 1j, "no text": "", "text": "abc", "NUL": "a\0b", "surrogate": "\udcff",
    "bytes": b"\xff", "an empty list": [], "an empty table": [[]], "ragged": [[1, 2], [3]], "a dict": {}, "a set": {1, 2},
    "an object": object(), "a class": int, "a function": len, "Ellipsis": ..., "a generator": (k for k in range(3)),
    "a scalar array": np.array(1.0), "an empty array": np.zeros(0), "no rows": np.zeros((0, 2)), "no columns": np.zeros((60, 0)),
    "a wrong table": np.zeros((3, 5)), "four dimensions": np.zeros((2, 2, 2, 2)), "texts": np.array([["a", "b"]]),
    "dates": np.zeros((60, 2), "M8[s]"), "objects": np.array([[{}, None]], dtype=object), "all NaN": np.full((60, 2), np.nan),
    "masked": np.ma.masked_all((60, 2)), "a frame": pd.DataFrame({"a": ["x"], "b": [pd.NA]}), "a series": pd.Series([1, 2]),
    "broadcast": np.broadcast_to(np.zeros(2), (2**40, 2)), "a huge label": np.full(60, 2_000_000_000),
    "an emission": emission, "a model": heed.Model(emission), "a trial": trial(), "a participant": participants()[0],
    "itself": sys.modules[__name__],
}


def outcome(call, arguments):
    try:
        call(**arguments)
    except Exception as raised:  # noqa: BLE001 whatever it is, it is told
        return f"{type(raised).__name__}: {str(raised).splitlines()[0][:150] if str(raised) else ''}"
    return "fine"


def main(name):
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):  # which keeps books of terabytes
        resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    warnings.simplefilter("ignore")
    call, fine = CALLS[name]
    for argument in fine:
        for thing, value in THINGS.items():
            print(f"{argument} | {thing} | ", end="", flush=True)
            print(outcome(call, fine | {argument: value}), flush=True)
    print("end", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
