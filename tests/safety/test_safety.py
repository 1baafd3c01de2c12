#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The maker's file: the trace table has no gap and would show one; the SBOM names every third-party part.

    test_safety.py ROOT
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()


def traced(root):
    return subprocess.run([sys.executable, "-B", ROOT / "packaging" / "trace_table.py", root], capture_output=True, text=True, check=False)


def embedded():
    return json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["dependencies"]


def needed_by_packages():
    """What is embedded, and what heed's packages depend on; but for the programs that load them, and -dev, whose library it is."""
    yield from embedded()
    for line in re.findall(r"^Depends: ((?:.*\n(?: .*\n)*))", (ROOT / "debian" / "control").read_text(encoding="utf-8"), re.M):
        for name in re.findall(r"(?<![$\w{(.-])((?:lib|python3-)[a-z][\w.+-]*)", line):
            if not name.endswith("-dev") and not name.startswith("libheed"):
                yield name


class Trace(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.copy = pathlib.Path(temporary.name)
        shutil.copytree(ROOT / "docs" / "safety", self.copy / "docs" / "safety")
        (self.copy / "tests").symlink_to(ROOT / "tests")

    def replace(self, name, old, new):
        path = self.copy / "docs" / "safety" / name
        text = path.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path.write_text(text.replace(old, new), encoding="utf-8")

    def test_has_no_gap(self):
        done = traced(ROOT)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_gaps_are_noticed(self):
        for name, old, new, words in (
                ("requirements.md", "GainRuleTest.WaitsInTheDeadZone", "GainRuleTest.IsNotThere", "no test GainRuleTest.IsNotThere"),
                ("requirements.md", "| CORE-9 |", "| CORE-99 |", "CORE-9 is not a requirement"),
                ("hazards.md", "LIVE-4, LIVE-6, ADAPT-2", "", "HAZ-9: no control"),
                ("requirements.md", "`GainRuleTest.BrokenPosteriorHoldsEveryGain`", "", "CORE-9: no test"),
                ("trace.md", "HAZ-1", "HAZ-0", "not up to date")):
            with self.subTest(words=words):
                shutil.rmtree(self.copy / "docs" / "safety")
                shutil.copytree(ROOT / "docs" / "safety", self.copy / "docs" / "safety")
                self.replace(name, old, new)
                done = traced(self.copy)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(words, done.stdout)

    def test_sbom_names_every_part(self):
        shipped, output = self.copy / "some.deb", self.copy / "heed.spdx.json"
        shipped.write_bytes(b"content")
        subprocess.run([sys.executable, "-B", ROOT / "packaging" / "make_sbom.py", ROOT, "1.2.3", output, shipped], check=True)
        made = json.loads(output.read_text(encoding="utf-8"))
        self.assertEqual(made["spdxVersion"], "SPDX-2.3")
        names = {package["name"] for package in made["packages"]}
        table = (ROOT / "docs" / "safety" / "third_party.md").read_text(encoding="utf-8")
        self.assertEqual(names, {"heed", *re.findall(r"^\|[^|]*\| `([^`]+)`", table, re.M)})
        self.assertGreater(len(names), 10)
        self.assertEqual(set(needed_by_packages()) - names, set())
        versions = {package["name"]: package.get("versionInfo") for package in made["packages"]}
        self.assertEqual(versions["uplot"], embedded()["uplot"])
        elements = {"SPDXRef-DOCUMENT", *(item["SPDXID"] for item in made["packages"] + made["files"])}
        for relation in made["relationships"]:
            self.assertLessEqual({relation["spdxElementId"], relation["relatedSpdxElement"]}, elements)
        self.assertEqual(made["files"][0]["checksums"][0]["checksumValue"], "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73")


if __name__ == "__main__":
    unittest.main()
