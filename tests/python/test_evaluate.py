# SPDX-License-Identifier: MIT
"""heed.evaluate against the definitions, done by hand and in plain numpy, and against the program."""
import math

import numpy as np
import pytest

import heed
from program import needs_program, run, run_json

LATE = np.array([[0.9, 0.1], [0.8, 0.2], [0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.1, 0.9]])
ATTENDED = [0, 0, 0, 1, 1, 1]


def tracked(seed=3, speakers=2):
    cohort = heed.simulate_scores(participants=1, trials=3, minutes=4, switch_every=60, speakers=speakers,
                                  accuracy=0.6, seed=seed)
    X, y, lengths, _ = heed.stack(cohort)
    return heed.filter(X, 0.01, emission=heed.GaussianEmission(0.124, 0.037, 0.303), lengths=lengths), y, lengths


def test_a_switch_that_is_noticed_a_window_late():
    measures = heed.evaluate(LATE, ATTENDED, window=2, id="07")
    assert measures["id"] == "07"
    assert measures["accuracy"] == 1 and measures["switch_time"] == 2 and measures["missed"] == 0
    assert measures["whole_accuracy"] == pytest.approx(5 / 6, rel=1e-15)
    assert (measures["windows"], measures["steady_windows"], measures["switches"]) == (6, 5, 1)
    assert measures["latency_inclusive_time"] == 4 and measures["chance"] == 0.5


def test_calibration_is_what_numpy_says():
    posteriors, y, lengths = tracked()
    measures = heed.evaluate(posteriors, y, lengths=lengths)
    known = y >= 0
    p, truth = posteriors[known], y[known]
    one_hot = np.eye(2)[truth]
    assert measures["brier"] == pytest.approx(((p - one_hot) ** 2).sum(axis=1).mean() / 2, rel=1e-12)
    assert measures["log_loss"] == pytest.approx(-np.log(p[np.arange(len(p)), truth]).mean(), rel=1e-12)
    confidence, right = p.max(axis=1), p.argmax(axis=1) == truth
    assert measures["whole_accuracy"] == pytest.approx(right.mean(), rel=1e-12)
    assert measures["over_confidence"] == pytest.approx(confidence.mean() - right.mean(), abs=1e-12)
    bins = np.minimum((confidence * 10).astype(int), 9)
    error = sum(abs(right[bins == k].sum() - confidence[bins == k].sum()) for k in range(10)) / len(p)
    assert measures["ece"] == pytest.approx(error, abs=1e-12)
    assert [one["count"] for one in measures["reliability"]] == np.bincount(bins, minlength=10).tolist()


def test_trials_are_measured_apart_and_pooled():
    posteriors, y, lengths = tracked()
    together = heed.evaluate(posteriors, y, lengths=lengths)
    apart = [heed.evaluate(p, labels) for p, labels in zip(np.split(posteriors, 3), np.split(y, 3))]
    for count in ("windows", "switches", "missed", "steady_windows"):
        assert together[count] == sum(one[count] for one in apart)
    assert together["accuracy"] == pytest.approx(np.average([one["accuracy"] for one in apart],
                                                            weights=[one["steady_windows"] for one in apart]))
    block = heed.evaluate(posteriors.reshape(3, -1, 2), y.reshape(3, -1))
    assert block == together


def test_decisions_alone_have_the_same_metric_and_no_calibration():
    posteriors, y, lengths = tracked()
    whole, alone = heed.evaluate(posteriors, y, lengths=lengths), heed.evaluate(posteriors.argmax(1), y, lengths=lengths)
    for name in ("accuracy", "switch_time", "median_switch_time", "false_switch_rate", "missed", "chance_bound"):
        assert alone[name] == whole[name]
    assert alone["brier"] is None and alone["ece"] is None and alone["log_loss"] is None
    assert list(alone) == list(whole)


def test_the_number_of_speakers_sets_chance():
    assert heed.evaluate([0, 1, 0], [0, 1, 1])["chance"] == 0.5
    assert heed.evaluate([0, 2, 0], [0, 1, 1])["chance"] == pytest.approx(1 / 3)
    assert heed.evaluate([0, 1, 0], [0, 1, 1], speakers=4)["chance"] == 0.25


def test_decisions_may_differ_from_the_most_probable():
    path = [0, 0, 0, 1, 1, 1]
    measures = heed.evaluate(LATE, ATTENDED, decisions=path)
    assert measures["switch_time"] == 0 and measures["brier"] == heed.evaluate(LATE, ATTENDED)["brier"]


def test_ties_hold_the_decision_before():
    posteriors = [[0.4, 0.6], [0.5, 0.5], [0.5, 0.5]]
    assert heed.evaluate(posteriors, [1, 1, 1])["whole_accuracy"] == 1
    assert heed.evaluate(posteriors, [1, 1, 1], lengths=[1, 2])["whole_accuracy"] == pytest.approx(1 / 3)


def test_hindsight_counts_as_latency():
    assert heed.evaluate(LATE, ATTENDED, look_ahead=5)["latency_inclusive_time"] == 7
    assert heed.evaluate(LATE, ATTENDED, look_ahead=math.inf)["latency_inclusive_time"] is None


@needs_program
@pytest.mark.parametrize("method, look_ahead", [("causal", 0), ("smooth", math.inf), ("fixed-lag", 5)])
def test_the_program_says_the_same(tmp_path, method, look_ahead):
    one = heed.simulate_scores(participants=1, trials=2, minutes=4, switch_every=60, artefacts=0.05, seed=8)[0]
    heed.write_scores(tmp_path / "sub-01_scores.tsv", one, digits=17)
    heed.Model(heed.GaussianEmission(0.124, 0.037, 0.303)).save(tmp_path / "model.json")
    run("track", tmp_path / "sub-01_scores.tsv", "--model", tmp_path / "model.json", "--method", method,
        "--digits", 17, "-o", tmp_path / "sub-01_posterior.tsv")
    program = run_json("evaluate", tmp_path / "sub-01_posterior.tsv")
    tracker = {"causal": heed.filter, "smooth": heed.smooth, "fixed-lag": heed.fixed_lag}[method]
    X, y, lengths, _ = heed.stack(one)
    posteriors = tracker(X, emission=heed.GaussianEmission(0.124, 0.037, 0.303), lengths=lengths)
    assert heed.evaluate(posteriors, y, lengths=lengths, look_ahead=look_ahead, id="01") == program["participants"][0]


@pytest.mark.parametrize("call, says", [
    (lambda: heed.evaluate(LATE, ATTENDED[:5]), "attended: 5 for 6 windows"),
    (lambda: heed.evaluate(LATE, [0] * 5 + [2]), "attended: window 6: 2.0 is not a column"),
    (lambda: heed.evaluate(LATE, [-1] * 6), "attended: no label is known"),
    (lambda: heed.evaluate(LATE, ATTENDED, lengths=[3, 2]), "lengths: "),
    (lambda: heed.evaluate(LATE, ATTENDED, decisions=[0]), "decisions: 1 for 6 windows"),
    (lambda: heed.evaluate(LATE, ATTENDED, decisions=[]), "decisions: 0 for 6 windows"),
    (lambda: heed.evaluate(LATE, ATTENDED, decisions=[0, 0, 0, -1, 1, 1]), "decision"),
    (lambda: heed.evaluate([], []), "attended: no label is known"),
    (lambda: heed.evaluate(LATE, ATTENDED, speakers=3), "speakers: "),
    (lambda: heed.evaluate([0, 1], [0, 1], decisions=[0, 1]), "decisions: are given twice"),
    (lambda: heed.evaluate([0, 5], [0, 1], speakers=2), "posteriors: window 2"),
    (lambda: heed.evaluate(2 * LATE, ATTENDED), "posterior"),
    (lambda: heed.evaluate(LATE, ATTENDED, look_ahead=-1), "look"),
    (lambda: heed.evaluate(LATE, ATTENDED, window=0), "window"),
    (lambda: heed.evaluate(LATE.reshape(2, 3, 2), ATTENDED, lengths=[6]), "lengths: needs two dimensions"),
    (lambda: heed.evaluate(np.full((6, 2), np.nan), ATTENDED), "participant 01, trial 1: window 1: the posteriors"),
    (lambda: heed.evaluate(5, 5), "posteriors: "),
])
def test_mistakes_are_told(call, says):
    with pytest.raises(ValueError) as raised:
        call()
    assert says in str(raised.value)
