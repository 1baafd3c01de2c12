#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds BIDS folders to the public bids-validator of npm: no errors are allowed, warnings are shown.

    check_with_npm.py TOOLS DATASET...

The validator is installed into the folder TOOLS, once, in the version of package.json. Without npm or node, or
without a network, the test is skipped (77) and says why. Where HEED_TEST_DATA is set its dataset is looked at too.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
PINNED = json.loads((HERE / "package.json").read_text())["dependencies"]["bids-validator"]


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def installed(tools):
    try:
        return json.loads((tools / "node_modules/bids-validator/package.json").read_text())["version"] == PINNED
    except (OSError, ValueError, KeyError):
        return False


def install(tools):
    """No scripts of packages are run."""
    if installed(tools):
        return
    tools.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "package.json", tools)
    shutil.copytree(HERE / "nothing", tools / "nothing", dirs_exist_ok=True)
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1"]
    try:
        result = subprocess.run(command, cwd=tools, capture_output=True, text=True, timeout=240, check=False)
    except subprocess.TimeoutExpired:
        skip(f"bids-validator {PINNED} could not be installed by npm within 240 s")
    if result.returncode != 0 or not installed(tools):
        skip(f"bids-validator {PINNED} could not be installed by npm; is there a network?\n{result.stderr[-500:]}")


def issues(tools, dataset):
    """(errors, warnings) as the validator names them."""
    command = ["node", str(tools / "node_modules/bids-validator/bin/bids-validator"), "--json", str(dataset)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    try:
        found = json.loads(result.stdout[result.stdout.index("{"):])["issues"]
    except (ValueError, KeyError):
        sys.exit(f"{dataset}: the validator said nothing that can be read\n{result.stdout}\n{result.stderr}")
    if found.get("formattedIssues"):
        found = found["formattedIssues"]
    return found["errors"], found["warnings"]


def shown(issue):
    files = [one["file"]["relativePath"] + ": " + str(one.get("evidence"))
             for one in issue.get("files", []) if one.get("file")]
    return f"{issue.get('key')}: {issue.get('reason')}" + "".join("\n      " + file for file in files[:3])


def passes(tools, dataset):
    errors, warnings = issues(tools, dataset)
    print(f"{dataset}: {len(errors)} errors, {len(warnings)} warnings")
    for kind, found in (("error", errors), ("warning", warnings)):
        for issue in found:
            print(f"  {kind} {shown(issue)}")
    return not errors


def finds_a_mistake(tools, dataset):
    """The check itself is checked: a dataset that lost a column of its events must not pass."""
    with tempfile.TemporaryDirectory(prefix="heed-bids-") as scratch:
        broken = pathlib.Path(scratch) / "broken"
        shutil.copytree(dataset, broken)
        table = next(broken.rglob("*_events.tsv"))
        table.write_text(table.read_text().replace("onset\t", "begin\t", 1))
        errors, _ = issues(tools, broken)
    if not errors:
        print("events without an onset were not noticed: the validator does not do its work")
    return bool(errors)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for program in ("npm", "node"):
        if shutil.which(program) is None:
            skip(f"{program} is not installed, so the public validator cannot be asked")
    tools, datasets = pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]]
    install(tools)
    good = finds_a_mistake(tools, datasets[0])
    real = pathlib.Path(os.environ.get("HEED_TEST_DATA", "")) / "dtu-match"
    if os.environ.get("HEED_TEST_DATA") and real.is_dir():
        datasets.append(real)
    for dataset in datasets:
        good = passes(tools, dataset) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
