#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The C library as C programs meet it: its example, misuse (in valgrind, too), and its binary interface.

    test_c.py --tree ROOT --library libheed-c.so --core libheed_core.a --nm NM [--record]

The interface of SONAME .N is recorded in abi_N.txt: every symbol, and size and offset of every struct and member. Adding
to it is allowed and has to be recorded (--record); what was recorded may not change without a new SONAME.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
WARNINGS = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
arguments = None


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)


def compiled(folder, source, *libraries):
    program = pathlib.Path(folder) / pathlib.Path(source).stem
    include = arguments.tree / "include"
    done = run("cc", *WARNINGS, "-g", f"-I{include}", source, "-o", program, *libraries, "-lm")
    assert done.returncode == 0, done.stderr
    return program


def shared_library():
    folder = arguments.library.parent
    return [f"-L{folder}", "-lheed-c", f"-Wl,-rpath,{folder}"]


def structs_of(header):
    """{name: members} of every struct in a header."""
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
    for body, name in re.findall(r"typedef (?:struct|union) \w+ \{(.*?)\} (\w+);", text, re.S):
        yield name, re.findall(r"(\w+)(?:\[\w+\])?;", body)


def layout(folder):
    """Sizes and offsets as this machine's C compiler has them."""
    lines = []
    for header in ("c.h", "c_offline.h"):
        for name, members in structs_of(arguments.tree / "include" / "heed" / header):
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            lines += [f'printf("{name}.{member} %zu\\n", offsetof({name}, {member}));' for member in members]
    source = pathlib.Path(folder) / "layout.c"
    source.write_text("#include <heed/c_offline.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\nreturn 0;\n}\n")
    return run(compiled(folder, source)).stdout.splitlines()


def symbols():
    found = run(arguments.nm, "--dynamic", "--defined-only", arguments.library).stdout.split("\n")
    return sorted(line.split()[2] for line in found if len(line.split()) == 3 and line.split()[1] != "A")


def interface(folder):
    return symbols() + layout(folder)


def differences(before, now):
    """What is gone or changed, and what is new."""
    return [line for line in before if line not in now], [line for line in now if line not in before]


def record_of_this_soname():
    said = run("readelf", "-d", arguments.library).stdout
    number = re.search(r"SONAME.*\[libheed-c\.so\.(\d+)\]", said)[1]
    return HERE / f"abi_{number}.txt"


class CLibrary(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_example_with_the_static_core_alone(self):
        """Linked by cc, without C++'s runtime, and told what attention did."""
        done = run(compiled(self.folder.name, arguments.tree / "examples/c/follow.c", arguments.core))
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = done.stdout.splitlines()
        self.assertEqual(len(rows), 8)
        self.assertTrue(rows[3].startswith("held"), "the correlation of 2 is none")
        self.assertRegex(rows[2], r"^updated P = 0\.9\d\d .*gain =   0\.0 -12\.0 dB$")
        self.assertRegex(rows[7], r"^updated P = 0\.0\d\d .*gain = -12\.0   0\.0 dB$")

    def test_misuse(self):
        self.run_clean(compiled(self.folder.name, HERE / "misuse.c", *shared_library()))

    def test_header_for_firmware(self):
        self.run_clean(compiled(self.folder.name, HERE / "steering.c", arguments.core))

    def run_clean(self, program):
        """Runs to its end, in valgrind, too."""
        done = run(program)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        if shutil.which("valgrind"):
            done = run("valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full", program)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_interface_is_as_recorded(self):
        recorded = record_of_this_soname()
        gone, new = differences(recorded.read_text().splitlines(), interface(self.folder.name))
        self.assertEqual(gone, [], "changed or removed: raise SOVERSION in c/CMakeLists.txt and HEED_C_VERSION, record anew")
        self.assertEqual(new, [], f"new: record it with --record in {recorded.name}")

    def test_symbols_are_versioned_and_all_declared(self):
        declared = set()
        for header in ("c.h", "c_offline.h"):
            text = re.sub(r"/\*.*?\*/", "", (arguments.tree / "include/heed" / header).read_text(), flags=re.S)
            declared |= set(re.findall(r"\b(heed_\w+)\(", text))
        self.assertEqual({name.split("@@")[0] for name in symbols()}, declared)
        self.assertTrue(all(name.endswith("@@HEED_0") for name in symbols()))

    def test_an_interface_that_changed_is_noticed(self):
        """A control: a member that moves and a symbol that disappears are both told."""
        before = record_of_this_soname().read_text().splitlines()
        now = [line.replace("heed_emission.linear 8", "heed_emission.linear 12") for line in before]
        now.remove("heed_filter_step@@HEED_0")
        self.assertEqual(differences(before, now)[0], ["heed_filter_step@@HEED_0", "heed_emission.linear 8"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("--tree", "--library", "--core"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--record", action="store_true")
    arguments, rest = parser.parse_known_args()
    if arguments.record:
        with tempfile.TemporaryDirectory() as folder:
            record_of_this_soname().write_text("\n".join(interface(folder)) + "\n")
        sys.exit(0)
    unittest.main(argv=[sys.argv[0], *rest])
