#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heed's readers and writers of recordings beside MNE: samples, events, names, units, start times.

Real recordings are found by HEED_TEST_DATA. Without them, or without MNE, the tests that want them are skipped.
"""
import json
import os
import pathlib
import subprocess
import sys
import unittest

from heed_program import HeedTest

TOOL = os.environ.get("HEED_RECORDING_TOOL", "heed_recording_tool")
ORACLE = pathlib.Path(__file__).resolve().parent.parent / "data" / "recording_oracle.py"
TOLERANCE = 1e-6  # of the channel's largest sample, less than its full scale
REAL = ["test.bdf", "test.edf", "test.vhdr", "duplicate_channel_labels.edf", "test_bdf_stim_channel.bdf"]


def python_with_mne():
    """The one that runs this, else Debian's."""
    for python in (sys.executable, "/usr/bin/python3"):
        found = subprocess.run([python, "-c", "import mne"], capture_output=True, check=False)
        if found.returncode == 0:
            return python
    return None


PYTHON = python_with_mne()


def real_folder():
    folder = os.environ.get("HEED_TEST_DATA")
    return pathlib.Path(folder) / "readers" if folder else None


@unittest.skipIf(PYTHON is None, "MNE is not installed (Debian: python3-mne)")
class RecordingTest(HeedTest):
    def setUp(self):
        super().setUp()
        self.real = real_folder()
        if self.real is None or not self.real.is_dir():
            self.skipTest("HEED_TEST_DATA does not name a folder with readers/")

    def tool(self, *words):
        return subprocess.run([TOOL, *map(str, words)], stdout=subprocess.PIPE, check=True, cwd=self.folder).stdout

    def oracle(self, path, samples, units):
        words = [PYTHON, str(ORACLE), str(path), self.write("samples.f32", samples), ",".join(units)]
        result = subprocess.run(words, stdout=subprocess.PIPE, check=True, cwd=self.folder)
        return json.loads(result.stdout)

    def assert_same(self, path):
        """All that heed says of a file of one rate is what MNE says."""
        ours = self.heed_json("info", path)
        units = [channel["unit"] for channel in ours["channels"]]
        theirs = self.oracle(path, self.tool("samples", path), units)
        self.assertEqual([channel["name"] for channel in ours["channels"]], theirs["names"])
        for unit, known in zip(units, theirs["units"]):
            if known != "n/a":  # MNE forgets units that are none of its own
                self.assertEqual(unit.replace("uV", "µV"), known.replace("uV", "µV"))
        self.assertEqual(ours["samples"], theirs["samples"])
        self.assert_close(ours["sampling_frequency"], theirs["sampling_frequency"])
        whole = slice(19) if path.suffix != ".vhdr" else slice(None)  # MNE passes over the fraction that EDF+ has
        self.assertEqual(ours["start"][whole], theirs["start"])
        self.assertLess(theirs["largest_error"], TOLERANCE)
        rate = ours["sampling_frequency"]
        expected = [(onset, duration, text) for onset, duration, text in theirs["annotations"]]
        expected += [(sample / rate, 0, str(value)) for sample, value in theirs["triggers"]]
        found = [(event["onset"], event["duration"], event["description"]) for event in ours["events"]]
        self.assertEqual(len(found), len(expected))
        for one, other in zip(sorted(found), sorted(expected)):
            self.assert_close(one[:2], other[:2], 1e-6)
            self.assertEqual(one[2], other[2])
        return ours

    def test_real_recordings(self):
        for name in REAL:
            with self.subTest(name):
                self.assert_same(self.real / name)

    def test_what_is_written_is_read_alike(self):
        for source, ending in [("test.bdf", ".bdf"), ("test.bdf", ".vhdr"), ("test.edf", ".edf"), ("test.vhdr", ".vhdr"),
                               ("test.vhdr", ".bdf"), ("test_bdf_stim_channel.bdf", ".edf")]:
            with self.subTest(source + " as " + ending):
                self.tool("copy", self.real / source, "copy" + ending)
                copy = self.assert_same(self.folder / ("copy" + ending))
                before = self.heed_json("info", self.real / source)
                self.assertEqual(copy["samples"], before["samples"])
                self.assertEqual(copy["start"], before["start"])


class ReadOutTest(HeedTest):
    """Against arrays that other programs read from the same files."""

    def setUp(self):
        super().setUp()
        self.real = real_folder()
        if self.real is None or not self.real.is_dir():
            self.skipTest("HEED_TEST_DATA does not name a folder with readers/")
        if PYTHON is None:
            self.skipTest("scipy is not installed (Debian: python3-mne brings it)")

    def largest_error(self, recording, matrix, *channels, first_column=0, step=1):
        """Relative to the channel's largest sample. The read-out may hold every sample `step` times."""
        samples = subprocess.run([TOOL, "samples", str(self.real / recording), *channels], stdout=subprocess.PIPE,
                                 check=True).stdout
        self.write("samples.f32", samples)
        count = len(channels) or len(self.heed_json("info", self.real / recording)["channels"])
        script = ("import sys, numpy as np, scipy.io\n"
                  "matrix, first, count, step = sys.argv[1], *map(int, sys.argv[2:])\n"
                  "theirs = scipy.io.loadmat(matrix)['data'].astype(float).T[::step, first:first + count]\n"
                  "ours = np.fromfile('samples.f32', '<f4').astype(float).reshape(theirs.shape)\n"
                  "print((abs(ours - theirs) / abs(theirs).max(axis=0)).max())\n")
        words = [PYTHON, "-c", script, str(self.real / matrix), str(first_column), str(count), str(step)]
        return float(subprocess.run(words, stdout=subprocess.PIPE, check=True, cwd=self.folder).stdout)

    def test_bdf(self):
        self.assertLess(self.largest_error("test.bdf", "test_bdf_eeglab.mat"), TOLERANCE)

    def test_edf(self):
        self.assertLess(self.largest_error("test.edf", "test_edf_eeglab.mat"), TOLERANCE)

    def test_unequal_rates(self):
        for column, (channel, step) in enumerate({"3Hz +5/-5 V": 16, "0.2Hz Blk 1/0uV": 125}.items()):
            error = self.largest_error("test_uneven_samp.edf", "test_uneven_samp.mat", channel, first_column=column,
                                       step=step)
            self.assertLess(error, TOLERANCE, channel)


if __name__ == "__main__":
    unittest.main()
