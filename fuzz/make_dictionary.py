# SPDX-License-Identifier: MIT
"""make_dictionary.py TARGET: a dictionary for libFuzzer, of the words that the target's parser looks for.

They are the text literals and letters of its sources, so that no list has to be kept: whoever teaches a parser a new key
teaches it to the fuzzer.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLES = ("src/io/tsv.cpp", "src/io/score_tables", "src/io/bids", "src/io/model_file.cpp")
JSON = ("src/io/json_object.cpp",)
SOURCES = {
    "biosemi": ("src/live/sources/biosemi*",),
    "brainvision": ("src/io/brainvision",),
    "decoders": ("src/io/decoders", *JSON),
    "edf": ("src/io/edf",),
    "eeglab": ("src/io/eeglab", "src/io/mat"),
    "events": ("src/io/bids", *JSON),
    "fif": ("src/io/fif",),
    "gdf": ("src/io/gdf",),
    "json_sidecar": ("src/io/score_tables", "src/io/sound_file.cpp", "src/io/model_file.cpp", *JSON),
    "mat": ("src/io/mat",),
    "ndjson": ("src/live/sources/ndjson*", "src/live/sources/json*"),
    "osc": ("src/live/osc",),
    "page": ("src/live/page",),
    "studies": ("src/study",),
    "tsv": TABLES,
    "xdf": ("src/io/xdf",),
}
# What every reader of numbers meets.
NUMBERS = ("n/a", "nan", "-inf", "1e308", "1e-320", "-0", "2147483648", "4294967296", "9223372036854775807", "18446744073709551616")
LONGEST = 40
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)+)"|' + r"'((?:[^'\\\n]|\\.))'")
# Escapes of C++ that a dictionary has, too, are kept; others are left out with their literal.
KNOWN_ESCAPE = re.compile(r'\\(\\|"|x[0-9a-fA-F]{2}(?![0-9a-fA-F]))')


def files_of(target):
    for pattern in SOURCES[target]:
        for path in sorted(ROOT.glob(pattern)):
            yield from sorted(path.rglob("*.[ch]*")) if path.is_dir() else [path]


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
    files = list(files_of(target))
    if not files:
        sys.exit(f"{target}: no source of its parser is where SOURCES says")
    words = [*NUMBERS, *(word for path in files for word in words_of(path.read_text()))]
    entries = dict.fromkeys(entry for entry in map(as_entry, words) if entry)
    print(*entries, sep="\n")


if __name__ == "__main__":
    main()
