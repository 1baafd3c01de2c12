# SPDX-License-Identifier: MIT
"""Decoders beside numpy and scikit-learn written out, with scikit-learn's habits, and with the program's files."""
import copy
import pickle
import warnings

import numpy as np
import pytest
from scipy.linalg import eigh
from sklearn.base import clone
from sklearn.covariance import ledoit_wolf_shrinkage
from sklearn.cross_decomposition import CCA
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import heed
from listening import CHANNELS, listener, signals, trial

DECODERS = [heed.LSDecoder, heed.CCADecoder]


def lagged(x, lags):
    """samples x (lags * channels), lag-major, zeros beyond the ends."""
    result = np.zeros((len(x), len(lags), x.shape[1]))
    for k, lag in enumerate(lags):
        result[max(0, -lag) : len(x) - max(0, lag), k] = x[max(0, lag) : len(x) - max(0, -lag)]
    return result.reshape(len(x), -1)


# ---- oracles ----


def test_weights_are_ridge_regression_on_the_lagged_eeg():
    eeg, speech = signals(1)
    X = lagged(eeg, range(17))
    for ridge in (0.0, 0.1, 3.0):
        decoder = heed.LSDecoder(ridge=ridge).fit(eeg, speech[:, 0])
        R = X.T @ X
        expected = np.linalg.solve(R + ridge * np.trace(R) / len(R) * np.eye(len(R)), X.T @ speech[:, 0])
        np.testing.assert_allclose(decoder.weights_, expected.reshape(17, -1), rtol=1e-8, atol=1e-11)
        np.testing.assert_allclose(decoder.predict(eeg), X @ expected, rtol=1e-8, atol=1e-11)
        spread = R @ expected
        np.testing.assert_allclose(decoder.patterns_, (spread / (expected @ spread)).reshape(17, -1).T, rtol=1e-7, atol=1e-9)


def test_shrinkage_is_scikit_learns_ledoit_wolf():
    eeg, speech = signals(2)
    X = lagged(eeg, range(17))
    shrinkage = ledoit_wolf_shrinkage(X, assume_centered=True)
    R = X.T @ X
    expected = np.linalg.solve((1 - shrinkage) * R + shrinkage * np.trace(R) / len(R) * np.eye(len(R)), X.T @ speech[:, 0])
    decoder = heed.LSDecoder(regularisation="ledoit-wolf").fit(eeg, speech[:, 0])
    np.testing.assert_allclose(decoder.weights_.ravel(), expected, rtol=1e-6, atol=1e-10)


def test_the_best_ridge_is_chosen():
    eeg, speech = signals(3, samples=640, noise=4)
    chosen = heed.LSDecoder(regularisation="ridge-cv").fit(eeg, speech[:, 0])
    grid = 10.0 ** np.arange(-3, 1.25, 0.5)
    candidates = [heed.LSDecoder(ridge=ridge).fit(eeg, speech[:, 0]).weights_ for ridge in grid]
    assert any(np.allclose(chosen.weights_, one, rtol=1e-6, atol=1e-12) for one in candidates)


def test_pairs_solve_the_generalised_eigenproblem():
    """Both sides regularised as documented (docs/decoding.md, CCA); signs and lengths are free."""
    eeg, speech = signals(4, noise=1)
    decoder = heed.CCADecoder(pairs=3, longest_lag=0.125, ridge=0.1).fit(eeg, speech[:, 0])
    X, Y = lagged(eeg, range(9)), lagged(speech[:, :1], range(-8, 1))
    Rx, Ry, Rxy = X.T @ X, Y.T @ Y, X.T @ Y
    Rx += 0.1 * np.trace(Rx) / len(Rx) * np.eye(len(Rx))
    Ry += 1e-3 * np.trace(Ry) / len(Ry) * np.eye(len(Ry))
    squares, filters = eigh(Rxy.T @ np.linalg.solve(Rx, Rxy), Ry)
    for pair in range(3):
        stimulus = filters[:, -1 - pair]
        for ours, theirs in (
            (decoder.stimulus_filters_[pair].ravel(), stimulus),
            (decoder.eeg_filters_[pair].ravel(), np.linalg.solve(Rx, Rxy @ stimulus)),
        ):
            cosine = abs(ours @ theirs) / np.linalg.norm(ours) / np.linalg.norm(theirs)
            assert cosine == pytest.approx(1, abs=1e-9)


def test_the_first_pair_is_that_of_scikit_learn():
    """Without lags and ridge, where its iteration converges."""
    eeg, speech = signals(4, noise=1)
    heard = speech[:-4, :1] - speech[:-4, :1].mean()
    answer = eeg[4:] - eeg[4:].mean(axis=0)
    decoder = heed.CCADecoder(longest_lag=0.0, ridge=0.0).fit(answer, heard[:, 0])
    theirs = CCA(n_components=1, scale=False).fit_transform(answer, heard)[0][:, 0]
    assert abs(np.corrcoef(decoder.predict(answer), theirs)[0, 1]) == pytest.approx(1, abs=1e-6)


def test_scores_of_windows_are_correlations():
    eeg, speech = signals(5, speakers=3)
    decoder = heed.LSDecoder(score_rule="pearson").fit(eeg, speech[:, 0])
    found = decoder.window_scores(eeg, speech, window=2.0)
    reconstruction = decoder.predict(eeg)
    assert found.shape == (30, 3)
    for w in (0, 13, 29):
        part = slice(128 * w, 128 * w + 128)
        for s in range(3):
            assert found[w, s] == pytest.approx(np.corrcoef(reconstruction[part], speech[part, s])[0, 1], abs=1e-12)


def test_cosines_keep_the_mean_and_are_shrunk_towards_the_usual_power():
    eeg, speech = signals(5)
    decoder = heed.LSDecoder(score_rule="cosine", score_shrinkage=0.2).fit(eeg, speech[:, 0])
    found, u = decoder.window_scores(eeg, speech), decoder.predict(eeg)
    power = lambda x: 0.2 * 64 * np.mean(x**2)  # of the trial
    for w in (0, 31, 59):
        part = slice(64 * w, 64 * w + 64)
        for s in range(2):
            a, b = u[part], speech[part, s]
            expected = a @ b / np.sqrt((a @ a + power(u)) * (b @ b + power(speech[:, s])))
            assert found[w, s] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", DECODERS)
def test_the_attended_speaker_is_found(kind):
    eeg, speech = signals(6)
    others = {"others": speech[:, 1]} if kind is heed.CCADecoder else {}
    decoder = kind().fit(eeg, speech[:, 0], **others)
    new, heard = signals(7)
    assert (decoder.window_scores(new, heard).argmax(axis=1) == 0).mean() > 0.9
    assert decoder.score(new, heard[:, 0]) > 0.5 > abs(decoder.score(new, heard[:, 1]))


def test_the_default_is_heeds_recipe_and_the_papers_a_word_away():
    eeg, speech = signals(6)
    ours, paper = (heed.LSDecoder(recipe=recipe).fit(eeg, speech[:, 0]).decoder_ for recipe in (None, "paper"))
    assert (ours.score, ours.targets, ours.preprocessing["band"]) == ("cosine", ["onset"], (0.5, 9.0))
    assert (paper.score, paper.targets, paper.preprocessing["band"]) == ("pearson", ["envelope"], (1.0, 9.0))
    by_hand = dict(ridge=0.1, score_rule="pearson", preprocessing={"band": (1, 9), "target": "envelope"})
    assert heed.LSDecoder(**by_hand).fit(eeg, speech[:, 0]).decoder_ == paper


def test_without_labels_it_finds_out_itself():
    trials = [heed.Trial(*signals(seed, noise=1.0)) for seed in range(4)]  # nobody says who was attended
    decoder = heed.LSDecoder().fit(trials, label_free=True)
    assert [one.shape for one in decoder.attention_] == [(60, 2)] * 4 and len(decoder.certainty_) == 3
    new, heard = signals(7)
    right = decoder.window_scores(new, heard).argmax(axis=1).mean()
    assert min(right, 1 - right) < 0.1  # which of them it is, no one can know without labels
    with pytest.raises(heed.InvalidArgumentError, match="a listener or trials are needed"):
        heed.LSDecoder().fit(new, heard[:, 0], label_free=True)
    with pytest.raises(heed.InvalidArgumentError, match="one listener at a time, not 2"):
        heed.LSDecoder().fit([listener(), listener()], label_free=True)


# ---- sequences, gaps ----


@pytest.mark.parametrize("kind", DECODERS)
def test_sequences_do_not_touch(kind):
    (a, heard_a), (b, heard_b) = signals(8), signals(9, samples=64 * 30)
    together = kind().fit(np.vstack([a, b]), np.r_[heard_a[:, 0], heard_b[:, 0]], lengths=[len(a), len(b)])
    np.testing.assert_array_equal(together.predict(np.vstack([a, b]), lengths=[len(a), len(b)]),
                                  np.r_[together.predict(a), together.predict(b)])
    scores, counts = heed.LSDecoder().fit(a, heard_a[:, 0]).window_scores(
        np.vstack([a, b]), np.vstack([heard_a, heard_b]), 10.0, [len(a), len(b)], return_lengths=True
    )
    assert counts == [6, 3] and scores.shape == (9, 2)


def test_a_row_with_nan_was_not_recorded():
    eeg, speech = signals(10)
    eeg[1000:1010, 2] = np.nan
    decoder = heed.LSDecoder().fit(eeg, speech[:, 0])
    assert np.isfinite(decoder.weights_).all()
    found = decoder.predict(eeg)
    assert np.isnan(found[1000 - 16 : 1010]).all() and np.isnan(found).sum() == 26
    assert np.isfinite(decoder.score(eeg, speech[:, 0]))
    scores = decoder.window_scores(eeg, speech)
    assert np.flatnonzero(np.isnan(scores).all(axis=1)).tolist() == [15] and np.isnan(scores).any(axis=1).sum() == 1


# ---- scikit-learn's habits ----


@pytest.mark.parametrize("kind", DECODERS)
@pytest.mark.parametrize("longest_lag", [0.25, 0.05])
def test_scikit_learn_has_nothing_to_say_against_them(kind, longest_lag):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the skips, each with its reason, and what the checks provoke
        check_estimator(kind(longest_lag=longest_lag))


@pytest.mark.parametrize("kind", DECODERS)
def test_clones_copies_and_pickles(kind):
    eeg, speech = signals(11)
    decoder = kind(ridge=0.3, longest_lag=0.125).fit(eeg, speech[:, 0])
    assert clone(decoder).get_params() == decoder.get_params() and not hasattr(clone(decoder), "decoder_")
    for again in (pickle.loads(pickle.dumps(decoder)), copy.deepcopy(decoder), copy.copy(decoder)):
        np.testing.assert_array_equal(again.predict(eeg), decoder.predict(eeg))
        assert again.decoder_ == decoder.decoder_


def test_grids_and_pipelines():
    eeg, speech = signals(12, noise=3)
    found = GridSearchCV(heed.LSDecoder(), {"ridge": [1e-3, 0.1, 1e6]}, cv=KFold(3)).fit(eeg, speech[:, 0])
    assert found.best_params_["ridge"] < 1e6 and found.best_score_ > 0.3
    pipeline = make_pipeline(StandardScaler(), heed.CCADecoder(pairs=2, longest_lag=0.125))
    assert cross_val_score(pipeline, eeg, speech[:, 0], cv=KFold(3)).min() > 0.3
    assert list(pipeline.fit(eeg, speech[:, 0])[-1].get_feature_names_out()) == ["ccadecoder0", "ccadecoder1"]


def test_channels_have_names():
    pandas = pytest.importorskip("pandas")
    eeg, speech = signals(13)
    frame = pandas.DataFrame(eeg, columns=CHANNELS)
    decoder = heed.LSDecoder().fit(frame, speech[:, 0])
    assert list(decoder.feature_names_in_) == decoder.decoder_.channels == CHANNELS
    with pytest.raises(ValueError, match="feature names"):
        decoder.predict(frame[CHANNELS[::-1]])
    one = trial(13)
    np.testing.assert_array_equal(decoder.predict(one), decoder.predict(frame))
    np.testing.assert_array_equal(decoder.window_scores(one), decoder.window_scores(frame, speech))


def test_mne_raw_and_epochs():
    mne = pytest.importorskip("mne")
    eeg, speech = signals(14)
    info = mne.create_info(CHANNELS, 64.0, "eeg")
    raw = mne.io.RawArray(eeg.T, info, verbose="error")
    decoder = heed.LSDecoder().fit(raw, speech[:, 0])
    plain = heed.LSDecoder().fit(eeg, speech[:, 0])
    np.testing.assert_array_equal(decoder.weights_, plain.weights_)
    np.testing.assert_array_equal(decoder.predict(raw.copy().reorder_channels(CHANNELS[::-1])), plain.predict(eeg))
    epochs = mne.EpochsArray(eeg.T.reshape(len(CHANNELS), 4, -1).transpose(1, 0, 2), info, verbose="error")
    np.testing.assert_array_equal(decoder.predict(epochs), plain.predict(eeg, lengths=[960] * 4))
    with pytest.raises(heed.InvalidArgumentError, match="128 Hz, the decoder works at 64 Hz"):
        decoder.predict(mne.io.RawArray(eeg.T, mne.create_info(CHANNELS, 128.0, "eeg"), verbose="error"))


# ---- files ----


@pytest.mark.parametrize("kind", DECODERS)
def test_files_read_back(kind, tmp_path):
    decoder = kind(longest_lag=0.125).fit(listener())
    decoder.save(tmp_path / "decoder.json")
    again = kind.load(tmp_path / "decoder.json")
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "decoder.json").read_bytes()
    assert again.longest_lag == 0.125 and list(again.feature_names_in_) == CHANNELS
    np.testing.assert_array_equal(again.window_scores(trial(5)), decoder.window_scores(trial(5)))
    other = heed.CCADecoder if kind is heed.LSDecoder else heed.LSDecoder
    with pytest.raises(heed.InvalidArgumentError, match="of kind"):
        other.load(tmp_path / "decoder.json")


def test_causal_decoders_keep_their_scales():
    eeg, speech = signals(15)
    decoder = heed.LSDecoder(preprocessing={"filters": "causal"}).fit(100 * eeg, speech[:, 0])
    assert decoder.decoder_.preprocessing["filters"] == "causal"
    other = heed.LSDecoder(preprocessing={"filters": "causal"}).fit(eeg, speech[:, 0])
    np.testing.assert_allclose(decoder.weights_, other.weights_, rtol=1e-9, atol=1e-12)


# ---- mistakes ----


def test_mistakes_are_told(tmp_path):
    eeg, speech = signals(16, samples=640)
    with pytest.raises(ValueError, match="requires y"):
        heed.LSDecoder().fit(eeg)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        heed.LSDecoder().fit(eeg, speech[:-1, 0])
    with pytest.raises(ValueError, match="infinity"):
        heed.LSDecoder().fit(np.where(eeg > 2, np.inf, eeg), speech[:, 0])
    with pytest.raises(heed.InvalidArgumentError, match="regularisation: 'lasso'"):
        heed.LSDecoder(regularisation="lasso").fit(eeg, speech[:, 0])
    with pytest.raises(heed.InvalidArgumentError, match="ridge is -1"):
        heed.LSDecoder(ridge=-1).fit(eeg, speech[:, 0])
    with pytest.raises(heed.InvalidArgumentError, match="lags must increase"):
        heed.LSDecoder(longest_lag=-0.1).fit(eeg, speech[:, 0])
    with pytest.raises(heed.InvalidArgumentError, match="there is no 'colour'"):
        heed.LSDecoder(preprocessing={"colour": 1}).fit(eeg, speech[:, 0])
    with pytest.raises(heed.InvalidArgumentError, match="rate of 128 Hz"):
        heed.LSDecoder(preprocessing={"rate": 128}).fit(eeg, speech[:, 0])
    with pytest.raises(heed.BadDataError, match="fewer than the lags"):
        heed.LSDecoder().fit(eeg[:12], speech[:12, 0])
    with pytest.raises(heed.InvalidArgumentError, match="add up to"):
        heed.LSDecoder().fit(eeg, speech[:, 0], lengths=[600])
    with pytest.raises(heed.SingularError, match="flat"):
        heed.LSDecoder().fit(0 * eeg, speech[:, 0])
    decoder = heed.LSDecoder().fit(eeg, speech[:, 0])
    with pytest.raises(heed.InvalidArgumentError, match="quarter seconds"):
        decoder.window_scores(eeg, speech, 0.3)
    with pytest.raises(heed.InvalidArgumentError, match="639 samples, X has 640"):
        decoder.window_scores(eeg, speech[1:])
    with pytest.raises(heed.InvalidArgumentError, match="envelope for each speaker"):
        decoder.window_scores(eeg)
    pairs = heed.CCADecoder().fit(eeg, speech[:, 0])
    for call in (lambda: pairs.window_scores(eeg, speech), lambda: pairs.score_trials(listener(2)), lambda: pairs.save(tmp_path / "x")):
        with pytest.raises(heed.InvalidArgumentError, match=r"others: .* fit\(X, y, others=...\)"):
            call()
    assert not (tmp_path / "x").exists()
    with pytest.raises(AttributeError, match="not fitted"):
        heed.LSDecoder().weights_
    with pytest.raises(heed.NotFoundError):
        heed.LSDecoder.load(tmp_path / "nowhere.json")
    with pytest.raises(heed.CannotCreateError):
        decoder.save(tmp_path / "no folder" / "decoder.json")
