// SPDX-License-Identifier: MIT
// What was heard and what was listened to in one run: pieces of sound, each by a speaker, and
// stretches of attention. All onsets are on the recording's clock. docs/formats.md, events.
#pragma once

#include <heed/data/units.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace heed::data {

// A speaker may be made of many pieces: a conversation of several files, a talker who changes sides.
struct StimulusPiece {
  std::string speaker{};
  Seconds onset{};
  Seconds duration{};
  std::string file{};            // below stimuli/: audio, or an envelope table
  Seconds file_onset{};          // where in the file the piece begins
  std::optional<int> channel{};  // of the audio file, from 0; nothing: the mean of all
  std::string trial{};           // empty: the run is one trial
  std::size_t row = 0;           // of the events file, for messages; 0: of none
};

struct AttentionStretch {
  std::string speaker{};
  Seconds onset{};
  Seconds duration{};
  std::string trial{};
  std::size_t row = 0;
};

// Rows in the order of the file. Speakers are named in the order of their first appearance.
struct ListeningEvents {
  std::vector<StimulusPiece> stimuli{};
  std::vector<AttentionStretch> attention{};
};

}  // namespace heed::data

namespace heed {
using data::AttentionStretch;
using data::ListeningEvents;
using data::StimulusPiece;
}  // namespace heed
