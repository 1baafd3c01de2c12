// SPDX-License-Identifier: MIT
#include <evaluate/claim_words.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace heed::evaluate {

bool is_share(const std::string& measure) {
  constexpr std::array<std::string_view, 5> shares{"accuracy", "whole_accuracy", "miss_rate", "ece", "wrong_share"};
  return std::ranges::find(shares, measure) != shares.end();
}

std::string with_decimals(double value, int decimals) {
  const double unit = std::pow(10, decimals);
  double rounded = std::round(value * unit) / unit;
  if (rounded == 0) rounded = 0;  // no "-0.0"
  std::string text = std::to_string(rounded);
  return text.substr(0, text.find('.') + (decimals > 0 ? 1 + static_cast<std::size_t>(decimals) : 0));
}

std::string in_words(double value, const std::string& measure) {
  if (is_share(measure)) return with_decimals(100 * value, 1) + " %";
  if (measure.ends_with("_time")) return with_decimals(value, 1) + " s";
  if (measure == "benefit") return with_decimals(value, 2) + " dB";
  if (measure == "wrong_emphasis") return with_decimals(value, 1) + " dB s per minute";
  if (measure == "travel") return with_decimals(value, 1) + " dB per minute";
  if (measure == "false_switch_rate") return with_decimals(value, 2) + " per minute";
  return with_decimals(value, 3);
}

std::string difference_in_words(double value, const std::string& measure) {
  return is_share(measure) ? with_decimals(100 * value, 1) + " points" : in_words(value, measure);
}

std::string p_in_words(double p) { return p < 0.001 ? "p < 0.001" : "p = " + with_decimals(p, p < 0.1 ? 3 : 2); }

}  // namespace heed::evaluate
