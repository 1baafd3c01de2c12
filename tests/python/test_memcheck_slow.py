# SPDX-License-Identifier: MIT
"""valgrind watches every read and write of the module while it is used in every way the other tests know."""
import os
import pathlib
import shutil
import subprocess
import sys

import leaks
import memory
import pytest

pytestmark = [
    pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed: apt install valgrind"),
    pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="ASan watches already"),
]
FOUND = 99


def watched(*arguments):
    # OpenBLAS chooses anew, for the processor that valgrind plays: that one has no AVX-512.
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}
    suppressions = pathlib.Path(__file__).with_name("memcheck.supp")
    done = subprocess.run(["valgrind", "--tool=memcheck", "--num-callers=30", f"--error-exitcode={FOUND}",
                           f"--suppressions={suppressions}", sys.executable, "-B", memory.__file__, *arguments],
                          env=environment | leaks.ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.stdout == "end\n", done.stderr[-3000:]
    return done


def test_nothing_is_read_or_written_that_should_not():
    done = watched()
    assert done.returncode == 0, done.stderr[-6000:]


def test_valgrind_would_have_found_it():
    done = watched("planted")
    assert done.returncode == FOUND and "Invalid read of size 8" in done.stderr
