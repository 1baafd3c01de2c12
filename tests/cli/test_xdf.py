# SPDX-License-Identifier: MIT
"""Recordings of LabRecorder: described, converted by rules, replayed; and a session recorded so, read by another reader."""
import array
import os
import pathlib
import struct
import unittest

import xdf_reader
from heed_program import HeedTest

SIMULATED = "simulated:?duration=60&switch-every=20&channels=19&rate=64"


def text_chunk(tag, content):
    size = len(content) + 2
    return (bytes([1, size]) if size < 256 else b"\4" + struct.pack("<I", size)) + struct.pack("<H", tag) + content


def header(number, name, kind, rate, form, labels):
    channels = "".join(f"<channel><label>{label}</label><unit>microvolts</unit></channel>" for label in labels)
    return text_chunk(2, struct.pack("<I", number) + (
        f"<?xml version=\"1.0\"?><info><name>{name}</name><type>{kind}</type><channel_count>{len(labels)}</channel_count>"
        f"<nominal_srate>{rate}</nominal_srate><channel_format>{form}</channel_format><desc><channels>{channels}</channels>"
        "</desc></info>").encode())


def samples(number, rows):
    """Rows of (stamp, bytes)."""
    body = b"".join(b"\x08" + struct.pack("<d", stamp) + values for stamp, values in rows)
    return text_chunk(3, struct.pack("<I", number) + b"\4" + struct.pack("<I", len(rows)) + body)


def text(value):
    return bytes([1, len(value)]) + value.encode()


def lab_session(drift=0.0, seconds=20):
    """EEG at 100 Hz on a clock that drifts, two microphones at 1000 Hz that do not, markers of a laboratory's own."""
    parts = [b"XDF:", text_chunk(1, b"<info><version>1.0</version></info>"),
             header(1, "Amp", "EEG", 100, "float32", ["Fz", "Cz", "EOG1"]),
             header(2, "MicA", "Audio", 1000, "int16", ["x"]), header(3, "MicB", "Audio", 1000, "int16", ["y"]),
             header(4, "Stim", "Markers", 0, "string", ["m"])]
    for second in range(seconds):
        clock = 500 + second * (1 + drift)
        parts.append(samples(1, [(clock + 0.01 * k * (1 + drift), struct.pack("<fff", second + 0.01 * k, k, 1)) for k in range(100)]))
        for number in (2, 3):
            parts.append(samples(number, [(500 + second + 0.001 * k, struct.pack("<h", second * 100 + number)) for k in range(1000)]))
        parts.append(text_chunk(5, xdf_reader.BOUNDARY))
    marks = [(502, "trial 1"), (502, "look_anna"), (508, "look_bert"), (512, "rest"), (513, "trial 2"), (513, "look_anna")]
    parts += [samples(4, [(stamp, text(value))]) for stamp, value in marks]
    return b"".join(parts)


class Info(HeedTest):
    def test_streams_and_times(self):
        self.write("lab.xdf", lab_session())
        said = self.heed("info", "lab.xdf")
        self.assertIn("4 streams", said)
        self.assertRegex(said, r"Amp +EEG +float32 +3 +100 Hz +2000 +500.000 +519.990")
        self.assertRegex(said, r"Stim +Markers +string +1 +irregular +6")
        streams = {stream["name"]: stream for stream in self.heed_json("info", "lab.xdf")["streams"]}
        self.assertEqual([channel["name"] for channel in streams["Amp"]["channels"]], ["Fz", "Cz", "EOG1"])
        self.assertAlmostEqual(streams["MicA"]["last_time"], 519.999, 9)

    def test_damage_is_told(self):
        data = lab_session()
        cut = self.write("cut.xdf", data[:-1])
        self.assertIn("ends in the middle of a chunk", self.heed("info", cut))
        place = data.index(xdf_reader.BOUNDARY) - 1000
        self.write("hurt.xdf", data[:place] + bytes(40) + data[place + 40:])
        report = self.heed_json("info", "hurt.xdf")
        self.assertGreater(report["damage"]["bytes"], 0)
        self.assertEqual({stream["name"]: stream["samples"] for stream in report["streams"]}["Amp"], 2000)

    def test_what_is_no_xdf(self):
        self.write("x.xdf", b"RIFF")
        self.refused(65, "info", "x.xdf", says=("x.xdf", "not an XDF file"))
        self.write("z.xdf", b"\x1f\x8b\x08")
        self.refused(69, "info", "z.xdf", says="gunzip")
        self.refused(66, "info", "none.xdf", says="no such file")

    @unittest.skipUnless(os.environ.get("HEED_TEST_DATA"), "HEED_TEST_DATA does not name a folder with xdf")
    def test_files_of_others(self):
        folder = pathlib.Path(os.environ["HEED_TEST_DATA"]) / "xdf"
        streams = self.heed_json("info", folder / "minimal.xdf")["streams"]
        self.assertEqual([stream["samples"] for stream in streams], [9, 9])
        self.assertAlmostEqual(streams[0]["first_time"], 5.0, 9)
        self.assertAlmostEqual(streams[0]["last_time"], 5.8, 9)
        report = self.heed_json("info", folder / "empty_streams.xdf")
        self.assertEqual([stream["samples"] for stream in report["streams"]], [0, 10, 1, 0])
        self.assertAlmostEqual(report["streams"][1]["first_time"], 91725.213925466, 9)
        self.assertAlmostEqual(report["streams"][1]["last_time"], 91734.213918091, 9)


RULES = ("--speaker", "anna=MicA", "--speaker", "bert=MicB", "--attend", "look_*=*", "--attend", "rest=")


class Convert(HeedTest):
    def events(self, name="bids/sub-01/eeg/sub-01_task-attend_run-01_events.tsv"):
        lines = self.read(name).splitlines()
        return [dict(zip(lines[0].split("\t"), line.split("\t"))) for line in lines[1:]]

    def test_rules_make_events(self):
        self.write("lab.xdf", lab_session())
        self.heed("convert", "xdf", "lab.xdf", "bids", *RULES, "--whole")
        attended = [(row["speaker"], float(row["onset"]), float(row["duration"])) for row in self.events() if row["trial_type"] == "attend"]
        expected = [("anna", 2, 6), ("bert", 8, 4), ("anna", 13, 7)]
        self.assertEqual([name for name, *_ in attended], [name for name, *_ in expected])
        for (_, *found), (_, *wanted) in zip(attended, expected):
            for a, b in zip(found, wanted):
                self.assertAlmostEqual(a, b, 6)
        self.assertIn("0 errors", self.heed("validate", "bids"))
        self.assertIn("EOG1\tMISC", self.read("bids/sub-01/eeg/sub-01_task-attend_run-01_channels.tsv"))

    def test_trials_by_markers_and_by_attention(self):
        self.write("lab.xdf", lab_session())
        self.heed("convert", "xdf", "lab.xdf", "by_marker", *RULES, "--trial", "trial *", "--trial-end", "rest")
        trials = {row["trial"] for row in self.events("by_marker/sub-01/eeg/sub-01_task-attend_run-01_events.tsv")}
        self.assertEqual(trials, {"trial 1", "trial 2"})
        self.heed("convert", "xdf", "lab.xdf", "by_attention", *RULES)
        self.assertIn("3 trials", self.said)
        trials = {row["trial"] for row in self.events("by_attention/sub-01/eeg/sub-01_task-attend_run-01_events.tsv")}
        self.assertEqual(trials, {"1-anna", "2-bert", "3-anna"})

    def test_sound_keeps_up_with_a_clock_that_drifts(self):
        """EEG of a clock that is slow by 1,000 ppm: its sample k was taken at 1.001 k / 100, and so was the sound there."""
        self.write("lab.xdf", lab_session(drift=0.001, seconds=60))
        self.heed("convert", "xdf", "lab.xdf", "bids", *RULES, "--whole")
        data = (self.folder / "bids/stimuli/sub-01_task-attend_run-01_anna.wav").read_bytes()
        sound = array.array("h", data[data.index(b"data") + 8:])
        for second in (10, 30, 55):
            # 16 bits in, 16 bits out.
            self.assertAlmostEqual(sound[second * 1000 + 500], int((second + 0.5) * 1.001) * 100 + 2, delta=1)

    def test_files_that_markers_started(self):
        self.write("lab.xdf", lab_session())
        for name in ("a.tsv", "b.tsv"):
            self.write(name, "envelope\n" + "0.5\n" * 640)
            self.write(name.replace("tsv", "json"), '{"SamplingFrequency": 64, "StartTime": 0, "Columns": ["envelope"]}')
        self.heed("convert", "xdf", "lab.xdf", "bids", "--speaker", "mic=MicA", "--stimulus", "trial 1=x=a.tsv", "--stimulus",
                  "trial 1=y=b.tsv", "--attend", "look_anna=x", "--attend", "look_bert=y", "--whole")
        rows = [row for row in self.events() if row["stim_file"] == "b.tsv"]
        self.assertEqual((rows[0]["speaker"], float(rows[0]["onset"]), float(rows[0]["duration"])), ("y", 2, 10))

    def test_several_files_of_a_participant_are_its_runs(self):
        self.write("sub-07_task-listen_run-1_eeg.xdf", lab_session())
        self.write("sub-07_task-listen_run-2_eeg.xdf", lab_session())
        self.heed("convert", "xdf", "sub-07_task-listen_run-1_eeg.xdf", "sub-07_task-listen_run-2_eeg.xdf", "bids", *RULES)
        names = sorted(path.name for path in (self.folder / "bids/sub-07/eeg").glob("*.vhdr"))
        self.assertEqual(names, [f"sub-07_task-listen_run-0{run}_eeg.vhdr" for run in (1, 2)])

    def test_what_does_not_fit(self):
        self.write("lab.xdf", lab_session())
        self.refused(66, "convert", "xdf", "lab.xdf", "bids", "--speaker", "a=Mic", says=("'Mic'", "'MicA' (Audio)"))
        self.refused(66, "convert", "xdf", "lab.xdf", "bids", "--eeg", "Emp", says="'Emp'")
        self.refused(2, "convert", "xdf", "lab.xdf", "bids", "--speaker", "a", says="SPEAKER=STREAM")
        self.refused(2, "convert", "xdf", "lab.xdf", "bids", "--attend", "a", says="MARKER=MEANING")
        self.refused(66, "convert", "xdf", "lab.xdf", "bids", "--stimulus", "a=b=none.wav", says="none.wav")
        self.refused(66, "convert", "xdf", "none.xdf", "bids", says="none.xdf")
        self.refused(2, "convert", "xdf", "lab.xdf", "bids", "--subjects", "1", says="--subject and --stimulus")
        self.refused(2, "convert", "dtu", "lab.xdf", "bids", "--whole", says="heed convert xdf")


class Session(HeedTest):
    def record(self):
        self.heed("live", SIMULATED, "--speed", "max", "--record", "demo.xdf", "--out", "tsv:live.tsv", "--digits", "17")
        self.heed("convert", "xdf", "demo.xdf", "bids")
        self.heed("train", "bids", "--filters", "causal", "-o", "decoder.json")

    def test_a_recorded_session_reads_converts_and_replays(self):
        self.prepare_once(self.record)
        streams, tags = xdf_reader.read(self.folder / "demo.xdf")
        self.assertEqual(sorted(streams), ["heed-audio-left", "heed-audio-right", "heed-eeg", "heed-markers", "heed-posterior"])
        eeg = streams["heed-eeg"]
        self.assertEqual((eeg.type, eeg.rate, len(eeg.labels)), ("EEG", 64, 19))
        self.assertEqual(len(eeg.rows), 60 * 64)
        self.assertEqual(int(eeg.footer["sample_count"]), 60 * 64)
        for k in (0, 1, 1000, 3839):
            self.assertAlmostEqual(eeg.stamps[k], eeg.stamps[0] + k / 64, 9)
        self.assertIn(5, tags)
        self.assertEqual([row[0] for row in streams["heed-markers"].rows][0][:9], "attended/")
        header_row, *rows = [line.split("\t") for line in self.read("live.tsv").splitlines()]
        left = header_row.index("left")
        posterior = streams["heed-posterior"]
        self.assertEqual([float(row[left]) for row in rows], [row[0] for row in posterior.rows])

        self.assertIn("0 errors", self.heed("validate", "bids"))
        self.heed("score", "bids", "-o", "scores")
        self.heed("live", "replay:demo.xdf", "--model", "decoder.json", "--speed", "max", "--out", "tsv:again.tsv")
        self.assertGreaterEqual(len(self.read("again.tsv").splitlines()), 59)
        self.assertIn("attended", self.read("again.tsv").splitlines()[0])

    def test_where_it_cannot_be_written(self):
        self.refused(73, "live", SIMULATED, "--record", "nowhere/x.xdf", says="nowhere/x.xdf")

    def test_streams_to_replay_are_named(self):
        self.prepare_once(self.record)
        self.write("lab.xdf", lab_session())
        self.refused(66, "live", "replay:lab.xdf?eeg=Emp", "--model", "decoder.json", says="'Emp'")
        self.refused(2, "live", "replay:lab.xdf?speakers=a", "--model", "decoder.json", says="SPEAKER=STREAM")


if __name__ == "__main__":
    unittest.main()
