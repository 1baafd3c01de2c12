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

class TargetStream {
 public:
  TargetStream(const Preprocessing& preprocessing, Index columns);

  // A row comes once all its targets are known. The same bits for any chunking.
  [[nodiscard]] Matrix push(const Matrix& envelope);
  // The last rows: afterwards as many have come out as went in.
  [[nodiscard]] Matrix finish();

  [[nodiscard]] Index columns() const noexcept { return waiting_.cols(); }  // of the envelope

 private:
  // The oldest rows of the envelope that have not come out.
  [[nodiscard]] Matrix due(const Matrix& more, Index rows);
  [[nodiscard]] Matrix band_passed(const Matrix& envelope, const Matrix& onset);

  std::vector<SpeechTarget> targets_;
  SectionFilter band_pass_;
  std::optional<OnsetFilter> onset_{};
  Matrix waiting_;  // for their onsets
};

}  // namespace heed::dsp
