// SPDX-License-Identifier: MIT
// One stretch of EEG of an XDF file as a run: everything that lies beside it in time, placed on the clock of its
// samples, so that clocks that drift apart meet again.
#pragma once

#include <io/bids/channels_file.h>
#include <io/xdf/xdf_plan.h>

#include <string>
#include <vector>

namespace heed::io {

// The EEG's own clock: sample k of the stretch lies at k / rate.
struct SampleClock {
  XdfSegment segment{};
  Hertz rate{};
  [[nodiscard]] Seconds at(Seconds time) const noexcept {
    return {(time - segment.onset) / segment.period / rate.value};
  }
  [[nodiscard]] Seconds time(Seconds on_clock) const noexcept { return segment.at(on_clock * rate); }
  [[nodiscard]] Seconds end() const noexcept { return {static_cast<double>(segment.samples) / rate.value}; }
};

// Sound of a speaker on that clock: sample j is the one recorded nearest to its time.
struct PlacedVoice {
  std::string speaker{};
  bool is_envelope = false;
  Hertz rate{};
  Seconds onset{};
  std::vector<double> values{};
  [[nodiscard]] Seconds duration() const noexcept { return {static_cast<double>(values.size()) / rate.value}; }
};

struct PlacedRun {
  Recording recording{};
  std::vector<BidsChannel> channels{};
  std::vector<RecordingEvent> markers{};
  std::vector<PlacedVoice> voices{};
};

// Throws as reading does. What a user should know is added to notes.
[[nodiscard]] PlacedRun place_run(XdfFile& file, const XdfPlan& plan, const XdfSegment& segment,
                                  std::vector<std::string>& notes);

// Names of the EEG stream's channels, each one once.
[[nodiscard]] std::vector<std::string> channel_names(const XdfHeader& header, std::vector<std::string>& notes);

// Trials and attention by the plan's rules, within the stretch: a trial lasts until the next, or its end.
struct TrialSpan {
  std::string name{};
  Seconds begin{};
  Seconds end{};
};
[[nodiscard]] std::vector<TrialSpan> trials_of(const XdfPlan& plan, const std::vector<std::string>& ends,
                                               const SampleClock& clock);
[[nodiscard]] std::vector<AttentionStretch> attention_of(const XdfPlan& plan, const SampleClock& clock);

}  // namespace heed::io
