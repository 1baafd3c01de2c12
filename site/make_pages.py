#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the pages of the site: those of docs/, and references from what heed says of itself.

    make_pages.py ROOT OUTPUT --program HEED [--module FOLDER]

Links that leave docs/ are led to copies: pages of the root become pages of the site, other files are shown as text.
"""
import argparse
import importlib
import inspect
import pathlib
import re
import shutil
import subprocess
import sys

import prose
import record_demo
from prose import block

# By whom they are for, in the order of the start page.
TUTORIALS = {"neuroscientist": "For neuroscientists", "engineer": "For engineers of live systems", "machine_learning": "For those who train networks",
             "hearing_aid": "For makers of hearing aids"}
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
LAYERS = re.compile(r"^([a-z]+):", re.M)

def as_mkdocs_reads_it(text):
    """Fences say their language alone, commands fit, and lists and tables stand apart from the text before them."""
    lines, inside, before = [], "", ""
    for line in text.splitlines():
        fence = re.match(r"^(`{3,})(\w*)", line)
        if fence:
            inside = "" if inside else fence[2] or "text"
            line = fence[1] + fence[2]
        elif inside == "sh":
            lines += prose.command(line)
            continue
        elif not inside and re.match(r"(- |\d+\. |\|)", line) and before and not re.match(r"(- |\d+\. |\||#| )", before):
            lines.append("")
        lines.append(line)
        before = line
    return "\n".join(lines) + "\n"


class Site:
    def __init__(self, root, output):
        self.root, self.output = root.resolve(), output
        shutil.rmtree(output, ignore_errors=True)
        output.mkdir(parents=True)

    def place(self, target):
        """Where a file of the tree lies on the site; None for what has no page, such as a folder."""
        path = target.relative_to(self.root)
        if target.is_dir():
            return None
        if path.parts[0] == "docs":
            return pathlib.PurePosixPath(*path.parts[1:])
        if path.suffix == ".md":
            return pathlib.PurePosixPath("project", *path.parts)
        return pathlib.PurePosixPath("files", f"{path}.txt")

    def add(self, source):
        """Copies a file and, for pages, everything they link to; gives its place."""
        place = self.place(source)
        if place is None or (self.output / place).exists():
            return place
        (self.output / place).parent.mkdir(parents=True, exist_ok=True)
        if source.suffix != ".md":
            shutil.copyfile(source, self.output / place)
            return place
        self.write(place, "")  # so that pages that link to each other end
        text = LINK.sub(lambda match: self.led(match, source, place), source.read_text(encoding="utf-8"))
        self.write(place, as_mkdocs_reads_it(text))
        return place

    def led(self, match, source, place):
        link, _, anchor = match[2].partition("#")
        target = (source.parent / link).resolve()
        if not link or re.match(r"[a-z]+:", link) or not target.exists() or not target.is_relative_to(self.root):
            return match[0]
        led_to = self.add(target)
        if led_to is None:
            return f"]({'../' * (len(place.parts) - 1)}project/ARCHITECTURE.md)"
        up = "../" * (len(place.parts) - 1)
        return f"{match[1]}{up}{led_to}{'#' + anchor if anchor else ''}{match[3]}"

    def write(self, place, text):
        path = self.output / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, place):
        return (self.output / place).read_text(encoding="utf-8")


def title_of(text):
    return re.search(r"^# (.*)", text, re.M)[1]


def colours(palette):
    """Those of heed's pages, in the light and in the dark, as variables of CSS."""
    light, dark = [], []
    for name, *values in re.findall(r"^(pages\.\w+) +(#\w+)(?: +(#\w+))?", palette.read_text(encoding="utf-8"), re.M):
        variable = name.replace("pages.", "--heed-")
        light.append(f"{variable}: {values[0]};")
        dark.append(f"{variable}: {values[1] or values[0]};")
    return f":root {{ {' '.join(light)} }}\n[data-md-color-scheme=\"slate\"] {{ {' '.join(dark)} }}\n"


def add_help(site, program):
    """Each verb's page ends with the program's own words."""
    for page in sorted((site.output / "verbs").glob("*.md")):
        said = subprocess.run([program, "help", page.stem], capture_output=True, text=True, check=True).stdout
        page.write_text(f"{page.read_text(encoding='utf-8')}\n## The program's own help\n\n{block(said)}", encoding="utf-8")


def headers(site):
    """One page per layer with its public headers, whose comments are their contract; one page for C."""
    layers = LAYERS.findall((site.root / "layers.txt").read_text())
    groups = [(f"C++: heed::{layer}", "cpp", f"cpp_{layer}", f"{layer}/*.h") for layer in layers]
    for title, language, name, pattern in (*groups, ("C: headers", "c", "c", "c*.h")):
        found = sorted((site.root / "include" / "heed").glob(pattern))
        sections = [f"## heed/{path.relative_to(site.root / 'include' / 'heed')}\n\n{prose.header(path.read_text(), language)}" for path in found]
        if sections:
            site.write(f"reference/{name}.md", f"# {title}\n\n" + "\n".join(sections))
            yield title.replace("heed::", ""), f"reference/{name}.md"


def functions_for_matlab(site):
    sections = []
    for path in sorted((site.root / "matlab").glob("heed_*.m")):
        comment = re.search(r"^function.*\n((?:%.*\n)+)", path.read_text())[1]
        text = "\n".join(line[1:] for line in comment.splitlines())
        sections.append(f"## {path.stem}\n\n{block(text)}")
    site.write("reference/matlab.md", "# MATLAB: functions\n\n" + "\n".join(sections))
    return "MATLAB: functions", "reference/matlab.md"


def signature_of(value):
    try:
        return re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(value)))  # annotations may be words
    except (TypeError, ValueError):
        return ""


def is_of_heed(owner, method):
    """Not what exceptions and estimators inherit from Python and scikit-learn."""
    home = next((base for base in owner.__mro__ if method in vars(base)), None)
    return home is not None and home.__module__.split(".")[0] == "heed"


def members(owner):
    """Public methods of a class, or functions of a module, with what they say of themselves."""
    for name, value in inspect.getmembers(owner, callable):
        public = name in owner.__all__ if inspect.ismodule(owner) else not name.startswith("_") and is_of_heed(owner, name)
        if public and inspect.getdoc(value):
            yield name, value


def described(level, title, value):
    """Its name, how it is called (what native code has written above its docstring, or what Python knows), and what it does."""
    name, words = title.rpartition(".")[2], inspect.getdoc(value)
    stated = re.match(rf"{name}\(.*\)(?: -> .*)?\n+", words)
    call = stated[0].strip() if stated else name + signature_of(value)
    return f"{level} {title}\n\n{block(call, 'python')}\n{prose.docstring(words[stated.end() if stated else 0:])}\n"


def names_for_python(site, module):
    sys.path.insert(0, str(module))
    heed = importlib.import_module("heed")
    sections = []
    for name in sorted(heed.__all__, key=str.lower):
        value = getattr(heed, name)
        if inspect.ismodule(value):
            sections.append(f"## heed.{name}\n\n{prose.docstring(inspect.getdoc(value))}\n")
        elif callable(value):
            sections.append(described("##", f"heed.{name}", value))
        else:
            continue  # the version
        if inspect.isclass(value) or inspect.ismodule(value):
            sections += [described("###", f"{name}.{member}", call) for member, call in members(value)]
    site.write("reference/python.md", "# Python: names\n\n" + "\n".join(sections))
    return "Python: names", "reference/python.md"


def navigation(site, references):
    """The bar at the side, as lines of YAML."""
    listed = lambda folder: [f"    - {place}" for place in sorted(str(path.relative_to(site.output)) for path in (site.output / folder).glob("*.md"))]
    topics = ["quickstart", "python", "matlab", "mtrf", "library", "c", "embedded", "live", "studies", "cluster", "troubleshooting"]
    known = {*topics, "index"}
    others = sorted(path.stem for path in site.output.glob("*.md") if path.stem not in known)
    lines = ["nav:", "  - Start: index.md", "  - Tutorials:", *[f"    - {title}: tutorials/{name}.md" for name, title in TUTORIALS.items()], "  - Guides:"]
    lines += [f"    - {name}.md" for name in topics if (site.output / f"{name}.md").exists()]
    lines += ["  - The program:", *listed("verbs"), "  - Subjects:", *[f"    - {name}.md" for name in others]]
    lines += ["  - Reference:", *[f"    - \"{title}\": {place}" for title, place in references]]
    lines += ["  - Decisions:", *listed("decisions")]
    for folder, title in (("safety", "For a maker's file"), ("project", "The project")):
        if (site.output / folder).is_dir():
            lines += [f"  - {title}:", *listed(folder)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--program", required=True)
    parser.add_argument("--module", type=pathlib.Path)
    options = parser.parse_args()
    site = Site(options.root, options.output / "pages")
    for page in sorted((site.root / "docs").rglob("*")):
        if page.is_file():
            site.add(page)
    home = (site.root / "site" / "home.md").read_text(encoding="utf-8")
    site.write("index.md", home + re.sub(r"^# .*\n", "", site.read("index.md"), count=1))
    look = (site.root / "site" / "look.css").read_text(encoding="utf-8")
    shutil.copyfile(site.root / "site" / "offline_search.js", site.output / "offline_search.js")
    site.write("look.css", colours(site.root / "palette.txt") + look)
    record_demo.make(options.program, site.output / "demo")
    add_help(site, options.program)
    references = [*headers(site), functions_for_matlab(site)]
    if options.module:
        references.append(names_for_python(site, options.module.resolve()))
    config = (site.root / "site" / "mkdocs.yml").read_text(encoding="utf-8").replace("../build/docs/", "").replace("../site", str(site.root / "site"))
    (options.output / "mkdocs.yml").write_text(config + navigation(site, references), encoding="utf-8")


if __name__ == "__main__":
    main()
