# SPDX-License-Identifier: MIT
"""unite_tests.py OUTPUT FILE...: files of tests as one file, each in a namespace of its own.

Tests give their helpers short names (`trial`, `options`), and every file its own. Within `heed::io::score_write_test`
instead of `heed::io` they keep out of each other's way, and still see all that `heed::io` has. Messages and debuggers
name the files as they were written.
"""
import pathlib
import re
import sys

NAMESPACE = re.compile(r'^namespace( heed(?:::\w+)*)? \{$', re.M)


def in_its_own_namespace(text, stem):
    """The first namespace of a file is the one that holds it."""
    return NAMESPACE.sub(lambda opening: f'namespace {(opening[1] or "").strip()}{"::" if opening[1] else ""}{stem} {{',
                         text, count=1)


def united(files):
    return ''.join(f'#line 1 "{file}"\n' + in_its_own_namespace(pathlib.Path(file).read_text(encoding='utf-8'),
                                                               pathlib.Path(file).stem) for file in files)


if __name__ == '__main__':
    output, *sources = sys.argv[1:]
    pathlib.Path(output).write_text(united(sources), encoding='utf-8')
