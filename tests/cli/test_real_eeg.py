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

    def means(self, study, decoder, windows):
        self.heed("score", study, "--decoder", decoder, "--window", windows, "-o", "out")
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

    def test_through_the_model(self):
        self.heed("score", pathlib.Path(REAL_DATA) / "dtu-match", "--decoder", "ls", "-o", "out")
        found = self.heed_json("compare", "out", "--join", "--switch-every", "60-125", "--repeats", "20", "--methods", "causal")
        (causal,) = found["methods"]
        self.assertLess(abs(causal["accuracy"]["mean"] - 0.867), 0.015)
        self.assertLess(abs(causal["switch_time"]["mean"] - 27.1), 3)

    def test_labels_at_random_give_chance(self):
        study = self.copy(pathlib.Path(REAL_DATA) / "dtu-match")
        with_random_labels(study, random.Random(3), 250)
        mean = self.means(study, "ls", "1")["1"]
        self.assertLess(abs(mean - 0.5), binomial_bound(0.5, 9 * 500) - 0.5)


if __name__ == "__main__":
    unittest.main()
