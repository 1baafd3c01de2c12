// SPDX-License-Identifier: MIT
#include "decode/sample_labels.h"

#include <data/text.h>
#include <heed/data/error.h>
#include <heed/decode/window_sums.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace heed::decode {
namespace {

// Cells that end within so many samples.
Index whole_cells(Index samples, Hertz rate) {
  auto cells = static_cast<Index>(static_cast<double>(samples) / (cell_length * rate));
  while (first_of_cell(cells + 1, rate) <= samples) ++cells;
  while (cells > 0 && first_of_cell(cells, rate) > samples) --cells;
  return cells;
}

// noun: what the user gave.
Index cells_in(Seconds length, const char* noun, const char* remedy = "0.25, 0.5, 1, ...") {
  const double cells = length / cell_length;
  if (!(cells >= 1) || !std::isfinite(cells) || std::abs(cells - std::round(cells)) > 1e-9) {
    throw Error(ErrorKind::invalid_argument, std::string("a ") + noun + " of " + data::shown(length.value) +
                                                 " s is not a whole number of quarter seconds; use " + remedy);
  }
  constexpr double longest = 1e7;  // s, as times of events; what is counted in it stays far from the largest integer
  if (length.value > longest) {
    throw Error(ErrorKind::invalid_argument, std::string("a ") + noun + " of " + data::shown(length.value) +
                                                 " s is longer than 10000000 s; write seconds");
  }
  return static_cast<Index>(std::lround(cells));
}

bool all_finite(std::span<const PairSums> cell) {
  return std::all_of(cell.begin(), cell.end(),
                     [](const PairSums& sums) { return std::isfinite(sums.uu) && std::isfinite(sums.vv); });
}

}  // namespace

Index first_of_cell(Index cell, Hertz sampling_frequency) {
  // To 1e-9: a rate such as 64.00000001 must not push a boundary by a sample.
  return static_cast<Index>(std::ceil(static_cast<double>(cell) * (cell_length * sampling_frequency) - 1e-9));
}

Index cells_per_window(Seconds window) { return cells_in(window, "window"); }

void check_layout(const WindowLayout& layout) {
  constexpr const char* steps = "0.25, 0.5 or 0.75";
  const Index cells = layout.steps ? cells_in(layout.window, "step", steps) : cells_in(layout.window, "window");
  if (cells_in(layout.hop, "hop") > cells) {
    throw Error(ErrorKind::invalid_argument, "a hop of " + data::shown(layout.hop.value) +
                                                 " s is longer than the window of " + data::shown(layout.window.value) +
                                                 " s, so that EEG would be skipped; use a shorter hop");
  }
  if (layout.steps && cells >= cells_of_power) {
    throw Error(ErrorKind::invalid_argument, "a step of " + data::shown(layout.window.value) +
                                                 " s is not shorter than a second; use " + steps + ", or windows");
  }
}

Index whole_windows(Index samples, Hertz sampling_frequency, const WindowLayout& layout) {
  const Index beyond_first = whole_cells(samples, sampling_frequency) - cells_per_window(layout.window);
  return beyond_first < 0 ? 0 : 1 + (beyond_first / cells_per_window(layout.hop));
}

PairSums& PairSums::operator+=(const PairSums& other) noexcept {
  u += other.u;
  v += other.v;
  uu += other.uu;
  vv += other.vv;
  uv += other.uv;
  return *this;
}

double fisher(double correlation) noexcept {
  constexpr double most = 1 - 1e-7;
  return std::atanh(std::clamp(correlation, -most, most));
}

CellSums::CellSums(Hertz sampling_frequency, Index speakers, Index pairs)
    : sampling_frequency_(sampling_frequency), speakers_(speakers), pairs_(pairs) {
  if (sampling_frequency < Hertz{4}) {
    throw Error(ErrorKind::invalid_argument, "a rate of " + data::shown(sampling_frequency.value) +
                                                 " Hz leaves quarter seconds without a sample; use at least 20 Hz");
  }
}

void CellSums::add(std::span<const double> u, std::span<const double> v, bool missing) {
  const auto pairs = static_cast<std::size_t>(pairs_);
  const std::size_t width = static_cast<std::size_t>(speakers_) * pairs;
  if (samples_ == first_of_cell(complete_, sampling_frequency_)) {
    sums_.resize(sums_.size() + width);
    recorded_.push_back(0);
  }
  if (!missing) {
    PairSums* cell = sums_.data() + (sums_.size() - width);
    for (std::size_t s = 0; s < width; s += pairs) {
      for (std::size_t p = 0; p < pairs; ++p) cell[s + p].add(u[p], v[s + p]);
    }
    ++recorded_.back();
  }
  ++samples_;
  if (samples_ == first_of_cell(complete_ + 1, sampling_frequency_)) complete_cell();
}

// What is no number is not there, so that it reaches no running estimate.
void CellSums::complete_cell() {
  const auto width = static_cast<std::size_t>(speakers_ * pairs_);
  const std::span<PairSums> cell = std::span(sums_).last(width);
  if (!all_finite(cell)) {
    std::ranges::fill(cell, PairSums{});
    recorded_.back() = 0;
  }
  ++complete_;
}

void CellSums::forget_before(Index cell) {
  const Index count = std::clamp<Index>(cell - forgotten_, 0, complete_ - forgotten_);
  sums_.erase(sums_.begin(), sums_.begin() + count * speakers_ * pairs_);
  recorded_.erase(recorded_.begin(), recorded_.begin() + count);
  forgotten_ += count;
}

void CellSums::reserve(Index cells) {
  sums_.reserve(static_cast<std::size_t>(cells * speakers_ * pairs_));
  recorded_.reserve(static_cast<std::size_t>(cells));
}

void CellSums::reset() noexcept {
  sums_.clear();
  recorded_.clear();
  complete_ = samples_ = forgotten_ = 0;
}

Index CellSums::samples_in(Index first, Index cells) const {
  return first_of_cell(first + cells, sampling_frequency_) - first_of_cell(first, sampling_frequency_);
}

bool CellSums::is_spoilt(Index first, Index cells) const {
  Index recorded = 0;
  for (Index k = first; k < first + cells; ++k) recorded += recorded_[static_cast<std::size_t>(k - forgotten_)];
  return recorded < samples_in(first, cells);
}

std::span<const PairSums> CellSums::cell(Index index) const {
  const auto width = static_cast<std::size_t>(speakers_ * pairs_);
  return std::span(sums_).subspan(static_cast<std::size_t>(index - forgotten_) * width, width);
}

std::vector<PairPowers> CellSums::powers() const {
  std::vector<PairPowers> powers(static_cast<std::size_t>(speakers_ * pairs_));
  double samples = 0;
  for (std::size_t k = 0; k < recorded_.size(); ++k) {
    const auto sums = cell(forgotten_ + static_cast<Index>(k));
    if (!all_finite(sums)) continue;  // a last part of a cell
    samples += static_cast<double>(recorded_[k]);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      powers[i].u += sums[i].uu;
      powers[i].v += sums[i].vv;
    }
  }
  for (PairPowers& power : powers) power = {power.u / samples, power.v / samples};
  return powers;
}

AttentionTrack attention_track(const Trial& trial, const WindowLayout& layout) {
  const Hertz rate = trial.sampling_frequency;
  const Index cells = cells_per_window(layout.window);
  const Index hop = cells_per_window(layout.hop);
  const std::vector<Speaker> labels = sample_labels(trial);
  AttentionTrack track;
  for (Index w = 0; w < whole_windows(trial.samples(), rate, layout); ++w) {
    const auto begin = labels.begin() + first_of_cell(w * hop, rate);
    const auto end = labels.begin() + first_of_cell((w * hop) + cells, rate);
    const Speaker first = *begin;
    track.attended.push_back(std::all_of(begin, end, [first](Speaker s) { return s == first; }) ? first
                                                                                                : unknown_speaker);
  }
  return track;
}

}  // namespace heed::decode
