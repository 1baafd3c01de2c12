// SPDX-License-Identifier: MIT
// Docstrings of the trackers. Their examples are run by tests/python. `tracker_parameters` follow the first paragraph
// of each.
#pragma once

#include <string>

namespace heed::python::texts {

struct TrackerText {
  const char* opening;
  const char* parameters;  // its own, after those that all trackers take
  const char* threads;     // "": it takes none
  const char* results;
  const char* examples;
};

inline constexpr const char* tracker_parameters = R"(
Parameters
----------
values : array (windows, speakers), or (sequences, windows, speakers)
    Log-likelihoods, natural logarithm, up to a constant per window; or scores, if an ``emission`` is given.
    A row with NaN is a missing window: attention may have moved, nothing was learnt. So is a row with a masked value,
    an NA of pandas, a log-likelihood of +inf, or -inf for all speakers; -inf for some says that they are
    impossible. Contiguous arrays of float64 are read in place: do not change them during the call.
switch_probability : float or "auto", optional
    Probability of moving to each other speaker, per window. By default 0.001 times ``window``. ``"auto"``: nobody knows
    how often the listener switches, so seven values from 0.0001 to 0.1 per second are weighed by how well they predict
    the windows (``heed.switch_posterior`` tells what is found). Sequences are then one listener's trials, in order.
emission : emission or Model, optional
    Turns scores into log-likelihoods, e.g. ``heed.GaussianEmission(0.124, 0.037, 0.303)`` or
    ``heed.Model.load("model.json")``.
transition : array (speakers, speakers), optional
    A whole Markov chain instead, row = from.
initial : array (speakers,), optional
    Distribution in the first window; uniform by default.
window : float, optional
    Seconds from one row to the next: the length of a window, or the hop where windows overlap. By default that of the
    Model, or 1.
lengths : array of int, optional
    Number of rows (at least 1) of each sequence, where several are stacked in ``values``. The chain starts anew with
    each.
)";

inline std::string docstring(const TrackerText& text) {
  return std::string(text.opening) + tracker_parameters + text.parameters + text.threads + text.results + text.examples;
}

inline constexpr const char* threads_parameter = R"(threads : int
    How many sequences are worked on at once; 0 for as many threads as the machine has. The result is the same to the
    bit. One sequence takes one thread, and so do sequences with ``"auto"`` or a Model of dependent windows.
)";

inline constexpr const char* posterior_results = R"(return_log_evidence : bool
    Also return the log-probability of all windows, up to the constants of the log-likelihoods.

Returns
-------
ndarray, shape of ``values`` : probabilities; rows sum to one.
float, or ndarray (sequences,) : the log-evidence, if requested.
)";

inline constexpr TrackerText filter{
    "filter(values, switch_probability=None, *, emission=None, transition=None, initial=None, window=None, "
    "lengths=None, threads=1, return_log_evidence=False)\n--\n\n"
    "The causal posterior: row t is P(attending j | windows 0 ... t). What can be known live.\n",
    "", threads_parameter, posterior_results, R"(
Examples
--------
>>> import heed, numpy as np
>>> heed.filter(np.log([[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]]), switch_probability=0.01).round(2)
array([[0.6 , 0.4 ],
       [0.78, 0.22],
       [0.46, 0.54]])
)"};

inline constexpr TrackerText smooth{
    "smooth(values, switch_probability=None, *, emission=None, transition=None, initial=None, window=None, "
    "lengths=None, threads=1, return_log_evidence=False)\n--\n\n"
    "The forward-backward posterior: row t is P(attending j | all windows). The best offline.\n",
    "", threads_parameter, posterior_results, R"(
Examples
--------
>>> import heed, numpy as np
>>> heed.smooth(np.random.randn(600, 2), switch_probability=1e-3).shape
(600, 2)
)"};

inline constexpr TrackerText viterbi{
    "viterbi(values, switch_probability=None, *, emission=None, transition=None, initial=None, window=None, "
    "lengths=None, threads=1, return_log_probability=False)\n--\n\n"
    "The most probable path of attention. Ties: stay first, then the lowest speaker.\n",
    "", threads_parameter,
    R"(return_log_probability : bool
    Also return the joint log-probability of the path and the windows.

Returns
-------
ndarray of int32 (windows,) or (sequences, windows) : a speaker each, counted from 0.
float, or ndarray (sequences,) : the log-probability, if requested.
)",
    R"(
Examples
--------
>>> import heed, numpy as np
>>> heed.viterbi(np.log([[0.9, 0.1], [0.4, 0.6], [0.9, 0.1]]), switch_probability=0.1)
array([0, 0, 0], dtype=int32)
)"};

inline constexpr TrackerText fixed_lag{
    "fixed_lag(values, switch_probability=None, *, lag=5.0, emission=None, transition=None, initial=None, window=None, "
    "lengths=None, threads=1, return_log_evidence=False)\n--\n\n"
    "Attention with a little hindsight: row t is P(attending j | windows up to ``lag`` later).\n",
    R"(lag : float
    Seconds of look-ahead, rounded up to whole windows; at least 0, and finite: ``smooth`` sees all windows.
)",
    threads_parameter, posterior_results, R"(
Examples
--------
>>> import heed, numpy as np
>>> windows = np.log([[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
>>> np.allclose(heed.fixed_lag(windows, 0.01, lag=0), heed.filter(windows, 0.01))
True
)"};

inline constexpr TrackerText path_probability{
    "path_probability(values, path, switch_probability=None, *, emission=None, transition=None, initial=None, "
    "window=None, lengths=None)\n--\n\n"
    "How probable a given path of attention is: labels, decisions, or any other.\n",
    R"(path : array of int (windows,) or (sequences, windows)
    A speaker for each window, counted from 0. Where it is -1 every speaker will do: the probability is that of all
    paths which agree with the rest.
)",
    "", R"(
Returns
-------
dict of float, or of ndarray (sequences,), natural logarithms; -inf for an impossible path
    ``log_prior``, of the path alone; ``log_joint``, of the path and all windows (the largest is that of ``viterbi``);
    ``log_evidence``, of all windows, whatever the path; ``log_posterior``, of the path given the windows. With
    ``switch_probability="auto"`` each sequence is judged on its own, all values being equally likely beforehand.
)",
    R"(
Examples
--------
>>> import heed, numpy as np
>>> windows = np.log([[0.9, 0.1], [0.4, 0.6], [0.9, 0.1]])
>>> found = heed.path_probability(windows, [0, 0, 0], switch_probability=0.1)
>>> round(float(np.exp(found["log_posterior"])), 3)
0.91
)"};

inline constexpr const char* adapted_log_likelihoods =
    "adapted_log_likelihoods(values, emission, switch_probability=None, *, transition=None, initial=None, "
    "window=None, lengths=None, half_life=600.0, prior_windows=120.0)\n--\n\n"
    R"(Log-likelihoods while the emission adapts to the listener: without labels, and causally.

Each window is judged by the parameters that the windows before it have left. They start as ``emission``, which other
listeners have taught, and follow the scores, weighted by the causal posterior. Give the result to ``filter`` or any
other tracker.

Parameters
----------
values : array (windows, speakers), or (sequences, windows, speakers)
    Scores of one listener; a row with NaN is a missing window. What is learnt is kept from sequence to sequence.
emission : GaussianEmission or Model
    The start.
switch_probability, transition, initial, window, lengths
    As for ``filter``.
half_life : float
    Seconds after which a window counts half as much; shorter follows drifts sooner and is noisier.
prior_windows : float
    The start counts as so many windows, and fades like them.

Returns
-------
ndarray, shape of ``values`` : natural logarithms.

Examples
--------
>>> import heed
>>> me, *others = heed.simulate_scores(participants=4, trials=1, accuracy=0.7, seed=1)
>>> start = heed.AttentionHMM().fit(others).model_
>>> windows = heed.adapted_log_likelihoods(me.trials[0].scores, start)
>>> heed.filter(windows).shape
(600, 2)
)";

}  // namespace heed::python::texts
