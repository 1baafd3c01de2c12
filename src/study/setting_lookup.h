// SPDX-License-Identifier: MIT
// Which setting of a study a published value or a claim is about: what it leaves open has its default.
#pragma once

#include <heed/emission/evidence_scale.h>
#include <study/setting.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace heed::study {

// Beside the parameters the correlations of independence have an axis and a choice of their own.
inline constexpr std::string_view lag_name = "lag";
inline constexpr int longest_correlation_lag = 30;  // windows
// What scores are taken around; the first, which the paper's footnote describes, where a statement does not say.
inline constexpr std::string_view centring_name = "centring";
inline constexpr std::array<std::pair<std::string_view, emission::Centring>, 2> centrings{
    {{"listener", emission::Centring::listener}, {"trial", emission::Centring::trial}}};

class SettingLookup {
 public:
  SettingLookup(std::vector<Setting> settings, StudyMeasure measure);

  // `at` with the values it needs to name one setting, or with `along` one line of settings. Throws invalid_argument:
  // a parameter or value there is not, no such setting, several of them, fewer than `least` values along the line.
  struct Line {
    std::string along{};
    std::size_t least = 2;
  };
  [[nodiscard]] NamedValues complete(NamedValues at, const Line& line) const;

  // Likewise with the values it needs to name one of these series, the settings of which are the points of a frontier:
  // two at least.
  [[nodiscard]] NamedValues complete_series(NamedValues at, const std::vector<std::string>& series) const;

  [[nodiscard]] const std::vector<Setting>& settings() const noexcept { return settings_; }

  // Whether a parameter has more than one value.
  [[nodiscard]] bool varies(std::string_view parameter) const;
  // Whether no two settings have the same values of these parameters.
  [[nodiscard]] bool told_apart_by(const std::vector<std::string>& parameters) const;
  // Throws invalid_argument unless it is a parameter that has different values, numbers all unless words are allowed.
  void check_axis(const std::string& parameter, bool words_allowed = false) const;

 private:
  // The settings at these values, and at the usual ones of parameters that are not free.
  template <typename IsFree>
  [[nodiscard]] std::vector<Setting> hold(NamedValues& at, IsFree is_free) const;

  std::vector<Setting> settings_;
  bool has_lags_;
};

}  // namespace heed::study
