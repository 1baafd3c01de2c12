# SPDX-License-Identifier: MIT
"""heed preprocess: a BIDS folder of signals as decoders take them."""
import math
import unittest

from decoding_test import BAD_DATA, CANNOT_CREATE, NO_INPUT, PARTIAL, USAGE, DecodingTest, edit
from planted_study import CHANNELS, RATE, read_samples, set_channel

RUN = "sub-01/eeg/sub-01_task-attend_run-01"


class Preprocess(DecodingTest):
    def setUp(self):
        super().setUp()
        self.study = self.copy(self.shared("small", seconds=20))

    def channels(self, folder="out", run=RUN):
        """{name: samples} of a run that heed wrote."""
        names = self.read_table(f"{folder}/{run}_channels.tsv")["name"]
        samples = read_samples(self.folder / folder / f"{run}_eeg.vhdr")
        return {name: samples[k::len(names)] for k, name in enumerate(names)}

    def test_what_comes_is_a_bids_folder(self):
        self.heed("preprocess", "study", "-o", "out")
        self.assertIn("0.5 ... 9 Hz, zero-phase, 64 Hz, average reference, targets envelope and onset: written to out\n", self.said)
        self.assertTrue(self.heed("validate", "out").endswith("0 errors, 0 warnings\n"))
        self.assertEqual(list(self.channels()), list(CHANNELS))
        events = self.read_table(f"out/{RUN}_events.tsv")
        self.assertEqual(events["trial_type"], ["stimulus", "stimulus", "attend"])
        self.assertEqual(events["speaker"], ["left", "right", "left"])
        self.assertIn("preprocessed by heed: 0.5 ... 9 Hz", self.read("out/README"))
        self.assertEqual(list(self.stimulus("out")), ["envelope", "onset"])
        self.heed("preprocess", "study", "--recipe", "paper", "-o", "paper")
        self.assertIn("1 ... 9 Hz, zero-phase, 64 Hz, average reference: written to paper\n", self.said)
        self.assertEqual(list(self.stimulus("paper")), ["envelope"])

    def test_the_band(self):
        """A slow rhythm stays as it is, a fast one goes: a channel of 5 Hz and 25 Hz, both of 10 microvolts."""
        wave = lambda f, t: 10 * math.sin(2 * math.pi * f * t / RATE)
        set_channel(self.study / f"{RUN}_eeg.vhdr", "Fz", lambda t: wave(5, t) + wave(25, t))
        for filters, leftover in (("zero-phase", 0.02), ("causal", 0.4)):  # the zero-phase one filters twice
            self.heed("preprocess", "study", "--recipe", "paper", "--reference", "none", "--filters", filters, "-o", filters)
            fz = self.channels(filters)["Fz"]
            self.assertAlmostEqual(amplitude(fz, 5), 10, delta=0.3)
            self.assertLess(amplitude(fz, 25), leftover)
        self.heed("preprocess", "study", "--reference", "none", "--band", "20-30", "-o", "fast")
        self.assertLess(amplitude(self.channels("fast")["Fz"], 5), 0.2)
        self.assertGreater(amplitude(self.channels("fast")["Fz"], 25), 9)

    def test_the_reference(self):
        self.heed("preprocess", "study", "-o", "average")
        sums = [abs(sum(sample)) for sample in zip(*self.channels("average").values())]
        self.assertLess(max(sums), 1e-3)
        self.heed("preprocess", "study", "--reference", "Oz,Pz", "-o", "named")
        named = self.channels("named")
        self.assertLess(max(abs(a + b) for a, b in zip(named["Oz"], named["Pz"])), 1e-3)

    def test_the_rate(self):
        self.heed("preprocess", "study", "--rate", "32", "-o", "out")
        self.assertEqual(len(self.channels()["Fz"]), 20 * 32)
        self.assertEqual(self.heed_json("info", f"out/{RUN}_eeg.vhdr")["sampling_frequency"], 32)

    def test_bad_channels(self):
        edit(self.study / f"{RUN}_channels.tsv", "Pz\tEEG\tuV\tgood", "Pz\tEEG\tuV\tbad")
        self.heed("preprocess", "study", "-o", "without")
        self.assertIn("heed: note: sub-01: channel Pz is bad (channels.tsv of sub-01_task-attend_run-01): left out", self.said)
        for run in (1, 2, 3):
            self.assertNotIn("Pz", self.channels("without", RUN.replace("run-01", f"run-0{run}")))
        self.heed("preprocess", "study", "--bad-channels", "interpolate", "-o", "with")
        self.assertEqual(list(self.channels("with")), list(CHANNELS))

    def test_clipping(self):
        set_channel(self.study / f"{RUN}_eeg.vhdr", "Fz", lambda t: 5000 if t == 600 else 10 * math.sin(2 * math.pi * 5 * t / RATE))
        self.heed("preprocess", "study", "--reference", "none", "-o", "as-is")
        self.heed("preprocess", "study", "--reference", "none", "--clip", "5", "-o", "clipped")
        as_is, clipped = (max(map(abs, self.channels(folder)["Fz"])) for folder in ("as-is", "clipped"))
        self.assertGreater(as_is, 4 * clipped)
        self.assertIn("clipped at 5 deviations", self.said)

    def test_targets(self):
        """Both are columns, the envelope as it is alone; the onset leads it, as a slope does."""
        tables = {}
        for target in ("envelope", "onset", "both"):
            self.heed("preprocess", "study", "--target", target, "-o", target)
            tables[target] = self.stimulus(target)
        self.assertIn("average reference, targets envelope and onset: written to both\n", self.said)
        self.assertEqual(list(tables["both"]), ["envelope", "onset"])
        for target in ("envelope", "onset"):
            self.assertEqual(list(tables[target]), [target])
            self.assertLess(distance(tables["both"][target], tables[target][target]), 1e-5)
        envelope, onset = tables["both"]["envelope"], tables["both"]["onset"]
        lead = max(range(-20, 21), key=lambda lag: sum(a * b for a, b in zip(envelope[40 + lag:], onset[40:-40])))
        self.assertTrue(1 <= lead <= 8, lead)
        self.assertTrue(self.heed("validate", "both").endswith("0 errors, 0 warnings\n"))
        self.refused(USAGE, "preprocess", "study", "--target", "pitch", "-o", "x", says="pitch")

    def stimulus(self, folder):
        """{target: numbers} of the first speaker of the first run."""
        table = self.read_table(f"{folder}/stimuli/sub-01_task-attend_run-01_left.tsv")
        return {name: [float(value) for value in table[name]] for name in table.header}

    def test_a_target_that_stays_the_same(self):
        """Speech that only fades has an envelope and no onset."""
        (self.study / "stimuli" / "run1-left.tsv").write_text("envelope\n" + "".join(f"{1280 - t}\n" for t in range(1280)))
        self.heed("preprocess", "study", "--target", "envelope", "-o", "envelopes")
        result = self.run_heed("preprocess", "study", "--target", "onset", "-o", "onsets")
        self.assertEqual(result.returncode, BAD_DATA)
        self.assertIn("speaker 'left' is silent throughout the trial, or the onset of its sound never changes", result.stderr.decode())

    def test_same_bytes_and_resume(self):
        study = self.copy(self.shared("cohort", participants=("01", "02"), seconds=20), "cohort")
        self.heed("preprocess", "cohort", "--threads", "1", "--no-cache", "-o", "one")
        self.heed("preprocess", "cohort", "--threads", "2", "-o", "two")
        self.assertEqual(self.bytes_below("one"), self.bytes_below("two"))
        self.refused(CANNOT_CREATE, "preprocess", "cohort", "-o", "two", says=["two: is not empty", "resume"])
        # A participant that failed is done later, the other one stays.
        broken = study / "sub-02/eeg/sub-02_task-attend_run-01_eeg.eeg"
        whole = broken.read_bytes()
        broken.write_bytes(b"xx")
        result = self.run_heed("preprocess", "cohort", "-o", "three")
        self.assertEqual(result.returncode, PARTIAL)
        self.assertIn("heed: 1 of 2 participants failed", result.stderr.decode())
        broken.write_bytes(whole)
        self.heed("preprocess", "cohort", "--resume", "-o", "three")
        self.assertEqual(self.bytes_below("three").keys(), self.bytes_below("one").keys())
        for name in (f"{RUN}_eeg.eeg", f"{RUN.replace('sub-01', 'sub-02')}_eeg.eeg"):
            self.assertEqual(self.bytes_below("three")[name], self.bytes_below("one")[name])

    def test_what_cannot_be_done(self):
        self.refused(NO_INPUT, "preprocess", "study", "--participant", "99", "-o", "out", says="has no participant '99'; there are 01")
        self.refused(USAGE, "preprocess", "study", "--rate", "19", "-o", "out", says="choose at least 20 Hz")
        self.refused(CANNOT_CREATE, "preprocess", "study", "-o", "study", says="study: is not empty")
        self.fails(NO_INPUT, "preprocess", "study", "--reference", "TP9", "-o", "out", says="'TP9'")
        (self.study / "stimuli" / "run1-left.tsv").write_text("envelope\n" + "0\n" * 1280)
        result = self.run_heed("preprocess", "study", "-o", "silent")
        self.assertEqual(result.returncode, BAD_DATA)
        self.assertIn("speaker 'left' is silent", result.stderr.decode())


def distance(a, b):
    """The largest difference, relative to the largest number."""
    return max(abs(x - y) for x, y in zip(a, b)) / max(map(abs, b))


def amplitude(samples, frequency, rate=RATE):
    """Of one rhythm, in the middle of the recording."""
    middle = samples[4 * rate:16 * rate]
    turn = [2 * math.pi * frequency * t / rate for t in range(len(middle))]
    return 2 / len(middle) * math.hypot(sum(x * math.sin(a) for x, a in zip(middle, turn)),
                                        sum(x * math.cos(a) for x, a in zip(middle, turn)))


if __name__ == "__main__":
    unittest.main()
