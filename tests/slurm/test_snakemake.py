# SPDX-License-Identifier: MIT
"""examples/cluster/Snakefile, run by Snakemake: a plan, its parts, the table."""
import pathlib
import shutil
import subprocess
import sys
import unittest

from heed_program import PROGRAM, HeedTest
from slurm_node import find_program, skip_without

SNAKEFILE = pathlib.Path(__file__).resolve().parents[2] / "examples/cluster/Snakefile"


class SnakemakeTest(HeedTest):
    def setUp(self):
        super().setUp()
        self.heed("simulate", "scores", "--participants", "4", "--trials", "2", "--minutes", "4", "--switch-every", "60", "--seed", "3", "-o",
                  "my cohort")

    def snakemake(self, on="on=my cohort", also=()):
        command = [find_program("snakemake"), "--snakefile", SNAKEFILE, "--cores", "2", "--nocolor", *also,
                   "--config", f"heed={PROGRAM}", on, "plan=my plan", "tasks=3"]
        result = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)
        return result.returncode, result.stdout + result.stderr

    def test_it_knows_what_to_do(self):
        code, said = self.snakemake(also=["--dry-run"])
        self.assertEqual(code, 0, said)
        for job, count in (("plan", 1), ("run_part", 3), ("gather", 1)):
            self.assertRegex(said, rf"(?m)^{job} +{count} ")
        self.assertFalse((self.folder / "my plan").exists())

    def test_it_does_it(self):
        code, said = self.snakemake()
        self.assertEqual(code, 0, said)
        self.heed("study", "plan", "switch_probability", "--on", "my cohort", "-o", "in-one")
        self.heed("study", "run", "in-one")
        self.heed("study", "gather", "in-one", "-o", "in-one.tsv")
        self.assertEqual(self.read("table.tsv"), self.read("in-one.tsv"))
        code, said = self.snakemake()
        self.assertEqual(code, 0, said)
        self.assertIn("Nothing to be done", said)

    def test_a_list_of_files(self):
        files = ["my cohort/sub-01_scores.tsv", "my cohort/sub-03_scores.tsv"]
        code, said = self.snakemake(f"on={files}")
        self.assertEqual(code, 0, said)
        self.assertEqual(sorted(set(self.read_table("table.tsv")["participant"])), ["sub-01", "sub-03"])

    def test_a_part_that_died_is_run_again(self):
        code, said = self.snakemake()
        self.assertEqual(code, 0, said)
        table = self.read("table.tsv")
        files = sorted((self.folder / "my plan/results").glob("*.tsv"))
        files[0].unlink()
        before = {path: path.stat().st_mtime_ns for path in files[1:]}
        shutil.rmtree(self.folder / "my plan/parts")
        (self.folder / "table.tsv").unlink()
        code, said = self.snakemake()
        self.assertEqual(code, 0, said)
        self.assertEqual({path: path.stat().st_mtime_ns for path in files[1:]}, before)
        self.assertEqual(self.read("table.tsv"), table)


if __name__ == "__main__":
    skip_without("snakemake")
    sys.exit(unittest.main(verbosity=2))
