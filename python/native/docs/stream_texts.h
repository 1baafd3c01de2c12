// SPDX-License-Identifier: MIT
// Docstrings of decisions and of what lies below AttentionHMM. Their examples are run by tests/python.
#pragma once

namespace heed::python::texts {

inline constexpr const char* attention_stream =
    R"(AttentionStream(model, columns, *, switch_probability=None, transition=None, initial=None, window=1.0, lag=0.0,
                adaptive=False)

Attention window by window; AttentionHMM.step is the door to it. With ``adaptive``, the model is a start that follows
the windows.

Examples
--------
>>> from heed import GaussianEmission, Model, _native
>>> stream = _native.AttentionStream(Model(GaussianEmission(0.3, 0.0, 0.2)), 2, switch_probability=0.01)
>>> stream.step([0.4, 0.1]).round(2)
array([0.92, 0.08])
)";

inline constexpr const char* stream_step =
    "step(x)\n\nThe scores of the next window in, P(attending j) out: of the window `lag` ago, None while there is "
    "none.";
inline constexpr const char* stream_finish =
    "finish()\n\nThe rows still waited for, as if the trial ended here; then everything starts anew.";
inline constexpr const char* stream_reset = "reset()\n\nBack to the initial distribution, as at the start of a trial.";

inline constexpr const char* stream_learn_from =
    "learn_from(other)\n\nGoes on with what another stream has learnt of how often the same listener switches.";

inline constexpr const char* fit_model =
    "fit_model(participants, keywords)\n\nWhat AttentionHMM.fit learns, as a dict: the model, its chain, and how the "
    "fit went.";
inline constexpr const char* equivalent_switch_probability =
    R"(equivalent_switch_probability(scale, separation, switch_probability)
--

The p' at which evidence as it is decides like evidence times ``scale`` at p: for decisions between two speakers, though
not for calibration, the two are one knob.

Parameters
----------
scale : float
    Factor on the log-likelihoods; 2 where evidence counts twice.
separation : float
    Mean log-likelihood ratio of the attended speaker in a window.
switch_probability : float
    p, per window.

Returns
-------
float : p'

Examples
--------
>>> import heed
>>> round(heed.equivalent_switch_probability(2, 0.08, 0.001), 10)
0.0063642065
)";

inline constexpr const char* sequence_lengths =
    "sequence_lengths(lengths, rows)\n\nThe lengths as a list; refused unless they are whole and add up to the rows.";

inline constexpr const char* decide = R"(decide(posteriors, *, lengths=None)
--

Who is attended, window by window: the most probable speaker; a tie holds the decision before.

Parameters
----------
posteriors : array (windows, speakers)
    Probabilities, of ``heed.filter`` and the like; anything without NaN of which the largest wins.
lengths : array of int, optional
    Several sequences lie below each other: so many rows each.

Returns
-------
ndarray of int32 (windows,) : a speaker each, counted from 0. A tie in a sequence's first window takes the lowest.

Examples
--------
>>> import heed
>>> heed.decide([[0.2, 0.8], [0.5, 0.5], [0.6, 0.4]])
array([1, 1, 0], dtype=int32)
)";

}  // namespace heed::python::texts
