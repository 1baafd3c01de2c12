# SPDX-License-Identifier: MIT
"""The module as a whole: what `import heed` brings, and what it does not."""
import inspect
import subprocess
import sys

import heed


def test_everything_it_names_is_there_and_documented():
    for name in heed.__all__:
        value = getattr(heed, name)
        if name != "__version__":
            assert inspect.getdoc(value), f"heed.{name} has no docstring"


def test_importing_needs_numpy_alone():
    """Optional packages are imported when they are used: an import takes a moment, not seconds."""
    listing = "import sys, heed; print(*sorted(name.split('.')[0] for name in sys.modules))"
    loaded = set(subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True).stdout.split())
    assert "numpy" in loaded
    assert not loaded & {"sklearn", "pandas", "mne", "matplotlib", "scipy"}


def test_errors_are_also_those_of_python():
    assert issubclass(heed.InvalidArgumentError, ValueError)
    assert issubclass(heed.BadDataError, ValueError)
    assert issubclass(heed.NotFoundError, FileNotFoundError)
    assert issubclass(heed.UnsupportedError, NotImplementedError)
    assert issubclass(heed.CannotCreateError, OSError)
    assert all(issubclass(getattr(heed, name), heed.Error) for name in heed.__all__ if name.endswith("Error"))
