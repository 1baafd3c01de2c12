# SPDX-License-Identifier: MIT
"""The scripts of examples/cluster, run as PBS and Grid Engine would run them: by bash, with their variables. Those for
Slurm and Snakemake are run by the real ones (tests/slurm)."""
import os
import pathlib
import shutil
import subprocess
import unittest

from heed_program import PROGRAM, HeedTest

CLUSTER = pathlib.Path(__file__).resolve().parents[2] / "examples/cluster"
SCRIPTS = sorted([*CLUSTER.glob("*.sh"), *CLUSTER.glob("*.sbatch")])
TASKS = 8


class ClusterScripts(HeedTest):
    def test_a_shell_understands_them(self):
        self.assertEqual([path.name for path in SCRIPTS], ["pbs_study.sh", "sge_study.sh", "slurm_bids.sbatch"])
        for path in SCRIPTS:
            subprocess.run(["bash", "-n", path], check=True)

    @unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed; ./dev test --all installs it")
    def test_shellcheck_has_nothing_to_say(self):
        checked = subprocess.run(["shellcheck", "--shell=bash", *SCRIPTS], capture_output=True, text=True, check=False)
        self.assertEqual(checked.stdout, "")

    def task(self, script, good=True, **variables):
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "PBS_", "SGE_"))}
        result = subprocess.run(["bash", CLUSTER / script], env={**clean, "HEED": PROGRAM, **variables}, cwd=self.folder,
                                capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(result.returncode == 0, good, result.stderr)
        return result.stderr

    def plan(self):
        self.heed("simulate", "scores", "--participants", "4", "--trials", "2", "--minutes", "2", "--switch-every", "60", "-o", "cohort")
        for name in ("plan", "my plan"):
            self.heed("study", "plan", "switch_probability", "--on", "cohort", "-o", name)
        self.heed("study", "run", "plan")
        self.heed("study", "gather", "plan", "-o", "in-one.tsv")
        return str(self.folder / "my plan")

    def test_pbs(self):
        plan = self.plan()
        for k in range(1, TASKS + 1):
            self.assertIn(f"share {k} of {TASKS}", self.task("pbs_study.sh", PLAN=plan, TASKS=str(TASKS), PBS_ARRAY_INDEX=str(k)))
        self.task("pbs_study.sh", PLAN=plan, TABLE="table.tsv")
        self.assertEqual(self.read("table.tsv"), self.read("in-one.tsv"))
        self.assertIn("-v TASKS=8", self.task("pbs_study.sh", good=False, PLAN=plan, PBS_ARRAY_INDEX="1"))
        self.assertIn("-v PLAN=", self.task("pbs_study.sh", good=False, TASKS="8"))

    def test_grid_engine(self):
        plan = self.plan()
        array = {"PLAN": plan, "SGE_TASK_FIRST": "1", "SGE_TASK_LAST": str(TASKS), "SGE_TASK_STEPSIZE": "1"}
        for k in range(2, TASKS + 1):
            self.assertIn(f"share {k} of {TASKS}", self.task("sge_study.sh", SGE_TASK_ID=str(k), **array))
        # It begins when the array has ended, well or not.
        self.task("sge_study.sh", good=False, PLAN=plan, TABLE="table.tsv", SGE_TASK_ID="undefined")
        self.assertFalse((self.folder / "table.tsv").exists())
        self.task("sge_study.sh", SGE_TASK_ID="1", **array)
        self.task("sge_study.sh", PLAN=plan, TABLE="table.tsv", SGE_TASK_ID="undefined")
        self.assertEqual(self.read("table.tsv"), self.read("in-one.tsv"))


if __name__ == "__main__":
    unittest.main()
