# SPDX-License-Identifier: MIT
"""From real EEG to attention (HEED_TEST_DATA): the accuracies an independent implementation had."""
import pathlib
import random
import shutil
import unittest

from decoding_test import REAL_DATA, DecodingTest, accuracy, with_random_labels
from planted_study import binomial_bound


@unittest.skipUnless(REAL_DATA, "HEED_TEST_DATA is not set")
class RealData(DecodingTest):
    """Nine listeners to noise-free speech, and the same speech at another time (dtu-match). The figures are those of an
    independent implementation."""

    # Each has one part more than the one before.
    PAPER = ("--recipe", "paper", "--decoder", "ls")
    COSINE = (*PAPER, "--ridge", "0.3", "--band", "0.5-9", "--score", "cosine")
    ONSET = (*COSINE, "--target", "onset")

    def means(self, study, decoder, windows, options=()):
        self.heed("score", study, *(options or ("--recipe", "paper", "--decoder", decoder)), "--window", windows, "-o", "out")
        participants = sorted(path.name[4:] for path in (self.folder / "out").glob("sub-*"))
        result = {}
        for length in windows.split(","):
            extra = f"window-{int(length):02}s_" if "," in windows else ""
            each = [sum(accuracy(self.scores(run, who, decoder, extra=extra)) for run in (1, 2)) / 2 for who in participants]
            result[length] = sum(each) / len(each)
        return result

    def test_least_squares_and_cca(self):
        study = pathlib.Path(REAL_DATA) / "dtu-match"
        ls = self.means(study, "ls", "1,5,10")
        for (length, expected), tolerance in zip({"1": 0.5853, "5": 0.7056, "10": 0.7222}.items(), (0.015, 0.03, 0.03)):
            self.assertLess(abs(ls[length] - expected), tolerance, length)
        shutil.rmtree(self.folder / "out")
        self.assertGreater(self.means(study, "cca", "1")["1"], ls["1"] - 0.015)

    def test_parts_of_the_recipe(self):
        for options, expected in (((*self.PAPER, "--ridge", "0.3"), (0.5942, 0.7100, 0.7511)),
                                  (self.COSINE, (0.6262, 0.7411, 0.8200)), (self.ONSET, (0.6604, 0.7956, 0.8711))):
            found = self.means(pathlib.Path(REAL_DATA) / "dtu-match", "ls", "1,5,10", options)
            for mean, reference, tolerance in zip(found.values(), expected, (0.01, 0.015, 0.02)):
                self.assertLess(abs(mean - reference), tolerance, options)
            shutil.rmtree(self.folder / "out")

    def test_through_the_model(self):
        for options, expected in ((self.PAPER, ((0.867, 27.1), (0.854, 26.5))), (self.COSINE, ((0.938, 16.7), (0.937, 11.8))),
                                  (self.ONSET, ((0.960, 13.1), (0.961, 7.0)))):
            self.heed("score", pathlib.Path(REAL_DATA) / "dtu-match", *options, "-o", "out")
            found = self.heed_json("compare", "out", "--join", "--switch-every", "60-125", "--repeats", "20", "--methods", "causal,smooth")
            for method, (accuracy_, time) in zip(found["methods"], expected):
                self.assertLess(abs(method["accuracy"]["mean"] - accuracy_), 0.015, options)
                self.assertLess(abs(method["switch_time"]["mean"] - time), 3, options)
            shutil.rmtree(self.folder / "out")

    def test_windows_that_overlap(self):
        """1 s every 0.25 s: the evidence scale makes up for what neighbours share."""
        self.heed("score", pathlib.Path(REAL_DATA) / "dtu-match", *self.ONSET, "--hop", 0.25, "-o", "out")
        found = self.heed_json("compare", "out", "--join", "--switch-every", "60-125", "--repeats", "20", "--methods", "causal,smooth")
        for scale in found["evidence_scales"]:
            self.assertAlmostEqual(scale, 0.27, delta=0.04)
        for method, (accuracy_, time) in zip(found["methods"], ((0.962, 13.7), (0.969, 6.0))):
            self.assertLess(abs(method["accuracy"]["mean"] - accuracy_), 0.01, method["name"])
            self.assertLess(abs(method["switch_time"]["mean"] - time), 1.5, method["name"])

    def test_windows_that_overlap_as_a_new_user_would(self):
        """By default the others lend what they know, which the figures above are without: the same accuracy, switches found
        a second or two sooner."""
        self.heed("score", pathlib.Path(REAL_DATA) / "dtu-match", "--window", 1, "--hop", 0.25, "-o", "out")
        found = self.heed_json("compare", "out", "--switch-every", "60-125", "--join", "--methods", "causal,smooth")
        self.assertEqual(found["draws"], 20)
        (causal, sooner), (smooth, time) = ((m["accuracy"]["mean"], m["switch_time"]["mean"]) for m in found["methods"])
        self.assertLess(abs(causal - 0.962), 0.01)
        self.assertLess(abs(smooth - 0.969), 0.01)
        self.assertLess(abs(time - 6.0), 1.5)
        self.assertTrue(10.7 < sooner < 13.7, sooner)
        for method in found["methods"]:
            self.assertLess(method["over_draws"]["switch_time_sd"], 2.5)

    def test_labels_at_random_give_chance(self):
        study = self.copy(pathlib.Path(REAL_DATA) / "dtu-match")
        with_random_labels(study, random.Random(3), 250)
        for options in ((), self.COSINE, self.ONSET):
            mean = self.means(study, "ls", "1", options)["1"]
            self.assertLess(abs(mean - 0.5), binomial_bound(0.5, 9 * 500) - 0.5, options)


if __name__ == "__main__":
    unittest.main()
