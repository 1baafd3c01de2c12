// SPDX-License-Identifier: MIT
// The JSON beside a table: same name, ending .json. Says units, window length, what the numbers are.
#pragma once

#include <heed/data/scored.h>
#include <heed/io/score_tables.h>
#include <io/discovery.h>
#include <io/score_tables/window_table.h>
#include <io/text_file.h>
#include <io/text_pieces.h>
#include <io/tsv.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace heed::io {

// What a reader takes from a sidecar; keys it does not know are passed over.
struct Sidecar {
  WindowLengths lengths{};                  // WindowLength, HopLength
  std::optional<Seconds> look_ahead;        // LookAhead; infinite for "end of trial"
  std::optional<int> digits;                // Digits of the table, 1..17
  ScoreType type = ScoreType::correlation;  // ScoreType
};

// Nothing: no sidecar, and so the defaults. Throws Error(bad_data) naming the key.
[[nodiscard]] Sidecar parse_sidecar(std::optional<std::string_view> text);

// Nothing for "-", or a table that itself ends in .json.
[[nodiscard]] std::optional<std::filesystem::path> sidecar_path(const std::filesystem::path& table);

// Its text, if there is one.
[[nodiscard]] std::optional<std::string> read_sidecar_of(const std::filesystem::path& table);

// parse(table, sidecar) of a table and the text of its sidecar; what it throws names the file.
template <typename Parse>
auto read_with_sidecar(const std::filesystem::path& path, Parse&& parse) {
  TextPieces pieces(path);
  const std::optional<std::string> sidecar = read_sidecar_of(path);
  try {
    return parse(TsvReader(pieces), sidecar);
  } catch (const Error& error) {
    throw error.within(input_name(path));
  }
}

// The same for a participant's file, whose name says who it is.
template <typename Parse>
auto read_participant(const std::filesystem::path& path, Parse&& parse) {
  auto result = read_with_sidecar(path, parse);
  result.participant.id = participant_id(path);
  return result;
}

// Both under their names, or neither.
void write_with_sidecar(const std::filesystem::path& path, std::string_view table, std::string_view sidecar);

[[nodiscard]] std::string score_sidecar(const ScoredParticipant& participant, const ScoreWriteOptions& options);
[[nodiscard]] std::string posterior_sidecar(const TrackedParticipant& participant,
                                            const PosteriorWriteOptions& options);

}  // namespace heed::io
