# SPDX-License-Identifier: MIT
"""Values go through pickles, copies, files and other processes and come out equal, to the last bit."""
import copy
import gc
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest

import heed

# A third and a tenth have no end in binary: whoever writes too few digits is found out.
MIXTURE = heed.Model.from_json(json.dumps({
    "Format": "heed-model", "FormatVersion": 1, "HeedVersion": "0.1.0", "WindowLength": 1.0, "Participants": 3,
    "Origin": "made for a test",
    "Emission": {"Kind": "mixture", "Covariance": "full", "States": ["left", "right"], "Features": ["a", "b"],
                 "Components": [
                     {"State": "left", "Weight": 1 / 3, "Mean": [0.1, 1 / 3], "Covariance": [1, 0.1, 0.1, 2]},
                     {"State": "left", "Weight": 2 / 3, "Mean": [-0.1, 0], "Covariance": [1 / 3, 0, 0, 1]},
                     {"State": "right", "Weight": 1, "Mean": [1, 2], "Covariance": [1, 0, 0, 1]}]}}))
EMISSIONS = [
    heed.GaussianEmission(0.1, 1 / 3, 0.303),
    heed.GaussianEmission(0.1, 0.03, 0.303, sigma_unattended=1 / 3, fisher=False),
    heed.GaussianEmission(0.1, 0.03, 0.303, correlation=-1),
    heed.SoftmaxEmission(),
    heed.SoftmaxEmission([1 / 3, 2 / 3]),
    heed.ProbabilityEmission([0.1, 0.9]),
    heed.HardDecisionEmission(2 / 3),
    heed.LogLikelihoodEmission(),
    MIXTURE.emission,
]
MODELS = [heed.Model(emission, window=1 / 3, temperature=0.1, origin="für 'Tests' \n\u2028") for emission in EMISSIONS] + [MIXTURE]
VALUES = EMISSIONS + MODELS

SCORES = np.tanh(np.random.default_rng(0).normal(scale=0.3, size=(60, 2)))
SCORES[7] = np.nan
TRIAL = heed.ScoredTrial(SCORES, np.repeat([0, -1, 1], 20), name="a", onset=1 / 3, window=0.1)
PARTICIPANT = heed.Participant("01", [TRIAL, heed.ScoredTrial(SCORES[:5], window=0.1)], speakers=["left", "right"])


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_pickles_and_copies_are_equal(value):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        other = pickle.loads(pickle.dumps(value, protocol))
        assert type(other) is type(value) and other == value and hash(other) == hash(value)
        assert repr(other) == repr(value)
    for other in (copy.copy(value), copy.deepcopy(value), copy.deepcopy([value, value])[0]):
        assert other == value and other is not value


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_files_and_text_keep_every_bit(model, tmp_path):
    model.save(tmp_path / "model.json")
    for other in (heed.Model.load(tmp_path / "model.json"), heed.Model.from_json(model.to_json())):
        assert other == model
        assert (other.window, other.temperature, other.origin, other.participants) == (
            model.window, model.temperature, model.origin, model.participants)
    assert (tmp_path / "model.json").read_text(encoding="utf-8") == model.to_json()


@pytest.mark.parametrize("value", [TRIAL, PARTICIPANT], ids=["trial", "participant"])
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_scores_too(value, protocol):
    for other in (pickle.loads(pickle.dumps(value, protocol)), copy.deepcopy(value)):
        assert other == value and other is not value
        trial = other if value is TRIAL else other.trials[0]
        assert trial.scores.tobytes() == SCORES.tobytes()
        assert (trial.onset, trial.window, trial.name) == (1 / 3, 0.1, "a")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("value", [MIXTURE.emission.mixtures[0][0], heed._native.AttentionStream(MODELS[0], 2)],
                         ids=["component", "stream"])
def test_what_cannot_be_pickled_says_so(value, protocol):
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(value, protocol)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_estimators_that_were_fitted(protocol):
    pytest.importorskip("sklearn")
    hmm = heed.AttentionHMM(0.01, method="causal").fit(SCORES, np.repeat([0, -1, 1], 20))
    hmm.step(SCORES[0])
    other = pickle.loads(pickle.dumps(hmm, protocol))
    assert other.model_ == hmm.model_ and other.get_params() == hmm.get_params()
    np.testing.assert_array_equal(other.predict_proba(SCORES), hmm.predict_proba(SCORES))
    np.testing.assert_array_equal(other.step(SCORES[0]), hmm.reset().step(SCORES[0]))  # a trial begins anew


def recorded():
    random = np.random.default_rng(0)
    eeg, speech = random.normal(size=(640, 3)), random.normal(size=(640, 2))
    eeg[100:120] = np.nan
    return eeg, speech


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_listeners_with_their_signals(protocol):
    eeg, speech = recorded()
    listener = heed.Listener("01", [heed.Trial(eeg, speech, np.arange(640) // 320, name="a", onset=1 / 3)])
    for other in (pickle.loads(pickle.dumps(listener, protocol)), copy.deepcopy(listener)):
        assert (other.id, other.runs, other.preprocessing) == (listener.id, listener.runs, listener.preprocessing)
        for one, trial in zip(other.trials, listener.trials):
            assert (one.name, one.onset, one.channels, one.speakers) == (trial.name, trial.onset, trial.channels, trial.speakers)
            for array in ("eeg", "stimuli", "attended", "missing"):
                np.testing.assert_array_equal(getattr(one, array), getattr(trial, array))


@pytest.mark.parametrize("change", [{2: [(0, 10**9, 0)]}, {2: [(-1, 5, 0)]}, {3: [(2**62, 2**62)]}, {0: "abc"}, {4: 3}])
def test_a_damaged_trial_does_not_say_where_to_write(change):
    state = list(heed.Trial(*recorded(), 0).__getstate__())
    for place, value in change.items():
        state[place] = value
    with pytest.raises((ValueError, TypeError)):
        heed.Trial.__new__(heed.Trial).__setstate__(tuple(state))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("name", ["LSDecoder", "CCADecoder"])
def test_decoders_that_were_trained(name, protocol):
    pytest.importorskip("sklearn")
    eeg, speech = np.nan_to_num(recorded()[0]), recorded()[1]
    decoder = getattr(heed, name)().fit(eeg, speech[:, 0])
    other = pickle.loads(pickle.dumps(decoder, protocol))
    assert other.decoder_ == decoder.decoder_ and other.get_params() == decoder.get_params()
    np.testing.assert_array_equal(other.predict(eeg), decoder.predict(eeg))


def test_values_that_differ_are_not_equal():
    for k, value in enumerate(VALUES):
        assert [other for j, other in enumerate(VALUES) if j != k and other == value] == []
        assert value != "text" and value != None  # noqa: E711
    assert len(set(VALUES)) == len(VALUES)
    assert heed.GaussianEmission(0.1, 0, 0.3) != heed.GaussianEmission(np.nextafter(0.1, 1), 0, 0.3)


def test_a_pickled_emission_tracks_to_the_same_bits():
    scores = np.tanh(np.random.default_rng(0).normal(scale=0.3, size=(600, 2)))
    for value in (EMISSIONS[0], MODELS[1]):
        np.testing.assert_array_equal(heed.smooth(scores, 0.01, emission=pickle.loads(pickle.dumps(value))),
                                      heed.smooth(scores, 0.01, emission=value))


def test_other_processes_read_them(tmp_path):
    (tmp_path / "values.pickle").write_bytes(pickle.dumps(VALUES))
    script = """
import pickle, sys, heed
values = pickle.load(open(sys.argv[1], "rb"))
print([repr(value) for value in values])
"""
    done = subprocess.run([sys.executable, "-B", "-c", script, tmp_path / "values.pickle"], capture_output=True, text=True,
                          check=True)
    assert done.stdout.strip() == str([repr(value) for value in VALUES])


@pytest.mark.parametrize("state", [None, 3, "", "{}", "null", b"\xff", MODELS[3].to_json(), ("a", "b")])
def test_a_damaged_pickle_is_an_exception(state):
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        heed.GaussianEmission.__new__(heed.GaussianEmission).__setstate__(state)


@pytest.mark.parametrize("name", [name for name in heed.__all__ if name.endswith("Error")])
def test_errors_go_to_other_processes_too(name):
    error = getattr(heed, name)("row 17: 'abc' is not a number")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        other = pickle.loads(pickle.dumps(error, protocol))
        assert type(other) is type(error) and str(other) == str(error) == "row 17: 'abc' is not a number"


def test_parts_outlive_the_whole():
    model = heed.Model.from_json(MIXTURE.to_json())
    component = model.emission.mixtures[0][0]
    mean, covariance = component.mean, component.covariance
    weight = component.weight
    del model
    gc.collect()
    assert (component.weight, weight) == (1 / 3, 1 / 3)
    np.testing.assert_array_equal(mean, [0.1, 1 / 3])
    np.testing.assert_array_equal(component.mean, mean)
    np.testing.assert_array_equal(covariance, [[1, 0.1], [0.1, 2]])
    mean[0] = 7
    assert component.mean[0] == 0.1  # a copy: models do not change


class Annotated(heed.GaussianEmission):
    """Users may derive from what heed gives them."""

    def __init__(self, note):
        super().__init__(0.1, 0.03, 0.3)
        self.note = note


def test_subclasses_are_emissions_too():
    scores = np.tanh(np.random.default_rng(0).normal(scale=0.3, size=(60, 2)))
    np.testing.assert_array_equal(heed.smooth(scores, emission=Annotated("mine")),
                                  heed.smooth(scores, emission=heed.GaussianEmission(0.1, 0.03, 0.3)))


def test_a_subclass_that_forgets_its_base_is_told():
    class Forgetful(heed.GaussianEmission):
        def __init__(self):
            pass

    with pytest.raises(TypeError, match="__init__"):
        Forgetful()
