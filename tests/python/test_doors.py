# SPDX-License-Identifier: MIT
"""One folder through every door - `heed score`, `heed bids`, nodes of a cluster that start at once, Python - gives the same
bytes, by heed's recipe and by the paper's, with enough listeners for a population and without."""
import json
import os
import shutil
import subprocess
import warnings

import pytest

import heed
from listening import CHANNELS
from program import PROGRAM, files_below, needs_program, run

pytestmark = needs_program
ENDING = "_scores.tsv"


@pytest.fixture(scope="module")
def studies(tmp_path_factory):
    """Six listeners, and the first three of them."""
    folder = tmp_path_factory.mktemp("doors")
    heed.simulate_recording(folder=folder / "six", participants=6, trials=3, minutes=0.5, channels=CHANNELS, switch_every=10, seed=5)
    shutil.copytree(folder / "six", folder / "three")
    for number in (4, 5, 6):
        shutil.rmtree(folder / "three" / f"sub-{number:02}")
    table = folder / "three" / "participants.tsv"
    table.write_text("".join(table.read_text().splitlines(keepends=True)[:4]))
    return folder


def scores_below(folder):
    """{run and decoder: bytes}"""
    return {name.split("/")[-1]: content for name, content in files_below(folder).items() if name.endswith(ENDING)}


def scores_of_python(study, recipe, folder):
    """A file for each run, as the program writes them."""
    listeners = heed.read_bids(study, recipe=recipe, cache=folder / "cache")
    kind = "ls" if recipe == "heed" else "cca"
    for one in listeners:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scored = heed.cross_validate(one, others=listeners)
        for trial in scored.trials:
            alone = heed.ScoredTrial(trial.scores, trial.attended, onset=trial.onset, window=trial.window)
            part = heed.Participant(one.id, [alone], speakers=scored.speakers, score_type=scored.score_type, origin=scored.origin)
            heed.write_scores(folder / f"{trial.name}_desc-{kind}{ENDING}", part, digits=17)
    return scores_below(folder)


@pytest.mark.parametrize("recipe", ["heed", "paper"])
@pytest.mark.parametrize("cohort", ["six", "three"])
def test_every_door_gives_the_same_bytes(studies, tmp_path, recipe, cohort):
    study = studies / cohort
    said = [] if recipe == "heed" else ["--recipe", recipe]
    run("score", study, "-o", tmp_path / "score", "--cache", tmp_path / "a", "--digits", 17, *said)
    expected = scores_below(tmp_path / "score")
    assert len(expected) == 3 * (6 if cohort == "six" else 3)
    run("bids", study, tmp_path / "bids", "participant", "-w", tmp_path / "b", "--digits", 17, *said)
    assert scores_below(tmp_path / "bids") == expected
    (tmp_path / "python").mkdir()
    assert scores_of_python(study, recipe, tmp_path / "python") == expected
    for name in expected:  # and sidecars that say the same of how they were made
        sidecars = [next(folder.rglob(name.replace(".tsv", ".json"))) for folder in (tmp_path / "score", tmp_path / "bids", tmp_path / "python")]
        score, bids, python = (json.loads(file.read_text()) for file in sidecars)
        assert score == bids
        assert python == {key: value for key, value in score.items() if key != "Sources"}
        assert score["Recipe"] == recipe
        assert score.get("Population", "").split(" ")[0] == ("" if recipe == "paper" else "prior" if cohort == "six" else "none")


def test_nodes_that_start_at_once_learn_from_one_another(studies, tmp_path):
    """Each decodes one listener, and all of them share a work folder: the sums of every listener are there once, whole."""
    command = [PROGRAM, "bids", studies / "six", tmp_path / "nodes", "participant", "-w", tmp_path / "work", "--digits", "17", "--n_cpus", "1"]
    nodes = [subprocess.Popen([*command, "--participant_label", f"{k:02}"], stderr=subprocess.PIPE, env={**os.environ, "LANG": "C"})
             for k in range(1, 7)]
    for node in nodes:
        assert node.wait() == 0, node.stderr.read().decode()
        node.stderr.close()
    run("bids", studies / "six", tmp_path / "one", "participant", "-w", tmp_path / "own", "--digits", 17)
    nodes, one = files_below(tmp_path / "nodes"), files_below(tmp_path / "one")
    assert nodes.keys() == one.keys()
    for name in one:
        if not name.endswith(".html"):  # pages tell the command, which differs
            assert nodes[name] == one[name], name
    sums = {name for name in files_below(tmp_path / "work") if name.startswith("sums-")}
    assert sums == {name for name in files_below(tmp_path / "own") if name.startswith("sums-")}
    assert len(sums) == 6
    assert b"prior 0.28 of 5 others, of this folder (xxh3-128:" in one["sub-01/eeg/sub-01_task-listening_run-01_desc-ls_scores.json"]


def test_a_population_is_the_file_of_the_program(studies, tmp_path):
    run("population", studies / "six", "-o", tmp_path / "program.json", "--no-cache")
    listeners = heed.read_bids(studies / "six", cache=False)
    population = heed.Population(listeners)
    population.save(tmp_path / "python.json")
    assert (tmp_path / "python.json").read_bytes() == (tmp_path / "program.json").read_bytes()
    assert heed.Population.load(tmp_path / "program.json") == population
    # A list of listeners makes the same, but for the folder's name.
    heed.Population(list(listeners)).save(tmp_path / "list.json")
    folder, listed = (json.loads((tmp_path / name).read_text()) for name in ("python.json", "list.json"))
    assert folder.pop("Origin").removeprefix(listed.pop("Origin")).startswith(" of ")
    assert listed == folder
    # Given, it is used: the same scores as the program's.
    run("score", studies / "six", "-o", tmp_path / "out", "--population", tmp_path / "program.json", "--no-cache", "--digits", 17, "--participant", "02")
    found = heed.cross_validate(listeners["02"], others=population)
    (written,) = heed.read_scores(tmp_path / "out")
    for ours, theirs in zip(found.trials, written.trials):
        assert (ours.scores == theirs.scores).all()


@pytest.mark.parametrize("label_free", [False, True])
def test_decoders_that_lean_on_others_are_the_programs(studies, tmp_path, label_free):
    said = ["--label-free"] if label_free else []
    run("train", studies / "six", "--participant", "03", "-o", tmp_path / "program.json", "--cache", tmp_path / "cache", *said)
    listeners = heed.read_bids(studies / "six", cache=tmp_path / "cache")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # so little EEG is too little without labels
        decoder = heed.LSDecoder().fit(listeners["03"], population=listeners, label_free=label_free)
    decoder.save(tmp_path / "python.json")
    assert (tmp_path / "python.json").read_bytes() == (tmp_path / "program.json").read_bytes()
    if label_free:
        assert [one.shape for one in decoder.attention_] == [(30, 2)] * 3
        assert len(decoder.certainty_) == 3
