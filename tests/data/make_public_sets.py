#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes small files in the structures of the public attention data sets, with known content:

    python3 make_public_sets.py OUTDIR      OUTDIR/av-gc-aad, kuleuven, dtu: each for `heed convert`;
                                            OUTDIR/broken: each with one thing wrong

Trials last 20 s, and there are fewer of them; all else is as published. The first participant's file is MAT 5, the second's
MAT 5 without compression or MAT 7.3. The same files every time. Wants Debian's python3-numpy, python3-scipy, python3-h5py."""
import copy
import pathlib
import sys
import wave

sys.dont_write_bytecode = True
try:
    import numpy as np
    import scipy.io
    import mat5
    import mat73
    from mat73 import StructArray
except ModuleNotFoundError as missing:
    sys.exit(f"{missing}: install python3-numpy python3-scipy python3-h5py and call this with /usr/bin/python3")

SECONDS = 20
BROKEN_SECONDS = 2
AUDIO_RATE = 8000
LABELS = """Fp1 AF7 AF3 F1 F3 F5 F7 FT7 FC5 FC3 FC1 C1 C3 C5 T7 TP7 CP5 CP3 CP1 P1 P3 P5 P7 P9 PO7 PO3 O1 Iz Oz POz Pz CPz
Fpz Fp2 AF8 AF4 AFz Fz F2 F4 F6 F8 FT8 FC6 FC4 FC2 FCz Cz C2 C4 C6 T8 TP8 CP6 CP4 CP2 P2 P4 P6 P8 P10 PO8 PO4 O2""".split()


def envelope(samples, seed):
    """Positive, slow, and its own for each seed: (samples, 1)."""
    noise = np.abs(np.random.default_rng(seed).standard_normal(samples + 15))
    return np.convolve(noise, np.hanning(16) / 8, "valid")[:, None]


def eeg(attended, channels, seed):
    """Noise of 10 uV in which the attended envelope is heard 100 ms late."""
    noise = 10 * np.random.default_rng(seed).standard_normal((len(attended), channels))
    return noise + 3 * np.roll(attended, 13, axis=0)


def channel_structs(labels):
    return StructArray([{"Label": label, "Unit": "uV"} for label in labels])


# ---- AV-GC-AAD ----

CONDITIONS = {"01": ["MovingVideo1", "NoVisuals1", "FixedVideo1", "MovingTargetNoise1", "MovingVideo2", "FixedVideo2"],
              "03": ["StaticVideo1", "MovingTargetNoise2", "NoVisuals2", "MovingVideo1", "StaticVideo2", "NoVisuals1"]}


def gaze_trial(subject, trial, condition, seconds, rate=128):
    """Envelopes are by talker: `left` is who begins on the left, and the listener follows one talker throughout."""
    samples = seconds * rate
    side = "left" if (trial + int(subject)) % 2 == 0 else "right"
    talkers = {name: envelope(samples + 3, [1, int(subject), trial, k]) for k, name in enumerate(["left", "right"])}
    other = "right" if side == "left" else "left"
    return {"data": eeg(talkers[side][:samples], 68, [2, int(subject), trial]).astype(np.float32),
            "conditionID": condition, "initAttention": side,
            "metadata": {"FileHeader": {"SampleRate": float(rate), "Channels": channel_structs(
                LABELS + ["EXG3", "EXG4", "EXG5", "EXG6"])}},
            "randomization": {"left": f"story{trial}_L.wav", "right": f"story{trial}_R.wav",
                              "first_attended_side": side, "switch_times": seconds / 2,  # the published are 300 of 600 s
                              "comprehension_question": "Who?", "subject_answer": np.zeros((0, 0))},
            "attended": talkers[side], "unattended": talkers[other], **talkers}


def gaze_file(subject, seconds=SECONDS):
    trials = [gaze_trial(subject, k, condition, seconds) for k, condition in enumerate(CONDITIONS[subject])]
    column = lambda name: [trial[name] for trial in trials]
    stimulus = {f"{name}Envelopes": column(name) for name in ["attended", "unattended", "left", "right"]}
    return {"subjID": f"sub{subject}", "fs": 128.0, "stimulus": stimulus,
            **{name: column(name) for name in ["data", "conditionID", "initAttention", "metadata", "randomization"]}}


# ---- KU Leuven 2016 ----

def leuven_trial(subject, trial, seconds, rate=128):
    condition = "dry" if (trial + subject) % 2 else "hrtf"
    wavs = [f"part{trial % 2 + 1}_track{track}_{condition}.wav" for track in (1, 2)]
    ear = "L" if trial % 2 == 0 else "R"
    repetition = trial >= 2
    attended = envelope(seconds * rate, [3, subject, trial])
    return {"RawData": {"EegData": eeg(attended, 64, [4, subject, trial]), "HighPass": 0.5},
            "FileHeader": {"SampleRate": float(rate), "Channels": channel_structs(LABELS)},
            "TrialID": float(trial + 1), "attended_ear": ear, "stimuli": wavs, "condition": condition,
            "experiment": 3.0 if repetition else 1.0, "part": float(trial % 2 + 1), "attended_track": 1.0,
            "repetition": bool(repetition), "subject": f"S{subject}"}


def leuven_file(subject, trials=4, seconds=SECONDS):
    return {"trials": [leuven_trial(subject, k, seconds) for k in range(trials)]}


def write_wav(path, channels, seed):
    noise = np.random.default_rng(seed).standard_normal((AUDIO_RATE * (SECONDS + 2), channels))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(AUDIO_RATE)
        file.writeframes(np.clip(noise * 3000, -32768, 32767).astype("<i2").tobytes())


def write_leuven_audio(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for part in (1, 2):
        for track in (1, 2):
            write_wav(folder / f"part{part}_track{track}_dry.wav", 1, [5, part, track])
            write_wav(folder / f"part{part}_track{track}_hrtf.wav", 2, [6, part, track])


# ---- DTU ----

def dtu_file(subject, trials=6, seconds=SECONDS, rate=64):
    samples = seconds * rate
    a = [envelope(samples, [7, subject, k]) for k in range(trials)]
    b = [envelope(samples, [8, subject, k]) for k in range(trials)]
    events = StructArray([{"sample": 1.0, "value": float(k % 2 + 1)} for k in range(trials)])
    return {"data": {"eeg": [eeg(a[k], 66, [9, subject, k]) for k in range(trials)], "wavA": a, "wavB": b,
                     "fsample": {"eeg": float(rate), "wavA": float(rate), "wavB": float(rate)},
                     "dim": {"chan": {"eeg": LABELS + ["EXG1", "EXG2"]}}, "event": {"eeg": events}}}


# ---- files ----

def for_scipy(value):
    """Lists are row cells, as scipy wants them."""
    if isinstance(value, dict):
        return {name: for_scipy(content) for name, content in value.items()}
    if isinstance(value, StructArray):
        elements = np.empty((1, len(value.elements)), dtype=[(name, object) for name in value.elements[0]])
        for k, element in enumerate(value.elements):
            elements[0, k] = tuple(for_scipy(content) for content in element.values())
        return elements
    if isinstance(value, list):
        cells = np.empty((1, len(value)), dtype=object)
        for k, content in enumerate(value):
            cells[0, k] = for_scipy(content)
        return cells
    return value


def save(path, variables, version):
    path.parent.mkdir(parents=True, exist_ok=True)
    if version == "7.3":
        mat73.save(path, variables)
    else:
        with open(path, "wb") as file:
            scipy.io.savemat(file, for_scipy(variables), do_compression=version == "7", long_field_names=True)
        # scipy writes the time of day into the header.
        with open(path, "r+b") as file:
            file.write(mat5.HEADER.ljust(116))


def make_sets(folder):
    for subject, version in (("01", "7"), ("03", "6")):
        save(folder / "av-gc-aad" / f"2024-AV-GC-AAD-sub{subject}_preprocessed.mat", gaze_file(subject), version)
    for subject, version in ((1, "7"), (2, "7.3")):
        save(folder / "kuleuven" / f"S{subject}.mat", leuven_file(subject), version)
        save(folder / "dtu" / f"S{subject}_data_preproc.mat", dtu_file(subject), version)
    write_leuven_audio(folder / "kuleuven" / "stimuli")


# ---- with one thing wrong ----

def place_of(value, path):
    for step in path:
        value = value[step]
    return value


def without(value, *path):
    value = copy.deepcopy(value)
    del place_of(value, path[:-1])[path[-1]]
    return value


def with_content(value, *path_and_content):
    *path, content = path_and_content
    value = copy.deepcopy(value)
    place_of(value, path[:-1])[path[-1]] = content
    return value


def broken_leuven():
    good = leuven_file(1, trials=2, seconds=BROKEN_SECONDS)
    eeg_data = good["trials"][1]["RawData"]["EegData"]
    return {
        "no-trials": {"other": 1.0},
        "no-attended-ear": without(good, "trials", 1, "attended_ear"),
        "no-eeg": without(good, "trials", 1, "RawData", "EegData"),
        "no-stimuli": without(good, "trials", 0, "stimuli"),
        "empty-struct": with_content(good, "trials", 1, "FileHeader", np.zeros((0, 0), dtype=[("SampleRate", object)])),
        "text-for-eeg": with_content(good, "trials", 1, "RawData", "EegData", "not numbers"),
        "number-in-cell": with_content(good, "trials", 1, 3.0),
        "unknown-ear": with_content(good, "trials", 0, "attended_ear", "B"),
        "one-stimulus": with_content(good, "trials", 0, "stimuli", good["trials"][0]["stimuli"][:1]),
        "missing-wav": with_content(good, "trials", 0, "stimuli", ["nowhere.wav", "part1_track2_dry.wav"]),
        "path-in-wav": with_content(good, "trials", 0, "stimuli", ["../../S1.mat", "part1_track2_dry.wav"]),
        "few-labels": with_content(good, "trials", 0, "FileHeader", "Channels", channel_structs(LABELS[:5])),
        "zero-rate": with_content(good, "trials", 0, "FileHeader", "SampleRate", 0.0),
        "not-a-number": with_content(good, "trials", 1, "RawData", "EegData", np.where(eeg_data > 0, eeg_data, np.nan)),
        "empty-eeg": with_content(good, "trials", 1, "RawData", "EegData", np.zeros((0, 64))),
        "no-trial": {"trials": []},
    }


def broken_gaze():
    good = gaze_file("01", BROKEN_SECONDS)
    return {
        "no-envelopes": without(good, "stimulus", "attendedEnvelopes"),
        "short-envelope": with_content(good, "stimulus", "unattendedEnvelopes", 2, np.ones((100, 1))),
        "fewer-conditions": with_content(good, "conditionID", good["conditionID"][:-1]),
        "no-rate": without(good, "fs"),
        "unknown-side": with_content(good, "initAttention", 3, "up"),
        "late-switch": with_content(good, "randomization", 0, "switch_times", 300.0),
    }


def broken_dtu():
    good = dtu_file(1, seconds=BROKEN_SECONDS)
    return {
        "no-wavB": without(good, "data", "wavB"),
        "ragged": with_content(good, "data", "wavA", good["data"]["wavA"][:-1]),
        "no-data": {"eeg": good["data"]["eeg"]},
    }


def make_broken(folder):
    for name, variables in broken_leuven().items():
        save(folder / "kuleuven" / name / "S1.mat", variables, "7")
    for name in ("no-attended-ear", "no-eeg", "text-for-eeg", "number-in-cell", "unknown-ear"):
        save(folder / "kuleuven" / (name + "-v73") / "S1.mat", broken_leuven()[name], "7.3")
    for name, variables in broken_gaze().items():
        save(folder / "av-gc-aad" / name / "2024-AV-GC-AAD-sub01_preprocessed.mat", variables, "7")
    for name, variables in broken_dtu().items():
        save(folder / "dtu" / name / "S1_data_preproc.mat", variables, "7")
    header = {"SampleRate": 128.0, "Channels": {"Label": ["Cz", "Pz"]}}
    table = {"trials": [{"attended_ear": "L", "stimuli": ["a.wav", "b.wav"], "RawData": mat73.Table(), "FileHeader": header}]}
    for name, writer in (("table", mat5), ("table-v73", mat73)):
        (folder / "kuleuven" / name).mkdir(parents=True, exist_ok=True)
        writer.save(folder / "kuleuven" / name / "S1.mat", table)
    (folder / "kuleuven" / "all-a-table").mkdir(parents=True, exist_ok=True)
    mat5.save(folder / "kuleuven" / "all-a-table" / "S1.mat", {"trials": mat73.Table()})
    write_leuven_audio(folder / "stimuli")


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    folder = pathlib.Path(arguments[0])
    make_sets(folder)
    make_broken(folder / "broken")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
