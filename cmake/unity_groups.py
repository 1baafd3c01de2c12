# SPDX-License-Identifier: MIT
"""unity_groups.py LINES FOLDER:FOLDER... FILE...: files that may be compiled as one, at most LINES lines together.

Prints one line per group, its files separated by semicolons. Two files share a group only if neither the other one nor
its headers, which lie in the FOLDERs, mention a name that a file keeps to itself (in an anonymous namespace, or as a
macro), so that each means what it means alone.
"""
import pathlib
import re
import sys

LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
OF_NO_NAME = re.compile(r'^(?:TEST(_F|_P)?|TYPED_TEST(_SUITE)?|INSTANTIATE_TEST_SUITE_P|RC_GTEST_\w+|operator|static_assert)$')


def at_top_level(code):
    """The statements of a namespace, without what stands in their braces and parentheses."""
    statements, statement, depth = [], '', 0
    for character in code:
        if character in '({[':
            if depth == 0:
                statement += character
            depth += 1
        elif character in ')}]':
            depth -= 1
            if depth < 0:
                break
            if depth == 0 and character == '}':
                statements.append(statement)
                statement = ''
        elif depth == 0 and character == ';':
            statements.append(statement)
            statement = ''
        elif depth == 0:
            statement += character
    return statements


def declared_names(code):
    """What the statements of a namespace declare, given the code from its opening brace on."""
    names = set()
    for statement in at_top_level(code):
        # "using a::b" and "namespace fs = std::filesystem" may be said twice; "using A = ..." declares A.
        if re.match(r'\s*(using\s+[\w:]+\s*$|using\s+namespace|namespace)', statement):
            continue
        kind = re.search(r'\b(?:struct|class|enum|union|concept)\s+(?:class\s+)?(\w+)\s*(?:final\s*)?(?:[:{=]|$)', statement)
        alias = re.match(r'\s*using\s+(\w+)\s*=', statement)
        if kind or alias:
            names.add((kind or alias).group(1))
            continue
        plain = statement
        while (shorter := re.sub(r'<[^<>]*>', ' ', plain)) != plain:
            plain = shorter
        declared = re.search(r'(\w+)\s*[(\[{=]', plain) or re.search(r'(\w+)\s*$', plain)
        if declared and not OF_NO_NAME.match(declared.group(1)):
            names.add(declared.group(1))
    return names


class Source:
    """A file: its lines, the names it keeps to itself, all its words, and what its headers declare."""

    headers = {}  # path: names declared, paths included

    def __init__(self, file, folders):
        text = pathlib.Path(file).read_text(encoding='utf-8')
        code = LITERAL.sub(' ', text)
        self.file, self.lines = file, text.count('\n')
        self.names = set(re.findall(r'^\s*#\s*define\s+(\w+)', code, re.M))
        for start in re.finditer(r'\bnamespace\s*\{', code):
            self.names |= declared_names(code[start.end():])
        for enumerators in re.findall(r'\benum\s+(?!class\b)\w*[^{;]*\{([^}]*)\}', code):
            self.names |= set(re.findall(r'(?:^|,)\s*(\w+)', enumerators))
        self.words = set(re.findall(r'[A-Za-z_]\w*', code))
        self.reads, waiting = set(), self.included(text, folders)
        while waiting:
            header = waiting.pop()
            self.reads.add(header)
            waiting |= self.header(header, folders)[1] - self.reads

    @staticmethod
    def included(text, folders):
        named = re.findall(r'^\s*#\s*include\s*[<"]([\w/.]+)[>"]', text, re.M)
        return {path for name in named for folder in folders if (path := folder / name).is_file()}

    @classmethod
    def header(cls, path, folders):
        if path not in cls.headers:
            text = path.read_text(encoding='utf-8')
            code = LITERAL.sub(' ', text)
            names = set()
            for start in re.finditer(r'\bnamespace\s+[\w:]+\s*\{', code):
                names |= declared_names(code[start.end():])
            cls.headers[path] = names, cls.included(text, folders)
        return cls.headers[path]

    def disturbs(self, other):
        return not self.names.isdisjoint(other.words) or any(
            not self.names.isdisjoint(self.headers[path][0]) for path in other.reads - self.reads)


def groups_of(files, lines_wanted, folders=()):
    groups = []
    for source in (Source(file, [pathlib.Path(folder) for folder in folders]) for file in files):
        for group in groups:
            if sum(member.lines for member in group) + source.lines <= lines_wanted and not any(
                    source.disturbs(member) or member.disturbs(source) for member in group):
                group.append(source)
                break
        else:
            groups.append([source])
    return [[source.file for source in group] for group in groups]


if __name__ == '__main__':
    lines, folders, *sources = sys.argv[1:]
    for together in groups_of(sources, int(lines), folders.split(':')):
        print(';'.join(together))
