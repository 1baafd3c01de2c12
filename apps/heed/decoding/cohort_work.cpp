// SPDX-License-Identifier: MIT
#include "decoding/cohort_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "exit_code.h"
#include "terminal.h"

namespace heed::app {

std::vector<std::optional<Error>> for_each_participant(std::span<const io::ParticipantRuns> participants,
                                                       const CohortWork& how,
                                                       const std::function<void(std::size_t)>& work) {
  ProgressBar bar(how.title);
  const auto thrown = pipeline::in_parallel(participants.size(), how.threads, work,
                                            [&](std::size_t done) { bar.show(done, participants.size()); });
  std::vector<std::optional<Error>> failures(participants.size());
  for (std::size_t k = 0; k < thrown.size(); ++k) {
    if (!thrown[k]) continue;
    try {
      std::rethrow_exception(thrown[k]);
    } catch (const Error& error) {
      failures[k] = error;
    }
  }
  return failures;
}

int conclude(std::span<const io::ParticipantRuns> participants, std::span<const std::optional<Error>> failures) {
  const auto failed = std::ranges::count_if(failures, [](const auto& failure) { return failure.has_value(); });
  if (failed == 0) return exit_success;
  for (std::size_t k = 0; k < failures.size(); ++k) {
    if (!failures[k]) continue;
    const std::string who = "sub-" + participants[k].id;
    const std::string what = failures[k]->what();
    fmt::print(stderr, "heed: {}\n", what.starts_with(who) ? what : who + ": " + what);
  }
  if (participants.size() > 1) fmt::print(stderr, "heed: {} of {} participants failed\n", failed, participants.size());
  if (failed < std::ssize(failures)) return exit_partial;
  return exit_code(failures.front()->kind());
}

}  // namespace heed::app
