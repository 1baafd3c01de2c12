# SPDX-License-Identifier: MIT
"""What headers and docstrings say, as Markdown: prose as prose, and only code as code."""
import html
import re
import textwrap

COLUMNS = 80  # of code, on a screen of 1280 points
PAGE = re.compile(r"\bdocs/(\w+(?:/\w+)?\.md)")
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.M)
ROLE = re.compile(r":\w+:`([^`]+)`")
TYPE = re.compile(r"^(?:template <.*> )?(?:typedef )?(?:class|struct|union|enum class|enum) (\w+)", re.M)
FUNCTION = re.compile(r"^(?!static_assert|using|typedef|#|//|/\*)[\w\[][^=#;({\n]*?\b(\w+)\(", re.M)
VALUE = re.compile(r"^(?:inline )?constexpr [^=({]*?\b(\w+)(?: =|\{)|^using (\w+) =", re.M)
MACRO = re.compile(r"^#define (\w+)", re.M)


def block(text, language="text"):
    return f"````{language}\n{text.strip(chr(10))}\n````\n"


def inline(text):
    """Running text of a comment; what is in backquotes is code."""
    parts = re.split(r"(`[^`]+`)", ROLE.sub(r"`\1`", text).replace("``", "`"))
    escaped = [part if part.startswith("`") else re.sub(r"([\\*_\[\]])", r"\\\1", html.escape(part, quote=False)) for part in parts]
    return PAGE.sub(r"[\g<0>](../\1)", "".join(escaped))


def running(lines):
    """Paragraphs, lists, and formulas, which are further in."""
    parts, kind = [], ""
    for line in lines:
        here = "" if not line.strip() else "item" if re.match(r"- ", line) else "code" if line.startswith("  ") and kind != "item" else "text"
        if here == "text" and kind == "item":
            here = "item"
        if here and here == kind and not line.startswith("- "):
            parts[-1][1].append(line)
        elif here:
            parts.append((here, [line]))
        kind = here
    text = ""
    for part, held in parts:
        one = " ".join(line.strip() for line in held)
        text += block(textwrap.dedent("\n".join(held))) if part == "code" else f"- {inline(one[2:])}" if part == "item" else inline(one)
        text += "\n" if part == "item" else "\n\n"
    return text


def command(line):
    """A command that is too wide, continued where an option or another command begins, outside all quotes."""
    if len(line) <= COLUMNS or "#" in line or line.endswith("\\"):
        return [line]
    places = [match.start() for match in re.finditer(r" (?=-|\||&&|<|>)", line)]
    places = [at for at in places if 8 < at <= COLUMNS - 2 and line[:at].count("'") % 2 == 0 and line[:at].count('"') % 2 == 0]
    if not places:
        return [line]
    indent = " " * (len(line) - len(line.lstrip())) or "  "
    return [line[: places[-1]] + " \\", *command(indent + line[places[-1] + 1 :])]


# ---- docstrings ----


def entry(names, kind, text):
    """A row of a list of definitions."""
    kind = f"*{inline(kind)}*" if kind else ""
    return f"{names} {kind if text else ''}\n:   {inline(text) or kind or '-'}\n\n"


def entries(text, named):
    """name : type, and below, further in, what it is. What is returned has no name, but a type first."""
    found = ""
    for head, body in re.findall(r"^(\S.*)((?:\n(?: .*)?)*)", text, re.M):
        first, _, rest = head.partition(" : ")
        body = " ".join(line.strip() for line in body.splitlines() if line.strip())
        if named:
            found += entry(", ".join(f"`{name}`" for name in first.split(", ")), rest, body)
        else:
            found += f"- *{inline(first)}*{': ' if rest or body else ''}{inline(' '.join(filter(None, (rest, body))))}\n"
    return found + "\n"


def docstring(text):
    """numpydoc as Markdown."""
    parts = SECTION.split(text)
    found = running(parts[0].splitlines())
    for title, body in zip(parts[1::2], parts[2::2]):
        body = body.strip("\n")
        if title == "Examples":
            found += block(body, "pycon")
        elif title == "Notes":
            found += running(body.splitlines())
        else:
            found += f"**{title}**\n\n{entries(body, title in ('Parameters', 'Attributes'))}"
    return found


# ---- headers ----


def without_scaffold(text):
    """What is there for compilers alone, and what is private."""
    text = re.sub(r"^(?:/\*|//) SPDX-License-Identifier: MIT\n(?: \*)?", lambda match: "/*" if match[0].startswith("/*") else "", text)
    text = re.sub(r"^ private:\n.*?(?=^\};)", "", text, flags=re.M | re.S)
    text = re.sub(r'^#ifdef __cplusplus\n(?:extern "C" \{|\})\n#endif\n', "", text, flags=re.M)
    return re.sub(r"^(?:#pragma once|#include .*|#ifndef HEED_\w+_H|#define HEED_\w+_H|#endif|namespace .*\{|\}\s*// namespace.*)\n", "", text, flags=re.M)


def is_whole(lines):
    """Whether what is there ends with a declaration."""
    return bool(lines) and not lines[-1].startswith(("//", "/*", " *")) and not lines[-1].endswith(("\\", ","))


def pieces(text):
    """Parts that blank lines separate outside all braces and comments, or that a comment begins."""
    found, depth, open_comment = [[]], 0, False
    for line in text.splitlines():
        outside = depth == 0 and not open_comment
        if outside and (not line.strip() or line.startswith(("//", "/*")) and is_whole(found[-1])):
            found.append([])
        if outside and not line.strip():
            continue
        found[-1].append(line)
        open_comment = (open_comment or "/*" in line) and "*/" not in line.rpartition("/*")[2]
        bare = re.sub(r"//.*|/\*.*?\*/|'.'|\"[^\"]*\"", "", line)
        depth += bare.count("{") - bare.count("}")
    return [piece for piece in found if piece]


def comment_first(lines):
    """The comment that a piece begins with, without its marks, and the rest."""
    if lines[0].startswith("/*"):
        end = next(k for k, line in enumerate(lines) if "*/" in line)
        held = [re.sub(r"^(?:/\*| \*)(?!/) ?|\s*\*/$", "", line) for line in lines[: end + 1]]
        return (held, lines[end + 1 :]) if lines[end].rstrip().endswith("*/") else ([], lines)
    end = next((k for k, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return [re.sub(r"^// ?", "", line) for line in lines[:end]], lines[end:]


def refilled(lines):
    """Comments within code, and behind it, made to fit."""
    found, held, indent = [], [], ""
    trailing = re.compile(r"^((\s*)\S.*?)\s+(?:// (.*)|/\* (.*) \*/)$")
    comment = re.compile(r"^(\s*)// ?(\S.*)")
    wide = any(len(line) > COLUMNS and trailing.match(line) for line in lines if not comment.match(line))

    def release():
        found.extend(textwrap.wrap(" ".join(held), COLUMNS, initial_indent=f"{indent}// ", subsequent_indent=f"{indent}// ") if held else [])
        held.clear()

    for line in lines:
        own = comment.match(line)
        behind = trailing.match(line) if wide and not own else None
        if own and own[1] == indent and held:
            held.append(own[2])
            continue
        release()
        if own:
            indent = own[1]
            held.append(own[2])
        elif behind:
            words = behind[3] or behind[4]
            before, after = ("// ", "") if behind[3] else ("/* ", " */")
            found += [f"{behind[2]}{before}{words}{after}", behind[1]]
        else:
            found.append(line)
    release()
    return found


def narrowed(lines):
    """Declarations that are too wide, broken behind commas."""
    found, held = [], ""
    for line in lines:
        if re.match(r"\s*(?://|/\*|#)", line) or line.endswith("\\"):
            found.append(line)
            continue
        held = f"{held} {line.strip()}" if held else line
        if held.count("(") > held.count(")"):
            continue
        indent = re.match(r"\s*", held)[0]
        # A type stays beside its name.
        glued = re.sub(r"(?<![,{;]) ", "\0", held.strip())
        found += textwrap.wrap(glued, COLUMNS, initial_indent=indent, subsequent_indent=f"{indent}    ", break_long_words=False,
                               break_on_hyphens=False) if len(held) > COLUMNS and "//" not in held else [held]
        held = ""
    return [line.replace("\0", " ") for line in [*found, *([held] if held else [])]]


def names_of(code):
    functions = [name for name in FUNCTION.findall(code) if name not in ("decltype", "sizeof", "requires")]
    values = [one or other for one, other in VALUE.findall(code)]
    names = [*TYPE.findall(code), *functions] or values or MACRO.findall(code)
    return list(dict.fromkeys(names))


def header(text, language):
    """A header, declaration by declaration, each under its name."""
    found = ""
    for lines in pieces(without_scaffold(text)):
        said, code = comment_first(lines)
        names = names_of("\n".join(code))
        if names:
            found += "### " + ", ".join(names) + "\n\n"
        found += running(said)
        if code:
            found += block("\n".join(narrowed(refilled(code))), language) + "\n"
    return found
