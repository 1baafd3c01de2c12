# SPDX-License-Identifier: MIT
"""The types editors and mypy see are those of the engine: heed/_native.pyi against the module, and heed against mypy."""
import inspect
import os
import pathlib
import subprocess
import sys

import heed
import pytest
import signatures
from heed import _native

PACKAGE = pathlib.Path(heed.__file__).parent
STUB = signatures.of_stub(PACKAGE / "_native.pyi")
# What pybind11 does to every class: a metaclass of its own; a constructor that only refuses, where there is none.
HABITS_OF_PYBIND11 = "heed\\._native\\.[A-Z]\\w+\nheed\\._native\\.(BidsFolder|Decoder|GaussianComponent|LearntListener|MixtureEmission)\\.__init__\n"
PUBLIC = sorted(name for name in vars(_native) if not name.startswith("_"))


def mypy(*arguments, folder):
    """Without the caches of users, and where heed is only as this build has it."""
    environment = dict(os.environ, MYPYPATH=str(PACKAGE.parent), MYPY_CACHE_DIR=str(folder / "cache"))
    return subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, env=environment, cwd=folder,
                          check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Shared, so that numpy's types are read once."""
    pytest.importorskip("mypy", reason="mypy is not there: apt install mypy")
    path = tmp_path_factory.mktemp("mypy")
    (path / "mypy.ini").write_text("[mypy]\n" + "".join(
        f"[mypy-{package}.*]\nignore_missing_imports = True\n" for package in ("sklearn", "pandas", "mne", "matplotlib", "mpl_toolkits")))
    return path


def test_every_name_of_the_engine_has_a_stub_and_every_stub_a_name():
    names = {name for name in vars(_native) if not name.startswith("__")}
    stubbed = {name for name in STUB if "." not in name}
    assert names == stubbed, f"without a stub: {sorted(names - stubbed)}; gone: {sorted(stubbed - names)}"


@pytest.mark.parametrize("name", PUBLIC)
def test_stubs_take_what_the_docstring_says(name):
    value = getattr(_native, name)
    told = signatures.of_native(value, name)
    written = STUB[f"{name}.__init__"] if inspect.isclass(value) and f"{name}.__init__" in STUB else STUB[name]
    if told is not None:
        assert told == written
    elif hasattr(heed, name):  # what only heed itself calls may do without a docstring
        assert inspect.isclass(value) and not written.names, f"the docstring of {name} does not begin with {name}(...)"


@pytest.mark.parametrize("name", [name for name in PUBLIC if inspect.isclass(getattr(_native, name))])
def test_members_of_classes_have_stubs(name):
    members = {member for member in vars(getattr(_native, name)) if not member.startswith("_")}
    stubbed = {member.partition(".")[2] for member in STUB if member.startswith(name + ".")}
    assert members == {member for member in stubbed if not member.startswith("_")}


def test_mypy_agrees_that_stub_and_engine_match(folder):
    (folder / "allowed").write_text(HABITS_OF_PYBIND11)
    said = mypy("mypy.stubtest", "heed._native", "--allowlist", "allowed", "--ignore-unused-allowlist", "--concise",
                "--mypy-config-file", "mypy.ini", folder=folder)
    assert said.returncode == 0, said.stdout + said.stderr


def test_heed_itself_is_typed_soundly(folder):
    said = mypy("mypy", "--config-file", "mypy.ini", "-p", "heed", folder=folder)
    assert said.returncode == 0, said.stdout + said.stderr


def test_typed_code_of_users_passes_and_mistakes_are_caught(folder):
    """typed_use.py holds both: its mistakes are marked, and a mark without a mistake fails, too."""
    use = pathlib.Path(__file__).with_name("typed_use.py")
    said = mypy("mypy", "--strict", "--config-file", "mypy.ini", str(use), folder=folder)
    assert said.returncode == 0, said.stdout + said.stderr
