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

// The seconds of listening that served an adaptive decoder best, on average over the listeners on whom it was tried;
// the usual ones where they are fewer than `fewest_others`.
[[nodiscard]] double chosen_seconds(const PopulationAdaptation& adaptation);

struct SumUpRequest {
  FolderRequest folder{};
  DecoderRequest decoder{};
  std::optional<Seconds> window{};  // of the scores whose spread is kept; nothing: as in `added_to`, or 1 s
  std::shared_ptr<const Population> added_to{};  // the folder's listeners join these; nothing: they are all there is
  std::string added_to_name{};                   // for messages: pop.json
};

struct SumUpResult {
  std::optional<Population> population{};  // nothing where everybody failed
  std::vector<ParticipantOutcome> participants{};
  heed::Notes notes{};
};

// The listeners of a folder as a population; of least squares with one target, also tried as the start of an adaptive
// decoder, each listener by what the others know. Throws unsupported for CSP, which has no response to speech; bad_data
// for fewer than two listeners with labels; invalid_argument where those who are there already were made otherwise, and
// for a recording that is there already.
[[nodiscard]] SumUpResult sum_up(const SumUpRequest& request);

}  // namespace heed::pipeline
