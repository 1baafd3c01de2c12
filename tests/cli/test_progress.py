# SPDX-License-Identifier: MIT
"""The progress bar of a long comparison: a bar on a terminal, lines in a log."""
import os
import pty
import signal
import subprocess
import time
import unittest

from heed_program import PROGRAM, HeedTest

ERASED = "\r\033[K"  # the line the bar was on, empty again


def hold(process, seconds):
    """Soon after it began, so that time passes for it without work that others would wait for."""
    time.sleep(0.3)
    process.send_signal(signal.SIGSTOP)
    time.sleep(seconds)
    process.send_signal(signal.SIGCONT)


class Progress(HeedTest):
    def setUp(self):
        super().setUp()
        self.heed("simulate", "scores", "--participants", "2", "--minutes", "10", "--trials", "1", "-o", "c")

    def arguments(self, repeats):
        return ["compare", "c", "--switch-every", "60-125", "--methods", "causal,smooth", "--repeats", str(repeats)]

    def repeats_that_last(self, seconds):
        """A machine's speed differs, so it is measured: a hundred repeats, then as many as it takes."""
        started = time.monotonic()
        self.heed(*self.arguments(100))
        return int(100 * seconds / (time.monotonic() - started)) + 1

    def on_a_terminal(self, repeats, held=0):
        """(all that was shown, seconds it took)"""
        started = time.monotonic()
        reader, writer = pty.openpty()
        with subprocess.Popen([PROGRAM, *self.arguments(repeats)], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=writer, stderr=writer) as process:
            os.close(writer)
            if held:
                hold(process, held)
            shown = b""
            try:
                while piece := os.read(reader, 4096):
                    shown += piece
            except OSError:  # the terminal is gone when the program is
                pass
            os.close(reader)
            self.assertEqual(process.wait(timeout=60), 0)
        return shown.decode().replace("\r\n", "\n"), time.monotonic() - started

    def test_long_work(self):
        repeats = self.repeats_that_last(1)
        shown, _ = self.on_a_terminal(repeats, held=2)
        while "comparing [" not in shown and repeats < 1_000_000:  # it was measured under a load that has gone
            repeats *= 2
            shown, _ = self.on_a_terminal(repeats, held=2)
        self.assertRegex(shown, r"\r\x1b\[Kcomparing \[#*\.*\] +\d+ %  \d+ s left")
        # Gone before the table, which begins a line of its own and is the same as without a bar.
        before, table = shown.rsplit(ERASED, 1)
        self.assertIn("comparing [", before)
        silent = self.run_heed(*self.arguments(repeats))
        self.assertEqual((silent.stdout + silent.stderr).decode(), table)  # notes come after the table
        self.assertNotIn(b"comparing", silent.stderr)

    def test_a_log_has_a_line_every_ten_seconds(self):
        repeats = 40 * self.repeats_that_last(1)  # it is interrupted at the first line, however fast the machine has become
        with subprocess.Popen([PROGRAM, *self.arguments(repeats)], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            hold(process, 9.5)
            line = process.stderr.readline()
            process.send_signal(signal.SIGINT)
            started = time.monotonic()
            process.stderr.read()
            process.wait(timeout=60)
            self.assertLess(time.monotonic() - started, 1)  # Ctrl-C ends at once
        self.assertRegex(line, r"^comparing: \d+ %, (\d+ min )?\d+ s left$")

    def test_short_work_needs_no_bar(self):
        shown, seconds = self.on_a_terminal(1)
        if seconds < 2:
            self.assertNotIn("comparing", shown)
            self.assertNotIn("\033", shown)
        self.assertIn("causal", shown)


if __name__ == "__main__":
    unittest.main()
