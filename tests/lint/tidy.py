# SPDX-License-Identifier: MIT
"""tidy.py [--jobs N] [--lines N] BUILD [FILE...]: clang-tidy of the FILEs, or of all in BUILD/compile_commands.json.

Most of its time goes into headers of others. So files are read in groups of many layers, which lie in BUILD/groups, and
checks look at what heed declares alone, by the plug-in BUILD/our_declarations.so. Each finding is printed once. Fails on
any finding, and where clang-tidy could not read a file.
"""
import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'cmake'))
import unite_tests  # noqa: E402
import unity_groups  # noqa: E402

OURS = 'include|src|apps|bench|c|examples|fuzz|python|tests'
# Kernels are read for one set of instructions; web pages and studies are data, and matlab/heed_mex.c is C.
LEFT_OUT = re.compile(r'(_assets|built_in_studies|lazy_libraries|_avx2|_avx512)\.cpp$|\.c$')
# What says how a file is optimised, not how it is read.
OPTIMISATION = re.compile(r'-O|-g$|-f(PIC|visibility=|math-|no-math-|no-trapping-|fp-contract=)|-m|-Wno-(psabi|maybe-unin)')
# The analyser costs most where tests are, which run under sanitizers. Their numbers are small, their times exact in binary.
OFF_IN_TESTS = ['clang-analyzer-*', 'bugprone-implicit-widening-of-multiplication-result', 'cert-flp30-c']
# Headers of kernels are read once per set, like sources, in an unnamed namespace and without the standard library; their
# arrays are registers, their conditions have no branches, and what stands in for each other has one face.
OFF_IN_KERNELS = ['cert-dcl59-cpp', 'misc-definitions-in-headers', 'modernize-avoid-c-arrays',
                  'modernize-use-default-member-init', 'readability-implicit-bool-conversion',
                  'readability-make-member-function-const', 'readability-simplify-boolean-expr', 'readability-use-anyofallof']
FINDING = re.compile(r'^(\S.*?):(\d+):(\d+): (?:warning|error|fatal error): (.*)$')


class Source:
    """A file and how it is compiled: the settings it shares with others, and definitions and folders."""

    def __init__(self, entry):
        self.file = os.path.normpath(os.path.join(entry['directory'], entry['file']))
        self.path = os.path.relpath(self.file, ROOT)
        self.settings, self.folders, self.macros = [], [], {}
        arguments = shlex.split(entry['command'])[1:]
        while arguments:
            argument = arguments.pop(0)
            if argument in ('-o', '-c'):
                arguments.pop(0)
            elif argument == '-isystem':
                self.folders.append((argument, arguments.pop(0)))
            elif argument.startswith('-I'):
                self.folders.append((argument,))
            elif argument.startswith('-D'):
                name, _, value = argument[2:].partition('=')
                self.macros[name] = value
            elif not OPTIMISATION.match(argument):
                self.settings.append(argument)

        text = pathlib.Path(self.file).read_text(encoding='utf-8')
        self.is_for_libc = 'posix_memalign' in text
        self.is_apart = self.path.startswith(('build/', 'src/core/')) or re.search(
            r'^#define|^int main\(|^BENCHMARK|posix_memalign', text, re.M) is not None

    def kind(self):
        """Files of one kind may meet. Tests of GoogleTest are in namespaces of their own; others must not disturb."""
        if self.is_apart:
            return 'alone'
        if re.match(r'tests/(unit|laws|golden|c)/.*_test\.cpp', self.path):
            return 'tests'
        return 'aside' if self.path.startswith(('tests/', 'bench/', 'examples/', 'fuzz/')) else 'library'


def sources_of(build, wanted):
    entries = json.loads(pathlib.Path(build, 'compile_commands.json').read_text(encoding='utf-8'))
    sources = {}
    for source in (Source(entry) for entry in entries if not LEFT_OUT.search(entry['file'])):
        if not wanted or source.path in wanted:
            sources.setdefault(source.file, source)
    return list(sources.values())


def cut(sources, lines):
    """The sources in groups of so many lines."""
    groups, room = [], 0
    for source in sources:
        length = pathlib.Path(source.file).read_text(encoding='utf-8').count('\n')
        if not groups or length > room:
            groups.append([])
            room = lines
        groups[-1].append(source)
        room -= length
    return groups


def undisturbed(sources, lines):
    """The sources in groups in which each means what it means alone: what a file keeps to itself is seen in its namespace."""
    groups = []
    for source in sources:
        folders = [pathlib.Path(folder[0][2:]) for folder in source.folders if len(folder) == 1]
        member = unity_groups.Source(source.file, folders)
        for group in groups:
            if sum(other.lines for _, other in group) + member.lines <= lines and not any(
                    disturbs(member, other) or disturbs(other, member) for _, other in group):
                group.append((source, member))
                break
        else:
            groups.append([(source, member)])
    return [[source for source, _ in group] for group in groups]


@functools.cache
def namespace_of(file):
    found = re.search(r'^namespace ?([\w:]*) \{', pathlib.Path(file).read_text(encoding='utf-8'), re.M)
    return (found[1] if found else '') + '::'


def see_each_other(one, other):
    outer, inner = sorted((namespace_of(one), namespace_of(other)), key=len)
    return outer == '::' or inner.startswith(outer)


def disturbs(one, other):
    """unity_groups.Source.disturbs, where namespaces are known."""
    return (see_each_other(one.file, other.file) and not one.names.isdisjoint(other.words)) or any(
        see_each_other(one.file, path) and not one.names.isdisjoint(one.headers[path][0]) for path in other.reads - one.reads)


def groups_of(sources, lines):
    alike = {}
    for source in sources:
        alike.setdefault((source.kind(), *source.settings), []).append(source)
    groups = []
    for (kind, *_), members in alike.items():
        if kind == 'alone':
            groups += [[source] for source in members]
        elif kind == 'tests':
            groups += cut(members, lines)
        else:
            groups += undisturbed(members, lines)
    return groups


class Group:
    """Files that are read together, as one file in `folder`."""

    def __init__(self, folder, number, sources):
        self.sources, self.kind = sources, sources[0].kind()
        self.file = folder / f'group_{number}.cpp'
        values = {}
        for source in sources:
            for name, value in source.macros.items():
                values.setdefault(name, set()).add(value)
        shared = {name: value.pop() for name, value in values.items() if len(value) == 1}
        self.text = (unite_tests.united(source.file for source in sources) if self.kind == 'tests' else
                     ''.join(self.included(source, shared) for source in sources))
        self.file.write_text(self.text, encoding='utf-8')
        folders = dict.fromkeys(folder for source in sources for folder in source.folders)
        self.options = [*sources[0].settings, *(f'-D{name}={value}' for name, value in shared.items()),
                        *(part for folder in folders for part in folder)]

    @staticmethod
    def included(source, shared):
        apart = {name: value for name, value in source.macros.items() if name not in shared}
        return (''.join(f'#define {name} {value}\n' for name, value in apart.items()) + f'#include "{source.file}"\n' +
                ''.join(f'#undef {name}\n' for name in apart))

    def command(self):
        off = ['bugprone-suspicious-include']  # a group is made of sources
        if len(self.sources) > 1:
            off.append('readability-redundant-declaration')  # one of them may declare what another defines
        if not self.sources[0].path.startswith(('src/', 'apps/', 'c/', 'python/', 'build/')):
            off += OFF_IN_TESTS
        if self.kind == 'tests':
            off.append('readability-duplicate-include')  # a group is one file
        if '/kernels/' in self.sources[0].path:
            off += OFF_IN_KERNELS
        if self.sources[0].is_for_libc:  # and gives its functions other names of parameters
            off.append('readability-inconsistent-declaration-parameter-name')
        plugin = self.file.parent.parent / 'our_declarations.so'
        return ['clang-tidy', f'--load={plugin}', '-quiet', f'-checks={",".join("-" + check for check in off)}',
                f'-header-filter={re.escape(str(ROOT))}/({OURS})/', str(self.file), '--', *self.options]

    def place(self, file, line):
        """Of a line of the group, in the file that it comes from."""
        if file != str(self.file):
            return os.path.relpath(file, ROOT), line
        for back, text in enumerate(reversed(self.text.split('\n')[:line - 1])):
            if text.startswith('#line 1 '):
                return os.path.relpath(text[len('#line 1 "'):-1], ROOT), back + 1
        return file, line

    def read(self):
        """What clang-tidy finds, as lines of text."""
        done = subprocess.run(self.command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding='utf-8', check=False)
        found = []
        for match in filter(None, map(FINDING.match, done.stdout.split('\n'))):
            path, line = self.place(match[1], int(match[2]))
            found.append(f'{path}:{line}:{match[3]}: {match[4].replace(",-warnings-as-errors", "")}')
        if done.returncode != 0 and not found:
            found = [f'clang-tidy could not read {self.file}:', *(done.stdout + done.stderr).strip().split('\n')[-20:]]
        return found


def finds_the_control(folder):
    """A plug-in that lets nothing through would find everything clean."""
    file = folder / 'control.cpp'
    file.write_text('#include <vector>\n\nint* control = 0;\n', encoding='utf-8')
    done = subprocess.run(['clang-tidy', f'--load={folder.parent / "our_declarations.so"}', '-quiet', str(file), '--'],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8', check=False)
    if 'modernize-use-nullptr' in done.stdout:
        return True
    print(f'clang-tidy does not find what is wrong in {file}:\n{done.stdout}')
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--lines', type=int, default=8000, help='of one group at most; 0: every file by itself')
    parser.add_argument('files', nargs='*')
    given = parser.parse_args()
    folder = given.build / 'groups'
    folder.mkdir(exist_ok=True)
    if not finds_the_control(folder.resolve()):
        return 1
    groups = groups_of(sources_of(given.build, set(given.files)), given.lines)
    groups = [Group(folder.resolve(), number, group) for number, group in enumerate(groups)]
    groups.sort(key=lambda group: -sum(os.path.getsize(source.file) for source in group.sources))
    start, printed = time.monotonic(), set()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        readings = [pool.submit(group.read) for group in groups]
        for number, reading in enumerate(concurrent.futures.as_completed(readings), 1):
            for line in reading.result():
                if line not in printed:
                    printed.add(line)
                    print(line)
            minutes, seconds = divmod(round(time.monotonic() - start), 60)
            print(f'  {number} of {len(groups)} groups read, {minutes} min {seconds} s', flush=True)
    return 1 if printed else 0


if __name__ == '__main__':
    sys.exit(main())
