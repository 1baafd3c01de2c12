# SPDX-License-Identifier: MIT
"""Builds the tests of core and hmm around one file that is broken, and runs them."""
import os
import pathlib
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# clang takes half of GCC's time, and lld a fifth of the usual linker's. Views check their indices, as sanitized tests would.
COMPILER = ["clang++", "-std=c++20", "-O0", "-w", "-ffp-contract=off", "-D_GLIBCXX_ASSERTIONS", "-DEIGEN_MAX_ALIGN_BYTES=64",
            "-DHEED_X86_KERNELS", "-DHEED_X86_LANES"]
LINKER = ["clang++", "-fuse-ld=lld", "-Wl,--allow-multiple-definition"]
FOLDERS = ("include", "src", "tests")
COMMON = ("gtest/gtest.h", "rapidcheck/gtest.h", "heed/data/matrix.h", "algorithm", "array", "cmath", "random", "string", "vector")
PATIENCE = 60  # seconds of processor time; unbroken, no program takes more than ten
MEMORY = 4 << 30  # bytes: a loop that does not end may fill a vector


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, preexec_fn=limited, **more)


class Workshop:
    """Links what is broken before the libraries of the release build: what comes first is taken."""

    def __init__(self, build):
        self.build = build
        self._scratch = tempfile.TemporaryDirectory(prefix="heed-mutation-")
        self.folder = pathlib.Path(self._scratch.name)
        self.broken = self.folder / "broken"
        self._links = {}
        self._common = self.folder / "common.h"  # read once: it takes most of the time of a small test
        self._common.write_text("".join(f"#include <{name}>\n" for name in COMMON))
        self._compile("-x", "c++-header", self._common, "-o", f"{self._common}.pch")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._scratch.cleanup()

    def noticed(self, path, text):
        """Whether a test fails with this text in the place of the file's; None: it does not compile."""
        place = self.broken / path.relative_to(ROOT)
        place.parent.mkdir(parents=True)
        place.write_text(text)
        try:
            if path.suffix == ".h":
                return self._noticed_in_header(path)
            return self._noticed_in_source(place, ("heed_hmm_test",) if path.parent.name == "hmm" else ("heed_core_test", "heed_hmm_test"))
        finally:
            shutil.rmtree(self.broken)

    def _noticed_in_source(self, place, programs):
        made = self._object(place)
        return None if made is None else any(self._fails(program, [made]) for program in programs)

    def _noticed_in_header(self, path):
        """Its own tests first, then all of core's, which read it anew; then hmm's, with core's sources compiled anew."""
        sources = [self._object(source) for source in sorted((ROOT / "src/core").glob("*.cpp")) if self._reads(source, path)]
        own = ROOT / "tests/unit/core" / f"{path.stem}_test.cpp"
        tests = [own] if own.exists() else []
        if None in sources or self._compile("-fsyntax-only", "-x", "c++", self.broken / path.relative_to(ROOT)).returncode != 0:
            return None
        for test in (*tests, *sorted(self.build.glob("tests/united/heed_core_test_*.cpp"))):
            made = self._object(test)
            if made is None or self._fails("heed_core_test", sources, made):  # a static_assert is a test, too
                return True
        return self._fails("heed_hmm_test", sources)

    def _reads(self, source, header):
        made = self._compile("-MM", source)
        return str(header.relative_to(ROOT)) in made.stdout

    def _compile(self, *words):
        includes = [word for folder in (*(self.broken / name for name in FOLDERS), *(ROOT / name for name in FOLDERS),
                                        self.build / "generated") for word in ("-I", folder)]
        return run(*COMPILER, *includes, "-isystem", "/usr/include/eigen3", *words)

    def _object(self, source):
        """None: it does not compile."""
        target = self.folder / f"{source.stem}.o"
        read_before = [] if source.parts[-3:-1] == ("src", "core") else ["-include", self._common]
        made = self._compile(*read_before, "-c", source, "-o", target)
        return target if made.returncode == 0 else None

    def _link_of(self, program):
        """What the build gives to its linker for the program: objects, and libraries."""
        if program not in self._links:
            made = subprocess.run(["ninja", "-C", self.build, "-t", "commands", program], capture_output=True, text=True, check=True)
            words = shlex.split(made.stdout.splitlines()[-1].partition("&&")[2].rpartition("&&")[0])
            output = words.index("-o")
            self._links[program] = [word for word in words[1:output] if word.endswith(".o")], words[output + 2:]
        return self._links[program]

    def _fails(self, program, broken, tests=None):
        """tests: an object in the place of the program's own."""
        objects, libraries = self._link_of(program)
        if tests is not None:
            objects = [tests, *(word for word in objects if f"{program}.dir" not in word)]
        target = self.folder / program
        made = run(*LINKER, *broken, *objects, *libraries, "-o", target, cwd=self.build)
        if made.returncode != 0:
            sys.exit(f"{program} cannot be linked: {made.stderr}")
        ended = run(target, "--gtest_fail_fast", "--gtest_brief=1", env={**os.environ, "RC_PARAMS": "seed=1"})
        return ended.returncode != 0
