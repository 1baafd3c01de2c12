# SPDX-License-Identifier: MIT
"""OSC out and in, against a peer that knows nothing of heed's: messages made and read by hand."""
import json
import socket
import struct
import subprocess
import unittest

from heed_program import PATIENCE, PROGRAM, HeedTest

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


class Out(HeedTest):
    def test_all_gains_in_one_message_of_the_same_size(self):
        peer, port = receiver(self)
        # Slow enough for a queue of one place.
        process = subprocess.Popen([PROGRAM, "live", SIMULATED, "--speed", "20", "--out", f"osc://127.0.0.1:{port}/heed/gain", "--out",
                                    "ndjson:out.ndjson"], cwd=self.folder, stderr=subprocess.PIPE)
        packets = [peer.recv(4096)]
        _, said = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, said)
        peer.settimeout(0.2)
        try:
            while True:
                packets.append(peer.recv(4096))
        except TimeoutError:
            pass
        self.assertEqual({len(packet) for packet in packets}, {len(text("/heed/gain")) + len(text(",ff")) + 8})
        told = [json.loads(line)["gains_db"] for line in self.read("out.ndjson").splitlines()]
        singles = [tuple(struct.unpack("f", struct.pack("f", gain))[0] for gain in gains) for gains in told]
        for packet in packets:
            address, types, values = parsed(packet)
            self.assertEqual((address, types), ("/heed/gain", "ff"))
            self.assertIn(values, singles)
        self.assertEqual(parsed(packets[-1])[2], singles[-1])

    def test_nobody_who_listens_is_no_error(self):
        self.heed("live", SIMULATED, "--speed", "max", "--out", f"osc://127.0.0.1:{free_port()}/gain")

    def test_addresses_that_are_none(self):
        self.refused(2, "live", SIMULATED, "--out", "osc://127.0.0.1:9999", says="osc://HOST:PORT/PATH")
        self.refused(2, "live", SIMULATED, "--out", "osc://127.0.0.1:9999/he ed", says="OSC address")


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
        import time
        end = time.monotonic() + PATIENCE
        path = self.folder / "out.ndjson"
        while time.monotonic() < end and (not path.exists() or path.read_bytes().count(b"\n") < count):
            time.sleep(0.01)

    def test_the_gain_range_is_changed(self):
        report, rows = self.run_with([message("/heed/gain-range", "ff", -6.0, 0.0)], "--map", "decision", "--slew", "1e6")
        self.assertEqual(report["source"]["refused"], 0)
        self.assertEqual(rows[-1]["gains_db"], [0, -6])

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
        self.refused(74, "live", SIMULATED, "--osc-in", port, says="choose another port")
        self.refused(2, "live", SIMULATED, "--osc-in", "here", says="--osc-in here")
        self.refused(2, "live", SIMULATED, "--osc-in", "70000", says="65535")
        peer.close()


if __name__ == "__main__":
    unittest.main()
