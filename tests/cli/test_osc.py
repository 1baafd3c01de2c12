# SPDX-License-Identifier: MIT
"""OSC out and in, against a peer that knows nothing of heed's: messages made and read by hand."""
import json
import shutil
import socket
import struct
import subprocess
import time
import unittest

from heed_program import PATIENCE, PROGRAM, HeedTest

SCORES = ("live", "-", "--scores")
FIRST_LINE = b'{"speakers":["left","right"]}\n'
SIMULATED = "simulated:?duration=40&switch-every=20&channels=19&rate=64"


def text(value):
    data = value.encode()
    return data + b"\0" * (4 - len(data) % 4)


def message(address, types, *values):
    packed = b"".join(text(value) if kind == "s" else struct.pack(">" + kind, value) for kind, value in zip(types, values))
    return text(address) + text("," + types) + packed


def parsed(packet):
    """Address, types, values."""
    def take(at):
        end = packet.index(b"\0", at)
        return packet[at:end].decode(), (end // 4 + 1) * 4

    address, at = take(0)
    types, at = take(at)
    assert types[0] == ","
    assert len(packet) == at + 4 * (len(types) - 1)
    return address, types[1:], struct.unpack_from(f">{len(types) - 1}f", packet, at)


def single(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def receiver(test):
    peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    peer.bind(("127.0.0.1", 0))
    peer.settimeout(PATIENCE)
    test.addCleanup(peer.close)
    return peer, peer.getsockname()[1]


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer:
        peer.bind(("127.0.0.1", 0))
        return peer.getsockname()[1]


class ScoresTest(HeedTest):
    def scored(self, output):
        """heed on 30 scores, slow enough for a queue of one place."""
        process = subprocess.Popen([PROGRAM, "live", "-", "--scores", "--switch-probability", "0.1", "--out", output, "--out",
                                    "ndjson:out.ndjson"], cwd=self.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(b'{"speakers":["left","right"]}\n')
        for t in range(1, 31):
            process.stdin.write(b'{"t":%d,"scores":[%d,%d]}\n' % (t, t < 15, t >= 15))
            process.stdin.flush()
            time.sleep(0.02)
        return process


class Out(ScoresTest):
    def sent(self, path):
        """What heed sends to the path, and its decisions; attention moves in the middle."""
        peer, port = receiver(self)
        process = self.scored(f"osc://127.0.0.1:{port}{path}")
        packets = [peer.recv(4096)]
        _, said = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, said)
        peer.settimeout(0.2)
        try:
            while True:
                packets.append(peer.recv(4096))
        except TimeoutError:
            pass
        return packets, [json.loads(line) for line in self.read("out.ndjson").splitlines()]

    def test_all_gains_in_one_message_of_the_same_size(self):
        packets, rows = self.sent("/heed/gain")
        self.assertEqual({len(packet) for packet in packets}, {len(text("/heed/gain")) + len(text(",ff")) + 8})
        singles = [tuple(single(gain) for gain in row["gains_db"]) for row in rows]
        for packet in packets:
            address, types, values = parsed(packet)
            self.assertEqual((address, types), ("/heed/gain", "ff"))
            self.assertIn(values, singles)
        self.assertEqual(parsed(packets[-1])[2], singles[-1])

    def test_one_message_per_speaker(self):
        packets, rows = self.sent("/scene/{speaker}/0/gain")
        last = {address: values for address, _, values in map(parsed, packets)}
        self.assertEqual(sorted(last), ["/scene/left/0/gain", "/scene/right/0/gain"])
        for speaker, gain in zip(("left", "right"), rows[-1]["gains_db"]):
            self.assertEqual(last[f"/scene/{speaker}/0/gain"], (single(gain),))

    def test_the_posterior_or_the_number_of_who_is_attended(self):
        packets, rows = self.sent("/heed/posterior?send=posterior")
        self.assertEqual(parsed(packets[-1])[2], tuple(single(p) for p in rows[-1]["posterior"]))
        packets, rows = self.sent("/heed/talker?send=decision")
        self.assertEqual(parsed(packets[-1]), ("/heed/talker", "f", (float(rows[-1]["decision"] == "right"),)))
        packets, rows = self.sent("/angle?send=decision&numbers=12,60")
        self.assertEqual({parsed(packet)[2] for packet in packets}, {(12.0,), (60.0,)})

    def test_what_cannot_be_sent(self):
        for path, words in (("/x?send=all", "gains, posterior or decision"), ("/x?numbers=1,2", "need send=decision"),
                            ("/{speaker}?send=decision", "leave {speaker} out"),
                            ("/x?send=decision&numbers=1", "each of the 2 speakers"),
                            ("/x?send=decision&numbers=1,two", "each of the 2 speakers"), ("/{talker}", "OSC address")):
            self.refused(2, *SCORES, "--out", f"osc://127.0.0.1:9999{path}", says=words, stdin=FIRST_LINE)

    def test_nobody_who_listens_is_no_error(self):
        self.heed("live", SIMULATED, "--speed", "max", "--out", f"osc://127.0.0.1:{free_port()}/gain")

    def test_addresses_that_are_none(self):
        self.refused(2, *SCORES, "--out", "osc://127.0.0.1:9999", says="osc://HOST:PORT/PATH", stdin=FIRST_LINE)
        self.refused(2, *SCORES, "--out", "osc://127.0.0.1:9999/he ed", says="OSC address", stdin=FIRST_LINE)


class In(HeedTest):
    def run_with(self, packets, *arguments):
        """heed on scores from its standard input; packets are sent between two of them."""
        port = free_port()
        (self.folder / "out.ndjson").unlink(missing_ok=True)
        process = subprocess.Popen([PROGRAM, "live", "-", "--scores", "--osc-in", str(port), "--json", "--out", "ndjson:out.ndjson",
                                    *arguments], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        peer, _ = receiver(self)
        process.stdin.write(b'{"speakers":["left","right"],"attended":true}\n')
        process.stdin.write(b'{"t":1,"scores":[0.3,0.1]}\n')
        process.stdin.flush()
        self.wait_for_lines(1)
        for packet in packets:
            peer.sendto(packet, ("127.0.0.1", port))
        lines = "".join(f'{{"t":{t},"scores":[0.3,0.1]}}\n' for t in range(2, 30))
        out, said = process.communicate(lines.encode(), timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, said)
        return json.loads(out), [json.loads(line) for line in self.read("out.ndjson").splitlines()]

    def wait_for_lines(self, count):
        """The session runs once its first decision is written."""
        end = time.monotonic() + PATIENCE
        path = self.folder / "out.ndjson"
        while time.monotonic() < end and (not path.exists() or path.read_bytes().count(b"\n") < count):
            time.sleep(0.01)

    def test_the_gain_range_is_changed(self):
        report, rows = self.run_with([message("/heed/gain-range", "ff", -6.0, 0.0)], "--map", "decision", "--slew", "1e6")
        self.assertEqual(report["source"]["refused"], 0)
        self.assertEqual(rows[-1]["gains_db"], [0, -6])

    def test_numbers_of_any_type(self):
        """Programs differ in the type in which they send a number."""
        for types in ("ff", "dd", "ii"):
            report, rows = self.run_with([message("/heed/gain-range", types, -6, 0)], "--map", "decision", "--slew", "1e6")
            self.assertEqual((report["source"]["refused"], rows[-1]["gains_db"]), (0, [0, -6]), types)

    def test_a_flood_keeps_no_window_from_its_session(self):
        report, rows = self.run_with(5000 * [message("/heed/marker", "s", "flood")])
        self.assertEqual(len(rows), 29)
        self.assertEqual(report["source"]["refused"], 0)

    def test_what_makes_no_sense_is_counted_and_harmless(self):
        good, rows = self.run_with([])
        packets = [b"", b"/", b"nonsense", message("/heed/marker", "f", 1.0), message("/other", "s", "x"),
                   message("/heed/attended", "s", "nobody"), message("/heed/switch-probability", "f", 2.0),
                   message("/heed/switch-probability", "f", float("nan")), message("/heed/gain-range", "ff", 5.0, 99.0),
                   message("/heed/marker", "s", "x" * 3000), b"\xff" * 5000, message("/heed/gain-range", "f", 1.0)]
        report, again = self.run_with(packets)
        self.assertEqual(report["source"]["refused"], len(packets))
        # Gains move with the time that passes, so they differ between any two sessions.
        believed = [(row["t"], row["posterior"], row["decision"]) for row in rows]
        self.assertEqual([(row["t"], row["posterior"], row["decision"]) for row in again], believed)
        self.assertEqual(good["source"]["refused"], 0)

    def test_a_port_that_is_none_or_taken(self):
        peer, port = receiver(self)
        self.refused(74, *SCORES, "--osc-in", port, says="choose another port", stdin=FIRST_LINE)
        self.refused(2, *SCORES, "--osc-in", "here", says="--osc-in here", stdin=FIRST_LINE)
        self.refused(2, *SCORES, "--osc-in", "70000", says="65535", stdin=FIRST_LINE)
        peer.close()


@unittest.skipUnless(shutil.which("oscdump") and shutil.which("oscsend"), "liblo-tools are not installed")
class Liblo(ScoresTest):
    """liblo, which openMHA and TASCAR speak OSC with, at the other end."""

    def test_it_reads_what_heed_sends(self):
        port = free_port()
        dump = subprocess.Popen(["oscdump", "-L", str(port)], stdout=subprocess.PIPE, text=True)
        self.addCleanup(dump.stdout.close)
        self.addCleanup(dump.wait)
        self.addCleanup(dump.kill)
        time.sleep(0.5)  # it says nothing when it listens
        process = self.scored(f"osc://127.0.0.1:{port}/heed/gain")
        _, said = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, said)
        time.sleep(0.2)
        dump.terminate()
        lines = dump.stdout.read().splitlines()
        gains = [[single(gain) for gain in json.loads(line)["gains_db"]] for line in self.read("out.ndjson").splitlines()]
        self.assertGreaterEqual(len(lines), 20)
        for line in lines:
            _, path, types, *values = line.split()
            self.assertEqual((path, types), ("/heed/gain", "ff"))
            self.assertTrue(any(abs(float(values[0]) - a) < 1e-5 and abs(float(values[1]) - b) < 1e-5 for a, b in gains), line)

    def test_heed_reads_what_it_sends(self):
        port = free_port()
        process = subprocess.Popen([PROGRAM, "live", "-", "--scores", "--osc-in", str(port), "--json", "--map", "decision", "--slew", "1e6",
                                    "--out", "ndjson:out.ndjson"], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdin.write(b'{"speakers":["left","right"],"attended":true}\n{"t":1,"scores":[0.3,0.1]}\n')
        process.stdin.flush()
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not ((self.folder / "out.ndjson").exists() and self.read("out.ndjson")):
            time.sleep(0.01)
        for words in (("/heed/gain-range", "ff", "-6", "0"), ("/heed/attended", "s", "left"), ("/heed/marker", "s", "go")):
            subprocess.run(["oscsend", "127.0.0.1", str(port), *words], check=True)
        lines = "".join(f'{{"t":{t},"scores":[0.3,0.1]}}\n' for t in range(2, 30))
        out, said = process.communicate(lines.encode(), timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, said)
        self.assertEqual(json.loads(out)["source"]["refused"], 0)
        self.assertEqual(json.loads(self.read("out.ndjson").splitlines()[-1])["gains_db"], [0, -6])


if __name__ == "__main__":
    unittest.main()
