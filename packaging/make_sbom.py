#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the software bill of materials (SPDX 2.3, JSON): heed and the third-party parts of docs/safety/third_party.md, in the
versions of this machine and under the names that programs look vulnerabilities up by, with the digests of the files that
are shipped.

    make_sbom.py ROOT VERSION OUTPUT [FILE...]
"""
import datetime
import hashlib
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import urllib.parse


def parts(root):
    """Package and licence of each row of the table."""
    for line in (root / "docs" / "safety" / "third_party.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 6 and cells[1].startswith("`"):
            yield cells[1].strip("`"), cells[3]


def version_of(package):
    """On this machine; None where it is no Debian, or lacks the package."""
    try:
        done = subprocess.run(["dpkg-query", "--show", "--showformat=${Version}", package], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 and done.stdout else None


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def described(name, licence, **more):
    return {"SPDXID": identifier(name), "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION", "supplier": "NOASSERTION", **more}


def found_as(kind, name, version, place=""):
    """The package URL under which scanners know a part."""
    url = f"pkg:{kind}/{urllib.parse.quote(name)}@{urllib.parse.quote(version)}{place}"
    return {"versionInfo": version,
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": url}]}


def third_party(package, licence, embedded):
    """What is embedded has its version in the tree, what Debian packages on this machine."""
    if package in embedded:
        return described(package, licence, **found_as("npm", package, embedded[package]))
    version = version_of(package)
    if version is None:
        return described(package, licence)
    system = platform.freedesktop_os_release()
    place = f"?distro={system['ID']}-{system.get('VERSION_ID', 'unknown')}"
    return described(package, licence, supplier="Organization: Debian", **found_as(f"deb/{system['ID']}", package, version, place))


def shipped_file(path):
    """SPDX asks for SHA-1, which tells files apart; who wants to know that nobody changed them goes by SHA-256."""
    content = path.read_bytes()
    return {"SPDXID": identifier(path.name), "fileName": f"./{path.name}",
            "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(content).hexdigest()},
                          {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()}],
            "licenseConcluded": "MIT", "copyrightText": "NOASSERTION"}


def main():
    root, version, output = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    files = [shipped_file(pathlib.Path(name)) for name in sys.argv[4:]]
    embedded = json.loads((root / "web" / "package.json").read_text(encoding="utf-8"))["dependencies"]
    third = [third_party(package, licence, embedded) for package, licence in parts(root)]
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", datetime.datetime.now().timestamp()))
    unique = hashlib.sha256("".join(file["checksums"][-1]["checksumValue"] for file in files).encode()).hexdigest()
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-heed")]
    relations += [("SPDXRef-heed", "DEPENDS_ON", package["SPDXID"]) for package in third]
    relations += [("SPDXRef-heed", "GENERATES", file["SPDXID"]) for file in files]
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"heed-{version}",
        "documentNamespace": f"urn:heed:sbom:{version}:{unique[:16]}",
        "creationInfo": {"created": datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: packaging/make_sbom.py"]},
        "packages": [described("heed", "MIT", versionInfo=version), *third], "files": files,
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in relations]}
    output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
