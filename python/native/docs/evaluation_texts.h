// SPDX-License-Identifier: MIT
// Docstrings of measures. Their examples are run by tests/python.
#pragma once

namespace heed::python::texts {

inline constexpr const char* evaluate =
    R"(evaluate(posteriors, attended, *, decisions=None, window=1.0, hop=None, lengths=None, look_ahead=0.0, speakers=None,
id='01')
--

How well posteriors, or decisions, follow the attention that is known.

Parameters
----------
posteriors : array (windows, speakers), (sequences, windows, speakers), or of int (windows,)
    Probabilities, rows summing to one; or decisions alone, the column of a speaker each.
attended : array of int (windows,), or (sequences, windows)
    Column of the speaker attended to, counted from 0; -1 or NaN where it is not known.
decisions : array of int (windows,), optional
    Where they are not the most probable speaker's, e.g. the path of ``heed.viterbi``.
window : float
    Length of a window in seconds.
hop : float, optional
    Seconds from one window to the next, where windows overlap; by default the window's length. Times count hops.
lengths : array of int, optional
    Several trials lie below each other: so many rows each. The measures start anew at each.
look_ahead : float
    Seconds of the future that each row has seen, which count as latency: 0 of ``filter``, the lag of ``fixed_lag``,
    ``math.inf`` of ``smooth`` and ``viterbi``.
speakers : int, optional
    How many there are, where decisions alone do not tell.
id : str
    Of the participant, for the result and for messages.

Returns
-------
dict : a participant of ``heed evaluate --json``. Among its keys ``accuracy`` over windows from each detected switch to
    the next true one, ``whole_accuracy``, ``switch_time`` and its kin in seconds, ``missed`` of ``switches``,
    ``false_switch_rate`` a minute, ``chance_bound``, ``brier``, ``ece``, ``log_loss`` and the curve ``reliability``.
    What does not exist is None.

Examples
--------
>>> import heed
>>> trial = heed.simulate_scores(participants=1, trials=1, accuracy=0.7, seed=2)[0].trials[0]
>>> posteriors = heed.smooth(trial.scores, emission=heed.GaussianEmission(0.26, 0.037, 0.303))
>>> measures = heed.evaluate(posteriors, trial.attended, look_ahead=float("inf"))
>>> round(measures["accuracy"], 3), measures["switch_time"], measures["missed"]
(0.992, 5.0, 0)
)";

}  // namespace heed::python::texts
