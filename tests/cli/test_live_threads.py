# SPDX-License-Identifier: MIT
"""Whole live sessions for ThreadSanitizer: every thread there is at once, in one program. It ends a program in which two threads
touch the same memory unawares with an exit code of its own, and its report is shown."""
import contextlib
import json
import signal
import socket
import subprocess
import threading
import time
import unittest
import urllib.request

from heed_program import PATIENCE, PROGRAM, HeedTest
from test_osc import free_port, message

SIMULATED = "simulated:?duration=90&switch-every=15&channels=19&rate=64"
NEW_LINE = b"\n"
PARAMETERS = ({"switch_probability": 0.05}, {"paused": True}, {"suppressed": -6}, {"paused": False}, {"switch_probability": 0.01})


class Crowd:
    """Everybody who talks to a session while it runs: viewers, a listener, those who change parameters by page and by OSC."""

    def __init__(self, url, osc=None):
        self.url = url
        self.osc = osc
        self.over = threading.Event()
        self.came = {"events": 0, "sound": 0, "changes": 0}
        works = [lambda: self.follow("events"), lambda: self.follow("events"), lambda: self.follow("sound"), self.change]
        self.threads = [threading.Thread(target=work) for work in works]
        for thread in self.threads:
            thread.start()

    def follow(self, path):
        while not self.over.is_set():
            # Where there is no session at the moment, or no sound, the viewer comes again.
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.url}/{path}", timeout=5) as stream:
                while not self.over.is_set() and stream.read(512):
                    self.came[path] += 1
            time.sleep(0.05)

    def change(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            for number in range(10**6):
                if self.over.wait(0.05):
                    return
                self.post("parameters", PARAMETERS[number % len(PARAMETERS)])
                if self.osc:
                    sender.sendto(message("/heed/gain-range", "ff", -9 + number % 3, 0), ("127.0.0.1", self.osc))
                    sender.sendto(message("/heed/attended", "s", ("left", "right")[number % 2]), ("127.0.0.1", self.osc))

    def post(self, path, body):
        request = urllib.request.Request(f"{self.url}/{path}", json.dumps(body).encode(),
                                         {"Content-Type": "application/json", "Origin": self.url})
        with contextlib.suppress(OSError), urllib.request.urlopen(request, timeout=5) as answer:
            self.came["changes"] += answer.status == 200

    def end(self):
        self.over.set()
        for thread in self.threads:
            thread.join()


class Threads(HeedTest):
    def session(self, *arguments, osc=None, visit=None):
        """Runs to its end, or to that of the visit, in a crowd. Gives how much came to it."""
        process = subprocess.Popen([PROGRAM, "live", *map(str, arguments), "--page", "0"], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        said = ""
        while "The page is at" not in said:
            line = process.stderr.readline()
            self.assertTrue(line, said)
            said += line
        crowd = Crowd(said.split()[-1].rstrip("/"), osc)
        try:
            if visit:
                visit(crowd)
                process.send_signal(signal.SIGINT)
            said += process.communicate(timeout=PATIENCE)[1]
        finally:
            crowd.end()
        self.assertEqual(process.returncode, 0, said)
        self.assertNotIn("ThreadSanitizer", said)
        self.assertGreater(crowd.came["events"], 0)
        return crowd.came

    def receiver(self, answer=b""):
        """Takes what comes over TCP, and answers as openMHA would."""
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)

        def take():
            with contextlib.suppress(OSError):
                peer, _ = server.accept()
                with peer:
                    while peer.recv(4096):
                        peer.sendall(answer)

        threading.Thread(target=take, daemon=True).start()
        return f"127.0.0.1:{server.getsockname()[1]}"

    def sinks(self):
        outputs = ("ndjson:out.ndjson", "tsv:out.tsv", f"tcp://{self.receiver()}", f"osc://127.0.0.1:{free_port()}/heed/gain",
                   f"mha://{self.receiver(b'(MHA:success)' + NEW_LINE)}/mha.gain.gains")
        return [argument for output in outputs for argument in ("--out", output)]

    def test_calibration_with_every_sink_and_a_recording(self):
        osc = free_port()
        came = self.session(SIMULATED, "--calibrate", 30, "--save-decoder", "trained.json", "--record", "kept.xdf", "--lag", 5, "--speed",
                            10, "--osc-in", osc, *self.sinks(), osc=osc)
        self.assertGreater(came["changes"], 0)
        # The recording is replayed with the decoder that was trained, into a recording of the other kind.
        self.session("replay:kept.xdf", "--model", "trained.json", "--speed", 20, "--record", "again", *self.sinks())
        self.assertIn("0 errors", self.heed("validate", "again"))

    def test_a_decoder_that_learns_while_it_listens(self):
        for recorded in ("first", "second.xdf"):  # the second session goes on from what the first learnt
            self.session(SIMULATED, "--adapt", "on", "--save-decoder", "learnt.json", "--speed", 20, "--record", recorded, *self.sinks())

    def test_a_demonstration_with_visitors(self):
        wishes = ({"attend": 1}, {"lose_eeg": True}, {"talkers": 3}, {"attend": 2}, {"listener": "hard"}, {"attend": 0})

        def visit(crowd):
            end = time.monotonic() + PATIENCE
            while crowd.came["sound"] < 20 and time.monotonic() < end:
                time.sleep(0.1)
            for wish in wishes:
                crowd.post("demo", wish)
                time.sleep(2)

        came = self.session("--demo", "--no-browser", "--speed", 1, visit=visit)
        self.assertGreaterEqual(came["sound"], 20)


if __name__ == "__main__":
    unittest.main()
