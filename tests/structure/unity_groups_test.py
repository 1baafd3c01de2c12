#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files are compiled together only where each means what it means alone.

    unity_groups_test.py FOLDER_OF_unity_groups.py
"""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, sys.argv[1])
import unite_tests  # noqa: E402
import unity_groups  # noqa: E402

ALONE = "namespace heed {\nint open_to_all() { return 1; }\n}\n"


def private(code):
    return "namespace heed {\nnamespace {\n" + code + "\n}  // namespace\n}  // namespace heed\n"


class UnityGroupsTest(unittest.TestCase):
    def groups(self, *texts, lines=1000, headers=None):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, f"{number}.cpp") for number in range(len(texts))]
            for file, text in zip(files, texts):
                file.write_text(text, encoding="utf-8")
            for name, text in (headers or {}).items():
                pathlib.Path(folder, name).write_text(text, encoding="utf-8")
            return [[int(pathlib.Path(file).stem) for file in group]
                    for group in unity_groups.groups_of(map(str, files), lines, [folder])]

    def test_files_without_names_in_common_meet(self):
        self.assertEqual(self.groups(ALONE, private("int one() { return 1; }"), private("int two = 2;")), [[0, 1, 2]])

    def test_a_private_name_is_met_by_no_other_file_that_uses_it(self):
        for declared in ("int name() { return 1; }", "template <typename T>\nT name(const T& t);", "constexpr int name = 1;",
                         "const std::vector<std::pair<int, int>> name{{1, 2}};", "struct name {\n  int x;\n};",
                         "enum class name : int { one };", "using name = int;", "class name final : public Test {};",
                         "const char* const name[] = {\"a\"};", "int before = 1;\nint name(int x) {\n  return x;\n}"):
            for other in (private(declared), "int other(Thing thing) { return thing.name(); }"):
                self.assertEqual(self.groups(private(declared), other), [[0], [1]], declared)
                self.assertEqual(self.groups(other, private(declared)), [[0], [1]], declared)

    def test_constants_of_an_enum_without_class_are_private_too(self):
        self.assertEqual(len(self.groups(private("enum Kind { held = 1, open };"), "int held() { return 1; }")), 2)

    def test_nor_by_one_whose_headers_declare_it(self):
        headers = {"a.h": '#include "b.h"\n', "b.h": "namespace heed {\nclass name;\n}\n"}
        self.assertEqual(self.groups(private("int name;"), "#include <a.h>\n", headers=headers), [[0], [1]])

    def test_a_macro_is_private_too(self):
        self.assertEqual(self.groups("#define name 1\n", "int name();"), [[0], [1]])

    def test_words_in_texts_and_comments_are_no_names(self):
        self.assertEqual(self.groups(private("int name;"), "// name\nconst char* text = \"name\";"), [[0, 1]])

    def test_what_is_inside_braces_belongs_to_them(self):
        self.assertEqual(self.groups(private("int one() { int name = 1; return name; }"), "int name();"), [[0, 1]])

    def test_groups_stay_short(self):
        self.assertEqual(self.groups(ALONE, ALONE, ALONE, lines=7), [[0, 1], [2]])


class UniteTestsTest(unittest.TestCase):
    def test_a_file_of_tests_gets_a_namespace_of_its_name(self):
        for before, after in (("namespace heed::io {", "namespace heed::io::a_test {"), ("namespace {", "namespace a_test {")):
            rest = "\nnamespace {\nint trial;\n}\n}\n"
            self.assertEqual(unite_tests.in_its_own_namespace(before + rest, "a_test"), after + rest)

    def test_messages_name_the_files_as_they_were_written(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, name) for name in ("a_test.cpp", "b_test.cpp")]
            for file in files:
                file.write_text(private("int trial;"), encoding="utf-8")
            united = unite_tests.united(files)
        for file in files:
            self.assertIn(f'#line 1 "{file}"\nnamespace heed::{file.stem} {{\n', united)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
