# SPDX-License-Identifier: MIT
"""How values of the engine are shown within others."""
from __future__ import annotations

from types import ModuleType
from typing import Any, Callable


def make_printable(module: ModuleType) -> None:
    """Gives the module's classes a ``__repr__`` that can be hashed.

    pprint, by which scikit-learn shows estimators, looks ``type(value).__repr__`` up in a dict; what pybind11 makes of a
    method is unhashable.
    """
    for kind in list(vars(module).values()):
        method = vars(kind).get("__repr__") if isinstance(kind, type) else None
        described = getattr(method, "__func__", None)  # none where it is done already
        if described is not None:
            setattr(kind, "__repr__", _plain(described))


def _plain(described: Callable[[Any], str]) -> Callable[[Any], str]:
    def __repr__(self: Any) -> str:
        return described(self)

    return __repr__
