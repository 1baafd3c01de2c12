# SPDX-License-Identifier: MIT
"""Hops, steps and the evidence scale, as the program has them."""
import pickle

import numpy as np
import pytest

import heed


def doubled(cohort):
    """Columns s and -s."""
    def trial(one):
        s = np.arctanh(one.scores[:, 0]) - np.arctanh(one.scores[:, 1])
        return heed.ScoredTrial(np.column_stack([s, -s]), one.attended, name=one.name)

    return [heed.Participant(one.id, [trial(t) for t in one.trials], score_type="log-odds") for one in cohort]


@pytest.fixture(scope="module")
def cohort():
    return heed.simulate_scores(participants=4, trials=2, accuracy=0.65, seed=2)


def test_a_hop_is_kept(tmp_path):
    trial = heed.ScoredTrial(np.full((9, 2), 0.25), np.zeros(9, int), window=1.0, hop=0.25)
    assert (trial.window, trial.hop) == (1.0, 0.25)
    assert pickle.loads(pickle.dumps(trial)) == trial
    assert trial != heed.ScoredTrial(trial.scores, trial.attended)
    one = heed.Participant("01", [trial])
    assert repr(one) == "<heed.Participant 01: 1 trial, 9 windows of 1 s every 0.25 s, speakers speaker-1, speaker-2>"
    heed.write_scores(tmp_path / "sub-01_scores.tsv", one)
    assert heed.read_scores(tmp_path / "sub-01_scores.tsv")[0].hop == 0.25
    assert heed.ScoredTrial(trial.scores).hop == 1.0
    for hop in (0, 2.0, float("nan")):
        with pytest.raises(ValueError, match="hop: must be in seconds, above 0 and at most"):
            heed.ScoredTrial(trial.scores, hop=hop)
    with pytest.raises(ValueError, match="another length or hop"):
        heed.Participant("01", [trial, heed.ScoredTrial(trial.scores)])


def test_estimators_count_hops(cohort):
    scores, attended = cohort[0].trials[0].scores, cohort[0].trials[0].attended
    hmm = heed.AttentionHMM(hop=0.25, evidence="as-is", method="causal").fit(scores, attended)
    assert (hmm.model_.window, hmm.model_.hop) == (1.0, 0.25)
    assert hmm.switch_probability_ == pytest.approx(0.00025, rel=1e-12)
    assert hmm.predict_proba(scores) == pytest.approx(heed.filter(scores, 0.00025, emission=hmm.model_), abs=0)
    assert heed.Model.from_json(hmm.model_.to_json()).hop == 0.25
    with pytest.warns(UserWarning, match="windows of 1 s every 0.25 s, these are 1 s long"):
        heed.AttentionHMM(emission=hmm.model_).fit(cohort)


def test_times_count_hops():
    decisions = [0, 0, 0, 0, 1, 1]
    found = heed.evaluate(decisions, [0, 0, 1, 1, 1, 1], window=1.0, hop=0.25)
    assert found["switch_time"] == pytest.approx(0.5)
    assert found["latency_inclusive_time"] == pytest.approx(1.5)


def test_evidence_is_scaled_where_it_counts_twice(cohort):
    honest = heed.AttentionHMM().fit(cohort)
    assert honest.evidence_scale_ == pytest.approx(1, abs=0.1)
    assert honest.model_.temperature == 1
    with pytest.warns(UserWarning, match="one score told several times"):
        once = heed.AttentionHMM().fit(doubled(cohort))
    assert once.model_.emission.correlation == pytest.approx(-1)
    with pytest.warns(UserWarning, match="counted twice"):
        twice = heed.AttentionHMM(spread="shared").fit(doubled(cohort))
    assert twice.evidence_scale_ == pytest.approx(once.evidence_scale_ / 2)
    assert twice.model_.temperature == pytest.approx(1 / twice.evidence_scale_)
    with pytest.warns(UserWarning, match="left as it is"):
        assert heed.AttentionHMM(spread="shared", evidence="as-is").fit(doubled(cohort)).model_.temperature == 1


def test_compare_tells_the_scale(cohort):
    found = heed.compare(cohort, methods="causal")
    assert found["evidence_scales"] == pytest.approx([1] * 4, abs=0.15)
    assert found["temperatures"] == [1] * 4
    scaled = heed.compare(cohort, methods="causal", evidence="scaled")
    assert scaled["temperatures"] == pytest.approx([1 / scale for scale in found["evidence_scales"]])
    with pytest.raises(ValueError, match="either scaled or calibrated"):
        heed.compare(cohort, methods="causal", evidence="scaled", calibrate=True)
    with pytest.raises(ValueError, match="as-is, scaled"):
        heed.compare(cohort, methods="causal", evidence="twice")


def test_windows_overlap_or_are_steps():
    random = np.random.default_rng(1)

    def trial(attended):
        speech = random.standard_normal((1280, 2))
        return heed.Trial(speech[:, [attended]] + random.standard_normal((1280, 4)), speech, attended)

    me = heed.Listener("01", [trial(k % 2) for k in range(4)])
    apart = heed.cross_validate(me, "ls")
    often = heed.cross_validate(me, "ls", hop=0.25)
    assert (often.window, often.hop, often.score_type) == (1.0, 0.25, "correlation")
    assert np.array_equal(often.trials[1].scores[::4], apart.trials[1].scores)
    steps = heed.cross_validate(me, "ls", step=0.25)
    assert (steps.window, steps.hop, steps.score_type) == (0.25, 0.25, "step-cosine")
    assert steps.trials[1].scores.argmax(axis=1).mean() > 0.8
    decoder = heed.LSDecoder().fit(me)
    assert np.array_equal(decoder.window_scores(me.trials[0], hop=0.5),
                          decoder.score_trials(me, hop=0.5).trials[0].scores)
    assert len(decoder.window_scores(me.trials[0], step=0.25)) == 80
    with pytest.raises(ValueError, match="longer than the window"):
        heed.cross_validate(me, "ls", hop=2.0)
    with pytest.raises(ValueError, match="choose one"):
        heed.cross_validate(me, "ls", hop=0.25, step=0.25)
    with pytest.raises(heed.UnsupportedError, match="steps are for least squares"):
        heed.cross_validate(me, "cca", step=0.25)


def test_one_knob():
    assert heed.equivalent_switch_probability(1, 0.3, 0.003) == pytest.approx(0.003, rel=1e-12)
    assert heed.equivalent_switch_probability(1.5, 0.3, 0.003) == pytest.approx(0.0106396198, abs=1e-10)
    with pytest.raises(ValueError, match="must be positive"):
        heed.equivalent_switch_probability(0, 0.3, 0.003)
