#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heed info: recordings, sounds, scores, folders; for people, for programs, on terminals of any kind."""
import fcntl
import math
import os
import pty
import struct
import subprocess
import termios
import unittest
import wave

from heed_program import PROGRAM, HeedTest

HEADER = """Brain Vision Data Exchange Header File Version 1.0
[Common Infos]
DataFile=a.eeg
MarkerFile=a.vmrk
DataFormat=BINARY
DataOrientation=MULTIPLEXED
NumberOfChannels={count}
SamplingInterval=10000
[Binary Infos]
BinaryFormat=INT_16
[Channel Infos]
"""


class InfoTest(HeedTest):
    def test_a_folder_that_is_neither_bids_nor_scores_says_what_it_holds(self):
        self.write("lab/talk.edf", "x")
        self.refused(66, "info", "lab", says=("neither a BIDS folder nor a folder of scores", "talk.edf"))
        self.write("matlab/S1.mat", "x")
        self.refused(66, "info", "matlab", says="heed convert")

    def write_recording(self, channels=2, seconds=10):
        """Channel 1 is flat, the others swing, the second half ten times as wide."""
        names = "".join(f"Ch{c + 1}=E{c + 1},,1,µV\n" for c in range(channels))
        self.write("a.vhdr", HEADER.format(count=channels) + names)
        self.write("a.vmrk", "[Marker Infos]\nMk1=Stimulus,S1,101,1,0\nMk2=Stimulus,S1,201,1,0\nMk3=Response,R,301,1,0\n")
        rows = []
        for t in range(100 * seconds):
            wide = 1000 if t >= 50 * seconds else 100
            rows.append(struct.pack(f"<{channels}h", 0, *([round(wide * math.sin(t))] * (channels - 1))))
        self.write("a.eeg", b"".join(rows))
        return "a.vhdr"

    def on_terminal(self, *words, columns=80, **environment):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        values = {key: value for key, value in os.environ.items() if not key.startswith("LC_") and key != "LANG"}
        process = subprocess.Popen([PROGRAM, *words], stdout=slave, stderr=subprocess.PIPE, cwd=self.folder,
                                   env={**values, **environment})
        os.close(slave)
        output = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            output += piece
        os.close(master)
        self.assertEqual(process.wait(), 0, process.stderr.read())
        process.stderr.close()
        return output.decode().replace("\r\n", "\n")

    def test_a_recording_for_people(self):
        text = self.heed("info", self.write_recording())
        self.assertIn("a.vhdr: BrainVision, 10 s, 1000 samples at 100 Hz\n", text)
        self.assertIn("2 channels at 100 Hz, in µV\n  E1 E2\n", text)
        self.assertIn("3 events of 2 kinds\n", text)
        self.assertRegex(text, r"Stimulus/S1 +2 +1\.000, 2\.000\n")

    def test_a_recording_for_programs(self):
        found = self.heed_json("info", self.write_recording())
        self.assertEqual(found["format"], "BrainVision")
        self.assertEqual((found["sampling_frequency"], found["samples"], found["duration"]), (100, 1000, 10))
        self.assertEqual(found["channels"][1], {"name": "E2", "unit": "µV", "sampling_frequency": 100})
        self.assertEqual(found["events"][2], {"onset": 3, "duration": 0.01, "description": "Response/R"})
        self.assertEqual(found["segments"], [{"onset": 0, "duration": 10, "first_sample": 0}])
        self.assertIsNone(found["start"])

    def test_a_thumbnail_on_a_terminal(self):
        text = self.on_terminal("info", self.write_recording(), LC_ALL="C.UTF-8")
        lines = text.splitlines()
        flat = next(line for line in lines if line.startswith("E1 "))
        swings = next(line for line in lines if line.startswith("E2 "))
        self.assertRegex(flat, r"^E1 ·{60}  0.00 µV$")
        self.assertRegex(swings, r"^E2 ▁{30}█{30}  19\d\d µV$")

    def test_a_thumbnail_keeps_to_the_width(self):
        self.write_recording(channels=70)
        for columns in (60, 100, 200):
            lines = self.on_terminal("info", "a.vhdr", columns=columns, LANG="de_DE.utf8").splitlines()
            strips = [line for line in lines if "█" in line]
            self.assertTrue(strips)
            self.assertLessEqual(max(map(len, strips)), columns)
            named = {word for line in lines for word in line.split() if word[:1] == "E" and word[1:].isdigit()}
            self.assertEqual(len(named), 70)

    def test_a_thumbnail_without_utf8(self):
        text = self.on_terminal("info", self.write_recording(), LC_ALL="C")
        self.assertIn("E2 " + "." * 30 + "#" * 30, text)
        self.assertIn("E1 " + "_" * 60, text)

    def test_sound(self):
        with wave.open(str(self.folder / "a.wav"), "wb") as sound:
            sound.setparams((2, 2, 8000, 0, "NONE", ""))
            sound.writeframes(b"\0" * 4 * 16000)
        self.assertIn("2 s, 16000 samples at 8000 Hz, 2 channels", self.heed("info", "a.wav"))
        found = self.heed_json("info", "a.wav")
        self.assertEqual((found["samples"], found["duration"], len(found["channels"])), (16000, 2, 2))

    def test_an_envelope(self):
        self.write("talk.tsv", "envelope\n0.5\n0.25\n")
        self.write("talk.json", '{"SamplingFrequency": 64, "Columns": ["envelope"]}')
        found = self.heed_json("info", "talk.tsv")
        self.assertEqual((found["format"], found["samples"], found["sampling_frequency"]), ("envelope", 2, 64))
        self.assertIn("1 column: envelope", self.heed("info", "talk.tsv"))

    def test_scores_of_one_and_of_many(self):
        self.write_scores("c/sub-01_scores.tsv", [[0.1, 0.2], None, [0.3, 0.1]], attended=[0, None, 1])
        self.write_scores("c/sub-02_scores.tsv", [[0.1, 0.2]] * 4)
        found = self.heed_json("info", "c")["participants"]
        self.assertEqual([(one["id"], one["windows"], one["missing"], one["labelled"]) for one in found],
                         [("01", 3, 1, 2), ("02", 4, 0, 0)])
        self.assertIn("scores of 1 participant\n", self.heed("info", "c/sub-02_scores.tsv"))

    def test_what_track_writes(self):
        self.write_scores("sub-01_scores.tsv", [[0.1, 0.2], None, [0.3, 0.1]], attended=[0, None, 1])
        self.heed("track", "sub-01_scores.tsv", "--mu-attended", "0.1", "--mu-unattended", "0", "--sigma", "0.3", "--save-model", "m.json", "-o", "p.tsv")
        self.assertIn("m.json: model of windows of 1 s: fisher-gaussian, shared sigma: mu 0.1 / 0, sigma 0.3\ngiven by hand\n",
                      self.heed("info", "m.json"))
        self.assertEqual(self.heed_json("info", "m.json")["format"], "model")
        found = self.heed_json("info", "p.tsv")
        self.assertEqual((found["format"], found["windows"], found["labelled"], found["window"]), ("posteriors", 3, 2, 1))
        self.assertEqual(self.heed("info", "p.tsv"),
                         "p.tsv: posteriors of left, right: 3 windows of 1 s in 1 trial, 2 labelled; 'heed evaluate' measures them\n")

    def test_a_bids_folder(self):
        self.write_recording()
        self.write("study/dataset_description.json", '{"Name": "Study", "BIDSVersion": "1.8.0"}')
        base = "study/sub-01/eeg/sub-01_task-listen_"
        for ending in (".vhdr", ".vmrk", ".eeg"):
            self.write(base + "eeg" + ending, (self.folder / ("a" + ending)).read_bytes())
        self.write(base + "events.tsv", "onset\tduration\ttrial_type\tspeaker\tstim_file\n0\t10\tstimulus\tanna\ta.wav\n"
                                        "0\t10\tstimulus\tbert\tb.wav\n2\t6\tattend\tanna\tn/a\n")
        found = self.heed_json("info", "study")
        self.assertEqual((found["format"], found["name"], found["participants"], found["duration"]), ("BIDS", "Study", ["01"], 10))
        run = found["runs"][0]
        self.assertEqual((run["name"], run["channels"], run["speakers"], run["attended"]),
                         ("sub-01_task-listen", 2, ["anna", "bert"], 6))
        self.assertIn("Study: BIDS, 1 participant, 1 run, 10 s", self.heed("info", "study"))

    def test_every_ending_that_opens_is_listed(self):
        self.write_recording()
        for ending in (".vmrk", ".eeg"):
            self.write("files/a" + ending, (self.folder / ("a" + ending)).read_bytes())
        self.write("files/a.ahdr", (self.folder / "a.vhdr").read_bytes())
        self.assertIn("a.ahdr: BrainVision, 10 s", self.heed("info", "files/a.ahdr"))
        self.refused(66, "info", "files", says="it holds recordings, give one of them: a.ahdr")

    def test_what_cannot_be_read(self):
        self.refused(66, "info", "nobody.bdf", says="nobody.bdf: no such file")
        self.refused(65, "info", self.write("a.bdf", b"\xffBIOSEMI broken"), says=["a.bdf", "byte 16"])
        self.refused(69, "info", self.write("a.eeg", "x"), says="give its header, a.vhdr")
        self.refused(65, "info", self.write("a.tsv", ""), says="a.tsv: ")
        self.refused(69, "info", self.write("a.xyz", "x"), says="not a recording that heed can read")
        self.refused(66, "info", self.write("b.vhdr", HEADER.replace("a.eeg", "no.eeg").format(count=1) + "Ch1=a\n"), says="put the file beside")
        (self.folder / "empty").mkdir()
        self.refused(66, "info", "empty", says="empty")


if __name__ == "__main__":
    unittest.main()
