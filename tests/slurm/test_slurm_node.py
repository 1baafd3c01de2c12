# SPDX-License-Identifier: MIT
"""The Slurm that other tests stand on: an array runs, a task that is killed counts as failed, and nothing is left."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from slurm_node import CLIENTS, DAEMONS, SlurmNode, skip_without

ARRAY = """#!/bin/bash
#SBATCH --array=1-4
#SBATCH --output={folder}/%a.log
echo "$SLURM_ARRAY_TASK_ID of $SLURM_ARRAY_TASK_COUNT"
{also}
"""


class SlurmNodeTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="heed-array-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def script(self, also=""):
        path = self.folder / "array.sh"
        path.write_text(ARRAY.format(folder=self.folder, also=also), encoding="utf-8")
        return path

    def test_an_array_runs(self):
        with SlurmNode() as node:
            job = node.submit(self.script())
            self.assertEqual(node.wait(job), {f"{job}_{k}": "COMPLETED" for k in range(1, 5)})
        said = [(self.folder / f"{k}.log").read_text(encoding="utf-8") for k in range(1, 5)]
        self.assertEqual(said, [f"{k} of 4\n" for k in range(1, 5)])

    def test_a_killed_task_fails_and_its_dependents_never_start(self):
        with SlurmNode() as node:
            job = node.submit(self.script("[[ $SLURM_ARRAY_TASK_ID != 3 ]] || kill -9 $$"))
            after = node.submit(self.script(), f"--dependency=afterok:{job}", "--array=1")
            states = node.wait(job)
            self.assertEqual({task: state for task, state in states.items() if state != "COMPLETED"}, {f"{job}_3": "FAILED"})
            self.assertIn("DependencyNeverSatisfied", " ".join(node.wait(after).values()))

    def test_nothing_is_left(self):
        with self.assertRaises(KeyError):
            with SlurmNode() as node:
                node.submit(self.script("sleep 600"))
                folder, processes = node.folder, [daemon.pid for daemon in node.running]
                self.assertEqual(len(processes), len(DAEMONS))
                raise KeyError("a test that fails")
        self.assertFalse(folder.exists())
        for process in processes:
            self.assertRaises(ProcessLookupError, os.kill, process, 0)
        listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        self.assertNotIn(str(folder), listed)


if __name__ == "__main__":
    skip_without(*DAEMONS, *CLIENTS)
    sys.exit(unittest.main(verbosity=2))
