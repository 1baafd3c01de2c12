# SPDX-License-Identifier: MIT
"""AttentionHMM.step: window by window what the trackers say of the whole, to the bit."""
import threading

import numpy as np
import pytest

import heed
from heed import AttentionHMM

EMISSION = heed.GaussianEmission(0.124, 0.037, 0.303)


def scores_of(seed, speakers=2, windows=200):
    """Correlations of nobody in particular; every tenth window is missing."""
    X = np.tanh(0.3 * np.random.default_rng(seed).standard_normal((windows, speakers)))
    X[::10, seed % speakers] = np.nan
    return X


def general_chain(speakers):
    chain = np.full((speakers, speakers), 0.1) + np.diag(np.arange(5, 5 + speakers) / 10.0)
    chain[0, -1] = 0  # not every move is possible
    return chain / chain.sum(axis=1, keepdims=True)


def uneven(speakers):
    return np.arange(1.0, speakers + 1) / sum(range(speakers + 1))


CHAINS = {
    "sticky": lambda speakers: {"switch_probability": 0.01},
    "memoryless": lambda speakers: {"switch_probability": 1 / speakers},
    "general": lambda speakers: {"transition": general_chain(speakers)},
    "initial": lambda speakers: {"switch_probability": 0.02, "initial": uneven(speakers)},
}


@pytest.mark.parametrize("speakers", [2, 3, 7, 40])
@pytest.mark.parametrize("chain", CHAINS)
def test_steps_are_the_filter_to_the_bit(speakers, chain):
    X = scores_of(speakers, speakers)
    keywords = CHAINS[chain](speakers)
    hmm = AttentionHMM(emission=EMISSION, **keywords).fit(X)
    expected = heed.filter(X, emission=EMISSION, **keywords)
    np.testing.assert_array_equal([hmm.step(x) for x in X], expected)
    np.testing.assert_array_equal(hmm.belief_, expected[-1])


@pytest.mark.parametrize("speakers", [2, 3, 7])
@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("lag", [0, 1, 4.5, 300])
def test_fixed_lag_steps_are_the_fixed_lag_to_the_bit(speakers, chain, lag):
    X = scores_of(speakers + 1, speakers)
    keywords = CHAINS[chain](speakers)
    hmm = AttentionHMM(emission=EMISSION, method="fixed-lag", lag=lag, **keywords).fit(X)
    rows = [hmm.step(x) for x in X]
    waiting = min(int(np.ceil(lag)), len(X))
    assert all(row is None for row in rows[:waiting])
    streamed = np.concatenate([np.reshape(rows[waiting:], (-1, speakers)), hmm.finish()])
    np.testing.assert_array_equal(streamed, heed.fixed_lag(X, lag=lag, emission=EMISSION, **keywords))


@pytest.mark.parametrize(
    "emission",
    [
        heed.Model(EMISSION, temperature=1.7),
        heed.GaussianEmission(0.1, 0.0, 0.3, sigma_unattended=0.2),
        heed.GaussianEmission(0.1, 0.0, 0.3, correlation=-1.0),
        heed.GaussianEmission(0.1, 0.0, 0.3, fisher=False),
        heed.SoftmaxEmission([0.3, 0.7]),
        heed.HardDecisionEmission(0.6),
        heed.LogLikelihoodEmission(),
    ],
    ids=repr,
)
def test_every_emission_streams(emission):
    X = scores_of(3)
    hmm = AttentionHMM(0.01, emission=emission).fit(X)
    np.testing.assert_array_equal([hmm.step(x) for x in X], heed.filter(X, 0.01, emission=emission))


def test_features_stream_too():
    rng = np.random.default_rng(4)
    y = (np.arange(300) // 50) % 2
    X = rng.standard_normal((300, 3)) + y[:, None]
    hmm = AttentionHMM(0.01, emission="mixture", states=["left", "right"], method="causal").fit(X, y)
    np.testing.assert_array_equal([hmm.step(x) for x in X], hmm.predict_proba(X))


def test_decisions_are_those_of_the_whole():
    X = np.round(scores_of(5), 1)  # round numbers tie now and then
    hmm = AttentionHMM(0.5, emission="hard-decision", accuracy=0.7, method="causal").fit(X)
    decisions = []
    for x in X:
        hmm.step(x)
        decisions.append(hmm.decision_)
    assert np.isnan(X).any() and (hmm.predict_proba(X) == 0.5).any(), "there are ties"
    np.testing.assert_array_equal(decisions, hmm.predict(X))


def test_a_trial_begins_anew_at_reset():
    X = scores_of(6)
    hmm = AttentionHMM(0.01, emission=EMISSION, method="causal").fit(X)
    assert hmm.belief_ is None and hmm.decision_ is None
    first = [hmm.step(x) for x in X[:20]]
    again = [hmm.reset().step(X[0])] + [hmm.step(x) for x in X[1:20]]
    np.testing.assert_array_equal(first, again)
    assert hmm.reset().belief_ is None
    hmm.step(X[0])
    hmm.fit(X)
    assert hmm.belief_ is None, "a fit ends the trial"


def test_finish_ends_the_trial():
    X = scores_of(7)
    hmm = AttentionHMM(0.01, emission=EMISSION, method="fixed-lag", lag=3).fit(X)
    assert hmm.finish().shape == (0, 2)
    assert hmm.step(X[0]) is None and hmm.step(X[1]) is None
    np.testing.assert_allclose(hmm.finish(), heed.smooth(X[:2], 0.01, emission=EMISSION), atol=1e-12)
    assert hmm.finish().shape == (0, 2) and hmm.belief_ is None


def test_beliefs_are_the_users_own():
    hmm = AttentionHMM(0.01, emission=EMISSION).fit([[0, 0]])
    belief = hmm.step([0.3, 0.1])
    kept = belief.copy()
    belief[:] = 7
    np.testing.assert_array_equal(hmm.belief_, kept)
    expected = heed.filter([[0.3, 0.1], [np.nan, 0.1]], 0.01, emission=EMISSION)
    np.testing.assert_array_equal(hmm.step([np.nan, 0.1]), expected[1])


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([0.1], "x: 1 number"),
        ([0.1, 0.2, 0.3], "x: 3 numbers, but a window has 2"),
        ([[0.1, 0.2]], "x: must be one number per row"),
        (0.5, "x: "),
        ([1.5, 0.1], "1.5"),
        ([np.inf, 0.1], "inf"),
        (["a", "b"], "x: "),
        ([1j, 0], "Complex"),
        (None, "x: "),
    ],
)
def test_a_refused_window_leaves_the_belief_as_it_was(x, message):
    X = scores_of(8, windows=20)
    hmm = AttentionHMM(0.01, emission=EMISSION, method="causal").fit(X)
    for row in X[:10]:
        hmm.step(row)
    with pytest.raises((ValueError, TypeError), match=message):
        hmm.step(x)
    rest = [hmm.step(row) for row in X[10:]]
    np.testing.assert_array_equal(rest, hmm.predict_proba(X)[10:])


def test_lags_nobody_waits_for_are_refused():
    X = scores_of(9, windows=5)
    hmm = AttentionHMM(0.01, emission=EMISSION, method="fixed-lag", lag=1e9).fit(X)
    with pytest.raises(heed.InvalidArgumentError, match="look back"):
        hmm.step(X[0])
    for lag in [-1, float("nan"), float("inf")]:
        with pytest.raises(heed.InvalidArgumentError, match="lag"):
            hmm.set_params(lag=lag).reset().step(X[0])


def test_listeners_do_not_disturb_each_other():
    """A stream a thread, all at once."""
    tables = [scores_of(seed, windows=2000) for seed in range(4)]
    results = {}

    def listen(k):
        hmm = AttentionHMM(0.01, emission=EMISSION).fit(tables[k])
        results[k] = np.array([hmm.step(x) for x in tables[k]])

    threads = [threading.Thread(target=listen, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, table in enumerate(tables):
        np.testing.assert_array_equal(results[k], heed.filter(table, 0.01, emission=EMISSION))


@pytest.mark.parametrize("speakers", [2, 3])
def test_adaptive_steps_are_those_of_the_whole_to_the_bit_and_do_not_know_the_future(speakers):
    others = heed.simulate_scores(participants=3, trials=1, speakers=speakers, seed=5)
    X = scores_of(3, speakers)
    hmm = AttentionHMM(0.01, fit_by="adaptive", method="causal").fit(others)
    whole = hmm.predict_proba(X)
    windows = heed.adapted_log_likelihoods(X, hmm.model_, 0.01)
    np.testing.assert_array_equal(whole, heed.filter(windows, 0.01))
    np.testing.assert_array_equal(whole[:80], hmm.predict_proba(X[:80]))
    np.testing.assert_array_equal(whole, [hmm.step(x) for x in X])
    assert not np.array_equal(whole, heed.filter(X, 0.01, emission=hmm.model_)), "nothing was learnt"
    with pytest.raises(heed.InvalidArgumentError, match="emission: adaptation starts from a GaussianEmission"):
        heed.adapted_log_likelihoods(X, heed.SoftmaxEmission())
