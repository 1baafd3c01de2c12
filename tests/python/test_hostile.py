# SPDX-License-Identifier: MIT
"""No argument whatever ends the process, takes for ever, or fails with less than a clear Python exception."""
import faulthandler
import multiprocessing
import os
import sys

import hostile
import pytest

# What callers can act on. SystemError and RuntimeError would be ours, an AssertionError an oversight. KeyError is what a
# frame of pandas says when it is taken for a list.
CLEAR = {"ValueError", "KeyError", "TypeError", "OverflowError", "MemoryError", "UnicodeEncodeError", "FileNotFoundError",
         "IsADirectoryError", "InvalidArgumentError", "BadDataError", "NotFoundError", "UnsupportedError", "SingularError",
         "CannotCreateError", "InputOutputError", "InvalidParameterError"}


def call(name, folder):
    """In a folder of its own: what is taken for the name of a file becomes one."""
    os.chdir(folder)
    faulthandler.enable(2)
    with open("outcomes", "w", encoding="utf-8", errors="replace") as sys.stdout:
        hostile.main(name)


@pytest.mark.parametrize("name", hostile.CALLS)
def test_every_argument(name, tmp_path):
    # In a process of its own, whose end ends nothing else; forked, so that numpy, pandas and scikit-learn are read once.
    process = multiprocessing.get_context("fork").Process(target=call, args=(name, tmp_path))
    process.start()
    process.join(timeout=120)
    still_there = process.is_alive()
    process.kill()
    lines = (tmp_path / "outcomes").read_text(encoding="utf-8").splitlines()
    assert not still_there and process.exitcode == 0 and lines[-1] == "end", f"ended by {lines[-1:]}, exit code {process.exitcode}"
    unclear = [line for line in lines[:-1]
               if line.split(" | ")[2] != "fine" and line.split(" | ")[2].split(":")[0] not in CLEAR]
    assert unclear == []
    # Exceptions without a word, but for the one that Python itself has none for.
    assert [line for line in lines if line.endswith(": ") and not line.endswith("MemoryError: ")] == []
