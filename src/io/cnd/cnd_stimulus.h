// SPDX-License-Identifier: MIT
// `stim` of a CND file: features x trials, their names, and the condition of each trial.
#pragma once

#include <heed/data/recording.h>
#include <io/cnd/cnd_file.h>
#include <io/mat/mat_file.h>

#include <cstddef>
#include <string>
#include <vector>

namespace heed::io {

class CndStimulus {
 public:
  // Throws bad_data naming the field; invalid_argument for a rule without its feature, naming those there are.
  CndStimulus(const MatValue& stim, const CndReadOptions& options);

  [[nodiscard]] std::size_t trials() const noexcept { return trials_; }
  [[nodiscard]] Hertz rate() const noexcept { return rate_; }
  [[nodiscard]] const std::vector<std::string>& speakers() const noexcept { return speakers_; }
  // Letters and digits; empty: the file tells none. Trials count from 0.
  [[nodiscard]] std::string condition(std::size_t trial) const;
  [[nodiscard]] Envelope envelope(std::size_t speaker, std::size_t trial) const;
  // Stretches from the beginning of the stimulus on, which lasts so long.
  [[nodiscard]] std::vector<AttentionStretch> attention(std::size_t trial, Seconds duration) const;

 private:
  void choose(const std::vector<CndSpeaker>& rules);
  void choose_by_names();
  void add(std::string speaker, std::size_t feature);
  [[nodiscard]] std::size_t feature_named(const std::string& name) const;
  [[nodiscard]] std::string names_text() const;
  [[nodiscard]] MatValue cell(std::size_t feature, std::size_t trial) const;
  [[nodiscard]] std::vector<AttentionStretch> given_attention(std::size_t trial) const;
  [[nodiscard]] std::string attended_by_rule(std::size_t trial) const;

  MatValue stim_;
  MatValue data_;
  Hertz rate_;
  std::size_t features_ = 0;
  std::size_t trials_ = 0;
  std::vector<std::string> names_{};
  std::vector<MarkerRule> rules_;
  std::vector<std::string> speakers_{};
  std::vector<std::size_t> of_speaker_{};           // the feature of each
  std::optional<std::size_t> attention_feature_{};  // cnd_attention_feature
  std::optional<std::string> always_attended_{};
};

}  // namespace heed::io
