# SPDX-License-Identifier: MIT
"""Reads pages of Markdown: fenced blocks, links, headings and the words in back ticks.

The first line of a fence tells what the test does with the block:

    ```sh run               run by bash, which must exit 0
    ```sh run exits=65      ... or with this code
    ```sh run installed     ... only where heed was installed, for CMake and compilers to find it
    ```python run           run by Python, where heed's module was built; names live on from block to block
    ```matlab run           likewise by Octave, where heed's functions were built for it
    ```text output          what the run before it printed, standard error too
    ```tsv file=NAME        written to NAME, for the runs that follow
    ```cpp                  with `int main`: compiled against the installed heed, and run
    ```json                 must be JSON

The blocks of a page share one empty folder and follow each other in order. Other blocks are only read.
"""
import dataclasses
import pathlib
import re

FENCE = re.compile(r"^(`{3,})([^`]*)$")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*$")
LINK = re.compile(r"\[[^\]\[]*\]\(([^)\s]+)\)|<img[^>]*\ssrc=\"([^\"]+)\"")
CODE = re.compile(r"`([^`]+)`")
WORDS = {"run", "output", "installed"}
KEYS = {"exits", "file"}


@dataclasses.dataclass
class Block:
    line: int  # of the opening fence, counted from 1
    language: str
    words: set
    values: dict
    text: str

    @property
    def is_program(self):
        return self.language == "cpp" and re.search(r"\bint main\b", self.text) is not None


class PageError(Exception):
    """Something in a page is wrong; the message begins with page and line."""


class Page:
    def __init__(self, path, name=None):
        self.path = pathlib.Path(path)
        self.name = name or self.path.name
        self.blocks = []
        self.prose = []  # (line number, text), without the blocks
        self._read(self.path.read_text(encoding="utf-8").splitlines())

    def error(self, line, what):
        return PageError(f"{self.name}:{line}: {what}")

    def _read(self, lines):
        fence, start, content = None, 0, []
        for number, line in enumerate(lines, 1):
            match = FENCE.match(line)
            if fence is None and match:
                fence, start, content = match, number, []
            elif fence is not None and match and match[1] == fence[1] and not match[2].strip():
                self.blocks.append(self._block(start, fence[2], content))
                fence = None
            elif fence is not None:
                content.append(line)
            else:
                self.prose.append((number, line))
        if fence is not None:
            raise self.error(start, "the block is never closed")

    def _block(self, line, info, content):
        language, *rest = info.split() or [""]
        words = {word for word in rest if "=" not in word}
        values = dict(word.split("=", 1) for word in rest if "=" in word)
        unknown = (words - WORDS) | (values.keys() - KEYS)
        if unknown:
            raise self.error(line, f"the fence says {', '.join(sorted(unknown))}, which means nothing to the test")
        return Block(line, language, words, values, "".join(text + "\n" for text in content))

    def anchors(self):
        """Names of the headings, as links write them."""
        for _, line in self.prose:
            match = HEADING.match(line)
            if match:
                kept = re.sub(r"[^\w\- ]", "", match[1].replace("`", "").lower())
                yield kept.replace(" ", "-")

    def links(self):
        for number, line in self.prose:
            for match in LINK.finditer(CODE.sub("", line)):
                yield number, match[1] or match[2]

    def code_spans(self):
        for number, line in self.prose:
            for match in CODE.finditer(line):
                yield number, match[1]
