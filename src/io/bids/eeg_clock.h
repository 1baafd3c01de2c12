// SPDX-License-Identifier: MIT
// Which samples of a recording fall into a stretch of its clock.
#pragma once

#include <heed/data/recording.h>

#include <string>
#include <vector>

namespace heed::io {

struct EegStretch {
  Index first_sample = 0;
  Index samples = 0;
  Seconds onset{};
  Seconds duration{};
  std::string problem{};  // "...lies outside the EEG; what to do"; empty: there is a stretch
};

class EegClock {
 public:
  // Throws bad_data if the recording has no rate or no samples.
  explicit EegClock(const RecordingHeader& header);

  [[nodiscard]] Seconds half_sample() const { return {0.5 / rate_.value}; }

  // The samples at or after `begin` and before `end` that there are, without a pause.
  [[nodiscard]] EegStretch cut(Seconds begin, Seconds end) const;

 private:
  Hertz rate_;
  std::vector<RecordingSegment> segments_;  // those without a pause between them joined
};

}  // namespace heed::io
