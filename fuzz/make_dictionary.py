# SPDX-License-Identifier: MIT
"""make_dictionary.py TARGET: a dictionary for libFuzzer, of the words that the target's parser looks for.

They are the text literals and letters of its sources, so that no list has to be kept: whoever teaches a parser a new key
teaches it to the fuzzer. Recipes of HDF5 files have words of their own.
"""
import re
import sys

from parsers import ROOT, files_of

# What every reader of numbers meets.
NUMBERS = ("n/a", "nan", "-inf", "1e308", "1e-320", "-0", "2147483648", "4294967296", "9223372036854775807", "18446744073709551616")
LONGEST = 40
RECIPES = {"mat73": [ROOT / "fuzz/hdf5_recipe.cpp"]}
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)+)"|' + r"'((?:[^'\\\n]|\\.))'")
# Escapes of C++ that a dictionary has, too, are kept; others are left out with their literal.
KNOWN_ESCAPE = re.compile(r'\\(\\|"|x[0-9a-fA-F]{2}(?![0-9a-fA-F]))')


def as_entry(text):
    """Of libFuzzer's syntax; nothing for what it does not have."""
    text = text.replace("\\r", "\\x0d").replace("\\n", "\\x0a").replace("\\t", "\\x09").replace("\\0", "\\x00").replace("\\'", "'")
    if "\\" in KNOWN_ESCAPE.sub("", text) or not text.isascii():
        return None
    return '"' + re.sub(r'(?<!\\)"', '\\"', text) + '"'


def words_of(source):
    """Literals, without those of includes and of comments."""
    code = re.sub(r"^\s*#.*$|//.*$", "", source, flags=re.M)
    for found in LITERAL.finditer(code):
        text = found.group(1) or found.group(2)
        if len(text) <= LONGEST and "; " not in text:  # sentences are for people
            yield text


def main():
    target = sys.argv[1]
    sources = files_of(target) + RECIPES.get(target, [])
    words = [*NUMBERS, *(word for path in sources for word in words_of(path.read_text()))]
    entries = dict.fromkeys(entry for entry in map(as_entry, words) if entry)
    print(*entries, sep="\n")


if __name__ == "__main__":
    main()
