#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heed export: constants of C that do on a device what heed track does."""
import json
import pathlib
import re
import shutil
import subprocess
import unittest

from heed_program import HeedTest, parse_table

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = """
#include <stdio.h>
heed_status device_start(void);
heed_status device_window(const float*, float*, float*);
int main(void) {
  float s[2], b[2], f[2];
  if (device_start() < 0) return 1;
  while (scanf("%f %f", s, s + 1) == 2) {
    if (device_window(s, b, f) < 0) return 2;
    printf("%.9g %.9g %.9g %.9g\\n", b[0], b[1], f[0], f[1]);
  }
  return 0;
}
"""


class Export(HeedTest):
    def model(self):
        self.heed("simulate", "scores", "--participants", 3, "--trials", 2, "--seed", 4, "-o", "cohort")
        self.heed("track", "cohort/sub-01_scores.tsv", "--fit-from", "cohort", "--save-model", "model.json", "-o", "p.tsv")
        return self.read_json("model.json")["Emission"]

    def numbers(self, text, name):
        found = re.search(rf"#define {name} \\\s*\{{ HEED_C_VERSION, (.*?) \}}", text, re.S).group(1)
        return [float(one.strip().rstrip("f")) for one in found.split(",")]

    def test_constants(self):
        emission = self.model()
        text = self.heed("export", "model.json", "-p", 0.004, "--gain", "dead-zone:0.9", "--range", 9, "--slew", 3, "--c")
        slope = (emission["MuAttended"] - emission["MuUnattended"]) / emission["SigmaAttended"] ** 2
        temperature = self.read_json("model.json").get("Temperature", 1)
        self.assert_close(self.numbers(text, "HEED_MODEL_EMISSION"), [1, slope / temperature, 0], 1e-6)
        self.assert_close(self.numbers(text, "HEED_MODEL_CHAIN"), [2, 0.004], 1e-8)
        self.assert_close(self.numbers(text, "HEED_MODEL_GAINS")[:6], [2, 4, 1, 0, -9, 3], 1e-8)
        self.assert_close(self.numbers(text, "HEED_MODEL_GAUSSIAN"),
                          [1, *(emission[key] for key in ("MuAttended", "MuUnattended", "SigmaAttended", "SigmaUnattended", "Correlation")),
                           temperature], 1e-15)
        text = self.heed("export", "model.json", "--range", 9, "--slew", 3, "--c", "-o", "model.h")
        self.assertEqual(text, "")
        self.assert_close(self.numbers(self.read("model.h"), "HEED_MODEL_GAINS")[:6], [2, 4, 1, 0, -9, 3], 1e-8)
        text = self.heed("export", "model.json", "--expected-seconds-between-switches", 50, "--speakers", 3, "--c")
        self.assert_close(self.numbers(text, "HEED_MODEL_CHAIN"), [3, 0.01], 1e-8)

    def test_a_device_believes_what_track_does(self):
        self.model()
        self.write("model.h", self.heed("export", "model.json", "-p", 0.01, "--c"))
        self.write("main.c", '#include "model.h"\n' + PROGRAM)
        library = next(ROOT.glob("build/release/libheed_core.a"), None)
        if shutil.which("cc") is None or library is None:
            self.skipTest("there is no C compiler here, or no libheed_core.a")
        subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I.", f"-I{ROOT}/include", "main.c",
                        f"{ROOT}/examples/c/device.c", str(library), "-lm", "-o", "device"], cwd=self.folder, check=True)
        table = parse_table(self.read("cohort/sub-02_scores.tsv"))
        first = [row for row, trial in zip(table.numbers("left", "right"), table["trial"]) if trial == table["trial"][0]]
        said = subprocess.run([self.folder / "device"], input="\n".join(f"{a} {b}" for a, b in first), text=True,
                              stdout=subprocess.PIPE, check=True).stdout
        found = [[float(word) for word in line.split()[:2]] for line in said.splitlines()]
        tracked = parse_table(self.heed("track", "cohort/sub-02_scores.tsv", "--model", "model.json", "-p", 0.01, "--digits", 9))
        self.assert_close(found, tracked.numbers("left", "right")[:len(first)], 2e-5)

    def test_it_compiles_for_a_microcontroller(self):
        compiler = shutil.which("arm-none-eabi-gcc")
        if compiler is None:
            self.skipTest("arm-none-eabi-gcc is not installed (Debian: gcc-arm-none-eabi)")
        self.model()
        self.write("model.h", self.heed("export", "model.json", "--c"))
        subprocess.run([compiler, "-std=c99", "-mcpu=cortex-m4", "-mthumb", "-O2", "-Wall", "-Wextra", "-Werror", "-I.",
                        f"-I{ROOT}/include", "-c", f"{ROOT}/examples/c/device.c", "-o", "device.o"], cwd=self.folder, check=True)
        self.write("steer.c", '#include "model.h"\n#include <heed/c_steering.h>\n'
                              "const heed_steering_options options = {64, HEED_MODEL_CHAIN, HEED_MODEL_GAUSSIAN, HEED_MODEL_GAINS};\n")
        subprocess.run([compiler, "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-I.", f"-I{ROOT}/include", "-c", "steer.c"],
                       cwd=self.folder, check=True)

    def test_refusals(self):
        self.model()
        self.refused(2, "export", "model.json", "--c", "-p", "auto", says="a device has one switch probability")
        self.refused(2, "export", "model.json", "--c", "-p", 0.7, says="0.5")
        self.refused(2, "export", "model.json", "--c", "--gain", "decision,dead-zone", says="one map")
        self.assertNotRegex(self.heed("export", "--help"), "auto|--transition|--initial")
        self.refused(2, "export", "model.json", "--c", "--initial", "0.9,0.1", says="--initial")
        self.refused(65, "export", "p.tsv", "--c", "-o", "model.h", says="p.tsv: not a JSON object; it must begin with {")
        self.refused(66, "export", "nothing.json", "--c", says="nothing.json")
        self.refused(2, "export", "model.json", says="--c")
        self.write("soft.json", json.dumps({**self.read_json("model.json"), "Emission": {"Kind": "softmax", "ClassPriors": []}}))
        self.refused(69, "export", "soft.json", "--c", says="soft.json")


if __name__ == "__main__":
    unittest.main()
