#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which files clang-tidy reads together, and what becomes of what it says. A program of another make stands in for it."""
import contextlib
import io
import json
import os
import pathlib
import tempfile
import unittest
import unittest.mock

import tidy

STAND_IN = """#!/bin/sh
for argument; do case $argument in *.cpp) group=$argument;; esac; done
case $group in *control.cpp) echo {}; exit 1;; esac
{}
"""


class TidyTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name).resolve()
        self.build = self.root / 'build'
        self.build.mkdir()
        self.entries = []
        path = unittest.mock.patch.dict(os.environ, PATH=f'{self.root}:{os.environ["PATH"]}')
        root = unittest.mock.patch.object(tidy, 'ROOT', self.root)
        for patch in (path, root):
            patch.start()
            self.addCleanup(patch.stop)

    def add(self, path, text, flags=''):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding='utf-8')
        self.entries.append({'directory': str(self.build), 'file': str(file),
                             'command': f'clang++ -I{self.root}/include {flags} -std=c++20 -o x.o -c {file}'})

    def groups(self, *wanted):
        (self.build / 'compile_commands.json').write_text(json.dumps(self.entries), encoding='utf-8')
        return [[source.path for source in group] for group in tidy.groups_of(tidy.sources_of(self.build, set(wanted)), 100)]

    def run_with(self, script, control='modernize-use-nullptr'):
        (self.build / 'compile_commands.json').write_text(json.dumps(self.entries), encoding='utf-8')
        program = self.root / 'clang-tidy'
        program.write_text(STAND_IN.format(control, script), encoding='utf-8')
        program.chmod(0o755)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), unittest.mock.patch('sys.argv', ['tidy.py', str(self.build), '--jobs', '1']):
            code = tidy.main()
        return code, printed.getvalue()

    def test_files_of_several_layers_meet_unless_they_disturb_each_other(self):
        self.add('src/io/a.cpp', 'namespace heed {\nnamespace {\nint held = 1;\n}\n}\n', '-O1')
        self.add('src/live/b.cpp', 'namespace heed {\nint open() { return 1; }\n}\n', '-O0')
        self.add('src/live/c.cpp', 'namespace heed {\nint held() { return 1; }\n}\n')
        self.assertEqual(self.groups(), [['src/io/a.cpp', 'src/live/b.cpp'], ['src/live/c.cpp']])

    def test_other_settings_and_macros_keep_files_apart(self):
        self.add('src/io/a.cpp', '\n')
        self.add('src/io/b.cpp', '\n', '-fno-exceptions')
        self.add('src/io/c.cpp', '#define TWICE 2\n')
        self.assertEqual(len(self.groups()), 3)

    def test_generated_files_and_second_sets_of_instructions_are_left_out(self):
        self.add('build/web_assets.cpp', '\n')
        self.add('build/kernels/kernel_set_avx2.cpp', '\n')
        self.add('build/kernels/kernel_set_portable.cpp', '\n')
        self.assertEqual(self.groups(), [['build/kernels/kernel_set_portable.cpp']])

    def test_only_what_was_asked_for_is_read(self):
        self.add('src/io/a.cpp', '\n')
        self.add('src/io/b.cpp', '\n')
        self.assertEqual(self.groups('src/io/b.cpp'), [['src/io/b.cpp']])

    def test_a_finding_is_printed_once_where_it_was_written(self):
        self.add('tests/unit/io/a_test.cpp', '// one\nnamespace heed {\n}\n')
        self.add('tests/unit/io/b_test.cpp', '// one\nnamespace heed {\nint bad;\n}\n')
        code, printed = self.run_with(
            'line=$(grep -n bad "$group" | cut -d: -f1)\n'
            'for again in 1 2; do echo "$group:$line:5: error: no [check]"; done; exit 1')
        self.assertEqual(code, 1)
        self.assertEqual(printed.count('tests/unit/io/b_test.cpp:3:5: no [check]\n'), 1)
        self.assertIn('1 of 1 groups read', printed)

    def test_a_file_that_cannot_be_read_is_a_failure(self):
        self.add('src/io/a.cpp', '\n')
        code, printed = self.run_with('echo "no such plug-in" >&2; exit 2')
        self.assertEqual(code, 1)
        self.assertIn('could not read', printed)
        self.assertIn('no such plug-in', printed)

    def test_a_plug_in_that_hides_everything_is_a_failure(self):
        self.add('src/io/a.cpp', '\n')
        code, printed = self.run_with('exit 0', control='nothing')
        self.assertEqual(code, 1)
        self.assertIn('control.cpp', printed)

    def test_silence_is_success(self):
        self.add('src/io/a.cpp', '\n')
        code, printed = self.run_with('exit 0')
        self.assertEqual(code, 0)
        self.assertNotIn('src/io/a.cpp', printed)


if __name__ == '__main__':
    unittest.main()
