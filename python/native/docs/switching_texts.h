// SPDX-License-Identifier: MIT
// Docstrings of how often a listener switches. Their examples are run by tests/python.
#pragma once

namespace heed::python::texts {

inline constexpr const char* switch_posterior =
    "switch_posterior(values, *, emission=None, initial=None, window=None, lengths=None)\n--\n\n"
    R"(How often does this listener switch? What the windows say of the switch probability, where nobody knows it.

It is what the trackers know with ``switch_probability="auto"``. Values above one divided by the number of speakers are
left out.

Parameters
----------
values : array (windows, speakers), or (sequences, windows, speakers)
    As for ``filter``. Sequences are the trials of one listener, in order.
emission, initial, window, lengths
    As for ``filter``. Evidence that counts twice looks like switching: give a Model that was fitted to labels, which
    scales it.

Returns
-------
dict of ndarray
    ``per_second`` (values,), the switch probabilities; ``per_window``, the same from one window to the next;
    ``interval``, the seconds from one switch to the next that each means; ``posterior``, how probable each is after the
    last window; ``history`` (windows, values), or (sequences, windows, values), after each window. And ``words``, a str.

Examples
--------
>>> import heed, numpy as np
>>> rng = np.random.default_rng(0)
>>> sign = np.repeat(np.resize([1, -1], 60), 30)  # a switch every 30 s
>>> ratio = sign + np.sqrt(2) * rng.standard_normal(1800)
>>> found = heed.switch_posterior(np.stack([ratio / 2, -ratio / 2], axis=1))
>>> int(found["interval"][found["posterior"].argmax()])
31
)";

}  // namespace heed::python::texts
