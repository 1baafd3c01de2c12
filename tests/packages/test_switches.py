#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heed built by clang without matio, libsndfile and cairo, from the source as it is handed out: nothing of them is asked for,
and what needs them says so.

    test_switches.py --tree ROOT --folder FOLDER

Only the layers that use them are built: io and report, with what report is made of."""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tarfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SWITCHES = ("MATIO", "SNDFILE", "CAIRO")
arguments = None


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout[-6000:]}{done.stderr[-6000:]}")
    return done.stdout


class Switches(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = arguments.folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        archive = folder / "heed.tar.gz"
        run("git", "-C", arguments.tree, "archive", "--format=tar.gz", "--prefix=heed/", "-o", archive, "HEAD")
        with tarfile.open(archive) as opened:
            opened.extractall(folder)
        cls.source = folder / "heed"
        cls.build = folder / "build"
        off = [word for name in SWITCHES for word in ("-D", f"HEED_WITH_{name}=OFF")]
        cls.configured = run("cmake", "-S", cls.source, "-B", cls.build, "-G", "Ninja", "-D", "CMAKE_CXX_COMPILER=clang++",
                             "-D", "HEED_WERROR=ON", "-D", "HEED_BUILD_TESTS=OFF", "-D", "HEED_BUILD_PROGRAM=OFF", *off)
        run("cmake", "--build", cls.build, "--target", "heed_io", "heed_report")

    def test_nothing_is_asked_of_them(self):
        said = (self.build / "heed.pc").read_text()
        for library in ("matio", "zlib", "sndfile", "cairo"):
            self.assertNotIn(library, said)
        commands = (self.build / "compile_commands.json").read_text()
        for library in ("hdf5", "cairo", "opus"):  # whose headers pkg-config would have named
            self.assertNotIn(f"/{library}", commands)
        for archive in ("libheed_io.a", "libheed_report.a"):
            wanted = run("nm", "--undefined-only", self.build / archive)
            for symbol in (" Mat_", " H5", " sf_", " cairo_", " inflate"):
                self.assertNotIn(symbol, wanted, archive)

    def test_what_needs_them_says_so(self):
        program = arguments.folder / "without"
        archives = [self.build / f"libheed_{layer}.a" for layer in ("report", "io", "evaluate", "hmm", "dsp", "data", "core")]
        run("clang++", "-std=c++20", "-DEIGEN_MAX_ALIGN_BYTES=64", "-I", self.source / "include", "-I", self.source / "src",
            "-isystem", "/usr/include/eigen3", HERE / "without_libraries.cpp", "-Wl,--start-group",
            *[path for path in archives if path.exists()], "-Wl,--end-group", "-o", program)
        mat, wav = arguments.folder / "x.mat", arguments.folder / "x.wav"
        mat.write_bytes(b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM")
        wav.write_bytes(b"RIFF")
        said = dict(line.split(": ", 1) for line in run(program, mat, wav).splitlines())
        self.assertRegex(said["mat"], "^unsupported: .*x.mat: .*built without matio and HDF5.*HEED_WITH_MATIO=ON")
        for call in ("sound", "write"):
            self.assertRegex(said[call], "^unsupported: .*x.wav: .*built without libsndfile.*envelopes.*HEED_WITH_SNDFILE=ON")
        for call in ("pdf", "png"):
            self.assertRegex(said[call], "^unsupported: .*built without cairo.*SVG.*HEED_WITH_CAIRO=ON")
        self.assertEqual(said["svg"], "no error")

    def test_tests_want_everything(self):
        done = subprocess.run(["cmake", "-S", self.source, "-B", arguments.folder / "tests", "-D", "HEED_WITH_CAIRO=OFF"],
                              capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("HEED_BUILD_TESTS=OFF", done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("--tree", "--folder"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    arguments, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
