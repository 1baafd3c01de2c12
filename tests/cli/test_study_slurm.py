# SPDX-License-Identifier: MIT
"""heed study slurm, and the shares of tasks of job arrays. sbatch is a script here that remembers what it was asked;
tests/slurm has a real one."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from heed_program import PROGRAM, HeedTest

USAGE, BAD_DATA, NO_INPUT, UNAVAILABLE, CANNOT_CREATE = 2, 65, 66, 69, 73
STUDY = """title = "Three switch probabilities"
question = "Which?"

[figure]
picture = "sweep"
along = "switch_probability"

[[grid]]
tracker = "causal"
switch_probability = [0.001, 0.01, 0.1]
"""
# Answers 41, 42, ... as --parsable would, and keeps its arguments.
SBATCH = """#!/bin/bash
printf '%s\\n' "$@" >"$0.call.$(ls "$0".call.* 2>/dev/null | wc -l)"
{answer}
"""
COUNTING = 'echo $((40 + $(ls "$0".call.* | wc -l)))'
SCHEDULERS = ("SLURM_", "PBS_", "SGE_")


class StudySlurmTest(HeedTest):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="heed-plans-")
        cls.addClassCleanup(scratch.cleanup)
        cls.plans = pathlib.Path(scratch.name)
        (cls.plans / "study.toml").write_text(STUDY, encoding="utf-8")
        for words in (("simulate", "scores", "--participants", "4", "--trials", "2", "--minutes", "2", "--switch-every", "60", "-o", "cohort"),
                      ("study", "plan", "study.toml", "--on", "cohort", "-o", "plan")):
            subprocess.run([PROGRAM, *words], cwd=cls.plans, capture_output=True, check=True)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.plans / "plan", self.folder / "plan")
        self.variables = {}

    def run_heed(self, *arguments, **options):
        clean = {name: value for name, value in os.environ.items() if not name.startswith(SCHEDULERS)}
        options.setdefault("env", {**clean, **self.variables})
        return super().run_heed(*arguments, **options)

    def sbatch(self, answer=COUNTING):
        """Puts one before all others."""
        path = self.folder / "bin" / "sbatch"
        path.parent.mkdir()
        path.write_text(SBATCH.format(answer=answer), encoding="utf-8")
        path.chmod(0o755)
        self.variables["PATH"] = f"{path.parent}:{os.environ['PATH']}"

    def calls(self):
        return [path.read_text(encoding="utf-8").splitlines() for path in sorted((self.folder / "bin").glob("sbatch.call.*"))]


class Script(StudySlurmTest):
    def test_says_what_it_asks_for(self):
        text = self.heed("study", "slurm", "plan", "--tasks", "4", "--time", "02:00:00", "--memory", "4G", "--partition", "long",
                         "--account", "lab", "--cpus", "2", "--heed", "/opt/heed/bin/heed", "-o", "table.tsv")
        plan = self.folder / "plan"
        for line in ("#SBATCH --array=1-4", "#SBATCH --cpus-per-task=2", f"#SBATCH --output='{plan}/logs/run-%A_%a.log'",
                     f'/opt/heed/bin/heed study run {plan} --shard auto/4 --threads "${{SLURM_CPUS_PER_TASK:-1}}" || {{',
                     f"exec /opt/heed/bin/heed study gather {plan} -o {self.folder}/table.tsv"):
            self.assertEqual(text.splitlines().count(line), 1, f"{line}\n{text}")
        for line in ("#SBATCH --time=02:00:00", "#SBATCH --mem=4G", "#SBATCH --partition=long", "#SBATCH --account=lab"):
            self.assertEqual(text.splitlines().count(line), 2, f"{line}\n{text}")
        self.assertEqual([path.name for path in plan.iterdir()], ["plan.json"])

    def test_asks_for_nothing_else(self):
        text = self.heed("study", "slurm", "plan/", "--tasks", "1")
        for option in ("--time", "--mem", "--partition", "--account"):
            self.assertNotIn(f"#SBATCH {option}=", text)
        self.assertIn(f"\n{pathlib.Path(PROGRAM).resolve()} study run {self.folder}/plan --shard auto/1 ", text)
        self.assertIn(f"-o {self.folder}/plan/table.tsv\n", text)

    def test_is_a_script_of_a_shell(self):
        for name in ("plain", "my plan", "it's", 'say "this"', "$HOME `ls`", "50% #1; rm *"):
            shutil.copytree(self.folder / "plan", self.folder / "plans" / name)
            text = self.heed("study", "slurm", f"plans/{name}", "--tasks", "4")
            self.write("jobs.sh", text)
            subprocess.run(["bash", "-n", self.folder / "jobs.sh"], check=True)
            if shutil.which("shellcheck"):
                checked = subprocess.run(["shellcheck", "--severity=warning", self.folder / "jobs.sh"], capture_output=True, text=True, check=False)
                self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_run_by_a_shell_submits_both(self):
        self.sbatch('cat >"$0.script.$(ls "$0".call.* | wc -l)"; echo "$((40 + $(ls "$0".call.* | wc -l)));green"')
        self.write("jobs.sh", self.heed("study", "slurm", "plan", "--tasks", "3"))
        said = subprocess.run(["bash", "jobs.sh"], cwd=self.folder, env={**os.environ, **self.variables}, capture_output=True,
                              text=True, check=True).stdout
        self.assertEqual(said, "array: job 41; gather, after it: job 42\n")
        self.assertEqual(self.calls(), [["--parsable"], ["--parsable", "--dependency=afterok:41"]])
        self.assertTrue((self.folder / "plan/logs").is_dir())
        for number, words in ((1, "--shard auto/3"), (2, "study gather")):
            self.assertIn(words, self.read(f"bin/sbatch.script.{number}"))

    def test_participants_left_out_do_not_keep_the_table(self):
        self.sbatch()
        self.write("bin/heed", '#!/bin/bash\nexit "$CODE"\n')
        (self.folder / "bin/heed").chmod(0o755)
        self.heed("study", "slurm", "plan", "--tasks", "4", "--heed", "bin/heed", "--submit")
        for code, passed_on in ((0, 0), (1, 0), (65, 65), (137, 137)):
            task = subprocess.run(["bash", "plan/slurm/array.sbatch"], cwd=self.folder, env={"CODE": str(code)}, check=False)
            self.assertEqual(task.returncode, passed_on)

    def test_what_slurm_cannot_be_told(self):
        for option, value, wish in (("--time", "2 hours", "time limit"), ("--memory", "4G\n#SBATCH --uid=0", "memory"),
                                    ("--partition", "a;b", "partition"), ("--account", "it's", "account"), ("--time", "-1", "time limit")):
            self.refused(USAGE, "study", "slurm", "plan", "--tasks", "4", f"{option}={value}", says=(wish, "write it like"))
        shutil.copytree(self.folder / "plan", self.folder / "back\\slash")
        self.refused(USAGE, "study", "slurm", "back\\slash", "--tasks", "4", says="backslash")
        for tasks in ("0", "-1", "four", "100001"):
            self.refused(USAGE, "study", "slurm", "plan", "--tasks", tasks, says="--tasks")
        self.refused(USAGE, "study", "slurm", "plan", says="--tasks")

    def test_a_plan_must_be_there(self):
        self.refused(NO_INPUT, "study", "slurm", "nowhere", "--tasks", "4", says=("nowhere", "heed study plan"))
        self.write("other/notes.txt", "")
        self.refused(BAD_DATA, "study", "slurm", "other", "--tasks", "4", says=("other", "plan"))

    def test_more_tasks_than_participants(self):
        self.heed("study", "slurm", "plan", "--tasks", "4")
        self.assertEqual(self.said, "")
        self.heed("study", "slurm", "plan", "--tasks", "5")
        self.assertIn("1 of 5 tasks will have nothing to do: the plan has 4 participants", self.said)


class Submit(StudySlurmTest):
    def test_both_jobs(self):
        self.sbatch()
        said = self.heed("study", "slurm", "plan", "--tasks", "4", "--submit", "-o", "table.tsv")
        scripts = self.folder / "plan/slurm"
        self.assertEqual(self.calls(), [["--parsable", f"{scripts}/array.sbatch"],
                                        ["--parsable", "--dependency=afterok:41", f"{scripts}/gather.sbatch"]])
        for words in ("array of 4 tasks: job 41\n", f"gather, after it: job 42, into {self.folder}/table.tsv\n",
                      "heed study status plan, squeue --job 41,42\n", f"logs: {self.folder}/plan/logs\n"):
            self.assertIn(words, said)
        self.assertTrue((self.folder / "plan/logs").is_dir())
        printed = self.heed("study", "slurm", "plan", "--tasks", "4", "-o", "table.tsv")
        for name in ("array", "gather"):
            self.assertIn(self.read(f"plan/slurm/{name}.sbatch"), printed)

    def test_numbers_as_sites_write_them(self):
        for answer in ("echo '41;green'", "echo Welcome, 2 jobs are yours.; echo 41"):
            with self.subTest(answer):
                shutil.rmtree(self.folder / "bin", ignore_errors=True)
                self.sbatch(answer)
                self.assertIn("job 41\n", self.heed("study", "slurm", "plan", "--tasks", "4", "--submit"))
                self.assertEqual(self.calls()[1][1], "--dependency=afterok:41")

    def fails(self, *says):
        result = self.run_heed("study", "slurm", "plan", "--tasks", "4", "--submit")
        said = result.stderr.decode()
        self.assertEqual((result.returncode, result.stdout, said.count("\n")), (UNAVAILABLE, b"", 1), said)
        for words in says:
            self.assertIn(words, said)

    def test_without_slurm(self):
        self.variables["PATH"] = str(self.folder)
        self.fails("sbatch cannot be started", "have the script printed")

    def test_refused_in_its_own_words(self):
        self.sbatch("echo 'sbatch: error: invalid partition' >&2; echo 'sbatch: error: Batch job submission failed' >&2; exit 1")
        self.fails("array.sbatch: sbatch refuses it: sbatch: error: invalid partition sbatch: error: Batch job submission failed")

    def test_refused_without_a_word(self):
        self.sbatch("kill -9 $$")
        self.fails("does not say why")

    def test_no_number(self):
        self.sbatch("echo Thank you")
        self.fails("gave no number: 'Thank you'", "squeue")

    def test_only_the_gathering_refused(self):
        self.sbatch('[[ $* == *array.sbatch ]] && echo 41 && exit 0; echo "no more jobs for you" >&2; exit 1')
        self.fails("gather.sbatch: sbatch refuses it: no more jobs for you", "job 41", "plan -o TABLE.tsv' makes the table")

    def test_a_file_in_the_way(self):
        self.sbatch()
        self.write("plan/logs", "")
        self.refused(CANNOT_CREATE, "study", "slurm", "plan", "--tasks", "4", "--submit", says="plan/logs")
        self.assertEqual(self.calls(), [])


class Shares(StudySlurmTest):
    def share(self, shard, **variables):
        self.variables = variables
        self.heed("study", "run", "plan", "--shard", shard)
        return self.said

    def refused_share(self, shard, *says, **variables):
        self.variables = variables
        self.refused(USAGE, "study", "run", "plan", "--shard", shard, says=("--shard", *says))

    def test_of_slurm(self):
        array = {"SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "9", "SLURM_ARRAY_TASK_STEP": "3", "SLURM_ARRAY_TASK_COUNT": "4"}
        self.assertIn("share 3 of 4: 3 results of 1 participant, 0 done before, 3 made", self.share("auto", SLURM_ARRAY_TASK_ID="6", **array))
        self.assertIn("share 3 of 4: 3 results of 1 participant, 3 done before, 0 made", self.share("auto", SLURM_ARRAY_TASK_ID="6", **array))
        self.assertIn("share 1 of 3: 6 results of 2 participants", self.share("auto/3", SLURM_ARRAY_TASK_ID="1", **array))

    def test_of_pbs(self):
        self.assertIn("share 4 of 4", self.share("auto/4", PBS_ARRAY_INDEX="4"))
        self.assertIn("share 1 of 4", self.share("auto/4", PBS_ARRAYID="1"))
        self.refused_share("auto", "how many", "auto/8", PBS_ARRAY_INDEX="4")

    def test_of_grid_engine(self):
        array = {"SGE_TASK_FIRST": "1", "SGE_TASK_LAST": "8", "SGE_TASK_STEPSIZE": "2"}
        self.assertIn("share 3 of 4", self.share("auto", SGE_TASK_ID="5", **array))
        self.refused_share("auto", "not a task of a job array", SGE_TASK_ID="undefined")

    def test_of_nobody(self):
        self.refused_share("auto", "not a task of a job array", "2/8 is the second of eight")
        self.refused_share("auto/4", "not a task of a job array")

    def test_nonsense(self):
        for value in ("two", "-1", "1.5", "99999999999999999999"):
            self.refused_share("auto/4", f"SLURM_ARRAY_TASK_ID='{value}'", SLURM_ARRAY_TASK_ID=value)
        self.refused_share("auto/4", "1 to 4", PBS_ARRAY_INDEX="5")
        self.refused_share("auto/4", "1 to 4", PBS_ARRAY_INDEX="0")
        self.refused_share("auto/0", "0 tasks", PBS_ARRAY_INDEX="1")
        self.refused_share("auto", "two schedulers", SLURM_ARRAY_TASK_ID="1", PBS_ARRAY_INDEX="1")
        self.refused_share("automatic", "auto/n", PBS_ARRAY_INDEX="1")


if __name__ == "__main__":
    unittest.main()
