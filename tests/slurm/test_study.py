# SPDX-License-Identifier: MIT
"""A study as jobs of a real Slurm: `heed study slurm --submit`, a task killed in the middle, submitted again."""
import os
import pathlib
import re
import signal
import sys
import time
import unittest

from heed_program import HeedTest
from slurm_node import CLIENTS, DAEMONS, PATIENCE, SlurmNode, skip_without

TASKS = 4
# Eight settings, each drawn so often that it takes a while and a task can be caught at it.
STUDY = """title = "Slow enough to be killed"
question = "What is left of it?"

[figure]
picture = "comparison"
series = ["switch_interval"]

[[grid]]
tracker = "smooth"
switch_interval = ["60-120", "70-130", "80-140", "90-150", "100-160", "110-170", "120-180", "130-190"]
repeats = 50
"""
PLAN = "it's my plan, 50% #1"  # whatever people call their folders


class StudyTest(HeedTest):
    def setUp(self):
        super().setUp()
        self.node = SlurmNode()
        self.node.__enter__()
        self.addCleanup(self.node.__exit__)
        self.write("study.toml", STUDY)
        self.heed("simulate", "scores", "--participants", "8", "--trials", "6", "--minutes", "30", "--seed", "3", "-o", "cohort")
        self.heed("study", "plan", "study.toml", "--on", "cohort", "-o", PLAN)

    def run_heed(self, *arguments, **options):
        return super().run_heed(*arguments, env=self.node.environment, **options)

    def submit(self):
        """The numbers of the array and of the gathering."""
        said = self.heed("study", "slurm", PLAN, "--tasks", TASKS, "--time", "10", "--memory", "500M", "--partition", "test",
                         "-o", "table.tsv", "--submit")
        return re.search(r"^array of 4 tasks: job (\d+)\ngather, after it: job (\d+),", said).groups()

    def results(self):
        """What tells a file from one that was written again."""
        found = {}
        for path in (self.folder / PLAN / "results").glob("*.tsv"):
            status = path.stat()
            found[path.name] = (status.st_mtime_ns, status.st_ino, path.read_bytes())
        return found

    def made_by(self, job, task):
        text = (self.folder / PLAN / "logs" / f"run-{job}_{task}.log").read_text(encoding="utf-8")
        return int(re.search(rf"share {task} of {TASKS}: \d+ results of 2 participants, \d+ done before, (\d+) made\n$", text)[1])

    def status(self):
        return self.heed_json("study", "status", PLAN)

    def kill_in_the_middle(self, job, task):
        """With -9, as soon as it has finished its first participant. Task i does participants 2i-1 and 2i."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            process = process_of_task(job, task)
            if process and f"sub-0{2 * task - 1}.tsv" in self.results():
                os.kill(process, signal.SIGKILL)
                return
            time.sleep(0.002)
        self.fail("the task was never seen at work")

    def one_process(self):
        """The table of a run in one piece, in a plan of its own."""
        self.heed("study", "plan", "study.toml", "--on", "cohort", "-o", "in-one")
        self.heed("study", "run", "in-one")
        self.heed("study", "gather", "in-one", "-o", "in-one.tsv")
        return self.read("in-one.tsv")

    def test_array_and_gathering(self):
        array, gathering = self.submit()
        states = self.node.wait(array, gathering)
        self.assertEqual(set(states.values()), {"COMPLETED"}, f"{states}\n{self.logs()}")
        self.assertEqual(len(states), TASKS + 1)
        self.assertEqual(sum(self.made_by(array, task) for task in range(1, TASKS + 1)), 64)
        self.assertEqual(self.read("table.tsv"), self.one_process())

    def test_a_killed_task(self):
        array, gathering = self.submit()
        self.kill_in_the_middle(array, 3)
        states = self.node.wait(array)
        self.assertEqual({task for task, state in states.items() if state != "COMPLETED"}, {f"{array}_3"}, self.logs())
        self.assertEqual(set(self.node.wait(gathering).values()), {"CANCELLED"})
        self.assertFalse((self.folder / "table.tsv").exists())
        status = self.status()
        finished = self.results()
        done = {one["id"]: one["done"] for one in status["participants"]}
        self.assertEqual(done.pop("05"), 8)
        self.assertIn(done.pop("06"), range(8))
        self.assertEqual(set(done.values()), {8})

        again, gathering = self.submit()
        states = self.node.wait(again, gathering)
        self.assertEqual(set(states.values()), {"COMPLETED"}, f"{states}\n{self.logs()}")
        after = self.results()
        for name in finished.keys() - {"sub-06.tsv"}:
            self.assertEqual(after[name], finished[name], "a finished participant was made again")
        made = {task: self.made_by(again, task) for task in range(1, TASKS + 1)}
        self.assertEqual(made, {1: 0, 2: 0, 3: status["results"] - status["done"], 4: 0})
        self.assertEqual(self.read("table.tsv"), self.one_process())

    def test_one_task_alone(self):
        array, _ = self.submit()
        self.node.cancel(array)
        self.node.wait(array)
        before = self.status()["done"]
        job = self.node.submit(self.folder / PLAN / "slurm/array.sbatch", "--array=4")
        self.assertEqual(set(self.node.wait(job).values()), {"COMPLETED"}, self.logs())
        self.assertEqual(self.made_by(job, 4), self.status()["done"] - before)
        self.assertGreater(self.made_by(job, 4), 0)

    def test_refused_by_slurm(self):
        self.assertRegex(self.run_heed("study", "slurm", PLAN, "--tasks", "4", "--partition", "nowhere", "--submit").stderr.decode(),
                         "^heed: .*sbatch refuses it: .*invalid partition specified: nowhere")

    def logs(self):
        return "\n".join(f"--- {path.name}\n{path.read_text(encoding='utf-8')}"
                         for path in sorted((self.folder / PLAN / "logs").iterdir()))


def process_of_task(job, task):
    """The number of heed as a task of this array; None where it does not run now."""
    wanted = {f"SLURM_ARRAY_JOB_ID={job}", f"SLURM_ARRAY_TASK_ID={task}"}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "comm").read_text(encoding="utf-8").strip() != "heed":
                continue
            if wanted <= set((folder / "environ").read_bytes().decode(errors="replace").split("\0")):
                return int(folder.name)
        except OSError:
            continue
    return None


if __name__ == "__main__":
    skip_without(*DAEMONS, *CLIENTS)
    sys.exit(unittest.main(verbosity=2))
