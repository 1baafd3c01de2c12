# SPDX-License-Identifier: MIT
"""Whatever is given: a Python exception that names the argument and says what is wanted, never a crash or a guess."""
import os
import pathlib

import numpy as np
import pandas as pd
import pytest

import heed

TRACKERS = [heed.filter, heed.smooth, heed.viterbi, heed.fixed_lag]
NAMES = [tracker.__name__ for tracker in TRACKERS]
GOOD = np.zeros((5, 2))


class Broken:
    """Numpy asks it for an array, and gets an error of its own."""

    def __array__(self, dtype=None):
        raise OverflowError("sensor out of range")


class Raw:
    """EEG as MNE has it; numpy's way of asking for an array ends in an error about channels."""

    info = {"sfreq": 64.0}

    def get_data(self):
        return np.zeros((2, 5))

    def __getitem__(self, picks):
        raise ValueError("All picks must be < n_channels")

    def __len__(self):
        return 5


class OutOfMemory:
    def __array__(self, dtype=None):
        raise MemoryError("no room")


class Interrupted:
    def __array__(self, dtype=None):
        raise KeyboardInterrupt


VALUES = {
    "nothing": (None, ValueError, "values: must be an array, rows .time. x columns, not NoneType"),
    "a number": (3.0, ValueError, "values: must be an array.* not float"),
    "text": ("abc", ValueError, "values: must be an array.* not str"),
    "a dict": ({"left": [1, 2]}, ValueError, "values: must be an array.* not dict"),
    "a generator": ((row for row in GOOD), ValueError, "values: must be an array.* not generator"),
    "EEG of MNE": (Raw(), TypeError, r"values: must be windows x speakers, not EEG from MNE \(Raw\); heed.preprocess and decoders"),
    "one dimension": (np.zeros(5), ValueError, r"values: Expected 2D array.* got shape \(5,\)"),
    "four dimensions": (np.zeros((2, 2, 2, 2)), ValueError, r"values: Expected 2D array.* got shape \(2, 2, 2, 2\)"),
    "an empty list": ([], ValueError, r"values: Expected 2D array.* got shape \(0,\)"),
    "no windows": (np.zeros((0, 2)), ValueError, r"values: 0 sample\(s\) \(shape \(0, 2\)\): there is no row"),
    "no speakers": (np.zeros((5, 0)), ValueError, r"values: 0 feature\(s\) \(shape \(5, 0\)\): there is no column"),
    "no sequences": (np.zeros((0, 5, 2)), ValueError, r"values: 0 sample\(s\) \(shape \(0, 5, 2\)\)"),
    "sequences of no windows": (np.zeros((2**40, 0, 2)), ValueError, r"values: 0 sample\(s\)"),
    "one speaker": (np.zeros((5, 1)), ValueError, "values: 1 column: attention needs two speakers"),
    "rows of different length": ([[1, 2], [3]], ValueError, "values: .*inhomogeneous"),
    "complex numbers": (GOOD + 1j, ValueError, "values: Complex data not supported"),
    "texts": ([["a", "b"]], ValueError, "values: must be numbers, not an array of type <U1"),
    "texts that look like numbers": ([["1", "2"]], ValueError, "values: must be numbers, not an array of type <U1"),
    "bytes": (np.array([[b"1", b"2"]]), ValueError, "values: must be numbers, not an array of type"),
    "dates": (np.zeros((5, 2), "M8[s]"), ValueError, "values: must be numbers, not an array of type datetime64"),
    "durations": (np.zeros((5, 2), "m8[s]"), ValueError, "values: must be numbers, not an array of type timedelta64"),
    "records": (np.zeros((5, 2), [("left", float), ("right", float)]), ValueError, "values: must be numbers, not an array"),
    "objects": ([[{}, 1]], TypeError, "values: .*argument must be a string or a real number, not 'dict'"),
    "objects with text": (np.array([["x", 1]], dtype=object), ValueError, "values: could not convert string to float: 'x'"),
    "a frame with text": (pd.DataFrame({"left": [1.0], "right": ["x"]}), ValueError, "values: could not convert string"),
    "a masked array of texts": (np.ma.masked_array([["x", "y"]]), ValueError, "values: could not convert string to float"),
    "an array that cannot be made": (Broken(), ValueError, "values: sensor out of range"),
}


@pytest.mark.parametrize("what", VALUES)
@pytest.mark.parametrize("tracker", TRACKERS, ids=NAMES)
def test_values(tracker, what):
    value, kind, text = VALUES[what]
    with pytest.raises(kind, match=text):
        tracker(value, 0.01)


def test_sparse_matrices_are_told_how_to_become_dense():
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(ValueError, match=r"values: a sparse matrix was given.*X.toarray\(\)"):
        heed.smooth(sparse.csr_matrix(GOOD), 0.01)


@pytest.mark.parametrize("value, kind", [(OutOfMemory(), MemoryError), (Interrupted(), KeyboardInterrupt)])
def test_what_is_not_about_the_value_goes_on_as_it_is(value, kind):
    with pytest.raises(kind):
        heed.smooth(value, 0.01)


OPTIONS = {
    "switch_probability, text": ({"switch_probability": "a"}, ValueError, "switch_probability: is 'a'; give a probability, or 'auto'"),
    "switch_probability, array": ({"switch_probability": [0.1, 0.2]}, TypeError, "switch_probability: "),
    "switch_probability, complex": ({"switch_probability": 1j}, TypeError, "switch_probability: must be real number"),
    "switch_probability, endless": ({"switch_probability": 10**400}, ValueError, "switch_probability: int too large"),
    "switch_probability, NaN": ({"switch_probability": np.nan}, ValueError, "switch probability nan .* above 0 and at most 1/N = 0.5"),
    "switch_probability, 0": ({"switch_probability": 0}, ValueError, "switch probability 0 "),
    "switch_probability, negative": ({"switch_probability": -0.1}, ValueError, "switch probability -0.1 "),
    "switch_probability, 2": ({"switch_probability": 2}, ValueError, "switch probability 2 "),
    "switch_probability, inf": ({"switch_probability": np.inf}, ValueError, "switch probability inf "),
    "window, 0": ({"window": 0}, ValueError, "window: must be in seconds, above 0"),
    "window, negative": ({"window": -1.0, "switch_probability": 0.1}, ValueError, "window: must be in seconds"),
    "window, NaN": ({"window": np.nan, "switch_probability": 0.1}, ValueError, "window: must be in seconds"),
    "window, inf": ({"window": np.inf, "switch_probability": 0.1}, ValueError, "window: must be in seconds"),
    "window, text": ({"window": "1 s"}, TypeError, "window: must be real number, not str"),
    "window, too long": ({"window": 600.0}, ValueError, "windows of 600 s give a switch probability of 0.6"),
    "initial, empty": ({"initial": []}, ValueError, "initial: is empty; give a probability for each speaker"),
    "initial, too many": ({"initial": [0.2, 0.3, 0.5]}, ValueError, "initial distribution has 3 probabilities, the chain 2"),
    "initial, no distribution": ({"initial": [0.5, 0.6]}, ValueError, "initial distribution sums to 1.1"),
    "initial, NaN": ({"initial": [np.nan, 1]}, ValueError, "initial distribution, entry 1 is nan"),
    "initial, a number": ({"initial": 0.5}, ValueError, "initial: must be one number per row, not float"),
    "initial, square": ({"initial": np.eye(2)}, ValueError, r"initial: must be one number per row, not of shape \(2, 2\)"),
    "initial, text": ({"initial": ["a", "b"]}, ValueError, "initial: must be numbers"),
    "transition, other size": ({"transition": np.eye(3)}, ValueError, "transition: .* for 3 speakers, the scores have 2"),
    "transition, not square": ({"transition": np.ones((2, 3)) / 3}, ValueError, "2 rows and 3 columns"),
    "transition, no distribution": ({"transition": np.ones((2, 2))}, ValueError, "row 1 of the transition matrix sums to 2"),
    "transition, NaN": ({"transition": np.full((2, 2), np.nan)}, ValueError, "row 1 of the transition matrix, entry 1 is nan"),
    "transition, flat": ({"transition": [0.9, 0.1]}, ValueError, "transition: Expected 2D array"),
    "transition, empty": ({"transition": np.zeros((0, 0))}, ValueError, r"transition: 0 feature\(s\)"),
    "transition, twice told": ({"transition": np.eye(2), "switch_probability": 0.1}, ValueError, "transition: .*give one of them"),
    "lengths, too few": ({"lengths": [2, 2]}, ValueError, "lengths: they add up to 4, but there are 5 rows"),
    "lengths, too many": ({"lengths": [3, 3]}, ValueError, "lengths: whole numbers of rows.* the 5 rows there are"),
    "lengths, huge": ({"lengths": [2**62, 2**62]}, ValueError, "lengths: whole numbers of rows"),
    "lengths, beyond integers": ({"lengths": [1e300, 5]}, ValueError, "lengths: whole numbers of rows"),
    "lengths, overflowing": ({"lengths": np.array([2**64 - 1, 6], dtype=np.uint64)}, ValueError, "lengths: whole numbers"),
    "lengths, zero": ({"lengths": [5, 0]}, ValueError, "lengths: whole numbers of rows, 1 or more"),
    "lengths, negative": ({"lengths": [6, -1]}, ValueError, "lengths: whole numbers of rows"),
    "lengths, broken": ({"lengths": [2.5, 2.5]}, ValueError, "lengths: whole numbers of rows"),
    "lengths, NaN": ({"lengths": [np.nan, 5]}, ValueError, "lengths: whole numbers of rows"),
    "lengths, none": ({"lengths": []}, ValueError, "lengths: they add up to 0, but there are 5 rows"),
    "lengths, a number": ({"lengths": 5}, ValueError, "lengths: must be one number per row, not int"),
    "lengths, text": ({"lengths": "5"}, ValueError, "lengths: must be one number per row, not str"),
    "emission, a name": ({"emission": "gaussian"}, TypeError, "emission: expected a heed.Model or an emission.* not <class 'str'>"),
    "emission, a class": ({"emission": heed.GaussianEmission}, TypeError, "emission: expected a heed.Model"),
    "emission, for others": ({"emission": heed.SoftmaxEmission([0.2, 0.3, 0.5])}, ValueError, "class priors must be 2"),
    "emission, no better than chance": ({"emission": heed.HardDecisionEmission(0.4)}, ValueError, "must lie above chance"),
    "an option nobody knows": ({"probability": 0.1}, TypeError, "incompatible function arguments"),
}


@pytest.mark.parametrize("what", OPTIONS)
@pytest.mark.parametrize("tracker", TRACKERS, ids=NAMES)
def test_options(tracker, what):
    options, kind, text = OPTIONS[what]
    with pytest.raises(kind, match=text):
        tracker(GOOD, **options)


def test_lengths_do_not_go_with_blocks():
    with pytest.raises(ValueError, match="lengths: needs two dimensions"):
        heed.smooth(np.zeros((2, 5, 2)), 0.01, lengths=[5, 5])


@pytest.mark.parametrize("lag, kind", [(-1, ValueError), (np.nan, ValueError), (np.inf, ValueError), ("5 s", TypeError), (None, TypeError)])
def test_lag(lag, kind):
    with pytest.raises(kind, match="lag"):
        heed.fixed_lag(GOOD, 0.01, lag=lag)


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer ends whoever runs out of memory")
def test_more_windows_than_there_is_memory():
    """A row that stands for a million million needs no room; its posteriors do."""
    with pytest.raises(MemoryError):
        heed.smooth(np.broadcast_to(np.zeros(2), (2**40, 2)), 0.01)
    with pytest.raises(MemoryError):
        heed.viterbi(np.broadcast_to(np.zeros(2), (2**15, 2**30, 2)), 0.01)


@pytest.mark.parametrize("scores, emission, text", [
    ([[0.1, 1.5]], heed.GaussianEmission(0.1, 0, 0.3), "window 1: .*1.5"),
    ([[0.1, 0.2], [np.inf, 0.2]], heed.GaussianEmission(0.1, 0, 0.3, fisher=False), "window 2: .*infinite"),
    ([[0.9, 0.9]], heed.ProbabilityEmission(), "window 1: .*must be probabilities"),
])
def test_scores_that_an_emission_cannot_mean(scores, emission, text):
    with pytest.raises(heed.BadDataError, match=text):
        heed.smooth(scores, 0.01, emission=emission)


# ---- emissions and models ----


@pytest.mark.parametrize("make, kind, text", [
    (lambda: heed.GaussianEmission(0.1, 0, 0), ValueError, "sigma .* greater than 0"),
    (lambda: heed.GaussianEmission(0.1, 0, -1), ValueError, "sigma .* greater than 0"),
    (lambda: heed.GaussianEmission(np.nan, 0, 1), ValueError, "mu and sigma .* finite"),
    (lambda: heed.GaussianEmission(0, np.inf, 1), ValueError, "mu and sigma .* finite"),
    (lambda: heed.GaussianEmission(0.1, 0, 1, sigma_unattended=0), ValueError, "sigma .* greater than 0"),
    (lambda: heed.GaussianEmission(0.1, 0, 1, correlation=1), ValueError, "correlation"),
    (lambda: heed.GaussianEmission(0.1, 0, 1, correlation=-1.5), ValueError, "correlation"),
    (lambda: heed.GaussianEmission(0.1, 0, 1, correlation=0.1, sigma_unattended=1), ValueError, "correlation: .*omit sigma_unattended"),
    (lambda: heed.GaussianEmission("a", 0, 1), TypeError, "mu_attended"),
    (lambda: heed.SoftmaxEmission([0.5, 0.6]), ValueError, "class priors"),
    (lambda: heed.SoftmaxEmission([1.0]), ValueError, "two speakers"),
    (lambda: heed.SoftmaxEmission(["a"]), ValueError, "class_priors: must be numbers"),
    (lambda: heed.ProbabilityEmission([0, 1]), ValueError, "class priors must be 2 positive numbers"),
    (lambda: heed.ProbabilityEmission([np.nan, 1]), ValueError, "class priors"),
    (lambda: heed.HardDecisionEmission(1), ValueError, "accuracy: "),
    (lambda: heed.HardDecisionEmission(np.nan), ValueError, "accuracy: "),
    (lambda: heed.Model(None), ValueError, "emission: is None"),
    (lambda: heed.Model("gaussian"), TypeError, "emission: expected"),
    (lambda: heed.Model(heed.LogLikelihoodEmission(), window=0), ValueError, "window: "),
    (lambda: heed.Model(heed.LogLikelihoodEmission(), window=np.nan), ValueError, "window: "),
    (lambda: heed.Model(heed.LogLikelihoodEmission(), temperature=0), ValueError, "temperature: "),
    (lambda: heed.Model(heed.LogLikelihoodEmission(), temperature=np.inf), ValueError, "temperature: "),
    (lambda: heed.Model.from_json("{"), ValueError, ""),
    (lambda: heed.Model.from_json("[]"), ValueError, ""),
    (lambda: heed.Model.from_json('{"Format": "other"}'), ValueError, "not a model of heed"),
    (lambda: heed.Model.load(3), TypeError, ""),
    (lambda: heed.MixtureEmission(), TypeError, "No constructor"),
])
def test_what_makes_no_emission_or_model(make, kind, text):
    with pytest.raises(kind, match=text):
        make()


@pytest.mark.parametrize("attribute", ["mu_attended", "sigma", "fisher"])
def test_emissions_do_not_change(attribute):
    with pytest.raises(AttributeError):
        setattr(heed.GaussianEmission(0.1, 0, 0.3), attribute, 1)


# ---- files ----


def test_files_that_are_not_there_or_no_models(tmp_path):
    with pytest.raises(FileNotFoundError, match="no-model.json") as missing:
        heed.Model.load(tmp_path / "no-model.json")
    assert isinstance(missing.value, heed.NotFoundError)
    with pytest.raises(heed.Error, match=tmp_path.name):
        heed.Model.load(tmp_path)
    (tmp_path / "empty.json").write_text("")
    with pytest.raises(heed.BadDataError, match="empty.json"):
        heed.Model.load(tmp_path / "empty.json")
    (tmp_path / "binary.json").write_bytes(bytes(range(256)))
    with pytest.raises(heed.BadDataError, match="binary.json"):
        heed.Model.load(str(tmp_path / "binary.json"))
    with pytest.raises(heed.CannotCreateError, match="no-folder"):
        heed.Model(heed.LogLikelihoodEmission()).save(tmp_path / "no-folder" / "model.json")


def test_names_that_are_not_utf8(tmp_path):
    """Messages quote them: the bytes are shown, and nothing fails while telling of a failure."""
    name = os.fsencode(tmp_path) + b"/m\xff.json"
    with pytest.raises(FileNotFoundError, match=r"m\\xff\.json"):
        heed.Model.load(os.fsdecode(name))
    model = heed.Model(heed.LogLikelihoodEmission())
    model.save(os.fsdecode(name))
    assert heed.Model.load(pathlib.Path(os.fsdecode(name))) == model


@pytest.mark.parametrize("comparison", [{}, {"methods": []}, 3, []], ids=repr)
def test_a_trade_off_wants_a_comparison(comparison):
    with pytest.raises(heed.InvalidArgumentError, match="comparison: must be what heed.compare returns"):
        heed.plot.tradeoff(comparison)


def test_an_array_on_its_side_is_noticed():
    with pytest.warns(UserWarning, match="2 rows and 600 columns; rows are windows"):
        heed.filter(np.zeros((2, 600)))
