# SPDX-License-Identifier: MIT
"""Chromium driven by chromedriver over the WebDriver protocol, with Python's own library alone."""
import base64
import json
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of the protocol for an element
KEYS = {"Tab": "\ue004", "Escape": "\ue00c", "End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012",
        "ArrowRight": "\ue014", "Enter": "\ue007", "Space": "\ue00d"}


def missing_program():
    """The name of what is not installed; None if everything is there."""
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            return program
    return None


class Browser:
    """A window of its own that remembers nothing. Use it in `with`."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="heed-browser-")
        self.driver = subprocess.Popen([shutil.which("chromedriver"), "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        try:
            self.address = f"http://127.0.0.1:{self._port()}"
            made = self._call("POST", "/session", {"capabilities": {"alwaysMatch": self._wishes()}})
        except BaseException:
            self._stop()
            raise
        self.session = f"/session/{made['sessionId']}"
        return self

    def __exit__(self, *_):
        try:
            self._call("DELETE", self.session)
        finally:
            self._stop()

    def _stop(self):
        self.driver.terminate()
        self.driver.wait(timeout=20)
        self.driver.stdout.close()
        self.folder.cleanup()

    def _port(self):
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                return int(found[1])
        raise RuntimeError("chromedriver did not say its port")

    def _wishes(self):
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync",
                     "--disable-dev-shm-usage", "--force-prefers-reduced-motion", f"--user-data-dir={self.folder.name}"]
        return {"browserName": "chrome", "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": arguments},
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as fault:
            raise RuntimeError(f"{method} {path}: {fault.read().decode(errors='replace')[:600]}") from fault

    def post(self, path, body):
        return self._call("POST", self.session + path, body)

    def devtools(self, command, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, path):
        self.go(path.resolve().as_uri())

    def go(self, url):
        self.post("/url", {"url": url})

    def resize(self, width, height, touch=False):
        """The inside of the window, as a telephone has it."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=touch)

    def prefer(self, scheme):
        """light or dark, as the reader's machine would say."""
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def run(self, script, *arguments):
        return self.post("/execute/sync", {"script": script, "args": list(arguments)})

    def wait_for(self, script, what):
        """Until the script gives something true; half a minute at most."""
        found = self.post("/execute/async", {"script": (
            "const done = arguments[arguments.length - 1], end = Date.now() + 20000;"
            "const look = () => { const value = (() => { " + script + " })();"
            "  if (value || Date.now() > end) done(value); else setTimeout(look, 50); }; look();"), "args": []})
        if not found:
            raise AssertionError(f"waited in vain for {what}")
        return found

    def find(self, selector):
        return self.post("/element", {"using": "css selector", "value": selector})

    def click(self, selector):
        element = self.find(selector)
        self.post(f"/element/{element[ELEMENT]}/click", {})

    def press(self, *keys):
        actions = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.post("/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def point(self, *moves, kind="mouse"):
        """Moves are (x, y) in the window; between `down` and `up` the button is held, or the finger is on the glass."""
        actions = []
        for move in moves:
            if move == "down":
                actions.append({"type": "pointerDown", "button": 0})
            elif move == "up":
                actions.append({"type": "pointerUp", "button": 0})
            else:
                actions.append({"type": "pointerMove", "duration": 50, "x": round(move[0]), "y": round(move[1])})
        self.post("/actions", {"actions": [
            {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions}]})

    def log(self, kind):
        return self.post("/se/log", {"type": kind})

    def screenshot(self, path, whole=True):
        """The whole page, or what the window shows of it."""
        shot = self.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=whole,
                             **({"clip": self._page()} if whole else {}))
        path.write_bytes(base64.b64decode(shot["data"]))

    def _page(self):
        size = self.devtools("Page.getLayoutMetrics")["cssContentSize"]
        return {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}

    def pdf(self):
        return base64.b64decode(self.devtools("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])
