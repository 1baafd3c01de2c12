# SPDX-License-Identifier: MIT
"""lazy_libraries.py OUTPUT --archive FILE ... --group LIBRARY ... [--group ...]: functions that open their library.

Writes C++ that holds assembly (x86-64, System V): a function for each one that the archives use of the shared libraries.
The first call of a group opens its libraries, in order, by apps/heed/lazy/open_lazily.cpp; from then on a call is one
jump, as through the linker's own table. A program that links these functions, and libraries as needed, loads none of
them at its start.
"""
import argparse
import pathlib
import re
import subprocess

SOURCE = """\
// Made by cmake/lazy_libraries.py.
asm(R"asm(
{assembly}  .text
)asm");
"""

# Calls of a group's functions come here first, with arguments in registers, which are kept. The stack is aligned to 16
# where open_lazily is called: two return addresses, seven registers and 136 bytes are on it.
OPEN = """\
  .text
open_group_{group}:
{push}
  sub $136, %rsp
{save}
  lea group_{group}(%rip), %rdi
  call heed_open_lazily
{load}
  add $136, %rsp
{pop}
  ret
"""

FUNCTION = """\
  .text
  .globl {name}
  .hidden {name}
  .type {name}, @function
{name}:
  jmp *slot_{name}(%rip)
first_{name}:
  call open_group_{group}
  jmp *slot_{name}(%rip)
  .size {name}, .-{name}
  .data
  .balign 8
slot_{name}:
  .quad first_{name}
"""

VARIABLE = """\
  .bss
  .balign 8
  .globl {name}
  .hidden {name}
  .type {name}, @object
  .size {name}, {size}
{name}:
  .zero {size}
"""

INTEGERS = ["rax", "rdi", "rsi", "rdx", "rcx", "r8", "r9"]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def used_by(archives):
    return set(re.findall(r"^ +U (\w+)$", run("nm", *archives), re.M))


def defined_in(library):
    """Names to (kind, size) of what a shared library offers."""
    rows = re.findall(r"^[0-9a-f]+ (?:([0-9a-f]+) )?(\w) (\w+)", run("nm", "-D", "-S", "--defined-only", library), re.M)
    return {name: (kind, int(size or "0", 16)) for size, kind, name in rows}


def soname(library):
    return re.search(r"SONAME +(\S+)", run("objdump", "-p", library)).group(1)


def group_text(group, libraries, used):
    offered = {name: what for library in libraries for name, what in defined_in(library).items() if name in used}
    functions = sorted(name for name, (kind, _) in offered.items() if kind in "TWi")
    variables = sorted(name for name, (kind, _) in offered.items() if kind in "BDVR")
    lanes = range(8)
    text = OPEN.format(
        group=group, push="\n".join(f"  push %{r}" for r in INTEGERS),
        pop="\n".join(f"  pop %{r}" for r in reversed(INTEGERS)),
        save="\n".join(f"  movups %xmm{k}, {16 * k}(%rsp)" for k in lanes),
        load="\n".join(f"  movups {16 * k}(%rsp), %xmm{k}" for k in lanes))
    text += "".join(FUNCTION.format(name=name, group=group) for name in functions)
    text += "".join(VARIABLE.format(name=name, size=offered[name][1]) for name in variables)
    # The struct LazyGroup of open_lazily.cpp: three lists, each ended by zeros.
    lists = {
        "libraries": [f".quad {text_label(group, k)}" for k, _ in enumerate(libraries)] + [".quad 0"],
        "functions": [f".quad name_{n}, slot_{n}" for n in functions] + [".quad 0, 0"],
        "variables": [f".quad name_{n}, {n}, {offered[n][1]}" for n in variables] + [".quad 0, 0, 0"],
    }
    text += "  .section .data.rel.ro,\"aw\"\n  .balign 8\n"
    text += f"group_{group}:\n" + "".join(f"  .quad {name}_{group}\n" for name in lists)
    for name, rows in lists.items():
        text += f"{name}_{group}:\n" + "".join(f"  {row}\n" for row in rows)
    text += "  .section .rodata\n"
    text += "".join(f"{text_label(group, k)}: .asciz \"{soname(library)}\"\n" for k, library in enumerate(libraries))
    text += "".join(f"name_{n}: .asciz \"{n}\"\n" for n in functions + variables)
    return text


def text_label(group, library):
    return f"soname_{group}_{library}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--archive", nargs="+", required=True)
    parser.add_argument("--group", nargs="+", action="append", required=True)
    arguments = parser.parse_args()
    used = used_by(arguments.archive)
    groups = (group_text(k, libraries, used) for k, libraries in enumerate(arguments.group))
    arguments.output.write_text(SOURCE.format(assembly="".join(groups)), encoding="ascii")


if __name__ == "__main__":
    main()
