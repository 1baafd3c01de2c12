// SPDX-License-Identifier: MIT
// Docstrings of what heed.plot draws from. Not part of `heed`'s own names.
#pragma once

namespace heed::python::texts {

inline constexpr const char* find_switches = R"(find_switches(decisions, truth, window=1.0)
--

Switches of attention in one trial and when each was noticed: a list of (window, speaker, window it was noticed in or
None, delay in seconds). A negative delay was foreseen; that of a missed switch is the time to the next one.

Examples
--------
>>> from heed import _native
>>> _native.find_switches([0, 0, 0, 1, 1], [0, 0, 1, 1, 1], window=2.0)
[(2, 1, 3, 2.0)]
)";

inline constexpr const char* electrode_positions = R"(electrode_positions(channels)
--

Places of electrodes by their 10-5 names or BioSemi's numbers, (channels, 3) on the unit sphere: x to the right ear, y to the nose, z up.
NaN where a name has no known place.

Examples
--------
>>> from heed import _native
>>> _native.electrode_positions(["Cz", "EXG1"])
array([[ 0.,  0.,  1.],
       [nan, nan, nan]])
)";

inline constexpr const char* scalp_weights = R"(scalp_weights(electrodes, places)
--

What to multiply values at electrodes by to have the spherical spline through them at other places: (places, electrodes).
Both are given as (n, 3) on the unit sphere.

Examples
--------
>>> from heed import _native
>>> electrodes = _native.electrode_positions(["Fz", "Cz", "Pz", "C3", "C4"])
>>> _native.scalp_weights(electrodes, electrodes).sum(axis=1).round(6)
array([1., 1., 1., 1., 1.])
)";

}  // namespace heed::python::texts
