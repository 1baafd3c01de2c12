# SPDX-License-Identifier: MIT
"""heed.LiveSession: arrays in, decisions out, with the bits of the offline chain however the input is cut."""
import heed
import numpy as np
import pytest

EMISSION = heed.GaussianEmission(0.124, 0.037, 0.303)


def scores_of(speakers=2, seed=1):
    return heed.simulate_scores(participants=1, speakers=speakers, seed=seed)[0].trials[0].scores[:300]


def posteriors(decisions):
    return np.array([decision.posterior for decision in decisions])


@pytest.mark.parametrize("speakers", [2, 3])
def test_scores_have_the_bits_of_the_filter(speakers):
    scores = scores_of(speakers).copy()
    scores[[0, 7, 8]] = np.nan
    names = [f"s{k}" for k in range(speakers)]
    expected = heed.filter(scores, emission=EMISSION, switch_probability=0.01)
    for piece in (1, 7, 300):
        session = heed.LiveSession(names, emission=EMISSION, switch_probability=0.01)
        decisions = [d for k in range(0, 300, piece) for d in session.push_scores(scores[k:k + piece])]
        assert np.array_equal(posteriors(decisions), expected)
        assert [d.held for d in decisions[:9]] == [True, *[False] * 6, True, True]
        assert session.counts["windows"] == 300 and session.counts["held"] == 3
        assert [d.t for d in decisions] == list(range(1, 301))


def test_a_second_opinion_is_that_of_the_fixed_lag():
    scores = scores_of()
    session = heed.LiveSession(["a", "b"], emission=EMISSION, lag=5)
    decisions = session.push_scores(scores)
    assert decisions[4].hindsight is None
    expected = heed.fixed_lag(scores, emission=EMISSION, lag=5)
    assert np.array_equal([d.hindsight for d in decisions[5:]], expected[:-5])


def test_an_unknown_switch_probability_and_dependent_scores():
    scores = scores_of()
    session = heed.LiveSession(["a", "b"], emission=EMISSION, switch_probability="auto")
    assert np.array_equal(posteriors(session.push_scores(scores)), heed.filter(scores, emission=EMISSION, switch_probability="auto"))
    model = heed.AttentionHMM(fit_by="baum-welch", dependence="ar1").fit(scores).model_
    session = heed.LiveSession(["a", "b"], emission=model)
    assert np.array_equal(posteriors(session.push_scores(scores)), heed.filter(scores, emission=model))
    session = heed.LiveSession(["a", "b"], emission=model, switch_probability="auto")
    assert np.array_equal(posteriors(session.push_scores(scores)), heed.filter(scores, "auto", emission=model))


def causal_signals():
    """Two speakers' envelopes and the EEG of somebody who listens to the first; a decoder of it."""
    random = np.random.default_rng(3)
    speech = np.abs(random.standard_normal((2, 120 * 64)))
    eeg = 20 * np.stack([np.roll(speech[0], 6 + k) for k in range(3)], axis=1) + 10 * random.standard_normal((120 * 64, 3))
    return speech, eeg


def test_signals_give_the_same_however_they_are_cut():
    speech, eeg = causal_signals()

    def session():
        return heed.LiveSession(["a", "b"], calibrate=60, rate=64, channels=["Fz", "Cz", "Pz"], envelope_rate=64, emission=EMISSION)

    def played(one, piece, until, begin=0):
        decisions = []
        for k in range(begin * 64, until * 64, piece):
            end = min(k + piece, until * 64)
            for s in (0, 1):
                decisions += one.push_sound(s, speech[s, k:end], stamp=k / 64)
            decisions += one.push_eeg(eeg[k:end], stamp=k / 64)
        return decisions

    results = []
    for piece in (16, 640):
        one = session()
        first = played(one, piece, 70)
        assert one.can_train and one.is_calibrating
        assert {d.state for d in first} == {"calibrating"}
        decoder = one.train()
        rest = played(one, piece, 120, begin=70)
        assert not one.is_calibrating
        assert {d.state for d in rest} == {"tracking"}
        assert {d.decision for d in rest[5:]} == {"a"}
        results.append((decoder.channels, np.array([d.scores for d in rest])))
    assert results[0][0] == ["Fz", "Cz", "Pz"]
    assert np.array_equal(results[0][1], results[1][1])


def test_a_decoder_is_trained_on_attention_that_is_told():
    speech, eeg = causal_signals()
    scores = {}
    for told in ("a", "b"):
        session = heed.LiveSession(["a", "b"], calibrate=60, rate=64, channels=["Fz", "Cz", "Pz"], envelope_rate=64, emission=EMISSION)
        session.attend(told, stamp=0.0)
        assert session.awaited == ["EEG", "the sound of 'a'", "the sound of 'b'"]
        for s in (0, 1):
            session.push_sound(s, speech[s], stamp=0.0)
        assert session.awaited == ["EEG"]
        session.push_eeg(eeg[:80 * 64], stamp=0.0)
        assert session.awaited == []
        session.train(label_free=False)
        decisions = session.push_eeg(eeg[80 * 64:], stamp=80.0)
        assert {d.attended for d in decisions} == {told}
        scores[told] = np.mean([d.scores for d in decisions], axis=0)
    # What was told is what was learnt: told wrongly, the decoder knows nothing of whoever is heard in the EEG.
    assert scores["a"][0] > scores["a"][1] + 0.3
    assert scores["b"][0] < scores["a"][0] - 0.3


def waiting_session():
    return heed.LiveSession(["a", "b"], calibrate=20, rate=64, channels=["Fz", "Cz", "Pz"], envelope_rate=64, emission=EMISSION)


def test_eeg_waits_for_the_talkers_as_long_as_they_take():
    speech, eeg = causal_signals()
    results = []
    for silence in (0, 50, 400):  # s, in which the EEG is recorded and nobody talks yet
        session = waiting_session()
        for k in range(0, silence, 10):
            assert session.push_eeg(np.random.default_rng(k).standard_normal((640, 3)), stamp=float(k)) == []
        for s in (0, 1):
            session.push_sound(s, speech[s], stamp=silence)
        session.push_eeg(eeg[:60 * 64], stamp=silence)
        session.train()
        decisions = session.push_eeg(eeg[60 * 64:], stamp=silence + 60.0)
        assert [d.t - silence for d in decisions[:2]] == [pytest.approx(60), pytest.approx(61)]
        assert {d.decision for d in decisions[5:]} == {"a"}
        results.append(np.array([d.scores for d in decisions]))
    assert results[0].shape == results[1].shape == results[2].shape
    # Filters that ran in on other EEG differ a little at first.
    assert np.allclose(results[1][20:], results[2][20:], atol=0.02)


@pytest.mark.parametrize("stamped", [True, False])
def test_sound_of_eeg_that_is_forgotten_is_refused(stamped):
    speech, eeg = causal_signals()
    stamp = 0.0 if stamped else None
    early = waiting_session()
    early.push_eeg(eeg[:60 * 64], stamp=stamp)
    for s in (0, 1):
        early.push_sound(s, speech[s], stamp=stamp)
    assert early.can_train
    late = waiting_session()
    late.push_eeg(eeg[:61 * 64], stamp=stamp)
    late.push_sound("b", speech[1], stamp=stamp)
    with pytest.raises(heed.InvalidArgumentError, match=r"'a' begins at 0 s, but .* the last 60 s are kept, from 1 s on; push .* side by side, or the sound first"):
        late.push_sound("a", speech[0], stamp=stamp)
    late.begin_trial("again")
    for s in (0, 1):
        late.push_sound(s, speech[s], stamp=stamp)
    late.push_eeg(eeg, stamp=stamp)
    assert late.can_train


def test_parameters_change_while_it_runs():
    session = heed.LiveSession(["a", "b"], emission=EMISSION, switch_probability=0.01)
    before = session.push_scores([[0.5, 0.0]])[0].posterior[0]
    session.change(switch_probability=0.25)
    after = session.push_scores([[np.nan, np.nan]])[0].posterior[0]
    assert after == pytest.approx(0.75 * before + 0.25 * (1 - before), abs=1e-12)
    with pytest.raises(heed.InvalidArgumentError, match="window: not a setting"):
        session.change(window=2)


def test_gaps_and_the_watchdog():
    session = heed.LiveSession(["a", "b"], emission=EMISSION)
    session.push_scores([[0.9, 0.0]], stamp=1.0, now=1.0)
    decisions = session.push_scores([[0.9, 0.0]], stamp=5.0, now=5.0)
    assert [d.held for d in decisions] == [True, True, True, False]
    assert session.counts["gaps"] == 1
    _, gains = session.wait(now=60.0)
    assert gains is not None


@pytest.mark.parametrize(("arguments", "words"), [
    (dict(speakers=["a"]), "two or more"),
    (dict(speakers=["a", "b"], content="noise"), "content"),
    (dict(speakers=["a", "b"], calibrate=10, rate=64, channels=["Fz"], audio_rate=8000, envelope_rate=64), "give one rate"),
    (dict(speakers=["a", "b"], content="signals", rate=64, channels=["Fz"], envelope_rate=64), "need a decoder"),
    (dict(speakers=["a", "b"], decoder=3), "decoder"),
    (dict(speakers=["a", "b"], gain_map="loud"), "loud"),
    (dict(speakers=["a", "a"]), "two speakers are called 'a'"),
    (dict(speakers=["a", "b"], calibrate=10, rate=64, channels=["Fz", "Fz"], envelope_rate=64), "two channels are called 'Fz'"),
    (dict(speakers=["a", "b"], rail=-1), "rail"),
    (dict(speakers=["a", "b"], step=0.25), "step: for signals"),
    (dict(speakers=["a", "b"], adapt=0), "half-life"),
    (dict(speakers=["a", "b"], lag=-1), "look back"),
    (dict(speakers=["a", "b"], hop=3), "hop"),
    (dict(speakers=["a", "b"], watchdog=0), "at least 1 window"),
])
def test_what_does_not_fit_is_told(arguments, words):
    with pytest.raises(heed.Error, match=words):
        heed.LiveSession(**arguments)


def test_pieces_that_do_not_fit_are_told():
    session = heed.LiveSession(["a", "b"])
    with pytest.raises(heed.InvalidArgumentError, match="3 columns"):
        session.push_scores([[0, 0, 0]])
    with pytest.raises(heed.InvalidArgumentError, match="takes scores"):
        session.push_eeg([[0.0]])
    with pytest.raises(heed.InvalidArgumentError, match="there is no 'c'"):
        session.attend("c")
    with pytest.raises(heed.InvalidArgumentError, match="has a decoder"):
        session.train()
