# SPDX-License-Identifier: MIT
"""Every public name says what it takes, in which shape and unit, and shows it by an example that runs."""
import doctest
import inspect
import re
import types

import heed
import pytest
import signatures

SECONDS = {"window", "lag", "onset", "look_ahead", "longest_lag", "start", "stop", "artefact_length"}
HERTZ = {"sampling_frequency", "rate", "to", "band"}
# Errors are caught, not made: there is nothing to show.
WITHOUT_EXAMPLE = {name for name in heed.__all__ if name.endswith("Error")}

# Of these the methods, too, have an example each.
SHOWN_WHOLE = ("LSDecoder.", "CCADecoder.", "Recording.")


def public_names():
    """"filter", "plot.attention", "Model.load" ..."""
    for name in heed.__all__:
        value = getattr(heed, name)
        if isinstance(value, types.ModuleType):
            yield from (f"{name}.{member}" for member in value.__all__)
        elif callable(value):
            yield name


def members():
    """Methods and properties of public classes that are heed's own."""
    for name in public_names():
        value = lookup(name)
        if not inspect.isclass(value) or issubclass(value, BaseException):
            continue
        for one in value.__mro__:
            if one.__module__.startswith("heed"):
                yield from (f"{name}.{member}" for member in vars(one) if not member.startswith("_") and callable(getattr(one, member)))


def lookup(name):
    value = heed
    for part in name.split("."):
        value = getattr(value, part)
    return value


def parameters_of(name):
    """As the signature has them; the first line of the docstring is that of native functions."""
    value = lookup(name)
    told = signatures.of_docstring(inspect.getdoc(value), name.rpartition(".")[2])
    if told is not None:
        return told.names
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return []
    return [parameter.name for parameter in signature.parameters.values()
            if parameter.name != "self" and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)]


def entries_of(name):
    """{parameter: (its type, its description)} of the section Parameters; of results, the section Attributes."""
    text = inspect.getdoc(lookup(name)) or ""
    sections = re.findall(r"^(?:Parameters|Attributes)\n-+\n(.*?)(?=^\w[^\n]*\n-+\n|\Z)", text, re.MULTILINE | re.DOTALL)
    entries = {}
    for block in re.split(r"\n(?=\S)", "\n".join(sections)):
        head, _, body = block.partition("\n")
        names, _, kind = head.partition(" : ")
        entries.update({one.strip(" *`"): (kind, body) for one in names.split(",")})
    return entries


FUNCTIONS = sorted(set(public_names()))
MEMBERS = sorted(set(members()))


@pytest.mark.parametrize("name", FUNCTIONS + MEMBERS)
def test_examples_run(name, tmp_path, monkeypatch):
    """In an empty folder; what they print must be as written."""
    monkeypatch.chdir(tmp_path)
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(lookup(name)) or "", {}, name, name, 0)
    assert not any(doctest.SKIP in one.options for one in example.examples), f"heed.{name}: an example is skipped; make it run"
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    runner.run(example, out=said.append)
    assert runner.failures == 0, "".join(said)
    wanted = name in FUNCTIONS and name not in WITHOUT_EXAMPLE or name.startswith(SHOWN_WHOLE)
    assert example.examples or not wanted, f"heed.{name} has no example"


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if not inspect.isclass(lookup(name))])
def test_functions_have_a_signature(name):
    """For editors, help() and notebooks; those of the engine, too."""
    value = lookup(name)
    assert set(inspect.signature(value).parameters) >= set(parameters_of(name)) != set()
    assert not inspect.getdoc(value).startswith(name.rpartition(".")[2] + "("), "help() would show it twice"


@pytest.mark.parametrize("name", MEMBERS)
def test_members_are_documented(name):
    assert inspect.getdoc(lookup(name)), f"heed.{name} has no docstring"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_told_with_shape_and_unit(name):
    entries = entries_of(name)
    parameters = [] if name.endswith("Error") else parameters_of(name)
    missing = [one for one in parameters if one not in entries]
    # One parameter alone is told by the sentence.
    assert not missing or len(parameters) == 1, f"heed.{name} does not tell of {', '.join(missing)}"
    for parameter, (kind, body) in entries.items():
        where = f"heed.{name}, {parameter}"
        if re.search(r"\barray\b(?! of)", kind):
            assert re.search(r"array[^(]*\(", kind), f"{where}: an array of which shape?"
        if parameter in SECONDS and "float" in kind:
            assert "second" in (kind + body).lower(), f"{where}: in which unit? seconds, please"
        if parameter in HERTZ and "float" in kind:
            assert "Hz" in kind + body, f"{where}: in which unit? Hz, please"
