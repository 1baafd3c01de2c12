# SPDX-License-Identifier: MIT
"""Seeds of MATLAB 5 and of EEGLAB; most are made by scipy, which not every machine has."""
import io
import struct
import zlib


def mat_seeds():
    import numpy as np
    import scipy.io

    values = {"wide": np.arange(12.0).reshape(4, 3), "small": np.array([[1, 2]], dtype="i2"), "text": "anna",
              "cells": np.array([[1.0], ["two"]], dtype=object), "one": {"name": "Cz", "deep": {"x": 1.5}},
              "many": np.array([("a", 1.0), ("b", 2.0)], dtype=[("label", object), ("place", object)]),
              "yes": np.array([[True]]), "none": np.zeros((0, 3)), "complex": np.array([[1 + 2j]])}
    for kind in ("f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"):
        values[kind] = np.array([[1, 2], [3, 4]], dtype=kind)
    values["signs"] = "a\u00e9\u20ac\U0001f600"
    values["gaps"] = np.array([[1, np.nan]])
    values["deep"] = {"x": {"x": {"x": np.array([[{"x": 1.0}]], dtype=object)}}}
    for name, compressed in (("plain", False), ("compressed", True)):
        stream = io.BytesIO()
        scipy.io.savemat(stream, values, do_compression=compressed)
        yield name, stream.getvalue()
    for name, value in values.items():
        stream = io.BytesIO()
        scipy.io.savemat(stream, {name: value})
        yield name, stream.getvalue()
    yield from mat_oddities(stream.getvalue()[:128])


def mat_oddities(header):
    """What MATLAB writes and scipy does not, and what nobody writes."""
    def element(kind, content):
        return struct.pack("<2I", kind, len(content)) + content + bytes(-len(content) % 8)

    def matrix(array_class, *parts):
        return element(14, element(6, struct.pack("<2I", array_class, 0)) + b"".join(parts))

    name, one = element(1, b"x"), element(5, struct.pack("<2i", 1, 1))
    number = matrix(6, one, name, element(9, bytes(8)))
    yield "object", header + matrix(17, name, element(1, b"MCOS"), element(1, b"table"), number, element(6, bytes(8)))
    yield "object-of-nothing", header + matrix(17, name, element(1, b"MCOS"), element(1, b"table"), element(99, b""))
    yield "old-object", header + matrix(3, one, name, element(1, b"inline"), element(5, struct.pack("<i", 8)), element(1, b"field\0\0\0"), number)
    yield "function", header + matrix(16, one, name, number)
    yield "cell-of-functions", header + matrix(1, one, name, matrix(16, one, name, number))
    yield "sparse", header + matrix(5, one, name, element(5, bytes(4)), element(5, bytes(8)), element(9, bytes(8)))
    yield "no-class", header + matrix(99, one, name)
    yield "classless", header + element(14, element(5, bytes(8)))
    yield "no-dimensions", header + matrix(6, element(5, bytes(4)), name)
    yield "negative", header + matrix(6, element(5, struct.pack("<2i", -1, 1)), name)
    yield "large", header + matrix(6, element(5, struct.pack("<2i", 100000, 100000)), name, element(9, bytes(8)))
    yield "few-values", header + matrix(6, element(5, struct.pack("<2i", 2, 1)), name, element(9, bytes(8)))
    yield "no-values", header + matrix(6, one, name, element(14, b""))
    yield "no-name", header + matrix(6, one, element(9, b"x"), element(9, bytes(8)))
    yield "behind", header + matrix(6, one, name, element(9, bytes(8)), bytes(8))
    yield "cell-of-numbers", header + matrix(1, one, name, element(9, bytes(8)))
    yield "field-names", header + matrix(2, one, name, element(5, struct.pack("<i", 0)), element(1, b"field\0\0\0"), number)
    yield "no-field-names", header + matrix(2, one, name, element(9, bytes(8)))
    yield "short-element", header + matrix(6, one, struct.pack("<2HI", 1, 9, 0), element(9, bytes(8)))
    yield "no-variable", header + element(9, bytes(8))
    yield "long-variable", header + struct.pack("<2I", 14, 1 << 20) + bytes(8)
    letters = "a\u00e9\u20ac\U0001f600".encode("utf-16-le") + b"\0\xd8x\0"  # the last but one is half of a pair
    yield "utf-16", header + matrix(4, element(5, struct.pack("<2i", 1, len(letters) // 2)), name, element(17, letters))
    yield "utf-8", header + matrix(4, one, name, element(16, "\u00e9".encode()))
    nested = number
    for _ in range(20):
        nested = matrix(1, one, name, nested)
    yield "nested", header + nested
    yield "packed-number", header + element(15, zlib.compress(element(9, bytes(8))))[:-4]
    yield "swapped", header[:126] + b"MI" + number


def eeglab_seeds():
    import numpy as np
    import scipy.io

    names = np.array([("Cz",), ("Pz",)], dtype=[("labels", object)])
    events = np.array([("boundary", 2.5, 1.0), (7.0, 3.0, [])], dtype=[("type", object), ("latency", object), ("duration", object)])
    fields = {"srate": 100.0, "nbchan": 2, "pnts": 4, "trials": 1, "data": np.arange(8, dtype="f4").reshape(2, 4),
              "chanlocs": names, "event": events}
    nameless = {key: value for key, value in fields.items() if key != "chanlocs"}
    for name, content in (("struct", {"EEG": fields}), ("variables", fields), ("beside", {"EEG": {**fields, "data": "x.fdt"}}),
                          ("other-size", {"EEG": {**fields, "data": "x.fdt", "pnts": 5}}), ("epochs", {"EEG": {**fields, "trials": 3}}),
                          ("nameless", {"EEG": nameless}), ("one-name", {"EEG": {**fields, "chanlocs": names[:1]}}), ("no-dataset", {"x": 1.0}),
                          ("no-samples", {"EEG": {**fields, "data": np.zeros((0, 2))}}), ("words", {"EEG": {**fields, "srate": "x"}}),
                          ("no-rate", {"EEG": {**fields, "srate": 0.0}}), ("gap", {"EEG": {**fields, "data": np.full((2, 4), np.nan)}})):
        stream = io.BytesIO()
        scipy.io.savemat(stream, content)
        yield name, stream.getvalue()
