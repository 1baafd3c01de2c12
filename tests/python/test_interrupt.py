# SPDX-License-Identifier: MIT
"""Ctrl-C ends long calls. Every call here would take minutes, so that a test which is not heard fails by the clock."""
import signal
import subprocess
import sys

import numpy as np
import pytest

import heed

SECONDS = 60  # of patience

# name: a call that takes minutes
LONG = {
    "a batch": "heed.fixed_lag(np.broadcast_to(np.zeros(2), (10_000, 600, 2)), 0.01, lag=3000)",
    "a batch of scores": "heed.fixed_lag(np.broadcast_to(np.full(2, 0.1), (10_000, 600, 2)), 0.01, lag=3000, "
                         "emission=heed.GaussianEmission(0.124, 0.037, 0.303))",
    "one sequence": "heed.fixed_lag(np.zeros((1_000_000, 2)), 0.01, lag=300_000)",
    "many states": "heed.fixed_lag(np.zeros((20_000, 60)), lag=5000, transition=np.full((60, 60), 1 / 60))",
    "a fit without labels": "heed.AttentionHMM(0.01, emission='gaussian').fit(np.random.randn(3_000_000, 2))",
    "a comparison": "heed.compare(heed.simulate_scores(participants=40, trials=8, minutes=60), "
                    "sweep=np.geomspace(1e-4, 0.1, 200))",
    "a simulation": "heed.simulate_recording(participants=100, minutes=10)",
    "many short sequences": "[heed.smooth(np.zeros((600, 2)), 0.01) for _ in range(10**9)]",
}

# Other packages are imported first, scikit-learn by the estimator: what they do when that is interrupted is not heed's.
SCRIPT = """
import os, signal, threading, numpy as np, pandas, heed
heed.AttentionHMM(0.01)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    {call}
    print("finished")
except KeyboardInterrupt:
    print("interrupted")
values = np.log([[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
print(heed.filter(values, 0.01).round(2).tolist())
"""


def run(script):
    done = subprocess.run([sys.executable, "-B", "-c", script], capture_output=True, text=True, timeout=SECONDS)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize("what", LONG)
def test_ctrl_c(what):
    """The call ends with KeyboardInterrupt, and the next one is as if nothing had been."""
    assert run(SCRIPT.format(call=LONG[what])) == ["interrupted", "[[0.6, 0.4], [0.78, 0.22], [0.46, 0.54]]"]


class Heard(Exception):
    pass


@pytest.fixture
def alarm():
    """Rings every 20 ms from the first tenth of a second on; the test gives it something to do."""
    before = signal.getsignal(signal.SIGALRM)

    def ring(handler):
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.1, 0.02)

    yield ring
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_what_a_handler_raises_arrives_as_it_is(alarm):
    def handler(*_):
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise Heard("after the alarm")

    alarm(handler)
    with pytest.raises(Heard, match="after the alarm"):
        heed.fixed_lag(np.zeros((1_000_000, 2)), 0.01, lag=300_000)


def test_a_handler_that_returns_changes_nothing(alarm):
    values = np.random.default_rng(0).normal(size=(300, 600, 2))
    expected = heed.fixed_lag(values, 0.01, lag=300)
    heard = []
    alarm(lambda *_: heard.append(True))
    while not heard:
        np.testing.assert_array_equal(heed.fixed_lag(values, 0.01, lag=300), expected)
