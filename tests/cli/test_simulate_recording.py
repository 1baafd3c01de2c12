# SPDX-License-Identifier: MIT
"""heed simulate recording: a BIDS folder that heed itself finds nothing wrong with, the same for the same seed."""
import json
import unittest

from heed_program import HeedTest

SMALL = ("--participants", "1", "--trials", "1", "--minutes", "0.2", "--channels", "Fz,Cz,Oz", "--sound-rate", "8000")


class RecordingTest(HeedTest):
    def simulate(self, *options, into="sim"):
        self.assertEqual(self.heed("simulate", "recording", "-o", into, *options), "")

    def events(self, run, into="sim"):
        subject = run.split("_")[0]
        return self.read_table(f"{into}/{subject}/eeg/{run}_events.tsv")


class Folder(RecordingTest):
    def test_files_are_a_valid_dataset(self):
        self.simulate("--participants", "2", "--trials", "2", "--minutes", "0.5", "--switch-every", "15")
        self.assertIn("2 participants, 2 trials of 0.5 min each, 2 speakers, seed 1: written to sim", self.said)
        names = set(self.files())
        for subject in ("sub-01", "sub-02"):
            for run in ("01", "02"):
                for ending in ("eeg.bdf", "eeg.json", "channels.tsv", "events.tsv"):
                    self.assertIn(f"sim/{subject}/eeg/{subject}_task-listening_run-{run}_{ending}", names)
        stimuli = sorted(name for name in names if name.startswith("sim/stimuli/"))
        self.assertEqual(stimuli, [f"sim/stimuli/story-0{k}.flac" for k in range(1, 5)])
        self.assertFalse([name for name in names if ".heed" in name])
        self.assertEqual(self.read("sim/participants.tsv"), "participant_id\nsub-01\nsub-02\n")
        self.assertIn("SIMULATED", self.read("sim/README"))
        report = self.heed("validate", "sim")
        self.assertNotIn("error:", report)
        header = self.heed_json("info", "sim/sub-01/eeg/sub-01_task-listening_run-01_eeg.bdf")
        self.assertEqual((header["sampling_frequency"], header["duration"], len(header["channels"])), (128, 30, 64))

    def test_events(self):
        self.simulate("--participants", "1", "--trials", "1", "--minutes", "1", "--switch-every", "20", "--channels", "19")
        table = self.events("sub-01_task-listening_run-01")
        rows = [dict(zip(table.header, row)) for row in table.rows]
        stimuli = [row for row in rows if row["trial_type"] == "stimulus"]
        self.assertEqual([(row["speaker"], float(row["duration"])) for row in stimuli], [("left", 60), ("right", 60)])
        attend = [row for row in rows if row["trial_type"] == "attend"]
        self.assertEqual([float(row["onset"]) for row in attend], [0, 20, 40])
        self.assertEqual(attend[0]["speaker"], attend[2]["speaker"])
        self.assertNotEqual(attend[0]["speaker"], attend[1]["speaker"])

    def test_conversations(self):
        self.simulate("--conversations", "3", "--participants", "1", "--trials", "2", "--sustained", "1", "--minutes", "1",
                      "--switch-every", "30", "--channels", "Cz", "--sound-rate", "8000")
        self.assertIn("3 conversations", self.said)
        for run, stretches in (("01", 1), ("02", 2)):
            table = self.events(f"sub-01_task-listening_run-{run}")
            rows = [dict(zip(table.header, row)) for row in table.rows]
            self.assertEqual(sum(row["trial_type"] == "attend" for row in rows), stretches)
            for speaker in ("left", "centre", "right"):
                files = {row["stim_file"] for row in rows if row["trial_type"] == "stimulus" and row["speaker"] == speaker}
                self.assertEqual(len(files), 2)
        self.assertNotIn("error:", self.heed("validate", "sim"))

    def test_formats(self):
        self.simulate(*SMALL, "--format", "brainvision", "--sounds", "wav")
        names = set(self.files())
        self.assertIn("sim/sub-01/eeg/sub-01_task-listening_run-01_eeg.vhdr", names)
        self.assertIn("sim/stimuli/story-01.wav", names)
        self.assertNotIn("error:", self.heed("validate", "sim"))

    def test_disturbances_and_dropouts(self):
        self.simulate(*SMALL[:4], "--minutes", "1", "--channels", "Fpz,Cz,Oz", "--sound-rate", "8000", "--blinks", "20",
                      "--artefacts", "5", "--line-noise", "3", "--dropouts", "5", "--dropout-length", "2")
        header = self.heed_json("info", "sim/sub-01/eeg/sub-01_task-listening_run-01_eeg.bdf")
        dropouts = [event for event in header["events"] if event["description"] == "dropout"]
        self.assertTrue(dropouts)
        self.assertTrue(all(event["duration"] > 0 for event in dropouts))


class Repeating(RecordingTest):
    def test_seed(self):
        for folder, seed in (("a", "7"), ("b", "7"), ("c", "8")):
            self.simulate(*SMALL, "--seed", seed, into=folder)
        files = self.files()
        same = [name for name in files if name.startswith("a/")]
        self.assertGreater(len(same), 8)
        for name in same:
            self.assertEqual(files[name], files["b" + name[1:]], name)
        eeg = "sub-01/eeg/sub-01_task-listening_run-01_eeg.bdf"
        self.assertNotEqual(files[f"a/{eeg}"], files[f"c/{eeg}"])
        self.assertNotEqual(files["a/stimuli/story-01.flac"], files["c/stimuli/story-01.flac"])

    def test_larger_cohort_keeps_its_participants(self):
        self.simulate(*SMALL, into="a")
        self.simulate(*SMALL[2:], "--participants", "3", into="b")
        files = self.files()
        eeg = "sub-01/eeg/sub-01_task-listening_run-01_eeg.bdf"
        self.assertEqual(files[f"a/{eeg}"], files[f"b/{eeg}"])
        self.assertNotEqual(files[f"b/{eeg}"], files[f"b/{eeg}".replace("sub-01", "sub-02")])


class Refusals(RecordingTest):
    def test_nothing_is_replaced_unless_forced(self):
        self.simulate(*SMALL[2:], "--participants", "2")
        self.refused(73, "simulate", "recording", "-o", "sim", *SMALL, says=["sim is not empty", "force"])
        before = self.files()
        self.simulate(*SMALL, "--seed", "2", "--force")
        after = self.files()
        self.assertNotIn("sim/sub-02", after)  # nothing of the earlier one is left
        self.assertEqual(self.read("sim/participants.tsv"), "participant_id\nsub-01\n")
        self.assertNotEqual(before["sim/stimuli/story-01.flac"], after["sim/stimuli/story-01.flac"])

    def test_other_folders_are_never_touched(self):
        self.write("mine/thesis.txt", "years of work")
        self.refused(73, "simulate", "recording", "-o", "mine", *SMALL, "--force", says="something other")
        self.write("other/dataset_description.json", json.dumps({"Name": "mine", "BIDSVersion": "1.9.0"}))
        self.write("other/sub-01/eeg/sub-01_task-x_eeg.bdf", "")
        self.refused(73, "simulate", "recording", "-o", "other", *SMALL, "--force", says="something other")

    def test_bad_options(self):
        def refused(*options, says):
            self.refused(2, "simulate", "recording", "-o", "sim", *options, says=says)
        refused("--participants", "0", says="participants 0")
        refused("--speakers", "1", says="speakers 1")
        refused("--conversations", "3", "--speakers", "2", says="--conversations and --speakers")
        refused("--channels", "20", says="channels 20")
        refused("--channels", "Cz,nose", says="'nose'")
        refused("--minutes", "0", says="trial 0 s")
        refused("--switch-every", "abc", says="--switch-every")
        refused("--rate", "10", says="EEG at 10 Hz")
        refused("--signal", "-1", says="signal -1")
        refused("--line-noise", "2", "--line-frequency", "70", says="line frequency 70 Hz")
        refused("--format", "mat", says="--format")


if __name__ == "__main__":
    unittest.main()
