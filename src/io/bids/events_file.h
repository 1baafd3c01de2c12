// SPDX-License-Identifier: MIT
// `*_events.tsv`: which sound came from whom and who was listened to. Columns onset, duration,
// trial_type, speaker, stim_file and, where wanted, stim_onset, stim_channel (from 0) and trial.
// Rows of a trial_type other than stimulus and attend are passed over. docs/formats.md, events.
#pragma once

#include <heed/data/recording.h>
#include <io/bids/problems.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace heed::io {

// Throws bad_data with row, column and remedy for the first row that makes no sense. Whether the rows make
// sense together is the plan's business (trial_plan.h).
[[nodiscard]] ListeningEvents parse_events(std::string_view text);
[[nodiscard]] ListeningEvents read_events(const std::filesystem::path& path);  // errors name the file

// Every row that can be read, and what is wrong with the others.
struct CheckedEvents {
  ListeningEvents events{};
  Problems problems{};
};
[[nodiscard]] CheckedEvents check_events(std::string_view text);

// The table, rows by onset, stimuli before attention; reads back exactly. Columns that every row leaves at
// their default are left out. Throws invalid_argument for what cannot be written: times that are not finite, a
// duration that is not positive, names with a tab or line end.
[[nodiscard]] std::string events_text(const ListeningEvents& events);

// What the columns mean, for people and for BIDS: the JSON beside the table, or task-X_events.json for all.
[[nodiscard]] std::string events_sidecar_text();

}  // namespace heed::io
