#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The site of ./dev docs in headless Chromium: the recording on its first page plays without heed, and it is searched where it
is opened from a folder, and every page fits a desktop and a phone.

    test_site.py HEED SITE

SITE is a folder that tests/docs/check_site.py has made. Without chromium or chromedriver the test is skipped (77) and says why.
"""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "site"))
import record_demo  # noqa: E402
from web_driver import Browser, missing_program  # noqa: E402

SKIPPED = 77
HEED, SITE = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
SITE_IS_THERE = SITE.exists()


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


@unittest.skipUnless(SITE_IS_THERE, "there is no site: mkdocs-material is not installed")
class Pages(unittest.TestCase):
    def test_fit_desktops_and_phones(self):
        """Wide tables and code scroll within themselves; the page itself never does sideways, and every picture is there."""
        pages = sorted(path.relative_to(SITE) for path in SITE.rglob("*.html"))
        pages.remove(pathlib.Path("404.html"))  # has the addresses of a server
        self.assertGreater(len(pages), 50)
        with Browser() as browser:
            for width, height in ((1280, 900), (390, 844)):
                browser.resize(width, height, touch=width < 600)
                for page in pages:
                    with self.subTest(page=str(page), width=width):
                        browser.open(SITE / page)
                        wide, broken = browser.run("return [document.documentElement.scrollWidth, [...document.images].filter("
                                                   "image => image.complete && !image.naturalWidth).map(image => image.src)]")
                        self.assertLessEqual(wide, width)
                        self.assertEqual(broken, [])
            self.assertEqual([line["message"] for line in browser.log("browser")], [])


@unittest.skipUnless(SITE_IS_THERE, "there is no site: mkdocs-material is not installed")
class Search(unittest.TestCase):
    def test_finds_a_function_without_a_server(self):
        with Browser() as browser:
            for page in ("index.html", "verbs/track.html"):
                with self.subTest(page=page):
                    browser.open(SITE / page)
                    browser.wait_for("return /Type to start/.test(document.querySelector('.md-search-result').textContent)", "the index")
                    browser.run("const query = document.querySelector('[data-md-component=search-query]'); query.focus(); query.value = 'heed_smooth';"
                                "query.dispatchEvent(new KeyboardEvent('keyup', { bubbles: true }));")
                    browser.wait_for("return document.querySelector('.md-search-result a[href*=\"reference/matlab.html\"]')", "heed_smooth")
            self.assertEqual([line["message"] for line in browser.log("browser")], [])


if __name__ == "__main__":
    missing = missing_program()
    if missing:
        print(f"{missing} is not installed: the recording was not opened in a browser")
        sys.exit(SKIPPED)
    unittest.main()
