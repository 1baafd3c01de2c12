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

SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")  # which ends the process where C++ throws std::bad_alloc
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


eeg = np.random.default_rng(1).normal(size=(1280, 3))
speech = np.random.default_rng(2).normal(size=(1280, 2))


def listener():
    return heed.Listener("01", [heed.Trial(eeg, speech, 0, name=name) for name in "abc"])


def decoder(kind, **parameters):
    """Parameters are looked at by fit."""
    return kind(**parameters).fit(eeg, speech[:, 0])


def window_scores(**data):
    return heed.LSDecoder().fit(eeg, speech[:, 0]).window_scores(**data)


TRACKER = {"values": values, "switch_probability": 0.01, "emission": None, "transition": None, "initial": None, "window": 1.0,
           "lengths": None}
SMALL = {"participants": 1, "trials": 1, "minutes": 1.0}

# name: the call, and arguments that are fine
CALLS = {
    "filter": (heed.filter, TRACKER),
    "smooth": (heed.smooth, TRACKER | {"return_log_evidence": True}),
    "viterbi": (heed.viterbi, TRACKER),
    "fixed_lag": (heed.fixed_lag, TRACKER | {"lag": 2.0}),
    "adapted_log_likelihoods": (heed.adapted_log_likelihoods, TRACKER | {"values": scores, "emission": emission}),
    "path_probability": (heed.path_probability, TRACKER | {"path": attended}),
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
    "envelope": (heed.envelope, {"sound": speech[:, 0], "sampling_frequency": 8000.0, "rate": 64.0}),
    "preprocess": (heed.preprocess, {
        "signal": eeg, "sampling_frequency": 128.0, "kind": "eeg", "band": (1.0, 9.0), "rate": 64.0, "filters": "zero-phase",
        "reference": "average", "channels": None, "bad": None, "bad_channels": "exclude", "clip": 0.0}),
    "read_raw": (heed.read_raw, {"path": "/nowhere.bdf", "channels": None, "start": None, "stop": None}),
    "read_bids": (heed.read_bids, {"folder": "/nowhere", "participants": None, "runs": None, "channels": None, "rate": 64.0,
                                   "cache": False}),
    "Trial": (heed.Trial, {"eeg": eeg, "stimuli": speech, "attended": 0, "sampling_frequency": 64.0, "channels": None,
                           "speakers": None, "name": "a", "onset": 0.0}),
    "Listener": (heed.Listener, {"id": "01", "trials": [heed.Trial(eeg, speech, 0)], "preprocessing": None}),
    "cross_validate": (heed.cross_validate, {"listener": listener(), "decoder": "ls", "windows": 1.0}),
    "LSDecoder": (lambda **parameters: decoder(heed.LSDecoder, **parameters), {
        "sampling_frequency": 64.0, "longest_lag": 0.25, "regularisation": "ridge", "ridge": 0.1}),
    "LSDecoder.fit": (lambda **data: heed.LSDecoder().fit(**data), {"X": eeg, "y": speech[:, 0], "lengths": None}),
    "LSDecoder.window_scores": (window_scores, {"X": eeg, "stimuli": speech, "window": 1.0, "lengths": None}),
    "AdaptiveDecoder": (lambda **parameters: heed.AdaptiveDecoder(**parameters).partial_fit(eeg, speech), {
        "population": None, "sampling_frequency": 64.0, "window": 1.0, "longest_lag": 0.25, "ridge": 0.3, "listener": "01", "preprocessing": None}),
    "AdaptiveDecoder.partial_fit": (lambda **data: heed.AdaptiveDecoder().partial_fit(**data), {"X": eeg, "y": speech, "lengths": None}),
    "AdaptiveDecoder.step": (lambda **data: heed.AdaptiveDecoder().step(**data), {"X": eeg, "y": speech}),
    "CCADecoder": (lambda **parameters: decoder(heed.CCADecoder, **parameters), {
        "pairs": 2, "sampling_frequency": 64.0, "longest_lag": 0.25, "ridge": 0.1, "window": 1.0}),
    "CCADecoder.fit": (lambda **data: heed.CCADecoder().fit(**data), {
        "X": eeg, "y": speech[:, 0], "others": speech[:, 1], "lengths": None}),
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


# scikit-learn looks at every row, and a million million of them take for ever.
ENDLESS = {("LSDecoder.fit", "X"), ("LSDecoder.window_scores", "X"), ("CCADecoder.fit", "X"),
           ("AdaptiveDecoder.partial_fit", "X"), ("AdaptiveDecoder.partial_fit", "y"), ("AdaptiveDecoder.step", "X"), ("AdaptiveDecoder.step", "y")}


def outcome(call, arguments):
    try:
        call(**arguments)
    except Exception as raised:  # noqa: BLE001 whatever it is, it is told
        return f"{type(raised).__name__}: {str(raised).splitlines()[0][:150] if str(raised) else ''}"
    return "fine"


def main(name):
    if not SANITIZED:  # whose books are of terabytes
        resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    warnings.simplefilter("ignore")
    call, fine = CALLS[name]
    for argument in fine:
        for thing, value in THINGS.items():
            if thing == "broadcast" and (SANITIZED or (name, argument) in ENDLESS):
                continue
            print(f"{argument} | {thing} | ", end="", flush=True)
            print(outcome(call, fine | {argument: value}), flush=True)
    print("end", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
