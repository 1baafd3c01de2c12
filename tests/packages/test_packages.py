#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packages, wheel and source, made of a build and used where heed was never before.

    test_packages.py --tree ROOT --build FOLDER --folder FOLDER --version VERSION [--dist FOLDER]

DIST holds packages that were made already. A clean Debian 12 is fetched by mmdebstrap, which needs a network.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tarfile
import unittest
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
arguments = None


def run(*command, **options):
    """What it said; mmdebstrap's hooks speak on standard error."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout[-6000:]}{done.stderr[-6000:]}")
    return done.stdout + done.stderr


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dist = arguments.dist
        if not cls.dist:
            cls.dist = arguments.folder / "dist"
            run(arguments.tree / "packaging" / "make_packages.sh", arguments.build, cls.dist)
        cls.debs = sorted(cls.dist.glob("*.deb"))

    def test_all_are_there_and_lintian_finds_no_error(self):
        names = [path.name.split("_")[0] for path in self.debs]
        self.assertEqual(names, ["heed-tools", "libheed-c0", "libheed-dev", "octave-heed", "python3-heed"])
        said = run("lintian", "--fail-on", "error", *self.debs)
        self.assertNotIn("E: ", said)

    def test_what_is_compiled_in_has_its_notice(self):
        for package, part in (("libheed-c0", "libeigen3-dev"), ("libheed-dev", "libtomlplusplus-dev"), ("heed-tools", "libcli11-dev"),
                              ("python3-heed", "pybind11-dev")):
            (path,) = self.dist.glob(f"{package}_*.deb")
            self.assertRegex(run("dpkg-deb", "--contents", path), rf"/usr/share/doc/{package}/notices/{part}(\.gz)?\n")
        (wheel,) = self.dist.glob("heed-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            names = {name.rpartition("/")[2] for name in archive.namelist() if "/licenses/" in name}
        self.assertLessEqual({"heed", "libeigen3-dev", "libxxhash-dev", "pybind11-dev"}, names)

    def test_a_clean_debian_uses_them(self):
        content = arguments.folder / "packages"
        shutil.rmtree(content, ignore_errors=True)
        shutil.copytree(arguments.tree / "tests" / "install" / "consumer", content / "consumer")
        for path in (*self.debs, arguments.tree / "examples/c/follow.c", HERE / "in_chroot.sh"):
            shutil.copy(path, content)
        said = run("mmdebstrap", "--variant=apt", "--format=null", f"--customize-hook=copy-in {content} /",
                   # nothing of this machine's environment, such as a compiler's launcher
                   f"--customize-hook=chroot \"$1\" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh /packages/in_chroot.sh {arguments.version}",
                   "bookworm", "/dev/null")
        self.assertIn("(600, 2)", said)
        self.assertIn("everything works", said)

    def test_the_wheel_is_installed_without_a_network(self):
        environment = arguments.folder / "venv"
        shutil.rmtree(environment, ignore_errors=True)
        run("/usr/bin/python3", "-m", "venv", "--system-site-packages", environment)
        (wheel,) = self.dist.glob("heed-*.whl")
        run(environment / "bin" / "pip", "install", "--no-index", wheel)
        code = "import heed, numpy as np; print(heed.__file__, heed.smooth(np.random.randn(600, 2), switch_probability=1e-3).shape)"
        said = run(environment / "bin" / "python", "-c", code, cwd=arguments.folder)
        self.assertIn(str(environment), said)
        self.assertIn("(600, 2)", said)

    def test_the_source_builds_elsewhere_by_clang(self):
        folder = arguments.folder / "source"
        shutil.rmtree(folder, ignore_errors=True)
        with tarfile.open(self.dist / f"heed-{arguments.version}.tar.gz") as archive:
            archive.extractall(folder)
        source = folder / f"heed-{arguments.version}"
        run("cmake", "-S", source, "-B", folder / "build", "-G", "Ninja", "-D", "CMAKE_CXX_COMPILER=clang++", "-D", "CMAKE_BUILD_TYPE=Release",
            "-D", "HEED_BUILD_TESTS=OFF", "-D", "HEED_BUILD_PROGRAM=OFF")
        run("cmake", "--build", folder / "build", "--target", "heed_c")
        self.assertTrue((folder / "build" / "c" / "libheed-c.so.0").exists())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("--tree", "--build", "--folder"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--dist", type=pathlib.Path)
    arguments, rest = parser.parse_known_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=[sys.argv[0], *rest])
