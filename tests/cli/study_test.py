# SPDX-License-Identifier: MIT
"""What tests of heed study share: a small cohort of scores, a study of two trackers, results and what is gathered."""
from heed_program import HeedTest

STUDY = """title = "Switch probability"
question = "What does p trade?"
[figure]
picture = "sweep"
along = "switch_probability"
series = ["tracker"]
[[grid]]
tracker = ["causal", "smooth"]
switch_probability = [0.001, 0.003, 0.01, 0.03, 0.1]
"""
SETTINGS = 10


class StudyTest(HeedTest):
    """A cohort of four with two trials each in cohort/, the study in mine.toml."""

    def setUp(self):
        super().setUp()
        self.heed("simulate", "scores", "--participants", "4", "--trials", "2", "--minutes", "5", "--switch-every", "60",
                  "--seed", "3", "-o", "cohort")
        self.write("mine.toml", STUDY)

    def plan(self, out="plan", *options, study="mine.toml", on="cohort"):
        self.heed("study", "plan", study, "--on", on, "-o", out, *options)

    def gathered(self, plan="plan", table="table.tsv"):
        """The bytes of the table and its JSON."""
        self.heed("study", "gather", plan, "-o", table)
        return self.read(table), self.read(table.replace(".tsv", ".json"))

    def results(self, plan="plan"):
        """A file for each participant that has results."""
        return {path.name: path for path in sorted((self.folder / plan / "results").glob("*.tsv"))}

    def times(self, plan="plan"):
        return {name: path.stat().st_mtime_ns for name, path in self.results(plan).items()}

    def leftovers(self, plan="plan"):
        return sorted((self.folder / plan).rglob(".heed-*.tmp"))
