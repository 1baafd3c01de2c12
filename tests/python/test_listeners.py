# SPDX-License-Identifier: MIT
"""BIDS folders from Python: what `heed score` and `heed train` write, to the last bit."""
import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sklearn.base import clone

import heed
from listening import CHANNELS, listener, signals, trial
from program import files_below, needs_program, run


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bids") / "study"
    heed.simulate_recording(folder=folder, participants=2, trials=3, minutes=1, channels=CHANNELS, switch_every=20, seed=5)
    return folder


@pytest.fixture(scope="module")
def first(study):
    return heed.read_bids(study, cache=False)["01"]


# ---- parity with the program ----


@needs_program
@pytest.mark.parametrize("decoder", ["ls", "cca"])
@pytest.mark.parametrize("filters", ["zero-phase", "causal"])
def test_scores_are_those_of_the_program(study, tmp_path, decoder, filters):
    run("score", study, "-o", tmp_path, "--decoder", decoder, "--filters", filters, "--no-cache", "--digits", 17, "--window", "1,5")
    folder = heed.read_bids(study, filters=filters, cache=False)
    for one in folder:
        seconds = heed.cross_validate(one, decoder, windows=[1, 5])
        for found, length in zip(seconds, ("01s", "05s")):
            written = heed.read_scores(sorted(tmp_path.glob(f"sub-{one.id}/eeg/*window-{length}*_scores.tsv")))[0]
            assert found.speakers == written.speakers and found.score_type == written.score_type
            assert len(found.trials) == len(written.trials) == 3
            for ours, theirs in zip(found.trials, written.trials):
                np.testing.assert_array_equal(ours.scores, theirs.scores)
                np.testing.assert_array_equal(ours.attended, theirs.attended)


@needs_program
@pytest.mark.parametrize("kind", [heed.LSDecoder, heed.CCADecoder])
@pytest.mark.parametrize("participants", [["01"], None])
def test_decoders_are_the_bytes_of_the_program(study, tmp_path, kind, participants):
    whose = ["--participant", "01"] if participants else []
    run("train", study, "-o", tmp_path / "program.json", "--decoder", kind._kind, "--no-cache", *whose)
    decoder = kind().fit(heed.read_bids(study, participants=participants, cache=False))
    decoder.save(tmp_path / "python.json")
    assert (tmp_path / "python.json").read_bytes() == (tmp_path / "program.json").read_bytes()
    run("score", study, "-o", tmp_path / "scores", "--model", tmp_path / "python.json", "--no-cache", "--digits", 17)
    for one in heed.read_bids(study, cache=False):
        found = kind.load(tmp_path / "program.json").score_trials(one)
        written = heed.read_scores(sorted((tmp_path / "scores").glob(f"sub-{one.id}/eeg/*_scores.tsv")))[0]
        for ours, theirs in zip(found.trials, written.trials):
            np.testing.assert_array_equal(ours.scores, theirs.scores)


@needs_program
@pytest.mark.parametrize("filters", ["zero-phase", "causal"])
def test_heeds_recipe_is_that_of_the_program(study, tmp_path, filters):
    """Two listeners are too few to lend each other anything, so that the program has each alone, too."""
    folder = heed.read_bids(study, recipe="heed", filters=filters, cache=False)
    assert folder[0].preprocessing["target"] == "onset" and folder[0].preprocessing["band"] == (0.5, 9.0)
    run("score", study, "-o", tmp_path, "--recipe", "heed", "--filters", filters, "--no-cache", "--digits", 17)
    for one in folder:
        written = heed.read_scores(sorted(tmp_path.glob(f"sub-{one.id}/eeg/*_scores.tsv")))[0]
        by_hand = heed.LSDecoder(ridge=0.3, score_rule="cosine")
        for found in (heed.cross_validate(one, recipe="heed"), heed.cross_validate(one, by_hand)):
            for ours, theirs in zip(found.trials, written.trials):
                np.testing.assert_array_equal(ours.scores, theirs.scores)


@needs_program
@pytest.mark.parametrize("kind", [heed.LSDecoder, heed.CCADecoder])
@pytest.mark.parametrize("target", ["onset", "both"])
def test_decoders_of_heeds_recipe_are_used_and_cloned(study, tmp_path, kind, target):
    run("train", study, "-o", tmp_path / "program.json", "--recipe", "heed", "--decoder", kind._kind, "--target", target, "--no-cache")
    folder = heed.read_bids(study, recipe="heed", target=target, cache=False)
    loaded = kind.load(tmp_path / "program.json")
    again = clone(loaded).set_params(ridge=0.3)  # which no file tells
    assert again.score_rule == "cosine" and again.preprocessing["target"] == target
    again.fit(folder).save(tmp_path / "python.json")
    assert (tmp_path / "python.json").read_bytes() == (tmp_path / "program.json").read_bytes()
    one = folder["01"]
    for scored, trial_ in zip(loaded.score_trials(one).trials, one.trials):
        np.testing.assert_array_equal(loaded.window_scores(trial_), scored.scores)
        np.testing.assert_array_equal(loaded.window_scores(trial_.eeg, trial_.stimuli), scored.scores)
    with pytest.raises(heed.BadDataError, match="needs the target onset"):
        loaded.window_scores(heed.read_bids(study, recipe="paper", cache=False)["01"].trials[0])


# ---- folders ----


def test_a_folder_is_a_sequence_of_listeners(study, first):
    folder = heed.read_bids(study, cache=False)
    assert folder.participants == ["01", "02"] and len(folder) == 2
    assert [one.id for one in folder] == ["01", "02"]
    assert folder[-1].id == "02" and folder["sub-02"].id == "02"
    assert [one.id for one in folder[:]] == ["01", "02"]
    assert [one.id for one in folder[::-1]] == ["02", "01"] and folder[2:] == []
    with pytest.raises(IndexError):
        folder[2]
    with pytest.raises(KeyError, match="there are 01, 02"):
        folder["07"]
    one = first.trials[0]
    assert one.eeg.shape == (64 * 60, 6) and one.stimuli.shape == (64 * 60, 2) and not one.eeg.flags.writeable
    np.testing.assert_allclose(one.eeg.std(axis=0), 1, rtol=1e-9)
    assert set(np.unique(one.attended)) == {0, 1}


def test_nothing_is_written_into_it_and_the_cache_is_found_again(study, tmp_path):
    before = files_below(study)
    plain = heed.read_bids(study, cache=False)[0]
    kept = heed.read_bids(study, cache=tmp_path / "cache")[0]
    assert len(list((tmp_path / "cache").glob("run-*.heed"))) == 3
    again = heed.read_bids(study, cache=str(tmp_path / "cache"))[0]
    for a, b, c in zip(plain.trials, kept.trials, again.trials):
        np.testing.assert_array_equal(a.eeg, b.eeg)
        np.testing.assert_array_equal(a.eeg, c.eeg)
    assert files_below(study) == before


def test_runs_and_channels_are_chosen(study):
    folder = heed.read_bids(study, participants=["2"], runs=["1", "3"], cache=False)
    assert folder.participants == ["02"] and len(folder[0]) == 2
    names = folder[0].trials[0].channels
    picked = heed.read_bids(study, participants="02", channels=names[:2][::-1], cache=False)[0].trials[0]
    assert picked.channels == names[:2][::-1] and picked.eeg.shape[1] == 2
    assert folder[0].preprocessing["band"] == (0.5, 9.0)
    paper = heed.read_bids(study, recipe="paper", cache=False)[0].preprocessing
    assert (paper["band"], paper["target"]) == ((1.0, 9.0), "envelope")


def test_threads_read_at_once(study, first):
    folder = heed.read_bids(study, cache=False)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda k: folder[k % 2], range(6)))
    for one in found[::2]:
        np.testing.assert_array_equal(one.trials[1].eeg, first.trials[1].eeg)


def test_bad_channels_are_told(tmp_path):
    heed.simulate_recording(folder=tmp_path / "study", participants=1, trials=2, minutes=0.5, channels=CHANNELS[:4], seed=1)
    table = next((tmp_path / "study").rglob("*run-*1_channels.tsv"), None) or next((tmp_path / "study").rglob("*_channels.tsv"))
    lines = table.read_text().splitlines()
    header = lines[0].split("\t")
    if "status" not in header:
        lines = [lines[0] + "\tstatus"] + [line + "\tgood" for line in lines[1:]]
    lines[1] = lines[1].replace("good", "bad")
    table.write_text("\n".join(lines) + "\n")
    with pytest.warns(UserWarning, match="sub-01: channel .* is bad"):
        one = heed.read_bids(tmp_path / "study", cache=False)[0]
    assert len(one.trials[0].channels) == 3 and "left out" in one.notes[0]


# ---- listeners of one's own ----


def test_trials_hold_what_they_were_given():
    eeg, speech = signals(1, samples=640)
    attended = np.repeat([0, -1, 1], [200, 40, 400])
    one = heed.Trial(eeg, speech, attended, sampling_frequency=64, channels=CHANNELS, speakers=["a", "b"], name="x", onset=2.5)
    np.testing.assert_array_equal(one.eeg, eeg)
    np.testing.assert_array_equal(one.stimuli, speech)
    np.testing.assert_array_equal(one.attended, attended)
    assert not one.missing.any() and one.onset == 2.5 and one.targets == ["onset"]
    eeg[10, 3] = np.nan
    gap = heed.Trial(eeg, speech, 1)
    assert np.flatnonzero(gap.missing).tolist() == [10] and (gap.eeg[10] == 0).all() and gap.channels[0] == "1"


def test_copies_and_pickles():
    whole = listener(2)
    for again in (pickle.loads(pickle.dumps(whole)), copy.deepcopy(whole)):
        assert again.id == "01" and again.runs == whole.runs and again.preprocessing == whole.preprocessing
        for a, b in zip(again.trials, whole.trials):
            np.testing.assert_array_equal(a.eeg, b.eeg)
            np.testing.assert_array_equal(a.stimuli, b.stimuli)
            np.testing.assert_array_equal(a.attended, b.attended)
            assert (a.name, a.channels, a.speakers) == (b.name, b.channels, b.speakers)


def test_arrays_live_longer_than_their_listener():
    eeg = listener(2).trials[1].eeg
    np.testing.assert_array_equal(eeg, trial(1, 1).eeg)


@pytest.mark.parametrize("decoder", ["ls", "cca", heed.LSDecoder(ridge=0.3), heed.CCADecoder(pairs=2)])
def test_each_trial_is_scored_by_decoders_of_the_others(decoder):
    whole = listener()
    found = heed.cross_validate(whole, decoder, windows=2)
    right = [(t.scores.argmax(axis=1) == t.attended).mean() for t in found.trials]
    assert np.mean(right) > 0.9
    kind = {"ls": heed.LSDecoder(), "cca": heed.CCADecoder(window=2.0)}.get(decoder, decoder) if isinstance(decoder, str) else decoder
    if isinstance(kind, heed.LSDecoder):
        others = kind.fit(whole.trials[1:])
        np.testing.assert_allclose(found.trials[0].scores, others.window_scores(whole.trials[0], window=2.0), atol=1e-10)


def test_mistakes_are_told(tmp_path, study):
    with pytest.raises(FileNotFoundError):
        heed.read_bids(tmp_path / "nowhere")
    with pytest.raises(heed.NotFoundError, match="09"):
        heed.read_bids(study, participants=["09"])
    with pytest.raises(heed.InvalidArgumentError, match="filters"):
        heed.read_bids(study, filters="none")
    with pytest.raises(TypeError, match="heed.Listener"):
        heed.cross_validate([1, 2])
    with pytest.raises(heed.InvalidArgumentError, match="'svm' is not ls, cca or csp"):
        heed.cross_validate(listener(2), "svm")
    with pytest.raises(heed.InvalidArgumentError, match="reads rhythms of 0.5"):
        heed.cross_validate(listener(2), "csp")
    with pytest.raises(heed.InvalidArgumentError, match="there is no 'rigde'"):
        heed.cross_validate(listener(2), "ls", rigde=1)
    with pytest.raises(heed.BadDataError, match="needs two"):
        heed.cross_validate(listener(1), "ls")
    eeg, speech = signals(1, samples=640)
    with pytest.raises(heed.InvalidArgumentError, match="639 samples"):
        heed.Trial(eeg, speech[1:])
    with pytest.raises(heed.InvalidArgumentError, match="2 is not a column|2.0 is not a column"):
        heed.Trial(eeg, speech, 2)
    with pytest.raises(heed.InvalidArgumentError, match="3 labels for 640"):
        heed.Trial(eeg, speech, [0, 1, 0])
    with pytest.raises(heed.InvalidArgumentError, match="2 names for 6"):
        heed.Trial(eeg, speech, channels=["a", "b"])
    with pytest.raises(heed.InvalidArgumentError, match="infinity"):
        heed.Trial(eeg, speech * np.nan)
    with pytest.raises(heed.InvalidArgumentError, match='read_bids.*recipe="heed"'):
        heed.cross_validate(heed.read_bids(study, recipe="paper", cache=False)[0], recipe="heed")
    with pytest.raises(heed.InvalidArgumentError, match="'best' is not paper or heed"):
        heed.cross_validate(listener(2), recipe="best")
    with pytest.raises(heed.InvalidArgumentError, match="'best' is not paper or heed"):
        heed.read_bids(study, recipe="best")
    with pytest.raises(heed.InvalidArgumentError, match="has the recipe 'paper' already"):
        heed.cross_validate(listener(2), heed.LSDecoder(recipe="paper"), recipe="heed")
    with pytest.raises(heed.InvalidArgumentError, match="'spearman' is not pearson or cosine"):
        heed.cross_validate(listener(2), score="spearman")
    with pytest.raises(heed.InvalidArgumentError, match="needs the cosine"):
        heed.cross_validate(listener(2), score="pearson", score_shrinkage=0.1)
    with pytest.raises(heed.InvalidArgumentError, match="'pitch' is not envelope, onset or both"):
        heed.read_bids(study, target="pitch")
    with pytest.raises(heed.InvalidArgumentError, match="a target other than"):
        heed.Listener("01", [heed.Trial(eeg, speech, target="onset")], preprocessing={"target": "envelope"})
    with pytest.raises(heed.InvalidArgumentError, match="samples x speakers x targets"):
        heed.Trial(eeg, speech[:, :1], target="both")
    with pytest.raises(heed.InvalidArgumentError, match="at least one"):
        heed.Listener("01", [])
    with pytest.raises(TypeError, match="heed.Population, a heed.BidsFolder or a sequence"):
        heed.cross_validate(listener(2), others=[1, 2])
    with pytest.raises(heed.InvalidArgumentError, match="between 0 and 1"):
        heed.cross_validate(listener(2), others=[listener(2)], prior_weight=2)
    with pytest.raises(heed.InvalidArgumentError, match="prior_weight: there is nobody to weigh"):
        heed.cross_validate(listener(2), prior_weight=0.5)
    with pytest.raises(heed.InvalidArgumentError, match="prior_weight: only heed's recipe has a population"):
        heed.cross_validate(listener(2), others=[listener(2)], recipe="paper", prior_weight=0.5)
    with pytest.raises(heed.InvalidArgumentError, match="preprocessed in another way"):
        heed.cross_validate(listener(2), others=heed.read_bids(study, cache=False, band=(2, 8)))
