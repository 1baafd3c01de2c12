# SPDX-License-Identifier: MIT
"""heed live, option by option: the chain, the model of the scores, gains, speed, what moves attention, and recordings."""
import json
import os
import socket
import subprocess
import time
import unittest

import planted_study
from heed_program import BY_HAND, PATIENCE, PROGRAM, HeedTest, speaker_names
from test_live_streams import header, lines_of, random_scores, score_lines

SIMULATED = "simulated:?duration=30&switch-every=15&channels=19&rate=64"


class Chain(HeedTest):
    """Scores as lines; what `heed track` makes of the same scores is what live must say, to the last bit."""

    def setUp(self):
        super().setUp()
        self.rows = random_scores(5, 150, 2, missing=(0, 30))
        self.write_scores("s.tsv", self.rows)

    def same_as_track(self, *options, model=BY_HAND):
        """The model goes to live as a file, the chain by the same options."""
        self.heed("track", "s.tsv", *model, "--save-model", "model.json", "-o", "unused.tsv")
        self.heed("track", "s.tsv", "--model", "model.json", *options, "--method", "causal", "--digits", "17", "-o", "offline.tsv")
        out = lines_of(self.heed("live", "-", "--scores", "--tracking", "model.json", *options, "--out", "-",
                                 stdin=(header(2) + score_lines(self.rows)).encode()))
        self.assertEqual([row["posterior"] for row in out], self.read_table("offline.tsv").numbers(*speaker_names(2)))
        return out

    def test_switch_probabilities_and_matrices(self):
        plain = self.same_as_track("-p", "0.05")
        self.write("matrix.tsv", "0.9\t0.1\n0.02\t0.98\n")
        for options in (("-p", "0.3"), ("--transition", "matrix.tsv"), ("-p", "0.05", "--initial", "0.9,0.1")):
            with self.subTest(options=options):
                out = self.same_as_track(*options)
                self.assertNotEqual([row["posterior"] for row in out], [row["posterior"] for row in plain])
        # Windows of one second are what probabilities are given for: nothing is scaled.
        out = self.same_as_track("-p", "0.05", "--switch-scaling", "exact")
        self.assertEqual([row["posterior"] for row in out], [row["posterior"] for row in plain])

    def test_an_unknown_switch_probability(self):
        self.same_as_track("--switch-probability", "auto")
        self.assertRegex(self.said, r"the listener switches .* once (every|in)|the listener switches")
        report = json.loads(self.heed("live", "-", "--scores", "--tracking", "model.json", "-p", "auto", "--json",
                                      stdin=(header(2) + score_lines(self.rows)).encode()))
        self.assertAlmostEqual(sum(report["switching"]["posterior"]), 1, places=9)

    def test_scores_that_repeat_each_other(self):
        self.same_as_track("-p", "0.02", model=("--fit", "baum-welch", "--dependence", "ar1"))
        self.assertIn("Autocorrelation", self.read("model.json"))

    def test_a_model_that_follows_the_listener(self):
        still = self.same_as_track("-p", "0.05")
        stream = (header(2) + score_lines(self.rows)).encode()
        moved = lines_of(self.heed("live", "-", "--scores", "--tracking", "model.json", "-p", "0.05", "--adapt", "30", "--out", "-", stdin=stream))
        self.assertEqual(moved[1]["posterior"], still[1]["posterior"])  # nothing is learnt before a window is over
        self.assertNotEqual(moved[-1]["posterior"], still[-1]["posterior"])

    def test_what_is_refused(self):
        stream = (header(2) + score_lines(self.rows)).encode()
        for options, words in [
                (("-p", "2"), "2"),
                (("--transition", "absent.tsv"), "absent.tsv"),
                (("--lag", "-1"), "--lag"),
                (("--adapt", "0"), "half-life"),
                (("--adapt", "-5"), "half-life"),
                (("--window", "2"), "says in its first line"),
                (("--hop", "0.5"), "says in its first line"),
                (("--step", "0.25"), "says in its first line"),
                (("--hop", "0.5", "--step", "0.25"), "--hop excludes --step"),
                (("--digits", "0"), "--digits"),
                (("--map", "loud"), "loud"),
                (("--slew", "0.1"), "too slow"),
                (("--slew", "nan"), "slew"),
                (("--lowest", "5"), "lowest"),
                (("--watchdog", "0"), "at least 1 window"),
                (("--speed", "0"), "positive number, or max"),
                (("--speed", "fast"), "positive number, or max"),
                (("--rail", "-1"), "--rail"),
                (("--calibrate", "10"), "leave out --scores"),
                (("--record", "kept"), "no signals to record"),
                (("--audio", "left=x.wav"), "needs no sound files"),
                (("--audio-offset", "1"), "leave --audio-offset out"),
                (("--audio", "left=x.wav", "--audio-offset", "nan"), "up to a day"),
                (("--out", "tsv:a.tsv", "--out", "ndjson:a.tsv"), "two sinks would write into a.tsv"),
                (("--out", "-", "--out", "ndjson:-"), "two sinks"),
                (("--out", "loud:speaker"), "loud")]:
            with self.subTest(options=options):
                result = self.run_heed("live", "-", "--scores", *options, stdin=stream)
                said = result.stderr.decode()
                self.assertIn(result.returncode, (2, 65, 66, 69), said)
                self.assertIn(words, said)
                self.assertNotIn("windows,", said)


WINDOW = 0.05  # s
# How close to its end a map comes while the posterior is nearly 1: all the way, or as far as the belief goes.
NEARLY = {"dead-zone": 1e-9, "dead-zone:0.9": 1e-9, "decision": 1e-9, "decibels": 0.05, "amplitude": 0.05, "2dB/nat": 0.5,
          "intelligibility": 0.5, "intelligibility:6": 0.5}


@unittest.skipIf(os.environ.get("HEED_SANITIZE"), "gains move by the clock of arrival, and eight sanitized sessions are late")
class Gains(HeedTest):
    def gains(self, *sessions, rows=None):
        """Of every window, for each tuple of options: somebody certainly attends left, then right. Gains move by the clock of
        arrival, so lines are paced; sessions run side by side."""
        rows = rows or [[0.9, -0.9]] * 10 + [[-0.9, 0.9]] * 10
        processes = [subprocess.Popen([PROGRAM, "live", "-", "--scores", "--tracking", "model.json", "-p", "0.05", "--out", "-",
                                       *map(str, options)], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE) for options in sessions]
        for process in processes:
            self.addCleanup(process.kill)
            process.stdin.write(header(2, window=WINDOW).encode())
        for line in score_lines(rows, WINDOW).splitlines(keepends=True):
            for process in processes:
                process.stdin.write(line.encode())
                process.stdin.flush()
            time.sleep(1.05 * WINDOW)
        results = []
        for process in processes:
            stdout, said = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 0, said)
            # On a busy machine lines come late, and the watchdog speaks between windows, too.
            results.append([row for row in lines_of(stdout.decode()) if abs(row["t"] / WINDOW - round(row["t"] / WINDOW)) < 1e-6])
            self.assertEqual(len(results[-1]), len(rows))
        return results

    def setUp(self):
        super().setUp()
        self.write_scores("s.tsv", random_scores(5, 20, 2))
        self.heed("track", "s.tsv", *BY_HAND, "--save-model", "model.json", "-o", "unused.tsv")

    def test_every_map_keeps_range_and_pace(self):
        sessions = [("--map", name, "--enhanced", "-3", "--suppressed", "-9", "--slew", "40") for name in NEARLY]
        for name, rows in zip(NEARLY, self.gains(*sessions)):
            with self.subTest(map=name):
                gains = [row["gains_db"] for row in rows]
                self.assert_close(gains[9], [-3, -9], NEARLY[name])
                self.assert_close(gains[19], [-9, -3], NEARLY[name])
                for one, next_one in zip(gains, gains[1:]):
                    for a, b in zip(one, next_one):
                        self.assertLessEqual(abs(a - b), (40 * WINDOW) + 1e-9)

    def test_no_gain_leaves_the_hard_range(self):
        rows, = self.gains(("--map", "decision", "--enhanced", "10", "--suppressed", "-40", "--lowest", "-15", "--highest", "-1",
                            "--slew", "400"))
        for row in rows:
            for gain in row["gains_db"]:
                self.assertTrue(-15 <= gain <= -1, gain)
        self.assertEqual(rows[9]["gains_db"], [-1, -15])

    def test_the_watchdog_waits_for_as_many_windows_as_it_is_told(self):
        rows = [[0.9, -0.9]] * 5 + [None] * 8 + [[0.9, -0.9]] * 5
        patience = (1, 2, 4)
        for windows, out in zip(patience, self.gains(*(("--watchdog", windows, "--slew", "100") for windows in patience), rows=rows)):
            with self.subTest(windows=windows):
                states = [row["state"] for row in out]
                self.assertEqual(states[:5 + windows - 1], ["tracking"] * (5 + windows - 1))
                self.assertEqual(states[5 + windows - 1:13], ["unknown"] * (8 - windows + 1))
                self.assertEqual(states[13:], ["tracking"] * 5)
                self.assertEqual(*out[12]["gains_db"])
                self.assertGreater(out[-1]["gains_db"][0], out[-1]["gains_db"][1])


class Simulated(HeedTest):
    def test_speed_is_kept(self):
        start = time.monotonic()
        report = self.heed_json("live", "simulated:?duration=10&channels=19&rate=64", "--speed", "10")
        self.assertGreaterEqual(report["elapsed"], 0.95)
        self.assertGreaterEqual(time.monotonic() - start, report["elapsed"])
        self.assertEqual(report["windows"], 10)
        self.assertAlmostEqual(report["streamed"], 10, delta=0.1)

    def test_options_of_the_address(self):
        report = self.heed_json("live", "simulated:?duration=12&speakers=3&channels=32&rate=128&seed=4", "--speed", "max", "--window", "2")
        self.assertEqual(report["stream"]["speakers"], ["left", "centre", "right"])
        self.assertEqual(report["stream"]["channels"], 32)
        self.assertEqual(report["stream"]["rate"], 128)
        self.assertEqual((report["windows"], report["window"]), (6, 2))
        for address, words in (("simulated:?durration=12", "durration"), ("simulated:?speakers=1", "speakers"), ("simulated:?channels=7", "7"),
                               ("simulated:?duration=-1", "duration"), ("simulated:?switch-every=0", "switch-every"),
                               ("simulated:?control=ftp://x", "control"), ("simulated:12", "simulated")):
            with self.subTest(address=address):
                self.refused(2, "live", address, says=words)

    def test_windows_that_are_none(self):
        for options, words in ((("--window", "0"), "window"), (("--window", "0.3"), "0.25"), (("--window", "nan"), "window"),
                               (("--hop", "2"), "hop"), (("--hop", "0"), "whole number of quarter seconds"), (("--step", "0.3"), "0.25")):
            with self.subTest(options=options):
                self.refused(2, "live", SIMULATED, *options, says=words)

    def test_the_same_seed_is_the_same_listener(self):
        for name in ("a", "b", "c"):
            self.heed("live", SIMULATED + ("&seed=2" if name == "c" else ""), "--speed", "max", "--out", f"tsv:{name}.tsv", "--digits", "17")
        self.assertEqual(self.read("a.tsv"), self.read("b.tsv"))
        self.assertNotEqual(self.read("a.tsv"), self.read("c.tsv"))

    def test_attention_is_moved_over_sockets(self):
        path = self.folder / "attention.sock"
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        ends = {f"unix:{path}": (socket.AF_UNIX, str(path)), f"tcp://127.0.0.1:{port}": (socket.AF_INET, ("127.0.0.1", port))}
        processes = {}
        for control in ends:
            processes[control] = subprocess.Popen(
                [PROGRAM, "live", f"simulated:?duration=20&channels=19&rate=64&control={control}", "--speed", "10",
                 "--out", f"tsv:{control[:3]}.tsv"], cwd=self.folder, stderr=subprocess.PIPE)
            self.addCleanup(processes[control].kill)
        for control, end in ends.items():
            with self.connected(*end) as peer:
                peer.sendall(b"right\n")
        for control, process in processes.items():
            with self.subTest(control=control):
                _, said = process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, 0, said)
                self.assertEqual(self.read_table(f"{control[:3]}.tsv")["attended"][-5:], ["right"] * 5)

    def connected(self, family, address):
        deadline = time.monotonic() + PATIENCE
        while True:
            peer = socket.socket(family)
            try:
                peer.connect(address)
                return peer
            except (FileNotFoundError, ConnectionRefusedError):
                peer.close()
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.02)


class Recordings(HeedTest):
    def plant(self):
        planted_study.Study(self.folder / "set", noise=1.5, sound=True).write()
        self.heed("train", "set", "--participant", "01", "--exclude-run", "01", "--filters", "causal", "-o", "decoder.json")

    def setUp(self):
        super().setUp()
        self.prepare_once(self.plant)
        self.session = ("live", "replay:set", "--participant", "01", "--run", "01", "--model", "decoder.json", "--speed", "max")

    def test_a_recorded_session_is_decoded_again_to_the_same_bytes(self):
        self.write_scores("s.tsv", random_scores(5, 20, 2))
        self.heed("track", "s.tsv", *BY_HAND, "--save-model", "tracking.json", "-o", "unused.tsv")
        for layout in ((), ("--hop", "0.5")):
            with self.subTest(layout=layout):
                kept = "kept" + "".join(layout)
                self.heed(*self.session, "--tracking", "tracking.json", *layout, "--record", kept, "--out", "tsv:live.tsv")
                self.assertIn("0 errors", self.heed("validate", kept))
                self.heed("score", kept, "--model", "decoder.json", "--digits", "17", *layout, "-o", "again" + kept)
                scores = next((self.folder / ("again" + kept)).rglob("*_scores.tsv"))
                self.heed("track", scores, "--model", "tracking.json", "-o", "again.tsv")
                table = next((self.folder / kept / "derivatives").rglob("*_posteriors.tsv")).read_text()
                self.assertEqual(self.read("again.tsv"), table)
                self.assertEqual(self.read("live.tsv"), table)
        # Another session is the next run of the folder.
        self.heed(*self.session, "--tracking", "tracking.json", "--record", "kept")
        self.assertEqual(len(list((self.folder / "kept").rglob("*_eeg.vhdr"))), 2)

    def test_exchanged_talkers_make_switches(self):
        for name, seed in (("a", 1), ("b", 1), ("c", 2)):
            source = f"replay:set?switch-every=8-12&seed={seed}"
            self.heed("live", source, *self.session[2:], "--out", f"tsv:{name}.tsv")
        attended = self.read_table("a.tsv")["attended"]
        self.assertEqual({"left", "right"} - set(attended), set())
        self.assertEqual(self.read("a.tsv"), self.read("b.tsv"))
        self.assertNotEqual(attended, self.read_table("c.tsv")["attended"])
        self.refused(2, "live", "replay:set?switch-every=never", *self.session[2:], says="switch-every")

    def test_what_is_not_there_is_named(self):
        session = self.session[2:]
        self.refused(66, "live", "replay:absent", *session, says="absent")
        self.refused(66, "live", "replay:set", "--participant", "09", *session[2:], says="09")
        self.refused(66, "live", "replay:set", "--participant", "01", "--run", "01", "--model", "absent.json", says="absent.json")
        self.refused(66, *self.session, "--tracking", "absent.json", says="absent.json")
        self.write("broken.json", "{")
        self.refused(65, *self.session, "--tracking", "broken.json", says="broken.json")
        self.refused(2, "live", "replay:set", "--participant", "01", says=("--model", "--calibrate"))
        self.refused(2, "live", says="source")
        self.refused(2, "live", "gopher:set", says="gopher")


if __name__ == "__main__":
    unittest.main()
