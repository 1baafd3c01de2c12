// SPDX-License-Identifier: MIT
// What the engine wants people to know arrives as Python's own warnings, with the line of the caller.
#pragma once

#include <heed/data/note.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace heed::python {

// Needs the GIL. Throws where the caller made warnings errors.
inline void warn(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    if (PyErr_WarnEx(PyExc_UserWarning, note.c_str(), 1) != 0) throw pybind11::error_already_set();
  }
}

// All of them, in words.
[[nodiscard]] inline std::vector<std::string> texts_of(const Notes& notes) {
  std::vector<std::string> texts;
  for (const Note& note : notes) texts.push_back(data::shown(note));
  return texts;
}

// Those that are worth a warning. What was chosen for the user is kept beside the result.
[[nodiscard]] inline std::vector<std::string> warnings_of(const Notes& notes) {
  std::vector<std::string> texts;
  for (const Note& note : notes) {
    if (note.kind != NoteKind::chosen) texts.push_back(data::shown(note));
  }
  return texts;
}

// Of listeners of BIDS folders: "sub-01: ...".
inline void warn_of(const Notes& notes) {
  std::vector<std::string> texts;
  for (const Note& note : notes) {
    const bool named = note.subject.empty() || note.subject.starts_with("sub-");
    texts.push_back((named ? "" : "sub-") + note.subject + (note.subject.empty() ? "" : ": ") + note.text);
  }
  warn(texts);
}

}  // namespace heed::python
