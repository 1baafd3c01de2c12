// SPDX-License-Identifier: MIT
#include <data/text.h>
#include "decode/shrunk_cosine.h"

#include <heed/data/error.h>
#include <heed/decode/score.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::decode {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Of one pair, or of several as parts of one signal; each part less its own mean.
double pearson(std::span<const PairSums> parts, double samples) {
  PairSums whole;   // sums of squares and products about the mean
  PairSums before;  // about zero
  for (const PairSums& part : parts) {
    whole.uu += part.uu - part.u * part.u / samples;
    whole.vv += part.vv - part.v * part.v / samples;
    whole.uv += part.uv - part.u * part.v / samples;
    before.uu += part.uu;
    before.vv += part.vv;
  }
  // What is left of a constant after rounding is no variance.
  const bool varies = whole.uu > 1e-12 * before.uu && whole.vv > 1e-12 * before.vv;
  return varies ? std::clamp(whole.uv / std::sqrt(whole.uu * whole.vv), -1.0, 1.0) : nan;
}

// The mean products of a step over the powers of its second.
double step_cosine(std::span<const PairSums> parts, std::span<const PairPowers> second,
                   std::span<const PairPowers> powers, double samples) {
  double product = 0;
  PairPowers whole;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    product += parts[i].uv / samples;
    whole.u += second[i].u + step_shrinkage * powers[i].u;
    whole.v += second[i].v + step_shrinkage * powers[i].v;
  }
  return whole.u > 0 && whole.v > 0 ? product / (std::sqrt(whole.u) * std::sqrt(whole.v)) : nan;
}

}  // namespace

double shrunk_cosine(std::span<const PairSums> parts, std::span<const PairPowers> powers, double weight) {
  PairSums whole;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    whole.uu += parts[i].uu + weight * powers[i].u;
    whole.vv += parts[i].vv + weight * powers[i].v;
    whole.uv += parts[i].uv;
  }
  const bool sounds = whole.uu > 0 && whole.vv > 0;
  return sounds ? std::clamp(whole.uv / (std::sqrt(whole.uu) * std::sqrt(whole.vv)), -1.0, 1.0) : nan;
}

void check_rule(const ScoreRule& rule) {
  if (!(rule.shrinkage >= 0) || !std::isfinite(rule.shrinkage)) {
    throw Error(ErrorKind::invalid_argument,
                "a shrinkage of " + data::shown(rule.shrinkage) +
                    " of the scores is not possible; give a number of at least 0 (0.3 is usual)");
  }
  if (rule.memory && (!(rule.memory->value > 0) || !std::isfinite(rule.memory->value))) {
    throw Error(ErrorKind::invalid_argument,
                "a memory of " + data::shown(rule.memory->value) +
                    " s of the scores is not possible; give a time above 0 (60 s is usual)");
  }
}

WindowCorrelator::WindowCorrelator(const ScoreRule& rule, WindowShape shape) : rule_(rule), shape_(shape) {
  check_rule(rule);
  if (uses_powers() && !rule.memory) {
    throw Error(ErrorKind::invalid_argument,
                "the cosine's powers are those of the whole trial, which a live session does not have; train "
                "with a memory of the scores, such as 60 s");
  }
}

WindowCorrelator::WindowCorrelator(const ScoreRule& rule, WindowShape shape, const CellSums& trial)
    : rule_(rule), shape_(shape) {
  check_rule(rule);
  if (uses_powers() && !rule.memory) powers_ = trial.powers();
}

bool WindowCorrelator::uses_powers() const noexcept { return shape_.steps || rule_.measure == WindowMeasure::cosine; }

Index WindowCorrelator::first_needed_cell() const noexcept {
  return std::max<Index>(0, next_cell_ - (shape_.steps ? cells_of_power - shape_.cells : 0));
}

// Means whose weights fade by exp(-t / memory), over the cells up to the window's end; a cell with a gap says nothing.
void WindowCorrelator::learn_powers(const CellSums& cells, Index end) {
  const double fade = std::exp(-cell_length.value / rule_.memory->value);
  const auto width = static_cast<std::size_t>(cells.speakers() * cells.pairs());
  squares_.resize(width);
  powers_.resize(width);
  for (; learnt_cells_ < end; ++learnt_cells_) {
    const Index k = learnt_cells_;
    if (cells.is_spoilt(k, 1)) continue;
    const auto sums = cells.cell(k);
    samples_ = fade * samples_ + static_cast<double>(cells.samples_in(k, 1));
    for (std::size_t i = 0; i < width; ++i) {
      squares_[i] = {fade * squares_[i].u + sums[i].uu, fade * squares_[i].v + sums[i].vv};
      powers_[i] = {squares_[i].u / samples_, squares_[i].v / samples_};
    }
  }
}

Matrix WindowCorrelator::next(const CellSums& cells) {
  Matrix result(cells.speakers(), shape_.stacked ? 1 : cells.pairs());
  next(cells, data::view(result));
  return result;
}

// The sums of the next window; of a step also the powers of the second that ends with it, as far as it was recorded.
void WindowCorrelator::sum_up(const CellSums& cells) {
  const auto width = static_cast<std::size_t>(cells.speakers() * cells.pairs());
  const Index end = next_cell_ + shape_.cells;
  sums_.assign(width, PairSums{});
  for (Index k = next_cell_; k < end; ++k) {
    const auto sums = cells.cell(k);
    for (std::size_t i = 0; i < width; ++i) sums_[i] += sums[i];
  }
  if (!shape_.steps) return;
  second_.assign(width, PairPowers{});
  Index samples = 0;
  for (Index k = std::max<Index>(0, end - cells_of_power); k < end; ++k) {
    if (cells.is_spoilt(k, 1)) continue;
    samples += cells.samples_in(k, 1);
    const auto sums = cells.cell(k);
    for (std::size_t i = 0; i < width; ++i) second_[i] = {second_[i].u + sums[i].uu, second_[i].v + sums[i].vv};
  }
  const auto count = static_cast<double>(samples);
  for (PairPowers& power : second_) power = {power.u / count, power.v / count};
}

double WindowCorrelator::score_of(std::size_t first_part, std::size_t parts, double samples) const {
  const auto window = std::span(sums_).subspan(first_part, parts);
  if (!uses_powers()) return pearson(window, samples);
  const auto powers = std::span(powers_).subspan(first_part, parts);
  if (shape_.steps) return step_cosine(window, std::span(second_).subspan(first_part, parts), powers, samples);
  return shrunk_cosine(window, powers, rule_.shrinkage * samples);
}

void WindowCorrelator::next(const CellSums& cells, MutableMatrixView result) {
  if (uses_powers() && rule_.memory) learn_powers(cells, next_cell_ + shape_.cells);
  const bool spoilt = cells.is_spoilt(next_cell_, shape_.cells);
  if (!spoilt) sum_up(cells);
  const auto samples = static_cast<double>(cells.samples_in(next_cell_, shape_.cells));
  const auto parts = static_cast<std::size_t>(shape_.stacked ? cells.pairs() : 1);
  std::size_t part = 0;
  for (Index s = 0; s < result.rows; ++s) {
    for (double& correlation : result.row(s)) {
      correlation = spoilt ? nan : score_of(part, parts, samples);
      part += parts;
    }
  }
  next_cell_ += shape_.hop;
}

void WindowCorrelator::reserve(Index speakers, Index pairs) {
  const auto width = static_cast<std::size_t>(speakers * pairs);
  sums_.reserve(width);
  squares_.reserve(width);
  powers_.reserve(width);
  second_.reserve(width);
}

void WindowCorrelator::reset() noexcept {
  next_cell_ = 0;
  learnt_cells_ = 0;
  samples_ = 0;
  squares_.clear();
  if (rule_.memory) powers_.clear();
}

}  // namespace heed::decode
