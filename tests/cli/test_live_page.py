# SPDX-License-Identifier: MIT
"""heed live --demo and --page, without a browser: what visitors do is asked for as their browser would ask."""
import array
import json
import signal
import subprocess
import unittest
import urllib.error
import urllib.request
import wave

from heed_program import PATIENCE, PROGRAM, HeedTest


class Page:
    """A session whose page is followed."""

    def __init__(self, test, *arguments):
        self.process = subprocess.Popen([PROGRAM, "live", *map(str, arguments)], cwd=test.folder, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        test.addCleanup(self.end)
        said = self.process.stderr.readline()
        test.assertIn("The page is at http://127.0.0.1:", said)
        self.url = said.split()[-1].rstrip("/")

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        out, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, said

    def events(self):
        """(kind, data) as they come."""
        with urllib.request.urlopen(self.url + "/events", timeout=PATIENCE) as stream:
            kind = None
            for line in stream:
                line = line.decode().rstrip("\n")
                if line.startswith("event: "):
                    kind = line[7:]
                elif line.startswith("data: "):
                    yield kind, json.loads(line[6:])

    def post(self, path, body):
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(),
                                         {"Content-Type": "application/json", "Origin": self.url})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)


class LivePageTest(HeedTest):
    def test_a_visitor_moves_attention_and_heed_finds_out(self):
        page = Page(self, "--demo", "--no-browser", "--page", 0, "--speed", 20)
        found = {}
        asked = False
        for kind, data in page.events():
            if kind == "log" and data["kind"] == "found":
                found[data["text"].split()[-1]] = data["delay"]
                if "right." in found:
                    break
                page.post("/demo", {"attend": 1})
                asked = True
        self.assertTrue(asked)
        self.assertIn("left.", found)
        self.assertGreater(found["right."], 0.4, "no window can know before its lags have come")
        code, _, _ = page.end()
        self.assertEqual(code, 0)

    def test_three_talkers_begin_anew_on_the_same_page(self):
        page = Page(self, "--demo", "--no-browser", "--page", 0, "--speed", 20)
        talkers = []
        for kind, data in page.events():
            if kind == "session" and data["running"] and len(data["speakers"]) not in talkers:
                talkers.append(len(data["speakers"]))
                if len(talkers) == 1:
                    self.assertEqual(data["demo"], {"listener": "clear", "talkers": 2, "listener_fixed": False, "talkers_fixed": False})
                    page.post("/demo", {"talkers": 3, "listener": "hard"})
            if kind == "window" and len(data["posterior"]) == 3:
                break
        self.assertEqual(talkers, [2, 3])

    def test_it_ends_by_itself_and_what_it_said_is_kept(self):
        self.heed("live", "--demo", "--seconds", 12, "--no-browser", "--speed", "max", "--out", "ndjson:demo.ndjson")
        lines = [json.loads(line) for line in (self.folder / "demo.ndjson").read_text().splitlines()]
        self.assertEqual([line["t"] for line in lines], [float(t) for t in range(1, 13)])

    def write_sound(self, name, seconds, rate=8000, loud=12000):
        """A buzz that is loud and soft in turn, by a rhythm of its own for each name."""
        turn = rate // (3 + len(name))
        heights = (loud // 24, loud)
        with wave.open(str(self.folder / name), "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(rate)
            sound.writeframes(array.array("h", (heights[n // turn % 2] * (1 if n % 40 < 20 else -1) for n in range(seconds * rate))))

    def test_talkers_may_be_sound_files(self):
        self.write_sound("a.wav", 12)
        self.write_sound("bb.wav", 15)
        said = self.heed_json("live", "--demo", "--talkers", "a.wav", "bb.wav", "--seconds", 20, "--no-browser", "--speed", "max")
        self.assertEqual(said["windows"], 20)
        self.assertEqual([feed["rate"] for feed in said["stream"]["sounds"]], [8000, 8000])

    def test_with_sound_files_the_listener_can_be_changed(self):
        self.write_sound("a.wav", 12)
        self.write_sound("bb.wav", 15, rate=16000)
        page = Page(self, "--demo", "--talkers", "a.wav", "bb.wav", "--no-browser", "--speed", 20, "--page", 0)
        listeners = []
        for kind, data in page.events():
            if kind != "session" or not data["running"]:
                continue
            listeners.append(data["demo"]["listener"])
            self.assertEqual((data["demo"]["talkers_fixed"], data["sound"]), (True, 16000), "both at the better rate")
            if len(listeners) == 2:
                break
            with self.assertRaises(urllib.error.HTTPError) as refused:
                page.post("/demo", {"talkers": 3})
            self.assertEqual(refused.exception.code, 422)
            page.post("/demo", {"listener": "hard"})
        self.assertEqual(listeners, ["clear", "hard"])
        self.assertEqual(page.end()[0], 0)

    def test_what_does_not_go_together_is_refused(self):
        for arguments, words in (((), "needs a source"),
                                 (("simulated:", "--demo"), "brings its own source"),
                                 (("simulated:", "--no-browser"), "need --demo"),
                                 (("simulated:", "--listen", "0.0.0.0"), "--listen needs --page"),
                                 (("--page", "simulated:"), "put --page after the source"),
                                 (("simulated:", "--page", "99999"), "not a port"),
                                 (("--demo", "--listen", "localhost"), "not the number of a network address"),
                                 (("--demo", "--talkers", "a.wav"), "--talkers"),
                                 (("--demo", "--seconds", "0"), "--seconds"),
                                 (("--demo", "--save-decoder", "me.json"), "leave --save-decoder out"),
                                 (("--demo", "--population", "pop.json"), "leave --population out"),
                                 (("--demo", "--model", "decoder.json"), "leave --model out"),
                                 (("--demo", "--calibrate", "100"), "leave --calibrate out"),
                                 (("--demo", "--audio", "left=x.wav"), "leave --audio out"),
                                 (("-", "--scores", "--population", "pop.json"), "leave --population out"),
                                 (("replay:study", "--model", "x.json", "--population", "y.json"), "leave --population out"),
                                 (("simulated:", "--run", "01"), "leave --run out"),
                                 (("simulated:", "--marker", "go"), "leave --marker out"),
                                 (("simulated:", "--calibrate", "1e9"), "--calibrate")):
            result = self.run_heed("live", *arguments)
            self.assertEqual(result.returncode, 2, (arguments, result.stderr))
            self.assertIn(words, result.stderr.decode(), arguments)

    def test_mistakes_of_a_demonstration_are_told_before_its_page_is_opened(self):
        self.write_sound("good.wav", 12)
        self.write_sound("short.wav", 2)
        self.write_sound("silent.wav", 12, loud=0)
        self.write("text.wav", "no sound at all")
        for arguments, code, words in ((("--talkers", "good.wav", "absent.wav"), 66, "absent.wav"),
                                       (("--talkers", "good.wav", "short.wav"), 65, "short.wav: too short to listen to; give at least 10 s"),
                                       (("--talkers", "silent.wav", "good.wav"), 65, "silent.wav: nothing can be heard"),
                                       (("--talkers", "good.wav", "text.wav"), 65, "text.wav"),
                                       (("--talkers", "good.wav", "good.wav", self.folder), 74, "is a directory"),
                                       (("--speed", "0"), 2, "--speed 0"),
                                       (("--window", "0.3"), 2, "0.25"),
                                       (("--out", "loud:speaker"), 2, "loud"),
                                       (("--out", "tsv:nowhere/x.tsv"), 73, "nowhere/x.tsv"),
                                       (("--tracking", "nowhere.json"), 66, "nowhere.json"),
                                       (("--record", "/proc/x.xdf"), 73, "x.xdf")):
            with self.subTest(arguments=arguments):
                result = self.run_heed("live", "--demo", "--no-browser", "--seconds", 5, *arguments)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(words, result.stderr.decode())
                self.assertNotIn("The page is at", result.stderr.decode())

    def test_a_page_of_any_session(self):
        page = Page(self, "simulated:?duration=20&channels=19&rate=64", "--page", 0, "--speed", 10)
        for kind, data in page.events():
            if kind == "window":
                with self.assertRaises(urllib.error.HTTPError) as refused:
                    page.post("/demo", {"attend": 1})
                self.assertEqual(refused.exception.code, 404)
                self.assertEqual(page.post("/parameters", {"paused": True})["paused"], True)
                break
        self.assertEqual(page.end()[0], 0)


if __name__ == "__main__":
    unittest.main()
