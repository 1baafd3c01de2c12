// SPDX-License-Identifier: MIT
#include "decode/sample_labels.h"

#include <heed/data/error.h>
#include <heed/data/text.h>
#include <heed/decode/window_sums.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace heed::decode {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Cells that end within so many samples.
Index whole_cells(Index samples, Hertz rate) {
  auto cells = static_cast<Index>(static_cast<double>(samples) / (cell_length * rate));
  while (first_of_cell(cells + 1, rate) <= samples) ++cells;
  while (cells > 0 && first_of_cell(cells, rate) > samples) --cells;
  return cells;
}

}  // namespace

Index first_of_cell(Index cell, Hertz sampling_frequency) {
  // To 1e-9: a rate such as 64.00000001 must not push a boundary by a sample.
  return static_cast<Index>(std::ceil(static_cast<double>(cell) * (cell_length * sampling_frequency) - 1e-9));
}

Index cells_per_window(Seconds window) {
  const double cells = window / cell_length;
  if (!(cells >= 1) || !std::isfinite(cells) || std::abs(cells - std::round(cells)) > 1e-9) {
    throw Error(ErrorKind::invalid_argument, "a window of " + data::shown(window.value) +
                                                 " s is not a whole number of quarter seconds; take 0.25, 0.5, 1, ...");
  }
  return static_cast<Index>(std::lround(cells));
}

Index whole_windows(Index samples, Hertz sampling_frequency, Seconds window) {
  return whole_cells(samples, sampling_frequency) / cells_per_window(window);
}

PairSums& PairSums::operator+=(const PairSums& other) noexcept {
  u += other.u;
  v += other.v;
  uu += other.uu;
  vv += other.vv;
  uv += other.uv;
  return *this;
}

double correlation(const PairSums& sums, Index samples) noexcept {
  const auto n = static_cast<double>(samples);
  const double variance_u = sums.uu - sums.u * sums.u / n;
  const double variance_v = sums.vv - sums.v * sums.v / n;
  // What is left of a constant after rounding is no variance.
  const bool varies = variance_u > 1e-12 * sums.uu && variance_v > 1e-12 * sums.vv;
  return varies ? std::clamp((sums.uv - sums.u * sums.v / n) / std::sqrt(variance_u * variance_v), -1.0, 1.0) : nan;
}

double fisher(double correlation) noexcept {
  constexpr double most = 1 - 1e-7;
  return std::atanh(std::clamp(correlation, -most, most));
}

CellSums::CellSums(Hertz sampling_frequency, Index speakers, Index pairs)
    : sampling_frequency_(sampling_frequency), speakers_(speakers), pairs_(pairs) {
  if (sampling_frequency < Hertz{4}) {
    throw Error(ErrorKind::invalid_argument, "a rate of " + std::to_string(sampling_frequency.value) +
                                                 " Hz leaves quarter seconds without a sample; 20 Hz is the least");
  }
}

void CellSums::add(std::span<const double> u, std::span<const double> v, bool missing) {
  const auto width = static_cast<std::size_t>(speakers_ * pairs_);
  if (samples_ == first_of_cell(complete_, sampling_frequency_)) {
    sums_.resize(sums_.size() + width);
    missing_.push_back(0);
  }
  PairSums* cell = sums_.data() + (sums_.size() - width);
  for (std::size_t i = 0; i < width; ++i) cell[i].add(u[i % static_cast<std::size_t>(pairs_)], v[i]);
  if (missing) missing_.back() = 1;
  ++samples_;
  if (samples_ == first_of_cell(complete_ + 1, sampling_frequency_)) ++complete_;
}

void CellSums::forget_before(Index cell) {
  const Index count = std::clamp<Index>(cell - forgotten_, 0, complete_ - forgotten_);
  sums_.erase(sums_.begin(), sums_.begin() + count * speakers_ * pairs_);
  missing_.erase(missing_.begin(), missing_.begin() + count);
  forgotten_ += count;
}

Matrix CellSums::correlations(Index first, Index cells) const {
  const Index begin = first - forgotten_;
  const auto spoilt = missing_.begin() + begin;
  if (std::any_of(spoilt, spoilt + cells, [](char missing) { return missing != 0; })) {
    return Matrix::Constant(speakers_, pairs_, nan);
  }
  const Index samples = first_of_cell(first + cells, sampling_frequency_) - first_of_cell(first, sampling_frequency_);
  Matrix result(speakers_, pairs_);
  const Index width = speakers_ * pairs_;
  for (Index i = 0; i < width; ++i) {
    PairSums sums;
    for (Index k = 0; k < cells; ++k) sums += sums_[static_cast<std::size_t>((begin + k) * width + i)];
    result.data()[i] = correlation(sums, samples);
  }
  return result;
}

AttentionTrack attention_track(const Trial& trial, Seconds window) {
  const Hertz rate = trial.sampling_frequency;
  const Index cells = cells_per_window(window);
  const std::vector<Speaker> labels = sample_labels(trial);
  AttentionTrack track;
  for (Index w = 0; w < whole_windows(trial.samples(), rate, window); ++w) {
    const auto begin = labels.begin() + first_of_cell(w * cells, rate);
    const auto end = labels.begin() + first_of_cell((w + 1) * cells, rate);
    const Speaker first = *begin;
    track.attended.push_back(std::all_of(begin, end, [first](Speaker s) { return s == first; }) ? first
                                                                                                : unknown_speaker);
  }
  return track;
}

}  // namespace heed::decode
