// SPDX-License-Identifier: MIT
// From an envelope at the target rate to what decoders are told of it, band-passed: the causal mode, of which live and
// offline are made.
#pragma once

#include <dsp/onset.h>
#include <dsp/sections.h>
#include <heed/data/matrix.h>
#include <heed/data/preprocessing.h>

#include <optional>
#include <span>
#include <vector>

namespace heed::dsp {

[[nodiscard]] bool wants_onset(std::span<const SpeechTarget> targets) noexcept;

// Beside each other in the order of the targets. `onset` has the envelope's shape where it is a target.
[[nodiscard]] Matrix target_columns(std::span<const SpeechTarget> targets, const Matrix& envelope, const Matrix& onset);

// Rows are appended to the caller's storage; nothing else is allocated once one is made.
class TargetStream {
 public:
  TargetStream(const Preprocessing& preprocessing, Index columns);

  // A row comes once all its targets are known. The same bits for any chunking.
  void push(MatrixView envelope, std::vector<double>& targets);
  // The last rows: afterwards as many have come out as went in.
  void finish(std::vector<double>& targets);
  // Back to the start.
  void reset() noexcept;

  [[nodiscard]] Index columns() const noexcept { return columns_; }  // of the envelope

 private:
  // `envelope` has as many columns as `onset`.
  void append(std::span<const double> envelope, std::span<const double> onset, std::vector<double>& targets);
  [[nodiscard]] std::span<double> waiting(Index row) noexcept;
  [[nodiscard]] std::span<const double> onset(Index row) const noexcept;

  Index columns_;
  std::vector<SpeechTarget> targets_;
  SectionFilter band_pass_;
  std::optional<OnsetFilter> onset_{};
  std::vector<double> onsets_{};   // rows that have just come
  std::vector<double> waiting_{};  // rows of the envelope that wait for their onsets, in turn
  Index received_ = 0;
  Index written_ = 0;
};

}  // namespace heed::dsp
