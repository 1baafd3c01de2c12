#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packs the module that CMake has built into a wheel for the Python that runs this.

    make_wheel.py MODULE_FOLDER VERSION OUTPUT_FOLDER
"""
import base64
import hashlib
import pathlib
import sys
import sysconfig
import zipfile

METADATA = """Metadata-Version: 2.1
Name: heed
Version: {version}
Summary: Who a listener is listening to, from EEG: hidden Markov models for auditory attention decoding
License: MIT
Requires-Python: >={python},<{next_python}
Requires-Dist: numpy
Provides-Extra: all
Requires-Dist: scikit-learn; extra == "all"
Requires-Dist: pandas; extra == "all"
Requires-Dist: matplotlib; extra == "all"
"""
COMPILED_IN = ("libeigen3-dev", "nlohmann-json3-dev", "libtomlplusplus-dev", "libxxhash-dev", "pybind11-dev")
TIME = (2026, 1, 1, 0, 0, 0)  # the same files give the same bytes


def notices():
    """heed's licence, and those of the headers that are compiled in, as Debian has them: they go with the binary."""
    found = {"heed": pathlib.Path(__file__).resolve().parents[1] / "LICENSE"}
    found |= {part: pathlib.Path("/usr/share/doc") / part / "copyright" for part in COMPILED_IN}
    return {name: path.read_bytes() for name, path in found.items() if path.exists()}


def main():
    module, version, output = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    major, minor = sys.version_info[:2]
    tag = f"cp{major}{minor}-cp{major}{minor}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    info = f"heed-{version}.dist-info"
    files = {str(path.relative_to(module)): path.read_bytes() for path in sorted((module / "heed").rglob("*"))
             if path.is_file() and path.suffix in (".py", ".pyi", ".so", ".typed")}
    if not any(name.endswith(".so") for name in files):
        raise SystemExit(f"{module}: the engine is missing; build heed_python first")
    files |= {f"{info}/licenses/{name}": text for name, text in notices().items()}
    files[f"{info}/METADATA"] = METADATA.format(version=version, python=f"{major}.{minor}", next_python=f"{major}.{minor + 1}").encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: heed\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    digest = lambda data: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    record = [f"{name},sha256={digest(data)},{len(data)}" for name, data in files.items()]
    files[f"{info}/RECORD"] = ("\n".join([*record, f"{info}/RECORD,,"]) + "\n").encode()
    output.mkdir(parents=True, exist_ok=True)
    wheel = output / f"heed-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(wheel)


if __name__ == "__main__":
    main()
