# SPDX-License-Identifier: MIT
"""heed reproduce on real recordings: every row of studies/verdicts.tsv, its evidence included."""
import csv
import os
import pathlib
import unittest

from heed_program import HeedTest

REAL_DATA = os.environ.get("HEED_TEST_DATA")
VERDICTS = pathlib.Path(__file__).parents[2] / "studies" / "verdicts.tsv"
WORDS = {True: "holds", False: "does not hold", None: "cannot be told"}


@unittest.skipUnless(REAL_DATA, "HEED_TEST_DATA is not set: no real recordings here")
class KnownVerdicts(HeedTest):
    maxDiff = None

    def known(self, cohort):
        with VERDICTS.open(encoding="utf-8") as file:
            return {(row["study"], row["claim"]): (row["verdict"], row["evidence"])
                    for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["cohort"] == cohort}

    def found(self, folder):
        studies = self.heed_json("reproduce", "--on", pathlib.Path(REAL_DATA) / folder, "--studies", "all", "-o", "repro")["studies"]
        return {(study["name"], claim["text"]): (WORDS[claim["holds"]], claim["evidence"])
                for study in studies for claim in study["claims"] if claim["tested"]}

    def test_real_eeg(self):
        self.assertEqual(self.known("real EEG"), self.found("dtu-match"))

    def test_real_scores(self):
        self.assertEqual(self.known("real scores"), self.found("kul-scores"))


if __name__ == "__main__":
    unittest.main()
