// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/ink/text.h>
#include <report/topography/shown_pattern.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace heed::report {
namespace {

void check(const TopographyPicture& picture) {
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::invalid_argument, message); };
  const auto wrong_number = [&](std::size_t given, const std::string& noun, Index wanted) {
    if (std::cmp_equal(given, wanted)) return;
    refuse(std::to_string(given) + " " + noun + " for a pattern of " + std::to_string(wanted) + "; give one each");
  };
  wrong_number(picture.channels.size(), "names of channels", picture.pattern.rows());
  wrong_number(picture.positions.size(), "positions", picture.pattern.rows());
  wrong_number(picture.lags.size(), "lags", picture.pattern.cols());
  for (std::size_t k = 0; k < picture.lags.size(); ++k) {
    const bool rises = k == 0 || picture.lags[k] > picture.lags[k - 1];
    if (!std::isfinite(picture.lags[k].value) || !rises) {
      refuse("lag " + std::to_string(k + 1) + " does not lie beyond the one before; sort the lags");
    }
  }
}

double largest_of(const Matrix& pattern) {
  double largest = -1;
  for (const double value : pattern.reshaped()) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  if (largest < 0) throw Error(ErrorKind::bad_data, "the pattern holds no number, so there is nothing to draw");
  return largest;
}

// "10⁻⁶"
std::string power_of_ten(int exponent) {
  constexpr std::array digits{"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                              "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = exponent < 0 ? "10\u207b" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) text += digits[static_cast<std::size_t>(digit - '0')];
  return text;
}

}  // namespace

ShownPattern::ShownPattern(const TopographyPicture& picture) : picture_(picture), unit_(picture.unit) {
  check(picture);
  for (const auto& position : picture.positions) directions_.push_back(unit_direction(position));
  largest_ = largest_of(picture.pattern);
  // Numbers that would need many digits are shown in thousands or thousandths, as often as need be.
  if (largest_ == 0 || (largest_ >= 0.01 && largest_ < 10000)) return;
  const int exponent = 3 * static_cast<int>(std::floor(std::log10(largest_) / 3));
  factor_ = std::pow(10.0, -exponent);
  // Beyond what a double holds: such a pattern is as good as zero.
  if (!std::isfinite(factor_)) factor_ = 0;
  largest_ *= factor_;
  unit_ = power_of_ten(exponent) + (unit_.empty() ? "" : " " + unit_);
}

double ShownPattern::value(Index channel, Index lag) const {
  const double value = picture_.pattern(channel, lag);
  return std::isfinite(value) ? factor_ * value : std::numeric_limits<double>::quiet_NaN();
}

Index ShownPattern::placed() const {
  return std::ranges::count_if(directions_, [](const auto& one) { return one.has_value(); });
}

std::vector<Electrode> ShownPattern::electrodes(Index lag) const {
  std::vector<Electrode> found;
  for (Index c = 0; c < channels(); ++c) {
    const double shown = value(c, lag);
    if (!direction(c) || std::isnan(shown)) continue;
    const std::string& name = picture_.channels[static_cast<std::size_t>(c)];
    found.push_back({name, *direction(c), shown, name + ": " + number_label(shown, 3)});
  }
  return found;
}

double ShownPattern::field_power(Index lag) const {
  std::vector<double> values;
  double sum = 0;
  for (Index c = 0; c < channels(); ++c) {
    const double shown = value(c, lag);
    if (std::isnan(shown)) continue;
    values.push_back(shown);
    sum += shown;
  }
  if (values.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0;
  for (const double one : values) squares += (one - mean) * (one - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

}  // namespace heed::report
