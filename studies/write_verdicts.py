#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes studies/verdicts.tsv: what reference cohorts say of every claim of the built-in studies.

    heed reproduce --studies all -o a --json > simulated.json
    heed reproduce --studies all --on kul-scores -o b --json > scores.json
    heed reproduce --studies all --on dtu-match -o c --json > eeg.json
    studies/write_verdicts.py "simulated=simulated.json" "real scores=scores.json" "real EEG=eeg.json"

Claims of which a cohort has no results have no row for it. docs/formats.md describes the columns.
"""

import json
import pathlib
import sys

WORDS = {True: "holds", False: "does not hold", None: "cannot be told"}


def main(arguments):
    cohorts = [argument.split("=", 1) for argument in arguments]
    if not cohorts or any(len(cohort) != 2 for cohort in cohorts):
        sys.exit(__doc__)
    results = [(name, json.loads(pathlib.Path(file).read_text())) for name, file in cohorts]
    rows = []
    for k, study in enumerate(results[0][1]["studies"]):
        for claim in range(len(study["claims"])):
            for name, result in results:
                found = result["studies"][k]["claims"][claim]
                if found["tested"]:
                    rows.append((study["name"], found["text"], name, WORDS[found["holds"]], found["evidence"]))
    table = "".join("\t".join(row) + "\n" for row in [("study", "claim", "cohort", "verdict", "evidence"), *rows])
    pathlib.Path(__file__).with_name("verdicts.tsv").write_text(table)


main(sys.argv[1:])
