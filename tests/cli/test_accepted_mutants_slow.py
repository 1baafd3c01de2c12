#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What heed accepts of damaged files others read as it does: of recordings MNE, of tables numpy, of models Python's
json; or the difference is explained.

HEED_MUTANTS is how many of each format are tried.
"""
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import unittest
import warnings

try:
    import mne
    import numpy as np
except ImportError as missing:
    if sys.executable != "/usr/bin/python3":  # Debian's own, which has them where ./dev test ran
        os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B", *sys.argv])
    sys.exit(f"{missing} (Debian: python3-mne)")

from heed_program import HeedTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "fuzz"))
import make_corpus  # noqa: E402  (found by the line above)

TOOL = os.environ.get("HEED_RECORDING_TOOL", "heed_recording_tool")
MUTANTS = int(os.environ.get("HEED_MUTANTS", "300"))
TOLERANCE = 1e-5  # of the channel's largest sample


def mutant_of(data, rng):
    """One to three small damages: bytes, bits, digits, pieces lost, put in, or copied over others."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        at, length = rng.randrange(len(data)), rng.randrange(1, 9)
        damage = rng.randrange(6)
        if damage == 0:
            data[at] = rng.randrange(256)
        elif damage == 1:
            data[at] ^= 1 << rng.randrange(8)
        elif damage == 2:
            data[at] = rng.choice(b"0123456789-+. ")
        elif damage == 3:
            del data[at:at + length]
        elif damage == 4:
            data[at:at] = rng.randbytes(length)
        else:
            other = rng.randrange(len(data))
            data[at:at + length] = data[other:other + length]
    return bytes(data)


def edf_seeds():
    """Two channels of one rate, plain and with annotations."""
    def values(factor):
        return [[factor * (record * 8 + k) % 30000 - 15000 for k in range(8)] for record in range(3)]
    signals = [("Fz", 8, values(7919)), ("Cz", 8, values(104729))]
    lists = [make_corpus.annotations(f"+{record}", "") + make_corpus.annotations(f"+{record}.5", "a") for record in range(3)]
    return {"plain.edf": make_corpus.edf(False, "", signals, 3), "plain.bdf": make_corpus.edf(True, "24BIT", signals, 3),
            "annotated.edf": make_corpus.edf(False, "EDF+C", signals + [("EDF Annotations", 24, lists)], 3),
            "annotated.bdf": make_corpus.edf(True, "BDF+C", signals + [("BDF Annotations", 16, lists)], 3)}


class AcceptedMutants(HeedTest):
    def setUp(self):
        super().setUp()
        mne.set_log_level("CRITICAL")
        warnings.simplefilter("ignore")
        self.counts = {"refused": 0, "heed alone": 0, "equal": 0, "explained": 0}

    def judge(self, path, read, explained):
        """Compares what heed's reader and MNE's make of a file."""
        ours = subprocess.run([TOOL, "samples", path], capture_output=True, check=False)
        self.assertIn(ours.returncode, (0, 1), ours.stderr.decode())
        if ours.returncode == 1:
            self.counts["refused"] += 1
            return
        try:
            raw = read(path)
            theirs = raw.get_data().T
        except Exception:  # pylint: disable=broad-except  # whatever another program thinks of a damaged file
            self.counts["heed alone"] += 1
            return
        found = np.frombuffer(ours.stdout, "<f4").astype(float)
        if self.are_equal(found, theirs, raw):
            self.counts["equal"] += 1
        elif explained(raw):
            self.counts["explained"] += 1
        else:
            kept = pathlib.Path(path).read_bytes()
            self.fail(f"{path}: heed reads {found[:8]} ..., MNE {theirs.ravel()[:8]} ... in {kept!r}")

    @staticmethod
    def are_equal(found, theirs, raw):
        if found.size != theirs.size:
            return False
        units = [raw._orig_units.get(name, "n/a") for name in raw.ch_names]  # MNE hands out volts
        theirs = theirs * [1e6 if unit in ("µV", "uV") else 1 for unit in units]
        return bool((np.abs(found.reshape(theirs.shape) - theirs) <= TOLERANCE * np.abs(theirs).max(axis=0, initial=0)).all())

    def test_edf_and_bdf(self):
        rng = random.Random(1)
        seeds = edf_seeds()

        def of_several_rates(raw):  # MNE brings all to the highest, heed reads those of one rate
            return len(set(raw._raw_extras[0]["n_samps"])) > 1
        for _ in range(MUTANTS):
            name = rng.choice(sorted(seeds))
            path = self.folder / name
            path.write_bytes(mutant_of(seeds[name], rng))
            reader = mne.io.read_raw_bdf if path.suffix == ".bdf" else mne.io.read_raw_edf
            self.judge(path, lambda file, reader=reader: reader(file, preload=True, stim_channel=None), of_several_rates)
        print(self.counts)
        self.assertGreater(self.counts["equal"], MUTANTS // 5)
        self.assertGreater(self.counts["refused"], MUTANTS // 10)

    def test_brainvision(self):
        rng = random.Random(2)
        seeds = [content.split(b"\0", 2) for _, content in make_corpus.brainvision_seeds()]
        for _ in range(MUTANTS):
            parts = list(rng.choice(seeds))
            parts[0] = parts[0].replace(b"$b.eeg", b"a.eeg").replace(b"left\\1 ear,,,C", b"Cz,,1,\xc2\xb5V")
            size = len(parts[2])
            which = rng.choice((0, 0, 2))
            parts[which] = mutant_of(parts[which], rng)
            path = self.folder / "a.vhdr"
            for file, content in zip(("a.vhdr", "a.vmrk", "a.eeg"), parts):
                (self.folder / file).write_bytes(content)
            # Where DataPoints and the size of the data contradict each other, MNE finds the second channel by the former.
            contradicts = b"VECTORIZED" in parts[0] and len(parts[2]) != size
            self.judge(path, lambda file: mne.io.read_raw_brainvision(file, preload=True), lambda raw: contradicts)
        print(self.counts)
        self.assertGreater(self.counts["equal"], MUTANTS // 5)
        self.assertGreater(self.counts["refused"], MUTANTS // 10)

    def told(self, verb, content):
        """What heed's reader makes of it; None where it is refused."""
        path = self.folder / "file"
        path.write_bytes(content)
        ours = subprocess.run([TOOL, verb, path], capture_output=True, check=False)
        self.assertIn(ours.returncode, (0, 1), ours.stderr.decode())
        self.counts["refused"] += ours.returncode
        return None if ours.returncode else ours.stdout

    def test_tables(self):
        rng = random.Random(3)
        rows = "".join(f"{k}\t{k / 7}\t{'n/a' if k == 2 else -1e-3 * k}\t{10.0 ** (k - 300)}\n" for k in range(6))
        for _ in range(MUTANTS):
            content = mutant_of(("onset\tleft\tright\tsmall\n" + rows).encode(), rng)
            ours = self.told("table", content)
            if ours is None:
                continue
            text = content.decode("latin-1").replace("\r", "")
            theirs = np.genfromtxt(io.StringIO(text), delimiter="\t", skip_header=1, missing_values="n/a", comments=None, encoding="latin-1")
            np.testing.assert_array_equal(np.frombuffer(ours, "<f8"), theirs.ravel(), err_msg=repr(content))
            self.counts["equal"] += 1
        print(self.counts)
        self.assertGreater(self.counts["equal"], MUTANTS // 10)
        self.assertGreater(self.counts["refused"], MUTANTS // 10)

    def test_models(self):
        rng = random.Random(4)
        model = dict(make_corpus.json_seeds())["model"][1:]
        for _ in range(MUTANTS):
            content = bytearray(model)
            digit = rng.choice([at for at, letter in enumerate(model) if letter in b"0123456789."])
            content[digit:digit + rng.randrange(2)] = bytes([rng.choice(b"0123456789.e-")])
            ours = self.told("model", content)
            if ours is None:
                continue
            theirs, written = json.loads(content), json.loads(ours)
            for key in ("WindowLength", "Origin", "Participants"):
                self.assertEqual(written[key], theirs[key], content)
            for key, value in written["Emission"].items():
                self.assertEqual(value, theirs["Emission"][key], content)
            self.counts["equal"] += 1
        print(self.counts)
        self.assertGreater(self.counts["equal"], MUTANTS // 5)


if __name__ == "__main__":
    unittest.main()
