# SPDX-License-Identifier: MIT
"""Envelopes and preprocessing, beside scipy and numpy written out."""
import numpy as np
import pytest
from scipy import signal as scipy_signal

import heed

RATE = 64


def gammatone_envelope(sound, rate):
    """The definition (docs/preprocessing.md): impulse responses, power law, peaks aligned, sum. Not yet resampled."""
    numbers = 9.2645 * np.log1p(0.00437 * np.array([150.0, 4000.0]))
    count = int(np.floor((numbers[1] - numbers[0]) / 1.5))
    first = numbers.mean() - 1.5 * count / 2
    total = np.zeros(len(sound))
    for number in first + 1.5 * np.arange(count + 1):
        centre = np.expm1(number / 9.2645) / 0.00437
        width = 1.5 * (24.7 + centre / 9.265)
        time = np.arange(int(0.2 * rate)) / rate
        response = 2 * (2 * np.pi * width) ** 4 / 6 / rate * time**3 * np.cos(2 * np.pi * centre * time)
        response *= np.exp(-2 * np.pi * width * time)
        peak = int(np.round(3 / (2 * np.pi * width) * rate))
        band = np.abs(np.convolve(sound, response)) ** 0.6
        total += band[peak : peak + len(sound)]
    return total


def test_envelope_is_the_definition():
    random = np.random.default_rng(3)
    sound = random.standard_normal(8000) * np.repeat(random.random(20), 400)
    made = heed.envelope(sound.astype(np.float32), 8000)
    plain = gammatone_envelope(sound.astype(np.float32).astype(float), 8000)
    expected = scipy_signal.resample_poly(plain, 1, 125, window=("kaiser", 5.0))
    assert made.shape == (64,)
    inside = slice(12, -12)  # scipy and a stream continue a signal differently beyond its ends
    np.testing.assert_allclose(made[inside], expected[inside], rtol=1e-4)


def test_envelope_of_a_file_is_that_of_its_samples(tmp_path):
    from scipy.io import wavfile

    random = np.random.default_rng(4)
    sound = (random.standard_normal((40000, 2)) * 3000).astype(np.int16)
    wavfile.write(tmp_path / "speech.wav", 16000, sound)
    mean = (sound / 32768).mean(axis=1).astype(np.float32)
    np.testing.assert_allclose(heed.envelope(tmp_path / "speech.wav"), heed.envelope(mean, 16000), rtol=1e-6)
    assert heed.envelope(tmp_path / "speech.wav", rate=128).shape == (320,)


def test_zero_phase_is_scipys_butterworth():
    eeg = np.random.default_rng(5).standard_normal((RATE * 60, 3)).astype(np.float32)
    sections = scipy_signal.butter(2, [1, 9], "bandpass", fs=RATE, output="sos")
    centred = eeg.astype(float) - eeg.astype(float).mean(axis=1, keepdims=True)
    expected = scipy_signal.sosfiltfilt(sections, centred, axis=0)
    np.testing.assert_allclose(heed.preprocess(eeg, RATE, recipe="paper"), expected, atol=1e-6)
    np.testing.assert_allclose(
        heed.preprocess(eeg[:, 0], RATE, kind="envelope", recipe="paper"), scipy_signal.sosfiltfilt(sections, eeg[:, 0].astype(float)), atol=1e-9
    )
    causal = heed.preprocess(eeg.astype(float), RATE, kind="envelope", recipe="paper", filters="causal")
    from_its_start = (eeg - eeg[0]).astype(float)  # so that an offset does not ring
    np.testing.assert_allclose(causal, scipy_signal.sosfilt(sections, from_its_start, axis=0), atol=1e-6)


def test_onsets_are_where_an_envelope_rises():
    random = np.random.default_rng(11)
    both = scipy_signal.sosfilt(scipy_signal.butter(2, 4, fs=RATE, output="sos"), random.standard_normal((RATE * 30, 2)), axis=0)
    onset = heed.preprocess(both, RATE, kind="envelope", band=(0.5, 9), target="onset")
    together = heed.preprocess(both, RATE, kind="envelope", band=(0.5, 9), target="both")
    assert together.shape == (RATE * 30, 2, 2)
    np.testing.assert_array_equal(together[..., 1], onset)
    np.testing.assert_array_equal(together[..., 0], heed.preprocess(both, RATE, kind="envelope", target="envelope"))
    np.testing.assert_array_equal(onset, heed.preprocess(both, RATE, kind="envelope"))
    rises = np.maximum(np.gradient(both[:, 0]), 0)
    assert np.corrcoef(onset[64:-64, 0], rises[64:-64])[0, 1] > 0.8
    assert heed.preprocess(both[:, 0], RATE, kind="envelope", target="both").shape == (RATE * 30, 2)


def test_references_and_channels():
    eeg = np.random.default_rng(6).standard_normal((RATE * 20, 3)).astype(np.float32)
    names = ["Fz", "Cz", "TP9"]
    as_recorded = heed.preprocess(eeg, RATE, reference="none", channels=names)
    mastoid = heed.preprocess(eeg, RATE, reference=["TP9"], channels=names)
    np.testing.assert_allclose(mastoid, as_recorded - as_recorded[:, 2:], atol=1e-6)
    assert heed.preprocess(eeg, RATE, channels=names, bad=["Cz"]).shape == (RATE * 20, 2)
    assert heed.preprocess(np.tile(eeg, 2), RATE, channels=[*names, "Pz", "Oz", "T7"], bad=["Cz"],
                           bad_channels="interpolate").shape == (RATE * 20, 6)


def test_frames_and_recordings_bring_their_names():
    pandas = pytest.importorskip("pandas")
    eeg = np.random.default_rng(7).standard_normal((512 * 10, 2)).astype(np.float32)
    recording = heed.Recording(eeg, 512.0, ["Fz", "Cz"], ["uV", "uV"])
    expected = heed.preprocess(eeg, 512, reference="none")
    np.testing.assert_array_equal(heed.preprocess(recording, reference="none"), expected)
    np.testing.assert_array_equal(
        heed.preprocess(pandas.DataFrame(eeg, columns=["Fz", "Cz"]), 512, reference="none", channels=["Cz", "Fz"]), expected[:, ::-1]
    )
    with pytest.raises(heed.InvalidArgumentError, match="Oz.*there are Fz, Cz"):
        heed.preprocess(recording, channels=["Oz"])
    with pytest.raises(heed.InvalidArgumentError, match="64 Hz, but the signal says 512"):
        heed.preprocess(recording, 64)


def test_what_was_not_recorded_is_nan():
    eeg = np.random.default_rng(8).standard_normal((RATE * 20, 2))
    eeg[300:320, 1] = np.nan
    made = heed.preprocess(eeg, RATE)
    missing = np.isnan(made).any(axis=1)
    assert missing[300:320].all() and not missing[:280].any() and not missing[340:].any()
    assert np.isnan(made[missing]).all()


def test_mne_raw_and_epochs():
    mne = pytest.importorskip("mne")
    eeg = np.random.default_rng(9).standard_normal((3, 256 * 8))
    info = mne.create_info(["Fz", "Cz", "Status"], 256.0, ["eeg", "eeg", "stim"])
    raw = mne.io.RawArray(eeg, info, verbose="error")
    expected = heed.preprocess(eeg[:2].T, 256)
    np.testing.assert_array_equal(heed.preprocess(raw), expected)
    raw.set_annotations(mne.Annotations([2.0], [0.5], ["BAD_move"]))
    assert np.isnan(heed.preprocess(raw)[2 * RATE + 5]).all()
    epochs = mne.EpochsArray(eeg.reshape(3, 2, -1).transpose(1, 0, 2), info, verbose="error")
    made = heed.preprocess(epochs)
    assert made.shape == (2, 4 * RATE, 2)
    np.testing.assert_array_equal(made[1], heed.preprocess(eeg[:2, 1024:].T, 256))


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda x: heed.preprocess(x), "sampling_frequency"),
        (lambda x: heed.preprocess(x, 64, band=(9, 1)), "lower edge"),
        (lambda x: heed.preprocess(x, 64, band=1), "band"),
        (lambda x: heed.preprocess(x, 64, filters="linear"), "filters: 'linear' is not zero-phase or causal"),
        (lambda x: heed.preprocess(x, 64, bad_channels="forget"), "bad_channels"),
        (lambda x: heed.preprocess(x, 64, kind="sound"), "kind"),
        (lambda x: heed.preprocess(x, 64, reference=["Fz"]), "Fz"),
        (lambda x: heed.preprocess(x[:, 0], 64), "samples x channels"),
        (lambda x: heed.preprocess(x[:3], 64), "short"),
        (lambda x: heed.preprocess(np.array([["a"]]), 64), "numbers"),
        (lambda x: heed.preprocess(np.zeros((0, 2)), 64), "no samples"),
        (lambda x: heed.preprocess(x[:, 0] * np.nan, 64, kind="envelope"), "finite"),
        (lambda x: heed.envelope(x[:, 0], 500), "1 kHz|1000"),
        (lambda x: heed.envelope(x[:, 0]), "sampling_frequency"),
        (lambda x: heed.envelope([np.inf] * 2000, 8000), "finite"),
        (lambda x: heed.envelope("nowhere.wav"), "nowhere.wav"),
    ],
)
def test_mistakes_are_told(call, words):
    with pytest.raises((heed.Error, TypeError), match=words):
        call(np.random.default_rng(1).standard_normal((640, 3)))


@pytest.mark.parametrize("call", [lambda rate: heed.preprocess(np.zeros((600, 2)), rate), lambda rate: heed.envelope(np.zeros(6000), rate)])
def test_a_rate_that_is_no_number_is_named(call):
    for rate in ("512", [512], {}):
        with pytest.raises(TypeError, match="sampling_frequency: must be a number in Hz"):
            call(rate)
