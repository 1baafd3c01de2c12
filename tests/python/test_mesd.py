# SPDX-License-Identifier: MIT
"""The minimal expected switch duration: the formulas as printed, in plain Python, and the program."""
import math
import warnings

import numpy as np
import pytest

import heed
from program import needs_program, run_json

CURVE = ([1, 5, 10, 30], [0.58, 0.68, 0.75, 0.86])


def chain(p, comfort=0.65, confidence=0.8, fewest=5):
    """States and the target state."""
    r, states = p / (1 - p), fewest
    while True:
        state = math.floor(math.log(confidence + (1 - confidence) * r**states) / math.log(r) + 1 + 1e-12)
        if (state - 1) / (states - 1) >= comfort - 1e-12:
            return states, math.ceil(comfort * (states - 1) + 1 - 1e-12)
        states += 1


def duration(p, window, **options):
    q, (_, target) = 1 - p, chain(p, **options)
    r = p / q
    weights = {i: r**-i for i in range(1, target)}
    hits = {i: (target - i) / (p - q) + p * (r**-target - r**-i) / (p - q) ** 2 for i in weights}
    return window * sum(weights[i] * hits[i] for i in weights) / sum(weights.values())


def best(windows, accuracies, **options):
    lengths = np.linspace(windows[0], windows[-1], 1000)
    shares = np.interp(lengths, windows, accuracies)
    return min((duration(p, window, **options), window, p) for window, p in zip(lengths, shares) if p > 0.5 + 1e-5)


@pytest.mark.parametrize("options", [{}, {"comfort": 0.8}, {"confidence": 0.9}])
def test_it_is_the_best_of_the_curve(options):
    result = heed.mesd(*CURVE, **options)
    expected = best(*CURVE, **options)
    assert [result[key] for key in ("mesd", "window", "accuracy")] == pytest.approx(expected, rel=1e-9)
    assert (result["states"], result["target"]) == chain(result["accuracy"], **options)


def test_more_states_are_slower():
    assert heed.mesd(*CURVE, fewest_states=30)["mesd"] > heed.mesd(*CURVE)["mesd"]


@pytest.fixture(scope="module")
def lengths():
    """One cohort in two window lengths, the second 4 s; those of each length have the same ids."""
    return [one for window, accuracy in ((1, 0.6), (4, 0.7))
            for one in heed.simulate_scores(participants=3, minutes=4, window=window, accuracy=accuracy, seed=5)]


def test_scores_give_the_curve(lengths):
    result = heed.mesd(lengths)
    first = result["participants"][0]
    assert [point["window"] for point in first["curve"]] == [1, 4]
    one = lengths[0]
    X, y, _, _ = heed.stack(one)
    known = y >= 0
    assert first["curve"][0]["accuracy"] == (X[known].argmax(axis=1) == y[known]).mean()
    curve = [(point["window"], point["pairwise_accuracy"]) for point in first["curve"]]
    assert heed.mesd(*zip(*curve))["mesd"] == first["mesd"]
    assert result["mesd"]["mean"] == pytest.approx(np.mean([one["mesd"] for one in result["participants"]]), rel=1e-12)
    assert heed.mesd(lengths[::-1])["participants"][2] == first  # in order of appearance, the shortest window first


@needs_program
def test_the_program_says_the_same(lengths, tmp_path):
    for one in lengths:
        heed.write_scores(tmp_path / f"sub-{one.id}_window-{one.window:g}s_scores.tsv", one, digits=17)
    program = run_json("mesd", tmp_path)
    assert heed.mesd(lengths) == program
    assert heed.mesd(tmp_path) == program


def test_who_guesses_has_none():
    random = np.random.default_rng(1)
    guesser = heed.Participant("guesser", [heed.ScoredTrial(-np.eye(2)[[0, 1] * 30], [0, 1] * 30)])
    good = heed.Participant("good", [heed.ScoredTrial(np.eye(2)[[0, 1] * 30] + random.normal(scale=0.5, size=(60, 2)),
                                                      [0, 1] * 30)])
    with pytest.warns(UserWarning, match="participant guesser: "):
        result = heed.mesd([good, guesser])
    assert result["participants"][1]["mesd"] is None and result["participants"][0]["mesd"] > 0
    with pytest.raises(heed.BadDataError, match="participant guesser"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        heed.mesd(guesser)


@pytest.mark.parametrize("call", [
    lambda: heed.mesd([1, 2], [0.6]),
    lambda: heed.mesd([], []),
    lambda: heed.mesd([2, 1], [0.6, 0.7]),
    lambda: heed.mesd([1, 2], [0.4, 0.5]),
    lambda: heed.mesd([1, 2], [0.6, 1.7]),
    lambda: heed.mesd([1, 2], [0.6, 0.7], comfort=2),
    lambda: heed.mesd([]),
    lambda: heed.mesd(heed.Participant("x", [heed.ScoredTrial(np.zeros((3, 2)))])),
    lambda: heed.mesd([heed.simulate_scores(participants=1)[0]] * 2),
])
def test_mistakes_are_told(call):
    with pytest.raises(ValueError) as raised:
        call()
    assert str(raised.value)


def test_numbers_without_accuracies_are_no_scores():
    with pytest.raises(TypeError, match="scores: expected participants"):
        heed.mesd([1, 2, 3])
