#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the software bill of materials (SPDX 2.3, JSON): heed and the third-party parts of docs/safety/third_party.md, in the
versions of this machine, with the digests of the files that are shipped.

    make_sbom.py ROOT VERSION OUTPUT [FILE...]
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys


def parts(root):
    """Package and licence of each row of the table."""
    for line in (root / "docs" / "safety" / "third_party.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 5 and cells[1].startswith("`"):
            yield cells[1].strip("`"), cells[2]


def version_of(package, root):
    """What is embedded has its version in the tree, what Debian packages on this machine."""
    embedded = json.loads((root / "web" / "package.json").read_text(encoding="utf-8"))["dependencies"]
    if package in embedded:
        return embedded[package]
    done = subprocess.run(["dpkg-query", "--show", "--showformat=${Version}", package], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 and done.stdout else None


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def described(name, version, licence):
    package = {"SPDXID": identifier(name), "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
               "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION"}
    return {**package, "versionInfo": version} if version else package


def main():
    root, version, output = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    shipped = [pathlib.Path(name) for name in sys.argv[4:]]
    digest = lambda path: hashlib.sha256(path.read_bytes()).hexdigest()
    files = [{"SPDXID": identifier(path.name), "fileName": f"./{path.name}", "checksums": [{"algorithm": "SHA256", "checksumValue": digest(path)}],
              "licenseConcluded": "MIT", "copyrightText": "NOASSERTION"} for path in shipped]
    third = [described(package, version_of(package, root), licence) for package, licence in parts(root)]
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", datetime.datetime.now().timestamp()))
    unique = hashlib.sha256("".join(file["checksums"][0]["checksumValue"] for file in files).encode()).hexdigest()
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-heed")]
    relations += [("SPDXRef-heed", "DEPENDS_ON", package["SPDXID"]) for package in third]
    relations += [("SPDXRef-heed", "GENERATES", file["SPDXID"]) for file in files]
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"heed-{version}",
        "documentNamespace": f"urn:heed:sbom:{version}:{unique[:16]}",
        "creationInfo": {"created": datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: packaging/make_sbom.py"]},
        "packages": [described("heed", version, "MIT"), *third], "files": files,
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in relations]}
    output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
