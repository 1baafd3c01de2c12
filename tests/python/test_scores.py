# SPDX-License-Identifier: MIT
"""Participants as Python values, and their files: the program's own."""
import copy
import gc
import json
import pickle

import numpy as np
import pytest

import heed
from program import files_below, needs_program, run

SCORES = np.array([[0.2, 0.1], [np.nan, 0.3], [0.0, -0.5]])


def participant(**changes):
    trials = [heed.ScoredTrial(SCORES, [0, -1, 1]), heed.ScoredTrial(SCORES[:1], [1], onset=12.5)]
    return heed.Participant("07", trials, **{"speakers": ["left", "right"], **changes})


def test_a_trial_holds_what_it_was_given():
    trial = heed.ScoredTrial(SCORES, [0, np.nan, 1], name="a", onset=2.5, window=0.5)
    np.testing.assert_array_equal(trial.scores, SCORES)
    assert trial.attended.tolist() == [0, -1, 1] and trial.attended.dtype == np.int32
    assert (trial.name, trial.onset, trial.window) == ("a", 2.5, 0.5)
    assert heed.ScoredTrial(SCORES).attended.tolist() == [-1, -1, -1]


@pytest.mark.parametrize("layout", [np.asfortranarray(SCORES), SCORES.tolist(), np.repeat(SCORES, 2, axis=1)[:, ::2]])
def test_any_layout_of_numbers_will_do(layout):
    np.testing.assert_array_equal(heed.ScoredTrial(layout).scores, SCORES)


def test_views_are_read_only_without_copies_and_keep_their_owner():
    trial = participant().trials[0]
    scores, attended = trial.scores, trial.attended
    assert not scores.flags.writeable and not scores.flags.owndata
    assert np.shares_memory(scores, trial.scores) and np.shares_memory(attended, trial.attended)
    with pytest.raises(ValueError, match="read-only"):
        scores[0, 0] = 1
    del trial
    gc.collect()
    np.testing.assert_array_equal(scores, SCORES)
    assert attended.tolist() == [0, -1, 1]


def test_the_caller_may_change_his_array_afterwards():
    mine = SCORES.copy()
    trial = heed.ScoredTrial(mine)
    mine[:] = 9
    np.testing.assert_array_equal(trial.scores, SCORES)


def test_participants_name_and_number_what_nobody_named():
    one = heed.Participant("x", [heed.ScoredTrial(np.zeros((2, 3)))] * 2)
    assert one.speakers == ["speaker-1", "speaker-2", "speaker-3"]
    assert [trial.name for trial in one.trials] == ["1", "2"]
    assert (one.score_type, one.features, one.window) == ("correlation", [], 1.0)
    assert heed.Participant("x", [heed.ScoredTrial(np.zeros((2, 3)))]).trials[0].name == ""
    assert repr(one) == "<heed.Participant x: 2 trials, 4 windows of 1 s, speakers speaker-1, speaker-2, speaker-3>"


def test_features_are_told_apart_from_states():
    trial = heed.ScoredTrial(np.zeros((4, 3)), [0, 1, 1, 0])
    one = heed.Participant("x", [trial], speakers=["rest", "listen"], features=["a", "b", "c"])
    assert one.features == ["a", "b", "c"] and one.speakers == ["rest", "listen"]
    assert "features a, b, c, states rest, listen" in repr(one)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_and_pickles_are_equal(again):
    one = participant(score_type="log-odds")
    assert again(one) == one and again(one) is not one
    assert again(one.trials[0]) == one.trials[0]


def test_the_origin_is_kept_and_told_by_sidecars(tmp_path):
    origin = {"Decoder": "least squares", "Recipe": "heed", "Population": "none", "Kernels": "OpenBLAS Haswell"}
    one = participant(origin=origin)
    assert one.origin == origin and pickle.loads(pickle.dumps(one)).origin == origin
    assert participant().origin == {}
    heed.write_scores(tmp_path / "sub-x_scores.tsv", one)
    sidecar = json.loads((tmp_path / "sub-x_scores.json").read_text())
    assert {key: sidecar.get(key) for key in origin} == origin and "Preprocessing" not in sidecar


def test_equality_is_by_content():
    assert participant() == participant()
    assert participant() != participant(speakers=["l", "r"])
    assert heed.ScoredTrial(SCORES) != heed.ScoredTrial(SCORES, [0, 0, 0])
    assert heed.ScoredTrial(SCORES) != heed.ScoredTrial(SCORES, window=2)
    assert heed.ScoredTrial(SCORES[:2]) != heed.ScoredTrial(SCORES)
    with pytest.raises(TypeError):
        hash(participant())


@pytest.mark.parametrize("call, says", [
    (lambda: heed.ScoredTrial(SCORES, [0, 1]), "attended: 2 labels for 3 windows"),
    (lambda: heed.ScoredTrial(SCORES, [0, 0.5, 1]), "attended: window 2: 0.5 is not a column"),
    (lambda: heed.ScoredTrial(SCORES, window=0), "window: "),
    (lambda: heed.ScoredTrial(SCORES, onset=np.inf), "onset: "),
    (lambda: heed.ScoredTrial([0.1, 0.2]), "scores: Expected 2D array"),
    (lambda: heed.ScoredTrial(np.zeros((0, 2))), "scores: "),
    (lambda: heed.Participant("x", []), "trials: is empty"),
    (lambda: participant(speakers=["left"]), "speakers: attention needs two"),
    (lambda: participant(speakers=["left", "left"]), "speakers: 'left' appears twice"),
    (lambda: participant(speakers=["a", "b", "c"]), "trials: trial 1 has 2 columns, but there are 3 speakers"),
    (lambda: participant(score_type="odds"), "score_type: is 'odds'"),
    (lambda: participant(origin={"Decode": "ls"}), "origin: has the key 'Decode'"),
    (lambda: participant(origin={"Decoder": 1}), "origin: its values must be text"),
    (lambda: participant(features=["a", "b"], speakers=None), "features: need speakers too"),
    (lambda: heed.Participant("x", [heed.ScoredTrial(SCORES, [0, 0, 2])]), "trial 1, window 3: attended is 2"),
    (lambda: heed.Participant("x", [heed.ScoredTrial(SCORES), heed.ScoredTrial(SCORES, window=2)]), "another length"),
    (lambda: heed.Participant("x", [heed.ScoredTrial(SCORES, name="a")] * 2), "'a' appears twice"),
])
def test_mistakes_are_told_by_their_argument(call, says):
    with pytest.raises(heed.InvalidArgumentError) as raised:
        call()
    assert says in str(raised.value)


def test_what_is_no_trial_is_a_type_error():
    with pytest.raises(TypeError):
        heed.Participant("x", [SCORES])


def test_files_read_back_exactly(tmp_path):
    cohort = heed.simulate_scores(participants=2, minutes=1, artefacts=0.1, seed=5)
    for one in cohort:
        heed.write_scores(tmp_path / f"sub-{one.id}_scores.tsv", one, digits=17)
    assert heed.read_scores(tmp_path) == cohort
    assert heed.read_scores(str(tmp_path / "sub-02_scores.tsv")) == cohort[1:]
    assert heed.read_scores(sorted(tmp_path.glob("*.tsv"))) == cohort


def test_types_and_digits_are_written(tmp_path):
    path = tmp_path / "sub-07_scores.tsv"
    heed.write_scores(path, participant(score_type="log-odds"), digits=1)
    assert heed.read_scores(path)[0].score_type == "log-odds"
    assert heed.read_scores(path)[0].trials[0].attended.tolist() == [0, -1, 1]
    with pytest.raises(heed.InvalidArgumentError, match="digits: "):
        heed.write_scores(path, participant(), digits=0)


def test_features_are_read_as_such(tmp_path):
    (tmp_path / "sub-01_scores.tsv").write_text("onset\talpha\ttheta\tattended\n0\t1\t2\trest\n1\t3\t4\tlisten\n")
    one = heed.read_scores(tmp_path, states=["rest", "listen"])[0]
    assert one.features == ["alpha", "theta"] and one.trials[0].attended.tolist() == [0, 1]


def test_errors_of_files_keep_their_text(tmp_path):
    with pytest.raises(heed.NotFoundError, match="nowhere"):
        heed.read_scores(tmp_path / "nowhere")
    (tmp_path / "sub-01_scores.tsv").write_text("onset\tleft\tright\n0\t0.1\tabc\n")
    with pytest.raises(heed.BadDataError, match="row 2, column right: 'abc'"):
        heed.read_scores(tmp_path)
    with pytest.raises(heed.InvalidArgumentError, match="paths: is empty"):
        heed.read_scores([])
    for no_paths in (3, [3], [None]):
        with pytest.raises(TypeError, match="paths: expected a path"):
            heed.read_scores(no_paths)
    with pytest.raises(ZeroDivisionError):  # the caller's own
        heed.read_scores(1 / 0 for _ in "x")
    with pytest.raises(OSError):
        heed.write_scores(tmp_path / "no" / "folder_scores.tsv", participant())


def test_doubts_about_files_are_warnings(tmp_path):
    (tmp_path / "sub-01_scores.tsv").write_text("onset\tleft\tright\n0\t0.1\t0.2\n")
    with pytest.warns(UserWarning, match="sub-01_scores.tsv"):
        heed.read_scores(tmp_path)


@needs_program
def test_the_program_writes_the_same_bytes(tmp_path):
    run("simulate", "scores", "--participants", 2, "--minutes", 1, "--seed", 9, "-o", tmp_path / "program")
    (tmp_path / "python").mkdir()
    for one in heed.simulate_scores(participants=2, minutes=1, seed=9):
        heed.write_scores(tmp_path / "python" / f"sub-{one.id}_scores.tsv", one)
    assert files_below(tmp_path / "python") == files_below(tmp_path / "program")


def test_stacked_trials_are_those_of_the_participants():
    cohort = heed.simulate_scores(participants=3, trials=2, minutes=1, seed=2)
    stacked = heed.stack(cohort)
    trials = [trial for one in cohort for trial in one.trials]
    np.testing.assert_array_equal(stacked.scores, np.vstack([trial.scores for trial in trials]))
    np.testing.assert_array_equal(stacked.attended, np.hstack([trial.attended for trial in trials]))
    assert stacked.lengths.tolist() == [60] * 6
    assert stacked.groups.tolist() == ["01"] * 120 + ["02"] * 120 + ["03"] * 120
    np.testing.assert_array_equal(heed.stack(cohort[1]).scores, stacked.scores[120:240])
    with pytest.raises(heed.InvalidArgumentError, match="nothing to stack"):
        heed.stack([])
    with pytest.raises(heed.InvalidArgumentError, match="number of columns"):
        heed.stack([cohort[0], heed.simulate_scores(participants=1, speakers=3)[0]])
