# SPDX-License-Identifier: MIT
"""filter, smooth, viterbi and fixed_lag: what they compute, on arrays of every layout, and what they do to memory."""
import gc
import itertools
import math
import tracemalloc
import warnings

import numpy as np
import oracle
import pandas as pd
import pytest

import heed

TRACKERS = [heed.filter, heed.smooth, heed.viterbi, heed.fixed_lag]
NAMES = [tracker.__name__ for tracker in TRACKERS]


def windows(count, speakers=2, seed=0):
    return np.random.default_rng(seed).normal(size=(count, speakers))


def random_chain(states, seed=1):
    random = np.random.default_rng(seed)
    return random.dirichlet(np.ones(states), size=states), random.dirichlet(np.ones(states))


# ---- against the recursions in logarithms ----


@pytest.mark.parametrize("speakers", [2, 3, 8])
@pytest.mark.parametrize("switch_probability", [1e-3, 0.1])
def test_sticky_chains(speakers, switch_probability):
    values = windows(120, speakers)
    chain = oracle.sticky(speakers, switch_probability)
    causal, evidence = heed.filter(values, switch_probability, return_log_evidence=True)
    expected, expected_evidence = oracle.filter(values, chain)
    assert np.abs(causal - expected).max() < 1e-12
    assert evidence == pytest.approx(expected_evidence, rel=1e-13)
    smoothed, evidence = heed.smooth(values, switch_probability, return_log_evidence=True)
    assert np.abs(smoothed - oracle.smooth(values, chain)[0]).max() < 1e-12
    assert evidence == pytest.approx(expected_evidence, rel=1e-13)
    lagged, evidence = heed.fixed_lag(values, switch_probability, lag=3, return_log_evidence=True)
    assert np.abs(lagged - oracle.fixed_lag(values, chain, lag=3)[0]).max() < 1e-12
    assert evidence == pytest.approx(expected_evidence, rel=1e-13)


@pytest.mark.parametrize("speakers", [2, 3, 5])
def test_whole_chains_and_initial_distributions(speakers):
    values = windows(60, speakers)
    transition, initial = random_chain(speakers)
    given = {"transition": transition, "initial": initial}
    assert np.abs(heed.filter(values, **given) - oracle.filter(values, transition, initial)[0]).max() < 1e-12
    assert np.abs(heed.smooth(values, **given) - oracle.smooth(values, transition, initial)[0]).max() < 1e-12
    lagged = heed.fixed_lag(values, lag=4, **given)
    assert np.abs(lagged - oracle.fixed_lag(values, transition, initial, lag=4)[0]).max() < 1e-12


@pytest.mark.parametrize("speakers", [2, 3])
def test_the_best_of_all_paths(speakers):
    values = windows(8, speakers, seed=5)
    transition, initial = random_chain(speakers)
    path, log_probability = heed.viterbi(values, transition=transition, initial=initial, return_log_probability=True)
    expected, expected_probability = oracle.best_path(values, transition, initial)
    np.testing.assert_array_equal(path, expected)
    assert log_probability == pytest.approx(expected_probability, rel=1e-13)


def test_all_paths_together_are_the_evidence_and_viterbis_is_the_most_probable():
    values = windows(6, 3, seed=6)
    values[2] = np.nan
    transition, initial = random_chain(3)
    given = {"transition": transition, "initial": initial}
    found = [heed.path_probability(values, path, **given) for path in itertools.product(range(3), repeat=6)]
    _, evidence = heed.filter(values, return_log_evidence=True, **given)
    assert math.fsum(math.exp(one["log_prior"]) for one in found) == pytest.approx(1, rel=1e-12)
    assert math.log(math.fsum(math.exp(one["log_joint"]) for one in found)) == pytest.approx(evidence, rel=1e-12)
    path, best = heed.viterbi(values, return_log_probability=True, **given)
    assert max(one["log_joint"] for one in found) == pytest.approx(best, rel=1e-12)
    assert heed.path_probability(values, path, **given)["log_joint"] == pytest.approx(best, rel=1e-12)
    free = heed.path_probability(values, [-1, None, np.nan, -1, -1, -1], **given)
    assert free["log_posterior"] == pytest.approx(0, abs=1e-12)


def test_the_probability_of_paths_of_several_sequences():
    values = windows(12, 2, seed=7)
    path = np.arange(12) // 3 % 2
    by_length = heed.path_probability(values, path, 0.1, lengths=[4, 8])
    for name, parts in by_length.items():
        alone = [heed.path_probability(values[k], path[k], 0.1)[name] for k in (slice(0, 4), slice(4, 12))]
        np.testing.assert_allclose(parts, alone, rtol=1e-14)
    block = heed.path_probability(values.reshape(3, 4, 2), path.reshape(3, 4), 0.1)
    assert block["log_joint"].shape == (3,)
    with pytest.raises(heed.InvalidArgumentError, match="path: 3 states for 12 windows"):
        heed.path_probability(values, [0, 1, 0])
    with pytest.raises(heed.InvalidArgumentError, match="path"):
        heed.path_probability(values, np.full(12, 2))


def test_missing_windows_and_impossible_speakers():
    values = windows(50, 3)
    values[7, 1] = np.nan
    values[8] = np.nan
    values[20, 0] = np.inf
    values[30, 2] = -np.inf  # evidence: not this one
    chain = oracle.sticky(3, 0.05)
    assert np.abs(heed.smooth(values, 0.05) - oracle.smooth(values, chain)[0]).max() < 1e-12
    assert np.abs(heed.filter(values, 0.05) - oracle.filter(values, chain)[0]).max() < 1e-12
    assert heed.filter(values, 0.05)[30, 2] == 0


def test_the_default_switch_probability_grows_with_the_window():
    values = windows(50)
    np.testing.assert_array_equal(heed.smooth(values), heed.smooth(values, 0.001))
    np.testing.assert_array_equal(heed.smooth(values, window=5), heed.smooth(values, 0.005))


def test_the_lag_is_in_seconds():
    values = windows(50)
    np.testing.assert_array_equal(heed.fixed_lag(values, 0.01, lag=4, window=2), heed.fixed_lag(values, 0.01, lag=2))
    np.testing.assert_array_equal(heed.fixed_lag(values, 0.01, lag=0), heed.filter(values, 0.01))
    assert np.abs(heed.fixed_lag(values, 0.01, lag=50) - heed.smooth(values, 0.01)).max() < 1e-14


# ---- emissions ----


def test_emissions_turn_scores_into_log_likelihoods():
    scores = np.tanh(0.3 * windows(80))
    z = np.arctanh(scores)
    log_likelihoods = (0.124 - 0.037) / 0.303**2 * z  # up to a constant a window
    emission = heed.GaussianEmission(0.124, 0.037, 0.303)
    assert np.abs(heed.smooth(scores, emission=emission) - heed.smooth(log_likelihoods)).max() < 1e-12
    hot = heed.Model(emission, temperature=2)
    assert np.abs(heed.smooth(scores, emission=hot) - heed.smooth(log_likelihoods / 2)).max() < 1e-12


def test_the_window_is_the_models_unless_told():
    scores = np.tanh(0.3 * windows(80))
    model = heed.Model(heed.GaussianEmission(0.124, 0.037, 0.303), window=5.0)
    given = {"emission": model.emission, "switch_probability": 0.005}
    np.testing.assert_array_equal(heed.smooth(scores, emission=model), heed.smooth(scores, **given))
    np.testing.assert_array_equal(heed.smooth(scores, emission=model, window=1), heed.smooth(scores, emission=model.emission))
    np.testing.assert_array_equal(heed.fixed_lag(scores, emission=model, lag=10),
                                  heed.fixed_lag(scores, emission=model.emission, lag=2, switch_probability=0.005))


def test_a_bad_score_is_told_by_its_window_however_far_down():
    """Emissions are applied some windows at a time; they are counted from the first."""
    scores = np.zeros((400_000, 2))
    scores[390_000, 1] = 1.5
    emission = heed.GaussianEmission(0.124, 0.037, 0.303)
    with pytest.raises(heed.BadDataError, match="^window 390001: "):
        heed.filter(scores, emission=emission)
    with pytest.raises(heed.BadDataError, match="^window 390001: "):
        heed.filter(scores.reshape(800, 500, 2), emission=emission)


# ---- many sequences ----


@pytest.mark.parametrize("tracker", TRACKERS, ids=NAMES)
@pytest.mark.parametrize("speakers", [2, 3])
def test_sequences_know_nothing_of_each_other(tracker, speakers):
    lengths = np.random.default_rng(3).integers(1, 40, size=60)
    tall = windows(lengths.sum(), speakers)
    together = tracker(tall, 0.01, lengths=lengths)
    alone = np.concatenate([tracker(part, 0.01) for part in np.split(tall, np.cumsum(lengths)[:-1])])
    assert np.abs(together - alone).max() <= 1e-14


@pytest.mark.parametrize("tracker", TRACKERS, ids=NAMES)
@pytest.mark.parametrize("speakers", [2, 3])
def test_a_block_is_its_sequences_one_below_the_other(tracker, speakers):
    block = windows(7 * 30, speakers).reshape(7, 30, speakers)
    tall = block.reshape(-1, speakers)
    result = tracker(block, 0.01)
    assert result.shape == ((7, 30) if tracker is heed.viterbi else (7, 30, speakers))
    np.testing.assert_array_equal(result.reshape(7 * 30, -1), tracker(tall, 0.01, lengths=[30] * 7).reshape(7 * 30, -1))


@pytest.mark.parametrize("tracker", TRACKERS, ids=NAMES)
def test_batches_longer_than_what_is_done_at_a_time(tracker):
    """Some 130,000 windows go between two looks for Ctrl-C: cuts must not show, nor the emission's storage."""
    random = np.random.default_rng(4)
    lengths = np.concatenate([random.integers(1, 900, size=500), [200_000], random.integers(1, 900, size=300)])
    scores = np.tanh(0.3 * windows(lengths.sum()))
    emission = heed.GaussianEmission(0.124, 0.037, 0.303)
    given = {"lag": 2} if tracker is heed.fixed_lag else {}
    together = tracker(scores, 0.01, emission=emission, lengths=lengths, **given)
    starts = np.cumsum(lengths) - lengths
    for k in [0, 1, 250, 499, 500, 501, 800]:
        rows = slice(starts[k], starts[k] + lengths[k])
        assert np.abs(together[rows] - tracker(scores[rows], 0.01, emission=emission, **given)).max() <= 1e-13


def test_evidence_is_a_number_for_one_sequence_and_an_array_for_several():
    values = windows(60)
    _, one = heed.filter(values, 0.01, return_log_evidence=True)
    assert isinstance(one, float)
    _, several = heed.filter(values, 0.01, lengths=[20, 40], return_log_evidence=True)
    assert several.shape == (2,)
    _, block = heed.viterbi(values.reshape(1, 60, 2), 0.01, return_log_probability=True)
    assert block.shape == (1,)
    for tracker in (heed.smooth, heed.fixed_lag):
        np.testing.assert_allclose(tracker(values, 0.01, lengths=[20, 40], return_log_evidence=True)[1], several, rtol=1e-13)


# ---- layouts: the same bits, whatever memory looks like ----


def unaligned(values):
    storage = np.empty(values.nbytes + 1, dtype=np.uint8)
    copy = storage[1:].view(np.float64).reshape(values.shape)
    copy[:] = values
    assert not copy.flags.aligned
    return copy


def masked(values):
    """Junk under a mask, where `values` has a missing window."""
    return np.ma.masked_array(np.where(np.isnan(values), 777.0, values), mask=np.isnan(values))


LAYOUTS = {
    "as it is": lambda values: values,
    "read-only": lambda values: np.frombuffer(values.tobytes()).reshape(values.shape),
    "by columns": np.asfortranarray,
    "backwards": lambda values: values[::-1].copy()[::-1],
    "columns backwards": lambda values: values[:, ::-1].copy()[:, ::-1],
    "every other row": lambda values: np.repeat(values, 2, axis=0)[::2],
    "every other column": lambda values: np.repeat(values, 2, axis=1)[:, ::2],
    "part of a wider table": lambda values: np.hstack([np.ones((len(values), 1)), values, values])[:, 1:3],
    "the other byte order": lambda values: values.astype(values.dtype.newbyteorder()),
    "where no double lies": unaligned,
    "long doubles": lambda values: values.astype(np.longdouble),
    "objects": lambda values: values.astype(object),
    "a matrix": lambda values: values.view(np.matrix),
    "a list": lambda values: values.tolist(),
    "a tuple of rows": lambda values: tuple(values),
    "a frame": lambda values: pd.DataFrame(values, columns=["left", "right"]),
    "a frame with NA": lambda values: pd.DataFrame(values, columns=["left", "right"]).convert_dtypes(),
    "a masked array": masked,
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("tracker", TRACKERS, ids=NAMES)
def test_every_layout_gives_the_same_bits(tracker, layout):
    values = windows(70)
    values[11] = np.nan
    expected = tracker(values, 0.01)
    np.testing.assert_array_equal(tracker(LAYOUTS[layout](values), 0.01), expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, np.uint64, np.int64, bool])
def test_every_kind_of_number_is_a_number(dtype):
    values = (4 * np.abs(windows(70))).astype(dtype)
    np.testing.assert_array_equal(heed.smooth(values, 0.01), heed.smooth(values.astype(float), 0.01))


@pytest.mark.parametrize("speakers", [2, 3, 8])
@pytest.mark.parametrize("tracker", TRACKERS, ids=NAMES)
def test_one_row_that_stands_for_many(tracker, speakers):
    """Rows that are all the same memory: a stride of 0."""
    broadcast = np.broadcast_to(np.linspace(0, 1, speakers), (300, speakers))
    assert broadcast.strides[0] == 0
    np.testing.assert_array_equal(tracker(broadcast, 0.01), tracker(broadcast.copy(), 0.01))


BLOCKS = {
    "every other sequence": lambda block: np.repeat(block, 2, axis=0)[::2],
    "every other row": lambda block: np.repeat(block, 2, axis=1)[:, ::2],
    "backwards": lambda block: block[::-1].copy()[::-1],
    "time first": lambda block: block.transpose(1, 0, 2).copy().transpose(1, 0, 2),
    "columns first": lambda block: block.transpose(2, 0, 1).copy().transpose(1, 2, 0),
    "part of a longer block": lambda block: np.concatenate([block, block], axis=1)[:, :block.shape[1]],
}


@pytest.mark.parametrize("layout", BLOCKS)
@pytest.mark.parametrize("tracker", TRACKERS, ids=NAMES)
def test_every_layout_of_a_block_gives_the_same_bits(tracker, layout):
    block = windows(6 * 20).astype(np.float32).astype(float).reshape(6, 20, 2)
    np.testing.assert_array_equal(tracker(BLOCKS[layout](block), 0.01), tracker(block, 0.01))


@pytest.mark.parametrize("tracker", TRACKERS, ids=NAMES)
def test_sequences_of_one_window(tracker):
    """The stride of a dimension of one element means nothing: numpy sets it to anything."""
    values = windows(50)
    alone = np.stack([tracker(values[k:k + 1], 0.01) for k in range(50)])
    for block in (values[:, None, :], values.reshape(50, 1, 2), values.reshape(50, 1, 2)[:, ::7],
                  np.lib.stride_tricks.as_strided(values, (50, 1, 2), (16, 8 * 10**9, 8))):
        assert np.abs(tracker(block, 0.01) - alone).max() <= 1e-15


# ---- memory ----


def peak_of(call):
    gc.collect()
    tracemalloc.start()
    result = call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak, result


@pytest.mark.parametrize("layout, copies", [("as it is", 0), ("read-only", 0), ("part of a wider table", 0), ("every other row", 0),
                                            ("by columns", 1), ("the other byte order", 1)])
def test_arrays_are_read_in_place_where_they_can_be(layout, copies):
    values = LAYOUTS[layout](windows(100_000))
    peak, result = peak_of(lambda: heed.smooth(values, 0.01))
    assert result.nbytes * (1 + copies) <= peak < result.nbytes * (1.1 + copies)


@pytest.mark.parametrize("tracker", TRACKERS, ids=NAMES)
def test_what_is_given_is_not_touched(tracker):
    values = windows(70)
    before = values.tobytes()
    tracker(values, 0.01)
    assert values.tobytes() == before


@pytest.mark.parametrize("tracker", TRACKERS, ids=NAMES)
def test_what_is_returned_is_the_callers(tracker):
    """It outlives what it was made from, is contiguous and may be written to."""
    values = windows(70)
    result, evidence = tracker(values, 0.01, **{
        "return_log_probability" if tracker is heed.viterbi else "return_log_evidence": True, "lengths": [30, 40]})
    kept = result.copy(), evidence.copy()
    del values
    gc.collect()
    np.testing.assert_array_equal(result, kept[0])
    np.testing.assert_array_equal(evidence, kept[1])
    for array in (result, evidence):
        assert array.flags.c_contiguous and array.flags.aligned and array.flags.writeable
        array[...] = 0
    assert result.dtype == (np.int32 if tracker is heed.viterbi else np.float64)


@pytest.mark.parametrize("tracker", [heed.filter, heed.smooth, heed.viterbi, heed.fixed_lag], ids=lambda one: one.__name__)
def test_docstrings_say_what_infinite_values_mean(tracker):
    log_likelihood = np.log([[0.9, 0.1], [0.5, 0.5], [0.8, 0.2]])
    infinite, missing = log_likelihood.copy(), log_likelihood.copy()
    infinite[1, 1], missing[1] = np.inf, np.nan
    np.testing.assert_array_equal(tracker(infinite, 0.1), tracker(missing, 0.1))
    assert "a log-likelihood of +inf, or -inf for all speakers" in tracker.__doc__
    assert ("finite: ``smooth`` sees all windows" in tracker.__doc__) == (tracker is heed.fixed_lag)


# ---- what classifiers give ----


@pytest.mark.parametrize("tracker", TRACKERS, ids=NAMES)
def test_probabilities_without_an_emission_are_told(tracker):
    """They would count as log-likelihoods, which differ by one at most: next to nothing."""
    second = np.linspace(0.1, 0.9, 40)
    values = np.column_stack([1 - second, second])
    with pytest.warns(UserWarning, match="as probabilities do, .*emission=heed.ProbabilityEmission"):
        tracker(values, 0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tracker(values, 0.01, emission=heed.ProbabilityEmission())
        tracker(np.log(values), 0.01)
        tracker(values[:9], 0.01)


@pytest.mark.parametrize("emission, twice", [(heed.SoftmaxEmission(), "0 * s, s"), (heed.ProbabilityEmission(), "1 - q, q")])
def test_one_number_for_two_speakers(emission, twice):
    with pytest.raises(heed.InvalidArgumentError, match=r"1 column: .*np.column_stack\(\[" + twice.replace("*", r"\*")):
        heed.smooth(np.full((5, 1), 0.4), 0.01, emission=emission)
