# SPDX-License-Identifier: MIT
"""unity_groups.py LINES FILE...: groups of files that may be compiled as one, each about LINES lines long.

Prints one line per group, its files separated by semicolons. Two files share a group only if neither mentions a name
that the other one keeps to itself (in an anonymous namespace, or as a macro), so that each means what it means alone.
"""
import re
import sys

LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
TEST = re.compile(r'^(?:TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)$')


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


def private_names(code):
    names = set(re.findall(r'^\s*#\s*define\s+(\w+)', code, re.M))
    for start in re.finditer(r'\bnamespace\s*\{', code):
        for statement in at_top_level(code[start.end():]):
            # "using a::b" and "namespace fs = std::filesystem" may be said twice; "using A = ..." declares A.
            if re.match(r'\s*(using\s+[\w:]+\s*$|using\s+namespace|namespace)', statement):
                continue
            kind = re.search(r'\b(?:struct|class|enum|union|concept)\s+(?:class\s+)?(\w+)\s*(?:final\s*)?[:{=]', statement)
            alias = re.match(r'\s*using\s+(\w+)\s*=', statement)
            if kind or alias:
                names.add((kind or alias).group(1))
                continue
            plain = statement
            while (shorter := re.sub(r'<[^<>]*>', ' ', plain)) != plain:
                plain = shorter
            declared = re.search(r'(\w+)\s*[(\[{=]', plain) or re.search(r'(\w+)\s*$', plain)
            if declared and not TEST.match(declared.group(1)):
                names.add(declared.group(1))
    return names - {'operator', 'static_assert', 'INSTANTIATE_TEST_SUITE_P', 'TYPED_TEST_SUITE'}


def groups_of(files, lines_wanted):
    groups = []  # of [lines, files, private names, all words]
    for file in files:
        with open(file, encoding='utf-8') as stream:
            text = stream.read()
        code = LITERAL.sub(' ', text)
        names, words, lines = private_names(code), set(re.findall(r'[A-Za-z_]\w*', code)), text.count('\n')
        for group in groups:
            if group[0] + lines <= lines_wanted and not names & group[3] and not group[2] & words:
                break
        else:
            group = [0, [], set(), set()]
            groups.append(group)
        group[0] += lines
        group[1].append(file)
        group[2] |= names
        group[3] |= words
    return [group[1] for group in groups]


if __name__ == '__main__':
    for files in groups_of(sys.argv[2:], int(sys.argv[1])):
        print(';'.join(files))
