// SPDX-License-Identifier: MIT
// Docstrings of measures. Their examples are run by tests/python.
#pragma once

namespace heed::python::texts {

inline constexpr const char* evaluate =
    R"(evaluate(posteriors, attended, *, decisions=None, window=1.0, hop=None, lengths=None, look_ahead=0.0, speakers=None,
gain=None, gain_range=12.0, gain_slew=6.0, id='01')
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
gain : str or sequence of str, optional
    Maps from posteriors to gains whose worth is measured, as in ``heed.gains``: '2dB/nat', 'dead-zone' ...
gain_range, gain_slew : float
    Decibels between an attended and an unattended speaker, and the most that a gain may move, in dB per second.
id : str
    Of the participant, for the result and for messages.

Returns
-------
dict : a participant of ``heed evaluate --json``. Among its keys ``accuracy`` over windows from each detected switch to
    the next true one, ``whole_accuracy``, ``switch_time`` and its kin in seconds, ``missed`` of ``switches``,
    ``false_switch_rate`` a minute, ``chance_bound``, ``brier``, ``ece``, ``log_loss`` and the curve ``reliability``.
    What does not exist is None. With ``gain``, ``gains`` holds the dict of ``heed.gain_worth`` for each map.

Examples
--------
>>> import heed
>>> trial = heed.simulate_scores(participants=1, trials=1, accuracy=0.7, seed=2)[0].trials[0]
>>> posteriors = heed.smooth(trial.scores, emission=heed.GaussianEmission(0.26, 0.037, 0.303))
>>> measures = heed.evaluate(posteriors, trial.attended, look_ahead=float("inf"))
>>> round(measures["accuracy"], 3), measures["switch_time"], measures["missed"]
(0.992, 5.0, 0)
)";

inline constexpr const char* gains =
    R"(gains(posteriors, map='dead-zone', *, enhanced=0.0, suppressed=-12.0, slew=6.0, lowest=-20.0, highest=0.0, hop=1.0,
lengths=None)
--

From posteriors to the gains of a hearing aid, as ``heed live`` sets them.

Parameters
----------
posteriors : array (windows, speakers)
    Probabilities. A row that is none (NaN) holds all gains.
map : str
    'dead-zone' (a speaker more probable than 0.8 alone; 'dead-zone:0.9' above 0.9), '2dB/nat' (so many decibels per nat
    of log-odds), 'intelligibility' (for two speakers; 'intelligibility:6' with 6 dB above the speech reception threshold,
    'intelligibility:6:0.1' with a slope of 0.1 per dB), 'decibels' or 'amplitude' (a straight line in either), or
    'decision' (the most probable speaker alone).
enhanced, suppressed : float
    Gain in dB of a speaker who is certainly attended, and of one who certainly is not.
slew : float
    The most that a gain may move, in dB per second.
lowest, highest : float
    No gain ever leaves this range, in dB.
hop : float
    Seconds from one row to the next.
lengths : array of int, optional
    Several trials lie below each other: so many rows each. Gains start anew at each, from those of an undecided row.

Returns
-------
array (windows, speakers) : gains in dB.

Examples
--------
>>> import heed
>>> heed.gains([[0.5, 0.5], [0.9, 0.1], [0.97, 0.03]]).tolist()
[[-6.0, -6.0], [0.0, -12.0], [0.0, -12.0]]
>>> heed.gains([[0.5, 0.5], [0.9, 0.1], [0.97, 0.03]], "2dB/nat").round(1).tolist()
[[-6.0, -6.0], [-3.8, -8.2], [-2.5, -9.5]]
)";

inline constexpr const char* gain_worth =
    R"(gain_worth(gains, attended, *, hop=1.0, lengths=None)
--

What gains are worth to whoever listens.

Parameters
----------
gains : array (windows, speakers)
    In dB, whoever set them.
attended : array of int (windows,)
    Column of the speaker attended to, counted from 0; -1 or NaN where it is not known.
hop : float
    Seconds from one row to the next.
lengths : array of int, optional
    Several trials lie below each other: so many rows each.

Returns
-------
dict : ``benefit`` (mean gain of the attended speaker above the mean power of the others, dB), ``wrong_emphasis`` (how far
    below and how long, dB s per minute), ``travel`` (how far gains move against each other, dB per minute) and
    ``wrong_share`` (of the time, more than 3 dB below). What does not exist is None.

Examples
--------
>>> import heed
>>> worth = heed.gain_worth([[4.5, -4.5], [4.5, -4.5], [-1.5, 1.5], [-4.5, 4.5], [3, -3], [4.5, -4.5]], [0, 0, 0, 0, 1, 1])
>>> worth["benefit"], worth["wrong_emphasis"], worth["travel"], worth["wrong_share"]
(-1.5, 270.0, 360.0, 0.5)
)";

}  // namespace heed::python::texts
