# SPDX-License-Identifier: MIT
"""Three doors, one engine: the program, Python and C++ give the same bytes for the same input."""
import json
import os
import subprocess

import numpy as np
import pytest

import heed

PROGRAM = os.environ.get("HEED")
TOOL = os.environ.get("HEED_PARITY")
# Python's name: the program's
METHODS = {"filter": "causal", "smooth": "smooth", "viterbi": "viterbi", "fixed_lag": "fixed-lag"}

needs_program = pytest.mark.skipif(not PROGRAM, reason="the program is not built here: configure with HEED_BUILD_PROGRAM")
needs_tool = pytest.mark.skipif(not TOOL, reason="HEED_PARITY does not say where heed_parity is")


def run(*arguments):
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


class Case:
    """Scores of a listener as arrays and as a file, with missing windows and several trials."""

    def __init__(self, folder, speakers, model, switch_probability):
        random = np.random.default_rng(speakers)
        self.speakers = [f"speaker{k}" for k in range(speakers)]
        self.trials = [np.tanh(random.normal(scale=0.3, size=(count, speakers))) for count in (600, 37, 1)]
        self.trials[0][[5, 6, 99]] = np.nan
        self.model = model
        self.switch_probability = switch_probability
        self.scores, self.model_file = folder / "sub-01_scores.tsv", folder / "model.json"
        self.write_scores()
        model.save(self.model_file)

    def write_scores(self):
        lines = ["\t".join(["onset", "trial", *self.speakers])]
        for name, trial in zip("abc", self.trials):
            for t, row in enumerate(trial):
                cells = ["n/a" if np.isnan(score) else repr(float(score)) for score in row]
                lines.append("\t".join([str(t), name, *cells]))
        self.scores.write_text("\n".join(lines) + "\n")
        (self.scores.with_suffix(".json")).write_text(json.dumps({"WindowLength": 1.0, "ScoreType": "correlation"}))

    def by_python(self, method):
        extra = "return_log_probability" if method == "viterbi" else "return_log_evidence"
        return [getattr(heed, method)(trial, self.switch_probability, emission=self.model, **{extra: True})
                for trial in self.trials]


CASES = {
    "two speakers": (2, heed.Model(heed.GaussianEmission(0.124, 0.037, 0.303)), 0.001),
    "two speakers, tempered": (2, heed.Model(heed.GaussianEmission(0.124, 0.037, 0.303, fisher=False), temperature=1.7), 0.03),
    "three speakers": (3, heed.Model(heed.GaussianEmission(0.124, 0.037, 0.303, sigma_unattended=0.29)), 0.01),
    "eight speakers": (8, heed.Model(heed.HardDecisionEmission(0.3)), 0.02),
}


@pytest.fixture(params=CASES)
def case(request, tmp_path):
    return Case(tmp_path, *CASES[request.param])


@needs_tool
@pytest.mark.parametrize("method", METHODS)
def test_python_and_cpp(case, method):
    raw = run(TOOL, method, repr(case.switch_probability), case.model_file, case.scores)
    expected = b"".join(np.asarray(result, dtype=float).tobytes() + np.float64(evidence).tobytes()
                        for result, evidence in case.by_python(method))
    assert len(raw) == len(expected) and raw == expected


def program_rows(case, method, *options):
    table = run(PROGRAM, "track", case.scores, "--method", METHODS[method], "--model", case.model_file,
                "-p", repr(case.switch_probability), "--digits", "17", *options).decode().splitlines()
    header = table[0].split("\t")
    return header, [dict(zip(header, line.split("\t"))) for line in table[1:]]


@needs_program
@pytest.mark.parametrize("method", [method for method in METHODS if method != "viterbi"])
def test_program_and_python(case, method):
    _, rows = program_rows(case, method)
    by_program = np.array([[float(row[speaker]) for speaker in case.speakers] for row in rows])
    by_python = np.concatenate([posteriors for posteriors, _ in case.by_python(method)])
    assert by_program.tobytes() == by_python.tobytes()


@needs_program
def test_program_and_python_choose_the_same_path(case):
    _, rows = program_rows(case, "viterbi")
    decided = [row["decision"] for row in rows]
    path = np.concatenate([path for path, _ in case.by_python("viterbi")])
    assert decided == [case.speakers[k] for k in path]


@needs_program
@pytest.mark.parametrize("method", METHODS)
def test_program_and_python_find_the_same_evidence(case, method, tmp_path):
    summary = json.loads(run(PROGRAM, "track", case.scores, "--method", METHODS[method], "--model", case.model_file,
                             "-p", repr(case.switch_probability), "--json", "-o", tmp_path / "posterior.tsv"))
    total = 0.0
    for _, evidence in case.by_python("filter" if method == "viterbi" else method):  # a path has none of its own
        total += evidence  # in the order of the trials, as the program does
    assert summary["log_evidence"] == total


@needs_program
def test_a_whole_chain(case, tmp_path):
    random = np.random.default_rng(7)
    count = len(case.speakers)
    transition = random.dirichlet(5 * np.ones(count), size=count)
    initial = random.dirichlet(np.ones(count))
    (tmp_path / "chain.tsv").write_text("".join("\t".join(map(repr, map(float, row))) + "\n" for row in transition))
    table = run(PROGRAM, "track", case.scores, "--method", "smooth", "--model", case.model_file, "--digits", "17",
                "--transition", tmp_path / "chain.tsv", "--initial", ",".join(map(repr, map(float, initial)))).decode()
    header, *rows = [line.split("\t") for line in table.splitlines()]
    columns = [header.index(speaker) for speaker in case.speakers]
    by_program = np.array([[float(row[k]) for k in columns] for row in rows])
    by_python = np.concatenate([heed.smooth(trial, transition=transition, initial=initial, emission=case.model)
                                for trial in case.trials])
    assert by_program.tobytes() == by_python.tobytes()


@needs_program
def test_models_go_both_ways(tmp_path):
    """Fitted by the program, read by Python, written again: the same bytes."""
    run(PROGRAM, "simulate", "scores", "-o", tmp_path / "cohort", "--participants", "3", "--seed", "1")
    scores = sorted((tmp_path / "cohort").glob("*_scores.tsv"))
    fitted = tmp_path / "fitted.json"
    run(PROGRAM, "track", scores[0], "--fit", "labels", "--fit-from", *scores[1:], "--save-model", fitted, "-o",
        tmp_path / "posterior.tsv")
    model = heed.Model.load(fitted)
    model.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == fitted.read_bytes()
    assert model.participants == 2
