// SPDX-License-Identifier: MIT
// Tables: the first byte says which parser is meant, the rest is its text.
#include <heed/io/bids_dataset.h>
#include <heed/io/model_file.h>
#include <heed/io/score_tables.h>
#include <io/bids/channels_file.h>
#include <io/bids/dataset_scan.h>
#include <io/tsv.h>

#include <optional>

#include "target.h"

namespace heed::fuzz {
namespace {

void walk(std::string_view text) {
  io::TsvReader table(text);
  std::size_t rows = 1;
  while (table.next()) {
    require(table.row() > rows || rows == 1);
    rows = table.row();
    for (std::size_t column = 0; column < table.names().size(); ++column) {
      allow_errors([&] { (void)table.number(column); });
    }
  }
}

void scores(std::string_view text) {
  const io::ScoreFile file = io::parse_scores(text);
  require(!file.participant.trials.empty());
  for (const ScoredTrial& trial : file.participant.trials) {
    require(trial.scores.values.rows() == static_cast<Index>(trial.attention.attended.size()));
    require(trial.scores.window.value > 0);
  }
}

void channels(std::string_view text) {
  (void)io::check_channels(text);
  const auto found = io::parse_channels(text);
  require(io::parse_channels(io::channels_text(found)).size() == found.size());
}

}  // namespace
}  // namespace heed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  if (size == 0) return 0;
  const std::string_view text = text_of(data + 1, size - 1);
  allow_errors([&] {
    switch (*data) {
      case 's':
        return scores(text);
      case 'f':  // features of two states
        return (void)heed::io::parse_scores(text, std::nullopt, {.states = {"attend", "rest"}});
      case 'p':
        return (void)heed::io::parse_posteriors(text);
      case 'c':
        return (void)heed::io::parse_chain(text);
      case 'n':
        return channels(text);
      case 'w':
        (void)heed::io::check_participants(text);
        return (void)heed::io::parse_participants(text);
      default:
        return walk(text);
    }
  });
  return 0;
}
