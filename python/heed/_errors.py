# SPDX-License-Identifier: MIT
"""What heed raises. Every class is a heed.Error and the exception Python itself would raise for such a mistake."""


class Error(Exception):
    """Something is wrong with what heed was given or found. The text says where, and what to do."""


class InvalidArgumentError(Error, ValueError):
    """The call asked for something impossible, e.g. a switch probability of 2."""


class BadDataError(Error, ValueError):
    """The input is not as it should be."""


class NotFoundError(Error, FileNotFoundError):
    """A file or name does not exist."""


class UnsupportedError(Error, NotImplementedError):
    """Well-formed, but heed cannot handle it here."""


class SingularError(Error, ValueError):
    """The numbers carry no information to fit to."""


class CannotCreateError(Error, OSError):
    """An output file or folder cannot be created."""


class InputOutputError(Error, OSError):
    """Reading or writing failed halfway."""


for _kind in (Error, *Error.__subclasses__()):
    _kind.__module__ = "heed"  # as users name them, in tracebacks, too
