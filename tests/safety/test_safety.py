#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The maker's file: the trace table has no gap and would show one; the SBOM names every third-party part.

    test_safety.py ROOT
"""
import json
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()


def traced(root):
    return subprocess.run([sys.executable, "-B", ROOT / "packaging" / "trace_table.py", root], capture_output=True, text=True, check=False)


def embedded():
    return json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["dependencies"]


def field(name):
    """The packages in every such field of debian/control."""
    for line in re.findall(rf"^{name}: ((?:.*\n(?: .*\n)*))", (ROOT / "debian" / "control").read_text(encoding="utf-8"), re.M):
        yield from re.findall(r"(?<![$\w{(.-])([a-z][\w.+-]*)", re.sub(r"\$\{.*?\}|\(.*?\)", "", line))


def needed_by_packages():
    """What is embedded, and what heed's packages depend on; but for the programs that load them, and -dev, whose library it is."""
    yield from embedded()
    yield from (name for name in field("Depends") if re.match(r"lib(?!heed).*(?<!-dev)$|python3-(?!dev)", name))


def compiled_in():
    """Stems of what the build takes from Debian's -dev packages, headers alone among them; but for the interpreters'."""
    yield from (name.removesuffix("-dev") for name in field("Build-Depends") if name.endswith("-dev") and name not in ("python3-dev", "octave-dev"))


def table():
    """Package and cells of each row of the third-party parts."""
    text = (ROOT / "docs" / "safety" / "third_party.md").read_text(encoding="utf-8")
    return {cells[1].strip(" `"): [cell.strip() for cell in cells] for cells in
            (line.strip("|").split("|") for line in text.splitlines() if re.match(r"^\|[^|]*\| `", line))}


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



class Parts(unittest.TestCase):
    def test_all_are_listed(self):
        listed = table()
        self.assertGreater(len(listed), 10)
        self.assertEqual(set(needed_by_packages()) - set(listed), set())
        self.assertEqual([stem for stem in compiled_in() if not any(name.startswith(stem) for name in listed)], [])

    def test_versions_are_those_of_debian_12(self):
        listed = table()
        self.assertEqual({name: listed[name][2] for name in embedded()}, embedded())
        if platform.freedesktop_os_release().get("VERSION_ID") != "12":
            self.skipTest("this is not Debian 12")
        for name in set(listed) - set(embedded()):
            done = subprocess.run(["dpkg-query", "--show", "--showformat=${Version}", name], capture_output=True, text=True, check=False)
            if done.stdout:  # not all are needed to run the tests
                self.assertEqual(re.match(r"(?:\d+:)?(\d+(?:\.\d+)*)", done.stdout)[1], listed[name][2], name)


class BillOfMaterials(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            shipped, output = pathlib.Path(folder) / "some.deb", pathlib.Path(folder) / "heed.spdx.json"
            shipped.write_bytes(b"content")
            subprocess.run([sys.executable, "-B", ROOT / "packaging" / "make_sbom.py", ROOT, "1.2.3", output, shipped], check=True)
            cls.made = json.loads(output.read_text(encoding="utf-8"))

    def test_names_every_part(self):
        packages = {package["name"]: package for package in self.made["packages"]}
        self.assertEqual(set(packages), {"heed", *table()})
        for name, cells in table().items():
            self.assertEqual(packages[name]["licenseDeclared"], cells[3])
        self.assertEqual(packages["uplot"]["externalRefs"][0]["referenceLocator"], f"pkg:npm/uplot@{embedded()['uplot']}")
        runtime = packages["libstdc++6"]
        if "versionInfo" in runtime:  # on Debian
            url = runtime["externalRefs"][0]["referenceLocator"]
            self.assertRegex(url, r"^pkg:deb/\w+/libstdc%2B%2B6@[\w.%~-]+\?distro=\w+-\w+$")
            self.assertEqual(urllib.parse.unquote(url.split("@")[1].split("?")[0]), runtime["versionInfo"])

    def test_has_what_spdx_asks_for(self):
        """The fields that version 2.3 makes mandatory, in its words, and only relations between what is there."""
        self.assertEqual(self.made["spdxVersion"], "SPDX-2.3")
        self.assertEqual(self.made["dataLicense"], "CC0-1.0")
        self.assertRegex(self.made["documentNamespace"], r"^[a-z]+:[^#\s]+$")
        self.assertRegex(self.made["creationInfo"]["created"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertRegex(self.made["creationInfo"]["creators"][0], r"^Tool: \S+$")
        elements = [item["SPDXID"] for item in (self.made, *self.made["packages"], *self.made["files"])]
        self.assertEqual(len(elements), len(set(elements)))
        for element in elements:
            self.assertRegex(element, r"^SPDXRef-[A-Za-z0-9.-]+$")
        for package in self.made["packages"]:
            self.assertTrue(package["name"] and package["downloadLocation"])
            self.assertRegex(package["supplier"], r"^(NOASSERTION|Organization: \w+)$")
        (file,) = self.made["files"]
        self.assertEqual({each["algorithm"]: each["checksumValue"] for each in file["checksums"]},
                         {"SHA1": "040f06fd774092478d450774f5ba30c5da78acc8",
                          "SHA256": "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"})
        relations = [(each["spdxElementId"], each["relationshipType"], each["relatedSpdxElement"]) for each in self.made["relationships"]]
        self.assertIn(("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-heed"), relations)
        for one, kind, other in relations:
            self.assertLessEqual({one, other}, set(elements))
            self.assertIn(kind, ("DESCRIBES", "DEPENDS_ON", "GENERATES"))


if __name__ == "__main__":
    unittest.main()
