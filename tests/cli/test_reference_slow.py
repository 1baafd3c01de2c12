#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heed's reference model, made anew as src/emission/reference.cpp says; minutes of work, so for ./dev test --all."""
import math
import unittest

from heed_program import HeedTest


class Reference(HeedTest):
    def test_it_is_what_simulated_listeners_give(self):
        self.heed("simulate", "recording", "--seed", 3, "-o", "cohort")
        self.heed("score", "cohort", "--recipe", "paper", "--decoder", "ls", "--window", "1,5,30", "-o", "scores")
        for window in ("01", "05", "30"):
            with self.subTest(window=window):
                runs = sorted((self.folder / "scores").rglob(f"*_window-{window}s_*_scores.tsv"))
                self.heed("track", runs[0], "--fit-from", *runs[1:], "--evidence", "as-is", "--spread", "shared", "--save-model", "fitted.json",
                          "-o", "p.tsv")
                self.heed("track", runs[0], "--model", "reference", "--save-model", "reference.json", "-o", "p.tsv")
                fitted, reference = (self.read_json(name)["Emission"] for name in ("fitted.json", "reference.json"))
                for key in ("MuAttended", "MuUnattended"):
                    self.assertAlmostEqual(reference[key], fitted[key], delta=0.006, msg=key)
                ratio = math.log(reference["SigmaAttended"] / fitted["SigmaAttended"])
                self.assertLess(abs(ratio), math.log(1.06))


if __name__ == "__main__":
    unittest.main()
