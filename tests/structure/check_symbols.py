#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads what the objects of an archive need from outside and fails on anything but memory copies: no heap, no exception, no
lock, no output and no mathematical library can hide in such an object.

    check_symbols.py NM ARCHIVE_OR_OBJECT...
"""
import re
import subprocess
import sys

ALLOWED = re.compile(
    r"mem(?:cpy|move|set|cmp)"
    r"|sqrtf?"  # unoptimised code alone; an instruction otherwise
    r"|_GLOBAL_OFFSET_TABLE_"  # position-independent code
    r"|__gxx_personality_v0"  # unoptimised noexcept code: names the unwinder, throws nothing
)


def symbols(nm, arguments, files):
    """Each line of nm: the object and the mangled name."""
    output = subprocess.run([nm, "-A", "-P", *arguments, *files], capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        place, name = line.split()[:2]
        yield place.rstrip(":"), name


def foreign(nm, files):
    """Undefined symbols that none of the files defines and nothing allows."""
    own = {name for _, name in symbols(nm, ["--defined-only"], files)}
    for place, name in symbols(nm, ["--undefined-only"], files):
        if name not in own and not ALLOWED.fullmatch(name):
            yield place, name


def main():
    nm, *files = sys.argv[1:]
    own = sum(1 for _ in symbols(nm, ["--defined-only"], files))
    if own == 0:
        print("no symbol defined in", *files)
        return 2
    found = sorted(set(foreign(nm, files)))
    for place, name in found:
        print(f"{place} needs {name}")
    print(f"{own} symbols defined, {len(found)} foreign ones needed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
