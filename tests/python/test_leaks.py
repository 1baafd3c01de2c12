# SPDX-License-Identifier: MIT
"""Nothing stays behind: neither of calls that succeed nor of those that fail or are interrupted."""
import json
import os
import subprocess
import sys

import leaks
import pytest

# A leaked object is 16 bytes at the least, in malloc's books 32; caches that grow ever more slowly stay below. An
# interrupted call is repeated ten times only, and would leave its array or its workspace: hundreds of kilobytes.
SMALLEST_LEAK = 24
LEAK_OF_AN_INTERRUPTED_CALL = 1000


@pytest.fixture(scope="module")
def grown():
    done = subprocess.run([sys.executable, "-B", leaks.__file__], capture_output=True, text=True, check=False,
                          env=os.environ | leaks.ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("operation", leaks.OPERATIONS)
def test_nothing_is_left_behind(grown, operation):
    assert grown[operation] < SMALLEST_LEAK


@pytest.mark.parametrize("operation", leaks.INTERRUPTED)
def test_nothing_is_left_behind_by_an_interrupt(grown, operation):
    assert grown[operation] < LEAK_OF_AN_INTERRUPTED_CALL


@pytest.mark.parametrize("leak", leaks.PLANTED)
def test_leaks_are_found(grown, leak):
    """The measure sees one lost object a call, of Python's and of C's."""
    assert grown[leak] >= SMALLEST_LEAK
