#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`heed convert cnd`: CND files, written by scipy and h5py in both versions of the format, become BIDS folders that hold the
same numbers; a BIDS folder becomes CND files that scipy reads, and that come back as what they were."""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "data"))
try:
    import h5py  # noqa: F401, wanted by mat73
    import numpy as np
    import scipy.io
    import mat73
except ImportError as missing:
    if sys.executable != "/usr/bin/python3":  # Debian's own, which has them where ./dev test ran
        os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B", *sys.argv])
    sys.exit(f"{missing} (Debian: python3-scipy, python3-h5py)")

from heed_program import HeedTest

RATE = 128
LABELS = ["Fz", "Cz", "Pz"]
PADDING = 64
TRIALS = 3


def cells(rows):
    """A cell array of MATLAB, features x trials."""
    result = np.empty((len(rows), len(rows[0])), dtype=object)
    for f, row in enumerate(rows):
        for k, value in enumerate(row):
            result[f, k] = value
    return result


class CndTest(HeedTest):
    def setUp(self):
        super().setUp()
        generator = np.random.default_rng(3)
        self.eeg = [20 * generator.standard_normal((RATE * (20 + k) + PADDING, 3)) for k in range(TRIALS)]
        self.mastoids = [generator.standard_normal((len(trial), 2)) for trial in self.eeg]
        # At a rate of their own, and not as long as the EEG: both are met in public files.
        self.envelopes = [[np.abs(generator.standard_normal((64 * (19 + k), 1))) for k in range(TRIALS)] for _ in range(2)]

    def neural(self, **changes):
        locations = np.array([(label,) for label in LABELS], dtype=[("labels", object)])
        external = np.empty((1, 1), dtype=object)
        external[0, 0] = {"data": cells([self.mastoids]), "description": "Mastoids"}
        eeg = {"dataType": "EEG", "deviceName": "BioSemi", "fs": float(RATE), "data": cells([self.eeg]),
               "chanlocs": locations, "extChan": external, "origTrialPosition": np.arange(1.0, TRIALS + 1),
               "paddingStartSample": float(PADDING)}
        return {key: value for key, value in {**eeg, **changes}.items() if value is not None}

    def stimulus(self, names=("Attended envelope", "Unattended envelope"), **changes):
        stim = {"names": cells([list(names)]), "fs": 64.0, "data": cells(self.envelopes), "stimIdxs": np.arange(1.0, TRIALS + 1),
                "condIdxs": np.array([1.0, 2.0, 1.0]), "condNames": cells([["look left", "look right"]])}
        return {key: value for key, value in {**stim, **changes}.items() if value is not None}

    def save(self, name, **variables):
        (self.folder / name).parent.mkdir(exist_ok=True)
        scipy.io.savemat(self.folder / name, variables)

    def rows(self, run, trial_type):
        table = self.read_table(f"out/sub-01/eeg/sub-01_task-attend_{run}_events.tsv")
        return [dict(zip(table.header, row)) for row in table.rows if row[table.header.index("trial_type")] == trial_type]

    def samples(self, run, channels=5):
        return np.fromfile(self.folder / f"out/sub-01/eeg/sub-01_task-attend_{run}_eeg.eeg", "<f4").reshape(-1, channels)

    # ---- reading ----

    def check_converted(self):
        for k, run in enumerate(["acq-lookleft_run-01", "acq-lookright_run-02", "acq-lookleft_run-03"]):
            expected = np.hstack([self.eeg[k], self.mastoids[k]]).astype("f4")
            np.testing.assert_array_equal(self.samples(run), expected)
            table = self.read_table(f"out/sub-01/eeg/sub-01_task-attend_{run}_channels.tsv")
            self.assertEqual(table["name"], LABELS + ["Mastoids1", "Mastoids2"])
            self.assertEqual(table["type"], ["EEG"] * 3 + ["MISC"] * 2)
            for s, row in enumerate(self.rows(run, "stimulus")):
                self.assertEqual(row["speaker"], ["target", "other"][s])
                self.assertEqual((float(row["onset"]), float(row["duration"])), (PADDING / RATE, 19 + k))
                written = np.loadtxt(self.folder / "out/stimuli" / row["stim_file"], skiprows=1)
                np.testing.assert_allclose(written, self.envelopes[s][k][:, 0], rtol=1e-8)
            self.assertEqual([row["speaker"] for row in self.rows(run, "attend")], ["target"])
        self.heed("validate", "out")

    def test_samples_and_stimuli_are_those_of_the_files(self):
        self.save("cnd/dataSub1.mat", eeg=self.neural())
        self.save("cnd/dataStim.mat", stim=self.stimulus())
        self.heed("convert", "cnd", "cnd", "out")
        self.assertIn("1 participant, 3 runs: written to out", self.said)
        self.check_converted()

    def test_matlab_7_3(self):
        (self.folder / "cnd").mkdir()
        eeg = {"fs": float(RATE), "data": list(self.eeg), "chanlocs": mat73.StructArray([{"labels": label} for label in LABELS]),
               "extChan": [{"data": list(self.mastoids), "description": "Mastoids"}], "paddingStartSample": float(PADDING)}
        # Columns one after the other, as one row of cells of twice the length would be.
        stim = {"names": ["Attended envelope", "Unattended envelope"], "fs": 64.0,
                "data": mat73.Cells([[trial for trial in row] for row in self.envelopes]),
                "condIdxs": np.array([[1.0, 2.0, 1.0]]), "condNames": ["look left", "look right"]}
        mat73.save(self.folder / "cnd/dataSub1.mat", {"eeg": eeg})
        mat73.save(self.folder / "cnd/dataStim1.mat", {"stim": stim})
        self.heed("convert", "cnd", "cnd/dataSub1.mat", "out")
        self.check_converted()

    def test_conditions_say_who_is_attended(self):
        self.save("dataSub1.mat", eeg=self.neural(), stim=self.stimulus(names=("Env A", "Env B")))
        self.heed("convert", "cnd", "dataSub1.mat", "out", "--speaker", "left=Env A", "--speaker", "right=2",
                  "--attend", "look *=*")
        self.assertEqual(["left", "right", "left"], [self.rows(run, "attend")[0]["speaker"] for run in
                         ("acq-lookleft_run-01", "acq-lookright_run-02", "acq-lookleft_run-03")])

    def test_a_single_talker(self):
        self.save("dataSub1.mat", eeg=self.neural(chanlocs=None, extChan=None),
                  stim=self.stimulus(names=("Speech Envelope Vectors", "Word Onset Vectors"), condIdxs=None, condNames=None))
        self.heed("convert", "cnd", "dataSub1.mat", "out")
        self.assertIn("the channels are numbered", self.said)
        self.assertEqual({row["speaker"] for row in self.rows("run-01", "stimulus")}, {"speaker"})

    def test_empty_trials_are_left_out(self):
        self.eeg[1] = np.zeros((0, 0))
        self.save("dataSub1.mat", eeg=self.neural(extChan=None), stim=self.stimulus())
        self.heed("convert", "cnd", "dataSub1.mat", "out")
        self.assertIn("1 empty trial", self.said)
        np.testing.assert_array_equal(self.samples("acq-lookleft_run-02", 3), self.eeg[2].astype("f4"))

    # ---- writing ----

    def test_there_and_back(self):
        self.heed("simulate", "recording", "--participants", "2", "--trials", "2", "--minutes", "1", "--switch-every", "25",
                  "--channels", "19", "--rate", "64", "--seed", "5", "--format", "brainvision", "-o", "bids")
        self.heed("convert", "cnd", "bids", "cnd")
        self.assertIn("2 participants, 4 trials: written to cnd", self.said)
        self.assertEqual(sorted(path.name for path in (self.folder / "cnd").iterdir()),
                         ["dataStim1.mat", "dataStim2.mat", "dataSub1.mat", "dataSub2.mat"])
        eeg = scipy.io.loadmat(self.folder / "cnd/dataSub2.mat", squeeze_me=True, struct_as_record=False)["eeg"]
        stim = scipy.io.loadmat(self.folder / "cnd/dataStim2.mat", squeeze_me=True, struct_as_record=False)["stim"]
        self.assertEqual((eeg.fs, stim.fs, eeg.dataType, eeg.subject), (64, 64, "EEG", "sub-02"))
        self.assertEqual(len(eeg.chanlocs), 19)
        self.assertEqual(list(stim.names), ["left", "right", "Attended speaker"])
        for k in range(2):
            run = f"bids/sub-02/eeg/sub-02_task-listening_run-0{k + 1}"
            recorded = np.fromfile(self.folder / f"{run}_eeg.eeg", "<f4").reshape(-1, 19)
            np.testing.assert_array_equal(eeg.data[k], recorded.astype(float))
            attended = stim.data[2, k]
            self.assertEqual({len(stim.data[f, k]) for f in range(3)}, {len(recorded)})
            table = self.read_table(f"{run}_events.tsv")
            for row in (dict(zip(table.header, row)) for row in table.rows):
                if row["trial_type"] == "attend":
                    at = slice(round(float(row["onset"]) * 64), round((float(row["onset"]) + float(row["duration"])) * 64))
                    self.assertEqual(set(attended[at]), {["left", "right"].index(row["speaker"]) + 1.0})
        self.heed("convert", "cnd", "cnd", "out")
        self.heed("validate", "out")
        for run in ("run-01", "run-02"):
            back = self.read_table(f"out/sub-01/eeg/sub-01_task-attend_acq-listening_{run}_events.tsv")
            first = self.read_table(f"bids/sub-01/eeg/sub-01_task-listening_{run}_events.tsv")
            attention = [[row[table.header.index(name)] for name in ("onset", "duration", "speaker")]
                         for table in (first, back) for row in table.rows if row[table.header.index("trial_type")] == "attend"]
            self.assertEqual(attention[:len(attention) // 2], attention[len(attention) // 2:])
        # Decoders hear in the envelopes what they heard in the sounds: only their filters begin elsewhere.
        scores = {}
        for name in ("bids", "out"):
            self.heed("score", name, "--no-cache", "-o", f"{name}-scores")
            scores[name] = [float(cell) for path in sorted((self.folder / f"{name}-scores").rglob("*_scores.tsv"))
                            for row in self.read_table(str(path.relative_to(self.folder))).rows for cell in row[1:3]
                            if cell != "n/a"]
        self.assertGreater(np.corrcoef(scores["bids"], scores["out"])[0, 1], 0.99)

    # ---- what can go wrong ----

    def refused_with(self, code, says, *options, **files):
        variables = {"eeg": self.neural(), "stim": self.stimulus(), **files}
        self.save("dataSub1.mat", **{name: value for name, value in variables.items() if value is not None})
        self.refused(code, "convert", "cnd", "dataSub1.mat", "out", *options, says=says)

    def test_what_is_wrong_is_named(self):
        self.refused_with(65, "eeg: has no field data; it has x", eeg={"x": 1.0})
        self.refused_with(65, "no struct eeg with the fields data and fs", eeg=None)
        self.refused_with(65, "eeg.fs: must be greater than 0", eeg=self.neural(fs=0.0))
        self.refused_with(65, ["eeg.data: holds 2 trials, stim.data 3"], eeg=self.neural(data=cells([self.eeg[:2]])))
        broken = [trial.copy() for trial in self.eeg]
        broken[1][7, 2] = np.nan
        self.refused_with(65, "eeg.data{2}: row 8, column 3 is not finite", eeg=self.neural(data=cells([broken])))
        self.refused_with(65, "stim.names holds 1", stim=self.stimulus(names=("Attended envelope",)))
        self.refused_with(65, "stim.condIdxs: number 1 is 7, but there are 2 condNames",
                          stim=self.stimulus(condIdxs=np.array([7.0, 1.0, 1.0])))
        self.refused_with(65, "paddingStartSample lies behind the end of trial 1", eeg=self.neural(paddingStartSample=1e6))
        self.refused_with(65, "eeg.paddingStartSample: must be a whole number", eeg=self.neural(paddingStartSample=0.5))
        attended = [np.full((64, 1), 3.0)] * TRIALS
        self.refused_with(65, ["number 1 is 3", "1 to 2, or 0"], stim=self.stimulus(
            names=("left", "right", "Attended speaker"), data=cells([*self.envelopes, attended])))

    def test_rules_that_do_not_fit(self):
        own = self.stimulus(names=("Env A", "Env B"))
        self.refused_with(2, ["which features are speakers", "'Env A', 'Env B'"], stim=own)
        self.refused_with(2, "has no feature 'Env C'; its features are 'Env A', 'Env B'", "--speaker", "left=Env C", stim=own)
        self.refused_with(2, "is not of the form SPEAKER=FEATURE", "--speaker", "left", stim=own)
        self.refused_with(2, "no other speaker has", "--speaker", "a=1", "--speaker", "a=2", stim=own)
        self.refused_with(2, "'attended' is a column of score files", "--speaker", "attended=1", stim=own)
        self.refused_with(2, "the condition 'look right'; no rule says", "--attend", "look left=target")
        self.refused_with(2, "no speaker is called so", "--attend", "*=nobody")
        self.refused(2, "convert", "cnd", "dataSub1.mat", "out", "--whole", says="need 'heed convert xdf'")

    def test_files_that_are_not_there(self):
        self.save("dataSub1.mat", eeg=self.neural())
        self.refused(66, "convert", "cnd", "dataSub1.mat", "out", says="neither dataStim1.mat nor dataStim.mat lies beside it")
        self.write("empty/x.txt", "")
        self.refused(66, "convert", "cnd", "empty", "out", says="no file dataSub<number>.mat in it")
        self.write("dataSub2.mat", b"not a MAT file")
        self.refused(65, "convert", "cnd", "dataSub2.mat", "out", says="not a MAT file")

    def test_bids_folders_that_are_no_cnd(self):
        self.heed("simulate", "recording", "--participants", "1", "--trials", "2", "--minutes", "0.2", "--channels", "19", "--rate",
                  "64", "-o", "bids")
        self.refused(2, "convert", "cnd", "bids", "out", "--attend", "a=b", says="from which CND is written")
        self.write("full/x.txt", "")
        self.refused(73, "convert", "cnd", "bids", "full", says="is not empty")
        self.refused(73, "convert", "cnd", "bids", "bids/cnd", says="lies inside the dataset")
        stimulus = next((self.folder / "bids/stimuli").iterdir())
        stimulus.unlink()
        self.refused(65, "convert", "cnd", "bids", "out", says=stimulus.name)


if __name__ == "__main__":
    unittest.main()
