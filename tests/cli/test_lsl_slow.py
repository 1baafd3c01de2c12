# SPDX-License-Identifier: MIT
"""A round trip through the real library on this machine: 64 channels at 512 Hz for a minute, nothing lost, and posteriors
received with the right stamps. The other end is ctypes and the C interface, not heed's code. `./dev test --all` fetches the
library; where it is not, the test says so."""
import array
import ctypes
import json
import os
import pathlib
import subprocess
import threading
import time
import unittest

import xdf_reader
from heed_program import PROGRAM, HeedTest

LIBRARY = pathlib.Path(os.environ.get("HEED_REAL_LSL_LIB", "/nowhere"))
SIMULATED = "simulated:?duration=60&switch-every=20&channels=64&rate=512"
CONFIGURATION = "[ports]\nIPv6 = disable\n[multicast]\nResolveScope = machine\n[lab]\nKnownPeers = {127.0.0.1}\n"


class Lsl:
    """The few functions that the test needs."""

    def __init__(self):
        self.c = ctypes.CDLL(str(LIBRARY))
        self.c.lsl_local_clock.restype = ctypes.c_double
        for name in ("lsl_create_streaminfo", "lsl_get_desc", "lsl_append_child", "lsl_append_child_value", "lsl_create_outlet",
                     "lsl_create_inlet"):
            getattr(self.c, name).restype = ctypes.c_void_p
        self.c.lsl_pull_sample_f.restype = ctypes.c_double

    def outlet(self, name, kind, labels, rate):
        c, text = self.c, ctypes.c_char_p
        info = ctypes.c_void_p(c.lsl_create_streaminfo(text(name.encode()), text(kind.encode()), len(labels), ctypes.c_double(rate), 1,
                                                       text(f"test-{name}".encode())))
        channels = ctypes.c_void_p(c.lsl_append_child(ctypes.c_void_p(c.lsl_get_desc(info)), text(b"channels")))
        for label in labels:
            channel = ctypes.c_void_p(c.lsl_append_child(channels, text(b"channel")))
            c.lsl_append_child_value(channel, text(b"label"), text(label.encode()))
            c.lsl_append_child_value(channel, text(b"unit"), text(b"microvolts"))
        return ctypes.c_void_p(c.lsl_create_outlet(info, 0, 360))

    def push(self, outlet, values, stamp):
        self.c.lsl_push_chunk_ftp(outlet, (ctypes.c_float * len(values)).from_buffer(values), ctypes.c_ulong(len(values)),
                                  ctypes.c_double(stamp), 1)

    def inlet(self, name):
        infos = (ctypes.c_void_p * 8)()
        while self.c.lsl_resolve_byprop(infos, 8, ctypes.c_char_p(b"name"), ctypes.c_char_p(name.encode()), 1, ctypes.c_double(2)) < 1:
            pass
        return ctypes.c_void_p(self.c.lsl_create_inlet(ctypes.c_void_p(infos[0]), 360, 0, 1))


@unittest.skipUnless(LIBRARY.exists(), f"{LIBRARY} is not there: ./dev test --all fetches it by npm")
class RoundTrip(HeedTest):
    def test_a_minute_of_64_channels(self):
        self.heed("live", SIMULATED, "--speed", "max", "--record", "demo.xdf")
        self.heed("convert", "xdf", "demo.xdf", "bids")
        self.heed("train", "bids", "--filters", "causal", "-o", "decoder.json")
        streams, _ = xdf_reader.read(self.folder / "demo.xdf")
        os.environ["LSLAPICFG"] = str(self.folder / self.write("lsl.cfg", CONFIGURATION))
        lsl = Lsl()
        lanes = []
        for name, kind in (("heed-eeg", "EEG"), ("heed-audio-left", "Audio"), ("heed-audio-right", "Audio")):
            stream = streams[name]
            values = array.array("f", [value for row in stream.rows for value in row])
            lanes.append((lsl.outlet(f"sent-{name}", kind, stream.labels, stream.rate), values, int(stream.rate), len(stream.labels)))
        process = subprocess.Popen([PROGRAM, "live", "lsl:sent-heed-eeg?timeout=60", "--model", "decoder.json", "--out", "lsl", "--out",
                                    "ndjson:live.ndjson", "--json", "--lsl-lib", str(LIBRARY)], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        received = []
        receiver = threading.Thread(target=self.receive, args=(lsl, received, process), daemon=True)
        receiver.start()
        inlet_is_there = time.monotonic() + 30
        while not lsl.c.lsl_have_consumers(lanes[0][0]) and time.monotonic() < inlet_is_there:
            time.sleep(0.1)
        time.sleep(5)  # until heed's outlets were found
        start = lsl.c.lsl_local_clock() + 0.1
        for tick in range(1200):  # a minute in pieces of 50 ms
            while lsl.c.lsl_local_clock() < start + 0.05 * (tick + 1):
                time.sleep(0.002)
            for outlet, values, rate, channels in lanes:
                first, last = int(rate * 0.05 * tick + 0.5), int(rate * 0.05 * (tick + 1) + 0.5)
                piece = array.array("f", values[first * channels:last * channels])
                if piece:
                    lsl.push(outlet, piece, start + (last - 1) / rate)
        out, said = process.communicate(timeout=120)  # 30 s after the last sample the stream has ended
        self.assertEqual(process.returncode, 0, said)
        receiver.join(10)
        report = json.loads(out)
        self.assertEqual((report["clock"]["gaps"], report["clock"]["lost_samples"], report["source"]["dropped"]), (0, 0, 0))
        rows = [row for row in map(json.loads, self.read("live.ndjson").splitlines()) if row["state"] == "tracking"]
        self.assertGreaterEqual(len(rows), 55)
        sent = {row["t"]: row["posterior"] for row in rows}
        matched, off, different = 0, 0.0, 0.0
        for stamp, values in received:
            nearest = min(sent, key=lambda t: abs(t - stamp))
            if abs(nearest - stamp) < 0.002:
                matched += 1
                off = max(off, abs(nearest - stamp))
                different = max(different, *(abs(a - b) for a, b in zip(sent[nearest], values)))
        # Windows end where the stream's seconds end, on this machine's clock.
        late = max(abs((t - start) - round(t - start)) for t in sent)
        print(f"liblsl: {len(lanes[0][1]) // 64} samples of 64 channels sent, {report['clock']['lost_samples']} lost; {len(rows)} windows,"
              f" {matched} posteriors received, stamps off by {1e6 * off:.2g} us and values by {different:.2g} at most; windows end within"
              f" {1e3 * late:.2g} ms of the stream's seconds")
        self.assertGreaterEqual(matched, len(rows) - 1)
        self.assertLess(off, 1e-4)
        self.assertLess(different, 1e-6)
        self.assertLess(late, 0.02)

    @staticmethod
    def receive(lsl, received, process):
        inlet = lsl.inlet("heed-posterior")
        values, failure = (ctypes.c_float * 2)(), ctypes.c_int32()
        while process.poll() is None:
            stamp = lsl.c.lsl_pull_sample_f(inlet, values, 2, ctypes.c_double(0.5), ctypes.byref(failure))
            if stamp:
                received.append((stamp, list(values)))


if __name__ == "__main__":
    unittest.main()
