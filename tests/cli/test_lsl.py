# SPDX-License-Identifier: MIT
"""The lab streaming layer, by a library that stands in for liblsl: what is there, a session from streams, what is sent."""
import array
import json
import os
import signal
import subprocess
import time
import unittest

import xdf_reader
from heed_program import PATIENCE, PROGRAM, HeedTest

FAKE = os.environ.get("HEED_FAKE_LSL_LIB", "")
SIMULATED = "simulated:?duration=60&switch-every=20&channels=19&rate=64"
NOWHERE = {"HEED_LSL_LIB": "/nowhere/liblsl.so", "PYLSL_LIB": "", "MNE_LSL_LIB": ""}


def without_library():
    return {**os.environ, **NOWHERE, "LD_LIBRARY_PATH": ""}


@unittest.skipUnless(FAKE, "HEED_FAKE_LSL_LIB does not name the library that stands in for liblsl")
class Streams(HeedTest):
    def script(self, text):
        self.write("script.txt", text)
        sent = self.folder / "sent.txt"
        sent.unlink(missing_ok=True)
        environment = {"HEED_FAKE_LSL": str(self.folder / "script.txt"), "HEED_FAKE_LSL_OUT": str(sent), "HEED_LSL_LIB": FAKE}
        before = {key: os.environ.get(key) for key in environment}
        os.environ.update(environment)
        self.addCleanup(lambda: [os.environ.pop(key) if value is None else os.environ.update({key: value})
                                 for key, value in before.items()])
        return sent

    def record(self):
        self.heed("live", SIMULATED, "--speed", "max", "--record", "demo.xdf")
        self.heed("convert", "xdf", "demo.xdf", "bids")
        self.heed("train", "bids", "--filters", "causal", "-o", "decoder.json")

    def received(self, *arguments):
        """The report of a session that is ended when the streams are at their end: nobody waits for them to come back."""
        process = subprocess.Popen([PROGRAM, "live", *arguments, "--json"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        path = self.folder / "live.ndjson"
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < deadline:
            if path.exists() and "unknown" in path.read_text():
                process.send_signal(signal.SIGINT)
                break
            time.sleep(0.05)
        stdout, said = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, said)
        return json.loads(stdout)

    def test_list(self):
        self.script("stream amp EEG 2 512 1 0 Fz,Cz\nstream events Markers 1 0 3 0 m\n")
        said = self.heed("live", "--list")
        self.assertRegex(said, r"amp +EEG +2 +512 Hz +float32 +id-amp")
        self.assertRegex(said, r"events +Markers +1 +irregular +string")
        listed = self.heed_json("live", "--list")
        self.assertEqual([stream["name"] for stream in listed["streams"]], ["amp", "events"])
        self.assertEqual(listed["version"], "1.16")
        self.assertIn("liblsl 1.16", self.heed("doctor"))

    def test_nothing_is_there(self):
        self.script("")
        self.assertIn("No stream answered", self.heed("live", "--list"))

    def test_a_session_from_streams_decides_as_its_recording_does(self):
        """A recorded session is sent through the library again, at 20 times real time."""
        self.prepare_once(self.record)
        self.heed("live", "replay:demo.xdf", "--model", "decoder.json", "--speed", "max", "--out", "ndjson:replay.ndjson")
        streams, _ = xdf_reader.read(self.folder / "demo.xdf")
        script = ""
        for name, kind in (("heed-eeg", "EEG"), ("heed-audio-left", "Audio"), ("heed-audio-right", "Audio")):
            stream = streams[name]
            values = array.array("f", [value for row in stream.rows for value in row])
            (self.folder / f"{name}.raw").write_bytes(values.tobytes())
            labels = ",".join(label for label in stream.labels)
            script += f"stream {name} {kind} {len(stream.labels)} {stream.rate} 1 {len(stream.rows)} {labels}\n"
            script += f"data {self.folder / name}.raw\nspeed 20\n"
        # heed keeps ten seconds of blocks. At this speed they come no faster than one per millisecond and stream, as at any
        # other, so a machine that is busy for moments loses none.
        sent = self.script(script)
        result = self.received("lsl:heed-eeg", "--model", "decoder.json", "--out", "ndjson:live.ndjson", "--out", "lsl")
        self.assertEqual((result["source"]["dropped"], result["clock"]["gaps"], result["clock"]["lost_samples"]), (0, 0, 0))
        replayed, live = ([json.loads(line) for line in self.read(name).splitlines()] for name in ("replay.ndjson", "live.ndjson"))
        # Arrival is that of a session at 20 times real time: only gains depend on it.
        tracked = [row for row in live if row["state"] != "unknown"]
        self.assertGreaterEqual(len(tracked), 50)
        for before, now in zip(replayed, tracked):
            for a, b in zip(before["posterior"], now["posterior"]):
                self.assertAlmostEqual(a, b, 9)
        lines = [line.split() for line in sent.read_text().splitlines()]
        self.assertEqual(lines[0][:3], ["outlet", "heed-posterior", "AttentionPosterior"])
        posteriors = [line for line in lines if line[0] == "heed-posterior"]
        self.assertAlmostEqual(float(posteriors[0][1]), tracked[0]["t"], 6)
        self.assertAlmostEqual(float(posteriors[0][2]), tracked[0]["posterior"][0], 6)

    def test_streams_that_are_not_there(self):
        self.prepare_once(self.record)
        self.script("stream amp EEG 2 512 1 0 Fz,Cz\n")
        self.refused(66, "live", "lsl:none?timeout=0", "--model", "decoder.json", says=("'none'", "'amp' (EEG)"))
        self.refused(2, "live", "lsl:amp?timeout=0", "--model", "decoder.json", says="sound file")


class WithoutLibrary(HeedTest):
    def test_one_line_says_what_to_do(self):
        for arguments in (("live", "--list"), ("live", SIMULATED, "--out", "lsl")):
            self.refused(69, *arguments, says=("liblsl", "HEED_LSL_LIB"), env=without_library())
        self.refused(69, "live", "--list", "--lsl-lib", "none.so", says="none.so")

    def test_the_doctor_takes_it_for_no_fault(self):
        result = self.run_heed("doctor", env=without_library())
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"no liblsl", result.stdout)


if __name__ == "__main__":
    unittest.main()
