// SPDX-License-Identifier: MIT
// What a user should know beside a result: who it is about, of what kind it is, and the words for people. Whoever
// routes or counts notes asks the first two; the text is never searched.
#pragma once

#include <string>
#include <vector>

namespace heed::data {

enum class NoteKind {
  chosen,    // what was decided for the user: a population used, an emission picked
  left_out,  // what has no result, and why: a channel, a trial, a listener
  doubtful,  // a result that deserves a second look: an unclear alignment, a fit that did not settle
};

struct Note {
  std::string subject{};  // a participant ("01" of sub-01) or a run; empty: everything
  NoteKind kind = NoteKind::chosen;
  std::string text{};  // one sentence, without the subject

  friend bool operator==(const Note&, const Note&) = default;
};

using Notes = std::vector<Note>;

// "participant 01: ...", or the text alone where the note is about everything.
[[nodiscard]] inline std::string shown(const Note& note) {
  return note.subject.empty() ? note.text : "participant " + note.subject + ": " + note.text;
}

}  // namespace heed::data

namespace heed {
using data::Note;
using data::NoteKind;
using data::Notes;
}  // namespace heed
