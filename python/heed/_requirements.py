# SPDX-License-Identifier: MIT
"""What heed needs of the Python it runs in, and what to do where that is missing."""
import importlib
import importlib.util
import pathlib
import re
import sys
from types import ModuleType

# Packages a part of heed wants, imported when that part is first used; and Debian's name of each.
_DEBIAN_PACKAGES = {
    "numpy": "python3-numpy",
    "sklearn": "python3-sklearn",
    "pandas": "python3-pandas",
    "matplotlib": "python3-matplotlib",
    "mne": "python3-mne",
}


def optional(module: str, purpose: str) -> ModuleType:
    """The module, imported now; `purpose` begins the sentence of the ImportError where it is missing."""
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as failure:
        if (failure.name or "").partition(".")[0] != package:
            raise  # it is there, and misses something of its own
        raise ImportError(f"{purpose} needs {package}, which {_this_python()} does not have. {_remedy(package)}",
                          name=package) from None


def check(package: str, folder: str) -> None:
    """Ends `import heed` with a helpful word in a Python that lacks numpy or cannot load the engine."""
    optional("numpy", "heed")
    if importlib.util.find_spec("._native", package) is None:
        raise ImportError(_without_engine(folder), name=f"{package}._native")


def _without_engine(folder: str) -> str:
    built_for = [match[1] for path in sorted(pathlib.Path(folder).glob("_native*.so"))
                 if (match := re.match(r"_native\.cpython-3(\d+)-", path.name))]
    if not built_for:
        return f"{folder} has no engine (_native): build and install heed by ./dev python"
    versions = " and ".join(f"3.{minor}" for minor in built_for)
    return (f"heed in {folder} was built for Python {versions}, and {_this_python()} cannot load it. "
            f"Start /usr/bin/python3, or build heed for this one (docs/python.md)")


def _this_python() -> str:
    return f"Python {sys.version_info.major}.{sys.version_info.minor} at {sys.executable}"


def _remedy(package: str) -> str:
    debian = _DEBIAN_PACKAGES[package]
    if sys.executable.startswith("/usr/bin/"):
        return f"On Debian: apt install {debian}"
    return f"Start Debian's /usr/bin/python3 (apt install {debian}), or install {package} for this one"
