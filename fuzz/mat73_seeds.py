# SPDX-License-Identifier: MIT
"""Seeds of MATLAB 7.3: recipes of HDF5 files, whose language hdf5_recipe.h tells."""

TYPES = {"f8": "double", "f4": "single", "i1": "int8", "u1": "uint8", "i2": "int16", "u2": "uint16", "i4": "int32", "u4": "uint32",
         "i8": "int64", "u8": "uint64", "F8": "double", "U2": "uint16", "I4": "int32", "long": "double"}
FOREIGN = ("enum", "letters", "string", "opaque", "list", "row", "bits", "region", "complex", "ref")
NUMBER = "class=double 1.5"

# As MATLAB writes them.
USUAL = {
    "numbers": "\n".join(f"data /{kind} {kind} size=3x2 class={name} 1 2 3 4 5 100" for kind, name in TYPES.items()),
    "text": "data /x u2 class=char with=MATLAB_int_decode text=anna\ndata /signs u2 size=4x1 class=char 233 8364 55357 56832",
    "flag": "data /x u1 class=logical with=MATLAB_int_decode 1",
    "empty": "data /x u8 size=2 class=double with=MATLAB_empty 0 3\ndata /t u8 class=char size=2 with=MATLAB_empty 0 0\n"
             "data /s u8 class=struct size=2 with=MATLAB_empty 0 0\ndata /c u8 class=cell size=2 with=MATLAB_empty 0 1",
    "cells": f"data /#refs#/a {NUMBER}\ndata /#refs#/b u2 class=char text=two\ndata /x ref class=cell @/#refs#/a @/#refs#/b",
    "struct": f"group /x class=struct\ndata /x/name u2 class=char text=Cz\ngroup /x/deep class=struct\ndata /x/deep/x {NUMBER}",
    "structs": "data /#refs#/a u2 class=char text=E1\ndata /#refs#/b u2 class=char text=E2\ngroup /x class=struct\n"
               "data /x/label ref @/#refs#/a @/#refs#/b\ndata /x/place ref @/#refs#/b @/#refs#/a",
    "nested": f"data /#refs#/#refs#/a {NUMBER}\ndata /#refs#/b ref class=cell @/#refs#/#refs#/a\ndata /x ref class=cell @/#refs#/b",
    "three-dimensions": "data /x size=2x3x4 class=double",
    "compressed": "data /x size=40x3 chunk=16x2 deflate shuffle class=double\ndata /y i2 size=9 chunk=4 sums deflate class=int16",
    "chunks": "data /x size=5x5 chunk=2x2 class=double\ndata /wide size=2x2 chunk=50x50 deflate class=double",
    "compact": "data /x size=4x1 compact class=double\ndata /y size=4x1 early class=double",
    "newest": f"newest\ngroup /x class=struct\ndata /x/a {NUMBER}\ndata /x/b {NUMBER}\ndata /c ref class=cell @/x @/x/a",
    "gaps": "data /x class=double 1 nan\ndata /y class=double inf 1",
}
# What only MATLAB reads, and what nobody writes.
ODD = {
    "object": "data /x u4 size=6x1 class=table with=MATLAB_object_decode 3707764736 2 1 1 1 1",
    "object-group": "group /x class=containers.Map\ndata /x/a class=double 1",
    "sparse": "group /x class=double with=MATLAB_sparse\ndata /x/ir u8 0\ndata /x/jc u8 0 1",
    "complex": "data /x complex class=double",
    "function": "data /x class=function_handle 1",
    "no-class": "data /x 1 2\ngroup /y\ndata /y/x class=double 1",
    "class-texts": "data /a class-long=double 1\ndata /b class-two=double 1\ndata /c class-number 1\ndata /d class=d*300 1\ndata /e class= 1",
    "class-cut": "data /x class=double\0\0 1",
    "other-types": "\n".join(f"data /{kind} {kind} class={name}" for kind in FOREIGN for name in ("double",)) +
                   "\n" + "\n".join(f"data /c-{kind} {kind} class=char" for kind in ("f8", "i8", "letters")),
    "cells-of-others": "\n".join(f"data /{kind} {kind} class=cell @/" for kind in (*FOREIGN, "f8")),
    "null": "data /x null class=double\ndata /y null ref class=cell\ndata /s scalar class=double 1\ndata /r scalar ref class=cell @/s",
    "none": "data /x size=0x3 class=double\ndata /y size=0 class=char\ndata /c ref size=0x0 class=cell",
    "dimensions": "data /x size=1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1 class=double 1\ndata /y size=1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1 class=double 1\n"
                  "data /z size=0x4294967296x4294967296 class=double",
    "large": "data /x size=100000x100000 class=double\ndata /y size=40000x40000 chunk=1x1 deflate partly class=double 1\n"
             "data /z size=60000x1 class=double",
    "unwritten": "data /x size=4x4 unwritten class=double\ndata /y size=4x4 chunk=2x2 unwritten class=double\ndata /r ref size=4 unwritten class=cell",
    "partly": "data /x size=40x40 chunk=2x2 partly class=double 7\ndata /y size=9 chunk=3 partly deflate class=double 7\ndata /z size=4 partly class=double 7",
    "elsewhere": "data /x size=8 class=double\ndata /out i1 size=8 outside class=int8\ndata /view size=8 virtual class=double",
    "large-chunk": "data /x size=2 chunk=100000 partly class=double\ndata /y u1 size=2 chunk=100000 class=uint8",
    "not-empty": "data /x u8 size=2 class=double with=MATLAB_empty 2 3\ndata /y u8 size=1 class=double with=MATLAB_empty 0\n"
                 "data /z u8 size=17 class=double with=MATLAB_empty 0\ndata /t letters size=2 class=double with=MATLAB_empty\n"
                 "data /b u8 size=2 class=double with=MATLAB_empty 0 1e19\ndata /u u8 size=2 unwritten class=double with=MATLAB_empty",
    "struct-of-values": "data /x size=2x2 class=struct\ndata /y size=0 class=struct",
    "circle": f"data /x ref class=cell @/x @/y\ndata /y {NUMBER}",
    "circles": "data /x ref class=cell @/y @/y\ndata /y ref class=cell @/x @/x\ngroup /s class=struct\nhard /s/s @/s\nhard /s/x @/x",
    "nowhere": "data /x ref size=4x1 class=cell @- @/none @?96 @?18446744073709551615\ndata /y ref class=cell @?0 @?2048 @?513",
    "to-groups": "group /a class=struct\ndata /x ref class=cell @/ @/a @/#refs#",
    "to-types": "type /t i4\ndata /x ref class=cell @/t\ngroup /s class=struct\nhard /s/t @/t",
    "links": f"data /x {NUMBER}\nsoft /s @/x\nsoft /none @/none\nother /o\nhard /h @/x\ngroup /g class=struct\nsoft /g/s @/x\nother /g/o\nhard /g/h @/x",
    "structs-of-lengths": f"data /a {NUMBER}\ngroup /x class=struct\ndata /x/a ref @/a @/a @/a\ndata /x/b ref @/a\ndata /x/c {NUMBER}\ngroup /x/d class=struct",
    "structs-of-none": "group /x class=struct\ndata /x/a ref size=0\ngroup /y class=struct\ndata /y/a ref null\ngroup /z class=struct",
    "structs-of-classes": f"data /a {NUMBER}\ngroup /x class=struct\ndata /x/a ref class=cell @/a\ngroup /y class=struct\ndata /y/a letters",
    "structs-of-types": "type /t i4\ngroup /x class=struct\nhard /x/a @/t",
    "structs-unwritten": f"data /a {NUMBER}\ngroup /x class=struct\ndata /x/a ref size=3 unwritten\ndata /x/b ref size=100000x30000 unwritten",
    "names": f"data /n*255 {NUMBER}\ndata /m*256 {NUMBER}\ndata /\u00e9\u20ac {NUMBER}\ndata /. {NUMBER}\ndata /a.b{{1}} {NUMBER}\ngroup /s class=struct\n"
             f"data /s/f*300 {NUMBER}\ndata /s/#x {NUMBER}\ndata /s/x {NUMBER}",
    "names-of-bytes": b"data /\xff\xfe class=double 1\ndata /a\tb\x1b[31m class=\xff\x07object 1\ngroup /s class=struct\ndata /s/\xe9\x01 class=double 1\ndata /c class=c\x8dar 1\n"
                      b"data /\xc2\x9b class=\xc2\x9b31m 1",
    "long-text": "data /x u2 size=5x3 class=char 65\ndata /y u2 size=4000x1 class=char 65\ndata /z u2 size=20x250x1 class=char\ndata /w u2 size=5000x1 chunk=5000x1 class=char",
    "half-a-pair": "data /x u2 size=3x1 class=char 55357 65 56832\ndata /y u2 class=char 32 65 32 10 7",
    "deep": "\n".join(f"group {'/x' * depth} class=struct" for depth in range(1, 20)),
    "nothing": "",
}


def mat73_seeds():
    for name, recipe in (*USUAL.items(), *ODD.items()):
        yield name, recipe if isinstance(recipe, bytes) else recipe.encode()
