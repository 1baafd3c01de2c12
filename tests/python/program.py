# SPDX-License-Identifier: MIT
"""The program beside the module: what one writes the other reads, and both say the same."""
import json
import os
import subprocess

import pytest

PROGRAM = os.environ.get("HEED")
needs_program = pytest.mark.skipif(not PROGRAM, reason="the program is not built here: configure with HEED_BUILD_PROGRAM")


def run(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_json(*arguments):
    return json.loads(run(*arguments, "--json"))


def files_below(folder):
    """{path within the folder: bytes}"""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
