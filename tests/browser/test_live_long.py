#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A page of live sessions that is left open: memory stays flat and frames come at 30 per second or more, with ten windows per
second.

    test_live_long.py HEED [MINUTES]

30 minutes by default; `./dev campaign page` runs it. Without chromium or chromedriver the test is skipped (77) and says why.
"""
import pathlib
import sys
import time
import unittest

import test_live
from web_driver import Browser, missing_program

MINUTES = 30.0
FRAMES = ("const done = arguments[arguments.length - 1], start = performance.now(); let frames = 0;"
          "const count = now => { ++frames; if (now - start < 10000) requestAnimationFrame(count);"
          " else done(1000 * frames / (now - start)); }; requestAnimationFrame(count);")


class LongPageTest(unittest.TestCase):
    def sizes(self, browser):
        """Bytes of the scripts' heap and nodes of the document, after what nobody needs was thrown away."""
        browser.devtools("HeapProfiler.collectGarbage")
        metrics = {one["name"]: one["value"] for one in browser.devtools("Performance.getMetrics")["metrics"]}
        return metrics["JSHeapUsedSize"], metrics["Nodes"]

    def test_memory_stays_flat_and_frames_keep_coming(self):
        with Browser() as browser:
            browser.resize(*test_live.DESK)
            browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "no-preference"}])
            browser.devtools("Performance.enable")
            session = test_live.Session(self, "--demo", "--no-browser", "--speed", "10")
            browser.go(session.url)
            browser.wait_for("return document.getElementById('meters').dataset.t >= 2", "two windows")
            # Ten minutes of the session fill every picture and the log; from then on nothing may grow.
            full = time.monotonic() + min(70, 30 * MINUTES)
            end = time.monotonic() + 60 * MINUTES
            first, rates = None, []
            while time.monotonic() < end:
                rates.append(browser.post("/execute/async", {"script": FRAMES, "args": []}))
                browser.log("performance")  # the driver keeps what nobody asked for
                if first is None and time.monotonic() > full:
                    first = self.sizes(browser)
                time.sleep(min(20, 6 * MINUTES))
            last = self.sizes(browser)
            shown = float(browser.run("return document.getElementById('meters').dataset.t"))
        print(f"{MINUTES:g} min, {shown:.0f} windows: heap {first[0] / 1e6:.2f} -> {last[0] / 1e6:.2f} MB, nodes {first[1]:.0f} ->"
              f" {last[1]:.0f}, frames per second {min(rates):.1f} to {max(rates):.1f}")
        self.assertLess(last[0] - first[0], 2e6)
        self.assertLess(last[1], first[1] + 1000)
        self.assertGreaterEqual(sorted(rates)[len(rates) // 2], 30)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    missing = missing_program()
    if missing:
        print(f"skipped: {missing} is not installed, so the page cannot be opened")
        sys.exit(test_live.SKIPPED)
    test_live.HEED = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if len(sys.argv) > 1:
        MINUTES = float(sys.argv.pop(1))
    unittest.main(verbosity=2)
