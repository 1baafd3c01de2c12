# SPDX-License-Identifier: MIT
"""What is far larger than any study so far: ten thousand listeners, a hundred thousand cells, a day of EEG at 2 kHz.
`./dev campaign long` runs it, and its figures are told in docs/reliability.md."""
import json
import os
import pathlib
import random
import subprocess
import sys
import time
import unittest

from heed_program import PROGRAM, HeedTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "fuzz"))
import make_corpus  # noqa: E402  (found by the line above)

PARTICIPANTS = int(os.environ.get("HEED_PARTICIPANTS", "10000"))
CELLS = int(os.environ.get("HEED_CELLS", "100000"))
HOURS = int(os.environ.get("HEED_HOURS", "24"))
RATE, CHANNELS = 2000, ("Fz", "Cz", "T7", "T8")


class LongRun(HeedTest):
    def measured(self, *call, megabytes):
        """Must succeed in so much memory. Prints what it took and gives standard output."""
        said, shown, began = self.folder / "stderr", self.folder / "stdout", time.monotonic()
        with said.open("wb") as errors, shown.open("wb") as output:
            process = subprocess.Popen([PROGRAM, *map(str, call)], cwd=self.folder, stdout=output, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        taken = usage.ru_maxrss / 1024
        print(f"heed {' '.join(call[:2])}: {time.monotonic() - began:.0f} s by the clock, {usage.ru_utime + usage.ru_stime:.0f} s of "
              f"processor time, {taken:.0f} MB at most", flush=True)
        self.assertEqual(process.returncode, 0, said.read_text()[-2000:])
        self.assertLess(taken, megabytes)
        return shown.read_text()


class ManyParticipants(LongRun):
    def test_are_compared(self):
        self.measured("simulate", "scores", "--participants", PARTICIPANTS, "--trials", "2", "--minutes", "5", "-o", "cohort", megabytes=500)
        told = json.loads(self.measured("compare", "cohort", "--json", megabytes=2000))
        for method in told["methods"]:
            self.assertEqual(len(method["participants"]), PARTICIPANTS)


class ManyCells(LongRun):
    """Two trackers at many switch probabilities, for a hundred listeners."""

    def test_are_made_and_gathered(self):
        settings = CELLS // 100
        self.heed("simulate", "scores", "--participants", "100", "--trials", "1", "--minutes", "2", "--seed", "3", "-o", "cohort")
        values = ", ".join(f"{0.4 * k / settings:.6f}" for k in range(1, settings // 2 + 1))
        self.write("many.toml", f'title = "Many"\n[[grid]]\ntracker = ["causal", "smooth"]\nswitch_probability = [{values}]\n')
        self.measured("study", "plan", "many.toml", "--on", "cohort", "-o", "plan", megabytes=600)
        self.measured("study", "run", "plan", megabytes=600)
        self.measured("study", "gather", "plan", "-o", "table.tsv", megabytes=600)
        self.assertEqual(self.heed_json("study", "status", "plan")["done"], CELLS)
        self.assertGreater(len(self.read("table.tsv").splitlines()), CELLS)


class ADayAtTwoKilohertz(LongRun):
    """Trials at its beginning, in its middle and at its end; and the last one beside a recording of its last minutes alone."""

    def write_dataset(self, folder, first, seconds, onsets):
        """The seconds from `first` on of a day of noise, and trials of a minute."""
        self.write(f"{folder}/dataset_description.json", '{"Name": "A day", "BIDSVersion": "1.9.0"}')
        self.write(f"{folder}/task-attend_eeg.json", f'{{"TaskName": "attend", "SamplingFrequency": {RATE}, "EEGReference": "Cz"}}')
        for speaker, period in (("left", 7), ("right", 11)):
            self.write(f"{folder}/stimuli/{speaker}.tsv", "envelope\n" + "".join(f"{k % period}\n" for k in range(64 * 60)))
            self.write(f"{folder}/stimuli/{speaker}.json", '{"SamplingFrequency": 64}')
        rows = [f"{onset}\t60\t{event}\tat {onset}" for onset in onsets
                for event in ("stimulus\tleft\tleft.tsv", "stimulus\tright\tright.tsv", "attend\tleft\tn/a")]
        stem = f"{folder}/sub-01/eeg/sub-01_task-attend_run-1"
        self.write(f"{stem}_events.tsv", "\n".join(("onset\tduration\ttrial_type\tspeaker\tstim_file\ttrial", *rows)) + "\n")
        header = bytearray(make_corpus.edf(True, "24BIT", [(name, RATE, []) for name in CHANNELS], 0))
        header[236:244] = str(seconds).ljust(8).encode()  # records
        with (self.folder / f"{stem}_eeg.bdf").open("wb") as file:
            file.write(header)
            for second in range(first, first + seconds):
                file.write(random.Random(second).randbytes(RATE * len(CHANNELS) * 3))

    def signals_of(self, folder):
        """The prepared samples, trial by trial: 32-bit floats at 64 Hz."""
        path = next((self.folder / folder).rglob("*.eeg"))
        size = 60 * 64 * len(CHANNELS) * 4
        content = path.read_bytes()
        self.assertEqual(len(content) % size, 0)
        return [content[at:at + size] for at in range(0, len(content), size)]

    def test_is_read_in_bounded_memory(self):
        end = HOURS * 3600
        self.write_dataset("day", 0, end, (100, end // 2, end - 200))
        self.write_dataset("last", end - 300, 300, (100,))
        for call in (("info", "day/sub-01/eeg/sub-01_task-attend_run-1_eeg.bdf"), ("validate", "day"),
                     ("preprocess", "day", "--rate", "64", "--no-cache", "-o", "prepared")):
            self.measured(*call, megabytes=300)
        self.heed("preprocess", "last", "--rate", "64", "--no-cache", "-o", "alone")
        trials = self.signals_of("prepared")
        self.assertEqual(len(trials), 3)
        self.assertEqual(trials[-1:], self.signals_of("alone"))


if __name__ == "__main__":
    unittest.main()
