# SPDX-License-Identifier: MIT
"""examples/cluster/slurm_bids.sbatch on a real Slurm: a task a participant, then the group."""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from decoding_test import DecodingTest
from heed_program import PROGRAM
from slurm_node import CLIENTS, DAEMONS, SlurmNode, skip_without

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "examples/cluster/slurm_bids.sbatch"
COHORT = {"participants": ("01", "02", "03", "04", "05", "06"), "seconds": 20}  # enough to learn from one another


class BidsTest(DecodingTest):
    def setUp(self):
        super().setUp()
        self.node = SlurmNode()
        self.node.__enter__()
        self.addCleanup(self.node.__exit__)
        self.copy(self.shared("cohort", **COHORT), "my study")

    def environment(self):
        return {**super().environment(), **self.node.environment, "XDG_CACHE_HOME": str(self.folder / "cache"), "HEED": PROGRAM}

    def script(self, *arguments):
        return subprocess.run(["bash", SCRIPT, *arguments], cwd=self.folder, env=self.environment(), capture_output=True,
                              text=True, timeout=120, check=False)

    def submit(self, *labels):
        result = self.script("my study", "out 100%", *labels)
        self.assertEqual(result.returncode, 0, result.stderr)
        return re.search(r"(\d+) participants: job (\d+); group, after them: job (\d+);", result.stdout).groups()

    def finish(self, *jobs):
        states = self.node.wait(*jobs)
        said = "\n".join(f"--- {path}\n{path.read_text(encoding='utf-8')}" for path in (self.folder / "out 100%/logs").iterdir())
        self.assertEqual(set(states.values()), {"COMPLETED"}, f"{states}\n{said}")
        return len(states)

    def comparison_in_one(self):
        for level in ("participant", "group"):
            self.run_heed("bids", "my study", "in-one", level)
        return self.read("in-one/group_comparison.tsv")

    def test_a_task_a_participant_then_the_group(self):
        participants, array, group = self.submit()
        self.assertEqual(participants, "6")
        self.assertEqual(self.finish(array, group), 7)
        sidecar = self.read_json("out 100%/sub-01/eeg/sub-01_task-attend_run-01_desc-ls_scores.json")
        self.assertIn("of 5 others, of this folder", sidecar["Population"])
        self.assertEqual(self.read("out 100%/group_comparison.tsv"), self.comparison_in_one())
        first = (self.folder / "out 100%/sub-01.html").stat().st_mtime_ns
        _, array, group = self.submit()
        self.finish(array, group)
        self.assertEqual((self.folder / "out 100%/sub-01.html").stat().st_mtime_ns, first, "done twice")

    def test_some_participants(self):
        participants, array, group = self.submit("04", "02")
        self.assertEqual(participants, "2")
        self.assertEqual(self.finish(array, group), 3)
        self.assertEqual(sorted(set(self.read_table("out 100%/group_comparison.tsv")["participant"])), ["sub-02", "sub-04"])

    def test_a_broken_participant_is_left_out(self):
        recording = next((self.folder / "my study/sub-03/eeg").glob("*run-01*.eeg"))
        recording.write_bytes(recording.read_bytes()[:1000])
        _, array, group = self.submit()
        states = self.node.wait(array, group)
        # Code 1 of the group level: somebody is missing, and it says who.
        self.assertEqual([state for task, state in states.items() if task != group], ["COMPLETED"] * 6)
        self.assertEqual(sorted(set(self.read_table("out 100%/group_comparison.tsv")["participant"])), ["sub-01", "sub-02", "sub-04", "sub-05", "sub-06"])
        self.assertIn("sub-03", (self.folder / f"out 100%/logs/group-{group}.log").read_text(encoding="utf-8"))

    def test_what_is_not_there(self):
        self.assertEqual(self.script("my study").returncode, 2)
        shutil.rmtree(self.folder / "my study")
        result = self.script("my study", "out")
        self.assertEqual((result.returncode, result.stdout), (66, ""))
        self.assertIn("no sub-* folder", result.stderr)


if __name__ == "__main__":
    skip_without(*DAEMONS, *CLIENTS)
    sys.exit(unittest.main(verbosity=2))
