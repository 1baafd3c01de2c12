# SPDX-License-Identifier: MIT
"""heed live from a recording and from the simulator: the bits of the offline chain, and every option that shapes a session."""
import concurrent.futures
import fcntl
import json
import os
import random
import select
import signal
import struct
import subprocess
import termios
import time
import unittest

import planted_study
import xdf_reader
from heed_program import PATIENCE, PROGRAM, HeedTest

SIMULATED = "simulated:?duration=60&switch-every=20&channels=19&rate=64"


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


class Replay(HeedTest):
    """Run 01 of a planted listener is decoded live, by a decoder of runs 02 and 03."""

    def setUp(self):
        super().setUp()
        self.prepare_once(self.plant)

    def plant(self):
        planted_study.Study(self.folder / "set", noise=1.5).write()
        self.heed("train", "set", "--participant", "01", "--exclude-run", "01", "--filters", "causal", "-o", "decoder.json")

    def offline(self, *layout):
        """The table of posteriors; the model it was made with is in tracking.json."""
        self.heed("score", "set", "--participant", "01", "--run", "01", "--model", "decoder.json", "--digits", "17", *layout,
                  "-o", "".join(("offline", *layout)))
        self.scores = next((self.folder / "".join(("offline", *layout))).rglob("*_scores.tsv"))
        self.heed("track", self.scores, "--method", "causal", "--fit", "baum-welch", "--save-model", "tracking.json", "-o", "offline.tsv")
        return self.read("offline.tsv")

    def live(self, *arguments):
        return self.heed("live", "replay:set", "--participant", "01", "--run", "01", "--speed", "max", *arguments)

    def test_the_table_is_the_offline_one_byte_for_byte(self):
        for layout in ((), ("--hop", "0.25"), ("--step", "0.25")):
            with self.subTest(layout=layout):
                expected = self.offline(*layout)
                self.live("--model", "decoder.json", "--tracking", "tracking.json", *layout, "--out", "tsv:live.tsv")
                self.assertEqual(self.read("live.tsv"), expected)
                self.assertGreater(len(expected.splitlines()), 35 * (4 if layout else 1))

    def test_hindsight_is_that_of_the_fixed_lag(self):
        self.offline()
        self.heed("track", self.scores, "--method", "fixed-lag", "--lag", "5", "--model", "tracking.json", "--digits", "17", "-o", "lag.tsv")
        self.live("--model", "decoder.json", "--tracking", "tracking.json", "--lag", "5", "--out", "ndjson:live.ndjson")
        rows = lines_of(self.read("live.ndjson"))
        self.assertNotIn("hindsight", rows[4])
        later = self.read_table("lag.tsv").numbers("left", "right")
        self.assertEqual([row["hindsight"] for row in rows[5:]], later[:len(rows) - 5])

    def test_models_of_steps_are_not_taken_for_windows(self):
        self.offline("--step", "0.25")
        session = ("live", "replay:set", "--participant", "01", "--run", "01", "--model", "decoder.json", "--tracking", "tracking.json")
        self.refused(2, *session, says="the model was fitted to scores of steps")
        self.offline()
        self.refused(2, *session, "--step", "0.25", says="the model was fitted to scores of windows")

    def test_a_dry_run_opens_the_source_alone(self):
        session = ("--model", "decoder.json", "--out", "tsv:live.tsv", "--record", "kept", "--dry-run")
        said = self.live(*session)
        for words in ("EEG         8 channels at 64 Hz, in uV", "its 8 channels are there by name", "sound       left: envelope at 64 Hz",
                      "sink        tsv:live.tsv", "recording   kept", "ms after the end of each"):
            self.assertIn(words, said)
        plan = json.loads(self.live(*session, "--json"))
        self.assertTrue(plan["fits"])
        self.assertEqual(plan["outputs"], ["tsv:live.tsv"])
        delays = plan["delays"]
        self.assertEqual(delays["window"], 1)
        self.assertEqual(delays["until_decision"], max(delays["eeg"] + delays["lags"], delays["sound"]))
        self.assertFalse((self.folder / "live.tsv").exists())
        self.assertFalse((self.folder / "kept").exists())

    def test_a_dry_run_says_that_a_decoder_does_not_fit(self):
        self.heed("train", "set", "--participant", "01", "--exclude-run", "01", "-o", "zero.json")
        self.refused(2, "live", "replay:set", "--participant", "01", "--run", "01", "--model", "zero.json", "--dry-run",
                     says=("zero-phase", "causal filters"))
        decoder = self.read_json("decoder.json")
        text = json.dumps(decoder).replace('"Fz"', '"Fp1"')
        self.write("other.json", text)
        result = self.run_heed("live", "replay:set", "--participant", "01", "--run", "01", "--model", "other.json", "--dry-run")
        self.assertIn(result.returncode, (2, 65), result.stderr)
        self.assertIn(b"Fp1", result.stderr)

    def test_a_decoder_is_trained_in_the_session(self):
        runs = ("replay:set", "--participant", "01", "--run", "02", "--run", "01", "--speed", "max")
        for how in ("label-free", "labels"):
            with self.subTest(how=how):
                report = self.heed_json("live", *runs, "--calibrate", "30", "--calibrate-by", how, "--save-decoder", "own.json",
                                        "--out", "ndjson:live.ndjson")
                states = [row["state"] for row in lines_of(self.read("live.ndjson"))]
                self.assertEqual(states[:29], ["calibrating"] * 29)
                self.assertNotIn("calibrating", states[31:])
                self.assertEqual(report["calibrating"], states.count("calibrating"))
                for row in lines_of(self.read("live.ndjson"))[:29]:
                    self.assertEqual(row["gains_db"][0], row["gains_db"][1])
                # What was trained is a decoder like any other.
                self.live("--model", "own.json", "--out", "tsv:own.tsv")
        self.refused(2, "live", *runs, "--calibrate", "30", "--model", "decoder.json", says="leave out --model")
        self.refused(2, "live", *runs, "--model", "decoder.json", "--save-decoder", "own2.json", says="--save-decoder needs --population or --calibrate")

    def test_a_failed_sink_leaves_the_counts(self):
        result = self.run_heed("live", "replay:set", "--participant", "01", "--run", "01", "--speed", "max", "--model", "decoder.json",
                               "--out", "ndjson:/dev/full", "--json")
        self.assertEqual(result.returncode, 74, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual(report["windows"], 40)
        self.assertIn("/dev/full", report["failure"])
        self.assertTrue(report["sinks"]["broken"])


class Simulated(HeedTest):
    def test_counts_of_the_clock_and_latencies(self):
        report = self.heed_json("live", SIMULATED, "--speed", "max")
        self.assertEqual(report["windows"], 60)
        self.assertEqual(sorted(report["clock"]), sorted(
            ["jittered", "gaps", "lost_samples", "flat_samples", "duplicates", "backwards", "jumps", "shifted", "late_sound", "drift_ppm"]))
        self.assertEqual(sum(report["clock"].values()), 0)
        self.assertEqual(sum(bin["count"] for bin in report["latency"]["histogram"]), 60)
        self.assertIsNone(report["failure"])

    def line_of_state(self, columns):
        """What a terminal of so many columns is shown."""
        terminal, slave = os.openpty()
        self.addCleanup(os.close, terminal)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
        process = subprocess.Popen([PROGRAM, "live", "simulated:?duration=6&channels=19&rate=64", "--speed", "2", "--lag", "2"],
                                   cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave)
        self.addCleanup(process.stdout.close)
        os.close(slave)
        said = b""
        while process.poll() is None or select.select([terminal], [], [], 0.2)[0]:
            try:
                said += os.read(terminal, 4096)
            except OSError:  # nobody writes any more
                break
        self.assertEqual(process.wait(timeout=PATIENCE), 0)
        return said.decode().replace("\x1b[K", "")

    def test_a_line_of_state_is_shown_on_a_terminal(self):
        shown = self.line_of_state(columns=160)
        self.assertRegex(shown, r"\r +6\.0 s  tracking    (left|right) \d+ %, in hindsight (left|right) \d+ %  gains -?\d+\.\d -?\d+\.\d dB  "
                                r"\d+ Hz  held 0  gaps 0  latency [\d.e+-]+ ms\r\n")
        self.assertRegex(shown, r"\nsimulated:[^\r]*: 6 windows, 0 held")

    def test_a_line_of_state_is_as_wide_as_its_terminal(self):
        for columns in (60, 80):
            lines = [line for line in self.line_of_state(columns).split("\r") if "  tracking  " in line]
            self.assertEqual(len(lines), 6)
            self.assertLess(max(map(len, lines)), columns)
            self.assertTrue(all("gains" in line for line in lines) or columns < 80, lines)

    def test_lines_move_attention_and_a_mistyped_name_is_passed_over(self):
        process = subprocess.Popen([PROGRAM, "live", "simulated:?duration=36&channels=19&rate=64&control=-", "--speed", "10",
                                    "--out", "tsv:live.tsv"], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        table = self.folder / "live.tsv"
        deadline = time.monotonic() + PATIENCE
        for line, windows in ((b"rihgt\n", 5), (b"right\n", 10)):
            while (len(table.read_text().splitlines()) if table.exists() else 0) < windows and time.monotonic() < deadline:
                time.sleep(0.02)
            process.stdin.write(line)
            process.stdin.flush()
        _, said = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, said)
        self.assertIn("there is no speaker 'rihgt'; attention stays where it is. Name one of left, right", said.decode())
        attended = self.read_table("live.tsv")["attended"]
        self.assertEqual(attended[:8], ["left"] * 8)
        self.assertEqual(attended[-10:], ["right"] * 10)

    def test_a_killed_session_leaves_recordings_that_open(self):
        """At random moments, HEED_KILLS times; what lags behind the decisions is the last window. A window lasts half a second
        here, so that a recorder's thread gets the processor within one on a busy machine, too."""
        stream = random.Random(7)
        names = [f"{number}{'.xdf' * (number % 2)}" for number in range(int(os.environ.get("HEED_KILLS", 4)))]
        with concurrent.futures.ThreadPoolExecutor(4) as side_by_side:  # they wait for most of the time
            for killed in [side_by_side.submit(self.run_killed, name, 4 + stream.random() * 4) for name in names]:
                killed.result()

    def run_killed(self, name, until):
        target = self.folder / name
        process = subprocess.Popen([PROGRAM, "live", SIMULATED, "--speed", "2", "--record", name, "--out", "ndjson:-"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        decided = 0
        for line in process.stdout:
            decided = json.loads(line)["t"]
            if decided >= until:
                break
        time.sleep(0.01 * (until % 1))
        process.send_signal(signal.SIGKILL)
        for line in process.stdout:
            decided = json.loads(line)["t"]
        process.wait(timeout=PATIENCE)
        process.stdout.close()
        process.stderr.close()
        if target.is_dir():
            run = sorted((target / "derivatives").rglob("*_posteriors.tsv"))[-1]
            kept = run.read_text()
            self.assertGreaterEqual(kept[:kept.rfind("\n") + 1].count("\n") - 1, decided - 1)
            self.assertIn("0 errors", self.heed("validate", name))
        else:
            streams, _ = xdf_reader.read(target)
            self.assertGreaterEqual(len(streams["heed-posterior"].rows), decided - 1)
            self.assertGreaterEqual(len(streams["heed-eeg"].rows), 64 * (decided - 1))
            self.heed("info", name)


class Demonstration(HeedTest):
    def test_a_session_without_visitors_can_be_scored(self):
        """Attention wanders while nobody chooses, so that a decoder can be trained and tested on what was recorded."""
        self.heed("live", "--demo", "--seconds", 60, "--no-browser", "--speed", "max", "--record", "demo.xdf")
        self.heed("convert", "xdf", "demo.xdf", "bids")
        self.assertIn("3 trials", self.heed("validate", "bids"))
        listener, = self.heed_json("score", "bids", "-o", "s")["participants"]
        self.assertEqual(listener["windows"], 60)
        self.assertGreater(listener["accuracy"], listener["chance_bound"])


if __name__ == "__main__":
    unittest.main()
