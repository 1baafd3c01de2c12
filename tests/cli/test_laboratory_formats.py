#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""FIF, GDF and EEGLAB as laboratories have them: written by MNE, scipy and h5py, read by heed and by MNE, and compared."""
import os
import struct
import subprocess
import sys
import unittest

try:
    import h5py
    import mne
    import numpy as np
    import scipy.io
except ImportError as missing:
    if sys.executable != "/usr/bin/python3":  # Debian's own, which has them where ./dev test ran
        os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B", *sys.argv])
    sys.exit(f"{missing} (Debian: python3-mne, python3-scipy, python3-h5py)")

from heed_program import HeedTest

TOOL = os.environ.get("HEED_RECORDING_TOOL", "heed_recording_tool")
NAMES = ["Fz", "Cz", "a channel with a long name", "EOG"]
RATE = 128.0
SAMPLES = 1000


def signals():
    return np.random.default_rng(1).normal(0, 2e-5, (len(NAMES), SAMPLES))  # volts


def gdf(version, kind, samples_a_record, events, mode=3):
    """Bytes of a GDF file: whole numbers or, for the types 16 and 17, floats. MNE has no writer of it."""
    old, count = version < 1.9, len(NAMES)
    low, high = -32768, 32767
    number = {3: "<i2", 5: "<i4", 16: "<f4", 17: "<f8"}[kind]
    counts = np.random.default_rng(2).integers(low, high, (SAMPLES, count)).astype(number)
    records = SAMPLES // samples_a_record
    out = f"GDF {version:.2f}".encode() + b"P".ljust(80 if old else 66)
    out = out.ljust(168, b"\0") + (b"2026111509300000" if old else struct.pack("<2Q", (740301 << 32) + (1 << 31), 0))
    out += struct.pack("<q", 256 * (count + 1)) if old else struct.pack("<H6x", count + 1)
    out = out.ljust(236, b"\0") + struct.pack("<qIII", records, samples_a_record, int(RATE), count)
    out += b"".join(name.encode()[:16].ljust(16, b"\0") for name in NAMES) + bytes(80 * count)
    out += b"uV".ljust(8) * count if old else bytes(6 * count) + struct.pack(f"<{count}H", *[4275] * count)
    for limits, form in (((-200, 200), "d"), ((low, high), "q" if old else "d")):
        out += b"".join(struct.pack(f"<{count}{form}", *[limit] * count) for limit in limits)
    out += bytes(80 * count) + struct.pack(f"<{count}I", *[samples_a_record] * count) + struct.pack(f"<{count}I", *[kind] * count)
    out += bytes(32 * count)
    out += counts.reshape(records, samples_a_record, count).transpose(0, 2, 1).tobytes()
    onsets, codes, durations = zip(*events)
    table = len(events)
    out += bytes([mode]) + (int(RATE).to_bytes(3, "little") + struct.pack("<I", table) if old
                            else table.to_bytes(3, "little") + struct.pack("<f", RATE))
    out += struct.pack(f"<{table}I{table}H", *[onset + 1 for onset in onsets], *codes)
    return out + (struct.pack(f"<{table}H{table}I", *[0] * table, *durations) if mode == 3 else b"")


class LaboratoryFormats(HeedTest):
    def samples(self, path):
        found = subprocess.run([TOOL, "samples", str(path)], stdout=subprocess.PIPE, check=True, cwd=self.folder).stdout
        return np.frombuffer(found, "<f4").reshape(SAMPLES, -1).astype(float)

    # ---- FIF ----

    def fif(self, name, scale=1, **options):
        info = mne.create_info([*NAMES, "STI 014"], RATE, ["eeg", "eeg", "eeg", "eog", "stim"])
        triggers = np.zeros((1, SAMPLES))
        triggers[0, 200:210] = 5
        triggers[0, 600:601] = 17
        raw = mne.io.RawArray(np.vstack([scale * signals(), triggers]), info, first_samp=256, verbose="error")
        raw.set_meas_date(1_700_000_000)
        raw.set_annotations(mne.Annotations([3.0, 5.5], [0.5, 0], ["left", "a longer word"], raw.info["meas_date"]))
        path = self.folder / name
        raw.save(path, verbose="error", **options)
        return path

    def test_every_number_of_fif(self):
        # MNE writes whole numbers without a scale, so they have to be large.
        for kind, scale in (("single", 1), ("double", 1), ("int", 1e9), ("short", 1e8)):
            with self.subTest(kind):
                path = self.fif(f"{kind}_raw.fif", scale, fmt=kind, overwrite=True)
                theirs = mne.io.read_raw_fif(path, preload=True, verbose="error")
                ours = self.heed_json("info", path)
                self.assertEqual([one["name"] for one in ours["channels"]], NAMES)
                self.assertEqual({one["unit"] for one in ours["channels"]}, {"V"})
                self.assertEqual((ours["samples"], ours["sampling_frequency"]), (theirs.n_times, RATE))
                self.assertEqual(ours["start"], "2023-11-14T22:13:20")
                expected = theirs.get_data(NAMES).T
                error = np.abs(self.samples(path) - expected).max(0) / np.abs(expected).max(0)
                self.assertLess(error.max(), 1e-7)  # single precision

    def test_events_of_fif(self):
        ours = self.heed_json("info", self.fif("events_raw.fif"))["events"]
        found = [(round(one["onset"], 9), round(one["duration"], 9), one["description"]) for one in ours]
        self.assertEqual(found, [(1.0, 0.5, "left"), (200 / RATE, 0, "5"), (3.5, 0, "a longer word"), (600 / RATE, 0, "17")])

    # ---- GDF ----

    EVENTS = [(100, 769, 30), (500, 770, 10)]  # sample, code, samples

    def test_every_number_of_gdf(self):
        for version in (1.25, 2.2):
            for kind in (3, 5, 16, 17):
                with self.subTest(version=version, kind=kind):
                    path = self.folder / "x.gdf"
                    path.write_bytes(gdf(version, kind, 125, self.EVENTS))
                    theirs = mne.io.read_raw_gdf(path, preload=True, verbose="error")
                    ours = self.heed_json("info", path)
                    self.assertEqual([one["name"] for one in ours["channels"]], theirs.ch_names)
                    self.assertEqual({one["unit"] for one in ours["channels"]}, {"uV" if version < 2 else "µV"})
                    self.assertEqual((ours["samples"], ours["sampling_frequency"]), (theirs.n_times, RATE))
                    self.assertEqual(ours["start"], "2026-11-15T09:30:00" if version < 2 else "2026-11-15T12:00:00")
                    self.assertEqual(ours["start"], theirs.info["meas_date"].strftime("%Y-%m-%dT%H:%M:%S"))
                    expected = theirs.get_data(units="uV").T
                    error = np.abs(self.samples(path) - expected).max() / np.abs(expected).max()
                    self.assertLess(error, 2**-23)  # single precision
                    self.assertEqual(ours["notes"], [])
                    found = [(one["onset"], one["duration"], one["description"]) for one in ours["events"]]
                    said = [(one["onset"], one["duration"], str(one["description"])) for one in theirs.annotations]
                    self.assertEqual(found, said)
                    self.assertEqual([one[2] for one in found], ["769", "770"])

    def test_records_of_gdf_may_be_single_samples(self):
        (self.folder / "x.gdf").write_bytes(gdf(2.2, 3, 1, self.EVENTS, mode=1))
        whole = self.samples("x.gdf")
        (self.folder / "y.gdf").write_bytes(gdf(2.2, 3, 250, self.EVENTS, mode=1))
        np.testing.assert_array_equal(self.samples("y.gdf"), whole)
        self.assertEqual([one["duration"] for one in self.heed_json("info", "x.gdf")["events"]], [0, 0])

    def test_damaged_gdf_is_told(self):
        good = gdf(2.2, 3, 125, self.EVENTS)
        samples = 256 * (len(NAMES) + 1)
        for bytes_, code, words in ((good[:200], 65, "ends within its header"), (good[:1000], 65, "takes at least 1280 bytes"),
                                    (good[:samples + 900], 65, "one record takes 1000 bytes, and the file has 900 left"),
                                    (good[:4] + b"9.00" + good[8:], 69, "heed reads versions 1 and 2"),
                                    (good[:248] + bytes(4) + good[252:], 65, "a record lasts no time"),
                                    (good[:252] + bytes(2) + good[254:], 65, "there are no channels")):
            self.write("bad.gdf", bytes_)
            self.refused(code, "info", "bad.gdf", says=words)
        kinds = samples - 36 * len(NAMES)
        self.write("bad.gdf", good[:kinds] + struct.pack("<I", 6) + good[kinds + 4:])
        self.refused(69, "info", "bad.gdf", says="numbers of type 6")
        self.write("bad.gdf", good[:kinds] + struct.pack("<I", 5) + good[kinds + 4:])
        self.refused(69, "info", "bad.gdf", says="numbers of different types")
        self.write("cut.gdf", good[:-10])
        self.assertIn("the table of 2 events is cut short", str(self.heed_json("info", "cut.gdf")["notes"]))
        self.write("cut.gdf", good[:samples + 2500])
        self.assertIn("the header states 8 records, the file holds 2", str(self.heed_json("info", "cut.gdf")["notes"]))

    def test_a_fif_file_in_pieces_says_so(self):
        info = mne.create_info(8, RATE, "eeg")
        raw = mne.io.RawArray(np.zeros((8, 200_000)), info, verbose="error")
        raw.save(self.folder / "long_raw.fif", split_size="4MB", verbose="error")
        self.assertIn("continues in long_raw-1.fif", str(self.heed_json("info", "long_raw.fif")["notes"]))

    def test_epochs_are_refused(self):
        info = mne.create_info(2, RATE, "eeg")
        mne.EpochsArray(np.zeros((3, 2, 50)), info, verbose="error").save(self.folder / "x-epo.fif", verbose="error")
        self.refused(69, "info", "x-epo.fif", says="epochs or averages; heed reads continuous recordings")

    # ---- EEGLAB ----

    def dataset(self, data):
        locations = np.array([(name,) for name in NAMES], dtype=[("labels", object)])
        events = np.array([("left", 129.0, 64.0), (7.0, 500.5, 0.0)],
                          dtype=[("type", object), ("latency", object), ("duration", object)])
        return {"setname": "a test", "srate": RATE, "nbchan": len(NAMES), "pnts": SAMPLES, "trials": 1, "xmin": 0.0,
                "xmax": (SAMPLES - 1) / RATE, "data": data, "chanlocs": locations, "event": events, "epoch": [], "ref": "common",
                "icawinv": [], "icasphere": [], "icaweights": [], "icaact": []}

    def check_eeglab(self, path, by_mne=True):
        ours = self.heed_json("info", path)
        self.assertEqual([one["name"] for one in ours["channels"]], NAMES)
        self.assertEqual((ours["format"], ours["samples"], ours["sampling_frequency"]), ("EEGLAB", SAMPLES, RATE))
        events = [(one["onset"], one["duration"], one["description"]) for one in ours["events"]]
        self.assertEqual(events, [(1.0, 0.5, "left"), (499.5 / RATE, 0, "7")])
        found = self.samples(path)
        self.assertLess(np.abs(found - 1e6 * signals().T).max(), 1e-5)
        if by_mne:
            theirs = mne.io.read_raw_eeglab(self.folder / path, preload=True, verbose="error")
            self.assertLess(np.abs(found - 1e6 * theirs.get_data().T).max(), 1e-5)

    def test_samples_within(self):
        for compressed in (False, True):
            scipy.io.savemat(self.folder / "x.set", {"EEG": self.dataset(np.float32(1e6 * signals()))}, appendmat=False,
                             do_compression=compressed)
            self.check_eeglab("x.set")

    def test_samples_beside(self):
        scipy.io.savemat(self.folder / "x.set", {"EEG": self.dataset("x.fdt")}, appendmat=False)
        np.float32(1e6 * signals()).T.tofile(self.folder / "x.fdt")
        self.check_eeglab("x.set")

    def test_fields_as_variables(self):
        scipy.io.savemat(self.folder / "x.set", self.dataset(np.float32(1e6 * signals())), appendmat=False)
        self.check_eeglab("x.set")

    def test_matlab_7_3(self):
        def text(group, name, value):
            item = group.create_dataset(name, data=np.array([[ord(c)] for c in value], dtype="u2"))
            item.attrs["MATLAB_class"] = np.bytes_("char")
            item.attrs["MATLAB_int_decode"] = np.int32(2)
            return item

        def number(group, name, value):
            item = group.create_dataset(name, data=np.asarray(value))
            item.attrs["MATLAB_class"] = np.bytes_("single" if item.dtype == "f4" else "double")
            return item

        path = self.folder / "x.set"
        with h5py.File(path, "w", userblock_size=512) as file:
            eeg = file.create_group("EEG")
            eeg.attrs["MATLAB_class"] = np.bytes_("struct")
            hidden = file.create_group("#refs#")
            for name, value in (("srate", RATE), ("nbchan", len(NAMES)), ("pnts", SAMPLES), ("trials", 1)):
                number(eeg, name, [[float(value)]])
            number(eeg, "data", np.float32(1e6 * signals()).T)
            places = eeg.create_group("chanlocs")
            places.attrs["MATLAB_class"] = np.bytes_("struct")
            places["labels"] = np.array([[text(hidden, f"n{k}", name).ref] for k, name in enumerate(NAMES)], dtype=h5py.ref_dtype)
            events = eeg.create_group("event")
            events.attrs["MATLAB_class"] = np.bytes_("struct")
            events["type"] = np.array([[text(hidden, "t0", "left").ref], [number(hidden, "t1", [[7.0]]).ref]], dtype=h5py.ref_dtype)
            events["latency"] = np.array([[number(hidden, f"l{k}", [[at]]).ref] for k, at in enumerate((129.0, 500.5))],
                                         dtype=h5py.ref_dtype)
            events["duration"] = np.array([[number(hidden, f"d{k}", [[at]]).ref] for k, at in enumerate((64.0, 0.0))],
                                          dtype=h5py.ref_dtype)
        head = b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM"
        path.write_bytes(head.ljust(512, b"\0") + path.read_bytes()[512:])
        self.check_eeglab("x.set", by_mne=False)  # MNE needs pymatreader for it


if __name__ == "__main__":
    unittest.main()
