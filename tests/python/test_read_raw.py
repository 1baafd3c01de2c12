# SPDX-License-Identifier: MIT
"""Recordings read from files, beside MNE's readers where real files are at hand."""
import os
import pathlib
import pickle

import numpy as np
import pytest

import heed


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """A BIDS folder of one listener; the raw samples are known."""
    options = dict(participants=1, trials=1, minutes=0.5, channels=["Fz", "Cz", "Pz"], seed=2)
    folder = tmp_path_factory.mktemp("raw") / "study"
    heed.simulate_recording(folder=folder, format="brainvision", **options)
    return next(folder.rglob("*_eeg.vhdr")), heed.simulate_recording(**options)[0]


def test_samples_are_those_that_were_written(simulated):
    path, run = simulated
    recording = heed.read_raw(path)
    assert recording.channels == ["Fz", "Cz", "Pz"]
    assert recording.sampling_frequency == 128 and recording.onset == 0
    assert recording.samples.dtype == np.float32 and recording.samples.flags.writeable
    np.testing.assert_array_equal(recording.samples, run.eeg)
    assert "BrainVision" in repr(recording) and recording.duration == 30


def test_a_part_is_cut_from_the_whole(simulated):
    path, run = simulated
    part = heed.read_raw(str(path), channels=["Pz", "Fz"], start=5, stop=7.5)
    assert part.onset == 5 and part.channels == ["Pz", "Fz"]
    np.testing.assert_array_equal(part.samples, run.eeg[5 * 128 : 5 * 128 + 320][:, [2, 0]])


def test_copies_and_pickles(simulated):
    recording = heed.read_raw(simulated[0], stop=1)
    again = pickle.loads(pickle.dumps(recording))
    np.testing.assert_array_equal(again.samples, recording.samples)
    assert again.events == recording.events and again.start == recording.start


def test_to_mne_is_in_volts(simulated):
    pytest.importorskip("mne")
    recording = heed.read_raw(simulated[0], start=1, stop=3)
    raw = recording.to_mne()
    assert raw.ch_names == recording.channels and raw.info["sfreq"] == 128
    scale = {"uV": 1e-6, "µV": 1e-6, "V": 1.0}[recording.units[0]]
    np.testing.assert_allclose(raw.get_data().T, recording.samples.astype(float) * scale, rtol=1e-12)
    both = heed.preprocess(recording), heed.preprocess(raw)
    np.testing.assert_allclose(both[1], scale * both[0], atol=1e-5 * scale * np.abs(both[0]).max())
    assert "a million times that for its ``to_mne()``" in heed.preprocess.__doc__
    marked = heed.Recording(recording.samples, 128.0, recording.channels, ["uV", "uV", "n/a"],
                            [heed.RecordingEvent(1.5, 0.25, "S 1"), heed.RecordingEvent(9.0, 0.0, "late")], onset=1.0)
    raw = marked.to_mne()
    assert raw.get_channel_types() == ["eeg", "eeg", "misc"]
    assert [(a["onset"], a["duration"], a["description"]) for a in raw.annotations] == [(0.5, 0.25, "S 1")]


def test_mistakes_are_told(simulated, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere.bdf"):
        heed.read_raw("nowhere.bdf")
    with pytest.raises(heed.NotFoundError, match="Oz"):
        heed.read_raw(simulated[0], channels=["Oz"])
    (tmp_path / "notes.edf").write_text("no recording")
    with pytest.raises(heed.Error, match="notes.edf"):
        heed.read_raw(tmp_path / "notes.edf")
    with pytest.raises(TypeError):
        heed.read_raw(None)


@pytest.mark.parametrize("name, reader", [("test.bdf", "read_raw_bdf"), ("test.edf", "read_raw_edf"), ("test.vhdr", "read_raw_brainvision")])
def test_real_files_are_as_mne_reads_them(name, reader):
    mne = pytest.importorskip("mne")
    folder = os.environ.get("HEED_TEST_DATA")
    if not folder:
        pytest.skip("HEED_TEST_DATA names no folder: no real recordings here")
    path = pathlib.Path(folder) / "readers" / name
    recording = heed.read_raw(path)
    theirs = getattr(mne.io, reader)(path, preload=True, verbose="error")
    volts_only = [c for c, unit in zip(recording.channels, recording.units) if unit in ("uV", "µV", "mV", "V")]
    common = [c for c in volts_only if c in theirs.ch_names]
    assert len(common) >= 8
    volts = theirs.get_data(picks=common).T
    ours = recording.to_mne().get_data(picks=common).T
    np.testing.assert_allclose(ours, volts[: len(ours)], rtol=1e-5, atol=1e-9)
