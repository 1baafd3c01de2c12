// SPDX-License-Identifier: MIT
// Docstrings of simulations. Their examples are run by tests/python.
#pragma once

namespace heed::python::texts {

inline constexpr const char* simulate_scores =
    R"(simulate_scores(*, participants=13, speakers=2, trials=4, minutes=10.0, window=1.0, accuracy=0.58,
accuracy_spread=0.03, autocorrelation=0.04, switch_every=300, artefacts=0.0, artefact_length=3.0, seed=1,
offset_share=0.0)
--

Scores of a cohort with known attention, as a correlation decoder would give them: ``heed simulate scores``.

Parameters
----------
participants, speakers, trials : int
    How many listeners, competing speakers, and trials of each listener.
minutes : float
    Length of a trial.
window : float
    Length of a window in seconds.
accuracy, accuracy_spread : float
    How often the attended speaker's score is the largest, on average, and its standard deviation over listeners.
autocorrelation : float
    Correlation of a speaker's neighbouring scores.
switch_every : float, (shortest, longest), or str
    Seconds between switches of attention: 300, or at random (60, 125) or "60-125".
artefacts : float
    Share of windows lost to artefacts (NaN).
artefact_length : float
    Mean length of a lost stretch in seconds.
seed : int
    Same seed, same scores.
offset_share : float
    Part of the noise between two speakers that is a bias of the whole trial.

Returns
-------
list of Participant

Examples
--------
>>> import heed
>>> cohort = heed.simulate_scores(participants=2, switch_every=(60, 125), seed=7)
>>> cohort[0]
<heed.Participant 01: 4 trials, 2400 windows of 1 s, speakers left, right>
)";

}  // namespace heed::python::texts
