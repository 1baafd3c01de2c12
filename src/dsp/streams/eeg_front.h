// SPDX-License-Identifier: MIT
// What live and offline EEG share: raw chunks in, rows at the target rate out, not yet band-passed. Bad channels,
// missing samples, reference, resampling.
#pragma once

#include <dsp/interpolate.h>
#include <dsp/prepare.h>
#include <dsp/reference.h>
#include <dsp/resample.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::dsp {

// Throws invalid_argument unless there are none or one per channel.
void check_deviations(const EegSource& source, Index channels);

class EegFront {
 public:
  EegFront(const Preprocessing& preprocessing, const EegSource& source);

  // Append to `out`. Each channel is counted from its own first sample: a constant, which the band-pass takes out
  // anyway, and so a channel that starts late starts without a step.
  void push(SampleView chunk, EegRows& out);
  void finish(EegRows& out);
  void reset() noexcept;

  [[nodiscard]] const std::vector<std::string>& channels() const noexcept { return channels_; }

 private:
  struct Column {
    Index source = 0;
    bool interpolated = false;
    bool started = false;
    float first = 0;
    double last = 0;
  };

  [[nodiscard]] bool fill_row(const SampleView& chunk, Index t, std::span<double> row) noexcept;
  void note_missing(Index row);
  [[nodiscard]] bool is_missing(Index output_row);
  void append(Index rows, EegRows& out);

  Index source_channels_;
  std::vector<std::string> channels_{};
  std::vector<Column> columns_{};
  std::optional<ChannelInterpolation> interpolation_{};
  std::optional<Rereference> reference_{};
  std::optional<Resampler> resampler_{};
  std::vector<SampleRange> missing_{};  // input rows that later outputs still look at
  Index received_ = 0;
  Index written_ = 0;
  Matrix block_{};
  Matrix resampled_{};
};

}  // namespace heed::dsp
