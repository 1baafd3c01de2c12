#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Converts small files in the structures of the public data sets, then holds the folders to the public validator.

    check_converted.py TOOLS HEED       TOOLS as for check_with_npm.py; skipped (77) where scipy or npm is missing
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from public_sets import PublicSets  # noqa: E402

SKIPPED = 77


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tools, heed = sys.argv[1:]
    try:
        sets = PublicSets()
    except unittest.SkipTest as reason:
        print(f"skipped: {reason}")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="heed-converted-") as scratch:
        folders = []
        for name in ("av-gc-aad", "kuleuven", "dtu"):
            folders.append(str(pathlib.Path(scratch) / name))
            subprocess.run([heed, "convert", name, str(sets.folder / name), folders[-1]], check=True)
        command = [sys.executable, "-B", str(HERE / "check_with_npm.py"), tools, *folders]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
