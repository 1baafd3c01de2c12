// SPDX-License-Identifier: MIT
// What a trial was made from, as digests of contents: whether two listeners heard the same sounds, and whether two
// recordings are one under two names.
#pragma once

#include <string>
#include <vector>

namespace heed::pipeline {

struct TrialSource {
  std::string trial{};                 // as Trial::name
  std::string run{};                   // as BidsRun::name
  std::string recording{};             // of the file that holds the EEG's samples; headers name files, and so change
  std::vector<std::string> stimuli{};  // of every sound that was played, each once, sorted
};

}  // namespace heed::pipeline
