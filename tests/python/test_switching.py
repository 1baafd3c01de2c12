# SPDX-License-Identifier: MIT
"""switch_probability="auto": the bank of filters against plain ones, and what it finds."""
import pickle

import numpy as np
import oracle
import pytest

import heed

PER_SECOND = 10.0 ** (np.arange(7) / 2 - 4)


def bank(trials, hop=1.0):
    """Causal posteriors of a listener's trials, and P(p) after each window."""
    states = trials[0].shape[1]
    values = PER_SECOND[PER_SECOND <= 1 / states + 1e-12]
    weights = np.zeros(len(values))
    rows, history = [], []
    for windows in trials:
        alphas = [oracle.forward(windows, oracle.sticky(states, (1 - (1 - states * p) ** hop) / states)) for p in values]
        evidence = np.array([np.logaddexp.reduce(alpha, axis=1) for alpha in alphas]).T + weights
        known = oracle.normalised(evidence)
        rows.append(sum(known[:, [g]] * oracle.normalised(alpha) for g, alpha in enumerate(alphas)))
        history.append(known)
        weights = evidence[-1]
    return np.concatenate(rows), np.concatenate(history)


@pytest.fixture
def trials():
    rng = np.random.default_rng(4)
    trials = [rng.standard_normal((n, 3)) for n in (40, 25)]
    trials[0][7, 1] = np.nan
    return trials


def test_sequences_are_the_trials_of_a_listener(trials):
    rows, history = bank(trials)
    lengths = [len(one) for one in trials]
    values = np.concatenate(trials)
    assert heed.filter(values, "auto", lengths=lengths) == pytest.approx(rows, abs=1e-12)
    found = heed.switch_posterior(values, lengths=lengths)
    assert found["history"] == pytest.approx(history, abs=1e-12)
    assert found["posterior"] == pytest.approx(history[-1], abs=1e-12)
    assert found["per_second"] == pytest.approx(PER_SECOND, rel=1e-12)
    assert found["interval"] == pytest.approx(1 / (2 * PER_SECOND), rel=1e-12)
    assert found["words"].startswith("about every ")
    blocks = np.stack([trials[0][:25], trials[1]])
    assert heed.switch_posterior(blocks)["history"].shape == (2, 25, 7)
    assert heed.filter(blocks, "auto").shape == (2, 25, 3)


def test_every_tracker_takes_it(trials):
    values = trials[0]
    causal, evidence = heed.filter(values, "auto", return_log_evidence=True)
    smooth, same = heed.smooth(values, "auto", return_log_evidence=True)
    assert evidence == pytest.approx(same, abs=1e-12)
    assert heed.fixed_lag(values, "auto", lag=0) == pytest.approx(causal, abs=0)
    assert heed.fixed_lag(values, "auto", lag=100) == pytest.approx(smooth, abs=1e-12)
    assert smooth[-1] == pytest.approx(causal[-1], abs=1e-12)
    found = heed.switch_posterior(values)
    best = found["per_window"][found["posterior"].argmax()]
    path, probability = heed.viterbi(values, "auto", return_log_probability=True)
    expected, same = heed.viterbi(values, best, return_log_probability=True)
    assert (path == expected).all() and probability == same
    probabilities = [heed.path_probability(values, path, p) for p in PER_SECOND]
    mixed = heed.path_probability(values, path, "auto")
    for key in ("log_prior", "log_joint", "log_evidence"):
        each = np.logaddexp.reduce([one[key] for one in probabilities]) - np.log(7)
        assert mixed[key] == pytest.approx(each, abs=1e-9), key
    assert mixed["log_evidence"] == pytest.approx(evidence, abs=1e-9)


def test_values_are_per_second(trials):
    rows, _ = bank(trials[:1], hop=0.25)
    assert heed.filter(trials[0], "auto", window=0.25) == pytest.approx(rows, abs=1e-12)


def test_many_speakers_leave_values_out():
    assert len(heed.switch_posterior(np.zeros((3, 64)))["posterior"]) == 5
    assert heed.filter(np.zeros((3, 64)), "auto").shape == (3, 64)


@pytest.mark.parametrize("call", [heed.filter, heed.smooth, heed.viterbi, heed.fixed_lag])
def test_bad_words_and_combinations_are_refused(call):
    windows = np.zeros((5, 2))
    with pytest.raises(ValueError, match="switch_probability: is 'automatic'; give a probability, or 'auto'"):
        call(windows, "automatic")
    with pytest.raises(ValueError, match="transition: a whole chain was given"):
        call(windows, "auto", transition=np.full((2, 2), 0.5))
    with pytest.raises(ValueError, match="at most 1/N = 0.5"):
        call(windows, 0.51)
    with pytest.raises(ValueError, match="initial"):
        call(windows, "auto", initial=[0.5, 0.4])


@pytest.fixture(scope="module")
def cohort():
    return heed.simulate_scores(participants=4, trials=2, accuracy=0.72, switch_every=40, seed=3)


def test_the_estimator_is_the_functions(cohort):
    me, *others = cohort
    hmm = heed.AttentionHMM("auto", method="causal").fit(others)
    assert hmm.switch_probability_ is None and hmm.transition_ is None
    stacked = heed.stack([me])
    direct = heed.filter(stacked.scores, "auto", emission=hmm.model_, lengths=stacked.lengths)
    assert hmm.predict_proba(me) == pytest.approx(direct, abs=0)
    both = hmm.predict_proba([me, others[0]])
    assert both == pytest.approx(np.concatenate([direct, hmm.predict_proba(others[0])]), abs=0), "listeners do not mix"
    assert hmm.log_evidence([me, others[0]]) == pytest.approx(hmm.log_evidence(me) + hmm.log_evidence(others[0]))
    found = hmm.switch_posterior(me)
    assert 31 < found["interval"][found["posterior"].argmax()] < 101
    assert hmm.score(me) > heed.AttentionHMM(method="causal").fit(others).score(me)
    for method in ("smooth", "viterbi", "fixed-lag"):
        assert hmm.set_params(method=method).predict_proba(me).shape == direct.shape


def test_it_steps_over_trials(cohort):
    me, *others = cohort
    hmm = heed.AttentionHMM("auto", method="causal").fit(others)
    rows = []
    for trial in me.trials:
        rows += [hmm.step(row) for row in trial.scores]
        hmm.reset()
    assert np.array(rows) == pytest.approx(hmm.predict_proba(me), abs=0), "what was learnt of p stays"
    assert hmm.switching_["posterior"] == pytest.approx(hmm.switch_posterior(me)["posterior"], abs=0)
    copy = pickle.loads(pickle.dumps(hmm))
    assert copy.switching_["posterior"] == pytest.approx(np.full(7, 1 / 7)), "a copy follows a listener of its own"
    lagged = heed.AttentionHMM("auto", method="fixed-lag", lag=3).fit(others)
    scores = me.trials[0].scores
    rows = [row for row in map(lagged.step, scores) if row is not None]
    assert np.concatenate([rows, lagged.finish()]) == pytest.approx(lagged.predict_proba(scores), abs=0)
    assert heed.AttentionHMM().fit(others).switching_ is None


def test_adaptation_goes_with_it(cohort):
    me, *others = cohort
    hmm = heed.AttentionHMM("auto", method="causal", fit_by="adaptive").fit(others)
    scores = me.trials[0].scores
    rows = np.array([hmm.step(row) for row in scores])
    assert rows == pytest.approx(hmm.predict_proba(scores), abs=0)


def test_what_the_estimator_refuses(cohort):
    me, *others = cohort
    with pytest.raises(ValueError, match="leave the calibration out"):
        heed.AttentionHMM("auto", calibrate=True).fit(others)
    with pytest.raises(ValueError, match="choose one"):
        heed.AttentionHMM("auto", fit_by="baum-welch", fit_switch_probability=True).fit(others)
    with pytest.raises(ValueError, match="is 'often'; give a probability, or 'auto'"):
        heed.AttentionHMM("often").fit(others)
    with pytest.raises(ValueError, match='make it "auto"'):
        heed.AttentionHMM(0.01).fit(others).switch_posterior(me)
    with pytest.raises(ValueError, match="several listeners"):
        heed.AttentionHMM("auto").fit(others).switch_posterior(cohort)
    learnt = heed.AttentionHMM("auto", fit_by="baum-welch").fit(me)
    assert learnt.converged_ and learnt.switch_probability_ is None


def test_compare_tells_how_often_listeners_switch(cohort):
    comparison = heed.compare(cohort, methods=["causal", "raw"], switch_probability="auto", sweep=[0.01])
    assert len(comparison["switching"]) == 4
    assert sum(comparison["switching"][0]["posterior"]) == pytest.approx(1)
    assert [point["switch_probability"] for point in comparison.curves["causal"]] == [0.01]
