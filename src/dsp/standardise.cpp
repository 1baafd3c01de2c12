// SPDX-License-Identifier: MIT
#include <dsp/standardise.h>
#include <heed/data/error.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace heed::dsp {
namespace {

// The rows of a signal that are not missing: visit(row) for each, a column vector over the channels. Returns how many
// there were; throws bad_data for none.
template <typename Visit>
Index for_each_present_row(MatrixView signal, std::span<const SampleRange> missing, Visit visit) {
  Index rows = 0;
  const auto visit_until = [&](Index first, Index end) {
    for (Index t = first; t < end; ++t, ++rows) {
      visit(Eigen::Map<const Eigen::VectorXd>(signal.data + (t * signal.stride), signal.columns));
    }
  };
  Index next = 0;
  for (const SampleRange& range : missing) {
    visit_until(next, std::min(range.first, signal.rows));
    next = std::max(next, range.first + range.count);
  }
  visit_until(next, signal.rows);
  if (rows == 0) throw Error(ErrorKind::bad_data, "every sample of the signal is missing: leave this recording out");
  return rows;
}

// What is left of a constant after its mean is taken away is rounding.
constexpr double flat = 1e-12;

constexpr double median_of_normal = 0.674489750196081743;  // of |x|, in standard deviations

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

SignalScales measure_scales(MatrixView signal, std::span<const SampleRange> missing) {
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(signal.columns);
  Eigen::VectorXd square = Eigen::VectorXd::Zero(signal.columns);
  Eigen::VectorXd largest = Eigen::VectorXd::Zero(signal.columns);
  const Index rows = for_each_present_row(signal, missing, [&](const auto& row) {
    mean += row;
    largest = largest.cwiseMax(row.cwiseAbs());
  });
  mean /= static_cast<double>(rows);
  for_each_present_row(signal, missing, [&](const auto& row) { square += (row - mean).cwiseAbs2(); });
  Eigen::VectorXd deviation = (square / static_cast<double>(rows)).cwiseSqrt();
  deviation = (deviation.array() <= flat * largest.array()).select(0, deviation);
  return {mean, deviation};
}

void standardise(MutableMatrixView signal, const SignalScales& scales, std::span<const SampleRange> missing) {
  if (scales.mean.size() != signal.columns || scales.deviation.size() != signal.columns) {
    throw Error(ErrorKind::invalid_argument, "scales of " + std::to_string(scales.mean.size()) +
                                                 " channels for a signal of " + std::to_string(signal.columns));
  }
  const Eigen::VectorXd factor = (scales.deviation.array() > 0).select(scales.deviation.cwiseInverse(), 0);
  for (Index t = 0; t < signal.rows; ++t) {
    Eigen::Map<Eigen::VectorXd> row(signal.data + (t * signal.stride), signal.columns);
    row = (row - scales.mean).cwiseProduct(factor);
  }
  for (const SampleRange& range : missing) {
    for (Index t = range.first; t < range.first + range.count; ++t) std::ranges::fill(signal.row(t), 0.0);
  }
}

Eigen::VectorXd robust_deviations(MatrixView signal, std::span<const SampleRange> missing) {
  Eigen::VectorXd deviations(signal.columns);
  std::vector<double> sizes;
  for (Index c = 0; c < signal.columns; ++c) {
    sizes.clear();
    for_each_present_row(signal, missing, [&](const auto& row) { sizes.push_back(std::abs(row[c])); });
    deviations[c] = median(sizes) / median_of_normal;
  }
  return deviations;
}

Index clip(MutableMatrixView signal, const Eigen::VectorXd& deviations, double times) noexcept {
  Index clipped = 0;
  for (Index t = 0; t < signal.rows; ++t) {
    for (Index c = 0; c < signal.columns; ++c) {
      const double limit = times * deviations[c];
      if (limit == 0 || !(std::abs(signal(t, c)) > limit)) continue;
      signal(t, c) = std::copysign(limit, signal(t, c));
      ++clipped;
    }
  }
  return clipped;
}

}  // namespace heed::dsp
