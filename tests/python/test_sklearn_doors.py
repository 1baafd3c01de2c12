# SPDX-License-Identifier: MIT
"""Scores, signals and labels as people of machine learning have them: scikit-learn's scorers, lists of trials, single
columns, frames and MNE's objects, all against the plain arrays."""
import mne
import numpy as np
import pandas as pd
import pytest
from attention_cases import scores_of
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate

import heed
from heed import AttentionHMM

LENGTHS = [100, 250, 150]


@pytest.fixture
def trials():
    X, y = scores_of(31, windows=500, separation=0.3)
    return X, y, np.split(X, np.cumsum(LENGTHS)[:-1]), np.split(y, np.cumsum(LENGTHS)[:-1])


# ---- scorers ----


@pytest.mark.parametrize("names", [None, ["left", "right"], ["right", "left"]])
def test_scorers_that_need_probabilities(names):
    """Names in the order of the alphabet, and not: log loss and area are those of the probabilities themselves."""
    X, y = scores_of(32, windows=600, separation=0.3, block=30)
    labels = y if names is None else np.array(names)[y]
    table = X if names is None else pd.DataFrame(X, columns=names)
    found = cross_validate(AttentionHMM(0.01), table, labels, cv=KFold(3), scoring=["neg_log_loss", "roc_auc", "accuracy"])
    for fold, (train, test) in enumerate(KFold(3).split(X)):
        posteriors = AttentionHMM(0.01).fit(X[train], y[train]).predict_proba(X[test])
        picked = posteriors[np.arange(len(test)), y[test]]
        assert found["test_neg_log_loss"][fold] == pytest.approx(np.mean(np.log(picked)), rel=1e-12)
        assert found["test_roc_auc"][fold] == pytest.approx(roc_auc_score(y[test], posteriors[:, 1]), rel=1e-12)
        assert found["test_accuracy"][fold] == np.mean(posteriors.argmax(axis=1) == y[test])
    grid = {"switch_probability": [1e-9, 0.03, 0.5]}
    for scoring in ["neg_log_loss", "roc_auc"]:
        search = GridSearchCV(AttentionHMM(), grid, cv=KFold(3), scoring=scoring, error_score="raise").fit(table, labels)
        assert search.best_params_ == {"switch_probability": 0.03}


def test_log_loss_of_three_speakers():
    X, y = scores_of(33, windows=900, speakers=3, separation=0.4, block=30)
    names = np.array(["middle", "left", "right"])
    frame = pd.DataFrame(X, columns=names)
    hmm = AttentionHMM(0.01).fit(frame, names[y])
    assert list(hmm.classes_) == ["left", "middle", "right"]
    plain = AttentionHMM(0.01).fit(X, y)
    np.testing.assert_array_equal(plain.classes_, [0, 1, 2])
    np.testing.assert_array_equal(hmm.predict_proba(frame), plain.predict_proba(X)[:, [1, 0, 2]])
    scores = cross_val_score(AttentionHMM(0.01), frame, names[y], cv=KFold(3), scoring="neg_log_loss", error_score="raise")
    np.testing.assert_allclose(scores, cross_val_score(AttentionHMM(0.01), X, y, cv=KFold(3), scoring="neg_log_loss"), rtol=1e-12)
    assert -log_loss(y, plain.predict_proba(X)) > -np.log(3)


def test_participants_have_classes_too():
    cohort = heed.simulate_scores(participants=2, speakers=3, trials=1, seed=1)
    np.testing.assert_array_equal(AttentionHMM().fit(cohort).classes_, [0, 1, 2])


# ---- trials of different lengths ----


def test_lists_of_unequal_trials(trials):
    X, y, apart, labels = trials
    below = AttentionHMM(0.01).fit(X, y, LENGTHS)
    hmm = AttentionHMM(0.01).fit(apart, labels)
    assert hmm.model_ == below.model_
    for method in ["smooth", "viterbi"]:
        for call in ["predict", "predict_proba"]:
            found = getattr(hmm.set_params(method=method), call)(apart)
            assert [len(one) for one in found] == LENGTHS
            np.testing.assert_array_equal(np.concatenate(found), getattr(below.set_params(method=method), call)(X, LENGTHS))
    assert hmm.score(apart, labels) == hmm.score(apart, y) == below.score(X, y, LENGTHS)
    assert hmm.log_evidence(apart) == below.log_evidence(X, LENGTHS)
    each = AttentionHMM(0.01).fit(apart, [0, 1, 0], groups=["a", "b", "a"])
    assert each.model_ == AttentionHMM(0.01).fit(
        X, np.repeat([0, 1, 0], LENGTHS), LENGTHS, groups=np.repeat(["a", "b", "a"], LENGTHS)).model_
    search = GridSearchCV(AttentionHMM(), {"switch_probability": [1e-9, 0.01]}, cv=KFold(3), error_score="raise")
    first = AttentionHMM(0.01).fit(X[100:], y[100:], LENGTHS[1:]).score(X[:100], y[:100])
    assert search.fit(apart, labels).cv_results_["split0_test_score"][1] == first


def test_lists_that_do_not_fit_are_refused(trials):
    _, _, apart, labels = trials
    with pytest.raises(ValueError, match="y: .*trial 2 has 100 for 250 rows"):
        AttentionHMM().fit(apart, [labels[0], labels[0], labels[2]])
    with pytest.raises(ValueError, match="lengths: .*of their own"):
        AttentionHMM().fit(apart, labels, LENGTHS)
    with pytest.raises(ValueError, match="trials must have the same columns, but they have 2 and 3"):
        AttentionHMM().fit([np.zeros((5, 2)), np.zeros((5, 3))])
    frames = [pd.DataFrame(apart[0], columns=["a", "b"]), pd.DataFrame(apart[1], columns=["b", "a"])]
    with pytest.raises(ValueError, match="trial 2 has the columns b, a, the first has a, b"):
        AttentionHMM().fit(frames)


def test_frames_in_lists_keep_their_names(trials):
    X, y, apart, labels = trials
    frames = [pd.DataFrame(one, columns=["left", "right"], index=np.arange(len(one)) + 7) for one in apart]
    names = [pd.Series(np.array(["left", "right"])[one], index=frame.index) for one, frame in zip(labels, frames)]
    hmm = AttentionHMM(0.01).fit(frames, names)
    assert list(hmm.feature_names_in_) == ["left", "right"]
    assert set(np.concatenate(hmm.predict(frames))) == {"left", "right"}
    assert hmm.model_ == AttentionHMM(0.01).fit(X, y, LENGTHS).model_


# ---- one column ----


@pytest.mark.parametrize("emission, second, first", [
    ("probability", lambda p: p, lambda p: 1 - p),
    ("softmax", lambda p: np.log(p / (1 - p)), lambda p: 0 * p),
])
def test_one_column_is_that_of_the_second_class(emission, second, first):
    rng = np.random.default_rng(35)
    y = (np.arange(400) // 50) % 2
    p = 1 / (1 + np.exp(-(2 * y - 1) - rng.standard_normal(400)))
    column, both = second(p), np.column_stack([first(p), second(p)])
    hmm = AttentionHMM(0.01, emission=emission)
    expected = clone(hmm).fit(both, y)
    for given in [column, column[:, None], pd.DataFrame({"right": column}), pd.Series(column)]:
        found = clone(hmm).fit(given, y)
        assert found.n_features_in_ == 1 and found.model_.emission == expected.model_.emission
        np.testing.assert_array_equal(found.predict_proba(given), expected.predict_proba(both))
        np.testing.assert_array_equal(found.classes_, [0, 1])
    np.testing.assert_array_equal(found.step(column[0]), expected.step(both[0]))
    np.testing.assert_array_equal(found.step([column[1]]), expected.step(both[1]))
    named = clone(hmm).fit(column, np.array(["woman", "man"])[1 - y])  # P(woman): the second of the alphabet
    np.testing.assert_array_equal(named.predict(column), np.array(["man", "woman"])[expected.predict(both)])
    assert named.score(column, np.array(["man", "woman"])[y]) == expected.score(both, y)
    with pytest.raises(ValueError, match="one column tells of two speakers, but labels name 3"):
        clone(hmm).fit(column, np.array(["a", "b", "c"])[np.arange(400) % 3])
    missing = column.copy()
    missing[7] = np.nan
    assert np.isfinite(found.predict_proba(missing)).all()


def test_a_classifier_goes_in_by_its_decision_function():
    rng = np.random.default_rng(24)
    y = (np.arange(2000) // 100) % 2
    features = rng.standard_normal((2000, 5)) + 0.4 * y[:, None]
    classifier = LogisticRegression().fit(features[:1000], y[:1000])
    logits, probabilities = classifier.decision_function(features[1000:]), classifier.predict_proba(features[1000:])
    by_logits = AttentionHMM(0.01, emission="softmax").fit(logits).predict_proba(logits)
    by_probabilities = AttentionHMM(0.01, emission="probability").fit(probabilities).predict_proba(probabilities)
    np.testing.assert_allclose(by_logits, by_probabilities, rtol=0, atol=1e-12)


def test_one_column_of_scores_is_refused():
    for emission in ["auto", "gaussian", heed.GaussianEmission(0.1, 0, 0.3)]:
        with pytest.raises(ValueError, match="1 feature.*minimum of 2|Expected 2D"):
            AttentionHMM(emission=emission).fit(np.zeros((5, 1)))
        with pytest.raises(ValueError, match="Expected 2D"):
            AttentionHMM(emission=emission).fit(np.zeros(5))


# ---- MNE and pandas ----


def test_mne_objects_of_scores(trials):
    X, y = scores_of(36, windows=300)
    info = mne.create_info(["left", "right", "Cz"], 0.5, ["misc", "misc", "eeg"])
    data = np.column_stack([X, np.zeros(300)]).T
    raw = mne.io.RawArray(data, info, verbose="error")
    epochs = mne.EpochsArray(data.reshape(3, 3, 100).transpose(1, 0, 2), info, verbose="error")
    of_raw, of_epochs = AttentionHMM().fit(raw, y), AttentionHMM().fit(epochs, y.reshape(3, 100))
    assert list(of_raw.feature_names_in_) == list(of_epochs.feature_names_in_) == ["left", "right"]
    assert of_raw.switch_probability_ == pytest.approx(0.002), "windows of two seconds"
    plain = AttentionHMM(window=2.0).fit(X, y)
    np.testing.assert_array_equal(of_raw.predict_proba(raw), plain.predict_proba(X))
    block = AttentionHMM(window=2.0).fit(X, y, [100] * 3)
    np.testing.assert_array_equal(of_epochs.predict_proba(epochs), block.predict_proba(X, [100] * 3).reshape(3, 100, 2))
    with pytest.raises(ValueError, match="window: is 1 s"):
        AttentionHMM(window=1.0).fit(raw, y)
    eeg = mne.io.RawArray(data[:2], mne.create_info(["Fz", "Cz"], 64.0, "eeg"), verbose="error")
    with pytest.raises(heed.InvalidArgumentError, match="no channel of type misc.*heed.LSDecoder"):
        AttentionHMM().fit(eeg, y)


@pytest.fixture
def speech_and_eeg():
    random = np.random.default_rng(0)
    speech = random.standard_normal((6400, 2))
    return speech, np.roll(speech[:, :1], 6, axis=0) + random.standard_normal((6400, 8))


@pytest.mark.parametrize("make", [heed.LSDecoder, lambda: heed.CCADecoder(pairs=3)])
def test_decoders_take_epochs_blocks_and_lists(make, speech_and_eeg):
    speech, eeg = speech_and_eeg
    lengths = [1600] * 4
    others = {} if make is heed.LSDecoder else {"others": speech[:, 1]}
    plain = make().fit(eeg, speech[:, 0], lengths=lengths, **others)
    heard = speech.reshape(4, 1600, 2)
    apart = {} if make is heed.LSDecoder else {"others": heard[:, :, 1]}
    info = mne.create_info([f"E{k}" for k in range(8)], 64.0, "eeg")
    epochs = mne.EpochsArray(eeg.reshape(4, 1600, 8).transpose(0, 2, 1), info, verbose="error")
    for given in [epochs, eeg.reshape(4, 1600, 8), list(eeg.reshape(4, 1600, 8))]:
        decoder = make().fit(given, heard[:, :, 0], **apart)
        np.testing.assert_array_equal(decoder.predict(given), plain.predict(eeg, lengths))
        assert decoder.score(given, heard[:, :, 0]) == plain.score(eeg, speech[:, 0], lengths)
        found = decoder.window_scores(given, heard, window=5.0, return_lengths=True)
        expected = plain.window_scores(eeg, speech, window=5.0, lengths=lengths, return_lengths=True)
        np.testing.assert_array_equal(found[0], expected[0])
        assert found[1] == expected[1] == [5] * 4


def test_decoders_take_unequal_trials(speech_and_eeg):
    speech, eeg = speech_and_eeg
    lengths = [1600, 3200, 1600]
    ends = np.cumsum(lengths)[:-1]
    frames = [pd.DataFrame(one, columns=list("abcdefgh")) for one in np.split(eeg, ends)]
    decoder = heed.LSDecoder().fit(frames, np.split(speech[:, 0], ends))
    plain = heed.LSDecoder().fit(eeg, speech[:, 0], lengths=lengths)
    np.testing.assert_array_equal(decoder.weights_, plain.weights_)
    assert list(decoder.feature_names_in_) == list("abcdefgh")
    scores, counts = decoder.window_scores(frames, np.split(speech, ends), window=5.0, return_lengths=True)
    assert counts == [5, 10, 5]
    np.testing.assert_array_equal(scores, plain.window_scores(eeg, speech, window=5.0, lengths=lengths))
    with pytest.raises(ValueError, match="trial 1 has 3200 for 1600 rows"):
        heed.LSDecoder().fit(frames, [speech[:3200, 0], speech[3200:4800, 0], speech[4800:, 0]])


def test_preprocessed_frames_keep_their_names():
    eeg = np.random.default_rng(1).standard_normal((2560, 3))
    frame = pd.DataFrame(eeg, columns=["Fz", "Cz", "Pz"])
    made = heed.preprocess(frame, 256)
    assert list(made.columns) == ["Fz", "Cz", "Pz"]
    np.testing.assert_array_equal(made, heed.preprocess(eeg, 256))
    assert list(heed.preprocess(frame, 256, bad=["Cz"]).columns) == ["Fz", "Pz"]
    assert list(heed.LSDecoder().fit(made, made["Fz"]).feature_names_in_) == ["Fz", "Cz", "Pz"]


def test_preprocessed_epochs_go_straight_into_decoders():
    eeg = np.random.default_rng(2).standard_normal((3, 2, 2560))
    epochs = mne.EpochsArray(eeg, mne.create_info(["Fz", "Cz"], 256.0, "eeg"), verbose="error")
    made = heed.preprocess(epochs)
    assert made.shape == (3, 640, 2)
    decoder = heed.LSDecoder().fit(made, made[:, :, 0])
    below = heed.LSDecoder().fit(made.reshape(-1, 2), made[:, :, 0].ravel(), lengths=[640] * 3)
    np.testing.assert_array_equal(decoder.weights_, below.weights_)
