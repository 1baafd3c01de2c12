// SPDX-License-Identifier: MIT
// One run: does its recording open, and do sidecar, channels, events and stimuli fit to it? Each stimulus file is
// looked at once, although many runs play it.
#pragma once

#include <heed/data/recording.h>
#include <heed/data/units.h>
#include <heed/io/bids_dataset.h>
#include <io/bids/events_file.h>
#include <io/bids/problems.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace heed::io {

enum class StimulusKind { missing, broken, audio, envelope };

struct StimulusFacts {
  StimulusKind kind = StimulusKind::missing;
  Hertz sampling_frequency{};
  Seconds begin{};  // of what the file holds, on its own clock
  Seconds end{};
  int channels = 0;  // of audio
};

class StimulusCheck {
 public:
  StimulusCheck(std::filesystem::path folder, ProblemList& problems)
      : folder_(std::move(folder)), problems_(problems) {}

  // Is the piece in its file? Problems of the row go to `events`, those of the file to the file, once.
  const StimulusFacts& check(const StimulusPiece& piece, const std::filesystem::path& events, Hertz eeg_rate);

 private:
  const StimulusFacts& facts(const std::string& name);
  [[nodiscard]] StimulusFacts look_at(const std::filesystem::path& file) const;

  std::filesystem::path folder_;
  ProblemList& problems_;
  std::map<std::string, StimulusFacts> known_;
};

struct RunFacts {
  Seconds recorded{};
  std::vector<std::string> eeg_channels{};  // names; empty: not known
  std::vector<TrialPlan> trials{};
};

// Everything found goes to `problems`; what is known of the run is handed back.
[[nodiscard]] RunFacts check_run(const BidsRun& run, StimulusCheck& stimuli, ProblemList& problems);

}  // namespace heed::io
