# SPDX-License-Identifier: MIT
"""The examples of examples/python, run as their readers would, in an empty folder: they end well, say nothing on
standard error, and what they show is so."""
import os
import pathlib
import re
import subprocess
import sys

import heed
import pytest

EXAMPLES = pathlib.Path(os.environ.get("HEED_SOURCE", pathlib.Path(__file__).parents[2])) / "examples" / "python"


NOT_NOTICED = "many switches are never noticed"


def run(name, *arguments, folder, warnings=()):
    """With a cache of its own, so that a user's stays as it is. Nothing but these warnings is on standard error."""
    environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"))
    said = subprocess.run([sys.executable, "-B", EXAMPLES / name, *map(str, arguments)], cwd=folder, env=environment,
                          capture_output=True, text=True, timeout=280, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    lines = [line for line in said.stderr.splitlines() if not line.startswith(" ")]
    assert all(any(warning in line for warning in warnings) for line in lines), said.stderr
    assert all(any(warning in line for line in lines) for warning in warnings), said.stderr
    return said.stdout


def percent(pattern, text):
    return float(re.search(pattern + r"\D*?([\d.]+) %", text)[1])


def test_every_example_is_told_in_cells_and_tested_here():
    names = sorted(path.name for path in EXAMPLES.glob("*.py"))
    tested = pathlib.Path(__file__).read_text(encoding="utf-8")
    assert len(names) == 6
    for name in names:
        lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
        assert f'"{name}"' in tested, f"{name} is run by no test"
        assert lines[1] == "# %% [markdown]" and sum(line.startswith("# %%") for line in lines) > 3, name


def test_post_processing_beats_single_windows(tmp_path):
    said = run("01_postprocess_scores.py", folder=tmp_path)
    assert percent("each window alone", said) < percent("causal ", said) < 100
    assert percent("each window alone", said) < percent("smooth ", said)


def test_comparing_trackers_draws_and_ranks_them(tmp_path):
    said = run("03_compare_trackers.py", tmp_path / "tradeoff.png", folder=tmp_path, warnings=(NOT_NOTICED,))
    assert (tmp_path / "tradeoff.png").read_bytes().startswith(b"\x89PNG")
    accuracy = {name: float(found) for name, found in re.findall(r"^(\S+) +([\d.]+) ± ", said, re.MULTILINE)}
    assert accuracy["raw"] < min(accuracy[name] for name in ("causal", "fixed-lag", "smooth", "viterbi"))
    assert float(re.search(r"MESD: ([\d.]+) s", said)[1]) > 0


def test_a_stream_equals_the_whole(tmp_path):
    said = run("04_stream.py", folder=tmp_path)
    assert "step by step equals the whole: True" in said
    assert percent("right without waiting", said) > 60


def test_a_decoder_of_ones_own_is_post_processed(tmp_path):
    said = run("05_own_decoder.py", folder=tmp_path)
    assert percent("with the hidden Markov model, smooth", said) > percent("the classifier alone is right in", said)


def test_gains_are_measured_and_drawn(tmp_path):
    said = run("06_gains.py", tmp_path / "gains.svg", folder=tmp_path)
    benefit, wrong = ({name: float(values[k]) for name, *values in re.findall(r"^(\S+) +([-\d.]+) +([\d.]+) +[\d.]+$", said, re.MULTILINE)}
                      for k in (0, 1))
    assert wrong["2dB/nat"] < wrong["dead-zone"] < wrong["decision"]
    assert benefit["2dB/nat"] < benefit["dead-zone"]
    assert "with heed.evaluate: True" in said
    assert "<svg" in (tmp_path / "gains.svg").read_text(encoding="utf-8")


def test_decoding_a_bids_folder(tmp_path):
    """A simulated one, small enough for every day; real recordings are for whoever has them (HEED_TEST_DATA)."""
    heed.simulate_recording(folder=tmp_path / "study", participants=2, trials=3, minutes=3, channels=19, seed=1)
    said = run("02_decode_bids.py", tmp_path / "study", folder=tmp_path,
               warnings=("decoded without a population", NOT_NOTICED))
    assert "01" in said and "02" in said and re.search(r"\d %", said)


def test_decoding_real_recordings(tmp_path):
    data = pathlib.Path(os.environ.get("HEED_TEST_DATA", "")) / "dtu-match"
    if not os.environ.get("HEED_TEST_DATA") or not data.is_dir():
        pytest.skip("HEED_TEST_DATA names no folder with dtu-match: no real recordings here")
    said = run("02_decode_bids.py", data, folder=tmp_path)
    assert re.search(r"\d %", said)
