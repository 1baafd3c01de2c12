#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants one violation at a time in a small sound tree: the check must name each, and only it."""
import os
import pathlib
import tempfile
import unittest
import unittest.mock

import check_structure

LICENCE = "// SPDX-License-Identifier: MIT\n"


def header(layer, body=""):
    return f"{LICENCE}#pragma once\n{body}\nnamespace heed::{layer} {{\n}}\n"


SOUND = {
    "layers.txt": "# comment\ncore:\ndata:\nhmm: core data\n",
    "include/heed/core/chain.h": header("core", "#include <cstddef>\n#include <unistd.h>"),
    "include/heed/data/matrix.h": header("data", "#include <Eigen/Core>"),
    "include/heed/hmm/filter.h": header("hmm", "#include <heed/core/chain.h>\n#include <Eigen/Core>"),
    "src/hmm/filter.cpp": header("hmm", '#include <nlohmann/json.hpp>\n#include "hmm/inner.h"'),
    "src/hmm/inner.h": header("hmm", '// never calls exit() or "printf("\nconst char* text = "abort()";'),
    "tests/unit/hmm/filter_test.cpp": LICENCE,
    "apps/heed/main.cpp": LICENCE + "void stop() { exit(1); }\n",
    "CMakeLists.txt": "# SPDX-License-Identifier: MIT\n",
    "dev": "#!/usr/bin/env bash\n# SPDX-License-Identifier: MIT\n",
    "README.md": "Data lie in ../shared and /usr/share, or at https://example.org/homework/.\n",
}


class StructureTest(unittest.TestCase):
    def setUp(self):
        self.excused = check_structure.TESTED_ELSEWHERE
        check_structure.TESTED_ELSEWHERE = {}
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        for name, text in SOUND.items():
            self.write(name, text)

    def tearDown(self):
        check_structure.TESTED_ELSEWHERE = self.excused
        self.folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        face = "include/heed/heed.h"
        if name.startswith("include/heed/") and name != face:
            include = self.root / "include"
            headers = sorted(str(header.relative_to(include)) for header in include.rglob("*.h"))
            lines = [f"#include <{header}>\n" for header in headers if header != "heed/heed.h"]
            self.write(face, LICENCE + "#pragma once\n" + "".join(lines))

    def assert_one(self, start, part=""):
        """Exactly one violation, of that place, and saying that."""
        found = check_structure.violations(self.root)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(start), found[0])
        self.assertIn(part, found[0])

    def test_sound_tree_has_none(self):
        self.assertEqual(check_structure.violations(self.root), [])

    def test_works_without_git(self):
        self.write("include/heed/core/chain.h", header("data"))
        for trouble in ({}, {"PATH": ""}):  # a clone git cannot read; no git at all
            with self.subTest(trouble), unittest.mock.patch.dict(os.environ, trouble):
                self.write(".git/HEAD", "broken\n")
                self.assert_one("include/heed/core/chain.h", "namespace heed::core")

    def test_include_that_climbs(self):
        self.write("include/heed/core/chain.h", header("core", "#include <heed/data/matrix.h>"))
        self.assert_one("include/heed/core/chain.h:3", "core may not use data")

    def test_include_that_climbs_in_a_source(self):
        self.write("src/hmm/filter.cpp", header("hmm", '#  include "heed/study/plan.h"'))
        self.assert_one("src/hmm/filter.cpp:3", "hmm may not use study")

    def test_inner_header_that_climbs(self):
        self.write("src/core/step.h", header("core", "#include <hmm/inner.h>"))
        self.assert_one("src/core/step.h:3", "core may not use hmm")

    def test_public_header_of_what_is_not_installed(self):
        self.write("include/heed/hmm/smooth.h", header("hmm", "#include <hmm/inner.h>"))
        self.assert_one("include/heed/hmm/smooth.h:3", "hmm/inner.h is not installed")

    def test_example_of_what_is_not_installed(self):
        self.write("examples/01_filter.cpp", LICENCE + "#include <hmm/inner.h>\n")
        self.assert_one("examples/01_filter.cpp:2", "hmm/inner.h is not installed")

    def test_too_large_a_face(self):
        for number in range(check_structure.PUBLIC_HEADERS):
            self.write(f"include/heed/core/room{number // 10}/part{number}.h", header("core"))
        self.assertIn("public headers", check_structure.violations(self.root)[0])

    def test_public_header_nobody_finds(self):
        face = "include/heed/heed.h"
        whole = (self.root / face).read_text(encoding="utf-8")
        self.write(face, whole.replace("#include <heed/hmm/filter.h>\n", ""))
        self.assert_one(face, "wants #include <heed/hmm/filter.h>")
        self.write(face, whole + "#include <heed/hmm/smooth.h>\n")
        self.assert_one(face, "heed/hmm/smooth.h, which does not exist")
        (self.root / face).unlink()
        self.assert_one(face, "missing")

    def test_layer_nobody_listed(self):
        self.write("include/heed/extra/thing.h", header("extra"))
        self.assert_one("include/heed/extra/thing.h", "not in layers.txt")

    def test_layers_in_a_circle(self):
        self.write("layers.txt", "core: hmm\ndata:\nhmm: core data\n")
        self.assert_one("layers.txt", "core uses hmm")

    def test_headers_in_a_circle(self):
        self.write("include/heed/core/chain.h", header("core", "#include <heed/core/step.h>"))
        self.write("include/heed/core/step.h", header("core", "#include <heed/core/chain.h>"))
        self.assert_one("heed/core/", "includes itself")

    def test_third_party_in_a_header(self):
        for name in ("include/heed/hmm/filter.h", "src/hmm/inner.h"):
            with self.subTest(name):
                self.write(name, header("hmm", "#include <fmt/core.h>"))
                self.assert_one(f"{name}:3", "fmt/core.h in a header")
                self.write(name, SOUND[name])

    def test_eigen_in_core(self):
        self.write("include/heed/core/chain.h", header("core", "#include <Eigen/Core>"))
        self.assert_one("include/heed/core/chain.h:3", "Eigen in core")

    def test_namespace_of_another_layer(self):
        self.write("src/hmm/filter.cpp", header("core"))
        self.assert_one("src/hmm/filter.cpp", "namespace heed::hmm")

    def test_fragment_of_a_namespace(self):
        self.write("src/hmm/lanes.h", LICENCE + "int lanes();\n")
        self.assert_one("src/hmm/lanes.h", "namespace heed::hmm")
        self.write("src/hmm/inner.h", LICENCE + 'namespace heed::hmm {\n#include "hmm/lanes.h"\n}\n')
        self.assertEqual(check_structure.violations(self.root), [])
        self.write("src/hmm/inner.h", LICENCE + '#include "hmm/lanes.h"\nnamespace heed::hmm {\n}\n')
        self.assert_one("src/hmm/lanes.h", "namespace heed::hmm")

    def test_colour_outside_the_palette(self):
        places = {"web/page.css": "a { color: #0072b2; }\n", "web/trace.js": "const shade = '#0072b21f';\n",
                  "src/hmm/inner.h": header("hmm", "constexpr Colour ink{34, 34, 34};"),
                  "src/hmm/filter.cpp": header("hmm", "paint(Colour{0x22, 0x22, 0x22});"),
                  "python/heed/plot.py": "# SPDX-License-Identifier: MIT\nINK = \"#222\"\n"}
        for name, text in places.items():
            with self.subTest(name):
                self.write(name, text)
                self.assert_one(name, "palette.txt")
                self.write(name, SOUND.get(name, "# SPDX-License-Identifier: MIT\n"))
        self.write("palette.txt", "speakers.blue #0072b2\n")
        self.write("src/hmm/filter.cpp", header("hmm", "paint(Colour{red, green, blue}, \"<a href='#main'>\", \"#%02x\");"))
        self.assertEqual(check_structure.violations(self.root), [])

    def test_licence_missing(self):
        for name in ("include/heed/core/chain.h", "CMakeLists.txt", "dev"):
            with self.subTest(name):
                self.write(name, SOUND[name].replace("SPDX-License-Identifier: MIT", "all rights left"))
                self.assert_one(name, "SPDX")
                self.write(name, SOUND[name])

    def test_file_too_long(self):
        lines = {"include/heed/core/chain.h": 200, "src/hmm/filter.cpp": 450}
        for name, allowed in lines.items():
            with self.subTest(name):
                text = SOUND[name]
                text += "\n" * (allowed - text.count("\n"))
                self.write(name, text)
                self.assertEqual(check_structure.violations(self.root), [])
                self.write(name, text + "\n")
                self.assert_one(name, f"{allowed + 1} lines")
                self.write(name, SOUND[name])

    def test_folder_too_full(self):
        for number in range(19):
            self.write(f"include/heed/core/part{number}.h", header("core"))
        self.assertEqual(check_structure.violations(self.root), [])
        self.write("include/heed/core/straw.h", header("core"))
        self.assert_one("include/heed/core", "21 .h files")

    def test_name_that_says_nothing(self):
        for name in ("docs/misc/notes.md", "docs/string_utils.md", "docs/helpers"):
            with self.subTest(name):
                self.write(name, "text\n")
                self.assert_one(name, "does not say")
                (self.root / name).unlink()

    def test_library_that_speaks_or_quits(self):
        for statement in ("std::cout << 1;", "std::printf(text);", "exit(1);", "std::abort();", "fprintf (stderr);"):
            with self.subTest(statement):
                self.write("src/hmm/inner.h", header("hmm", f"inline void f() {{ {statement} }}"))
                self.assert_one("src/hmm/inner.h:3", "in the library")

    def test_what_only_looks_like_speaking(self):
        harmless = "std::snprintf(buffer); on_exit(); loop.exit(); /* exit(1) */"
        self.write("src/hmm/inner.h", header("hmm", f"inline void f() {{ {harmless} }}"))
        self.assertEqual(check_structure.violations(self.root), [])

    def test_source_without_a_test(self):
        self.write("src/hmm/kernels/lane.cpp", header("hmm"))
        self.assert_one("src/hmm/kernels/lane.cpp", "no tests/unit/hmm/lane_test.cpp")
        check_structure.TESTED_ELSEWHERE = {"src/hmm/kernels/lane.cpp": ("tests/unit/hmm/filter_test.cpp", "why")}
        self.assertEqual(check_structure.violations(self.root), [])

    def test_excuse_that_outlived_its_source_or_test(self):
        check_structure.TESTED_ELSEWHERE = {"src/hmm/gone.cpp": ("tests/unit/hmm/filter_test.cpp", "why")}
        self.assert_one("src/hmm/gone.cpp", "does not exist")
        check_structure.TESTED_ELSEWHERE = {"src/hmm/filter.cpp": ("tests/unit/hmm/gone_test.cpp", "why")}
        self.assert_one("tests/unit/hmm/gone_test.cpp", "does not exist")

    def test_path_of_one_machine(self):
        for folder in ("work", "home", "root"):
            with self.subTest(folder):
                self.write("README.md", f"see `/{folder}/somebody/data`\n")
                self.assert_one("README.md:1", "path of one machine")


if __name__ == "__main__":
    unittest.main()
