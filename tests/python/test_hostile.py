# SPDX-License-Identifier: MIT
"""No argument whatever ends the process, takes for ever, or fails with less than a clear Python exception."""
import os
import subprocess
import sys

import hostile
import pytest

# What callers can act on. SystemError and RuntimeError would be ours, an AssertionError an oversight. KeyError is what a
# frame of pandas says when it is taken for a list.
CLEAR = {"ValueError", "KeyError", "TypeError", "OverflowError", "MemoryError", "UnicodeEncodeError", "FileNotFoundError",
         "IsADirectoryError", "InvalidArgumentError", "BadDataError", "NotFoundError", "UnsupportedError", "SingularError",
         "CannotCreateError", "InputOutputError", "InvalidParameterError"}


@pytest.mark.parametrize("name", hostile.CALLS)
def test_every_argument(name, tmp_path):
    # In a folder of its own: what is taken for the name of a file becomes one.
    script = os.path.abspath(hostile.__file__)
    done = subprocess.run([sys.executable, "-B", script, name], capture_output=True, encoding="utf-8",
                          errors="replace", timeout=120, cwd=tmp_path,
                          env=os.environ | {"PYTHONFAULTHANDLER": "1", "OPENBLAS_NUM_THREADS": "1"}, check=False)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and lines[-1] == "end", f"ended by {lines[-1]}\n{done.stderr[-2000:]}"
    unclear = [line for line in lines[:-1]
               if line.split(" | ")[2] != "fine" and line.split(" | ")[2].split(":")[0] not in CLEAR]
    assert unclear == []
    # Exceptions without a word, but for the one that Python itself has none for.
    assert [line for line in lines if line.endswith(": ") and not line.endswith("MemoryError: ")] == []
