# SPDX-License-Identifier: MIT
"""Which lines of each parser its seeds reach, as llvm-cov counts them.

    coverage.py REPLAY [--lines]    REPLAY: heed_replay, compiled by clang with HEED_COVERAGE; --lines: those not reached

Ends with 1 where a parser has less than 95 %. What writes, opens by name or describes is left out (parsers.py).
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

from parsers import ROOT, SOURCES, files_of, lines_that_read

LEAST = 0.95
# Chains lie in the source of models, and are tables; what sidecars say of windows is settled where tables are read.
ALSO = {"json_sidecar": ("tsv",), "tsv": ("json_sidecar",)}
VERSIONS = ("", "-14", "-15", "-16")  # of LLVM


def tool(name):
    found = next((path for version in VERSIONS if (path := shutil.which(name + version))), None)
    return found or sys.exit(f"{name} is missing; Debian's package llvm has it")


def counts(replay, target, folder):
    """{file: {line: how often}} of the parser, after its seeds and whatever found a fault."""
    profile = folder / f"{target}.profdata"
    profiles = []
    for one in (target, *ALSO.get(target, ())):
        profiles.append(folder / f"{target}-{one}.profraw")
        corpus = [ROOT / "fuzz" / kind / one for kind in ("corpus", "finds")]
        subprocess.run([replay, one, *corpus], env={"LLVM_PROFILE_FILE": str(profiles[-1]), "TMPDIR": str(folder)},
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    subprocess.run([tool("llvm-profdata"), "merge", "-sparse", *profiles, "-o", profile], check=True)
    exported = subprocess.run([tool("llvm-cov"), "export", "-format=lcov", "-instr-profile", profile, replay, *files_of(target)],
                              capture_output=True, text=True, check=True).stdout
    found, current = {}, {}
    for entry in exported.splitlines():
        key, _, value = entry.partition(":")
        if key == "SF":
            current = found.setdefault(pathlib.Path(value), {})
        elif key == "DA":
            line, count = value.split(",")[:2]
            current[int(line)] = current.get(int(line), 0) + int(count)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("replay", type=pathlib.Path)
    parser.add_argument("--lines", action="store_true")
    arguments = parser.parse_args()
    good = True
    print(f"{'parser':14}{'seeds':>6}{'lines':>7}{'reached':>9}")
    with tempfile.TemporaryDirectory(prefix="heed-coverage-") as folder:
        for target in sorted(SOURCES):
            lines = reached = 0
            missed = []
            for path, found in counts(arguments.replay.resolve(), target, pathlib.Path(folder)).items():
                reading = {line: count for line, count in found.items() if line in lines_that_read(path)}
                lines += len(reading)
                reached += sum(count > 0 for count in reading.values())
                missed += [f"{path.relative_to(ROOT)}:{line}" for line, count in sorted(reading.items()) if count == 0]
            seeds = len(list((ROOT / "fuzz/corpus" / target).iterdir()))
            print(f"{target:14}{seeds:6}{lines:7}{reached / lines:9.1%}", flush=True)
            if arguments.lines and missed:
                print(*(f"  {place}" for place in missed), sep="\n")
            good = good and reached >= LEAST * lines
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
