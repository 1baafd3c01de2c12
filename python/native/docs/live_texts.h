// SPDX-License-Identifier: MIT
// Docstrings of what lies below heed.LiveSession, which documents it for users.
#pragma once

namespace heed::python::texts {

inline constexpr const char* live_engine =
    R"(LiveEngine(stream, options)

A live session; heed.LiveSession is the door to it.

Examples
--------
>>> from heed import _native
>>> engine = _native.LiveEngine(dict(speakers=["left", "right"], content="scores"), {})
>>> engine.push_windows([[0.4, 0.1]], None, 1.0)[0]["decision"]
0
)";

}  // namespace heed::python::texts
