#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces hazards to requirements to tests, and fails on gaps: a hazard without a control, a control that is no requirement,
a requirement without a test or that no hazard asks for, a test that does not exist.

    trace_table.py ROOT [--write]      with --write, docs/safety/trace.md is made anew; else it has to be what it would be
"""
import pathlib
import re
import sys

CASE = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP)\((\w+),\s*(\w+)", re.M)
HEAD = """# Trace table

Made by `packaging/trace_table.py` from [hazards](hazards.md) and [requirements](requirements.md).

| hazard | control | tests |
|---|---|---|
"""


def rows(path):
    """Cells of each row of the table, whose first cell is an id."""
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and re.fullmatch(r"[A-Z]+-\d+", cells[0]):
            yield cells


def known_cases(root):
    return {f"{suite}.{name}" for path in (root / "tests").rglob("*_test.cpp") for suite, name in CASE.findall(path.read_text(encoding="utf-8"))}


def gaps(root, hazards, requirements):
    cases = known_cases(root)
    for name, (_, tests) in requirements.items():
        if not tests:
            yield f"{name}: no test"
        for test in tests:
            if test not in cases and not (root / test).is_file():
                yield f"{name}: there is no test {test}"
        if not any(name in controls for _, controls in hazards.values()):
            yield f"{name}: controls no hazard"
    for name, (_, controls) in hazards.items():
        if not controls:
            yield f"{name}: no control"
        for control in controls:
            if control not in requirements:
                yield f"{name}: {control} is not a requirement"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    safety = root / "docs" / "safety"
    requirements = {cells[0]: (cells[1], re.findall(r"`([^`]+)`", cells[2])) for cells in rows(safety / "requirements.md")}
    hazards = {cells[0]: (cells[1], re.findall(r"[A-Z]+-\d+", cells[3])) for cells in rows(safety / "hazards.md")}
    found = list(gaps(root, hazards, requirements))
    table = HEAD
    for name, (words, controls) in hazards.items():
        for control in controls:
            tests = ", ".join(f"`{test}`" for test in requirements.get(control, ("", []))[1])
            table += f"| {name}: {words} | {control} | {tests} |\n"
    trace = safety / "trace.md"
    if "--write" in sys.argv:
        trace.write_text(table, encoding="utf-8")
    elif not trace.exists() or trace.read_text(encoding="utf-8") != table:
        found.append("docs/safety/trace.md is not up to date: packaging/trace_table.py . --write")
    print(*found, sep="\n")
    print(f"{len(hazards)} hazards, {len(requirements)} requirements, {len(found)} gaps")
    return 1 if found or not hazards or not requirements else 0


if __name__ == "__main__":
    sys.exit(main())
