#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the site of ./dev docs and follows every link in it: no dead end, no heading that is missing, no fence that the
site's reader did not understand, and nothing fetched from elsewhere.

    check_site.py ROOT OUTPUT --program HEED [--python PYTHON --module FOLDER]
"""
import argparse
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse

LEAST_PAGES = 80
PYTHON_NAMES = """
import heed
for name in heed.__all__:
    value = getattr(heed, name)
    if isinstance(value, str):
        continue
    print("heed." + name)
    inside = getattr(value, "__all__", None) or (vars(value) if isinstance(value, type) else ())
    print(*(name + "." + each for each in inside if not each.startswith("_") and callable(getattr(value, each))), sep="\\n")
"""


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.anchors, self.fetched, self.text = [], set(), [], []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[name] for name in ("id", "name") if values.get(name))
        for name in ("href", "src"):
            if values.get(name):
                self.links.append(values[name])
                if tag in ("script", "img", "link") and values[name].startswith(("http:", "https:", "//")):
                    self.fetched.append(values[name])

    def handle_data(self, data):
        self.text.append(data)


def read(path):
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def problems(site):
    pages = {path: read(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site)
        for link in page.fetched:
            yield f"{name}: fetches {link}"
        if "```" in "".join(page.text) and name.name != "CONTRIBUTING.html":
            yield f"{name}: a fence is shown as text"
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc or name.name == "404.html":
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                yield f"{name}: {link} is not there"
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                yield f"{name}: {link}: no such heading"
    if len(pages) < LEAST_PAGES:
        yield f"only {len(pages)} pages"
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    found = [entry["location"] for entry in index["docs"] if "heed_smooth" in entry["text"] or "heed_smooth" in entry["title"]]
    if not found:
        yield "the search does not find heed_smooth"


def public_names(root, python, module):
    """What each page of the reference has to name: all that others may call."""
    include = root / "include" / "heed"
    for header in include.rglob("*.h"):
        layer = header.parent.name
        code = re.sub(r"/\*.*?\*/|//[^\n]*|^#.*?[^\\\\]$|^ private:.*?^};", "", header.read_text(encoding="utf-8"), flags=re.S | re.M)
        page = "c" if layer == "heed" else f"cpp_{layer}"
        if layer == "heed" or (root / "src" / layer).is_dir():
            yield page, set(re.findall(r"\b(heed_\w+)\(" if page == "c" else r"\b([a-z]\w+)\(", code))
    yield "matlab", {path.stem for path in (root / "matlab").glob("heed_*.m")}
    if module:
        said = subprocess.run([python, "-c", PYTHON_NAMES], env={"PYTHONPATH": module, "PATH": "/usr/bin"}, capture_output=True, text=True, check=True)
        yield "python", set(said.stdout.split())


def left_out(site, names_by_page):
    for name, wanted in names_by_page:
        path = site / "reference" / f"{name}.html"
        text = "".join(read(path).text) if path.exists() else ""
        found = set(re.findall(r"[\w.]+", text)) | set(re.findall(r"\w+", text))
        yield from (f"reference/{name}.html: nothing is said of {each}" for each in sorted(wanted - found))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--program", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--module")
    options = parser.parse_args()
    module = ["--module", options.module] if options.module else []
    subprocess.run([options.python, "-B", options.root / "site" / "make_pages.py", options.root, options.output, "--program", options.program, *module], check=True)
    subprocess.run(["mkdocs", "build", "--quiet", "--strict"], cwd=options.output, check=True)
    site = options.output / "site"
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    (site / "search" / "search_index.js").write_text(f"heedSearchIndex = {index};\n", encoding="utf-8")  # site/offline_search.js
    found = sorted({*problems(site), *left_out(site, public_names(options.root, options.python, options.module))})
    print(*found, sep="\n")
    print(f"{len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
