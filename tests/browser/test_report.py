#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of studies in headless Chromium, opened from the disk.

    test_report.py REPORT.html

Without chromium or chromedriver the test is skipped (77) and says why.
"""
import json
import pathlib
import sys
import unittest

from web_driver import Browser, missing_program

SKIPPED = 77
REPORT = None
DESK, TELEPHONE = (1280, 900), (390, 844)


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(Browser()) if hasattr(cls, "enterClassContext") else Browser().__enter__()
        if not hasattr(cls, "enterClassContext"):
            cls.addClassCleanup(cls.browser.__exit__)

    def setUp(self):
        self.show(DESK)

    def show(self, size, scheme="light"):
        self.browser.resize(*size, touch=size == TELEPHONE)
        self.browser.prefer(scheme)
        self.browser.log("performance")
        self.browser.log("browser")
        self.browser.open(REPORT)

    def tearDown(self):
        said = [entry["message"] for entry in self.browser.log("browser")]
        self.assertEqual(said, [], "the console must stay empty")

    def place(self, selector, index=0):
        """The middle of an element, scrolled into the window."""
        return self.browser.run(
            "const one = document.querySelectorAll(arguments[0])[arguments[1]];"
            "one.scrollIntoView({block: 'center'}); const area = one.getBoundingClientRect();"
            "return [area.left + area.width / 2, area.top + area.height / 2];", selector, index)

    def hint(self):
        return self.browser.run("const box = document.querySelector('.hint'); return box.hidden ? '' : box.textContent")

    def expect_hint(self, part):
        """The browser passes on what the pointer did when it draws next, so this may take a moment."""
        self.browser.wait_for("const box = document.querySelector('.hint');"
                              f"return !box.hidden && box.textContent.includes({json.dumps(part)})", f"a hint with '{part}'")

    def expect_no_hint(self):
        self.browser.wait_for("return document.querySelector('.hint').hidden", "the hint to go")

    def test_nothing_is_fetched(self):
        asked = [json.loads(entry["message"])["message"] for entry in self.browser.log("performance")]
        urls = [one["params"]["request"]["url"] for one in asked if one["method"] == "Network.requestWillBeSent"]
        self.assertEqual([url for url in urls if not url.startswith(("file:", "data:"))], [])
        self.assertEqual(len([url for url in urls if url.startswith("file:")]), 1, urls)

    def test_every_figure_is_seen(self):
        for size, kind in ((DESK, "wide"), (TELEPHONE, "narrow")):
            self.show(size)
            areas = self.browser.run(
                "return [...document.querySelectorAll('figure > .card')].map(card => {"
                "  const area = card.querySelector('svg').getBoundingClientRect();"
                "  return [card.classList.contains(arguments[0]), area.width, area.height]; })", kind)
            shown = [(width, height) for wanted, width, height in areas if wanted]
            self.assertGreaterEqual(len(shown), 8)
            for width, height in shown:
                self.assertGreater(width, 0.8 * min(size[0], 900) - 60)
                self.assertGreater(height, 100)
            self.assertEqual([area for area in areas if not area[0] and area[1]], [], "one form of each figure")

    def test_page_does_not_scroll_sideways(self):
        for size in (DESK, TELEPHONE, (320, 640)):
            self.show(size)
            widths = self.browser.run("document.querySelectorAll('details').forEach(one => one.open = true);"
                                      "return [document.documentElement.scrollWidth, innerWidth]")
            self.assertLessEqual(widths[0], widths[1], size)

    def test_wide_tables_say_that_they_scroll(self):
        self.show(TELEPHONE)
        self.browser.wait_for("return document.querySelector('.scroll.more')", "a table that hides some of it")
        self.browser.run("const box = document.querySelector('.scroll.more'); box.id = 'hides'; box.scrollLeft = 40")
        self.browser.wait_for("return !document.querySelector('#hides').matches('.more')", "the word to go")

    def test_the_mouse_reads_values(self):
        x, y = self.place(".wide .mean path, .wide .mean circle", 3)
        self.browser.point((x, y))
        self.expect_hint("mean accuracy")
        self.browser.point((5, 5))
        self.expect_no_hint()
        self.browser.point((x + 4, y - 5))
        self.expect_hint("accuracy")

    def test_a_finger_reads_values(self):
        self.show(TELEPHONE)
        self.browser.point(self.place(".narrow .mean path, .narrow .mean circle", 2), "down", "up", kind="touch")
        self.expect_hint("mean accuracy")
        self.browser.point(self.place("h1"), "down", "up", kind="touch")
        self.expect_no_hint()

    def test_keys_read_values(self):
        """From mean to mean, and the words are told to screen readers."""
        self.browser.run("document.querySelector('.wide svg').focus()")
        said = []
        for key in ("ArrowRight", "ArrowRight", "End", "Home"):
            self.browser.press(key)
            said.append(self.hint())
            self.assertEqual(self.browser.run("return document.querySelector('.heard[role=status]').textContent"), said[-1])
        self.assertTrue(all("mean" in one for one in said), said)
        self.assertEqual(len(set(said)), 3, said)
        self.assertEqual(said[0], said[3])
        self.assertEqual(self.browser.run("return document.querySelectorAll('.ring').length"), 1)
        self.browser.press("Escape")
        self.assertEqual(self.hint(), "")

    def test_tab_reaches_every_figure(self):
        reached = set()
        self.browser.run("document.body.focus()")
        for _ in range(120):
            self.browser.press("Tab")
            reached.add(self.browser.run(
                "const one = document.activeElement; return one.matches('svg, .plot') ?"
                "  [...document.querySelectorAll('svg, .plot')].indexOf(one) : -1"))
        figures = self.browser.run(
            "return [...document.querySelectorAll('.wide svg, .plot')].map(one =>"
            "  [...document.querySelectorAll('svg, .plot')].indexOf(one))")
        self.assertGreaterEqual(len(figures), 8)
        self.assertEqual(set(figures) - reached, set())

    def time_range(self):
        """What the trace that can be zoomed shows: the numbers along its axis are on canvas, its values are not."""
        area = self.browser.run("const one = document.querySelector('.zoom .u-over'); one.scrollIntoView({block: 'center'});"
                                "const area = one.getBoundingClientRect(); return [area.left, area.right, area.top, area.bottom]")
        ends = []
        for x in (area[0] + 2, area[1] - 2):
            self.browser.run("document.querySelector('.zoom .values').textContent = ''")
            self.browser.point((x - 1, (area[2] + area[3]) / 2), (x, (area[2] + area[3]) / 2))
            ends.append(float(self.browser.wait_for(self.values, "values under the mouse").split(" s,")[0]))
        return area, ends

    values = "return document.querySelector('.zoom .values').textContent"

    def needs_uplot(self):
        if not self.browser.run("return typeof uPlot !== 'undefined'"):
            self.skipTest("heed was built without uPlot")

    def test_traces_zoom_by_the_mouse(self):
        self.needs_uplot()
        area, whole = self.time_range()
        self.assertLess(whole[0], 5)
        self.assertGreater(whole[1], 595)
        height = (area[2] + area[3]) / 2
        width = area[1] - area[0]
        self.browser.point((area[0] + 0.45 * width, height), "down", (area[0] + 0.5 * width, height),
                           (area[0] + 0.55 * width, height), "up")
        _, part = self.time_range()
        self.assertAlmostEqual(part[0], 270, delta=6)
        self.assertAlmostEqual(part[1], 330, delta=6)
        self.browser.click(".zoom button[aria-label='Show the whole trial']")
        self.assertEqual(self.time_range()[1], whole)

    def test_traces_zoom_by_keys_and_buttons(self):
        self.needs_uplot()
        _, whole = self.time_range()
        self.browser.run("document.querySelector('.zoom .plot').focus()")
        self.browser.press("+", "+")
        _, part = self.time_range()
        self.assertAlmostEqual(part[1] - part[0], 150, delta=8)
        self.browser.press("ArrowRight")
        _, later = self.time_range()
        self.assertAlmostEqual(later[0] - part[0], 37.5, delta=4)
        self.browser.press("0")
        self.assertEqual(self.time_range()[1], whole)
        self.browser.click(".zoom button[aria-label='Zoom in']")
        _, part = self.time_range()
        self.assertAlmostEqual(part[1] - part[0], 300, delta=8)

    def test_methods_can_be_left_out(self):
        self.needs_uplot()
        self.time_range()
        self.assertIn("causal HMM", self.browser.run(self.values))
        self.browser.click(".zoom .methods label:nth-of-type(2) input")
        self.time_range()
        self.assertNotIn("causal HMM", self.browser.run(self.values))

    def contrast(self, selector, ground="body"):
        """Between the letters of a text and the ground they stand on, as WCAG reckons it."""
        colours = self.browser.run(
            "const one = getComputedStyle(document.querySelector(arguments[0]));"
            "const ground = document.querySelector(arguments[1]);"
            "return [ground.tagName === 'rect' ? getComputedStyle(ground).fill : getComputedStyle(ground).backgroundColor,"
            "  arguments[0].includes('text') ? one.fill : one.color]", selector, ground)
        lights = []
        for colour in colours:
            parts = [int(part) / 255 for part in colour[colour.index("(") + 1:-1].split(",")[:3]]
            red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
            lights.append(0.2126 * red + 0.7152 * green + 0.0722 * blue)
        return (max(lights) + 0.05) / (min(lights) + 0.05)

    def test_letters_stand_out_in_light_and_dark(self):
        for scheme in ("light", "dark"):
            self.show(DESK, scheme)
            for selector in ("p", "h1", ".subtitle", ".banner", ".place", "a", ".holds strong", ".fails strong",
                             ".unknown strong", "figcaption", "footer code"):
                self.assertGreaterEqual(self.contrast(selector), 4.5, f"{selector}, {scheme}")
            for selector in (".wide text", ".wide .axes text", ".wide .stamp text"):
                self.assertGreaterEqual(self.contrast(selector, ".wide rect"), 4.5, f"{selector}, {scheme}")

    def test_the_theme_can_be_chosen(self):
        ground = "return getComputedStyle(document.body).backgroundColor"
        paper = "return getComputedStyle(document.querySelector('.wide rect')).fill"
        light = (self.browser.run(ground), self.browser.run(paper))
        self.browser.click("button.theme")
        self.assertEqual((self.browser.run(ground), self.browser.run(paper)), light, "light is chosen on a light machine")
        self.browser.click("button.theme")
        dark = (self.browser.run(ground), self.browser.run(paper))
        self.assertNotEqual(dark[0], light[0])
        self.assertNotEqual(dark[1], light[1])
        self.browser.prefer("dark")
        self.browser.click("button.theme")
        self.assertEqual((self.browser.run(ground), self.browser.run(paper)), dark, "as the machine is: dark")
        self.browser.click("button.theme")
        self.assertEqual((self.browser.run(ground), self.browser.run(paper)), light, "light on a dark machine")

    def test_headings_and_tables_are_in_order(self):
        levels = self.browser.run("return [...document.querySelectorAll('h1, h2, h3, h4')].map(one => +one.tagName[1])")
        self.assertEqual(levels[0], 1)
        self.assertTrue(all(after - before <= 1 for before, after in zip(levels, levels[1:])), levels)
        self.assertEqual(self.browser.run(
            "return [...document.querySelectorAll('table')].filter(one => !one.caption || !one.querySelector('th[scope=row]')"
            "  || !one.querySelector('th[scope=col]')).length"), 0)
        self.assertEqual(self.browser.run(
            "return [...document.querySelectorAll('.card svg')].filter(one => !one.getAttribute('aria-label')).length"), 0)
        for landmark in ("header", "nav", "main", "footer"):
            self.assertEqual(self.browser.run("return document.querySelectorAll(arguments[0]).length", landmark), 1, landmark)

    def test_it_prints(self):
        self.browser.prefer("dark")
        pdf = self.browser.pdf()
        self.assertTrue(pdf.startswith(b"%PDF-"))
        self.assertGreater(len(pdf), 50_000)
        self.browser.devtools("Emulation.setEmulatedMedia", media="print")
        self.addCleanup(self.browser.devtools, "Emulation.setEmulatedMedia", media="")
        self.assertEqual(self.browser.run("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        for gone in (".zoom", ".theme", ".narrow"):
            self.assertEqual(self.browser.run(
                "return [...document.querySelectorAll(arguments[0])].filter(one => one.offsetParent).length", gone), 0, gone)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    missing = missing_program()
    if missing:
        print(f"skipped: {missing} is not installed, so the page cannot be opened; ./dev test --all installs it")
        sys.exit(SKIPPED)
    REPORT = pathlib.Path(sys.argv.pop(1))
    unittest.main(verbosity=2)
