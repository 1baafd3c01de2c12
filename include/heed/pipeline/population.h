// SPDX-License-Identifier: MIT
// What other listeners lend to the one who is decoded: who they are, and a folder's listeners summed up for others
// (docs/recipe.md).
#pragma once

#include <heed/data/population.h>
#include <heed/pipeline/prepare.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::pipeline {

// Fewer others are no help.
inline constexpr std::size_t fewest_others = 4;

// Who lends. Where nothing is said, the recipe decides: with heed's the other listeners of the folder, provided that at
// least `fewest_others` of them heard other sounds than the test plays; with any other recipe nobody.
struct PopulationRequest {
  bool none = false;                          // nobody, whatever the recipe
  std::shared_ptr<const Population> given{};  // these, however few they are
  std::string name{};                         // of `given`, for messages and sidecars: pop.json
  std::optional<double> weight{};             // of theirs, 0 ... 1; nothing: by their number; 0: nobody
};

struct SumUpRequest {
  FolderRequest folder{};
  DecoderRequest decoder{};
  Seconds window{1};  // of the scores whose spread is kept
};

struct SumUpResult {
  std::optional<Population> population{};  // nothing where everybody failed
  std::vector<ParticipantOutcome> participants{};
  heed::Notes notes{};
};

// The listeners of a folder as a population. Throws unsupported for CSP, which has no response to speech; bad_data for
// fewer than two listeners with labels.
[[nodiscard]] SumUpResult sum_up(const SumUpRequest& request);

}  // namespace heed::pipeline
