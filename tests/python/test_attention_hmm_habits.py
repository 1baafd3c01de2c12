# SPDX-License-Identifier: MIT
"""AttentionHMM among scikit-learn and pandas: what it takes, how it is copied and searched, and what it refuses."""
import copy
import html
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from attention_cases import scores_of
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, check_cv, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import heed
from heed import AttentionHMM

pytestmark = pytest.mark.filterwarnings("error:X ")  # scikit-learn has doubts about the names of columns


def test_windows_of_another_length_are_told():
    X, y = scores_of(14)
    model = heed.Model(heed.GaussianEmission(0.124, 0.037, 0.303), window=1.0)
    hmm = AttentionHMM(emission=model, window=2.0, method="fixed-lag", lag=4.0)
    with pytest.warns(UserWarning, match="fitted to windows of 1 s, these are 2 s long"):
        hmm.fit(X)
    expected = heed.fixed_lag(X, 0.002, emission=model, window=2.0, lag=4.0)
    np.testing.assert_array_equal(hmm.predict_proba(X), expected)
    me = heed.Participant("me", [heed.ScoredTrial(X, y, window=2.0)])
    assert AttentionHMM().fit(me).switch_probability_ == pytest.approx(0.002)
    with pytest.raises(ValueError, match="is 1 s, but the participants' windows are 2 s"):
        AttentionHMM(window=1.0).fit(me)
    with pytest.raises(ValueError, match="2 features, but AttentionHMM is expecting 3"):
        AttentionHMM().fit(*scores_of(1, speakers=3)).predict(me)


def test_participants_with_other_windows_are_told_and_tracked_by_their_own():
    """As heed track --model: a note, and the default switch probability of the windows there are."""
    five = heed.simulate_scores(participants=2, trials=1, window=5.0, seed=1)
    me = heed.simulate_scores(participants=1, trials=2, window=1.0, seed=2)[0]
    X, y, lengths, _ = heed.stack(me)
    hmm = AttentionHMM(method="fixed-lag", lag=4.0).fit(five)
    with pytest.warns(UserWarning, match="fitted to windows of 5 s, these are 1 s long") as told:
        posteriors = hmm.predict_proba(me)
    assert told[0].filename == __file__
    expected = heed.fixed_lag(X, 0.001, emission=hmm.model_, window=1.0, lag=4.0, lengths=lengths)
    np.testing.assert_array_equal(posteriors, expected)
    chosen = AttentionHMM(0.02, method="smooth").fit(five)
    with pytest.warns(UserWarning, match="these are 1 s long"):
        np.testing.assert_array_equal(chosen.predict_proba(me), heed.smooth(X, 0.02, emission=chosen.model_, lengths=lengths))
    with pytest.raises(ValueError, match="is 5 s, but the participants' windows are 1 s"):
        AttentionHMM(window=5.0).fit(five).predict(me)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hmm.predict(five[0])


def test_participants_that_disagree_are_not_taken_together():
    one, five = (heed.simulate_scores(participants=1, window=window)[0] for window in (1.0, 5.0))
    for together in (AttentionHMM().fit, heed.stack):
        with pytest.raises(heed.BadDataError, match="01 has windows of 1 s, participant 01 has windows of 5 s; .* must agree"):
            together([one, five])
    odds = heed.Participant("odds", one.trials, speakers=one.speakers, score_type="log-odds")
    with pytest.raises(heed.BadDataError, match="01 has correlations, participant odds has log-odds"):
        AttentionHMM().fit([one, odds])
    three = heed.simulate_scores(participants=1, speakers=3)[0]
    with pytest.raises(heed.BadDataError, match="2 speakers, participant 01 has 3 speakers"):
        AttentionHMM().fit([one, three])
    with pytest.raises(TypeError, match="X: number 2 is a int, not a heed.Participant"):
        AttentionHMM().fit([one, 3])


def test_frames_bring_names():
    X, y = scores_of(18)
    frame = pd.DataFrame(X, columns=["left", "right"])
    hmm = AttentionHMM().fit(frame, np.array(["left", "right"])[y])
    assert list(hmm.feature_names_in_) == ["left", "right"]
    plain = AttentionHMM().fit(X, y)
    assert hmm.model_ == plain.model_
    np.testing.assert_array_equal(hmm.predict_proba(frame), plain.predict_proba(X))
    unknown = pd.Series(np.array(["left", "right"])[y]).where(np.arange(len(y)) % 3 > 0)
    kept = np.arange(len(y)) % 3 > 0
    assert hmm.score(frame, unknown) == np.mean(plain.predict(X)[kept] == y[kept])
    with pytest.raises(ValueError, match="no column 'middle'; there are left, right"):
        hmm.fit(frame, ["middle"] * len(y))
    with pytest.raises(ValueError, match="feature names"):
        hmm.predict(frame[["right", "left"]])


def test_names_in_names_out():
    X, y = scores_of(18)
    frame = pd.DataFrame(X, columns=["right", "left"])  # not in the order of the alphabet
    names = np.array(["right", "left"])[y]
    plain = AttentionHMM(0.01).fit(X, y)
    for method in ["smooth", "viterbi"]:
        named = AttentionHMM(0.01, method=method).fit(frame, pd.Series(names).where(y >= 0))
        expected = plain.set_params(method=method).predict(X)
        np.testing.assert_array_equal(named.predict(frame), np.array(["right", "left"])[expected])
        assert named.score(frame, names) == named.score(frame, y) == np.mean(expected == y)
    own = cross_val_score(AttentionHMM(0.01), frame, names, cv=3)
    np.testing.assert_array_equal(cross_val_score(AttentionHMM(0.01), frame, names, cv=3, scoring="accuracy"), own)
    assert own.min() > 0.8
    named.step(X[0])
    assert named.decision_ in (0, 1), "live, columns stay numbers"
    assert named.fit(frame, y).predict(frame).dtype == np.int32, "a fit forgets the one before"
    partly = np.where(np.arange(len(y)) % 2, y.astype(object), "n/a")
    assert named.fit(frame, partly).predict(frame).dtype == np.int32, "n/a is nobody's name"


def test_participants_are_taken_as_they_are():
    me, *others = heed.simulate_scores(participants=4, trials=2, accuracy=0.65, seed=5)
    hmm = AttentionHMM(method="causal").fit(others)
    X, y, lengths, groups = heed.stack(others)
    assert AttentionHMM().fit(X, y, lengths=lengths, groups=groups).model_.emission == hmm.model_.emission
    assert hmm.model_.participants == 3 and hmm.n_features_in_ == 2
    mine, labels, lengths, _ = heed.stack(me)
    np.testing.assert_array_equal(hmm.predict_proba(me), hmm.predict_proba(mine, lengths))
    known = labels >= 0
    assert hmm.score(me) == np.mean(hmm.predict(me)[known] == labels[known])
    assert hmm.score(mine, np.array([*me.speakers, "n/a"])[labels], lengths) == hmm.score(me)
    with pytest.raises(ValueError, match="omit y, lengths and groups"):
        hmm.fit(others, y)


def test_groups_and_lengths_say_where_trials_end():
    X, y = scores_of(20, windows=300)
    groups = np.repeat([0, 1], 150)
    chain = AttentionHMM(0.01, fit_by="baum-welch")
    by_groups, by_lengths = chain.fit(X, groups=groups).model_, chain.fit(X, lengths=[150, 150]).model_
    assert by_groups.emission == by_lengths.emission != chain.fit(X).model_.emission
    assert (by_groups.participants, by_lengths.participants) == (2, 1)
    with pytest.raises(ValueError, match="changes within a sequence, at row 151"):
        chain.fit(X, y, lengths=[100, 200], groups=groups)
    for lengths in [[100], [100, 300], [0, 300], [-1, 301], [1.5, 298.5], ["a"]]:
        with pytest.raises((ValueError, TypeError), match="lengths"):
            chain.fit(X, y, lengths=lengths)
        with pytest.raises((ValueError, TypeError), match="lengths"):
            AttentionHMM().fit(X, y).predict(X, lengths)


@pytest.mark.parametrize("method", ["smooth", "viterbi"])
def test_blocks_are_trials_of_one_length(method):
    X, y = scores_of(20, windows=300, speakers=3)
    block, labels = X.reshape(3, 100, 3), y.reshape(3, 100)
    hmm = AttentionHMM(0.01, method=method).fit(block, labels, groups=["a", "a", "b"])
    below = clone(hmm).fit(X, y, [100] * 3, groups=np.repeat(["a", "a", "b"], 100))
    assert hmm.model_ == below.model_ and hmm.model_.participants == 2
    np.testing.assert_array_equal(hmm.predict(block), below.predict(X, [100] * 3).reshape(3, 100))
    np.testing.assert_array_equal(hmm.predict_proba(block), below.predict_proba(X, [100] * 3).reshape(3, 100, 3))
    assert hmm.score(block, labels) == hmm.score(block, [0, 1, 2]) == hmm.score(list(block), y) == below.score(X, y, [100] * 3)
    assert hmm.log_evidence(block) == below.log_evidence(X, [100] * 3)
    unlabelled = AttentionHMM(0.01)
    assert unlabelled.fit(block).model_ == unlabelled.fit(X, lengths=[100] * 3).model_ != unlabelled.fit(X).model_
    with pytest.raises(ValueError, match="in a block"):
        hmm.predict(block, [100, 100, 100])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        hmm.fit(block, labels[:, :50])


def test_searches_leave_out_trials_of_blocks_and_participants():
    grid = {"switch_probability": [1e-9, 0.01, 0.5]}
    X, y = scores_of(22, windows=900, separation=0.4, block=30)
    search = GridSearchCV(AttentionHMM(), grid, cv=KFold(3)).fit(X.reshape(6, 150, 2), y.reshape(6, 150))
    assert search.best_params_ == {"switch_probability": 0.01}
    first = AttentionHMM(0.01).fit(X[300:], y[300:], [150] * 4).score(X[:300], y[:300], [150, 150])
    assert search.cv_results_["split0_test_score"][1] == first
    cohort = heed.simulate_scores(participants=4, trials=2, accuracy=0.65, seed=5)
    search = GridSearchCV(AttentionHMM(), grid, cv=KFold(2)).fit(cohort)
    known = AttentionHMM(0.01).fit(cohort[2:])
    stacked = heed.stack(cohort[:2])
    expected = known.score(stacked.scores, stacked.attended, stacked.lengths)
    assert search.cv_results_["split0_test_score"][1] == known.score(cohort[:2]) == expected


def test_it_works_in_pipelines_and_searches():
    X, y = scores_of(22, windows=900, separation=0.4, block=30)
    pipeline = make_pipeline(FunctionTransformer(lambda scores: 3 * scores), AttentionHMM(emission="gaussian"))
    assert pipeline.fit(X, y, attentionhmm__lengths=[300, 600]).score(X, y) > 0.9
    grid = {"switch_probability": [1e-9, 0.01, 0.5], "method": ["causal", "smooth"]}
    search = GridSearchCV(AttentionHMM(), grid, cv=KFold(3)).fit(X, y)
    assert search.best_params_ == {"switch_probability": 0.01, "method": "smooth"}
    assert cross_val_score(AttentionHMM(0.01), X, y, cv=3).min() > 0.85
    assert np.mean(cross_val_predict(AttentionHMM(0.01), X, y, cv=3) == y) > 0.85


def test_models_and_emissions_are_shown_among_parameters():
    emission = heed.GaussianEmission(0.1, 0, 0.3)
    model = heed.Model(emission)
    assert repr(AttentionHMM(emission=model)) == f"AttentionHMM(emission={model!r})"
    assert html.escape(repr(emission)) in AttentionHMM(emission=emission)._repr_html_()
    X, y = scores_of(22, windows=300)
    search = GridSearchCV(AttentionHMM(0.01), {"emission": [model, emission]}, cv=KFold(3)).fit(X, y)
    assert repr(model) in repr(search) and repr(search.best_estimator_).startswith("AttentionHMM(emission=<heed")


def test_folds_are_blocks_of_time():
    """A classifier's would be stratified, and tear the sequence apart."""
    assert not is_classifier(AttentionHMM())
    X, y = scores_of(23, windows=90)
    folds = GridSearchCV(AttentionHMM(), {"switch_probability": [0.01]}, cv=3).fit(X, y)
    assert folds.n_splits_ == 3
    for _, test in check_cv(3, y, classifier=is_classifier(AttentionHMM())).split(X, y):
        np.testing.assert_array_equal(np.diff(test), 1)


def test_a_classifier_of_ones_own_goes_in_by_its_probabilities():
    rng = np.random.default_rng(24)
    y = (np.arange(2000) // 100) % 2
    features = rng.standard_normal((2000, 5)) + 0.4 * y[:, None]
    classifier = LogisticRegression().fit(features[:1000], y[:1000])
    probabilities = classifier.predict_proba(features[1000:])
    hmm = AttentionHMM(0.01, emission="probability").fit(probabilities)
    assert hmm.score(probabilities, y[1000:]) > classifier.score(features[1000:], y[1000:]) + 0.1


def test_copies_pickles_and_clones():
    X, y = scores_of(25)
    hmm = AttentionHMM(0.01, method="fixed-lag", transition=None, initial=[0.5, 0.5]).fit(X, y)
    hmm.step(X[0])
    for twin in [pickle.loads(pickle.dumps(hmm)), copy.deepcopy(hmm), copy.copy(hmm)]:
        assert twin.model_ == hmm.model_
        np.testing.assert_array_equal(twin.predict_proba(X), hmm.predict_proba(X))
        assert twin.belief_ is None, "a trial that is being streamed stays where it is"
    unfitted = clone(hmm)
    assert unfitted.get_params()["method"] == "fixed-lag" and not hasattr(unfitted, "model_")
    assert not hasattr(unfitted, "belief_") and not hasattr(unfitted, "decision_")
    assert repr(AttentionHMM(0.01, lag=2.0)) == "AttentionHMM(lag=2.0, switch_probability=0.01)"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"method": "smoooth"}, "no 'smoooth'; there are smooth, causal, viterbi, fixed-lag"),
        ({"emission": "gausian"}, "no emission 'gausian'; there are fisher-gaussian, gaussian"),
        ({"fit_by": "guessing"}, "no fit 'guessing'; there are adaptive, baum-welch, labels, memoryless, auto"),
        ({"spread": "wide"}, "no spread 'wide'.*auto"),
        ({"evidence": "x"}, "no counting of evidence 'x'; there are as-is, scaled, auto"),
        ({"emission": "mixture", "covariance": "tied"}, "no covariance 'tied'"),
        ({"switch_probability": 0.7}, "switch probability"),
        ({"switch_probability": float("nan")}, "switch probability"),
        ({"switch_probability": 0.1, "transition": [[1, 0], [0, 1]]}, "give one of them"),
        ({"transition": [[0.5, 0.6], [0.5, 0.5]]}, "row 1"),
        ({"initial": [0.5, 0.6]}, "initial"),
        ({"accuracy": 0.7}, "accuracy: needs the emission hard-decision"),
        ({"emission": "hard-decision", "accuracy": 0.4}, "above chance"),
        ({"class_priors": [0.5, 0.5]}, "class_priors: need"),
        ({"emission": "softmax", "class_priors": [0.5, 0.4]}, "class priors must be 2 positive numbers"),
        ({"emission": "softmax", "spread": "separate"}, "spread: needs a Gaussian"),
        ({"fit_by": "baum-welch", "calibrate": True}, "calibration needs labels"),
        ({"emission": "mixture", "components": 0}, "component"),
        ({"window": 0.0}, "window"),
        ({"window": float("nan")}, "window"),
    ],
)
def test_parameters_that_make_no_model_are_refused_at_fit(parameters, message):
    X, y = scores_of(27, windows=100, block=10)
    with pytest.raises(ValueError, match=message):
        AttentionHMM(**parameters).fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"emission": 3}, "emission: expected a heed.Model"),
        ({"emission": "mixture", "components": 1.5}, "components: expected a whole number"),
        ({"calibrate": "yes"}, "calibrate: expected True or False"),
        ({"spread": 3}, "spread: expected"),
    ],
)
def test_parameters_of_another_type_are_told_by_name(parameters, message):
    X, y = scores_of(27, windows=100, block=10)
    with pytest.raises(TypeError, match=message):
        AttentionHMM(**parameters).fit(X, y)


def test_data_that_cannot_be_are_refused():
    X, y = scores_of(28, windows=100, block=10)
    hmm = AttentionHMM()
    with pytest.raises(ValueError, match="y: window 11: 2 is not a column: speakers count from 0 to 1"):
        hmm.fit(X, y + 1)
    with pytest.raises(ValueError, match="0.5 is not a column"):
        hmm.fit(X, y + 0.5)
    with pytest.raises(ValueError, match="one label per window"):
        hmm.fit(X, X)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        hmm.fit(X, y[:-1])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        hmm.fit(X, y, groups=[0])
    with pytest.raises(ValueError, match="1 feature"):
        hmm.fit(X[:, :1])
    with pytest.raises(heed.SingularError, match="do not vary"):
        hmm.fit(np.zeros((20, 2)))
    with pytest.raises(heed.BadDataError, match="label"):
        AttentionHMM(fit_by="labels").fit(X)
    with pytest.raises(heed.BadDataError, match="no complete window"):
        hmm.fit(np.full((20, 2), np.nan))
    with pytest.raises(NotFittedError):
        AttentionHMM().predict(X)
    hmm.fit(X, y)
    with pytest.raises(ValueError, match="3 features, but AttentionHMM is expecting 2"):
        hmm.predict(np.c_[X, X[:, 0]])
    with pytest.raises(ValueError, match="2 is not a column"):
        hmm.score(X, y + 1)
    with pytest.raises(ValueError, match="no window has a label"):
        hmm.score(X, np.full(100, -1))


def test_a_fit_warns_nobody_without_reason():
    X, y = scores_of(29)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        AttentionHMM().fit(X, y).predict(X)


def test_labels_of_other_habits():
    """Minus one and one, as many classifiers have their classes, would mean unknown and the second column here."""
    X, y = scores_of(14)
    with pytest.warns(UserWarning, match=r"holds -1 and 1 but no 0.*give \(y > 0\)") as told:
        AttentionHMM().fit(X, 2 * y - 1)
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        AttentionHMM().fit(X, np.where(np.arange(len(y)) % 7 == 0, -1, y))
    with pytest.raises(ValueError, match=r"one label per window.*y.argmax\(axis=1\) gives them"):
        AttentionHMM().fit(X, np.eye(2)[y])


@pytest.mark.parametrize("name", ["window", "hop"])
def test_seconds_are_numbers(name):
    with pytest.raises(ValueError, match=f"{name}: must be a number of seconds, not '1 s'"):
        AttentionHMM(**{name: "1 s"}).fit(*scores_of(14))
