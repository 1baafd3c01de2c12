# SPDX-License-Identifier: MIT
"""`heed convert`: files in the published structures become BIDS folders that hold the same numbers. What was in the
files is read by scipy and h5py, what came out by numpy, so that neither reader of heed is asked."""
import functools
import json
import os
import signal
import subprocess
import time
import unittest

from heed_program import PROGRAM, HeedTest
from public_sets import PublicSets, run_with_packages

# Largest difference between the samples of a trial and those of its run; both as floats.
COMPARE_EEG = """
import sys, numpy, scipy.io, h5py
kind, source, trial, written = sys.argv[1:]
trial = int(trial)
if h5py.is_hdf5(source):
    with h5py.File(source) as file:
        cells = file['trials'] if kind == 'kuleuven' else file['data/eeg']
        value = file[cells[trial, 0]]
        eeg = (value['RawData/EegData'] if kind == 'kuleuven' else value)[()].T
else:
    file = scipy.io.loadmat(source, squeeze_me=True, struct_as_record=False)
    eeg = {'av-gc-aad': lambda: file['data'][trial], 'kuleuven': lambda: file['trials'][trial].RawData.EegData,
           'dtu': lambda: file['data'].eeg[trial]}[kind]()
eeg = eeg.astype(numpy.float32)
samples = numpy.fromfile(written, '<f4').reshape(-1, eeg.shape[1])
assert samples.shape == eeg.shape, (samples.shape, eeg.shape)
print(abs(samples - eeg).max(), abs(eeg).max())
"""

# Largest difference of an envelope table from the first rows of what the file holds.
COMPARE_ENVELOPE = """
import sys, numpy, scipy.io
source, field, trial, table = sys.argv[1:]
file = scipy.io.loadmat(source, squeeze_me=True, struct_as_record=False)
value = file['data'] if field.startswith('wav') else file['stimulus']
expected = getattr(value, field)[int(trial)]
values = numpy.loadtxt(table, skiprows=1)
assert len(values) <= len(expected), (len(values), len(expected))
print(abs(values - expected[:len(values)]).max(), len(values), len(expected))
"""


@functools.cache
def sets():
    found = PublicSets()
    unittest.addModuleCleanup(found.scratch.cleanup)
    return found


class Converted(HeedTest):
    """The sets are made once; each test converts into a folder of its own."""

    @classmethod
    def setUpClass(cls):
        cls.source = sets().folder

    def rows(self, name, trial_type):
        table = self.read_table(name)
        return [dict(zip(table.header, row)) for row in table.rows if row[table.header.index("trial_type")] == trial_type]

    def compare_eeg(self, kind, source, trial, run):
        worst, largest = map(float, run_with_packages(COMPARE_EEG, kind, source, trial, self.folder / (run + "_eeg.eeg")).split())
        self.assertEqual(worst, 0, f"{run}: samples differ")
        self.assertGreater(largest, 10)

    def no_drafts(self, folder="out"):
        self.assertFalse([path for path in self.files() if ".heed" in path or ".tmp" in path], "left behind")


class AvGcAadTest(Converted):
    def setUp(self):
        super().setUp()
        self.heed("convert", "av-gc-aad", self.source / "av-gc-aad", "out")
        self.summary = self.said

    def file(self, subject):
        return self.source / "av-gc-aad" / f"2024-AV-GC-AAD-sub{subject}_preprocessed.mat"

    def test_samples_are_those_of_the_file(self):
        self.assertIn("2 participants, 12 runs: written to out", self.summary)
        runs = {"01": ["MovingVideo1", "NoVisuals1", "FixedVideo1", "MovingTargetNoise1", "MovingVideo2", "FixedVideo2"],
                "03": ["StaticVideo1", "MovingTargetNoise2", "NoVisuals2", "MovingVideo1", "StaticVideo2", "NoVisuals1"]}
        for subject, conditions in runs.items():
            for trial, condition in enumerate(conditions):
                run = f"out/sub-{subject}/eeg/sub-{subject}_task-attend_acq-{condition}_run-{trial + 1:02}"
                self.compare_eeg("av-gc-aad", self.file(subject), trial, run)

    def test_channels_beyond_the_scalp_are_told_apart(self):
        table = self.read_table("out/sub-01/eeg/sub-01_task-attend_acq-MovingVideo1_run-01_channels.tsv")
        self.assertEqual(table["type"], ["EEG"] * 64 + ["MISC"] * 4)
        self.assertEqual(table["name"][-4:], ["EXG3", "EXG4", "EXG5", "EXG6"])
        sidecar = self.read_json("out/sub-01/eeg/sub-01_task-attend_acq-MovingVideo1_run-01_eeg.json")
        self.assertEqual((sidecar["EEGChannelCount"], sidecar["MiscChannelCount"]), (64, 4))
        self.assertEqual((sidecar["SamplingFrequency"], sidecar["RecordingDuration"]), (128, 20))

    def test_talkers_change_sides_and_attention_follows(self):
        for subject, run, begins in (("01", "acq-MovingVideo1_run-01", "right"), ("01", "acq-NoVisuals1_run-02", "left"),
                                     ("03", "acq-StaticVideo1_run-01", "right")):
            ends = {"left": "right", "right": "left"}[begins]
            name = f"out/sub-{subject}/eeg/sub-{subject}_task-attend_{run}_events.tsv"
            attention = [(row["onset"], row["duration"], row["speaker"]) for row in self.rows(name, "attend")]
            self.assertEqual(attention, [("0", "10", begins), ("10", "10", ends)])
            trial = int(run[-2:]) - 1
            for row in self.rows(name, "stimulus"):
                # The piece must be the attended talker's where the place is the attended one, by what scipy reads.
                attended = row["speaker"] == (begins if row["onset"] == "0" else ends)
                field = "attendedEnvelopes" if attended else "unattendedEnvelopes"
                result = run_with_packages(COMPARE_ENVELOPE, self.file(subject), field, trial,
                                           self.folder / "out/stimuli" / row["stim_file"]).split()
                self.assertLess(float(result[0]), 1e-8)
                self.assertEqual(result[1:], ["2560", "2563"])
                self.assertEqual(row["stim_onset"], row["onset"])
                self.assertEqual(row["trial"], run[4:-7])

    def test_the_folder_is_valid(self):
        self.heed("validate", "out")
        description = self.read_json("out/dataset_description.json")
        self.assertEqual(description["SourceDatasets"], [{"DOI": "doi:10.5281/zenodo.11058711"}])
        self.assertEqual(self.read_table("out/participants.tsv")["participant_id"], ["sub-01", "sub-03"])
        self.no_drafts()


class KuLeuvenTest(Converted):
    def test_both_versions_of_the_format(self):
        self.heed("convert", "kuleuven", self.source / "kuleuven", "out")
        conditions = {1: ["hrtf", "dry", "hrtf", "dry"], 2: ["dry", "hrtf", "dry", "hrtf"]}
        for subject in (1, 2):
            for trial in range(4):
                condition = {0: "hrtf", 1: "dry"}[(trial + subject) % 2]
                run = f"out/sub-0{subject}/eeg/sub-0{subject}_task-attend_acq-{condition}_run-{trial + 1:02}"
                self.compare_eeg("kuleuven", self.source / "kuleuven" / f"S{subject}.mat", trial, run)
                attention = self.rows(run + "_events.tsv", "attend")
                self.assertEqual([row["speaker"] for row in attention], ["left" if trial % 2 == 0 else "right"])
                files = {row["speaker"]: row["stim_file"] for row in self.rows(run + "_events.tsv", "stimulus")}
                part = trial % 2 + 1
                self.assertEqual(files, {"left": f"part{part}_track1_{condition}.wav", "right": f"part{part}_track2_{condition}.wav"})
                self.assertEqual(attention[0]["trial"], str(trial + 1))
        for wav in (self.source / "kuleuven" / "stimuli").iterdir():
            self.assertEqual((self.folder / "out/stimuli" / wav.name).read_bytes(), wav.read_bytes())
        self.heed("validate", "out")
        self.no_drafts()

    def test_files_and_stimuli_anywhere(self):
        data = self.source / "kuleuven" / "S1.mat"
        (self.folder / "elsewhere.mat").write_bytes(data.read_bytes())
        self.refused(66, "convert", "kuleuven", "elsewhere.mat", "out",
                     says=["trials{1}.stimuli{1}", "is not in", "say in which folder they are"])
        self.heed("convert", "kuleuven", "elsewhere.mat", "out", "--stimuli", self.source / "kuleuven" / "stimuli")
        self.assertTrue((self.folder / "out/sub-elsewhere/eeg").is_dir())

    def test_bdf(self):
        self.heed("convert", "kuleuven", self.source / "kuleuven" / "S1.mat", "out", "--format", "bdf")
        self.assertTrue((self.folder / "out/sub-01/eeg/sub-01_task-attend_acq-dry_run-01_eeg.bdf").exists())
        self.heed("validate", "out")


class DtuTest(Converted):
    def test_both_versions_of_the_format(self):
        self.heed("convert", "dtu", self.source / "dtu", "out")
        for subject in (1, 2):
            for trial in (0, 5):
                run = f"out/sub-0{subject}/eeg/sub-0{subject}_task-attend_run-{trial + 1:02}"
                source = self.source / "dtu" / f"S{subject}_data_preproc.mat"
                self.compare_eeg("dtu", source, trial, run)
                self.assertEqual([row["speaker"] for row in self.rows(run + "_events.tsv", "attend")], ["A"])
                for row in self.rows(run + "_events.tsv", "stimulus") if subject == 1 else []:
                    worst = run_with_packages(COMPARE_ENVELOPE, source, "wav" + row["speaker"], trial,
                                              self.folder / "out/stimuli" / row["stim_file"]).split()[0]
                    self.assertLess(float(worst), 1e-8)
                self.assertIn(f"Stimulus,{trial % 2 + 1},1", self.read(run + "_eeg.vmrk"))
        table = self.read_table("out/sub-02/eeg/sub-02_task-attend_run-01_channels.tsv")
        self.assertEqual(table["type"], ["EEG"] * 64 + ["MISC"] * 2)
        self.heed("validate", "out")


class RefusedTest(Converted):
    """Every broken file is refused with the field that is wrong, and nothing is left behind."""

    SAYS = {
        "kuleuven": {
            "no-trials": "has no variable trials; it has other",
            "no-attended-ear": "trials{2}: has no field attended_ear; it has RawData",
            "no-eeg": "trials{2}.RawData: has no field EegData; it has HighPass",
            "no-stimuli": "trials{1}: has no field stimuli",
            "empty-struct": "trials{2}.FileHeader: is an empty struct, not a struct with the field SampleRate",
            "text-for-eeg": "trials{2}.RawData.EegData: is 1 x 11 char, not a matrix of numbers",
            "number-in-cell": "trials{2}: is 1 x 1 double, not a struct with the field attended_ear",
            "unknown-ear": "trials{1}.attended_ear: 'B' is not a side",
            "one-stimulus": "trials{1}.stimuli: is 1 x 1 cell, not a cell with two WAV files",
            "path-in-wav": "trials{1}.stimuli{1}: '../../S1.mat' is not the name of a WAV file",
            "few-labels": "trials{1}.RawData.EegData: is 256 x 64 double, but there are 5 labels of channels",
            "zero-rate": "trials{1}.FileHeader.SampleRate: must be greater than 0",
            "not-a-number": "trials{2}.RawData.EegData: row ",
            "empty-eeg": "trials{2}.RawData.EegData: is empty",
            "no-trial": "trials: is an empty cell, not a cell array with a cell for each trial",
            "table": "trials{1}.RawData: is an object of a MATLAB class, not a struct with the field EegData; only MATLAB",
            "table-v73": "trials{1}.RawData: is an object of class table, not a struct with the field EegData; only MATLAB",
            "all-a-table": "trials: is an object of class table",
            "no-attended-ear-v73": "trials{2}: has no field attended_ear; it has",
            "no-eeg-v73": "trials{2}.RawData: has no field EegData; it has HighPass",
            "text-for-eeg-v73": "trials{2}.RawData.EegData: is 1 x 11 char, not a matrix of numbers",
            "number-in-cell-v73": "trials{2}: is 1 x 1 double, not a struct",
            "unknown-ear-v73": "trials{1}.attended_ear: 'B' is not a side",
        },
        "av-gc-aad": {
            "no-envelopes": "stimulus: has no field attendedEnvelopes; it has unattendedEnvelopes",
            "short-envelope": "stimulus.unattendedEnvelopes{3}: has 100 values, the EEG lasts 2 s, 256 values",
            "fewer-conditions": "conditionID: has 5 cells, where there are 6 trials",
            "no-rate": "has no variable fs",
            "unknown-side": "initAttention{4}: 'up' is not a side",
            "late-switch": "randomization{1}.switch_times: 300 s is not between 0 s and the end of the trial at 2 s",
        },
        "dtu": {
            "no-wavB": "data: has no field wavB; it has eeg",
            "ragged": "data.wavA: has 5 cells, where there are 6 trials",
            "no-data": "has no variable data; it has eeg",
        },
    }

    def test_names_the_field(self):
        for kind, cases in self.SAYS.items():
            for case, words in cases.items():
                with self.subTest(kind=kind, case=case):
                    source = self.source / "broken" / kind / case
                    self.refused(65, "convert", kind, source, "out", "--stimuli", self.source / "broken" / "stimuli",
                                 says=[words, ".mat: ", "again"])

    def test_every_broken_file_is_tested(self):
        for kind, cases in self.SAYS.items():
            there = {path.name for path in (self.source / "broken" / kind).iterdir()} - {"missing-wav"}
            self.assertEqual(there, set(cases))

    def test_missing_sound(self):
        self.refused(66, "convert", "kuleuven", self.source / "broken" / "kuleuven" / "missing-wav", "out", "--stimuli",
                     self.source / "broken" / "stimuli", says=["trials{1}.stimuli{1}", "'nowhere.wav' is not in"])

    def test_wrong_words(self):
        data = self.source / "dtu"
        self.refused(2, "convert", "aarhus", data, "out", says="aarhus")
        self.refused(2, "convert", "dtu", "out", says="paths")
        self.refused(66, "convert", "dtu", "nowhere", "out", says="nowhere: no such file or folder")
        self.refused(66, "convert", "dtu", self.source / "kuleuven", "out", says=["no file S<number>_data_preproc.mat", "zenodo"])
        self.refused(2, "convert", "dtu", data, "out", "--subjects", "9", says="no participant 9; there are 01, 02")
        self.refused(65, "convert", "dtu", data, data / "S1_data_preproc.mat", "out", says="two files belong to participant 01")

    def test_a_folder_in_use_is_left_alone(self):
        self.write("out/mine.txt", "x")
        self.refused(73, "convert", "dtu", self.source / "dtu", "out", says="is not empty; choose another folder, or resume")
        self.refused(73, "convert", "dtu", self.source / "dtu", "out", "--resume", says="heed did not write this")
        self.write("file", "x")
        self.refused(73, "convert", "dtu", self.source / "dtu", "file", says="a file is in its place")


class SomeFailTest(Converted):
    def test_the_others_are_converted(self):
        (self.folder / "S2_data_preproc.mat").write_bytes(
            (self.source / "broken" / "dtu" / "no-wavB" / "S1_data_preproc.mat").read_bytes())
        result = self.run_heed("convert", "dtu", self.source / "dtu" / "S1_data_preproc.mat", "S2_data_preproc.mat", "out")
        said = result.stderr.decode()
        self.assertEqual(result.returncode, 1, said)
        self.assertIn("sub-01: 6 runs\n", said)
        self.assertIn("heed: sub-02: S2_data_preproc.mat: data: has no field wavB", said)
        self.assertIn("1 of 2 participants failed", said)
        self.assertEqual(self.read_table("out/participants.tsv")["participant_id"], ["sub-01"])
        self.assertFalse((self.folder / "out/sub-02").exists())
        self.no_drafts()
        self.heed("validate", "out")

    def test_all_fail(self):
        for number in (1, 2):
            (self.folder / f"S{number}_data_preproc.mat").write_bytes(b"nothing")
        result = self.run_heed("convert", "dtu", ".", "out")
        self.assertEqual(result.returncode, 65)
        self.assertIn("2 of 2 participants failed", result.stderr.decode())
        self.assertFalse((self.folder / "out").exists())

    def test_resume(self):
        self.heed("convert", "dtu", self.source / "dtu", "out", "--subjects", "2")
        before = (self.folder / "out/sub-02/eeg/sub-02_task-attend_run-01_eeg.eeg").stat().st_mtime_ns
        self.heed("convert", "dtu", self.source / "dtu", "out", "--resume")
        self.assertIn("sub-02: converted before", self.said)
        self.assertEqual((self.folder / "out/sub-02/eeg/sub-02_task-attend_run-01_eeg.eeg").stat().st_mtime_ns, before)
        table = self.read_table("out/participants.tsv")
        self.assertEqual(table["participant_id"], ["sub-01", "sub-02"])
        self.assertEqual(table["source_file"], ["S1_data_preproc.mat", "S2_data_preproc.mat"])
        self.heed("validate", "out")

    def test_an_interruption_leaves_whole_participants(self):
        command = [PROGRAM, "convert", "av-gc-aad", str(self.source / "av-gc-aad"), "out"]
        with subprocess.Popen(command, cwd=self.folder, stderr=subprocess.DEVNULL) as process:
            deadline = time.monotonic() + 60
            while not (self.folder / "out").exists() and time.monotonic() < deadline:
                time.sleep(0.005)
            time.sleep(0.05)
            os.kill(process.pid, signal.SIGKILL)
        whole = [path for path in (self.folder / "out").iterdir() if path.name.startswith("sub-")]
        for participant in whole:
            self.assertEqual(len(list(participant.rglob("*_eeg.eeg"))), 6)
        self.heed("convert", "av-gc-aad", self.source / "av-gc-aad", "out", "--resume")
        self.heed("validate", "out")
        self.no_drafts()


if __name__ == "__main__":
    unittest.main()
