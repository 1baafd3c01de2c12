#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails where the documentation points at nothing: a link, a path or a function that does not exist, a verb without a
page, an option or a public header that its page does not mention.

    check_pages.py ROOT [--program HEED]      with the program, the verbs' pages too
"""
import argparse
import pathlib
import re
import subprocess
import sys

from pages import Page, PageError

FOLDERS = ("include", "src", "apps", "tests", "docs", "cmake", "bench", "c", "debian", "embedded", "examples", "fuzz", "matlab", "packaging", "python", "site", "studies", "web")
PATH = re.compile(rf"^(?:{'|'.join(FOLDERS)})/[\w./-]+$")
PLACEHOLDER = "NN"  # `examples/NN_name.cpp`: a pattern, not a file
SOURCE = re.compile(r"^[a-z][\w./-]*\.(?:h|cpp)$")  # `hmm/viterbi.h`: some file of the tree ends like this
HEADER = re.compile(r"^heed/[\w./-]+\.h$")  # as users include it
OPTION = re.compile(r"^  (?:-\w,)?(--[a-z][a-z_-]*)", re.MULTILINE)  # of the help, not of its descriptions
LITERALS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')  # those that the compiler joins
MESSAGES = "| message has |"
TASK_PAGE = "CONTRIBUTING.md"
TASKS = "| task | files to change |"
MOST_FILES = 3
EQUATION_MAP = "docs/equations.md"
LIBRARY_PAGE = "docs/library.md"


def read_pages(root):
    """{path relative to the root: Page} of the pages at the root and under docs/."""
    files = sorted(root.glob("*.md")) + sorted((root / "docs").rglob("*.md"))
    names = [str(path.relative_to(root)) for path in files]
    return {name: Page(root / name, name) for name in names}


def broken_links(root, pages):
    for name, page in pages.items():
        for line, link in page.links():
            if re.match(r"[a-z]+:", link):
                continue
            target, _, anchor = link.partition("#")
            path = (page.path.parent / target).resolve() if target else page.path.resolve()
            if not path.exists():
                yield f"{name}:{line}: {link} is not there"
            elif anchor:
                aimed_at = pages.get(str(path.relative_to(root)))
                if aimed_at is None or anchor not in aimed_at.anchors():
                    yield f"{name}:{line}: {link}: no such heading"


def broken_paths(root, pages):
    for name, page in pages.items():
        for line, span in page.code_spans():
            if PATH.match(span) and PLACEHOLDER not in span and not (root / span).exists():
                yield f"{name}:{line}: `{span}` is not there"


def unknown_sources(root, pages):
    """Headers and sources named without their folder: at least one file of the tree must have that ending."""
    known = [f"/{path.relative_to(root)}" for folder in FOLDERS for path in (root / folder).rglob("*.[hc]*")]
    for name, page in pages.items():
        if name == "CHANGELOG.md":  # tells of files that have moved since
            continue
        for line, span in page.code_spans():
            if SOURCE.match(span) and PLACEHOLDER not in span and not any(path.endswith(f"/{span}") for path in known):
                yield f"{name}:{line}: there is no file `{span}`"


def incomplete_face(root, pages):
    """The page of the library names every public header, and no other."""
    if LIBRARY_PAGE not in pages:
        return
    public = {str(path.relative_to(root / "include")) for path in (root / "include").rglob("*.h")}
    named = {span for _, span in pages[LIBRARY_PAGE].code_spans() if HEADER.match(span)}
    for header in sorted(public - named):
        yield f"{LIBRARY_PAGE}: does not name the public header `{header}`"
    for header in sorted(named - public):
        yield f"{LIBRARY_PAGE}: `{header}` is not a public header"


def texts_of_program(root):
    """All string literals of the sources, those that stand side by side joined."""
    texts = []
    for folder in ("apps", "include", "src", "python"):
        for path in (root / folder).rglob("*.[hc]*"):
            for match in LITERALS.finditer(path.read_text(encoding="utf-8")):
                texts.append("".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', match[0])))
    return "\n".join(texts)


def stale_messages(root, pages):
    """Tables `| message has | meaning and remedy |` quote messages of the program; `...` stands for what varies."""
    texts = None
    for name, page in pages.items():
        in_table = False
        for line, text in page.prose:
            in_table = text.startswith(MESSAGES) or (in_table and text.startswith("|"))
            if not in_table or text.startswith(MESSAGES):
                continue
            texts = texts or texts_of_program(root)
            for quote in re.findall(r"`([^`]+)`", text.split("|")[1]):
                if not all(part.strip() in texts for part in quote.split("...")):
                    yield f"{name}:{line}: no message has `{quote}`"


def impossible_tasks(root, pages):
    """Rows `| task | files to change | how |`: the files exist, and are few."""
    in_table = False
    for line, text in pages[TASK_PAGE].prose if TASK_PAGE in pages else []:
        in_table = text.startswith(TASKS) or (in_table and text.startswith("|"))
        if not in_table or text.startswith(TASKS):
            continue
        files = re.findall(r"`([^`]+)`", text.split("|")[2])
        for file in files:
            if not (root / file).is_file():
                yield f"{TASK_PAGE}:{line}: `{file}` is not there"
        if len(files) > MOST_FILES:
            yield f"{TASK_PAGE}:{line}: a task that changes {len(files)} files; most are {MOST_FILES}"


def unreachable(root, pages):
    """Pages under docs/ that no other page leads to."""
    linked = set()
    for name, page in pages.items():
        for _, link in page.links():
            path = (page.path.parent / link.partition("#")[0]).resolve()
            if path != page.path.resolve() and path.is_relative_to(root):
                linked.add(str(path.relative_to(root)))
    for name in pages:
        if name.startswith("docs/") and name not in linked:
            yield f"{name}: no page leads here"


def broken_equations(root, pages):
    """Rows `| equation | file | functions |` of the map: the file holds every function it names."""
    page = pages.get(EQUATION_MAP)
    rows = 0
    for line, text in page.prose if page else []:
        cells = [re.findall(r"`([^`]+)`", cell) for cell in text.strip().strip("|").split("|")]
        if len(cells) < 3 or not cells[1]:
            continue
        rows += 1
        files = [root / file for file in cells[1]]
        text_of_files = "\n".join(file.read_text(encoding="utf-8") for file in files if file.is_file())
        for function in cells[2]:
            for word in function.split("::"):
                if not re.search(rf"\b{re.escape(word)}\b", text_of_files):
                    yield f"{EQUATION_MAP}:{line}: {function} is not in {', '.join(cells[1])}"
    if page and rows == 0:
        yield f"{EQUATION_MAP}: maps nothing"


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def missing_verbs(pages, program):
    """Every verb has a page that mentions each of its long options; verbs below it are told there too."""
    for words in said(program, "manual", "--list").splitlines():
        verbs = words.split()[1:]
        if not verbs:
            continue
        name = f"docs/verbs/{verbs[0]}.md"
        if name not in pages:
            yield f"{name} is missing: `{words}` has no page"
            continue
        text = pages[name].path.read_text(encoding="utf-8")
        if words not in text:
            yield f"{name}: does not mention `{words}`"
        for option in sorted(set(OPTION.findall(said(program, "help", *verbs)))):
            if not re.search(rf"{option}(?![\w-])", text):
                yield f"{name}: does not mention {option} of `{words}`"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root")
    parser.add_argument("--program")
    options = parser.parse_args()
    root = pathlib.Path(options.root).resolve()
    try:
        pages = read_pages(root)
    except PageError as error:
        print(error)
        return 1
    checks = [broken_links, broken_paths, unknown_sources, incomplete_face, stale_messages, impossible_tasks, unreachable,
              broken_equations]
    found = [problem for check in checks for problem in check(root, pages)]
    if options.program:
        found += missing_verbs(pages, options.program)
    print(*found, sep="\n")
    print(f"{len(pages)} pages, {len(found)} problems")
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
