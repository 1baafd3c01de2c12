# SPDX-License-Identifier: MIT
"""Records what the page of `heed live --demo` is told, and makes a page of it that plays it again without heed: for the
start page of the site."""
import json
import pathlib
import re
import shutil
import signal
import subprocess
import urllib.error
import urllib.request

SECONDS = 180  # of listening
RECORDED_AT = 30  # times real time
PLAYED_AT = 4
KINDS = {"session", "health", "window", "learnt", "log", "relaxed"}
HERE = pathlib.Path(__file__).resolve().parent / "demo"


def events_of(lines):
    """(kind, data) of server-sent events."""
    kind = None
    for line in lines:
        word, _, rest = line.decode("utf-8").rstrip("\n").partition(": ")
        if word == "event":
            kind = rest
        elif word == "data" and kind:
            yield kind, json.loads(rest)
            kind = None


def until_the_end(stream):
    """Events of the session that runs, each at the time of listening at which it was told."""
    found, now = [], 0.0
    for kind, data in events_of(stream):
        if kind == "ended":
            break
        if kind == "window":
            now = data["now"]
        if kind in KINDS and (kind != "session" or data["running"]):
            found.append({"t": now, "kind": kind, "data": data})
    return found


def page_at(address):
    """The page, and its files by name. A heed that was built without uPlot has none to give, and is not asked again."""
    with urllib.request.urlopen(address, timeout=60) as answer:
        page, files = answer.read().decode("utf-8"), {}
    for name in re.findall(r'(?:src|href)="([\w.]+)"', page):
        try:
            with urllib.request.urlopen(address + name, timeout=60) as answer:
                files[name] = answer.read()
        except urllib.error.HTTPError:
            page = re.sub(f'^<.*"{re.escape(name)}".*\n', "", page, flags=re.M)
    return page, files


def recorded(program):
    """The events, the page, and its files by name."""
    command = [program, "live", "--demo", "--no-browser", "--seconds", str(SECONDS), "--speed", str(RECORDED_AT)]
    session = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        address = re.search(r"http://\S+", session.stdout.readline())[0]
        page, files = page_at(address)
        with urllib.request.urlopen(address + "events", timeout=60) as stream:
            return until_the_end(stream), page, files
    finally:
        session.send_signal(signal.SIGTERM)
        session.communicate(timeout=60)


def make(program, folder):
    events, page, files = recorded(program)
    windows = [event["t"] for event in events if event["kind"] == "window"]
    if len(windows) < SECONDS / 2:
        raise RuntimeError(f"the demonstration told of {len(windows)} windows, not {SECONDS}")
    page = page.replace('<script src="live.js"', '<script src="recording.js" defer></script>\n<script src="recorded.js" defer></script>\n<script src="live.js"')
    page = page.replace("</head>", '<link rel="stylesheet" href="recorded.css">\n</head>')
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    for name in ("recorded.js", "recorded.css"):
        shutil.copyfile(HERE / name, folder / name)
    (folder / "index.html").write_text(page, encoding="utf-8")
    told = json.dumps({"speed": PLAYED_AT, "until": windows[-1], "events": events}, separators=(",", ":"))
    (folder / "recording.js").write_text(f"const recording = {told};\n", encoding="utf-8")
