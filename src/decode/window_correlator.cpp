// SPDX-License-Identifier: MIT
#include <data/text.h>
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

// `weight`: shrinkage times the samples of the window.
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

}  // namespace

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
  if (rule.measure == WindowMeasure::cosine && !rule.memory) {
    throw Error(ErrorKind::invalid_argument,
                "the cosine's powers are those of the whole trial, which a live session does not have; train "
                "with a memory of the scores, such as 60 s");
  }
}

WindowCorrelator::WindowCorrelator(const ScoreRule& rule, WindowShape shape, const CellSums& trial)
    : rule_(rule), shape_(shape) {
  check_rule(rule);
  if (rule.measure == WindowMeasure::cosine && !rule.memory) powers_ = trial.powers();
}

// Means whose weights fade by exp(-t / memory), over the cells up to the window's end; a cell with a gap says nothing.
void WindowCorrelator::learn_powers(const CellSums& cells) {
  const double fade = std::exp(-cell_length.value / rule_.memory->value);
  const auto width = static_cast<std::size_t>(cells.speakers() * cells.pairs());
  squares_.resize(width);
  powers_.resize(width);
  for (Index k = next_cell_; k < next_cell_ + shape_.cells; ++k) {
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

void WindowCorrelator::next(const CellSums& cells, MutableMatrixView result) {
  const bool cosine = rule_.measure == WindowMeasure::cosine;
  if (cosine && rule_.memory) learn_powers(cells);
  const Index first = next_cell_;
  next_cell_ += shape_.cells;
  if (cells.is_spoilt(first, shape_.cells)) {
    for (Index s = 0; s < result.rows; ++s) std::ranges::fill(result.row(s), nan);
    return;
  }
  sums_.assign(static_cast<std::size_t>(cells.speakers() * cells.pairs()), PairSums{});
  for (Index k = first; k < next_cell_; ++k) {
    const auto sums = cells.cell(k);
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += sums[i];
  }
  const auto samples = static_cast<double>(cells.samples_in(first, shape_.cells));
  const auto parts = static_cast<std::size_t>(shape_.stacked ? cells.pairs() : 1);
  std::size_t i = 0;
  for (Index s = 0; s < result.rows; ++s) {
    for (double& correlation : result.row(s)) {
      const auto window = std::span<const PairSums>(sums_).subspan(i * parts, parts);
      correlation = cosine ? shrunk_cosine(window, std::span<const PairPowers>(powers_).subspan(i * parts, parts),
                                           rule_.shrinkage * samples)
                           : pearson(window, samples);
      ++i;
    }
  }
}

void WindowCorrelator::reserve(Index speakers, Index pairs) {
  const auto width = static_cast<std::size_t>(speakers * pairs);
  sums_.reserve(width);
  squares_.reserve(width);
  powers_.reserve(width);
}

void WindowCorrelator::reset() noexcept {
  next_cell_ = 0;
  samples_ = 0;
  squares_.clear();
  if (rule_.memory) powers_.clear();
}

}  // namespace heed::decode
