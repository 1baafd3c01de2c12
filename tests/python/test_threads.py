# SPDX-License-Identifier: MIT
"""Threads call at once: the GIL is released in long calls, and nobody sees anybody else's numbers."""
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import heed

EMISSION = heed.GaussianEmission(0.124, 0.037, 0.303)
TRACKERS = [heed.filter, heed.smooth, heed.viterbi, heed.fixed_lag]
NAMES = [tracker.__name__ for tracker in TRACKERS]


def scores(count, speakers=2, seed=0):
    return np.tanh(np.random.default_rng(seed).normal(scale=0.3, size=(count, speakers)))


def test_many_threads_get_what_one_would():
    """Shared scores, shared emissions and models, every tracker at once."""
    shared = scores(4000)
    model = heed.Model(EMISSION, temperature=1.5)
    jobs = [(tracker, emission, count) for tracker in TRACKERS for emission in (None, EMISSION, model)
            for count in (600, 1300, 4000)] * 4
    call = lambda job: job[0](shared[:job[2]], 0.01, emission=job[1])
    alone = [call(job) for job in jobs]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(call, jobs))
    for one, other in zip(alone, together):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("tracker", TRACKERS, ids=NAMES)
@pytest.mark.parametrize("chain", [{"switch_probability": 0.01}, {"transition": np.full((8, 8), 0.02) + 0.84 * np.eye(8)}],
                         ids=["sticky", "dense"])
def test_any_number_of_threads_gives_the_same_bits(tracker, chain):
    lengths = np.random.default_rng(4).integers(300, 900, 80)
    values = scores(lengths.sum(), speakers=8)
    wanted = "return_log_probability" if tracker is heed.viterbi else "return_log_evidence"
    call = lambda **threads: tracker(values, emission=EMISSION, lengths=lengths, **chain, **threads, **{wanted: True})
    rows, evidence = call()
    for threads in (1, 2, 3, 100, 0):
        other_rows, other_evidence = call(threads=threads)
        np.testing.assert_array_equal(other_rows, rows)
        np.testing.assert_array_equal(other_evidence, evidence)


def test_a_call_with_threads_names_the_window_that_is_wrong():
    block = scores(400_000).reshape(1000, 400, 2)
    block[700, 17, 1] = 3
    with pytest.raises(heed.BadDataError, match="window 280018"):
        heed.smooth(block, 0.01, emission=EMISSION, threads=4)


@pytest.mark.parametrize("threads", [-1, 1.5, float("nan")])
def test_threads_are_counted_in_whole_numbers(threads):
    with pytest.raises(heed.InvalidArgumentError, match="threads: give a whole number"):
        heed.filter(scores(10), 0.01, threads=threads)


def test_many_threads_evaluate_fit_and_compare():
    pytest.importorskip("sklearn")
    cohort = heed.simulate_scores(participants=4, trials=2, minutes=2, switch_every=60, seed=3)
    shared = cohort[0].trials[0]
    posteriors = heed.smooth(shared.scores, 0.01, emission=EMISSION)
    calls = [
        lambda: heed.evaluate(posteriors, shared.attended),
        lambda: heed.AttentionHMM(0.01, method="causal").fit(shared.scores, shared.attended).predict_proba(shared.scores).tolist(),
        lambda: heed.AttentionHMM(0.01).fit(shared.scores).model_.to_json(),
        lambda: dict(heed.compare(cohort, methods=["causal", "smooth"])),
        lambda: heed.simulate_scores(participants=1, trials=1, minutes=2, seed=5)[0],
    ] * 4
    alone = [call() for call in calls[:5]] * 4
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda call: call(), calls))
    assert together == alone


def test_many_threads_decode():
    pytest.importorskip("sklearn")
    random = np.random.default_rng(0)
    speech = random.normal(size=(3840, 2))
    eeg = np.roll(speech[:, :1], 6, axis=0) + random.normal(size=(3840, 4))
    listener = heed.Listener("01", [heed.Trial(eeg[k::3], speech[k::3], 0, name=str(k)) for k in range(3)])
    ls = heed.LSDecoder().fit(eeg, speech[:, 0])
    calls = [
        lambda: heed.LSDecoder().fit(eeg, speech[:, 0]).predict(eeg).tolist(),
        lambda: heed.CCADecoder(pairs=2).fit(eeg, speech[:, 0], others=speech[:, 1]).decoder_.to_json(),
        lambda: ls.window_scores(eeg, speech).tolist(),
        lambda: heed.cross_validate(listener, "ls"),
        lambda: heed.preprocess(eeg, 128.0).tolist(),
        lambda: heed.envelope(speech[:, 0], 8000.0).tolist(),
    ] * 3
    alone = [call() for call in calls[:6]] * 3
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda call: call(), calls)) == alone


def test_errors_arrive_in_the_thread_that_made_them():
    bad = scores(50_000)
    bad[40_000] = 2

    def call(k):
        try:
            heed.smooth(bad if k % 2 else bad[:100], 0.01, emission=EMISSION)
        except heed.BadDataError as error:
            return str(error).split(":")[0]
        return "fine"

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(call, range(40))) == ["fine", "window 40001"] * 20


@pytest.mark.parametrize("tracker", TRACKERS, ids=NAMES)
def test_others_run_while_the_engine_does(tracker):
    """Threads are not made to take turns, so another one gets on only if the call lets go by itself."""
    block = np.broadcast_to(np.linspace(0, 0.1, 8), (300, 600, 8))
    count, end = 0, threading.Event()

    def work():
        nonlocal count
        while not end.is_set():
            count += 1
            time.sleep(0)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    other = threading.Thread(target=work)
    try:
        other.start()
        before = count
        tracker(block, 0.01, emission=EMISSION)
        after = count
    finally:
        end.set()
        sys.setswitchinterval(interval)
        other.join()
    assert after > before


@pytest.mark.parametrize("tracker", NAMES)
def test_the_interpreter_may_end_while_a_thread_is_at_work(tracker):
    """Python ends daemon threads where they ask for the GIL; in C++ that must not end the process with them."""
    script = f"""
import threading, numpy as np, heed
values = np.zeros((2000, 600, 2))
busy = threading.Barrier(4)
def work():
    busy.wait()
    while True:
        heed.{tracker}(values, 0.01)
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
busy.wait()
heed.{tracker}(values[:20], 0.01)
print("the end")
"""
    done = subprocess.run([sys.executable, "-B", "-c", script], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "the end\n", "")
