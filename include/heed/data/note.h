// SPDX-License-Identifier: MIT
// What a user should know beside a result: who it is about, of what kind it is, and the words for people. Whoever
// routes or counts notes asks the first two; the text is never searched.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace heed::data {

enum class NoteKind {
  chosen,    // what was decided for the user: a population used, an emission picked
  left_out,  // what has no result, and why: a channel, a trial, a listener
  doubtful,  // a result that deserves a second look: an unclear alignment, a fit that did not settle
};

// As files have it.
inline constexpr std::array<std::string_view, 3> note_kind_names{"chosen", "left-out", "doubtful"};

// Throws nothing: a word that is none of them is taken for `chosen`.
[[nodiscard]] constexpr NoteKind note_kind_named(std::string_view word) noexcept {
  for (std::size_t k = 0; k < note_kind_names.size(); ++k) {
    if (note_kind_names[k] == word) return static_cast<NoteKind>(k);
  }
  return NoteKind::chosen;
}

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
