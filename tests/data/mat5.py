# SPDX-License-Identifier: MIT
"""Writes MAT 5 files byte by byte, for what scipy cannot write: objects of MATLAB's own classes inside a struct."""
import struct

import mat73

HEADER = b"MATLAB 5.0 MAT-file, Platform: GLNXA64, Created on: Mon Jan  1 00:00:00 2024"
INT8, INT32, UINT32, DOUBLE, MATRIX, UTF16 = 1, 5, 6, 9, 14, 17
CELL, STRUCT, CHAR, DOUBLES, OPAQUE = 1, 2, 4, 6, 17
NAME_LENGTH = 32


def element(kind, content):
    return struct.pack("<II", kind, len(content)) + content + bytes(-len(content) % 8)


def flags(array_class):
    return element(UINT32, struct.pack("<II", array_class, 0))


def head(array_class, shape, name):
    dimensions = element(INT32, struct.pack(f"<{len(shape)}i", *shape))
    return flags(array_class) + dimensions + element(INT8, name.encode())


def struct_body(value):
    names = b"".join(name.encode().ljust(NAME_LENGTH, b"\0") for name in value)
    length = struct.pack("<HHi", INT32, 4, NAME_LENGTH)  # a small element: tag and content in eight bytes
    return length + element(INT8, names) + b"".join(matrix(content) for content in value.values())


def matrix(value, name=""):
    """Dicts are structs, lists are row cells, text, numbers, and mat73.Table for an object."""
    if isinstance(value, dict):
        content = head(STRUCT, (1, 1), name) + struct_body(value)
    elif isinstance(value, list):
        content = head(CELL, (1, len(value)), name) + b"".join(matrix(cell) for cell in value)
    elif isinstance(value, str):
        content = head(CHAR, (1, len(value)), name) + element(UTF16, value.encode("utf-16-le"))
    elif isinstance(value, mat73.Table):
        handle = flags(DOUBLES) + element(INT32, struct.pack("<2i", 6, 1)) + element(INT8, b"")
        handle += element(DOUBLE, struct.pack("<6d", 0xDD000000, 2, 1, 1, 1, 1))
        content = flags(OPAQUE) + element(INT8, name.encode()) + element(INT8, b"MCOS") + element(INT8, b"table")
        content += element(MATRIX, handle)
    else:
        content = head(DOUBLES, (1, 1), name) + element(DOUBLE, struct.pack("<d", value))
    return element(MATRIX, content)


def save(path, variables):
    with open(path, "wb") as file:
        file.write(HEADER.ljust(116) + bytes(8) + struct.pack("<H", 0x0100) + b"IM")
        for name, value in variables.items():
            file.write(matrix(value, name))
