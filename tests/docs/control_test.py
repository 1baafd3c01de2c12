#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A check that finds nothing wrong anywhere proves nothing: pages with one fault each must be caught."""
import contextlib
import io
import pathlib
import sys
import tempfile
import types
import unittest

import check_pages
import run_page
from pages import Page, PageError


class Tree(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.root = pathlib.Path(self._folder.name).resolve()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


class Running(Tree):
    def run_page(self, text, module=None):
        page = Page(self.write("page.md", text))
        options = types.SimpleNamespace(program=sys.executable, prefix=None, compiler="c++", python=sys.executable, module=module)
        with tempfile.TemporaryDirectory() as folder:
            runner = run_page.Runner(page, options, folder)
            runner.run()
            return runner.counts

    def test_runs_blocks_in_order_in_one_folder(self):
        counts = self.run_page(
            "```tsv file=a/in.tsv\nleft\tright\n```\n```sh run\ncat a/in.tsv; echo done >&2\n```\n"
            "```text output\nleft\tright\ndone\n```\n```sh\nexit 1\n```\n")
        self.assertEqual((counts["run"], counts["compared"]), (1, 1))

    def test_catches_a_command_that_fails(self):
        for script in ("false", "false | true", "echo $not_set"):
            with self.assertRaisesRegex(PageError, "page.md:1: exits with"):
                self.run_page(f"```sh run\n{script}\n```\n")

    def test_catches_another_exit_code(self):
        self.run_page("```sh run exits=65\nexit 65\n```\n")
        with self.assertRaisesRegex(PageError, "exits with 0, not 65"):
            self.run_page("```sh run exits=65\ntrue\n```\n")

    def test_catches_other_output(self):
        with self.assertRaisesRegex(PageError, "page.md:4: the run before it prints something else"):
            self.run_page("```sh run\necho one\n```\n```text output\ntwo\n```\n")
        with self.assertRaisesRegex(PageError, "output of nothing"):
            self.run_page("```text output\none\n```\n")

    def test_names_of_python_live_on_from_block_to_block(self):
        text = "```python run\nx = 6\n```\n```python run\nimport os\nprint(x * 7, os.listdir())\n```\n```text output\n42 []\n```\n"
        counts = self.run_page(text, module=".")
        self.assertEqual((counts["run"], counts["compared"]), (2, 1))
        self.assertEqual(self.run_page(text)["passed over"], 2)

    def test_catches_python_that_fails_or_ends(self):
        for code, word in (("print(x)", "NameError"), ("raise SystemExit", "SystemExit"), ("import os; os._exit(0)", "Python ended")):
            with self.assertRaisesRegex(PageError, f"page.md:1: fails:(.|\n)*{word}"):
                self.run_page(f"```python run\n{code}\n```\n", module=".")

    def test_catches_bad_json(self):
        self.assertEqual(self.run_page('```json\n{"a": 1}\n```\n')["parsed"], 1)
        with self.assertRaisesRegex(PageError, "page.md:1: not JSON"):
            self.run_page('```json\n{"a": 1,}\n```\n')

    def test_catches_words_that_mean_nothing_and_open_blocks(self):
        with self.assertRaisesRegex(PageError, "rnu"):
            self.run_page("```sh rnu\ntrue\n```\n")
        with self.assertRaisesRegex(PageError, "never closed"):
            self.run_page("```sh run\ntrue\n")

    def test_passes_over_programs_where_heed_is_not_installed(self):
        counts = self.run_page("```cpp\nint main() {}\n```\n```sh run installed\nfalse\n```\n```text output\nno\n```\n")
        self.assertEqual(counts["passed over"], 2)
        counts = self.run_page("```sh run\necho yes\n```\n```cpp\nint main() {}\n```\n```text output\nno\n```\n")
        self.assertEqual((counts["run"], counts["compared"], counts["passed over"]), (1, 0, 1))


class Checking(Tree):
    def problems(self, check):
        return list(check(self.root, check_pages.read_pages(self.root)))

    def test_catches_links_to_nothing(self):
        self.write("docs/other.md", "# A heading, with `code`\n")
        self.write("README.md", "[a](docs/other.md) [b](docs/other.md#a-heading-with-code) [c](https://nowhere.example)\n")
        self.assertEqual(self.problems(check_pages.broken_links), [])
        self.write("README.md", "[a](docs/none.md)\n[b](docs/other.md#no-heading)\n")
        self.assertEqual(self.problems(check_pages.broken_links),
                         ["README.md:1: docs/none.md is not there", "README.md:2: docs/other.md#no-heading: no such heading"])

    def test_catches_paths_to_nothing(self):
        self.write("README.md", "`src/none.cpp`\n")
        self.assertEqual(self.problems(check_pages.broken_paths), ["README.md:1: `src/none.cpp` is not there"])

    def test_catches_names_of_files_that_do_not_exist(self):
        self.write("src/hmm/viterbi.cpp", "")
        self.write("README.md", "`viterbi.cpp` `hmm/viterbi.cpp` `examples/NN_x.cpp` `mine.toml`\n")
        self.assertEqual(self.problems(check_pages.unknown_sources), [])
        self.write("README.md", "`terbi.cpp`\n`track/viterbi.cpp`\n")
        self.assertEqual(self.problems(check_pages.unknown_sources),
                         ["README.md:1: there is no file `terbi.cpp`", "README.md:2: there is no file `track/viterbi.cpp`"])

    def test_catches_public_headers_without_a_word_and_words_without_a_header(self):
        self.write("include/heed/hmm/chain.h", "")
        self.write("docs/library.md", "`heed/hmm/chain.h`\n")
        self.assertEqual(self.problems(check_pages.incomplete_face), [])
        self.write("include/heed/hmm/filter.h", "")
        self.write("docs/library.md", "`heed/hmm/chain.h`, `heed/hmm/smooth.h`\n")
        self.assertEqual(self.problems(check_pages.incomplete_face),
                         ["docs/library.md: does not name the public header `heed/hmm/filter.h`",
                          "docs/library.md: `heed/hmm/smooth.h` is not a public header"])

    def test_catches_messages_that_the_program_does_not_have(self):
        self.write("src/a.cpp", 'throw Error(": the file has " + rows + " rows; "\n      "add a header");\n')
        self.write("README.md", "| message has | meaning and remedy |\n|---|---|\n| `the file has ... rows; add a header` | `x` |\n")
        self.assertEqual(self.problems(check_pages.stale_messages), [])
        self.write("README.md", "| message has | remedy |\n|---|---|\n| `the file ... lines` | |\n\n| key |\n|---|\n| `other` |\n")
        self.assertEqual(self.problems(check_pages.stale_messages), ["README.md:3: no message has `the file ... lines`"])

    def test_catches_tasks_in_too_many_files_or_in_none_there_are(self):
        self.write("src/a.cpp", "")
        head = "| task | files to change | how |\n|---|---|---|\n"
        self.write("CONTRIBUTING.md", head + "| one | `src/a.cpp` | `f` |\n")
        self.assertEqual(self.problems(check_pages.impossible_tasks), [])
        self.write("CONTRIBUTING.md", head + "| one | `src/b.cpp` | |\n| two | `src/a.cpp`, `src/a.cpp`, `src/a.cpp`, `src/a.cpp` | |\n")
        self.assertEqual(self.problems(check_pages.impossible_tasks),
                         ["CONTRIBUTING.md:3: `src/b.cpp` is not there",
                          "CONTRIBUTING.md:4: a task that changes 4 files; most are 3"])

    def test_catches_pages_nobody_leads_to(self):
        self.write("docs/lost.md", "[self](lost.md)\n")
        self.assertEqual(self.problems(check_pages.unreachable), ["docs/lost.md: no page leads here"])

    def test_catches_functions_that_are_not_in_their_file(self):
        self.write("src/a.cpp", "void absorb();\n")
        self.write("docs/equations.md", "| (1) | `src/a.cpp` | `absorb` |\n")
        self.assertEqual(self.problems(check_pages.broken_equations), [])
        self.write("docs/equations.md", "| (1) | `src/a.cpp` | `core::advance` |\n")
        self.assertEqual(len(self.problems(check_pages.broken_equations)), 2)

    def program(self):
        script = ('#!/bin/sh\ncase "$*" in\n  "manual --list") printf "heed\\nheed track\\nheed track on\\n" ;;\n'
                  '  *) printf "  -l,--lag NUMBER   see --other\\n  --n_cpus NUMBER\\n\\nExamples:\\n  heed --more\\n" ;;\nesac\n')
        path = self.write("heed", script)
        path.chmod(0o755)
        return str(path)

    def test_catches_verbs_and_options_without_a_word(self):
        pages = lambda: check_pages.read_pages(self.root)
        self.assertEqual(len(list(check_pages.missing_verbs(pages(), self.program()))), 2)
        self.write("docs/verbs/track.md", "heed track, heed track on: --lag-seconds --n_cpus\n")
        self.assertEqual(list(check_pages.missing_verbs(pages(), self.program())),
                         ["docs/verbs/track.md: does not mention --lag of `heed track`",
                          "docs/verbs/track.md: does not mention --lag of `heed track on`"])
        self.write("docs/verbs/track.md", "heed track, heed track on: --lag --n\n")
        self.assertIn("docs/verbs/track.md: does not mention --n_cpus of `heed track`",
                      list(check_pages.missing_verbs(pages(), self.program())))
        self.write("docs/verbs/track.md", "heed track, heed track on: --lag --n_cpus\n")
        self.assertEqual(list(check_pages.missing_verbs(pages(), self.program())), [])

    def test_says_so_by_its_exit_code(self):
        self.write("README.md", "[a](none.md)\n")
        sys.argv = ["check_pages.py", str(self.root)]
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(check_pages.main(), 1)


if __name__ == "__main__":
    unittest.main()
