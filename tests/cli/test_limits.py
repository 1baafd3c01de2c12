# SPDX-License-Identifier: MIT
"""Numbers that would size work without bound, folders that cannot be written, links that lead nowhere."""
import json
import os
import pathlib
import resource
import subprocess
import unittest

from heed_program import BY_HAND, PATIENCE, PROGRAM, HeedTest

SUCCESS, USAGE, UNAVAILABLE, CANNOT_CREATE = 0, 2, 69, 73
MEMORY = 2 << 30  # bytes of address space, of which libraries take the half
RECORDING = ("simulate", "recording", "--participants", "2", "--trials", "2", "--minutes", "0.5", "--channels", "Fz,Cz,T7,T8",
             "--rate", "64", "--sound-rate", "8000", "-o", "bids")


def little_memory():
    if os.environ.get("HEED_SANITIZE"):
        return  # sanitizers reserve terabytes of addresses
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class Numbers(HeedTest):
    def test_the_rate_of_a_decoder_is_bounded_by_the_recording(self):
        """One number in a decoder's file took gigabytes."""
        self.heed(*RECORDING)
        self.heed("train", "bids", "--participant", "01", "-o", "decoder.json")
        decoder = self.read_json("decoder.json")
        for rate in (4294.0, 1e6):
            decoder["Preprocessing"]["SamplingFrequency"] = rate
            self.write("large.json", json.dumps(decoder))
            result = self.run_heed("score", "bids", "--participant", "01", "--no-cache", "--model", "large.json", "-o", "scores",
                                   preexec_fn=little_memory)
            self.assertEqual(result.returncode, UNAVAILABLE, result.stderr.decode())
            self.assertIn("choose a target rate of at most 256 Hz", result.stderr.decode())

    def test_a_cohort_is_bounded(self):
        for options in (("--participants", "1000000000"), ("--trials", "1000000000"), ("--minutes", "1e9"), ("--window", "1e-9")):
            self.refused(USAGE, "simulate", "scores", *options, "-o", "cohort", preexec_fn=little_memory)
        self.refused(USAGE, "simulate", "recording", "--participants", "1000000000", "-o", "bids", preexec_fn=little_memory)


class Folders(HeedTest):
    def run_with(self, environment, *call):
        return subprocess.run([PROGRAM, *call], cwd=self.folder, env={**os.environ, **environment}, timeout=PATIENCE, check=False,
                              capture_output=True)

    def test_a_default_cache_that_cannot_be_made_is_a_note(self):
        """As in containers, whose HOME is a folder that nobody may write to."""
        self.heed(*RECORDING)
        (self.folder / "file").write_text("")
        for variable in ("HOME", "XDG_CACHE_HOME"):
            without = {"XDG_CACHE_HOME": "", variable: str(self.folder / "file")}
            for call in (("score", "bids", "-o", f"scores-{variable}"), ("preprocess", "bids", "-o", f"prepared-{variable}"),
                         ("train", "bids", "--participant", "01", "-o", f"{variable}.json")):
                result = self.run_with(without, *call)
                self.assertEqual(result.returncode, SUCCESS, result.stderr.decode())
                self.assertEqual(result.stderr.decode().count("nothing is kept for the next run"), 1, result.stderr.decode())
        self.refused(CANNOT_CREATE, "score", "bids", "--cache", "file/cache", "-o", "other", says="cannot be created as a folder")

    def test_a_link_to_itself_does_not_hide_what_lies_beside_it(self):
        self.heed(*RECORDING)
        os.symlink("loop", self.folder / "bids" / "loop")
        os.symlink("loop.tsv", self.folder / "bids" / "sub-01" / "eeg" / "loop.tsv")
        for call in (("info", "bids"), ("validate", "bids"), ("score", "bids", "--no-cache", "-o", "scores")):
            self.heed(*call)
        os.symlink("sub-09_scores.tsv", self.folder / "sub-09_scores.tsv")
        said = self.run_heed("compare", self.folder).stderr.decode()
        self.assertIn("sub-09_scores.tsv: cannot be opened (Too many levels of symbolic links)", said)

    def test_permissions_follow_the_umask_and_old_ones_stay(self):
        self.write_scores("scores.tsv", [[0.1, 0.2], [0.3, 0.1], [0.0, 0.4]], attended=[0, 0, 1])
        for mask, mode in ((0o077, 0o600), (0o022, 0o644), (0o002, 0o664)):
            result = self.run_heed("track", "scores.tsv", *BY_HAND, "-o", f"{mask}.tsv", preexec_fn=lambda mask=mask: os.umask(mask))
            self.assertEqual(result.returncode, SUCCESS)
            self.assertEqual((self.folder / f"{mask}.tsv").stat().st_mode & 0o777, mode)
        path = pathlib.Path(self.folder / "18.tsv")
        path.chmod(0o640)
        self.heed("track", "scores.tsv", *BY_HAND, "-o", "18.tsv")
        self.assertEqual(path.stat().st_mode & 0o777, 0o640)


if __name__ == "__main__":
    unittest.main()
