# SPDX-License-Identifier: MIT
"""Scores that repeat each other: AttentionHMM, trackers, models and comparisons."""
import numpy as np
import pytest

import heed

NAN = float("nan")


@pytest.fixture(scope="module")
def cohort():
    return heed.simulate_scores(participants=3, trials=3, accuracy=0.72, autocorrelation=0.88, switch_every=200, seed=4)


def fitted(cohort, **options):
    return heed.AttentionHMM(0.005, **options).fit(cohort)


def test_golden_numbers():
    scores = [[.30, -.10, .05], [.25, 0, .10], [-.05, .20, 0], [0, .35, -.10], [.10, .30, .05]]
    model = heed.Model(heed.GaussianEmission(.124, .037, .3, fisher=False), autocorrelation=.6)
    posterior, evidence = heed.filter(scores, .02, emission=model, return_log_evidence=True)
    assert evidence == pytest.approx(4.9834231662, abs=1e-9)
    assert posterior[2] == pytest.approx([.3574294122, .3278073779, .3147632099], abs=1e-9)
    assert heed.smooth(scores, .02, emission=model)[0] == pytest.approx([.3710660753, .3339894906, .2949444341], abs=1e-9)
    assert heed.viterbi(scores, .02, emission=model).tolist() == [0] * 5
    d = np.array([.5, .2, .6, -.3, -.4, -.1])
    offset = heed.Model(heed.GaussianEmission(.05, -.05, .2, correlation=-1, fisher=False), autocorrelation=.5, offset_sigma=.2)
    odds = heed.filter(np.stack([d / 2, -d / 2], 1), .02, emission=offset)
    assert np.log(odds[0, 0] / odds[0, 1]) == pytest.approx(.506, abs=.02)  # 13 offsets instead of the 5 of the golden number


def test_estimator_finds_it(cohort):
    hmm = fitted(cohort[1:], dependence="auto", method="causal")
    assert hmm.dependence_ == "ar1"
    assert hmm.notes_ == [note for note in hmm.notes_ if note.startswith("dependence ar1: attended scores correlate by 0.8")]
    assert len(hmm.notes_) == 1
    assert hmm.model_.autocorrelation == pytest.approx(.88, abs=.02)
    assert hmm.model_.temperature == 1
    trial = cohort[0].trials[0]
    with pytest.warns(UserWarning, match="correlate by 0.8[0-9]* with the next.*dependence auto"):
        plain = fitted(cohort[1:], method="causal")
    assert plain.dependence_ == "none" and plain.model_.autocorrelation == 0 and len(plain.notes_) == 1
    assert hmm.score(trial.scores, trial.attended) > plain.score(trial.scores, trial.attended)
    assert hmm.log_evidence(trial.scores) > plain.log_evidence(trial.scores)


def test_steps_are_predictions_to_the_bit(cohort):
    scores = cohort[0].trials[0].scores.copy()
    scores[50:53] = NAN
    for method, lag in (("causal", 0), ("fixed-lag", 5)):
        hmm = fitted(cohort[1:], dependence="ar1", method=method, lag=float(lag))
        stepped = [row for row in map(hmm.step, scores) if row is not None]
        stepped.extend(hmm.finish())
        assert np.array_equal(np.array(stepped), hmm.predict_proba(scores))


def test_many_sequences_are_one_after_the_other(cohort):
    model = fitted(cohort, dependence="ar1").model_
    X, _, lengths, _ = heed.stack(cohort[0])
    for track in (heed.filter, heed.smooth, heed.viterbi, heed.fixed_lag):
        together = track(X, .005, emission=model, lengths=lengths)
        apart = np.concatenate([track(one, .005, emission=model) for one in np.split(X, np.cumsum(lengths)[:-1])])
        assert np.array_equal(together, apart)


def test_models_are_kept(cohort, tmp_path):
    hmm = fitted(cohort, dependence="ar1")
    hmm.save(tmp_path / "m.json")
    again = heed.AttentionHMM.load(tmp_path / "m.json", switch_probability=.005)
    assert again.model_ == hmm.model_ and again.dependence_ == "ar1"
    scores = cohort[0].trials[0].scores
    assert np.array_equal(again.predict_proba(scores), hmm.predict_proba(scores))
    assert "autocorrelation" in repr(hmm.model_)


def test_without_labels(cohort):
    scores = cohort[0].trials[0].scores
    hmm = heed.AttentionHMM(.005, fit_by="baum-welch", dependence="ar1").fit(scores)
    assert hmm.model_.autocorrelation == pytest.approx(.88, abs=.05)
    assert np.all(np.diff(hmm.history_) >= 0)


def test_compare(cohort):
    found = heed.compare(cohort, methods=["causal"], switch_probability=.005, dependence="auto")
    with pytest.warns(UserWarning, match="not independent"):
        plain = heed.compare(cohort, methods=["causal"], switch_probability=.005)
    assert found["methods"][0]["ece"] < plain["methods"][0]["ece"]
    assert found["dependences"][0]["autocorrelation"] == pytest.approx(.88, abs=.02)
    assert any(note.startswith("dependence ar1: attended scores correlate by 0.8") for note in found.notes)


def test_with_an_unknown_switch_probability(cohort):
    me, *others = cohort
    hmm = heed.AttentionHMM("auto", dependence="ar1", method="causal").fit(others)
    found = hmm.switch_posterior(me)
    assert 99 < found["interval"][found["posterior"].argmax()] < 1001  # it is 200 s
    rows = []
    for trial in me.trials:
        rows += [hmm.step(row) for row in trial.scores]
        hmm.reset()
    assert np.array_equal(np.array(rows), hmm.predict_proba(me)), "what was learnt of p stays"
    assert np.array_equal(hmm.switching_["posterior"], found["posterior"])
    stacked = heed.stack([me])
    # The definition: P(p | windows) weighs what each p says.
    values = found["per_window"]
    evidence, smoothed = zip(*(
        heed.smooth(me.trials[0].scores, p, emission=hmm.model_, return_log_evidence=True)[::-1] for p in values))
    weights = np.exp(np.array(evidence) - max(evidence))
    expected = np.tensordot(weights / weights.sum(), np.array(smoothed), 1)
    assert heed.smooth(me.trials[0].scores, "auto", emission=hmm.model_) == pytest.approx(expected, abs=1e-12)
    best = values[int(heed.switch_posterior(stacked.scores, emission=hmm.model_, lengths=stacked.lengths)["posterior"].argmax())]
    last = slice(-len(me.trials[-1].scores), None)
    together = heed.viterbi(stacked.scores, "auto", emission=hmm.model_, lengths=stacked.lengths)[last]
    assert np.array_equal(together, heed.viterbi(me.trials[-1].scores, best, emission=hmm.model_))


@pytest.mark.parametrize(("keywords", "words"), [
    ({"autocorrelation": 1}, "below 1"), ({"autocorrelation": -.1}, "at least 0"), ({"autocorrelation": NAN}, "below 1"),
    ({"autocorrelation": .5, "offset_sigma": -1}, "offset"), ({"autocorrelation": .5, "temperature": 2}, "temperature"),
])
def test_bad_numbers(keywords, words):
    with pytest.raises(ValueError, match=words):
        heed.Model(heed.GaussianEmission(.1, 0, .3), **keywords)


def test_what_cannot_be(cohort):
    offset = heed.Model(heed.GaussianEmission(.1, 0, .3), autocorrelation=.5, offset_sigma=.1)
    with pytest.raises(ValueError, match="two speakers, not 3"):
        heed.filter(np.zeros((4, 3)), emission=offset)
    with pytest.raises(ValueError, match="only Gaussian"):
        heed.Model(heed.SoftmaxEmission(), autocorrelation=.5)
    with pytest.raises(ValueError, match="independent"):
        heed.path_probability(np.zeros((4, 2)), [0, 0, 0, 0], emission=offset)
    one = heed.simulate_scores(participants=1, trials=5, autocorrelation=.8)
    with pytest.raises(heed.BadDataError, match="5 labelled trials"):
        heed.AttentionHMM(dependence="offset").fit(one)
    three = heed.simulate_scores(participants=1, trials=8, speakers=3, accuracy=.5, autocorrelation=.8)
    with pytest.raises(heed.UnsupportedError, match="two speakers"):
        heed.AttentionHMM(dependence="offset").fit(three)
    with pytest.raises(heed.UnsupportedError, match="same thing"):
        heed.AttentionHMM(dependence="ar1", calibrate=True).fit(cohort)
    with pytest.raises(heed.UnsupportedError, match="share samples"):
        heed.AttentionHMM(dependence="ar1", hop=.25).fit(cohort[0].trials[0].scores, cohort[0].trials[0].attended)
    with pytest.raises(ValueError, match="no dependence 'ar2'; there are ar1, auto, none, offset"):
        heed.AttentionHMM(dependence="ar2").fit(cohort)
