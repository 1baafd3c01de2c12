# SPDX-License-Identifier: MIT
"""Damaged files of MATLAB 7.3, which HDF5 reads for heed in a process of its own, as users read them.

    damaged_mat73.py DONE MOST    DONE keeps how many were tried, so that the next call goes on from there; MOST in all

heed never ends by a signal, nor later than it promises; it answers with an exit code and a sentence, in memory that is
bounded. What it accepts h5py reads alike, or h5py fails. `./dev campaign mat73` runs it.
"""
import collections
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

try:
    import h5py
    import numpy as np
except ImportError as missing:
    if sys.executable != "/usr/bin/python3":  # Debian's own, which has them where ./dev test ran
        os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B", *sys.argv])
    sys.exit(f"{missing} (Debian: python3-h5py)")

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "data"))
import make_public_sets  # noqa: E402  (found by the line above)
import mat73  # noqa: E402

HEED, TOOL = os.environ.get("HEED", "heed"), os.environ.get("HEED_RECORDING_TOOL", "heed_recording_tool")
PATIENCE = 70  # seconds: the other process is given up after a minute without a byte
MEGABYTES = 1000
SUCCESS, BAD_DATA, NO_INPUT, UNSUPPORTED, IO = 0, 65, 66, 69, 74
STEP = 100


def eeglab(folder):
    """Small, so that most of its bytes are HDF5's; chunks and compression in one of two."""
    samples = np.arange(2 * 40, dtype="f4").reshape(2, 40)
    events = mat73.StructArray([{"type": "left", "latency": 5.0}, {"type": 7.0, "latency": 9.5}])
    dataset = {"srate": 128.0, "nbchan": 2.0, "pnts": 40.0, "trials": 1.0, "data": samples,
               "chanlocs": mat73.StructArray([{"labels": name} for name in ("Cz", "Pz")]), "event": events}
    mat73.save(folder / "plain.set", {"EEG": dataset})
    mat73.save(folder / "packed.set", {"EEG": {**dataset, "data": np.arange(2 * 600, dtype="f4").reshape(2, 600)}})


def leuven(folder):
    """A trial of half a second in the structure of a public data set."""
    trial = make_public_sets.leuven_trial(2, 0, 1)
    trial["RawData"]["EegData"] = trial["RawData"]["EegData"][:8]
    mat73.save(folder / "S1.mat", {"trials": [trial]})


def mutant_of(data, rng):
    """Bytes, bits, numbers of the structure, pieces moved, or the end cut off."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(512 if rng.random() < 0.98 else 0, len(data) - 8)
        damage, aligned = rng.randrange(8), at // 8 * 8
        if damage <= 1:
            data[at] = rng.randrange(256)
        elif damage <= 3:
            data[at] ^= 1 << rng.randrange(8)
        elif damage <= 5:
            number = rng.choice((0, 1, 96, 2**16, 2**31, 2**32 + 8, 2**40, 2**63, 2**64 - 1, rng.randrange(len(data))))
            data[aligned:aligned + 8] = struct.pack("<Q", number)
        elif damage == 6:
            other = rng.randrange(len(data) - 8) // 8 * 8
            data[aligned:aligned + 8] = data[other:other + 8]
        else:
            del data[at:]
            data.extend(bytes(16))
    return bytes(data)


def run(*call):
    """Exit code, what was said and printed, seconds, megabytes: of the program and the processes it made."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([*map(str, call)], stdin=subprocess.DEVNULL, stdout=out, stderr=errors, start_new_session=True)
        previous = signal.signal(signal.SIGALRM, lambda *_: os.killpg(process.pid, signal.SIGKILL))
        signal.alarm(PATIENCE)
        _, status, usage = os.wait4(process.pid, 0)
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        return process.returncode, errors.read().decode(), out.read(), time.monotonic() - began, usage.ru_maxrss / 1024


def of_eeglab(file):
    return file["EEG/data"][()]


def of_leuven(file):
    return file[file["trials"][0, 0]]["RawData/EegData"][()].T


def by_h5py(path, read, kept):
    """The samples; None where h5py fails, or ends. In a process of its own, too."""
    kept.unlink(missing_ok=True)
    process = os.fork()
    if process == 0:
        try:
            signal.alarm(20)
            with h5py.File(path) as file:
                np.save(kept, read(file).astype("f4"))
        finally:
            os._exit(0)
    os.waitpid(process, 0)
    return np.load(kept) if kept.exists() else None


class Campaign:
    def __init__(self, folder):
        self.folder, self.counts, self.wrong, self.slowest, self.largest = folder, collections.Counter(), [], 0, 0
        (folder / "good").mkdir()
        eeglab(folder / "good")
        leuven(folder / "good")
        make_public_sets.write_leuven_audio(folder / "stimuli")
        self.seeds = {path.name: path.read_bytes() for path in sorted((folder / "good").iterdir())}

    def judged(self, number, *call):
        """Whether it was accepted; and what it printed."""
        code, said, printed, seconds, megabytes = run(*call)
        self.slowest, self.largest = max(self.slowest, seconds), max(self.largest, megabytes)
        what = f"mutant {number}, {' '.join(map(str, call[:2]))}"
        if code not in (SUCCESS, 1 if call[0] == TOOL else BAD_DATA, BAD_DATA, NO_INPUT, UNSUPPORTED, IO):
            self.wrong.append(f"{what}: exit code {code}: {said}")
        elif code != SUCCESS and not (said.strip() and all(line.isprintable() for line in said.splitlines())):
            self.wrong.append(f"{what}: no sentence: {said!r}")
        if seconds >= PATIENCE or megabytes > MEGABYTES:
            self.wrong.append(f"{what}: {seconds:.0f} s, {megabytes:.0f} MB")
        self.counts[f"{pathlib.Path(call[0]).name} {call[1]}: {code}"] += 1
        return code == SUCCESS, printed

    def compare(self, number, path, read, samples):
        theirs = by_h5py(path, read, self.folder / "theirs.npy")
        ours = np.frombuffer(samples, "<f4")
        if theirs is None:
            self.counts["h5py fails"] += 1
        elif ours.size == theirs.size and np.array_equal(ours, theirs.ravel()):
            self.counts["equal"] += 1
        else:
            self.wrong.append(f"mutant {number}: heed reads {ours[:8]} ..., h5py {theirs.ravel()[:8]} ...")

    def try_one(self, number):
        rng = random.Random(number)
        name = rng.choice(sorted(self.seeds))
        path = self.folder / name
        path.write_bytes(mutant_of(self.seeds[name], rng))
        before = len(self.wrong)
        if path.suffix == ".set":
            self.judged(number, HEED, "info", path)
            accepted, printed = self.judged(number, TOOL, "samples", path)
            if accepted:
                self.compare(number, path, of_eeglab, printed)
        else:
            out = self.folder / "out"
            self.judged(number, HEED, "convert", "kuleuven", path, out)
            for samples in sorted(out.rglob("*_eeg.eeg"))[:1]:  # there is one trial
                self.compare(number, path, of_leuven, samples.read_bytes())
            shutil.rmtree(out, ignore_errors=True)
        if len(self.wrong) > before:
            path.rename(self.folder.parent / f"mat73-{number}{path.suffix}")


def main():
    done, most = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    first = int(done.read_text()) if done.exists() else 0
    with tempfile.TemporaryDirectory(prefix="heed-mat73-", dir=done.parent) as folder:
        campaign = Campaign(pathlib.Path(folder))
        for number in range(first, most):
            campaign.try_one(number)
            if (number + 1) % STEP == 0 or number + 1 == most:
                print(f"{number + 1} of {most}: {dict(sorted(campaign.counts.items()))}, at most {campaign.slowest:.1f} s and "
                      f"{campaign.largest:.0f} MB", flush=True)
                if campaign.wrong:
                    break
                done.write_text(str(number + 1))
    for text in campaign.wrong:
        print(f"WRONG: {text}")
    return 1 if campaign.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
