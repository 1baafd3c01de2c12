# SPDX-License-Identifier: MIT
"""heed study, whatever happens to it: killed, disturbed, damaged, without room; nothing is lost, nothing is stale."""
import fcntl
import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import time
import unittest

from heed_program import PROGRAM, HeedTest
from study_test import SETTINGS, StudyTest

BAD_DATA, CANNOT_CREATE, IO = 65, 73, 74
KILLS = int(os.environ.get("HEED_KILLS", "50"))  # `./dev campaign kills` has a thousand
SEED = int(os.environ.get("HEED_FIRST_KILL", "7"))
LONG_STUDY = """title = "Intervals"
[figure]
picture = "comparison"
[[grid]]
tracker = ["causal", "smooth", "viterbi", "fixed-lag"]
switch_interval = ["20-40", "30-60", "40-80", "50-100", "60-120", "70-140"]
repeats = 20
"""


class Killed(StudyTest):
    def start(self, plan):
        return subprocess.Popen([PROGRAM, "study", "run", plan, "--threads", "1"], cwd=self.folder, stderr=subprocess.DEVNULL)

    def ends_within(self, seconds, process):
        """Whether it came to a good end; who takes longer is killed."""
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            return False
        self.assertEqual(process.returncode, 0)
        return True

    def test_again_and_again(self):
        self.write("long.toml", LONG_STUDY)
        self.plan("whole", study="long.toml")
        began = time.monotonic()
        self.heed("study", "run", "whole", "--threads", "1")
        whole_run = time.monotonic() - began
        expected = self.gathered("whole", "whole.tsv")
        moments = random.Random(SEED)
        kills = half_done = rounds = 0
        while kills < KILLS:
            rounds += 1
            met, begun = self.kill_and_resume(f"plan{rounds}", expected, moments, whole_run / 6)
            kills += met
            half_done += begun
        self.assertGreater(half_done, KILLS / 4, "many kills met a plan with some participants done")

    def kill_and_resume(self, plan, expected, moments, longest):
        self.plan(plan, study="long.toml")
        seen, kills, begun = {}, 0, 0
        while True:
            if self.ends_within(moments.uniform(0, longest), self.start(plan)):
                break
            kills += 1
            longest *= 1.05  # a machine that has become slower comes to an end, too
            begun += len(self.results(plan)) > 0
            self.assert_kept(seen, self.results(plan).values())
        self.assert_kept(seen, self.results(plan).values())
        self.assertEqual(self.gathered(plan, f"{plan}.tsv"), expected)
        return kills, begun

    def assert_kept(self, seen, files):
        """All results that were there are there still, and a file of a participant who was finished is the same one."""
        for path in files:
            lines = path.read_text(encoding="utf-8").splitlines()
            results = [line for line in lines if not line.startswith("#")]
            before, written = seen.get(path, ([], None))
            self.assertLessEqual(set(before), set(results), "a result was lost")
            if len(before) == len(results):
                self.assertEqual(path.stat().st_mtime_ns, written, "a finished participant was made again")
            seen[path] = results, path.stat().st_mtime_ns

    def test_reproduce_goes_on_where_it_was(self):
        self.write("long.toml", LONG_STUDY)
        command = ("reproduce", "--on", "cohort", "--studies", "long.toml,post_processors", "--threads", "1")
        began = time.monotonic()
        self.heed(*command, "-o", "whole")
        whole_run = time.monotonic() - began
        kills = 0
        moments, seen = random.Random(11), {}
        while True:
            process = subprocess.Popen([PROGRAM, *command, "-o", "killed"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            # Ever longer: what is drawn at the end is drawn anew each time.
            if self.ends_within(moments.uniform(whole_run / 20, (1 + kills) * whole_run / 8), process):
                break
            kills += 1
            self.assert_kept(seen, (self.folder / "killed/results").glob("*.tsv"))
        self.assertGreater(kills, 2)
        self.assertGreater(len(seen), 0)
        for path in (self.folder / "whole/tables").iterdir():
            self.assertTrue(path.read_bytes() == (self.folder / "killed/tables" / path.name).read_bytes(), path.name)

    def test_temporary_files_of_the_dead_are_removed(self):
        self.plan()
        self.heed("study", "run", "plan", "--shard", "1/2")
        folder = self.folder / "plan/results"
        *abandoned, held = (folder / f".heed-{socket.gethostname()}-{k}.tmp" for k in range(3))
        for path in (*abandoned, held):
            path.write_text("half a res")
        with open(held, "rb") as writer:
            fcntl.flock(writer, fcntl.LOCK_EX)
            self.heed("study", "run", "plan")
        self.assertEqual(self.leftovers(), [held])
        self.assertEqual(self.heed_json("study", "status", "plan")["done"], 4 * SETTINGS)


class Disturbed(StudyTest):
    def finished(self):
        self.plan()
        self.heed("study", "run", "plan")
        return self.gathered()

    def test_damaged_files_are_made_again(self):
        expected = self.finished()
        whole = self.times()
        files = list(self.results().values())
        for harm in (lambda data: data[:-7], lambda data: data.replace(b"0", b"1"), lambda data: b"", lambda data: os.urandom(500)):
            for path in files[1:3]:
                path.write_bytes(harm(path.read_bytes()))
            found = self.heed_json("study", "status", "plan")
            self.assertEqual((found["done"], found["finished"], found["damaged"]), (2 * SETTINGS, 2, 2))
            self.assertIn("results of 2 participants are damaged", self.heed("study", "status", "plan"))
            self.refused(BAD_DATA, "study", "gather", "plan", "-o", "t.tsv", says="20 of 40 results are missing")
            self.heed("study", "run", "plan")
            self.assertIn("the results of 2 participants were damaged and have been made again", self.said)
            self.assertIn("20 done before, 20 made", self.said)
            after = self.times()
            self.assertEqual({name for name in whole if after[name] != whole[name]}, {"sub-02.tsv", "sub-03.tsv"})
            self.assertEqual(self.gathered(), expected)

    def test_changed_inputs_are_told(self):
        expected = self.finished()
        scores = self.folder / "cohort/sub-03_scores.tsv"
        original = scores.read_bytes()
        scores.write_bytes(original.replace(b"0.1", b"0.2", 1))
        for shard in ("1/1", "1/4", "4/4"):
            self.refused(BAD_DATA, "study", "run", "plan", "--shard", shard, says=("sub-03", "changed", "plan again"))
        scores.unlink()
        self.refused(BAD_DATA, "study", "run", "plan", says=("sub-03", "not there", "plan again"))
        scores.write_bytes(original)
        (self.folder / "cohort/sub-99_scores.tsv").write_bytes(original)
        self.refused(BAD_DATA, "study", "run", "plan", says=("sub-99", "plan again"))
        (self.folder / "cohort/sub-99_scores.tsv").unlink()
        self.heed("study", "run", "plan")
        self.assertEqual(self.gathered(), expected, "nothing was lost")

    def test_two_runs_at_once(self):
        expected = self.finished()
        shutil.rmtree(self.folder / "plan")
        for shards in (("1/1", "1/1"), ("1/2", "2/2"), ("1/1", "2/3")):
            self.plan()
            processes = [subprocess.Popen([PROGRAM, "study", "run", "plan", "--shard", shard], cwd=self.folder, stderr=subprocess.PIPE)
                         for shard in shards]
            for process in processes:
                said = process.communicate()[1]
                self.assertEqual(process.returncode, 0, said)
            self.assertEqual(self.leftovers(), [])
            self.assertEqual(self.gathered(), expected)
            shutil.rmtree(self.folder / "plan")

    def test_a_clock_that_jumps(self):
        expected = self.finished()
        files = list(self.results().values())
        files[0].unlink()
        for path in files[1:]:
            os.utime(path, (time.time() + 7 * 24 * 3600,) * 2)  # written before somebody set the clock right
        found = self.heed_json("study", "status", "plan")
        self.assertEqual((found["done"], found["rate"], found["seconds_left"]), (3 * SETTINGS, None, None))
        self.assertIn("time left: unknown", self.heed("study", "status", "plan"))
        for path in files[1:]:
            os.utime(path, (0, 0))
        self.heed("study", "status", "plan")
        self.heed("study", "run", "plan")
        self.assertIn("30 done before, 10 made", self.said)
        self.assertEqual(self.gathered(), expected)


class WithoutRoom(StudyTest):
    """A limit on the size of files fails as a full disk does; a full file system of its own where one can be had."""

    def whole(self, path):
        return {str(one.relative_to(path)): one.read_bytes() for one in path.rglob("*.tsv")}

    def test_a_file_that_may_not_grow(self):
        self.plan()
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))}
        result = self.run_heed("study", "run", "plan", **limit)
        said = result.stderr.decode()
        self.assertEqual(result.returncode, IO, said)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertIn("plan/results", said)
        self.assertEqual(self.results(), {})
        self.assertEqual(self.leftovers(), [], "no half file")
        self.heed("study", "run", "plan")
        self.assertIn("0 done before", self.said)
        self.refused(IO, "study", "gather", "plan", "-o", "t.tsv", says="t.tsv", **limit)

    def test_a_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], check=False,
                                               capture_output=True).returncode != 0:
            self.skipTest("a small file system cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        self.plan("elsewhere")
        self.heed("study", "run", "elsewhere")
        expected = self.gathered("elsewhere", "elsewhere.tsv")
        self.plan("disk/plan")
        space = os.statvfs(disk)
        (disk / "ballast").write_bytes(b"x" * (space.f_bavail * space.f_frsize - 12 * 1024))
        result = self.run_heed("study", "run", "disk/plan")
        said = result.stderr.decode()
        self.assertEqual(result.returncode, IO, said)
        self.assertIn("disk", said)
        done = self.whole(disk / "plan")
        self.assertEqual(self.leftovers("disk/plan"), [])
        self.assertEqual(self.heed_json("study", "status", "disk/plan")["damaged"], 0)
        (disk / "ballast").unlink()
        self.heed("study", "run", "disk/plan")
        self.assertIn(f"{SETTINGS * len(done)} done before", self.said)
        after = self.whole(disk / "plan")
        self.assertEqual({name: after[name] for name in done}, done, "nothing was lost")
        self.assertEqual(self.gathered("disk/plan", "after.tsv"), expected)

    def test_an_unwritable_folder(self):
        self.plan()
        os.chmod(self.folder, 0o755)
        os.chmod(self.folder / "plan", 0o555)
        self.addCleanup(os.chmod, self.folder / "plan", 0o755)
        nobody = {"preexec_fn": lambda: os.setuid(65534)} if os.geteuid() == 0 else {}  # root may write everywhere
        self.refused(CANNOT_CREATE, "study", "run", "plan", says="plan/results", **nobody)

    def test_a_file_where_results_should_be(self):
        self.plan()
        self.write("plan/results", "")
        self.refused(CANNOT_CREATE, "study", "run", "plan", says="plan/results")


class Many(HeedTest):
    """A hundred listeners at a thousand settings: planned, listed and gathered in seconds, in memory that stays."""

    def test_a_hundred_thousand_results(self):
        self.heed("simulate", "scores", "--participants", "100", "--trials", "1", "--minutes", "2", "--seed", "3", "-o", "cohort")
        values = ", ".join(f"{0.0004 * k:.4f}" for k in range(1, 501))
        self.write("many.toml", f'title = "Many"\n[[grid]]\ntracker = ["causal", "smooth"]\nswitch_probability = [{values}]\n')
        self.limited("study", "plan", "many.toml", "--on", "cohort", "-o", "plan", seconds=20)
        self.heed("study", "run", "plan", "--shard", "1/100")  # one participant is as good as all
        self.assertEqual(self.limited_json("study", "status", "plan", seconds=20)["results"], 100000)
        self.limited("study", "gather", "plan", "-o", "t.tsv", "--partial", seconds=20)
        self.assertEqual(len(self.read("t.tsv").splitlines()), 1001)

    def limited(self, *arguments, seconds):
        began = time.monotonic()
        memory = 600 << 20
        result = self.run_heed(*arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)))
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertLess(time.monotonic() - began, seconds)
        return result.stdout.decode()

    def limited_json(self, *arguments, seconds):
        return json.loads(self.limited(*arguments, "--json", seconds=seconds))


if __name__ == "__main__":
    unittest.main()
