# SPDX-License-Identifier: MIT
"""Small files in the structures of the public data sets, made once for all tests of a module (tests/data)."""
import atexit
import functools
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "data" / "make_public_sets.py"


def python_with_packages():
    """Debian's own interpreter first: the packages are there, not with another that is first on the path."""
    for python in ("/usr/bin/python3", sys.executable):
        wanted = [python, "-c", "import numpy, scipy, h5py"]
        if pathlib.Path(python).exists() and subprocess.run(wanted, capture_output=True, check=False).returncode == 0:
            return python
    return None


PYTHON = python_with_packages()


def require_packages():
    if PYTHON is None:
        raise unittest.SkipTest("python3 with numpy, scipy and h5py is wanted (Debian: python3-scipy python3-h5py)")


class PublicSets:
    """The folder with all of them, removed with its owner."""

    def __init__(self):
        require_packages()
        self.scratch = tempfile.TemporaryDirectory(prefix="heed-sets-")
        self.folder = pathlib.Path(self.scratch.name)
        subprocess.run([PYTHON, "-B", str(SCRIPT), str(self.folder)], check=True)


# Programs come in a line each, and what they printed or how they failed goes back in one: numpy and scipy are read once.
SERVER = """
import contextlib, io, json, sys, traceback
for line in sys.stdin:
    program, *sys.argv[1:] = json.loads(line)
    said, failure = io.StringIO(), ''
    try:
        with contextlib.redirect_stdout(said):
            exec(program, {})
    except Exception:
        failure = traceback.format_exc()
    print(json.dumps([said.getvalue(), failure]), flush=True)
"""


@functools.cache
def server():
    process = subprocess.Popen([PYTHON, "-B", "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(process.communicate)  # it ends where there is no more to read
    return process


def run_with_packages(program, *arguments):
    """A little program that needs numpy and scipy; gives what it printed."""
    server().stdin.write(json.dumps([program, *map(str, arguments)]) + "\n")
    server().stdin.flush()
    said, failure = json.loads(server().stdout.readline())
    if failure:
        raise AssertionError(failure)
    return said
