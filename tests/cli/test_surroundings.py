# SPDX-License-Identifier: MIT
"""Whatever the machine is set to, results have the same bytes: locales, time zones; and file systems that are full or
read-only are told as such, with nothing left behind."""
import os
import shutil
import subprocess
import unittest

from heed_program import PATIENCE, PROGRAM, HeedTest

SUCCESS, BAD_DATA, CANNOT_CREATE, IO = 0, 65, 73, 74
COHORT = ("simulate", "scores", "--participants", "2", "--trials", "2", "--minutes", "2", "--switch-every", "30", "-o", "cohort")
RECORDING = ("simulate", "recording", "--participants", "1", "--trials", "2", "--minutes", "0.5", "--channels", "Fz,Cz,T7,T8",
             "--rate", "64", "--sound-rate", "8000", "-o", "bids")
CALLS = (COHORT, RECORDING, ("compare", "cohort", "--plot", "compare.svg"), ("score", "bids", "--no-cache", "-o", "scores"),
         ("train", "bids", "-o", "decoder.json"), ("convert", "cnd", "bids", "cnd"), ("info", "bids", "--json"),
         ("track", "cohort/sub-01_scores.tsv", "--mu-attended", "0.12", "--mu-unattended", "0.04", "--sigma", "0.3"))


class Settings(HeedTest):
    def outcome(self, name, **settings):
        """Every file, and everything on standard output, of a few verbs run in a folder of their own."""
        folder = self.folder / name
        folder.mkdir()
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), **settings}
        result = []
        for call in CALLS:
            run = subprocess.run([PROGRAM, *call], cwd=folder, env=environment, capture_output=True, timeout=PATIENCE, check=False)
            self.assertEqual(run.returncode, SUCCESS, run.stderr.decode())
            result.append(run.stdout)
        return result, {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}

    def test_a_locale_with_decimal_commas_and_another_time_zone(self):
        expected = self.outcome("plain", LC_ALL="C", TZ="UTC")
        self.assertEqual(self.outcome("east", LC_ALL="C", TZ="Pacific/Kiritimati"), expected)
        if not shutil.which("localedef") or not os.path.exists("/usr/share/i18n/locales/de_DE"):
            self.skipTest("localedef or the sources of locales (Debian: locales) are missing")
        locales = self.folder / "locales"
        locales.mkdir()
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", str(locales / "de_DE.UTF-8")], check=True, capture_output=True)
        settings = {"LOCPATH": str(locales), "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
        shown = subprocess.run(["/usr/bin/printf", "%.1f", "1,5"], env={**os.environ, **settings}, capture_output=True, check=False)
        self.assertEqual(shown.stdout, b"1,5", "the locale is none with commas")
        self.assertEqual(self.outcome("comma", **settings), expected)


class FileSystems(HeedTest):
    """On a file system of its own, in a name space that ends with the run."""

    def run_on(self, options, script):
        """The shell script in a folder `disk` that was mounted so."""
        (self.folder / "disk").mkdir(exist_ok=True)
        inside = f'mount -t tmpfs -o {options} tmpfs disk && cd disk && {script}'
        return subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", inside], cwd=self.folder,
                              env={**os.environ, "HEED": PROGRAM}, capture_output=True, timeout=PATIENCE, check=False)

    def setUp(self):
        super().setUp()
        if self.run_on("size=64k", "true").returncode != 0:
            self.skipTest("file systems cannot be mounted here")
        self.heed(*COHORT)
        self.heed(*RECORDING)

    def test_a_full_disk_is_told_and_nothing_is_left(self):
        for call in ("score ../bids --no-cache -o out", "preprocess ../bids --no-cache -o out", "convert cnd ../bids out",
                     "train ../bids -o decoder.json --no-cache", "track ../cohort/sub-01_scores.tsv --fit-from ../cohort -o posterior.tsv"):
            with self.subTest(call=call):
                # A disk with room for the names of files and no byte in them.
                result = self.run_on("size=64k", f'cat /dev/zero >fill 2>/dev/null; "$HEED" {call}; echo $?; find . -type f ! -name fill')
                code, *left = result.stdout.decode().split()
                self.assertIn(int(code), (CANNOT_CREATE, IO), result.stderr.decode())
                self.assertIn("No space left on device", result.stderr.decode())
                self.assertEqual([name for name in left if not name.endswith("dataset_description.json")], [])

    def test_a_disk_that_cannot_be_written_is_told(self):
        for call in ("score ../bids --no-cache -o out", "study plan fixed_lag --on ../cohort -o plan", "simulate scores -o out",
                     "reproduce --on ../cohort --studies fixed_lag -o out", "convert cnd ../bids out"):
            with self.subTest(call=call):
                result = self.run_on("size=64k", f'cd .. && mount -o remount,ro disk && cd disk && "$HEED" {call}; echo $?')
                self.assertEqual(int(result.stdout.decode().split()[-1]), CANNOT_CREATE, result.stderr.decode())
                self.assertIn("Read-only file system", result.stderr.decode())


class CaseFolding(HeedTest):
    """A disk that does not tell upper from lower case, as most of macOS and Windows: NTFS, in a file."""

    def setUp(self):
        super().setUp()
        disk, image = self.folder / "disk", self.folder / "image"
        disk.mkdir()
        with image.open("wb") as file:
            file.truncate(64 << 20)
        if not shutil.which("lowntfs-3g"):
            self.skipTest("lowntfs-3g (Debian: ntfs-3g) is missing")
        subprocess.run(["mkntfs", "-F", "-Q", "-q", str(image)], check=True, capture_output=True)
        mounted = subprocess.run(["lowntfs-3g", "-o", "ignore_case", str(image), str(disk)], capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("file systems cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", str(disk)], check=True)
        (disk / "A").write_text("x")
        self.assertTrue((disk / "a").exists(), "the disk tells upper from lower case")

    def test_results_are_the_same_as_elsewhere(self):
        self.heed(*COHORT)
        self.heed(*RECORDING)
        self.write("study.toml", 'title = "p"\n[[grid]]\nswitch_probability = [0.001, 0.01]\n')
        for name in ("plain", "disk"):
            for call in (("score", "bids", "-o", f"{name}/scores"), ("convert", "cnd", "bids", f"{name}/cnd"),
                         ("preprocess", "bids", "-o", f"{name}/prepared"), ("train", "bids", "-o", f"{name}/decoder.json"),
                         ("study", "plan", "study.toml", "--on", "cohort", "-o", f"{name}/plan"), ("study", "run", f"{name}/plan"),
                         ("study", "gather", f"{name}/plan", "-o", f"{name}/table.tsv")):
                self.heed(*call)
        made = {name.lower(): content for name, content in self.files().items()}  # as the disk lists them
        for name in (name for name in made if name.startswith("plain/")):
            self.assertEqual(made[name.replace("plain", "disk", 1)], made[name], name)

    def test_participants_that_the_disk_does_not_tell_apart_do_not_replace_each_other(self):
        self.heed(*COHORT)
        for name, other in (("01", "a"), ("02", "A")):
            for ending in (".tsv", ".json"):
                (self.folder / f"cohort/sub-{name}_scores{ending}").rename(self.folder / f"cohort/sub-{other}_scores{ending}")
        for call in (("compare", "cohort"), ("study", "plan", "fixed_lag", "--on", "cohort", "-o", "disk/plan")):
            with self.subTest(call=call[0]):
                self.refused(BAD_DATA, *call, says="upper and lower case")
        self.heed(*RECORDING)
        (self.folder / "bids/sub-01").rename(self.folder / "bids/sub-a")
        (self.folder / "bids/sub-A").mkdir()
        self.write("bids/participants.tsv", "participant_id\nsub-a\nsub-A\n")
        for call in (("score", "bids", "-o", "disk/scores"), ("bids", "bids", "disk/out", "participant"), ("convert", "cnd", "bids", "disk/cnd")):
            with self.subTest(call=call[0]):
                self.refused(BAD_DATA, *call, says="upper and lower case")


if __name__ == "__main__":
    unittest.main()
