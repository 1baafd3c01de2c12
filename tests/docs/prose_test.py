#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How headers and docstrings become pages of the reference."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "site"))
import prose  # noqa: E402

HEADER = """// SPDX-License-Identifier: MIT
// What it is <for>: a * b
//   y = a x
#pragma once

#include <vector>

namespace heed::hmm {

// Of one window.
struct Shape {
  int rows = 0;           // how many there are of them
  double very_long_name_of_a_member = 1;  // and what it means, in so many words that no line holds them
};

class Chain {
 public:
  // Throws invalid_argument unless it has as many states as there are speakers, and at least two of them in all.
  static Chain make(int states);

 private:
  int hidden_ = 0;
};
// The first.
[[nodiscard]] int one(int a,
                      int b);
// The second.
int two(const std::vector<double>& given, std::size_t how_many_of_them, double limit);

}  // namespace heed::hmm
"""

C = """/* SPDX-License-Identifier: MIT
 * Of C. */
#ifndef HEED_X_H
#define HEED_X_H
#ifdef __cplusplus
extern "C" {
#endif

#define HEED_SIZE 8 /* bytes */
/* Begins. */
int heed_begin(void);

#ifdef __cplusplus
}
#endif
#endif
"""

DOCSTRING = """What it does, with ``code`` and *stars*.

Parameters
----------
values : array (windows, speakers)
    Scores; see :func:`heed.filter`.
first, last : float
speakers
    Names.

Returns
-------
ndarray : rows
    that sum to one.

Examples
--------
>>> 1 + 1
2
"""


class Prose(unittest.TestCase):
    def test_a_header_is_told_declaration_by_declaration(self):
        page = prose.header(HEADER, "cpp")
        self.assertIn("What it is &lt;for&gt;: a \\* b\n\n````text\ny = a x\n````", page)
        self.assertEqual([line for line in page.splitlines() if line.startswith("### ")], ["### Shape", "### Chain", "### one", "### two"])
        self.assertIn("### Shape\n\nOf one window.\n\n````cpp\nstruct Shape {\n  // how many there are of them\n  int rows = 0;", page)
        self.assertIn("[[nodiscard]] int one(int a, int b);", page)
        self.assertIn("int two(const std::vector<double>& given, std::size_t how_many_of_them,\n    double limit);", page)
        for gone in ("SPDX", "#include", "#pragma", "namespace", "private", "hidden_"):
            self.assertNotIn(gone, page)
        self.assertLessEqual(max(map(len, page.splitlines())), prose.COLUMNS)

    def test_a_header_of_c_keeps_its_macros_and_loses_its_guards(self):
        page = prose.header(C, "c")
        self.assertEqual([line for line in page.splitlines() if line.startswith("### ")], ["### HEED_SIZE", "### heed_begin"])
        self.assertTrue(page.startswith("Of C.\n"))
        for gone in ("extern", "#endif", "HEED_X_H", "SPDX"):
            self.assertNotIn(gone, page)

    def test_a_docstring_is_prose_and_lists(self):
        page = prose.docstring(DOCSTRING)
        self.assertIn("What it does, with `code` and \\*stars\\*.\n", page)
        self.assertIn("`values` *array (windows, speakers)*\n:   Scores; see `heed.filter`.\n", page)
        self.assertIn("`first`, `last` \n:   *float*\n", page)
        self.assertIn("`speakers` \n:   Names.\n", page)
        self.assertIn("- *ndarray*: rows that sum to one.\n", page)
        self.assertIn("````pycon\n>>> 1 + 1\n2\n````", page)

    def test_a_command_that_is_too_wide_is_continued(self):
        command = "heed live replay:study --participant 01 --run 02 --model decoder.json --tracking tracking.json --out 'osc://a b -c d -e' | tee lines"
        lines = prose.command(command)
        self.assertEqual(lines[0], "heed live replay:study --participant 01 --run 02 --model decoder.json \\")
        self.assertEqual(" ".join(line.removesuffix("\\").strip() for line in lines), command)
        self.assertLessEqual(max(map(len, lines)), prose.COLUMNS)
        for left in ("heed track " + "x" * 80, "heed track -o x # " + "words " * 20, f"echo '{'a -b ' * 20}'"):
            self.assertEqual(prose.command(left), [left])

    def test_pages_of_the_documentation_are_linked(self):
        self.assertEqual(prose.inline("see docs/c.md, or `docs`"), "see [docs/c.md](../c.md), or `docs`")


if __name__ == "__main__":
    unittest.main()
