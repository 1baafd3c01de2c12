#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of live sessions in headless Chromium.

    test_live.py HEED

HEED is the program. Without chromium or chromedriver the test is skipped (77) and says why.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from web_driver import Browser, missing_program

SKIPPED = 77
HEED = None
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

    def send(self, *lines):
        self.process.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
        self.process.stdin.flush()

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

    def fed(self, speakers, scores, windows):
        """A session that was sent the same scores for so many windows."""
        session = Session(self, "-", "--scores", stdin=subprocess.PIPE)
        session.send({"speakers": speakers}, *({"t": t, "scores": scores} for t in range(1, windows + 1)))
        self.browser.go(session.url)
        self.wait(f"return document.getElementById('meters').dataset.t === '{windows}'", "the windows")
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

    def test_the_picture_moves_and_its_numbers_are_those_of_the_session(self):
        with tempfile.TemporaryDirectory() as folder:
            lines = pathlib.Path(folder) / "live.ndjson"
            self.demo("--out", f"ndjson:{lines}", "--seconds", "400")
            picture = "return document.querySelector('#posterior canvas').toDataURL()"
            before = self.browser.run(picture)
            shown = "const meters = document.getElementById('meters'); return [Number(meters.dataset.t)," \
                    " [...meters.children].map(one => Number(one.dataset.posterior))," \
                    " [...meters.children].map(one => Number(one.dataset.gain))]"
            seen = []
            for _ in range(5):
                seen.append(self.browser.run(shown))
                self.wait(f"return Number(document.getElementById('meters').dataset.t) > {seen[-1][0]}", "another window")
            self.assertNotEqual(self.browser.run(picture), before)
            time.sleep(1)  # the file's last line may be on its way
            session = {row["t"]: row for row in map(json.loads, lines.read_text().splitlines())}
            for t, posterior, gains in seen:
                self.assertEqual(posterior, session[t]["posterior"], f"at {t} s")
                self.assertEqual(gains, session[t]["gains_db"], f"at {t} s")

    def test_the_picture_moves_on_where_time_begins_anew(self):
        session = Session(self, "-", "--scores", stdin=subprocess.PIPE)
        pictures = []
        session.send({"speakers": ["a", "b"], "trials": True})
        for trial, count in (("first", 30), ("second", 5), ("third", 3)):
            lines = [{"t": t, "scores": [0.5, 0.0]} for t in range(1, count + 1)]
            session.send(lines[0] | {"trial": trial}, *lines[1:])
            if not pictures:
                self.browser.go(session.url)
            self.wait(f"return document.getElementById('meters').dataset.t === '{count}'", "the windows")
            time.sleep(0.3)
            pictures.append(self.browser.run("return document.querySelector('#posterior canvas').toDataURL()"))
        self.assertEqual(len(set(pictures)), 3)
        self.assertEqual(self.text("#log").count("Another trial begins."), 2)

    def test_the_picture_goes_on_and_nothing_jumps_while_nothing_comes(self):
        self.browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "no-preference"}])
        session = self.fed(["a", "b"], [0.1, 0.1], 2)
        places = {}
        for who, windows in (("Undecided", ()), ("a", range(3, 90)), ("No scores", ())):
            session.send(*({"t": t, "scores": [0.5, 0.0]} for t in windows))
            self.wait(f"return document.getElementById('who').textContent === '{who}'", who)
            places[who] = self.browser.run("return document.getElementById('pictures').offsetTop")
        self.assertEqual(len(set(places.values())), 1, places)
        time.sleep(1)  # the edge has been where a window would end
        picture = "return document.querySelector('#posterior canvas').toDataURL()"
        before = self.browser.run(picture)
        time.sleep(1)
        self.assertNotEqual(self.browser.run(picture), before, "time goes on")

    def test_a_visitor_moves_attention_and_heed_finds_out(self):
        self.demo()
        self.wait("return document.getElementById('who').textContent === 'left'", "heed to hear left")
        self.browser.click("#attend button:nth-child(2)")
        self.wait("return document.getElementById('truth').textContent === 'True attention: right'", "the truth")
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('#attend button')]"
                                          ".map(one => one.getAttribute('aria-pressed'))"), ["false", "true"])
        self.assertRegex(self.text("#searching"), r"^\d+\.\d s$", "the clock runs while heed does not know")
        found = self.wait("const text = document.getElementById('found').textContent;"
                          "return text.includes('found out') && text.includes('right') && text", "heed to find out")
        self.assertRegex(found, r"^heed found out after \d+\.\d s that the listener attends to right\.$")
        self.assertEqual(self.text("#who"), "right")
        self.assertRegex(self.text("#sure"), r"^(over )?\d\d % sure$")
        self.assertIn(found, self.text("#log"))
        self.assertEqual(self.text("#searching"), "")
        self.assertIn("right", self.text("#heard"), "said to those who do not see")
        self.wait("return /right is in front, [0-9.]+ s after attention moved/.test(document.getElementById('log').textContent)",
                  "the gain to follow")
        voices = self.browser.run("return [...document.querySelectorAll('#scene .voice')].map(one => one.style.transform)")
        left, right = (float(voice[len("scale("):-1]) for voice in voices)
        self.assertLess(left, right, "circles are as large as talkers are loud")
        self.shoot("desk")

    def test_sliders_and_pause_reach_the_session(self):
        self.demo()
        self.browser.run("document.getElementById('p').focus()")
        before = self.text("#p-value")
        self.browser.press("ArrowRight", "ArrowRight", "End")
        self.wait("return document.getElementById('log').textContent.includes('changed the parameters')", "the change")
        self.assertNotEqual(self.text("#p-value"), before)
        self.assertEqual(self.text("#p-value"), "0.2")
        self.browser.click("#pause")
        self.wait("return document.getElementById('pause').getAttribute('aria-pressed') === 'true'", "the pause")
        self.wait("const [a, b] = [...document.querySelectorAll('#meters li')].map(one => Number(one.dataset.gain));"
                  "return a === b", "equal gains")
        # Who comes later sees what holds.
        self.browser.post("/refresh", {})
        self.wait("return document.getElementById('p-value').textContent === '0.2'", "p of the session")
        self.assertEqual(self.browser.run("return document.getElementById('pause').getAttribute('aria-pressed')"), "true")
        self.browser.click("#pause")
        self.wait("const [a, b] = [...document.querySelectorAll('#meters li')].map(one => Number(one.dataset.gain));"
                  "return a !== b", "steering again")

    def test_what_was_learnt_is_seen_by_early_and_late_viewers(self):
        session = self.demo(speed=20)
        learnt = "return /([0-9]+) % of it was learnt/.exec(document.getElementById('learnt-words').textContent)?.[1] >= 60"
        likeness = "return Number(/alike by ([0-9]\.[0-9]+)/.exec(document.getElementById('heads-words').textContent)?.[1])"
        self.browser.wait_for(learnt, "most of the decoder is the listener's own")
        self.browser.wait_for("return document.getElementById('learnt-right').textContent.includes('in the first minute')", "two minutes")
        for _ in range(2):  # the second time as a viewer who comes later
            self.browser.wait_for("return !document.getElementById('heads').hidden", "the patterns")
            dots = self.browser.run("return ['head-then', 'head-now'].map(id => [...document.querySelectorAll(`#${id} .electrode`)]"
                                    ".map(dot => getComputedStyle(dot).fill))")
            self.assertEqual([len(dots[0]), len(dots[1])], [32, 32])
            self.assertNotEqual(dots[0], dots[1], "the decoder is another one by now")
            self.assertTrue(0 < self.browser.run(likeness) < 1)
            self.browser.go(session.url)
        self.shoot("learnt")

    def test_a_restart_of_heed_is_survived(self):
        session = self.demo()
        port = session.port
        unanswered = "return [...document.querySelectorAll('#attend, #listeners, .sliders, #pause')].map(one => one.closest('[inert]') !== null)"
        self.browser.run("window.mark = 'the same page'")
        session.end()
        self.wait("return document.getElementById('connection').className === 'lost'", "the loss to be noticed")
        self.assertTrue(all(self.browser.run(unanswered)), "nobody would answer")
        self.shoot("disconnected")
        self.complaints_expected = True  # Chromium tells the console of every connection that was refused
        Session(self, "--demo", "--no-browser", "--speed", "8", port=port)
        self.wait("return document.getElementById('connection').textContent === 'Connected'", "the connection")
        self.wait("const t = Number(document.getElementById('meters').dataset.t); return t > 1 && t < 60", "new windows")
        self.assertEqual(self.browser.run("return window.mark"), "the same page")
        self.assertFalse(any(self.browser.run(unanswered)))

    def test_three_talkers_a_hard_listener_and_lost_eeg_are_one_click_away(self):
        self.demo()
        self.browser.run("window.said = []; const box = document.getElementById('connection');"
                         "new MutationObserver(() => window.said.push(box.textContent)).observe(box, { childList: true });")
        self.browser.click("#talkers button:nth-child(2)")
        self.wait("return document.querySelectorAll('#meters li').length === 3", "three talkers")
        said = self.browser.run("return window.said")
        self.assertTrue(said[0].startswith("heed is getting ready"), said)
        self.assertEqual(said[-1], "Connected")
        self.wait("return document.getElementById('meters').dataset.t >= 20", "windows")
        self.shoot("three")
        self.browser.click("#demo button[data-wish*=lose]")
        self.wait("return document.getElementById('who').textContent === 'No EEG'", "the loss")
        self.wait("const gains = [...document.querySelectorAll('#meters li')].map(one => Number(one.dataset.gain));"
                  "return Math.max(...gains) - Math.min(...gains) < 1e-9", "equal gains")
        self.assertRegex(self.text("#log"), r"\d\.\d s without EEG: gains go back to equal")
        self.shoot("lost")
        self.wait("return document.getElementById('log').textContent.includes('EEG is back')", "the EEG")
        self.browser.run("window.widths = []; const bar = document.querySelector('.certainty div');"
                         "new MutationObserver(() => window.widths.push(bar.style.width)).observe(bar, { attributes: true });")
        self.browser.click("#listeners button:nth-child(2)")
        self.wait("return document.querySelector('#listeners button:nth-child(2)').getAttribute('aria-current') === 'true'",
                  "the other listener")
        self.assertIn("0%", self.browser.run("return window.widths"), "nothing is known of a new listener")
        self.wait("return document.getElementById('who').textContent === 'Undecided'", "a doubt")
        self.shoot("undecided")

    def test_a_decision_is_on_the_screen_within_a_tenth_of_a_second(self):
        """From the line that completes a window, written to heed, to the frame that shows its gains."""
        session = self.fed(["a", "b"], [0.5, 0.0], 1)
        self.browser.run(
            "window.shown = {}; new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => {"
            " const t = document.getElementById('meters').dataset.t; window.shown[t] = window.shown[t] ?? Date.now(); })))"
            ".observe(document.getElementById('meters'), { attributes: true });")
        sent = {}
        for t in range(2, 32):
            sent[str(t)] = 1000 * time.time()
            session.send({"t": t, "scores": [0.5, 0.0]})
            time.sleep(0.2)
        shown = self.wait("return window.shown['31'] && window.shown", "the last window")
        delays = sorted(shown[t] - sent[t] for t in sent if t in shown)
        self.assertGreaterEqual(len(delays), 20)
        print(f"from a line to the screen: median {delays[len(delays) // 2]:.0f} ms, longest {delays[-1]:.0f} ms of {len(delays)}")
        self.assertLessEqual(delays[len(delays) // 2], 100, delays)

    def test_it_can_be_heard_and_never_louder_than_the_mix(self):
        self.demo(speed=1)
        self.assertEqual(self.text("#listening"), "", "nothing sounds before a click")
        # Listens at every talker, and at what goes to the loudspeakers, as the browser computes it; and remembers what came in.
        self.browser.run("""
            window.ears = [];
            window.came = [0, 0];
            const connect = AudioNode.prototype.connect;
            AudioNode.prototype.connect = function (to) {
              const ear = new AnalyserNode(this.context, { fftSize: 32768 });
              const where = to === this.context.destination ? 'out' : to instanceof StereoPannerNode ? 'talker' : null;
              if (where) { connect.call(this, ear); window.ears.push({ where, ear }); }
              return connect.apply(this, arguments);
            };
            const start = AudioBufferSourceNode.prototype.start;
            let next = 0;
            AudioBufferSourceNode.prototype.start = function () {
              const peak = this.buffer.getChannelData(0).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
              window.came[next] = Math.max(window.came[next], peak);
              next = 1 - next;
              return start.apply(this, arguments);
            };
            window.hear = () => window.ears.map(({ where, ear }) => {
              const samples = new Float32Array(ear.fftSize);
              ear.getFloatTimeDomainData(samples);
              return { where, peak: samples.reduce((most, x) => Math.max(most, Math.abs(x)), 0),
                       rms: Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length) };
            });""")
        self.browser.click("#listen")
        self.wait("return document.getElementById('listening').textContent.startsWith('You hear')", "sound")
        self.wait("return window.hear().every(one => one.rms > 1e-3)", "every talker to sound")
        # An ear hears the last two seconds, and attention wanders meanwhile.
        self.browser.run("""
            window.since = null;
            setInterval(() => {
              const gains = [...document.querySelectorAll('#meters li')].map(one => Number(one.dataset.gain));
              const front = Math.abs(gains[0] - gains[1]) > 11 ? gains.indexOf(Math.max(...gains)) : null;
              if (front === null) window.since = null;
              else if (window.since?.front !== front) window.since = { front, time: performance.now() };
            }, 50);""")
        front, heard = self.wait("return window.since && performance.now() - window.since.time > 3500"
                                 " && [window.since.front, window.hear()]", "a talker to be in front, and heard there")
        talkers = [one["rms"] for one in heard if one["where"] == "talker"]
        out, = (one for one in heard if one["where"] == "out")
        self.assertEqual(len(talkers), 2)
        self.assertGreater(talkers[front], 1.5 * talkers[1 - front], "the attended voice is in front")
        self.assertLessEqual(out["peak"], sum(self.browser.run("return window.came")), "no louder than the mix")
        factors = self.browser.run("return [...document.querySelectorAll('#meters li')].map(one => Number(one.dataset.factor))")
        self.assertTrue(all(0 < factor <= 1 for factor in factors), factors)
        self.assertEqual(self.browser.run("return Sound.factor(12)"), 1)
        self.assertAlmostEqual(self.browser.run("return Sound.factor(-6)"), 10 ** (-6 / 20))
        self.browser.click("#listen")
        self.assertEqual(self.text("#listening"), "")

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
        name = "<img src=x onerror='window.harm=1'><script>window.harm=2</script>"
        self.fed([name, "b"], [0.5, 0.0], 5)
        self.assertEqual(self.text("#meters .name"), name)
        self.assertEqual(self.browser.run("return document.querySelectorAll('main img, main script').length"), 0)
        self.assertIsNone(self.browser.run("return window.harm ?? null"))

    def test_other_machines_need_the_token(self):
        session = self.demo("--listen", "0.0.0.0")
        address, token = session.url.split("?token=")
        self.assertRegex(token, "^[0-9a-f]{32}$")
        self.assertEqual(self.browser.run("return [location.search, document.cookie]"), ["", ""], "nobody reads it off the screen, or by a script")
        cookie, = self.browser.devtools("Network.getCookies")["cookies"]
        self.assertEqual((cookie["httpOnly"], cookie["sameSite"]), (True, "Strict"))
        # The cookie lets the page in, and its viewer steer.
        self.browser.go(address)
        self.wait("return document.getElementById('meters').dataset.t >= 2", "the page without its token")
        self.browser.click("#pause")
        self.wait("return document.getElementById('pause').getAttribute('aria-pressed') === 'true'", "the pause")
        # Somebody else has none.
        self.complaints_expected = True
        self.browser.devtools("Network.clearBrowserCookies")
        for stranger in (address, address + "?token=" + "0" * 32):
            self.browser.go(stranger)
            self.assertIsNone(self.browser.run("return document.getElementById('meters')"), stranger)
            self.assertIn("token", self.browser.run("return document.body.textContent"))

    def test_long_names_of_talkers_have_room(self):
        self.fed(["the storyteller at the listener's left-hand side", "Loudspeaker" * 12, "c"], [0.5, 0.0, 0.1], 5)
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
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    missing = missing_program()
    if missing:
        print(f"skipped: {missing} is not installed, so the page cannot be opened; ./dev test --all installs it")
        sys.exit(SKIPPED)
    HEED = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
