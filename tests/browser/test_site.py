#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The recording on the first page of the site, in headless Chromium: it plays without heed, and nothing in it fails.

    test_site.py HEED

Without chromium or chromedriver the test is skipped (77) and says why.
"""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "site"))
import record_demo  # noqa: E402
from web_driver import Browser, missing_program  # noqa: E402

SKIPPED = 77
HEED = None


class Recording(unittest.TestCase):
    def test_plays_without_heed(self):
        with tempfile.TemporaryDirectory() as folder, Browser() as browser:
            page = pathlib.Path(folder) / "demo"
            record_demo.make(HEED, page)
            for width, height in ((688, 630), (358, 750)):
                with self.subTest(width=width):
                    browser.resize(width, height, touch=width < 600)
                    browser.open(page / "index.html")
                    browser.wait_for("return /% sure/.test(document.getElementById('sure').textContent)", "a decision")
                    browser.wait_for("return Number(document.getElementById('meters').dataset.t) > 20", "twenty seconds of listening")
                    self.assertIn(browser.run("return document.getElementById('who').textContent"), ("left", "right", "Undecided"))
                    self.assertLessEqual(browser.run("return document.body.scrollHeight"), height, "it fits into its frame")
                    self.assertLessEqual(browser.run("return document.body.scrollWidth"), width)
            self.assertEqual([line["message"] for line in browser.log("browser")], [])


if __name__ == "__main__":
    HEED = sys.argv.pop(1)
    missing = missing_program()
    if missing:
        print(f"{missing} is not installed: the recording was not opened in a browser")
        sys.exit(SKIPPED)
    unittest.main()
