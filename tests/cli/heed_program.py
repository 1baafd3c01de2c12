# SPDX-License-Identifier: MIT
"""Runs the program heed (environment HEED) in a scratch folder, and reads what it wrote."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("HEED", "heed")
PATIENCE = 600 if os.environ.get("HEED_SANITIZE") else 120  # seconds a call
PREPARED = {}  # folders of HeedTest.prepare_once
BY_HAND = ("--mu-attended", "0.12", "--mu-unattended", "0.04", "--sigma", "0.3")


class HeedTest(unittest.TestCase):
    """Each test has a folder of its own, in which heed runs."""

    maxDiff = None

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="heed-cli-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def prepare_once(self, make):
        """Fills the folder by `make()`, which the first test of a module does; the others get a copy of what it wrote."""
        kept = PREPARED.get(make.__qualname__)
        if kept is not None:
            shutil.copytree(kept.name, self.folder, dirs_exist_ok=True)
            return
        make()
        kept = tempfile.TemporaryDirectory(prefix="heed-cli-kept-")
        shutil.copytree(self.folder, kept.name, dirs_exist_ok=True)
        PREPARED[make.__qualname__] = kept  # removed at the end of the process

    # ---- running ----

    def run_heed(self, *arguments, stdin=b"", **options):
        options.setdefault("stdout", subprocess.PIPE)
        return subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, stderr=subprocess.PIPE, cwd=self.folder,
                              timeout=PATIENCE, check=False, **options)

    def heed(self, *arguments, stdin=b""):
        """Must succeed. Gives standard output; what was said on stderr is in self.said."""
        result = self.run_heed(*arguments, stdin=stdin)
        self.said = result.stderr.decode()
        self.assertEqual(result.returncode, 0, f"heed {' '.join(map(str, arguments))}: {self.said}")
        return result.stdout.decode()

    def heed_json(self, *arguments, stdin=b""):
        return json.loads(self.heed(*arguments, "--json", stdin=stdin))

    def refused(self, code, *arguments, says=(), stdin=b"", **options):
        """Must fail so: the exit code, one line on stderr with these words, nothing on stdout, no file touched."""
        before = self.files()
        result = self.run_heed(*arguments, stdin=stdin, **options)
        said = result.stderr.decode()
        call = f"heed {' '.join(map(str, arguments))}: {said}"
        self.assertEqual(result.returncode, code, call)
        self.assertTrue(said.startswith("heed: ") and said.endswith("\n") and said.count("\n") == 1, repr(said))
        for words in [says] if isinstance(says, str) else says:
            self.assertIn(words, said)
        self.assertFalse(result.stdout, call)  # None where the caller took it
        self.assertEqual(self.files(), before, call)
        return said

    # ---- files ----

    def files(self):
        return {str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else None
                for path in sorted(self.folder.rglob("*"))}

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def write_table(self, name, header, rows):
        """Rows of numbers and texts; None is n/a."""
        return self.write(name, table_text(header, rows))

    def write_scores(self, name, rows, attended=None, onset=0, window=1, speakers=None):
        """One trial, a row per window; None for a missing one. Labels are speakers' numbers, None if unknown."""
        speakers = speakers or speaker_names(len(next(row for row in rows if row is not None)))
        header = ["onset", *speakers] + (["attended"] if attended else [])
        lines = []
        for t, row in enumerate(rows):
            cells = [onset + t * window, *(row if row is not None else [None] * len(speakers))]
            if attended:
                cells.append(None if attended[t] is None else speakers[attended[t]])
            lines.append(cells)
        return self.write_table(name, header, lines)

    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def read_json(self, name):
        return json.loads(self.read(name))

    def read_table(self, name):
        return parse_table(self.read(name))

    # ---- comparing ----

    def assert_close(self, actual, expected, tolerance=1e-12, place=""):
        """Numbers, None and nested lists of them."""
        if isinstance(expected, (list, tuple)):
            self.assertEqual(len(actual), len(expected), place)
            for k, (a, e) in enumerate(zip(actual, expected)):
                self.assert_close(a, e, tolerance, f"{place}[{k}]")
        elif expected is None:
            self.assertIsNone(actual, place)
        else:
            self.assertIsNotNone(actual, place)
            self.assertLessEqual(abs(actual - expected), tolerance * max(1, abs(expected)),
                                 f"{place}: {actual} is not {expected}")


def speaker_names(count):
    return ["left", "right"] if count == 2 else [f"speaker-{k + 1}" for k in range(count)]


def cell_text(cell):
    if cell is None:
        return "n/a"
    return cell if isinstance(cell, str) else repr(cell)


def table_text(header, rows):
    return "".join("\t".join(map(cell_text, cells)) + "\n" for cells in [header, *rows])


class Table:
    """A TSV as it was read: columns of texts by name, numbers on demand."""

    def __init__(self, header, rows):
        self.header = header
        self.rows = rows

    def __getitem__(self, name):
        return [row[self.header.index(name)] for row in self.rows]

    def as_dicts(self):
        return [dict(zip(self.header, row)) for row in self.rows]

    def numbers(self, *names):
        """One list a row."""
        columns = [self.header.index(name) for name in names]
        return [[float(row[c]) for c in columns] for row in self.rows]


def parse_table(text):
    lines = [line.split("\t") for line in text.splitlines()]
    return Table(lines[0], lines[1:])
