#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""core on a microcontroller, in QEMU: golden scores followed as on the host, and what that costs.

    test_image.py --tree ROOT --build FOLDER --processor cortex-m4 [--generator NINJA]

The host's side is written here in doubles, from the definitions of docs/mathematics.md. Figures are those of
docs/embedded.md: each may grow by a twentieth before this test asks for the page to be changed.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import numpy as np

BOARDS = {"cortex-m4": "mps2-an386", "cortex-m7": "mps2-an500", "cortex-m55": "mps3-an547"}
WINDOWS = 10_000
MARGIN = 1.05
P, MU_ATTENDED, MU_UNATTENDED, SIGMA = 0.001, 0.124, 0.037, 0.303  # the defaults of heed/c.h
SUPPRESSED, SLEW, CERTAINTY = -12.0, 6.0, 0.8
TOOLS = "arm-none-eabi-"
arguments = None


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def golden_scores():
    """Correlations of a listener who switches, with windows lost, broken, out of range and very sure."""
    random = np.random.default_rng(25)
    attended = (np.arange(WINDOWS) // 170) % 2
    mean = np.where(attended[:, None] == np.arange(2), 0.16, 0.03)
    scores = np.tanh(mean + SIGMA * random.standard_normal((WINDOWS, 2))).astype(np.float32)
    scores[::97, 0] = np.nan
    scores[50::501, 1] = np.inf
    scores[60::701, 0] = 1.5
    scores[70::301] = [[1, -1]]
    scores[71::307] = [[-0.999, 0.999]]
    return scores


def followed(scores):
    """Beliefs, decisions, gains in decibels and what was held, in doubles."""
    scores = scores.astype(float)
    slope = (MU_ATTENDED - MU_UNATTENDED) / SIGMA**2
    belief, decision, gains = np.array([0.5, 0.5]), 0, np.array([SUPPRESSED / 2] * 2)
    rows = []
    for t, window in enumerate(scores):
        held = not (np.abs(window) <= 1).all()  # NaN is not
        if t > 0:
            belief = belief * (1 - 2 * P) + P
        if not held:
            # The most that a correlation in single precision may be: 1 - 1e-7 as such a number.
            limit = float(np.float32(1 - 1e-7))
            belief = belief * np.exp(slope * np.arctanh(np.clip(window, -limit, limit)))
            belief = belief / belief.sum()
        if belief[1 - decision] > belief[decision]:
            decision = 1 - decision
        most = belief.max()
        target = np.where(belief == most, 0.0, SUPPRESSED) if most > CERTAINTY else np.array([SUPPRESSED / 2] * 2)
        gains = gains + np.clip(target - gains, -SLEW, SLEW)
        rows.append((belief, decision, gains, held))
    beliefs, decisions, gains, held = zip(*rows)
    return np.array(beliefs), np.array(decisions), np.array(gains), np.array(held)


def flash_of_core(map_file):
    """Bytes that the linker took from libheed_core.a, by its map: what lies in the image and came from the archive."""
    total, linked = 0, map_file.read_text().split("Linker script and memory map", 1)[1]
    for size, source in re.findall(r"^ \.(?:text|rodata|data|ARM)\S*(?:\n)?\s+0x[0-9a-f]+\s+0x([0-9a-f]+)\s+(\S+)$", linked, re.M):
        if "libheed_core.a" in source:
            total += int(size, 16)
    return total


def documented(processor):
    """The rows of the tables in docs/embedded.md, one behind the other."""
    text = (arguments.tree / "docs" / "embedded.md").read_text()
    rows = re.findall(rf"^\| {processor} \|(.*)\|$", text, re.M)
    return [float(cell.replace(",", "")) for row in rows for cell in row.split("|")]


class Image(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = arguments.build / arguments.processor
        shutil.rmtree(cls.folder, ignore_errors=True)
        run("cmake", "-S", arguments.tree, "-B", cls.folder, "-G", arguments.generator, "-D", "HEED_ONLY_CORE=ON", "-D", "HEED_BUILD_IMAGE=ON",
            "-D", "HEED_WERROR=ON", "-D", "CMAKE_BUILD_TYPE=MinSizeRel", "-D", f"HEED_PROCESSOR={arguments.processor}",
            "-D", f"CMAKE_TOOLCHAIN_FILE={arguments.tree}/embedded/arm-none-eabi.cmake")
        run("cmake", "--build", cls.folder)
        cls.scores = golden_scores()
        (cls.folder / "scores.bin").write_bytes(cls.scores.tobytes())
        run("qemu-system-arm", "-M", BOARDS[arguments.processor], "-display", "none", "-monitor", "none", "-serial", "none", "-icount", "shift=0",
            "-semihosting-config", "enable=on,target=native", "-kernel", cls.folder / "bin" / "heed_image", cwd=cls.folder, timeout=240)
        row = np.dtype([("belief", "<f4", 2), ("decibels", "<f4", 2), ("decision", "<u4"), ("status", "<i4")])
        cls.found = np.fromfile(cls.folder / "windows.bin", row)
        (step, most, stack), (window, window_most, window_stack), (sample, *_), (_, many, _), (_, window_many, stack_many) = np.fromfile(
            cls.folder / "figures.bin", "<f4").reshape(5, 3)
        cls.figures = {"flash": flash_of_core(cls.folder / "embedded" / "heed_image.map"), "step": step, "stack": stack, "window": window,
                       "window stack": window_stack, "sample": sample, "step at most": most, "window at most": window_most,
                       "step of 8 at most": many, "window of 8 at most": window_many, "window stack of 8": stack_many}

    def test_follows_as_the_host_does(self):
        beliefs, decisions, gains, held = followed(self.scores)
        self.assertEqual(len(self.found), WINDOWS)
        self.assertGreater(held.sum(), 100)
        self.assertGreater((np.diff(decisions) != 0).sum(), 50)
        worst = np.abs(self.found["belief"] - beliefs).max()
        print(f"{arguments.processor}: posteriors within {worst:.1e} of the host's")
        self.assertLess(worst, 1e-5)
        np.testing.assert_array_equal(self.found["decision"], decisions)
        np.testing.assert_array_equal(self.found["status"], held.astype(int))
        self.assertLess(np.abs(self.found["decibels"] - gains).max(), 1e-3)

    def test_costs_what_the_page_says(self):
        said = dict(zip(self.figures, documented(arguments.processor), strict=True))
        print(arguments.processor, json.dumps({name: round(float(value)) for name, value in self.figures.items()}))
        for name, value in self.figures.items():
            with self.subTest(figure=name):
                self.assertLessEqual(value, said[name] * MARGIN)
                self.assertGreaterEqual(value * MARGIN, said[name] * 0.9, "better than the page says: tell it")

    def test_stays_within_what_is_promised(self):
        self.assertLessEqual(self.figures["step"], 2000)
        self.assertLessEqual(self.figures["flash"], 8 * 1024)
        header = (arguments.tree / "include/heed/c.h").read_text()
        for name in ("FILTER", "GAINS", "CORRELATION"):
            self.assertLessEqual(int(re.search(rf"HEED_{name}_BYTES (\d+)", header)[1]), 256)

    def test_every_call_needs_memory_copies_alone(self):
        """All functions of heed/c.h linked together, with no library on the command line, and nothing of one inside."""
        header = re.sub(r"/\*.*?\*/", "", (arguments.tree / "include/heed/c.h").read_text(), flags=re.S)
        functions = sorted(set(re.findall(r"\b(heed_\w+)\(", header)))
        self.assertGreater(len(functions), 20)
        symbols = run(f"{TOOLS}nm", self.folder / "bin" / "heed_all_calls").splitlines()
        self.assertLessEqual(set(functions), {line.split()[-1] for line in symbols if " T " in line})
        self.assertEqual([line for line in symbols if " U " in line], [])
        library = {line.split()[-1] for line in symbols if re.search(r" [TW] (?:_*aeabi|mem|_*[a-z]*(?:log|exp|pow|tanh|sqrt)f?$)", line)}
        self.assertEqual(library, {"memcpy", "memset"}, "these two are the image's own")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tree", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--processor", choices=sorted(BOARDS), required=True)
    parser.add_argument("--generator", default="Ninja")
    arguments, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
