# SPDX-License-Identifier: MIT
"""heed live on EEG that comes as lines or from ActiView: sound in the stream or from files, markers, and signals that are bad."""
import json
import os
import socket
import struct
import subprocess
import threading
import time
import unittest

import planted_study
from heed_program import PATIENCE, PROGRAM, HeedTest
from planted_study import CHANNELS, RATE

SECONDS = 40


class SignalTest(HeedTest):
    """Run 01 of a planted listener, who attends left; a decoder of runs 02 and 03, the offline table and its model."""

    def plant(self):
        study = planted_study.Study(self.folder / "set", seconds=SECONDS, noise=1.5)
        study.attend = lambda participant, run: [(0, SECONDS, run % 2)]
        study.write()
        self.heed("train", "set", "--participant", "01", "--exclude-run", "01", "--filters", "causal", "-o", "decoder.json")
        self.heed("score", "set", "--participant", "01", "--run", "01", "--model", "decoder.json", "--digits", "17", "-o", "offline")
        scores = next((self.folder / "offline").rglob("*_scores.tsv"))
        self.heed("track", scores, "--fit", "baum-welch", "--save-model", "tracking.json", "-o", "offline.tsv")

    def setUp(self):
        super().setUp()
        self.prepare_once(self.plant)
        samples = planted_study.read_samples(next((self.folder / "set").rglob("*_run-01_eeg.vhdr")))
        self.eeg = [list(samples[t:t + len(CHANNELS)]) for t in range(0, len(samples), len(CHANNELS))]
        self.envelopes = {name: [float(line) for line in self.read(f"set/stimuli/run1-{name}.tsv").splitlines()[1:]]
                          for name in ("left", "right")}
        self.model = ("--model", "decoder.json", "--tracking", "tracking.json")
        self.sounds = ("--audio", "left=set/stimuli/run1-left.tsv", "--audio", "right=set/stimuli/run1-right.tsv")

    def header(self, **keys):
        return json.dumps({"speakers": ["left", "right"], "rate": RATE, "channels": CHANNELS, **keys}) + "\n"

    def lines(self, piece=16, start=0.0, **sounds):
        """The run in pieces of so many samples, from the stamp `start` on; `sounds`: envelopes beside the EEG."""
        text = ""
        for t in range(0, len(self.eeg), piece):
            line = {"t": start + t / RATE, "eeg": self.eeg[t:t + piece]}
            if sounds:
                line["envelope"] = {name: values[t:t + piece] for name, values in sounds.items() if values[t:t + piece]}
            text += json.dumps(line) + "\n"
        return text

    def live(self, text, *arguments):
        return self.heed("live", "-", *self.model, *arguments, stdin=text.encode())

    def decisions(self, text, *arguments):
        return [json.loads(line) for line in self.live(text, *arguments, "--out", "ndjson:-").splitlines()]


class Lines(SignalTest):
    def test_the_table_is_the_offline_one_however_the_stream_is_cut(self):
        header = self.header(envelope_rate=RATE, attended=True)
        told = json.dumps({"t": 0, "attended": "left"}) + "\n"
        for piece in (1, 16, 1000):
            with self.subTest(piece=piece):
                self.live(header + told + self.lines(piece, **self.envelopes), "--out", "tsv:live.tsv")
                self.assertEqual(self.read("live.tsv"), self.read("offline.tsv"))

    def test_the_first_line_may_say_how_long_windows_are(self):
        text = self.header(envelope_rate=RATE, window=2, hop=1) + self.lines(**self.envelopes)
        report = self.heed_json("live", "-", "--model", "decoder.json", stdin=text.encode())
        self.assertEqual((report["window"], report["hop"], report["windows"]), (2, 1, SECONDS - 1))
        report = self.heed_json("live", "-", "--model", "decoder.json", "--window", "4", stdin=text.encode())
        self.assertEqual((report["window"], report["hop"], report["windows"]), (4, 4, SECONDS // 4))

    def test_sound_files_begin_with_the_eeg_or_at_a_marker(self):
        header = self.header()
        self.live(header + self.lines(), *self.sounds, "--out", "tsv:live.tsv")
        expected = [row[:4] for row in self.read_table("offline.tsv").rows]
        self.assertEqual([row[:4] for row in self.read_table("live.tsv").rows], expected)
        # The same moment, said by an offset and by a marker.
        marker = json.dumps({"t": 107.5, "marker": "go"}) + "\n"
        eeg = self.lines(start=100.0).splitlines(keepends=True)
        at = next(k for k, line in enumerate(eeg) if json.loads(line)["t"] >= 107.5)
        marked = self.decisions(header + "".join(eeg[:at]) + marker + "".join(eeg[at:]), *self.sounds, "--marker", "go")
        offset = self.decisions(header + "".join(eeg), *self.sounds, "--audio-offset", "7.5")
        for key in ("t", "posterior", "decision"):  # gains move by the clock of arrival
            self.assertEqual([row[key] for row in marked], [row[key] for row in offset])
        self.assertEqual(marked[0]["t"], 108.5)
        self.assertEqual(len(marked), SECONDS - 8)

    def test_a_recording_without_a_folder_is_replayed_beside_sound_files(self):
        recording = next((self.folder / "set").rglob("*_run-01_eeg.vhdr"))
        self.heed("live", f"replay:{recording}", *self.model, *self.sounds, "--speed", "max", "--out", "tsv:live.tsv")
        expected = [row[:4] for row in self.read_table("offline.tsv").rows]
        self.assertEqual([row[:4] for row in self.read_table("live.tsv").rows], expected)
        # The same moment, said by an offset and by one of the recording's own events.
        recording.with_suffix(".vmrk").write_text("Brain Vision Data Exchange Marker File, Version 1.0\n[Common Infos]\n[Marker Infos]\n"
                                                  f"Mk1=Stimulus,go,{int(7.5 * RATE) + 1},1,0\n")
        recording.write_text(recording.read_text().replace("[Common Infos]\n", f"[Common Infos]\nMarkerFile={recording.stem}.vmrk\n"))
        for name, start in (("marked", ("--marker", "Stimulus/go")), ("offset", ("--audio-offset", "7.5"))):
            self.heed("live", f"replay:{recording}", *self.model, *self.sounds, *start, "--speed", "max", "--out", f"tsv:{name}.tsv")
        self.assertEqual(self.read("marked.tsv"), self.read("offset.tsv"))
        self.assertEqual(self.read_table("marked.tsv").rows[0][0], "7.5")
        self.refused(2, "live", f"replay:{recording}", *self.model, says=("brings EEG alone", "name a sound file"))
        self.refused(2, "live", f"replay:{recording}?seed=2", *self.model, *self.sounds, says="in a BIDS folder only")
        self.refused(69, "live", "replay:set/dataset_description.json", *self.model, says="dataset_description.json")

    def test_a_marker_that_never_comes_is_told(self):
        self.live(self.header() + self.lines(), *self.sounds, "--marker", "go", "--out", "ndjson:out.ndjson")
        self.assertEqual(self.read("out.ndjson"), "")
        self.assertIn("the marker 'go', which starts the sound files, did not come", self.said)

    def test_markers_tell_attention(self):
        eeg = self.lines(**self.envelopes).splitlines(keepends=True)
        marks = [json.dumps({"t": t, "marker": text}) + "\n" for t, text in ((0, "look_left"), (15.0, "other"), (20.0, "look_right"))]
        text = self.header(envelope_rate=RATE) + marks[0] + "".join(eeg[:70]) + marks[1] + marks[2] + "".join(eeg[70:])
        self.live(text, "--attend", "look_left=left", "--attend", "look_right=right", "--out", "tsv:live.tsv")
        self.assertEqual(self.read_table("live.tsv")["attended"], ["left"] * 20 + ["right"] * 20)
        self.refused(2, "live", "-", *self.model, "--attend", "a=nobody", stdin=text.encode(), says=("'nobody'", "not one of the speakers"))
        self.refused(2, "live", "-", *self.model, "--attend", "left", stdin=text.encode(), says="MARKER=SPEAKER")

    def test_a_stream_that_is_sent_at_once_still_calibrates(self):
        text = self.header(envelope_rate=RATE) + self.lines(**self.envelopes)
        self.heed("live", "-", "--calibrate", "30", "--save-decoder", "own.json", stdin=text.encode())
        self.heed("live", "-", "--model", "own.json", stdin=text.encode())

    def test_why_nothing_was_decided_is_told(self):
        good = self.header(envelope_rate=RATE) + self.lines(**self.envelopes)
        ahead = self.header(envelope_rate=RATE)
        for line in map(json.loads, self.lines(**self.envelopes).splitlines()):
            ahead += json.dumps({"t": line["t"], "eeg": line["eeg"]}) + "\n"
            ahead += json.dumps({"t": line["t"] + 1e9, "envelope": line["envelope"]}) + "\n"
        for text, arguments, words in ((good, ("--rail", "1e-3"), "missing in every window, beyond the rail"),
                                       (ahead, (), "the sound of 'left' at the time of the EEG (by their stamps they are 1e+09 s apart)")):
            with self.subTest(words=words):
                self.live(text, *arguments)
                self.assertIn(words, self.said)
                self.assertIn("nothing was decided", self.said)

    def test_units_that_mean_microvolts(self):
        for unit in ("\u00b5V", "\u03bcV", "microvolts", "uv"):
            self.live(self.header(envelope_rate=RATE, unit=unit) + self.lines(**self.envelopes), "--out", "tsv:live.tsv")
            self.assertEqual([row[:4] for row in self.read_table("live.tsv").rows], [row[:4] for row in self.read_table("offline.tsv").rows])

    def test_names_that_are_not_utf_8(self):
        recording = next((self.folder / "set").rglob("*_run-01_eeg.vhdr"))
        sounds = [word.replace("left=", os.fsdecode(b"J\xfcrgen=")) for word in self.sounds]
        result = self.run_heed("live", f"replay:{recording}", *self.model, *sounds, "--speed", "max", "--out", "ndjson:-")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(b"write the name in UTF-8", result.stderr)

    def test_an_amplifier_at_its_end_was_not_recorded(self):
        for row in self.eeg[10 * RATE:13 * RATE]:
            row[0] = 262144.0
        text = self.header(envelope_rate=RATE) + self.lines(**self.envelopes)
        report = json.loads(self.live(text, "--json"))
        self.assertIn(report["held"], (3, 4))  # the window after it may see the last of it through the lags
        self.assertEqual(json.loads(self.live(text, "--rail", "300000", "--json"))["held"], 0)

    def test_electrodes_that_are_off_are_told(self):
        for row in self.eeg[10 * RATE:14 * RATE]:
            row[:] = [0.0] * len(CHANNELS)
        report = json.loads(self.live(self.header(envelope_rate=RATE) + self.lines(**self.envelopes), "--json"))
        self.assertGreaterEqual(report["clock"]["flat_samples"], 3 * RATE)
        self.assertGreaterEqual(report["held"], 3)

    def test_talkers_of_different_rates(self):
        # The mean of two samples lies between them; both envelopes describe the same sound.
        right = self.envelopes["right"]
        lines = self.lines(**{"left": self.envelopes["left"]}).splitlines()
        text = self.header(envelope_rate={"left": RATE, "right": RATE // 2})
        for k, line in enumerate(lines):
            one = json.loads(line)
            one["envelope"]["right"] = [right[t] for t in range(16 * k, 16 * (k + 1), 2)]
            text += json.dumps(one) + "\n"
        rows = self.decisions(text)
        self.assertEqual(len(rows), SECONDS)
        self.assertEqual({row["decision"] for row in rows[5:]}, {"left"})

    def test_a_talker_that_ends_leaves_windows_without_evidence(self):
        self.write("short.tsv", "envelope\n" + "".join(f"{x}\n" for x in self.envelopes["right"][:20 * RATE]))
        self.write("short.json", json.dumps({"SamplingFrequency": RATE}))
        rows = self.decisions(self.header() + self.lines(), "--audio", "left=set/stimuli/run1-left.tsv", "--audio", "right=short.tsv")
        self.assertEqual([row["state"] for row in rows[:20]], ["tracking"] * 20)
        self.assertEqual({row["state"] for row in rows[22:]}, {"unknown"})
        self.assertEqual(len(rows), SECONDS)

    def test_signals_that_do_not_fit(self):
        good = self.lines(**self.envelopes)
        for keys, words in [
                (dict(channels=["A", "B"], envelope_rate=RATE), "Fz"),
                (dict(unit="V", envelope_rate=RATE), "send it in uV"),
                (dict(envelope_rate={"left": RATE}), "no rate for 'right'")]:
            with self.subTest(keys=keys):
                result = self.run_heed("live", "-", *self.model, stdin=(self.header(**keys) + good).encode())
                said = result.stderr.decode()
                self.assertIn(result.returncode, (2, 65, 69), said)
                self.assertEqual(said.count("\n"), 1, said)
                for word in [words] if isinstance(words, str) else words:
                    self.assertIn(word, said)
        result = self.run_heed("live", "-", *self.model, stdin=(self.header() + good).encode())
        self.assertIn(b"name a sound file", result.stderr)
        result = self.run_heed("live", "-", *self.model, *self.sounds, stdin=(self.header(envelope_rate=RATE) + good).encode())
        self.assertIn(b"needs no sound files", result.stderr)

    def test_a_sender_that_goes_in_the_middle_of_a_line(self):
        """Decisions up to then stay; a reset connection is told like a line that is cut."""
        text = (self.header(envelope_rate=RATE) + self.lines(**self.envelopes)).encode()
        for reset in (False, True):
            table = f"live-{reset}.tsv"
            with self.subTest(reset=reset), socket.create_server(("127.0.0.1", 0)) as server:
                process = subprocess.Popen([PROGRAM, "live", f"tcp://127.0.0.1:{server.getsockname()[1]}?connect=1", *self.model,
                                            "--out", f"tsv:{table}"], cwd=self.folder, stderr=subprocess.PIPE)
                self.addCleanup(process.kill)
                server.settimeout(PATIENCE)
                peer, _ = server.accept()
                peer.sendall(text[:len(text) // 2])
                self.wait_for_rows(table, 15)
                if reset:
                    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                peer.close()
                _, said = process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, 74 if reset else 65, said)
                self.assertIn(b"tcp://127.0.0.1", said)
                self.assertIn(b"reset" if reset else b"in the middle of this line", said)
                self.assertGreaterEqual(len(self.read_table(table).rows), 15)

    def wait_for_rows(self, name, count):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            path = self.folder / name
            if path.exists() and len(path.read_text().splitlines()) > count:
                return
            time.sleep(0.02)
        self.fail(f"{name} has no {count} rows")

    def test_places_that_may_not_be_written(self):
        if os.geteuid() != 0:
            user = {}
        else:  # the administrator may write everywhere
            user = dict(user=65534, group=65534, extra_groups=[])
            if not all(os.stat(p).st_mode & 1 for p in (PROGRAM, *map(str, __import__("pathlib").Path(PROGRAM).resolve().parents))):
                self.skipTest("nobody else may run the program")
        closed = self.folder / "closed"
        closed.mkdir()
        closed.chmod(0o555)
        self.folder.chmod(0o755)
        stream = (self.header(envelope_rate=RATE) + self.lines(**self.envelopes)).encode()
        for arguments, code in ((("--out", "tsv:closed/live.tsv"), 73), (("--out", "ndjson:closed/live.ndjson"), 73),
                                (("--record", "closed/kept"), 73)):
            with self.subTest(arguments=arguments):
                result = self.run_heed("live", "-", *self.model, *arguments, stdin=stream, **user)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(b"ermission denied", result.stderr)
        result = self.run_heed("live", "unix:closed/in.sock", *self.model, **user)
        self.assertIn(result.returncode, (73, 74, 77), result.stderr)
        self.assertIn(b"ermission denied", result.stderr)


class ActiView(SignalTest):
    """A server that sends what BioSemi's does: 24-bit samples, Status at the end, no header."""

    def serve(self, eeg, trigger_at):
        server = socket.create_server(("127.0.0.1", 0))
        server.settimeout(PATIENCE)
        self.addCleanup(server.close)

        def send():
            peer, _ = server.accept()
            with peer:
                for t in range(0, len(eeg), 4):
                    block = b""
                    for n in range(t, min(t + 4, len(eeg))):
                        status = 0x100000 | (254 if n == trigger_at else 0)  # CMS in range
                        for value in (*(round(32 * x) for x in eeg[n]), status):
                            block += struct.pack("<i", value)[:3]
                    peer.sendall(block)
                    time.sleep(4 / RATE / 20)

        sender = threading.Thread(target=send)
        sender.start()
        self.addCleanup(sender.join)
        return f"biosemi://127.0.0.1:{server.getsockname()[1]}?channels={len(CHANNELS)}&rate={RATE}&status=1&cap={','.join(CHANNELS)}"

    def test_a_trigger_starts_the_sounds(self):
        before = 5 * RATE
        seconds = 12  # few, and fast: after five seconds the rate is checked
        address = self.serve([self.eeg[0]] * before + self.eeg[:seconds * RATE], before)
        process = subprocess.Popen([PROGRAM, "live", address, *self.model, *self.sounds, "--marker", "254", "--out", "ndjson:live.ndjson",
                                    "--json"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        rows = []
        deadline = time.monotonic() + PATIENCE
        while len(rows) < seconds - 1 and time.monotonic() < deadline and process.poll() is None:
            path = self.folder / "live.ndjson"
            rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
            time.sleep(0.05)
        process.send_signal(2)  # the server is gone; nobody waits for it to come back
        stdout, said = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, said)
        report = json.loads(stdout)
        self.assertEqual(report["stream"]["channels"], len(CHANNELS))
        self.assertEqual(rows[0]["t"], 6)
        self.assertEqual({row["decision"] for row in rows[5:]}, {"left"})

    def test_addresses_that_say_too_little(self):
        self.refused(2, "live", "biosemi://127.0.0.1:1", *self.model, says="give channels and rate")
        self.refused(2, "live", "biosemi://127.0.0.1:1?channels=8&rate=64&cap=A,B", *self.model, says="cap names 2 channels")
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        self.refused(74, "live", f"biosemi://127.0.0.1:{port}?channels=8&rate=64", *self.model, *self.sounds,
                     says=("refused", "ActiView's TCP server must be started"))


if __name__ == "__main__":
    unittest.main()
