# SPDX-License-Identifier: MIT
"""heed live as post-processor of somebody else's decoder: NDJSON by pipes and sockets, peers that misbehave."""
import json
import math
import random
import signal
import socket
import subprocess
import threading
import unittest

import oracle
from heed_program import BY_HAND, PATIENCE, PROGRAM, HeedTest, speaker_names


def header(speakers, **keys):
    return json.dumps({"speakers": speaker_names(speakers), **keys}) + "\n"


def score_lines(rows, window=1.0):
    """None is a missing window."""
    speakers = len(next(row for row in rows if row is not None))
    return "".join(json.dumps({"t": (k + 1) * window, "scores": row or [None] * speakers}) + "\n" for k, row in enumerate(rows))


def random_scores(seed, windows, speakers, missing=()):
    stream = random.Random(seed)
    return [None if t in missing else [math.tanh(stream.gauss(0.4 if j == 3 * t // windows % speakers else 0.0, 0.3))
                                       for j in range(speakers)] for t in range(windows)]


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


class Listener:
    """A socket of this machine that heed connects to."""

    def __init__(self, test):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.socket.settimeout(PATIENCE)
        test.addCleanup(self.socket.close)
        self.address = f"tcp://127.0.0.1:{self.socket.getsockname()[1]}"

    def accept(self):
        peer, _ = self.socket.accept()
        peer.settimeout(PATIENCE)
        return peer


class LiveStreamTest(HeedTest):
    def model(self, speakers=2):
        """A model given by hand, as a file."""
        self.write_scores("for_model.tsv", random_scores(9, 30, speakers))
        self.heed("track", "for_model.tsv", *BY_HAND, "--save-model", "model.json", "-o", "unused.tsv")
        return ("--scores", "--tracking", "model.json")

    def start(self, *arguments, **options):
        process = subprocess.Popen([PROGRAM, "live", *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, **options)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process


class Scores(LiveStreamTest):
    def test_posteriors_are_those_of_track_to_the_last_bit(self):
        for speakers in (2, 3, 64):
            with self.subTest(speakers=speakers):
                rows = random_scores(speakers, 80, speakers, missing=(0, 7, 8, 40))
                self.write_scores("s.tsv", rows)
                model = self.model(speakers)
                self.heed("track", "s.tsv", "--model", "model.json", "--method", "causal", "--digits", "17", "-o", "offline.tsv")
                offline = self.read_table("offline.tsv")
                out = lines_of(self.heed("live", "-", *model, "--out", "ndjson:-", stdin=(header(speakers) + score_lines(rows)).encode()))
                self.assertEqual([line["posterior"] for line in out], offline.numbers(*speaker_names(speakers)))
                self.assertEqual([line["decision"] for line in out], offline["decision"])
                self.assertEqual([line["t"] for line in out], [k + 1 for k in range(80)])
                for line in out:
                    self.assertEqual(list(line), ["t", "posterior", "decision", "gains_db", "state"])
                    self.assertEqual(len(line["gains_db"]), speakers)

    def test_log_likelihoods_against_the_oracle(self):
        stream = random.Random(4)
        rows = [[stream.gauss(0, 2) for _ in range(4)] for _ in range(50)]
        text = header(4) + "".join(json.dumps({"log_likelihoods": row}) + "\n" for row in rows)
        out = lines_of(self.heed("live", "-", "--scores", "-p", "0.03", "--out", "-", stdin=text.encode()))
        expected = oracle.Hmm(oracle.sticky(4, 0.03), rows).causal()
        self.assert_close([line["posterior"] for line in out], expected, 1e-9)

    def test_no_line_is_lost_between_pipes(self):
        rows = random_scores(3, 5000, 2)
        out = lines_of(self.heed("live", "-", *self.model(), "--out", "-", stdin=(header(2) + score_lines(rows)).encode()))
        self.assertEqual([line["t"] for line in out], [k + 1 for k in range(5000)])

    def test_files_sockets_and_several_sinks_say_the_same(self):
        rows = random_scores(1, 40, 2)
        model = self.model()
        receiver = Listener(self)
        heard = []

        def listen():
            with receiver.accept() as peer, peer.makefile("rb") as lines:
                heard.extend(lines)

        reader = threading.Thread(target=listen)
        reader.start()
        path = self.folder / "in.sock"
        process = self.start(f"unix:{path}", *model, "--out", "ndjson:out.ndjson", "--out", receiver.address, "--json")
        sender = socket.socket(socket.AF_UNIX)
        while True:  # it may not listen yet
            try:
                sender.connect(str(path))
                break
            except (FileNotFoundError, ConnectionRefusedError):
                self.assertIsNone(process.poll(), "heed has ended")
        sender.sendall((header(2) + score_lines(rows)).encode())
        sender.close()
        stdout, stderr = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, stderr.decode())
        reader.join()
        self.assertEqual(b"".join(heard).decode(), self.read("out.ndjson"))
        self.assertEqual(len(heard), 40)
        summary = json.loads(stdout)
        self.assertEqual(summary["windows"], 40)
        self.assertEqual(summary["sinks"]["dropped"], 0)
        self.assertFalse(path.exists())


class BadInput(LiveStreamTest):
    def test_streams_that_are_wrong(self):
        good = header(2) + score_lines([[0.1, 0.2]])
        model = self.model()
        for text, words in [
                ("", "ended before its first line"),
                ("hello\n", "line 1, column 1"),
                (good + '{"t":2,"scores":[0.1,NaN]}\n', "line 3, column 22: 'NaN' where a number should be"),
                (good + '{"t":2,"scores":[.1,0]}\n', "line 3, column 18: '.1' where a number should be; JSON wants a digit before the point"),
                (good + '{"t":2,"scores":[0.1]}\n', "1 values for 2 speakers"),
                (good + '{"t":2,"sc', "in the middle of this line"),
                (good + '{"t":2,"likelihoods":[1,2]}\n', "a line has no key 'likelihoods'"),
                (good + "x" * (5 << 20), "is longer than"),
                (header(2, rate=64, channels=["Fz"], audio_rate=8000), "the stream holds EEG, but scores are expected")]:
            with self.subTest(words=words):
                result = self.run_heed("live", "-", *model, "--out", "ndjson:-", stdin=text.encode())
                said = result.stderr.decode()
                self.assertEqual(result.returncode, 65, said)
                self.assertIn("standard input", said)
                self.assertIn(words, said)
                # What was decided before is not lost.
                self.assertEqual(len(lines_of(result.stdout.decode())), 1 if text.startswith(good) else 0)

    def test_addresses_that_cannot_be_opened(self):
        model = self.model()
        taken = Listener(self).address
        free = socket.create_server(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        self.refused(74, "live", taken, *model, says=(taken, "in use", "another address"))
        self.refused(74, "live", f"tcp://127.0.0.1:{port}?connect=1", *model, says=("refused", "start the other end first"))
        self.refused(66, "live", "unix:absent.sock?connect=1", *model, says="start the program")
        self.refused(66, "live", "tcp://host.invalid:1?connect=1", *model, says="check its name")
        stream = (header(2) + score_lines([[0.1, 0.2]])).encode()
        self.refused(74, "live", "-", *model, "--out", f"tcp://127.0.0.1:{port}", stdin=stream, says="refused")
        self.refused(74, "live", "-", *model, "--out", f"mha://127.0.0.1:{port}/mha.gain.gains", stdin=stream, says="refused")
        self.refused(73, "live", "-", *model, "--out", "ndjson:absent/out.ndjson", stdin=stream, says="folder that exists")
        self.refused(2, "live", "tcp://127.0.0.1", *model, says="host or port is missing")

    def test_a_full_disk_is_told_at_the_end(self):
        stream = (header(2) + score_lines(random_scores(2, 20, 2))).encode()
        ended = self.run_heed("live", "-", *self.model(), "--out", "ndjson:/dev/full", stdin=stream)
        self.assertEqual(ended.returncode, 74, ended.stderr)
        summary, error = ended.stderr.decode().splitlines()
        self.assertIn("20 windows", summary)
        self.assertTrue(error.startswith("heed: ndjson:/dev/full: "), error)


class Peers(LiveStreamTest):
    def test_ctrl_c_ends_a_session_whose_sender_is_silent(self):
        sender = Listener(self)
        process = self.start(sender.address + "?connect=1", *self.model(), "--out", "ndjson:-", "--json")
        peer = sender.accept()
        self.addCleanup(peer.close)
        peer.sendall((header(2) + score_lines([[0.1, 0.2], [0.3, 0.1]])).encode())
        first = process.stdout.readline()
        self.assertEqual(json.loads(first)["t"], 1)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, stderr.decode())
        self.assertIn('"stopped": true', stdout.decode())

    def test_a_receiver_that_does_not_read_delays_nobody(self):
        receiver = Listener(self)
        process = self.start("-", *self.model(), "--out", receiver.address, "--out", "ndjson:out.ndjson",
                             stdin=subprocess.PIPE)
        count = 20000
        lines = (header(2) + score_lines([[0.1, 0.2]] * count)).encode().splitlines(keepends=True)
        process.stdin.write(b"".join(lines[:2]))  # sinks are opened when it is known what comes
        process.stdin.flush()
        peer = receiver.accept()  # and never reads
        self.addCleanup(peer.close)
        process.communicate(b"".join(lines[2:]), timeout=PATIENCE)
        last = self.read("out.ndjson").splitlines()[-1]
        self.assertEqual(json.loads(last)["t"], count)

    def test_openmha_gets_gains_and_its_refusal_is_told(self):
        mha = Listener(self)
        process = self.start("-", *self.model(), "--out", f"mha{mha.address[3:]}/mha.gain.gains", stdin=subprocess.PIPE)
        process.stdin.write((header(2) + score_lines([[0.9, -0.9]])).encode())
        process.stdin.flush()
        peer = mha.accept()
        self.addCleanup(peer.close)
        commands = peer.makefile("rb")
        self.addCleanup(commands.close)
        command = commands.readline().decode()
        self.assertRegex(command, r"^mha\.gain\.gains=\[-?[\d.]+ -?[\d.]+\]\n$")
        peer.sendall(b"no such variable\n(MHA:failure)\n")
        _, stderr = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 74, stderr.decode())
        self.assertIn("openMHA refused the gains: no such variable", stderr.decode())


if __name__ == "__main__":
    unittest.main()
