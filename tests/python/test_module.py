# SPDX-License-Identifier: MIT
"""The module as a whole: what `import heed` brings, and what it does not."""
import importlib
import inspect
import operator
import pickle
import pprint
import subprocess
import sys

import heed
import pytest
from heed import _native


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
    for name in heed.__all__:
        kind = getattr(heed, name)
        if name.endswith("Error"):
            assert f"{kind.__module__}.{kind.__qualname__}" == f"heed.{name}"
            assert type(pickle.loads(pickle.dumps(kind("why")))) is kind


def test_every_class_of_the_engine_can_be_printed_within_others():
    """pprint wants a __repr__ that can be hashed."""
    for name, kind in vars(heed._native).items():
        assert not isinstance(kind, type) or isinstance(hash(kind.__repr__), int), name
    me = heed.simulate_scores(participants=1)[0]
    for value in [me, me.trials[0], heed.SoftmaxEmission()]:
        assert pprint.pformat({"value": [value]}, width=1000) == f"{{'value': [{value!r}]}}"
    importlib.reload(heed)
    assert repr(me).startswith("<heed.Participant 01")


def test_objects_that_only_new_made_raise():
    kinds = [value for value in vars(_native).values() if isinstance(value, type)]
    assert len(kinds) > 15
    for kind in kinds:
        empty = kind.__new__(kind)
        properties = [name for name, value in vars(kind).items() if isinstance(value, property)]
        shown = [repr] if "__repr__" in vars(kind) else []
        for read in (*shown, pickle.dumps, *(operator.attrgetter(name) for name in properties)):
            with pytest.raises(TypeError):
                read(empty)
