# SPDX-License-Identifier: MIT
"""heed.gains and heed.gain_worth against the definitions in plain numpy, and against the program."""
import numpy as np
import pytest

import heed
from program import needs_program, run_json

WORTH = ("benefit", "wrong_emphasis", "travel", "wrong_share")


def belief(speakers=3, windows=200, seed=5):
    rows = np.random.default_rng(seed).dirichlet(np.full(speakers, 0.3), windows)
    return rows, np.random.default_rng(seed + 1).integers(-1, speakers, windows)


def worth_by_hand(gains, attended, hop=1.0):
    known = attended >= 0
    rows, who = gains[known], attended[known]
    power = 10 ** (rows / 10)
    others = (power.sum(axis=1) - power[np.arange(len(who)), who]) / (gains.shape[1] - 1)
    benefit = rows[np.arange(len(who)), who] - 10 * np.log10(others)
    moves = np.ptp(np.diff(gains, axis=0), axis=1)
    return dict(zip(WORTH, (benefit.mean(), 60 * np.maximum(0, -benefit).mean(), 60 * moves.sum() / (len(gains) * hop),
                            (benefit < -3).mean())))


def test_golden_numbers():
    rows = [[0.7, 0.2, 0.1]]
    gains = heed.gains(rows, "2dB/nat", enhanced=6, suppressed=-3, highest=6, slew=1000)
    assert gains[0] == pytest.approx([2.1324487450, -0.3730771920, -1.7593715531], abs=1e-9)
    assert heed.gain_worth(gains, [0])["benefit"] == pytest.approx(3.1435921748, abs=1e-9)
    for margin, expected in ((3, [0.8515537062, 1.7503895428, 4.0452734726, 9]),
                             (6, [0.5835539193, 1.1718268255, 2.3847994367, 5.2669716482])):
        p = 1 / (1 + np.exp(-np.array([0.5, 1, 2, 4])))
        gains = heed.gains(np.column_stack([p, 1 - p]), f"intelligibility:{margin}", enhanced=0, suppressed=-9, slew=1000)
        assert gains[:, 0] - gains[:, 1] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("speakers", [2, 3, 64])
@pytest.mark.parametrize("name", ["dead-zone", "2dB/nat", "decibels", "amplitude", "decision"])
def test_worth_is_what_numpy_says(speakers, name):
    rows, attended = belief(speakers)
    gains = heed.gains(rows, name, hop=0.5)
    assert gains.shape == rows.shape and gains.max() <= 0 and gains.min() >= -20
    assert np.abs(np.diff(gains, axis=0)).max() <= 3 + 1e-9  # 6 dB per second
    found, expected = heed.gain_worth(gains, attended, hop=0.5), worth_by_hand(gains, attended, 0.5)
    for key in WORTH:
        assert found[key] == pytest.approx(expected[key], rel=1e-9, abs=1e-12), key
    if speakers < 64:  # nothing is cut off by the safety range
        assert heed.evaluate(rows, attended, window=0.5, gain=name)["gains"][name] == pytest.approx(found, rel=1e-9)


def test_trials_start_anew_and_broken_rows_hold():
    rows, attended = belief(2)
    both = heed.gains(rows, lengths=[80, 120])
    assert np.array_equal(both, np.vstack([heed.gains(rows[:80]), heed.gains(rows[80:])]))
    apart = [heed.gain_worth(both[part], attended[part]) for part in (slice(80), slice(80, None))]
    together = heed.gain_worth(both, attended, lengths=[80, 120])
    assert together["travel"] == pytest.approx((80 * apart[0]["travel"] + 120 * apart[1]["travel"]) / 200)
    rows[3] = np.nan
    held = heed.gains(rows)
    assert np.array_equal(held[3], held[2])


def test_comparisons_measure_gains():
    cohort = heed.simulate_scores(participants=3, trials=1, seed=4)
    comparison = heed.compare(cohort, methods=["causal", "raw"], gain="dead-zone")
    assert comparison["gain_map"] == "dead-zone"
    assert list(comparison["methods"][0]["participants"][0]["gains"]) == list(WORTH)
    assert {"benefit", "travel"} <= set(comparison.to_frame().columns)


@pytest.mark.parametrize("call, says", [
    (lambda: heed.gains([[0.5, 0.5]], "loud"), "'loud' is not a map"),
    (lambda: heed.gains([[0.5, 0.5]], enhanced=-12), "need a range"),
    (lambda: heed.gains([[0.5, 0.5]], slew=0), "slew limit"),
    (lambda: heed.gains([[0.5, 0.5]], lowest=-5, highest=-5), "no room to move"),
    (lambda: heed.gains([[0.5, 0.3, 0.2]], "intelligibility"), "two speakers, not for 3"),
    (lambda: heed.gains([[0.5, 0.5]], hop=0), "longer than 0 s"),
    (lambda: heed.gains([[1.0]]), "2 to 64 speakers"),
    (lambda: heed.gain_worth([[0.0, 0.0]], [2]), "attended"),
    (lambda: heed.gain_worth([[0.0, 0.0]], [0, 1]), "attended"),
    (lambda: heed.gain_worth([[0.0, float("nan")]], [0]), "not finite"),
    (lambda: heed.gain_worth([[0.0, 0.0]], [0], hop=-1), "above 0 s"),
    (lambda: heed.evaluate([[0.5, 0.5]], [0], gain="2dB/nat", gain_range=0), "range above 0 dB"),
    (lambda: heed.evaluate([[0.5, 0.5]], [0], gain=["decibels", "x"]), "'x' is not a map"),
    (lambda: heed.compare(heed.simulate_scores(participants=2), gain="2dB"), "'2dB' is not a map"),
])
def test_bad_gains(call, says):
    with pytest.raises(ValueError, match=says):
        call()


@needs_program
def test_the_program_says_the_same(tmp_path):
    rows, attended = belief(3)
    names = ["a", "b", "c"]
    lines = ["\t".join(["onset", *names, "decision", "attended"])]
    for t, (row, who) in enumerate(zip(rows, attended)):
        labels = [names[row.argmax()], "n/a" if who < 0 else names[who]]
        lines.append("\t".join([str(t), *map(repr, map(float, row)), *labels]))
    (tmp_path / "x_posterior.tsv").write_text("\n".join(lines) + "\n")
    found = run_json("evaluate", tmp_path / "x_posterior.tsv", "--gain", "2dB/nat,dead-zone")["participants"][0]["gains"]
    for name, worth in heed.evaluate(rows, attended, gain=["2dB/nat", "dead-zone"])["gains"].items():
        assert found[name] == pytest.approx(worth, rel=1e-9)
