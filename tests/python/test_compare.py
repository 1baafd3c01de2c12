# SPDX-License-Identifier: MIT
"""heed.compare says what `heed compare --json` says, whatever the options, and shows it well."""
import copy
import json
import pickle
import re
import warnings

import numpy as np
import pytest

import heed
from program import needs_program, run_json

METHODS = ["causal", "smooth", "raw"]


@pytest.fixture(scope="module")
def cohort():
    return heed.simulate_scores(participants=4, trials=2, minutes=4, switch_every=60, accuracy=0.62, seed=4)


@pytest.fixture(scope="module")
def folder(cohort, tmp_path_factory):
    path = tmp_path_factory.mktemp("cohort")
    for one in cohort:
        heed.write_scores(path / f"sub-{one.id}_scores.tsv", one, digits=17)
    return path


def quiet(*arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return heed.compare(*arguments, **options)


OPTIONS = {
    "as they are": ({}, []),
    "methods and a probability": ({"methods": "causal,viterbi", "switch_probability": 0.01},
                                  ["--methods", "causal,viterbi", "-p", "0.01"]),
    "random switches": ({"methods": METHODS, "join": True, "switch_every": (20, 45), "repeats": 3, "seed": 5},
                        ["--join", "--switch-every", "20-45", "--repeats", "3", "--seed", "5"]),
    "cut trials": ({"methods": METHODS, "trial": 120, "switch_every": 60}, ["--trial", "120", "--switch-every", "60"]),
    "a family": ({"methods": METHODS, "emission": "gaussian", "spread": "separate"},
                 ["--emission", "gaussian", "--spread", "separate"]),
    "no labels": ({"methods": METHODS, "fit": "baum-welch"}, ["--fit", "baum-welch"]),
    "calibrated": ({"methods": METHODS, "calibrate": True}, ["--calibrate"]),
    "a given emission": ({"methods": METHODS, "emission": heed.GaussianEmission(0.2, 0.05, 0.3)},
                         ["--mu-attended", "0.2", "--mu-unattended", "0.05", "--sigma", "0.3"]),
    "hard decisions by name": ({"methods": METHODS, "emission": "hard-decision", "accuracy": 0.6},
                               ["--emission", "hard-decision", "--accuracy", "0.6"]),
    "logits": ({"methods": METHODS, "emission": "softmax", "class_priors": [0.4, 0.6]},
               ["--emission", "softmax", "--class-priors", "0.4,0.6"]),
    "hard decisions": ({"methods": METHODS, "emission": heed.HardDecisionEmission(0.6)},
                       ["--emission", "hard-decision", "--accuracy", "0.6"]),
    "options of methods": ({"methods": ["fixed-lag", "markov-chain", "probabilistic-gain", "state-space"], "lag": 3,
                            "gain_states": 7, "gain_step": 0.05, "state_space_compatible": True},
                           ["--lag", "3", "--gain-states", "7", "--gain-step", "0.05", "--state-space-compatible",
                            "--methods", "fixed-lag,markov-chain,probabilistic-gain,state-space"]),
    "a first window": ({"methods": METHODS, "initial": [0.8, 0.2]}, ["--initial", "0.8,0.2"]),
    "scaling": ({"methods": METHODS, "switch_scaling": "exact"}, ["--switch-scaling", "exact"]),
}


@needs_program
@pytest.mark.parametrize("name", OPTIONS)
def test_the_program_says_the_same(cohort, folder, name):
    keywords, options = OPTIONS[name]
    if "methods" in keywords and "--methods" not in options:
        options = [*options, "--methods", ",".join(keywords["methods"])]
    comparison = quiet(cohort, **keywords)
    assert comparison == run_json("compare", folder, *options)
    assert quiet(folder, **keywords) == comparison


@needs_program
def test_chains_and_models_of_files(cohort, folder, tmp_path):
    chain = [[0.99, 0.01], [0.02, 0.98]]
    (tmp_path / "chain.tsv").write_text("0.99\t0.01\n0.02\t0.98\n")
    assert heed.compare(cohort, methods=METHODS, transition=chain) == run_json(
        "compare", folder, "--methods", ",".join(METHODS), "--transition", tmp_path / "chain.tsv")
    model = heed.Model(heed.GaussianEmission(0.2, 0.05, 0.3), temperature=1.5, window=2)
    model.save(tmp_path / "model.json")
    with pytest.warns(UserWarning, match="windows of 2 s, these are 1 s long"):
        comparison = heed.compare(cohort, methods=METHODS, emission=model)
    assert comparison == run_json("compare", folder, "--methods", ",".join(METHODS), "--model", tmp_path / "model.json")


@needs_program
def test_features(tmp_path):
    random = np.random.default_rng(0)
    cohort = []
    for k in range(3):
        attended = np.arange(160) // 40 % 2
        features = random.normal(size=(160, 3)) + attended[:, None] * [1.0, 0.5, 0.0]
        trial = heed.ScoredTrial(features, attended)
        cohort.append(heed.Participant(f"0{k + 1}", [trial], speakers=["rest", "listen"], features=["a", "b", "c"]))
        rows = [[t, *map(repr, map(float, row)), ("rest", "listen")[a]] for t, (row, a) in enumerate(zip(features, attended))]
        table = "\n".join("\t".join(map(str, row)) for row in [["onset", "a", "b", "c", "attended"], *rows])
        (tmp_path / f"sub-0{k + 1}_scores.tsv").write_text(table + "\n")
        (tmp_path / f"sub-0{k + 1}_scores.json").write_text('{"WindowLength": 1}')
    keywords = {"methods": ["causal"], "emission": "mixture", "components": 1, "covariance": "diagonal"}
    program = run_json("compare", tmp_path, "--methods", "causal", "--emission", "mixture", "--components", 1,
                       "--covariance", "diagonal", "--states", "rest,listen")
    assert quiet(cohort, **keywords) == program
    assert quiet(tmp_path, states=["rest", "listen"], **keywords) == program


def test_the_numbers_are_those_of_the_trackers(cohort):
    """A participant of the comparison, by hand: its emission given, its posteriors evaluated."""
    emission = heed.GaussianEmission(0.2, 0.05, 0.3)
    row = heed.compare(cohort, methods="causal", emission=emission)["methods"][0]["participants"][2]
    X, y, lengths, _ = heed.stack(cohort[2])
    alone = heed.evaluate(heed.filter(X, emission=emission, lengths=lengths), y, lengths=lengths, id="03")
    assert {key: row[key] for key in row.keys() & alone.keys()} == {key: alone[key] for key in row.keys() & alone.keys()}
    assert len(row.keys() & alone.keys()) > 12


def test_a_sweep_has_the_curves_of_methods_with_a_probability(cohort):
    emission = heed.GaussianEmission(0.2, 0.05, 0.3)
    comparison = heed.compare(cohort, methods=METHODS, emission=emission, sweep=[0.1, 0.01])
    assert list(comparison.curves) == ["causal", "smooth"]
    curve = comparison.curves["causal"]
    assert [point["switch_probability"] for point in curve] == [0.001, 0.01, 0.1]
    there = heed.compare(cohort, methods=METHODS, emission=emission, switch_probability=0.1)["methods"][0]
    assert curve[2]["accuracy"] == there["accuracy"]
    assert curve[2]["switch_time"]["mean"] == there["switch_time"]["mean"]
    assert len(heed.compare(cohort, methods="causal", emission=emission, sweep=True).curves["causal"]) == 13
    assert heed.compare(cohort, methods="causal", emission=emission).curves == {}


def test_what_was_left_out_is_told():
    three = heed.simulate_scores(participants=3, speakers=3, minutes=2, switch_every=60)
    with pytest.warns(UserWarning) as told:
        comparison = heed.compare(three)
    assert {str(one.message) for one in told} <= set(comparison.notes)
    assert any("state-space" in note for note in comparison.notes)
    assert told[0].filename == __file__


def test_it_is_a_dict_that_can_be_kept(cohort):
    comparison = heed.compare(cohort, methods=METHODS, sweep=[0.01])
    for again in (copy.deepcopy(comparison), pickle.loads(pickle.dumps(comparison))):
        assert again == comparison and again.curves == comparison.curves and again.notes == comparison.notes
        assert isinstance(again, heed.Comparison)
    assert json.loads(json.dumps(comparison)) == comparison


def test_the_table_says_what_the_dict_holds(cohort):
    comparison = heed.compare(cohort, methods=METHODS)
    text = str(comparison)
    first = comparison["methods"][0]
    assert f"{100 * first['accuracy']['mean']:.1f} ± {100 * first['accuracy']['sd']:.1f}" in text
    assert text.startswith("4 participants, 2 speakers, windows of 1 s; chance 50.0 %\n")
    rows = text.splitlines()
    assert [row.split()[0] for row in rows[3:6]] == METHODS
    assert rows[-1].endswith("against causal")
    page = comparison._repr_html_()
    assert page.count("<tr>") == 4
    cells = re.findall(r"<t[dh] [^>]*>([^<]*)</t[dh]>", page)
    assert " ".join(cells).split() == " ".join(rows[2:6]).split()


def test_a_measure_that_does_not_exist_is_not_a_number():
    cohort = heed.simulate_scores(participants=3, trials=1, minutes=2, switch_every=1000)  # no switch
    comparison = heed.compare(cohort, methods=["causal", "raw"])
    assert "n/a" in str(comparison)
    frame = comparison.to_frame()
    assert frame["switch_time"].isna().all() and frame["accuracy"].notna().all()


def test_frames_are_tidy(cohort):
    frame = heed.compare(cohort, methods=["causal", "markov-chain"]).to_frame()
    assert frame.shape[0] == 8 and list(frame.columns[:3]) == ["method", "id", "accuracy"]
    assert frame["gain_states"].isna().sum() == 4
    assert frame["accuracy"].dtype == float


@pytest.mark.parametrize("keywords, says", [
    ({"methods": "psychic"}, "psychic"),
    ({"emission": "gausian"}, "gausian"),
    ({"accuracy": 0.6}, "accuracy: needs the emission hard-decision"),
    ({"class_priors": [0.5, 0.5]}, "class_priors: need"),
    ({"emission": "softmax", "spread": "shared"}, "spread: needs a Gaussian"),
    ({"components": 3}, "need 'mixture'"),
    ({"states": ["a", "b"]}, "states: "),
    ({"emission": heed.GaussianEmission(0.2, 0, 0.3), "spread": "shared"}, "emission: is given, so there is nothing to fit"),
    ({"emission": heed.GaussianEmission(0.2, 0, 0.3), "fit": "labels"}, "emission: is given, so there is nothing to fit"),
    ({"spread": "wide"}, "wide"),
    ({"fit": "magic"}, "magic"),
    ({"switch_probability": 0.1, "transition": np.eye(2)}, "transition: "),
    ({"transition": [[0.5, 0.6], [0.5, 0.5]]}, "transition"),
    ({"switch_probability": 2}, "switch probability"),
    ({"switch_scaling": "cubic"}, "switch_scaling: is 'cubic'"),
    ({"switch_every": "often"}, "switch_every often"),
    ({"switch_every": (60, 30)}, "switch_every 60-30"),
    ({"lag": -1}, "lag: "),
    ({"gain_states": 1}, "gain_states: "),
    ({"gain_step": 0}, "gain_step: "),
    ({"repeats": 0}, "repeats: "),
    ({"trial": 1.5}, "trial"),
    ({"sweep": [0.0]}, "0"),
])
def test_mistakes_are_told(cohort, keywords, says):
    with pytest.raises(heed.InvalidArgumentError) as raised:
        heed.compare(cohort, **keywords)
    assert says in str(raised.value)


def test_mistaken_types_are_told_by_their_argument(cohort):
    with pytest.raises(TypeError, match="repeats: expected a whole number, not 'x'"):
        heed.compare(cohort, repeats="x")
    with pytest.raises(TypeError, match="seed: expected a whole number of at least 0, not -1"):
        heed.compare(cohort, seed=-1)
    with pytest.raises(TypeError, match="emission: expected"):
        heed.compare(cohort, emission=3)
    with pytest.raises(TypeError, match="scores: expected participants"):
        heed.compare([1, 2])
    with pytest.raises(heed.InvalidArgumentError, match="scores: is empty"):
        heed.compare([])


def test_one_listener_is_judged_trial_by_trial(cohort):
    by_trials = quiet(cohort[0], methods=METHODS)
    assert any("each trial is judged by an emission fitted to the other trials" in note for note in by_trials.notes)
    assert by_trials["methods"][0]["wilcoxon"]["accuracy_p"] is None
    (one_trial,) = heed.simulate_scores(participants=1, trials=1, seed=4)
    with pytest.raises(heed.BadDataError, match="is alone and has one labelled trial"):
        heed.compare(one_trial)
    alone = heed.compare(cohort[0], methods=METHODS, emission=heed.GaussianEmission(0.2, 0.05, 0.3))
    assert len(alone["methods"][0]["participants"]) == 1


def test_fits_without_labels_say_what_they_know_of_the_recording():
    cohort = heed.simulate_scores(participants=4, trials=1, accuracy=0.7, seed=3)
    assert "learning" not in heed.compare(cohort, methods=["causal"])
    live = heed.compare(cohort, methods=["causal"], fit="adaptive")
    assert live["learning"] == "causal" and live.notes == []
    with pytest.warns(UserWarning, match="future included"):
        assert heed.compare(cohort, methods=["causal"], fit="baum-welch")["learning"] == "transductive"
    start = heed.GaussianEmission(0.2, 0.03, 0.3)
    given = heed.compare(cohort, methods=["causal"], fit="adaptive", emission=start)
    me = cohort[0].trials[0]
    tracked = heed.filter(heed.adapted_log_likelihoods(me.scores, start, 0.001), 0.001)
    expected = heed.evaluate(tracked, me.attended)
    assert given["methods"][0]["participants"][0]["accuracy"] == pytest.approx(expected["accuracy"], abs=1e-12)


def test_mixtures_without_labels():
    cohort = heed.simulate_scores(participants=4, trials=2, accuracy=0.75, seed=3)
    with pytest.warns(UserWarning, match="transductive"):
        blind = heed.compare(cohort, methods=["smooth"], emission="mixture", components=1, fit="baum-welch")
    assert blind["methods"][0]["accuracy"]["mean"] > 0.9
    hmm = heed.AttentionHMM(emission="mixture", components=1, fit_by="baum-welch").fit(cohort[:1])
    assert np.all(np.diff(hmm.history_) >= 0) and hmm.score(cohort[:1]) > 0.9
