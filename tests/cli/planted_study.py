# SPDX-License-Identifier: MIT
"""A BIDS folder whose EEG holds the attended envelope, a known while later, under a known amount of noise."""
import array
import json
import math
import random
import wave

CHANNELS = ("Fz", "Cz", "Pz", "Oz", "F3", "F4", "C3", "C4")
PATTERN = (1.0, 0.9, 0.4, -0.6, 0.7, 0.7, 0.5, 0.5)  # of the attended envelope on the scalp
RATE = 64  # Hz, of EEG and envelopes
LAG = 8  # samples of the EEG behind the sound: 125 ms
AUDIO_RATE = 8000


class Study:
    """What is planted, before it is written; tests change it first. `attend(participant, run)` gives
    [(onset, duration, speaker's number)], None for a run without labels."""

    def __init__(self, root, participants=("01",), runs=3, seconds=40, speakers=("left", "right"), noise=1.0, sound=False,
                 lag=LAG, seed=1):
        self.root = root
        self.participants = participants
        self.runs = runs
        self.seconds = seconds
        self.speakers = speakers
        self.noise = noise
        self.sound = sound
        self.lag = lag
        self.random = random.Random(seed)
        self.attend = lambda participant, run: [(0, seconds, run % len(speakers))]

    def write(self):
        self.root.mkdir(parents=True)
        self._text("dataset_description.json", json.dumps({"Name": "Planted", "BIDSVersion": "1.9.0"}))
        self._text("task-attend_eeg.json", json.dumps({"TaskName": "attend", "SamplingFrequency": RATE, "EEGReference": "n/a"}))
        stimuli = [[self._stimulus(f"run{run + 1}-{name}") for name in self.speakers] for run in range(self.runs)]
        for participant in self.participants:
            for run in range(self.runs):
                self._run(participant, run, stimuli[run])
        return self.root

    def stem(self, participant, run):
        """Of the files of a run; runs count from 1."""
        return f"sub-{participant}/eeg/sub-{participant}_task-attend_run-{run:02}"

    # ---- sounds ----

    def _stimulus(self, name):
        envelope = speech_like(self.random, self.seconds * RATE)
        if self.sound:
            self._path(f"stimuli/{name}.wav")
            write_voice(self.root / "stimuli" / f"{name}.wav", envelope, self.random)
            return name + ".wav", envelope
        self._text(f"stimuli/{name}.tsv", "envelope\n" + "".join(f"{value:.6g}\n" for value in envelope))
        self._text(f"stimuli/{name}.json", json.dumps({"SamplingFrequency": RATE}))
        return name + ".tsv", envelope

    # ---- runs ----

    def _run(self, participant, run, stimuli):
        labels = self.attend(participant, run)
        stem = self.stem(participant, run + 1)
        attended = [stimuli[self._speaker_at(labels or [(0, self.seconds, 0)], t)][1][max(0, t - self.lag)]
                    for t in range(self.seconds * RATE)]
        write_brain_vision(self.root / self._path(stem + "_eeg.vhdr"), self._eeg(attended))
        self._text(stem + "_channels.tsv", "name\ttype\tunits\tstatus\n" + "".join(f"{c}\tEEG\tuV\tgood\n" for c in CHANNELS))
        rows = [(0, self.seconds, "stimulus", name, stimuli[s][0]) for s, name in enumerate(self.speakers)]
        rows += [(onset, length, "attend", self.speakers[who], "n/a") for onset, length, who in labels or []]
        self._text(stem + "_events.tsv", "onset\tduration\ttrial_type\tspeaker\tstim_file\n" +
                   "".join("\t".join(map(str, row)) + "\n" for row in rows))

    @staticmethod
    def _speaker_at(labels, sample):
        return next((who for onset, length, who in labels if onset * RATE <= sample < (onset + length) * RATE), 0)

    def _eeg(self, attended):
        samples = array.array("f")
        for value in attended:
            common = self.random.gauss(0, self.noise)
            samples.extend(10 * (weight * value + common + self.random.gauss(0, self.noise)) for weight in PATTERN)
        return samples

    # ---- files ----

    def _path(self, name):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        return name

    def _text(self, name, text):
        (self.root / self._path(name)).write_text(text)


def speech_like(numbers, samples):
    """Positive, of about 1 to 9 Hz, with a standard deviation near one."""
    envelope, slow, fast = [], 0.0, 0.0
    for _ in range(samples):
        slow = 0.75 * slow + numbers.gauss(0, 1)
        fast = 0.5 * fast + 0.5 * slow
        envelope.append(abs(fast))
    return envelope


def write_voice(path, envelope, numbers):
    """Noise as loud as the envelope: 8 kHz, 16 bit."""
    per_sample = AUDIO_RATE // RATE
    loudest = max(envelope)
    noise = [numbers.uniform(-1, 1) for _ in range(10007)]
    samples = array.array("h")
    for t, value in enumerate(envelope):
        after = envelope[min(t + 1, len(envelope) - 1)]
        for k in range(per_sample):
            level = (value + (after - value) * k / per_sample) / loudest
            samples.append(int(30000 * level ** (1 / 0.6) * noise[(t * per_sample + k) % len(noise)]))
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, AUDIO_RATE, 0, "NONE", ""))
        file.writeframes(samples.tobytes())


def write_brain_vision(path, samples, channels=CHANNELS):
    data = path.with_suffix(".eeg")
    listed = "".join(f"Ch{k + 1}={name},,1,µV\n" for k, name in enumerate(channels))
    path.write_text("Brain Vision Data Exchange Header File Version 1.0\n[Common Infos]\nCodepage=UTF-8\n"
                    f"DataFile={data.name}\nDataFormat=BINARY\nDataOrientation=MULTIPLEXED\n"
                    f"NumberOfChannels={len(channels)}\nSamplingInterval={1000000 // RATE}\n"
                    f"[Binary Infos]\nBinaryFormat=IEEE_FLOAT_32\n[Channel Infos]\n{listed}", encoding="utf-8")
    data.write_bytes(samples.tobytes())


def read_samples(path):
    """As written: an array of floats, all channels of a sample behind each other."""
    samples = array.array("f")
    samples.frombytes(path.with_suffix(".eeg").read_bytes())
    return samples


def set_channel(path, channel, value):
    """Overwrites one channel of a recording; `value(t)` in µV."""
    samples = read_samples(path)
    at = CHANNELS.index(channel)
    for t in range(len(samples) // len(CHANNELS)):
        samples[t * len(CHANNELS) + at] = value(t)
    write_brain_vision(path, samples)


def binomial_bound(chance, windows, deviations=3):
    """Accuracy that guessing passes about once in a thousand times."""
    return chance + deviations * math.sqrt(chance * (1 - chance) / windows)
