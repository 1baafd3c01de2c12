# SPDX-License-Identifier: MIT
"""What heed raises. Every class is a heed.Error and the exception Python itself would raise for such a mistake."""


class Error(Exception):
    """Something heed was given, or met, is wrong. The text says where, and what to do."""


class InvalidArgumentError(Error, ValueError):
    """The call asked for something impossible, e.g. a switch probability of 2."""


class BadDataError(Error, ValueError):
    """The input does not mean what it should."""


class NotFoundError(Error, FileNotFoundError):
    """A file or name is not there."""


class UnsupportedError(Error, NotImplementedError):
    """Well-formed, but heed cannot do it here."""


class SingularError(Error, ValueError):
    """The numbers carry no information to fit from."""


class CannotCreateError(Error, OSError):
    """An output file or folder cannot be made."""


class InputOutputError(Error, OSError):
    """Reading or writing failed half-way."""


for _kind in (Error, *Error.__subclasses__()):
    _kind.__module__ = "heed"  # as users name them, in tracebacks, too
