#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of live sessions on every screen, for every eye and at the keyboard, in headless Chromium.

    test_live_legible.py HEED

HEED is the program. Without chromium or chromedriver the test is skipped (77) and says why.
"""
import json
import subprocess
import time

from live_page import DESK, TELEPHONE, WALL, LivePageTest, Session, main


class LegibleLivePage(LivePageTest):
    def test_it_fits_a_telephone_and_a_wall(self):
        self.demo()
        for name, size in (("phone", TELEPHONE), ("wall", WALL)):
            self.browser.resize(*size, touch=size == TELEPHONE)
            time.sleep(0.5)
            width, window = self.browser.run("return [document.documentElement.scrollWidth, innerWidth]")
            self.assertLessEqual(width, window, name)
            self.shoot(name)
        letters = "return parseFloat(getComputedStyle(document.getElementById('who')).fontSize)"
        self.assertGreaterEqual(self.browser.run(letters), 100, "to be read across a room")
        self.browser.resize(*TELEPHONE, touch=True)
        small = self.browser.run("return [...document.querySelectorAll('main button, main select')].filter(one =>"
                                 " one.offsetParent && one.getBoundingClientRect().height < 40).length")
        self.assertEqual(small, 0, "fingers need room")

    def contrast(self, selector):
        """Between letters and the ground they stand on, as WCAG reckons it."""
        colours = self.browser.run(
            "const one = document.querySelector(arguments[0]); let ground = one;"
            "while (getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)') ground = ground.parentElement;"
            "return [getComputedStyle(one).color, getComputedStyle(ground).backgroundColor]", selector)
        lights = []
        for colour in colours:
            parts = [float(part) / 255 for part in colour[colour.index("(") + 1:-1].split(",")[:3]]
            red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
            lights.append(0.2126 * red + 0.7152 * green + 0.0722 * blue)
        return (max(lights) + 0.05) / (min(lights) + 0.05)

    def test_letters_stand_out_and_everything_has_a_name(self):
        self.demo(speed=1)  # so that one can listen, too
        self.wait("return document.querySelector('#facts dd') !== null", "the source's health")
        for scheme in ("light", "dark"):
            self.browser.prefer(scheme)
            for selector in ("#who", "#sure", "h2", "#source", "#connection", "#meters .number", "#facts dt", "#facts dd",
                             "#log time", "#log span", "#attend button", "#listeners button", "#pause", "output",
                             "figcaption", ".hint", "#found"):
                self.assertGreaterEqual(self.contrast(selector), 4.5, f"{selector}, {scheme}")
            self.shoot(scheme)
        nameless = self.browser.run(
            "return [...document.querySelectorAll('button, input, select, [role=meter], [role=img]')].filter(one =>"
            " !one.textContent.trim() && !one.getAttribute('aria-label') && !one.getAttribute('aria-labelledby')"
            " && !(one.labels && one.labels.length)).map(one => one.outerHTML)")
        self.assertEqual(nameless, [])
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('h1, h2')].map(one => one.tagName).join()")[:5],
                         "H1,H2")
        # Every control is reached by the keyboard, in order.
        reached = []
        for _ in range(14):
            self.browser.press("Tab")
            reached.append(self.browser.run("return document.activeElement.id || document.activeElement.textContent"))
        self.assertIn("Attend left", reached)
        self.assertIn("listen", reached)
        self.assertIn("p", reached)

    def test_names_full_of_html_are_names(self):
        session = Session(self, "-", "--scores", stdin=subprocess.PIPE)
        name = "<img src=x onerror='window.harm=1'><script>window.harm=2</script>"
        session.process.stdin.write(json.dumps({"speakers": [name, "b"]}) + "\n")
        for t in range(1, 6):
            session.process.stdin.write(json.dumps({"t": t, "scores": [0.5, 0.0]}) + "\n")
        session.process.stdin.flush()
        self.browser.go(session.url)
        self.wait("return document.querySelector('#meters .name') !== null", "the talkers")
        self.assertEqual(self.text("#meters .name"), name)
        self.assertEqual(self.browser.run("return document.querySelectorAll('main img, main script').length"), 0)
        self.assertIsNone(self.browser.run("return window.harm ?? null"))

    def test_long_names_of_talkers_have_room(self):
        session = Session(self, "-", "--scores", stdin=subprocess.PIPE)
        names = ["the storyteller at the listener's left-hand side", "Loudspeaker" * 12, "c"]
        session.process.stdin.write(json.dumps({"speakers": names}) + "\n")
        for t in range(1, 6):
            session.process.stdin.write(json.dumps({"t": t, "scores": [0.5, 0.0, 0.1]}) + "\n")
        session.process.stdin.flush()
        self.browser.go(session.url)
        self.wait("return document.getElementById('meters').dataset.t >= 5", "the windows")
        for name, size in (("desk", DESK), ("phone", TELEPHONE)):
            self.browser.resize(*size, touch=size == TELEPHONE)
            time.sleep(0.5)
            width, window = self.browser.run("return [document.documentElement.scrollWidth, innerWidth]")
            self.assertLessEqual(width, window, name)
            rows = self.browser.run(
                "return [...document.querySelectorAll('#meters li')].map(row => {"
                " const [name, number, bar] = ['.name', '.number', '.gain'].map(one => row.querySelector(one).getBoundingClientRect());"
                " const letters = parseFloat(getComputedStyle(row.querySelector('.name')).lineHeight);"
                " return { lines: name.height / letters, beside: number.left - name.right, below: bar.top - name.bottom,"
                "          bar: bar.width / row.getBoundingClientRect().width }; })")
            for row in rows:
                self.assertLessEqual(row["lines"], 2.1, name)
                self.assertGreaterEqual(row["beside"], 0, name)
                self.assertGreaterEqual(row["below"], 0, name)
                self.assertGreater(row["bar"], 0.9, name)
            self.assertAlmostEqual(rows[2]["lines"], 1, delta=0.1)
            self.shoot(f"long-names-{name}")


if __name__ == "__main__":
    main(__doc__)
