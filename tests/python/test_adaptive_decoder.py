# SPDX-License-Identifier: MIT
"""A decoder that learns while it listens: the bits of the program, scikit-learn's habits, and bad input."""
import json
import pickle

import numpy as np
import pytest
import sklearn.base

import heed
from adaptive_oracle import Follower, Start
from listening import CHANNELS, signals
from program import needs_program, run

SECOND = 64


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("adaptive") / "study"
    heed.simulate_recording(folder=folder, participants=6, trials=2, minutes=1, channels=CHANNELS, switch_every=40, signal=3, seed=5)
    return folder


@pytest.fixture(scope="module")
def listeners(study):
    return heed.read_bids(study, cache=False)


@pytest.fixture(scope="module")
def population(listeners):
    return heed.Population(listeners)


def heard(seed=0, seconds=60, **options):
    return signals(seed, samples=SECOND * seconds, **options)


@needs_program
@pytest.mark.parametrize("adapt", ["on", "off"])
def test_scores_are_those_of_the_program(study, population, tmp_path, adapt):
    population.save(tmp_path / "pop.json")
    run("score", study, "--participant", "02", "--population", tmp_path / "pop.json", *(["--adapt"] if adapt == "on" else ["--adapt", "off"]),
        "--no-cache", "--digits", 17, "-o", tmp_path / "out", "--json")
    (written,) = heed.read_scores(tmp_path / "out")
    causal = heed.read_bids(study, filters="causal", cache=False)
    decoder = heed.AdaptiveDecoder(tmp_path / "pop.json", learn=adapt == "on")
    found = decoder.score_trials(causal["02"])
    for ours, theirs in zip(found.trials, written.trials, strict=True):
        assert np.array_equal(ours.scores, theirs.scores)
    assert (decoder.learnt_["labelled"] > 60) == (adapt == "on")


@needs_program
def test_the_program_goes_on_from_what_was_saved(study, population, tmp_path):
    population.save(tmp_path / "pop.json")
    causal = heed.read_bids(study, filters="causal", cache=False)
    decoder = heed.AdaptiveDecoder(population, listener="02").partial_fit(causal["02"])
    decoder.save(tmp_path / "me.json")
    shown = json.loads(run("live", f"replay:{study}", "--participant", "02", "--population", tmp_path / "pop.json", "--speed", "max",
                           "--save-decoder", tmp_path / "me.json", "--json"))
    assert shown["learnt"]["labelled"] > decoder.learnt_["labelled"] + 50
    again = heed.AdaptiveDecoder.load(tmp_path / "me.json").partial_fit(causal["02"])
    assert again.learnt_["labelled"] > shown["learnt"]["labelled"] + 30
    assert again.listener == "02"


def test_chunks_of_any_size_give_the_same_bits():
    eeg, speech = heard(seconds=90)
    whole = heed.AdaptiveDecoder().partial_fit(eeg, speech)
    pieces = heed.AdaptiveDecoder()
    beliefs, scores = [], []
    for first in range(0, len(eeg), 37):
        beliefs.append(pieces.step(eeg[first:first + 37], speech[first:first + 37]))
        scores.append(pieces.scores_)
    beliefs.append(pieces.finish())
    scores.append(pieces.scores_)
    np.testing.assert_array_equal(np.concatenate(scores), whole.scores_)
    assert whole.weights_.tobytes() == pieces.weights_.tobytes()
    assert len(np.concatenate(beliefs)) == 90
    # What step returns is the causal filter of the evidence.
    expected = heed.filter(whole.log_likelihoods_, 0.01)
    np.testing.assert_array_equal(np.concatenate(beliefs), expected)


def test_ten_minutes_are_those_of_numpy_and_nearly_those_of_single_precision(population, tmp_path):
    eeg, speech = heard(4, seconds=600, noise=4.0)
    trial = heed.Trial(eeg, speech, channels=CHANNELS, speakers=["left", "right"], name="ten minutes")
    decoder = heed.AdaptiveDecoder(population).partial_fit(trial)
    decoder.save(tmp_path / "me.json")
    start = Start.of(tmp_path / "me.json")
    doubles, floats = (Follower(start, real).hear(eeg, speech) for real in (np.float64, np.float32))
    assert abs(decoder.scores_ - doubles.scores).max() < 1e-10
    assert abs(decoder.weights_.ravel() - doubles.decoders[-1]).max() < 1e-10
    # The bound is ten times what was found on real EEG; docs/adaptation.md.
    assert 1e-9 < abs(np.array(floats.scores) - doubles.scores).max() < 1e-4
    assert all(np.linalg.norm(f - d) < 1e-4 * np.linalg.norm(d) for f, d in zip(floats.decoders, doubles.decoders, strict=True))
    assert abs(np.array(floats.labels) - doubles.labels).max() < 1e-4


def test_learns_without_labels_and_freezes():
    eeg, speech = heard(seconds=400, noise=1.0)
    decoder = heed.AdaptiveDecoder().partial_fit(eeg, speech)
    assert not decoder.learnt_["learning"] or decoder.learnt_["labelled"] < 300
    new, other = heard(7, seconds=60, noise=1.0)
    before = decoder.weights_
    scores, lengths = decoder.window_scores(new, other, lengths=[SECOND * 40, SECOND * 20], return_lengths=True)
    assert lengths == [40, 20] and scores.shape == (60, 2)
    assert (scores[:, 0] > scores[:, 1]).mean() > 0.9
    assert np.array_equal(decoder.window_scores(new, other)[:30], scores[:30])  # nothing was learnt from it
    labelled = decoder.learnt_["labelled"]
    decoder.set_params(learn=False).partial_fit(new, other)
    assert decoder.learnt_["labelled"] == labelled
    decoder.set_params(learn=True).partial_fit(new, other)
    assert decoder.learnt_["labelled"] > labelled
    assert not np.array_equal(decoder.weights_, before)
    assert decoder.patterns_.shape == (len(CHANNELS), 17) and decoder.lags_[-1] == 0.25
    assert decoder.fit(new, other).learnt_["labelled"] < 100  # begins anew


def test_a_population_is_a_start(population, listeners):
    trial = listeners["01"].trials[0]
    decoder = heed.AdaptiveDecoder(population, listener="01").partial_fit(trial)
    assert 0 < decoder.learnt_["population_share"] < 1
    assert not np.isnan(decoder.scores_[0]).any()  # from the first second on
    assert list(decoder.feature_names_in_) == CHANNELS


def test_habits_of_scikit_learn(tmp_path):
    decoder = heed.AdaptiveDecoder(ridge=0.2, window=2.0)
    assert sklearn.base.clone(decoder).get_params() == decoder.get_params()
    with pytest.raises(sklearn.exceptions.NotFittedError):
        decoder.window_scores(*heard())
    with pytest.raises(AttributeError, match="heard nothing yet"):
        decoder.weights_
    decoder.partial_fit(*heard(seconds=120))
    copy = pickle.loads(pickle.dumps(decoder))
    decoder.save(tmp_path / "me.json")
    loaded = heed.AdaptiveDecoder.load(tmp_path / "me.json", ridge=0.2)
    new = heard(3)
    assert np.array_equal(copy.window_scores(*new), loaded.window_scores(*new))
    assert np.nanmax(abs(copy.window_scores(*new) - decoder.window_scores(*new))) < 0.2


def test_missing_samples_and_silence():
    eeg, speech = heard(seconds=120)
    eeg[SECOND * 50:SECOND * 60] = np.nan
    speech[SECOND * 70:SECOND * 110, 1] = 0  # a talker who is silent
    decoder = heed.AdaptiveDecoder().partial_fit(eeg, speech)
    assert np.isnan(decoder.scores_[50:60]).all()
    assert (decoder.log_likelihoods_[50:60] == 0).all()
    assert (abs(decoder.scores_[75:105, 1]) < 1e-6).all()
    assert np.isfinite(decoder.weights_).all()
    same = heed.AdaptiveDecoder().partial_fit(eeg, speech[:, [0, 0]])  # two talkers with the same sound
    assert np.array_equal(same.scores_[:, 0], same.scores_[:, 1], equal_nan=True)


def test_bad_input(population, tmp_path):
    eeg, speech = heard()

    def refuses(error, says, parameters=None, X=eeg, y=speech):
        with pytest.raises(error, match=says):
            heed.AdaptiveDecoder(**(parameters or {})).partial_fit(X, y)

    refuses(TypeError, "population: expected a heed.Population", {"population": 3})
    refuses(FileNotFoundError, "nowhere", {"population": tmp_path / "nowhere.json"})
    refuses(ValueError, "nobody in the population has the channels", {"population": population})
    named = heed.Trial(eeg, speech, channels=CHANNELS)
    refuses(ValueError, "windows of 1 s, not 2 s", {"population": population, "window": 2}, named, None)
    refuses(ValueError, "other signals", {"population": population, "preprocessing": {"band": (1, 9)}}, named, None)
    refuses(ValueError, "other signals", {"population": population, "preprocessing": {"target": "envelope"}}, named, None)
    slow = heed.Trial(eeg[::2], speech[::2], channels=CHANNELS, sampling_frequency=32)
    refuses(ValueError, "other signals", {"population": population, "sampling_frequency": 32}, slow, None)
    refuses(ValueError, "sampled at 32 Hz", {}, slow, None)
    refuses(ValueError, "y: the speech of every speaker", y=None)
    refuses(ValueError, "not who is attended", y=speech[:, 0])
    refuses(ValueError, "two or more talkers", y=speech[:, :1])
    refuses(ValueError, "samples", y=speech[:-1])
    refuses(ValueError, "quarter", {"window": 0.3})
    refuses(ValueError, "ridge", {"ridge": -1})
    decoder = heed.AdaptiveDecoder().partial_fit(eeg, speech)
    with pytest.raises(ValueError, match="columns"):
        decoder.partial_fit(eeg[:, :3], speech)
    with pytest.raises(ValueError, match="speakers"):
        decoder.step(eeg, np.column_stack([speech, speech]))
    with pytest.raises(ValueError, match="lengths: they add up to 3"):
        decoder.partial_fit(eeg, speech, lengths=[3])
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(heed.BadDataError, match="x.json"):
        heed.AdaptiveDecoder.load(tmp_path / "x.json")
    decoder.save(tmp_path / "me.json")
    with pytest.raises(ValueError, match="the decoder has 6 channels"):
        heed.AdaptiveDecoder.load(tmp_path / "me.json").partial_fit(eeg[:, :3], speech)
