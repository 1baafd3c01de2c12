# SPDX-License-Identifier: MIT
"""Writes MAT 7.3 files as MATLAB does: HDF5 behind a block of 512 bytes that says so, arrays transposed, cells as
references into #refs#, text as 16 bit numbers, structs as groups, an empty array as its dimensions."""
import h5py
import numpy as np

USERBLOCK = 512
HEADER = b"MATLAB 7.3 MAT-file, Platform: GLNXA64, Created on: Mon Jan  1 00:00:00 2024 HDF5 schema 1.00 ."
CLASSES = {"f8": "double", "f4": "single", "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "u1": "uint8",
           "u2": "uint16", "u4": "uint32", "u8": "uint64", "b1": "logical"}


class Table:
    """Stands for an object of MATLAB's class `table`, which no other program can read."""


class Writer:
    """Values are numbers, arrays, text, lists (row cells), Cells, dicts (structs), lists of dicts wrapped in StructArray."""

    def __init__(self, file):
        self.file = file
        self.refs = file.create_group("#refs#")
        self.count = 0

    def write(self, parent, name, value):
        if isinstance(value, dict):
            group = parent.create_group(name)
            self._struct(group, value)
            for field, content in value.items():
                self.write(group, field, content)
        elif isinstance(value, StructArray):
            self._struct_array(parent, name, value)
        elif isinstance(value, Cells):
            references = np.array([[self._reference(cell) for cell in row] for row in value.rows], dtype=h5py.ref_dtype)
            self._class(parent.create_dataset(name, data=references.T, dtype=h5py.ref_dtype), "cell")
        elif isinstance(value, list):
            self._class(self._references(parent, name, value), "cell")
        elif isinstance(value, str):
            self._text(parent, name, value)
        elif isinstance(value, Table):
            node = parent.create_dataset(name, data=np.array([[0xDD000000, 2, 1, 1, 1, 1]], np.uint32))
            self._class(node, "table")
            node.attrs["MATLAB_object_decode"] = np.int32(3)
        else:
            self._array(parent, name, np.atleast_2d(value))

    def _class(self, node, name):
        """Text that would end in a zero, in a place that has no room for one: so MATLAB does it, and readers rely on it."""
        kind = h5py.h5t.C_S1.copy()
        kind.set_size(len(name))
        attribute = h5py.h5a.create(node.id, b"MATLAB_class", kind, h5py.h5s.create(h5py.h5s.SCALAR))
        attribute.write(np.array(name.encode(), dtype=f"S{len(name)}"), mtype=kind)

    def _struct(self, group, fields):
        """Fields in their order: HDF5 itself sorts by name."""
        self._class(group, "struct")
        letters = np.empty(len(fields), dtype=object)
        for k, field in enumerate(fields):
            letters[k] = np.array([letter.encode() for letter in field], dtype="S1")
        group.attrs.create("MATLAB_fields", letters, dtype=h5py.vlen_dtype(np.dtype("S1")))

    def _reference(self, value):
        name = f"r{self.count}"
        self.count += 1
        self.write(self.refs, name, value)
        return self.refs[name].ref

    def _references(self, parent, name, values):
        if not values:
            return self._empty(parent, name, (0, 0))
        cells = np.empty((len(values), 1), dtype=h5py.ref_dtype)
        for k, value in enumerate(values):
            cells[k, 0] = self._reference(value)
        return parent.create_dataset(name, data=cells, dtype=h5py.ref_dtype)

    def _struct_array(self, parent, name, value):
        group = parent.create_group(name)
        self._struct(group, value.elements[0])
        for field in value.elements[0]:
            self._references(group, field, [element[field] for element in value.elements])

    def _text(self, parent, name, value):
        codes = np.array([[ord(letter)] for letter in value], dtype=np.uint16)
        node = parent.create_dataset(name, data=codes) if value else self._empty(parent, name, (0, 0))
        self._class(node, "char")
        node.attrs["MATLAB_int_decode"] = np.int32(2)

    def _array(self, parent, name, value):
        if value.size == 0:
            node = self._empty(parent, name, value.shape)
        else:
            compression = "gzip" if value.size > 1000 else None
            node = parent.create_dataset(name, data=value.T, compression=compression, shuffle=bool(compression))
        self._class(node, CLASSES[value.dtype.str[1:]])

    def _empty(self, parent, name, shape):
        node = parent.create_dataset(name, data=np.array(shape, dtype=np.uint64))
        node.attrs["MATLAB_empty"] = np.uint8(1)
        return node


class StructArray:
    """1 x n structs with the same fields."""

    def __init__(self, elements):
        self.elements = elements


class Cells:
    """A cell array with rows and columns."""

    def __init__(self, rows):
        self.rows = rows


def save(path, variables):
    with h5py.File(path, "w", userblock_size=USERBLOCK, libver=("earliest", "v108"), track_order=False) as file:
        writer = Writer(file)
        for name, value in variables.items():
            writer.write(file, name, value)
    with open(path, "r+b") as file:
        file.write(HEADER.ljust(116) + bytes(8) + b"\x00\x02IM")
