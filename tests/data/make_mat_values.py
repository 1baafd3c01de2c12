#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the same values as MAT 5 plain, MAT 5 compressed and MAT 7.3:

    python3 make_mat_values.py OUTDIR       OUTDIR/plain.mat, compressed.mat, v73.mat, small-v73.mat, circle-v73.mat,
                                            odd-v73.mat
"""
import pathlib
import sys

import h5py
import numpy as np

sys.dont_write_bytecode = True
import make_public_sets  # noqa: E402
import mat73  # noqa: E402


def values():
    numbers = {kind: np.array([[1, 2, 3], [4, 5, 100]], dtype=kind)
               for kind in ["f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]}
    wide = np.arange(300 * 5, dtype=float).reshape(300, 5) / 7
    return {**{f"matrix_{kind}": matrix for kind, matrix in numbers.items()}, "wide": wide, "flag": np.array([[True]]),
            "scalar": 2.5, "text": "Übung é", "empty": np.zeros((0, 3)), "no_text": "",
            "broken": np.array([[1.0, np.nan]]), "complex": np.array([[1 + 2j]]),
            "cells": [1.0, "two", [3.0, "four"], np.zeros((0, 0))],
            "one": {"name": "Cz", "inner": {"deep": np.array([[1.0, 2.0, 3.0]])}},
            "many": mat73.StructArray([{"Label": f"E{k}", "Place": {"x": float(k)}} for k in range(1, 5)])}


def make_circle(path):
    """A cell that holds itself."""
    mat73.save(path, {"cells": [1.0, 2.0]})
    with h5py.File(path, "r+") as file:
        cells = file["cells"][()]
        cells[1, 0] = file["cells"].ref
        file["cells"][...] = cells


def make_odd(path):
    """What HDF5 allows and MATLAB does not write: names of any bytes, numbers that lie in another file, complex ones of one class."""
    other = path.with_name("other.bin")
    other.write_bytes(np.arange(8.0).tobytes())
    with h5py.File(path.with_name("other.h5"), "w") as file:
        file["x"] = np.arange(8.0)
    mat73.save(path, {"x": 1.0})
    with h5py.File(path, "r+") as file:
        def marked(node, name):
            node.attrs["MATLAB_class"] = np.bytes_(name)
            return node
        marked(file.create_dataset(b"red\x1b[31m\n", data=np.ones((1, 1))), b"\xfftable\x07")
        marked(file.create_dataset(b"\xe9", data=np.ones((1, 2))), b"double")
        group = marked(file.create_group("group"), b"struct")
        marked(group.create_dataset(b"a\x01\xff", data=np.ones((1, 1))), b"double")
        marked(file.create_dataset("outside", (8, 1), "f8", external=[(str(other), 0, 64)]), b"double")
        layout = h5py.VirtualLayout((8,), "f8")
        layout[:] = h5py.VirtualSource(str(path.with_name("other.h5")), "x", (8,))
        marked(file.create_virtual_dataset("virtual", layout), b"double")
        sizes = file.create_dataset("sizes", (2,), "u8", external=[(str(other), 0, 16)])
        marked(sizes, b"double").attrs["MATLAB_empty"] = np.uint8(1)
        marked(file.create_dataset("complex", data=np.array([[1 + 2j]])), b"single")


def main(folder):
    everything = values()
    make_public_sets.save(folder / "plain.mat", everything, "6")
    make_public_sets.save(folder / "compressed.mat", everything, "7")
    for_hdf5 = {name: value for name, value in everything.items() if name != "complex"}
    make_public_sets.save(folder / "v73.mat", {**for_hdf5, "table": mat73.Table()}, "7.3")
    few = {name: everything[name] for name in ["scalar", "text", "cells", "one", "many", "empty"]}
    make_public_sets.save(folder / "small-v73.mat", few, "7.3")
    make_circle(folder / "circle-v73.mat")
    make_odd(folder / "odd-v73.mat")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
