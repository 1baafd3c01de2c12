#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs what a page of the documentation tells its reader to run; pages.py says how blocks are marked.

    run_page.py PAGE --program HEED [--prefix PREFIX --compiler CXX] [--python PYTHON --module FOLDER]
                [--octave OCTAVE --functions FOLDER]

PREFIX is where heed was installed; without it blocks that need a compiler are passed over. FOLDER is where Python finds
heed; without it blocks of Python are. Likewise OCTAVE, where the folder of heed's functions is.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from pages import Page, PageError
from python_session import PythonSession

LONGEST_RUN = 240  # seconds
PROGRESS = re.compile(r".+: \d+ %, (\d+ min )?\d+ s left")  # what a run of more than ten seconds says meanwhile, on a slow machine


class Runner:
    def __init__(self, page, options, folder):
        self.page = page
        self.options = options
        self.folder = pathlib.Path(folder)
        self.environment = self._environment()
        self.last_output = None
        self.session = None
        self.counts = {"run": 0, "compared": 0, "compiled": 0, "parsed": 0, "passed over": 0}

    def _environment(self):
        environment = dict(os.environ, LC_ALL="C.UTF-8", XDG_CACHE_HOME=str(self.folder.resolve() / ".cache"))
        environment["PATH"] = f"{pathlib.Path(self.options.program).resolve().parent}:{environment['PATH']}"
        if self.options.prefix:
            prefix = pathlib.Path(self.options.prefix).resolve()
            found = sorted(prefix.rglob("heed.pc"))
            if not found:
                raise SystemExit(f"{prefix}: heed is not installed there")
            environment["PKG_CONFIG_PATH"] = str(found[0].parent)
            environment["CMAKE_PREFIX_PATH"] = str(prefix)
            environment["CXX"] = self.options.compiler
        if self.options.module:
            environment["PYTHONPATH"] = str(pathlib.Path(self.options.module).resolve())
            environment["MPLBACKEND"] = "agg"
        return environment

    def run(self):
        try:
            for block in self.page.blocks:
                self._block(block)
        finally:
            if self.session:
                self.session.close()

    def _block(self, block):
        if "file" in block.values:
            self._write(block)
        if block.language == "json":
            self._parse(block)
        if "output" in block.words:
            self._compare(block)
        elif "run" in block.words and block.language == "python":
            self._python(block)
        elif "run" in block.words and block.language == "matlab":
            self._octave(block)
        elif "run" in block.words:
            self._shell(block)
        elif block.is_program and "file" not in block.values:
            self._program(block)

    def _write(self, block):
        path = self.folder / block.values["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")

    def _parse(self, block):
        try:
            json.loads(block.text)
        except json.JSONDecodeError as failure:
            raise self.page.error(block.line, f"not JSON: {failure}") from failure
        self.counts["parsed"] += 1

    def _command(self, block, command, code=0):
        try:
            result = subprocess.run(command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
                                    timeout=LONGEST_RUN, check=False)
        except subprocess.TimeoutExpired as failure:
            raise self.page.error(block.line, f"still running after {LONGEST_RUN} s") from failure
        if result.returncode != code:
            said = f"{shlex.join(command)}\n{result.stdout}"
            raise self.page.error(block.line, f"exits with {result.returncode}, not {code}:\n{said}")
        return result.stdout

    def _shell(self, block):
        if "installed" in block.words and not self.options.prefix:
            self.last_output = None
            self.counts["passed over"] += 1
            return
        code = int(block.values.get("exits", "0"))
        self.last_output = self._command(block, ["bash", "-eu", "-o", "pipefail", "-c", block.text], code)
        self.counts["run"] += 1

    def _python(self, block):
        if not self.options.module:
            self.last_output = None
            self.counts["passed over"] += 1
            return
        if self.session is None:
            self.session = PythonSession(self.options.python, self.folder, self.environment)
        self.last_output, failed = self.session.run(block.text, f"{self.page.name}:{block.line}", LONGEST_RUN)
        if failed:
            raise self.page.error(block.line, f"fails:\n{self.last_output}{failed}")
        self.counts["run"] += 1

    def _octave(self, block):
        if not self.options.functions:
            self.last_output = None
            self.counts["passed over"] += 1
            return
        (self.folder / "block.m").write_text("1;\n" + block.text, encoding="utf-8")
        keep = "if exist('block.mat', 'file'), load('block.mat'); end; source('block.m'); save('-binary', 'block.mat');"
        functions = str(pathlib.Path(self.options.functions).resolve())
        command = [self.options.octave, "--norc", "--no-history", "--path", functions, "--eval", keep]
        self.last_output = self._command(block, command)
        self.counts["run"] += 1

    def _compare(self, block):
        if self.last_output is None:
            if self.counts["passed over"]:
                return
            raise self.page.error(block.line, "output of nothing: no run comes before it")
        wanted, got = ([line.rstrip() for line in text.rstrip().splitlines()] for text in (block.text, self.last_output))
        got = [line for line in got if not PROGRESS.fullmatch(line)]
        if wanted != got:
            shown = "\n".join(got)
            raise self.page.error(block.line, f"the run before it prints something else:\n{shown}")
        self.counts["compared"] += 1

    def _program(self, block):
        if not self.options.prefix:
            self.last_output = None
            self.counts["passed over"] += 1
            return
        source = self.folder / f"line_{block.line}.cpp"
        source.write_text(block.text, encoding="utf-8")
        program = source.with_suffix("")
        flags = shlex.split(self._command(block, ["pkg-config", "--cflags", "--libs", "heed"]))
        self._command(block, [self.options.compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", str(source),
                              "-o", str(program), *flags])
        self.last_output = self._command(block, [str(program)])
        self.counts["compiled"] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page")
    parser.add_argument("--program", required=True)
    parser.add_argument("--prefix")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--module")
    parser.add_argument("--octave", default="octave-cli")
    parser.add_argument("--functions")
    options = parser.parse_args()
    try:
        page = Page(options.page)
        with tempfile.TemporaryDirectory(prefix="heed-docs-") as folder:
            runner = Runner(page, options, folder)
            runner.run()
    except PageError as error:
        print(error)
        return 1
    print(f"{page.name}:", ", ".join(f"{count} {what}" for what, count in runner.counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
