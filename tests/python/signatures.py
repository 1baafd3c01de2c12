# SPDX-License-Identifier: MIT
"""Signatures as docstrings of the engine begin with them and as stubs write them, made comparable."""
import ast
import dataclasses


@dataclasses.dataclass
class Signature:
    """Names in order, and which of them may be left out."""

    positional: list
    keyword_only: list
    optional: set

    @property
    def names(self):
        return self.positional + self.keyword_only


def of_arguments(arguments):
    """Of an ast.arguments; `self` is left out."""
    positional = [one.arg for one in arguments.posonlyargs + arguments.args]
    optional = set(positional[len(positional) - len(arguments.defaults):]) if arguments.defaults else set()
    optional |= {one.arg for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults) if default is not None}
    positional = [name for name in positional if name != "self"]
    return Signature(positional, [one.arg for one in arguments.kwonlyargs], optional)


def of_docstring(text, name):
    """Nothing where the docstring does not begin with `name(...)`."""
    opening = (text or "").partition("\n\n")[0].replace("\n", " ").strip()
    if not opening.startswith(name + "("):
        return None
    return of_arguments(ast.parse(f"def {opening}: ...").body[0].args)


def of_native(value, name):
    """What Python itself took for the signature, of functions; classes begin their docstring with it."""
    told = getattr(value, "__text_signature__", None)
    return of_docstring(name + told if told else value.__doc__, name)


def of_stub(path):
    """{name or Class.name: Signature} of a stub file. What may be left out in one overload may be left out."""
    found = {}

    def add(name, signature):
        if name in found:
            signature.optional |= found[name].optional
        found[name] = signature

    def walk(body, prefix):
        for node in body:
            if isinstance(node, ast.FunctionDef):
                add(prefix + node.name, of_arguments(node.args))
            elif isinstance(node, ast.ClassDef):
                found.setdefault(prefix + node.name, Signature([], [], set()))
                walk(node.body, node.name + ".")

    walk(ast.parse(path.read_text(encoding="utf-8")).body, "")
    return found
