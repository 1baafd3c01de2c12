# SPDX-License-Identifier: MIT
"""AttentionHMM: what it learns against numpy, what it predicts against the trackers, and the program beside it."""
import os
import signal
import subprocess

import numpy as np
import pandas as pd
import pytest
from attention_cases import scores_of
from sklearn.exceptions import NotFittedError

import heed
from heed import AttentionHMM

METHODS = ["smooth", "causal", "viterbi", "fixed-lag"]


def plain_fit(X, y, groups, fisher=True):
    """Means of the participants' means; the mean of their variances around those, over all speakers."""
    z = np.arctanh(X) if fisher else X
    here = np.eye(X.shape[1], dtype=bool)[y]
    people = [groups == whose for whose in np.unique(groups)]
    mu_attended = np.mean([z[rows][here[rows]].mean() for rows in people])
    mu_unattended = np.mean([z[rows][~here[rows]].mean() for rows in people])
    centred = z - np.where(here, mu_attended, mu_unattended)
    sigma = np.sqrt(np.mean([np.mean(centred[rows] ** 2) for rows in people]))
    return mu_attended, mu_unattended, sigma


def plain_smooth(log_likelihood, p):
    """Forward-backward in logarithms, as the textbooks have it."""
    windows, states = log_likelihood.shape
    chain = np.log(np.where(np.eye(states, dtype=bool), 1 - (states - 1) * p, p))
    alpha, beta = log_likelihood.copy(), np.zeros_like(log_likelihood)
    for t in range(1, windows):
        alpha[t] += np.logaddexp.reduce(alpha[t - 1][:, None] + chain, axis=0)
        alpha[t] -= alpha[t].max()
    for t in range(windows - 2, -1, -1):
        beta[t] = np.logaddexp.reduce(chain + log_likelihood[t + 1] + beta[t + 1], axis=1)
        beta[t] -= beta[t].max()
    gamma = np.exp(alpha + beta - (alpha + beta).max(axis=1, keepdims=True))
    return gamma / gamma.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("speakers", [2, 3])
def test_labels_give_the_means_of_participants_means(speakers):
    parts = [scores_of(seed, windows, speakers) for seed, windows in [(1, 300), (2, 900), (3, 600)]]
    X, y = (np.concatenate(column) for column in zip(*parts))
    groups = np.repeat(["a", "b", "c"], [300, 900, 600])
    emission = AttentionHMM().fit(X, y, groups=groups).model_.emission
    assert emission.fisher
    fitted = emission.mu_attended, emission.mu_unattended, emission.sigma
    assert fitted == pytest.approx(plain_fit(X, y, groups), rel=1e-12)
    pooled = AttentionHMM().fit(X, y).model_.emission
    expected = plain_fit(X, y, np.zeros(len(y)))
    assert (pooled.mu_attended, pooled.mu_unattended, pooled.sigma) == pytest.approx(expected, rel=1e-12)


def test_predictions_are_those_of_the_textbook():
    X, y = scores_of(4, speakers=3)
    hmm = AttentionHMM(0.01, method="smooth").fit(X, y)
    e = hmm.model_.emission
    log_likelihood = (e.mu_attended - e.mu_unattended) / e.sigma**2 * np.arctanh(X)
    np.testing.assert_allclose(hmm.predict_proba(X), plain_smooth(log_likelihood, 0.01), atol=1e-11)
    assert hmm.score(X, y) == np.mean(hmm.predict(X) == y) > 0.9


@pytest.mark.parametrize("method", METHODS)
def test_predictions_are_those_of_the_trackers_to_the_bit(method):
    X, y = scores_of(5)
    X[17] = np.nan
    lengths = [250, 350]
    hmm = AttentionHMM(0.02, method=method, lag=3).fit(X, y)
    keywords = {"emission": hmm.model_, "lengths": lengths}
    if method == "viterbi":
        path = heed.viterbi(X, 0.02, **keywords)
        np.testing.assert_array_equal(hmm.predict(X, lengths), path)
        np.testing.assert_array_equal(hmm.predict_proba(X, lengths), np.eye(2)[path])
        return
    tracker = {"smooth": heed.smooth, "causal": heed.filter, "fixed-lag": heed.fixed_lag}[method]
    expected = tracker(X, 0.02, **keywords, **({"lag": 3} if method == "fixed-lag" else {}))
    np.testing.assert_array_equal(hmm.predict_proba(X, lengths), expected)
    np.testing.assert_array_equal(hmm.predict(X, lengths), heed.decide(expected, lengths=lengths))


def test_a_whole_chain_and_an_initial_distribution():
    X, y = scores_of(6)
    chain, initial = [[0.9, 0.1], [0.02, 0.98]], [0.8, 0.2]
    hmm = AttentionHMM(transition=chain, initial=initial, method="causal").fit(X, y)
    assert hmm.switch_probability_ is None
    np.testing.assert_allclose(hmm.transition_, chain, atol=1e-15)
    np.testing.assert_array_equal(hmm.initial_, initial)
    expected = heed.filter(X, emission=hmm.model_, transition=chain, initial=initial)
    np.testing.assert_array_equal(hmm.predict_proba(X), expected)


def test_the_default_switch_probability_follows_the_window():
    X, y = scores_of(7)
    hmm = AttentionHMM(window=5.0).fit(X, y)
    assert hmm.switch_probability_ == pytest.approx(0.005, abs=1e-18)
    np.testing.assert_allclose(hmm.transition_, [[0.995, 0.005], [0.005, 0.995]], atol=1e-15)
    assert hmm.model_.window == 5.0


def test_auto_takes_scores_beyond_one_for_log_odds():
    X, y = scores_of(8)
    assert AttentionHMM().fit(X, y).model_.emission.fisher
    assert not AttentionHMM().fit(4 * X, y).model_.emission.fisher
    with pytest.raises(heed.BadDataError, match="window"):
        AttentionHMM(emission="fisher-gaussian").fit(4 * X, y)


@pytest.mark.filterwarnings("error")
def test_without_labels_baum_welch_finds_what_labels_say():
    X, y = scores_of(9, windows=4000, separation=0.4)
    learnt, told = AttentionHMM(0.01).fit(X), AttentionHMM(0.01).fit(X, y)
    assert "Baum-Welch" in learnt.model_.origin and "labels of" in told.model_.origin
    assert learnt.model_.emission.mu_attended == pytest.approx(told.model_.emission.mu_attended, abs=0.02)
    assert learnt.model_.emission.mu_unattended == pytest.approx(told.model_.emission.mu_unattended, abs=0.02)
    assert learnt.score(X, y) > 0.97
    assert learnt.converged_ and len(learnt.history_) > 2
    assert np.all(np.diff(learnt.history_) >= -1e-9 * abs(learnt.history_[0]))
    assert told.converged_ and len(told.history_) == 0


def test_the_switch_probability_is_learnt_where_asked():
    X, y = scores_of(10, windows=4000, separation=0.6, block=40)
    hmm = AttentionHMM(fit_switch_probability=True).fit(X)
    assert hmm.switch_probability_ == pytest.approx(1 / 40, rel=0.3)
    assert hmm.switch_probability is None, "parameters stay as they were given"
    with pytest.raises(heed.InvalidArgumentError, match="Baum-Welch only"):
        AttentionHMM(fit_switch_probability=True).fit(X, y)


def test_a_long_fit_ends_at_ctrl_c():
    X = np.tanh(0.3 * np.random.default_rng(30).standard_normal((2_000_000, 2)))  # many seconds of work
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(KeyboardInterrupt):
            AttentionHMM(0.01).fit(X)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_fits_without_labels_do_not_look_at_them():
    X, y = scores_of(11, windows=1200)
    for fit_by in ["baum-welch", "memoryless"]:
        hmm = AttentionHMM(fit_by=fit_by)
        assert hmm.fit(X, y).model_ == hmm.fit(X).model_
        assert hmm.fit(X, ["whoever"] * len(y)).model_ == hmm.fit(X).model_


def test_scores_that_decide_nothing_are_told():
    X = np.tanh(0.3 * np.random.default_rng(12).standard_normal((400, 1))) * [1, 1]
    with pytest.warns(UserWarning, match="decide nothing"):
        AttentionHMM().fit(X)


def test_calibration_is_kept_in_the_model():
    X, y = scores_of(13)
    twice = np.repeat(X, 2, axis=0)  # windows that repeat each other say half of what they seem to
    hmm = AttentionHMM(0.01, calibrate=True, method="causal").fit(twice, np.repeat(y, 2))
    assert hmm.model_.temperature > 1.3
    expected = heed.filter(twice, 0.01, emission=hmm.model_)
    np.testing.assert_array_equal(hmm.predict_proba(twice), expected)
    given = AttentionHMM(emission=heed.GaussianEmission(0.25, 0, 0.3), calibrate=True).fit(X, y)
    assert given.model_.origin.startswith("given by hand; temperature fitted to the labels")
    assert (given.model_.emission.mu_attended, given.model_.emission.sigma) == (0.25, 0.3)


def test_what_is_given_is_not_fitted():
    X, _ = scores_of(14)
    emission = heed.GaussianEmission(0.124, 0.037, 0.303)
    hmm = AttentionHMM(emission=emission).fit(X)
    assert hmm.model_.emission == emission and hmm.model_.origin == "given by hand"
    model = heed.Model(emission, window=2.0, temperature=1.5, origin="of my own")
    hmm = AttentionHMM(emission=model).fit(X)
    assert hmm.model_ == model and hmm.switch_probability_ == pytest.approx(0.002)


def test_classifier_emissions_divide_the_priors_out():
    rng = np.random.default_rng(15)
    P = rng.dirichlet([2, 3], size=50)
    priors = [0.3, 0.7]
    hmm = AttentionHMM(0.05, method="smooth", emission="probability", class_priors=priors).fit(P)
    np.testing.assert_allclose(hmm.predict_proba(P), plain_smooth(np.log(P) - np.log(priors), 0.05), atol=1e-12)
    logits = np.log(P) + 3
    hmm = AttentionHMM(0.05, method="smooth", emission="softmax", class_priors=priors).fit(logits)
    np.testing.assert_allclose(hmm.predict_proba(logits), plain_smooth(np.log(P) - np.log(priors), 0.05), atol=1e-12)


def test_hard_decisions_and_log_likelihoods():
    X, _ = scores_of(16, windows=60)
    hmm = AttentionHMM(0.05, method="smooth", emission="hard-decision", accuracy=0.7).fit(X)
    votes = np.where(np.eye(2, dtype=bool)[X.argmax(axis=1)], np.log(0.7), np.log(0.3))
    np.testing.assert_allclose(hmm.predict_proba(X), plain_smooth(votes, 0.05), atol=1e-12)
    log_likelihood = np.where(X > 0.5, -np.inf, X)  # impossible is evidence
    hmm = AttentionHMM(0.05, emission="log-likelihood", method="causal").fit(log_likelihood)
    np.testing.assert_array_equal(hmm.predict_proba(log_likelihood), heed.filter(log_likelihood, 0.05))


def test_features_of_any_number_by_a_mixture():
    rng = np.random.default_rng(17)
    names = np.array(["left", "right", "nobody"])
    y = (np.arange(900) // 100) % 3
    X = rng.standard_normal((900, 2)) + np.array([[2, 0], [-2, 0], [0, 3]])[y]
    hmm = AttentionHMM(0.01, emission="mixture", states=list(names), components=1).fit(X, y)
    assert hmm.model_.emission.states == list(names)
    for state, mixture in enumerate(hmm.model_.emission.mixtures):
        np.testing.assert_allclose(mixture[0].mean, X[y == state].mean(axis=0), atol=1e-10)
        np.testing.assert_allclose(mixture[0].covariance, np.cov(X[y == state].T, ddof=0), atol=1e-8)
    assert hmm.predict_proba(X).shape == (900, 3) and hmm.n_features_in_ == 2
    assert hmm.score(X, names[y]) == hmm.score(X, y) > 0.98
    np.testing.assert_array_equal(hmm.fit(X, names[y]).predict(X), names[hmm.fit(X, y).predict(X)])


def test_unknown_labels_and_missing_windows_are_not_fitted():
    X, y = scores_of(19)
    expected = AttentionHMM().fit(X[:300], y[:300]).model_.emission
    labels = y.astype(float)
    labels[300:] = [np.nan, -1] * 150
    assert AttentionHMM().fit(X, labels).model_.emission == expected
    missing = X.copy()
    missing[300:, 1] = np.nan
    assert AttentionHMM().fit(missing, y).model_.emission == expected


def test_the_log_evidence_prefers_the_right_rate():
    X, y = scores_of(21, windows=2000, separation=0.6, block=50)
    hmm = AttentionHMM(0.02, emission=heed.GaussianEmission(0.6, 0, 0.3)).fit(X)
    others = [AttentionHMM(p, emission=hmm.emission).fit(X) for p in (1e-4, 0.4)]
    assert hmm.log_evidence(X) > max(other.log_evidence(X) for other in others)
    halves = hmm.log_evidence(X[:1000]) + hmm.log_evidence(X[1000:])
    assert hmm.log_evidence(X, [1000, 1000]) == pytest.approx(halves, rel=1e-13)


def test_model_files_go_both_ways(tmp_path):
    X, y = scores_of(26)
    hmm = AttentionHMM(0.01, method="causal", calibrate=True).fit(X, y)
    hmm.save(tmp_path / "model.json")
    loaded = AttentionHMM.load(tmp_path / "model.json", switch_probability=0.01, method="causal")
    assert loaded.model_ == hmm.model_ and loaded.n_features_in_ == 2
    np.testing.assert_array_equal(loaded.predict_proba(X), hmm.predict_proba(X))
    np.testing.assert_array_equal(loaded.step(X[0]), hmm.predict_proba(X)[0])
    features = AttentionHMM(emission="mixture", states=["a", "b"], components=1).fit(np.c_[X, X[:, 0] ** 2], y)
    features.save(tmp_path / "features.json")
    loaded = AttentionHMM.load(tmp_path / "features.json")
    assert list(loaded.feature_names_in_) == ["column-1", "column-2", "column-3"]
    assert loaded.transition_.shape == (2, 2)
    with pytest.raises(heed.NotFoundError):
        AttentionHMM.load(tmp_path / "nothing.json")
    with pytest.raises(NotFittedError):
        AttentionHMM().save(tmp_path / "unfitted.json")


@pytest.mark.skipif(not os.environ.get("HEED"), reason="HEED names no program to compare with")
@pytest.mark.parametrize("method", METHODS)
def test_the_program_finds_the_same(method, tmp_path):
    people = heed.simulate_scores(participants=4, trials=2, accuracy=0.65, seed=7)
    for one in people:
        heed.write_scores(tmp_path / f"sub-{one.id}_scores.tsv", one, digits=17)
    files = sorted(tmp_path.glob("*_scores.tsv"))
    options = ["--calibrate", "--method", method, "-p", "0.004", "--digits", "17", "-o", tmp_path / "posterior.tsv"]
    command = [os.environ["HEED"], "track", files[0], "--fit-from", *files[1:], *options]
    subprocess.run([*command, "--save-model", tmp_path / "model.json"], check=True, capture_output=True)
    hmm = AttentionHMM(0.004, method=method, calibrate=True).fit(people[1:])
    hmm.save(tmp_path / "ours.json")
    assert (tmp_path / "ours.json").read_bytes() == (tmp_path / "model.json").read_bytes()
    theirs = pd.read_csv(tmp_path / "posterior.tsv", sep="\t", float_precision="round_trip")
    np.testing.assert_array_equal(hmm.predict_proba(people[0]), theirs[people[0].speakers])
    np.testing.assert_array_equal(np.array(people[0].speakers)[hmm.predict(people[0])], theirs["decision"])


def test_decide_holds_ties_and_refuses_what_decides_nothing():
    tied = [[0.2, 0.8], [0.5, 0.5], [0.6, 0.4], [0.5, 0.5], [0.5, 0.5]]
    np.testing.assert_array_equal(heed.decide(tied), [1, 1, 0, 0, 0])
    np.testing.assert_array_equal(heed.decide(tied, lengths=[1, 4]), [1, 0, 0, 0, 0])
    with pytest.raises(ValueError, match="row 2 holds NaN"):
        heed.decide([[0.5, 0.5], [np.nan, 0.5]])
