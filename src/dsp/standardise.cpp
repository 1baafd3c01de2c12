// SPDX-License-Identifier: MIT
#include <dsp/standardise.h>
#include <heed/data/error.h>

#include <cmath>
#include <string>

#include "dsp/present_rows.h"

namespace heed::dsp {
namespace {

// What is left of a constant after its mean is taken away is rounding.
constexpr double flat = 1e-12;

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

}  // namespace heed::dsp
