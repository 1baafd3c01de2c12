# SPDX-License-Identifier: MIT
"""Data with known attention: what was asked for is what comes, and the program writes the same bytes."""
import pickle

import numpy as np
import pytest

import heed
from program import files_below, needs_program, run

SMALL = {"participants": 2, "trials": 2, "minutes": 0.5, "channels": ["Fz", "Cz", "T7"]}


def test_scores_are_as_accurate_as_wanted():
    X, y, _, _ = heed.stack(heed.simulate_scores(participants=12, accuracy=0.65, accuracy_spread=0, seed=3))
    known = y >= 0
    right = (X[known].argmax(axis=1) == y[known]).mean()
    assert right == pytest.approx(0.65, abs=4 * np.sqrt(0.65 * 0.35 / known.sum()))


def test_options_of_scores_have_their_effect():
    cohort = heed.simulate_scores(participants=2, speakers=4, trials=3, minutes=2, window=2, switch_every=20, artefacts=0.2,
                                  artefact_length=6)
    trial = cohort[1].trials[2]
    assert trial.scores.shape == (60, 4) and trial.window == 2
    assert (np.flatnonzero(np.diff(trial.attended)) + 1).tolist() == [10, 20, 30, 40, 50]
    lost = np.mean([np.isnan(one.scores).any(axis=1).mean() for listener in cohort for one in listener.trials])
    assert 0.05 < lost < 0.4
    assert heed.simulate_scores(participants=3, seed=4)[:2] == heed.simulate_scores(participants=2, seed=4)
    assert heed.simulate_scores(participants=1, seed=4) != heed.simulate_scores(participants=1, seed=5)


def test_random_switches_lie_within_their_interval():
    for interval in ((30, 50), "30-50"):
        trial = heed.simulate_scores(participants=1, trials=1, minutes=30, switch_every=interval)[0].trials[0]
        gaps = np.diff(np.flatnonzero(np.diff(trial.attended)))
        assert gaps.min() >= 30 and gaps.max() <= 50 and len(set(gaps)) > 5


@pytest.fixture(scope="module")
def runs():
    return heed.simulate_recording(**SMALL, seed=7)


def test_runs_are_what_was_asked_for(runs):
    assert [(run.participant, run.trial) for run in runs] == [("01", 1), ("01", 2), ("02", 1), ("02", 2)]
    one = runs[0]
    assert one.eeg.shape == (3840, 3) and one.eeg.dtype == np.float32 and one.sampling_frequency == 128
    assert one.channels == ["Fz", "Cz", "T7"] and one.speakers == ["left", "right"]
    assert one.envelopes.shape == (3840, 2)
    np.testing.assert_allclose(one.envelopes.std(axis=0), 1, rtol=1e-6)
    assert repr(one) == "<heed.SimulatedRun 01, trial 1: 30 s at 128 Hz, 3 channels, speakers left, right>"


def test_attention_follows_the_events(runs):
    for one in runs:
        times = np.arange(len(one.eeg)) / one.sampling_frequency
        stretches = [event for event in one.events if event["trial_type"] == "attend"]
        assert len(stretches) == 2  # half of a trial that is no longer than 300 s
        for event in stretches:
            inside = (times >= event["onset"]) & (times < event["onset"] + event["duration"])
            assert set(one.attended[inside]) == {one.speakers.index(event["speaker"])}


def test_what_was_attended_can_be_found_in_the_eeg():
    """The response of the brain correlates more with the attended talker's envelope, some 100 ms later."""
    one = heed.simulate_recording(participants=1, trials=1, minutes=2, noise=0, channels=["Cz"], seed=1)[0]
    attended = np.take_along_axis(one.envelopes, one.attended[:, None], axis=1)[:, 0]
    other = np.take_along_axis(one.envelopes, 1 - one.attended[:, None], axis=1)[:, 0]
    eeg = one.eeg[:, 0]
    strength = [max(abs(np.corrcoef(eeg[lag:], envelope[:-lag])[0, 1]) for lag in range(5, 40))
                for envelope in (attended, other)]
    assert strength[0] > 0.5 and strength[0] > 1.3 * strength[1]


def test_seeds_dropouts_and_conversations():
    again = heed.simulate_recording(**SMALL, seed=7)[3]
    np.testing.assert_array_equal(again.eeg, heed.simulate_recording(**{**SMALL, "participants": 3}, seed=7)[3].eeg)
    assert not np.array_equal(again.eeg, heed.simulate_recording(**SMALL, seed=8)[3].eeg)
    lost = heed.simulate_recording(**{**SMALL, "minutes": 2}, dropouts=5, dropout_length=2)[0]
    gone = np.isnan(lost.eeg)
    assert gone.any() and (gone.any(axis=1) == gone.all(axis=1)).all()
    talks = heed.simulate_recording(conversations=3, participants=1, trials=1, minutes=0.5, channels=19)[0]
    assert talks.speakers == ["left", "centre", "right"] and len(talks.channels) == 19
    assert len({event["stim_file"] for event in talks.events if event["trial_type"] == "stimulus"}) == 6


def test_runs_can_be_kept(runs):
    again = pickle.loads(pickle.dumps(runs[0]))
    np.testing.assert_array_equal(again.eeg, runs[0].eeg)
    assert again.events == runs[0].events
    with pytest.raises(AttributeError):
        runs[0].trial = 3


FOLDERS = {
    "bdf": ({**SMALL, "sound_rate": 8000}, ["--channels", "Fz,Cz,T7"]),
    "brainvision": ({**SMALL, "sound_rate": 8000, "format": "brainvision", "sounds": "wav", "channels": 19,
                     "switch_every": (5, 9), "dropouts": 4, "blinks": 10, "seed": 3},
                    ["--format", "brainvision", "--sounds", "wav", "--channels", "19", "--switch-every", "5-9",
                     "--dropouts", "4", "--blinks", "10", "--seed", "3"]),
}


@needs_program
@pytest.mark.parametrize("name", FOLDERS)
def test_the_program_writes_the_same_bytes(tmp_path, name):
    keywords, options = FOLDERS[name]
    assert heed.simulate_recording(folder=tmp_path / "python", **keywords) == tmp_path / "python"
    run("simulate", "recording", "-o", tmp_path / "program", "--participants", 2, "--trials", 2, "--minutes", 0.5,
        "--sound-rate", 8000, *options)
    assert files_below(tmp_path / "python") == files_below(tmp_path / "program")
    assert len(files_below(tmp_path / "python")) > 20


def test_a_folder_holds_the_runs_of_memory(tmp_path):
    keywords = {**SMALL, "participants": 1, "trials": 1, "sound_rate": 8000}
    folder = heed.simulate_recording(folder=tmp_path / "sim", format="brainvision", **keywords)
    eeg = np.fromfile(next(folder.glob("sub-01/eeg/*.eeg")), dtype="<f4").reshape(-1, 3)
    np.testing.assert_array_equal(eeg, heed.simulate_recording(**keywords)[0].eeg)


def test_nothing_is_replaced_unless_forced(tmp_path):
    keywords = {**SMALL, "participants": 1, "trials": 1, "sound_rate": 8000, "folder": tmp_path / "sim"}
    heed.simulate_recording(**keywords)
    with pytest.raises(heed.CannotCreateError, match="not empty"):
        heed.simulate_recording(**keywords)
    heed.simulate_recording(**keywords, force=True, seed=2)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(heed.CannotCreateError, match="something other"):
        heed.simulate_recording(**{**keywords, "folder": tmp_path / "mine"}, force=True)


@pytest.mark.parametrize("keywords, says", [
    ({"participants": 0}, "participants 0"),
    ({"speakers": 2, "conversations": 3}, "conversations and speakers"),
    ({"channels": 20}, "channels 20"),
    ({"channels": ["Cz", "nose"]}, "'nose'"),
    ({"minutes": 0}, "trial 0 s"),
    ({"switch_every": "abc"}, "switch_every abc"),
    ({"rate": 10}, "EEG at 10 Hz"),
    ({"format": "brainvision"}, "format: needs a folder"),
    ({"force": True}, "force: needs a folder"),
    ({"folder": "x", "format": "mat"}, "format: is 'mat'"),
    ({"folder": "x", "sounds": "mp3"}, "sounds: is 'mp3'"),
])
def test_mistakes_are_told(keywords, says):
    with pytest.raises(heed.InvalidArgumentError) as raised:
        heed.simulate_recording(**keywords)
    assert says in str(raised.value)


@pytest.mark.parametrize("keywords", [{"participants": 0}, {"speakers": 1}, {"accuracy": 0.4}, {"minutes": 0},
                                      {"switch_every": 0}, {"artefacts": 0.9}, {"window": -1}, {"autocorrelation": 1}])
def test_scores_that_make_no_sense_are_refused(keywords):
    with pytest.raises(heed.InvalidArgumentError):
        heed.simulate_scores(**keywords)


def test_mistaken_types_are_told_by_their_argument():
    with pytest.raises(TypeError, match="trials: expected a whole number, not 1.5"):
        heed.simulate_recording(trials=1.5)
    with pytest.raises(TypeError, match="channels: expected a number of electrodes, or their names"):
        heed.simulate_recording(channels=[1, 2])
