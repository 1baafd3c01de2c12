#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The beginning of `./dev campaign mat73`: damaged files of MATLAB 7.3, by the program and by h5py."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CAMPAIGN = pathlib.Path(__file__).with_name("damaged_mat73.py")
MUTANTS = os.environ.get("HEED_MUTANTS", "300")


class DamagedMat73(unittest.TestCase):
    def test_are_read_or_refused(self):
        with tempfile.TemporaryDirectory(prefix="heed-mat73-") as folder:
            call = [sys.executable, "-B", str(CAMPAIGN), str(pathlib.Path(folder) / "done"), MUTANTS]
            result = subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout)
        last = [line for line in result.stdout.splitlines() if line.startswith(f"{MUTANTS} of {MUTANTS}")]
        self.assertTrue(last and "'equal'" in last[0], result.stdout)


if __name__ == "__main__":
    unittest.main()
