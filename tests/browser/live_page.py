# SPDX-License-Identifier: MIT
"""A live session and its page in headless Chromium, for the tests beside this file."""
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from web_driver import Browser, missing_program

SKIPPED = 77
HEED = None  # the program
DESK, WALL, TELEPHONE = (1280, 900), (2560, 1440), (390, 844)
SHOTS = os.environ.get("HEED_SCREENSHOTS")  # a folder to keep pictures in, for people to look at


class Session:
    """`heed live`, whose page is at `url`."""

    def __init__(self, test, *arguments, port=0, stdin=None):
        self.process = subprocess.Popen([HEED, "live", *arguments, "--page", str(port)], stdin=stdin,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        test.addCleanup(self.end)
        self.said = []
        for line in self.process.stderr:
            self.said.append(line)
            if line.startswith("The page is at "):
                self.url = line.split()[-1]
                break
        else:
            raise RuntimeError("heed did not start: " + "".join(self.said))

    @property
    def port(self):
        return int(self.url.split(":")[2].split("/")[0])

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)
        self.process.stderr.close()
        if self.process.stdin:
            self.process.stdin.close()


class LivePageTest(unittest.TestCase):
    """A browser, and what is asked of a page in it."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser().__enter__()
        cls.addClassCleanup(cls.browser.__exit__)

    def setUp(self):
        self.browser.resize(*DESK)
        self.browser.prefer("light")
        self.browser.go("about:blank")
        self.browser.log("browser")
        self.complaints_expected = False

    def tearDown(self):
        said = [entry["message"] for entry in self.browser.log("browser")]
        if not self.complaints_expected:
            self.assertEqual(said, [], "the console must stay empty")

    def demo(self, *arguments, speed=8, port=0):
        session = Session(self, "--demo", "--no-browser", "--speed", str(speed), *arguments, port=port)
        self.browser.go(session.url)
        self.wait("return document.getElementById('meters').dataset.t >= 2", "two windows")
        return session

    def wait(self, script, what, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.browser.run(script)
            if value:
                return value
            time.sleep(0.1)
        raise AssertionError(f"waited in vain for {what}")

    def text(self, selector):
        return self.browser.run("return document.querySelector(arguments[0]).textContent", selector)

    def shoot(self, name):
        if SHOTS:
            pathlib.Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.browser.screenshot(pathlib.Path(SHOTS) / f"{name}.png")


def main(usage):
    """Runs the tests of the calling file with the program that is its first argument."""
    global HEED
    if len(sys.argv) < 2:
        sys.exit(usage)
    missing = missing_program()
    if missing:
        print(f"skipped: {missing} is not installed, so the page cannot be opened; ./dev test --all installs it")
        sys.exit(SKIPPED)
    HEED = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
