# SPDX-License-Identifier: MIT
"""Runs heed with one call of the operating system going wrong, and judges what is left.

Whatever fails, heed ends by itself, with success only if every file is as it should be, and otherwise with a sentence, an
exit code that says whose fault it was, and no file under its final name that is neither the old nor the new one. The next
run, with nothing going wrong, completes. HEED is the program, HEED_INJECTOR the library that lets a call fail.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
from typing import NamedTuple

PROGRAM = os.environ.get("HEED", "heed")
INJECTOR = os.environ.get("HEED_INJECTOR", "")
PATIENCE = 120  # seconds per run, on a machine that is busy

SUCCESS, PARTIAL, BAD_DATA, NO_INPUT, UNAVAILABLE, CANNOT_CREATE, IO = 0, 1, 65, 66, 69, 73, 74
ERRORS = {  # of each kind of call
    "open": ("ENOSPC", "EIO", "EINTR", "kill"),
    "read": ("EIO", "EINTR", "short"),
    "write": ("ENOSPC", "EIO", "EINTR", "short", "kill"),
    "fsync": ("ENOSPC", "EIO", "EINTR", "kill"),
    "rename": ("ENOSPC", "EIO", "kill"),
    "close": ("ENOSPC", "EIO", "EINTR", "kill"),
    "mkdir": ("ENOSPC", "EIO", "kill"),
    "allocation": ("ENOMEM",),
}
# What a program cannot tell from a damaged or missing file is called so.
CODES = {kind: {SUCCESS, PARTIAL, BAD_DATA, NO_INPUT, CANNOT_CREATE, IO} for kind in ERRORS}
CODES["allocation"] = {SUCCESS, UNAVAILABLE}


class Command(NamedTuple):
    """Runs in a folder beside base/, into which `copies` of base/ were put."""

    name: str
    call: tuple
    again: tuple = ()  # how to go on after a failure; the same call unless told
    copies: tuple = ()
    finding: str = ""  # on standard output, where a failure is what the command was to find


class Fault(NamedTuple):
    kind: str
    error: str
    at: int
    lasts: bool = False

    def __str__(self):
        return f"{self.kind} {self.error} {self.at}{'+' if self.lasts else ''}"


def files_below(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def is_temporary(name):
    return any(part.startswith(".heed") for part in pathlib.PurePath(name).parts)


def is_cached(name):
    return name.startswith("cache/")


def is_ledger(name):
    """Grows while the command works, and says how far it came."""
    return name.endswith(("/participants.tsv", "/reproduce.json", "_heed.json")) or name == "live.tsv"


def is_whole_ledger(name, text):
    if name.endswith(".json"):
        return isinstance(json.loads(text), dict)
    rows = text.decode().split("\n")
    return rows.pop() == "" and len({row.count("\t") for row in rows}) <= 1  # none: it has only just been made


def spread(total, most):
    """Of 1 ... total, so many as evenly as possible: the first and the last among them, or the one in the middle."""
    if total <= most:
        return list(range(1, total + 1))
    if most == 1:
        return [1 + total // 2]
    return sorted({1 + (total - 1) * k // (most - 1) for k in range(most)})


def faults_of(kind, total, most):
    """Every way in which calls of a kind go wrong, at so many of them: once, and from there on."""
    for error in ERRORS[kind]:
        for at in spread(total, most):
            yield Fault(kind, error, at)
            if error not in ("EINTR", "kill"):
                yield Fault(kind, error, at, lasts=True)


class Wrong(Exception):
    """A promise was broken."""


class FaultyRuns:
    """A folder with base/, made by `make_base(call)`, in which commands are run again and again."""

    def __init__(self, make_base):
        self._scratch = tempfile.TemporaryDirectory(prefix="heed-faults-")
        self.root = pathlib.Path(self._scratch.name)
        self.base = self.root / "base"
        self.base.mkdir()
        self._references = {}
        make_base(lambda *call: self._succeed(call, self.base), self.base)

    def close(self):
        self._scratch.cleanup()

    def counts(self, command):
        """How many calls of each kind the command makes."""
        return self._reference(command)[1]

    def check(self, command, fault):
        """Raises Wrong. Gives the exit code under the fault."""
        expected, _ = self._reference(command)
        folder = self._fresh(command)
        before = files_below(folder)
        result = self._run(command.call, folder, HEED_FAULT=str(fault))
        place = f"heed {' '.join(command.call)} [{fault}] -> {result.returncode}: {result.stderr.decode(errors='replace')}"
        self._judge(fault, result, before, {**files_below(folder), "stdout": result.stdout}, expected, place, command.finding)
        files = {name: text for name, text in expected.items() if name != "stdout"}
        left = {name: text for name, text in files_below(folder).items() if not is_temporary(name)}
        if result.returncode != SUCCESS and left != files:  # else there is nothing left to do
            again = self._run(command.again or command.call, folder)
            if again.returncode != SUCCESS:
                raise Wrong(f"{place}\nthe next run fails ({again.returncode}): {again.stderr.decode(errors='replace')}")
            self._compare(files_below(folder), files, place + "\nafter the next run")
        return result.returncode

    # ---- judging ----

    def _judge(self, fault, result, before, after, expected, place, finding):
        codes = {-signal.SIGKILL} if fault.error == "kill" else CODES[fault.kind]
        if result.returncode not in codes:
            raise Wrong(f"{place}\nthis exit code is none that should come of it")
        if result.returncode == SUCCESS:
            self._compare(after, expected, place + "\nsuccess, but")
            return
        if fault.error == "short":
            raise Wrong(f"{place}\na short count is no failure")
        told = finding.encode() in result.stdout if finding else re.search(rb"heed: (?!note:)\S+ \S+", result.stderr)
        if fault.error != "kill" and not told:
            raise Wrong(f"{place}\nno sentence says what went wrong")
        for name, text in after.items():
            whole = is_whole_ledger(name, text) if is_ledger(name) else text in (before.get(name), expected.get(name))
            if name != "stdout" and not whole and not is_temporary(name):
                raise Wrong(f"{place}\n{name} is neither what it was nor what it shall be")

    @staticmethod
    def _compare(files, expected, place):
        for name in sorted(set(files) | set(expected)):
            if is_cached(name) and name not in files:
                continue  # a cache that cannot be written is no error
            if name not in files:
                raise Wrong(f"{place}: {name} is missing")
            if files[name] != expected.get(name):
                raise Wrong(f"{place}: {name} " + ("differs" if name in expected else "is left"))

    # ---- running ----

    def _reference(self, command):
        """Files and standard output of a run in which nothing fails, and its counts."""
        if command.name not in self._references:
            runs = []
            for _ in range(2):  # what differs from run to run could not be judged
                folder = self._fresh(command)
                counts = self.root / "counts"
                result = self._run(command.call, folder, HEED_FAULT_COUNTS=str(counts))
                if result.returncode != SUCCESS:
                    raise Wrong(f"heed {' '.join(command.call)} fails by itself: {result.stderr.decode()}")
                runs.append({**files_below(folder), "stdout": result.stdout})
            self._compare(runs[0], runs[1], f"{command.name}: two runs differ")
            counted = dict(line.split() for line in counts.read_text().splitlines())
            self._references[command.name] = (runs[0], {kind: int(number) for kind, number in counted.items()})
        return self._references[command.name]

    def _fresh(self, command):
        folder = self.root / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in command.copies:
            source = self.base / name
            (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
        return folder

    def _run(self, call, folder, **injected):
        environment = {**os.environ, "XDG_CACHE_HOME": "cache", "OPENBLAS_NUM_THREADS": "1"}
        if injected:
            environment.update(injected, LD_PRELOAD=INJECTOR)
        return subprocess.run([PROGRAM, *call], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=PATIENCE, check=False)

    def _succeed(self, call, folder):
        result = self._run(call, folder)
        if result.returncode != SUCCESS:
            raise Wrong(f"heed {' '.join(call)}: {result.stderr.decode()}")
