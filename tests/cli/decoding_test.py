# SPDX-License-Identifier: MIT
"""What the tests of preprocess, train, score and bids share: planted studies, and a cache of what was made of them."""
import os
import pathlib
import shutil
import tempfile

from heed_program import HeedTest
from planted_study import Study

BAD_DATA, NO_INPUT, NOT_SUPPORTED, CANNOT_CREATE, USAGE, PARTIAL = 65, 66, 69, 73, 2, 1
REAL_DATA = os.environ.get("HEED_TEST_DATA")


class DecodingTest(HeedTest):
    """`shared()` makes a study once a class; tests that change it take a copy. Prepared signals are kept as long, too."""

    @classmethod
    def setUpClass(cls):
        cls.studies = tempfile.TemporaryDirectory(prefix="heed-studies-")
        cls.addClassCleanup(cls.studies.cleanup)

    @classmethod
    def shared(cls, name, **options):
        root = pathlib.Path(cls.studies.name) / name
        return root if root.exists() else Study(root, **options).write()

    def copy(self, root, name="study"):
        return pathlib.Path(shutil.copytree(root, self.folder / name))

    def run_heed(self, *arguments, **options):
        options.setdefault("env", self.environment())
        return super().run_heed(*arguments, **options)

    def environment(self):
        return {**os.environ, "XDG_CACHE_HOME": str(self.cache())}

    def cache(self):
        return pathlib.Path(self.studies.name) / "cache"

    def fails(self, code, *arguments, says=()):
        """As `refused`, where work has begun: no table of scores is left, and nothing is printed."""
        result = self.run_heed(*arguments)
        said = result.stderr.decode()
        self.assertEqual(result.returncode, code, said)
        for words in [says] if isinstance(says, str) else says:
            self.assertIn(words, said)
        self.assertFalse(result.stdout, said)
        self.assertEqual(list(self.folder.glob("out/**/*.tsv")), [])
        return said

    def bytes_below(self, name):
        """{path: bytes} of the files below a folder."""
        root = self.folder / name
        return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}

    def scores(self, run=1, participant="01", decoder="ls", out="out", extra=""):
        return self.read_table(f"{out}/sub-{participant}/eeg/sub-{participant}_task-attend_run-{run:02}_{extra}desc-{decoder}_scores.tsv")


def accuracy(table):
    """Share of labelled windows in which the attended speaker has the largest score."""
    speakers = [name for name in table.header if name not in ("onset", "trial", "attended")]
    labelled = [row for row in table.rows if row[table.header.index("attended")] in speakers]
    right = 0
    for row in labelled:
        values = [float(row[table.header.index(name)]) for name in speakers]
        right += speakers[values.index(max(values))] == row[table.header.index("attended")]
    return right / len(labelled)


def edit(path, old, new):
    text = path.read_text()
    assert old in text, f"{path} has no '{old}'"
    path.write_text(text.replace(old, new))


def with_random_labels(root, labels, seconds):
    """Who is attended is drawn anew for every second."""
    for path in root.glob("sub-*/eeg/*_events.tsv"):
        rows = [line for line in path.read_text().splitlines() if "\tattend\t" not in line]
        names = [line.split("\t")[3] for line in rows[1:]]
        blank = ["n/a"] * (len(rows[0].split("\t")) - 4)
        rows += ["\t".join([str(t), "1", "attend", labels.choice(names), *blank]) for t in range(seconds)]
        path.write_text("\n".join(rows) + "\n")
    return root
