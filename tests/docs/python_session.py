# SPDX-License-Identifier: MIT
"""A Python that runs the blocks of a page one after the other, as a notebook would: names live on from block to block.

Started with this file as its script, it is the session itself: a block a line of standard input, as JSON; after each,
a line of JSON with what it printed and, where it failed, the traceback.
"""
import contextlib
import io
import json
import subprocess
import sys
import threading
import traceback


class PythonSession:
    def __init__(self, interpreter, folder, environment):
        self._process = subprocess.Popen([interpreter, "-B", __file__], cwd=folder, env=environment, text=True,
                                         encoding="utf-8", stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, source, name, longest):
        """(what it printed, None or how it failed); a block that takes longer than so many seconds is ended."""
        watch = threading.Timer(longest, self._process.kill)
        watch.start()
        try:
            self._process.stdin.write(json.dumps({"source": source, "name": name}) + "\n")
            self._process.stdin.flush()
            answer = json.loads(self._process.stdout.readline() or json.dumps({"said": "", "failed": "Python ended"}))
        finally:
            watch.cancel()
        return answer["said"], answer["failed"]

    def close(self):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def _serve():
    """Blocks print to the answer, whatever they do to standard output."""
    answers = sys.stdout
    names = {"__name__": "__main__"}
    for line in sys.stdin:
        block = json.loads(line)
        said, failed = io.StringIO(), None
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            try:
                exec(compile(block["source"], block["name"], "exec"), names)
            except BaseException:  # SystemExit too: a page does not end its reader's session
                failed = traceback.format_exc()
        print(json.dumps({"said": said.getvalue(), "failed": failed}), file=answers, flush=True)


if __name__ == "__main__":
    _serve()
