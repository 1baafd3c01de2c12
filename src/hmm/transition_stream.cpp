// SPDX-License-Identifier: MIT
#include "hmm/transition_stream.h"

#include <heed/core/recursion.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "hmm/passes.h"

namespace heed::hmm {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double log_of(const core::Absorbed<double>& absorbed) noexcept {
  return absorbed.step == core::Step::held ? 0 : absorbed.shift + std::log(absorbed.normaliser);
}

void multiply(std::span<double> values, std::span<const double> by) noexcept {
  for (std::size_t j = 0; j < values.size(); ++j) values[j] *= by[j];
}

}  // namespace

TransitionStream::TransitionStream(const Chain& chain, Index lag)
    : chain_(chain),
      plain_(chain),
      lag_(lag),
      belief_(chain.initial().begin(), chain.initial().end()),
      anchor_(belief_),
      future_(belief_.size()),
      end_(belief_.size()),
      scratch_(belief_.size()),
      missing_(belief_.size(), nan),
      hops_(static_cast<std::size_t>(lag + 1)) {
  for (auto* kept : {&rows_.beliefs, &rows_.arriving, &rows_.departing, &rows_.start}) {
    kept->resize(hops_.size() * belief_.size());
  }
}

std::span<double> TransitionStream::row(std::vector<double>& rows, Index window) const noexcept {
  return std::span(rows).subspan(place(window) * belief_.size(), belief_.size());
}

void TransitionStream::keep(const Hop& hop) noexcept {
  std::ranges::copy(belief_, row(rows_.beliefs, windows_).begin());
  hops_[place(windows_)] = hop;
  ++windows_;
}

void TransitionStream::hold() noexcept {
  const std::span<double> weights = row(rows_.arriving, windows_);
  if (windows_ == 0) {
    std::ranges::fill(weights, 1.0);
  } else {
    advance(plain_, belief_, missing_, {weights, scratch_});
  }
  log_evidence_ = 0;
  keep({.windows = 0});
}

void TransitionStream::step(const TransitionEvidence& evidence) noexcept {
  const std::span<double> arriving = row(rows_.arriving, windows_);
  Hop hop{.windows = 0};
  if (evidence.departing.empty() || observed_ == none) {
    log_evidence_ =
        evidence.common + log_of(windows_ == 0 ? core::absorb(belief_, evidence.arriving, arriving)
                                               : advance(plain_, belief_, evidence.arriving, {arriving, scratch_}));
  } else {
    hop = {.windows = hops(), .stay = evidence.stay};
    const std::span<double> start = row(rows_.start, windows_);
    std::ranges::copy(anchor_, start.begin());
    const auto departed = core::absorb(start, evidence.departing, row(rows_.departing, windows_));
    std::ranges::copy(start, belief_.begin());
    const auto weighed = chain_.over(hop);
    const auto arrived = advance(weighed.step, belief_, evidence.arriving, {arriving, scratch_});
    log_evidence_ = evidence.common + weighed.log_scale + log_of(departed) + log_of(arrived);
  }
  std::ranges::copy(belief_, anchor_.begin());
  observed_ = windows_;
  keep(hop);
}

// P(both ends of the transition into `window` are the same state | all windows): start_i B_ii end_i of sum_ij.
double TransitionStream::stayed(Index window, const HopChain::Weighed& weighed) const noexcept {
  const std::size_t n = belief_.size();
  const auto start = std::span(rows_.start).subspan(place(window) * n, n);
  const auto* sticky = weighed.step.sticky;
  double ends = 0;
  for (const double end : end_) ends += end;
  double stays = 0;
  double all = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto from = static_cast<Index>(i);
    stays += start[i] * end_[i] * (sticky != nullptr ? sticky->stay() : weighed.step.general(from, from));
    if (sticky != nullptr) {
      all += start[i] * ((sticky->kept() * end_[i]) + (sticky->move() * ends));
      continue;
    }
    for (std::size_t j = 0; j < n; ++j) all += start[i] * weighed.step.general(from, static_cast<Index>(j)) * end_[j];
  }
  return stays / all;
}

// From the newest window back: future_ is P(windows after | state) up to scale. emit(window, posterior) is called for
// the windows wanted, the latest first, pair(window, weighed) for transitions between windows that were observed.
template <typename Emit, typename Pair>
void TransitionStream::walk_back(const Wanted& wanted, const Emit& emit, const Pair& pair) noexcept {
  Index window = windows_ - 1;
  for (; window >= wanted.first && window >= observed_; --window) {
    if (window <= wanted.last) emit(window, row(rows_.beliefs, window));
  }
  std::ranges::fill(future_, 1.0);
  for (Index later = observed_; later > wanted.first;) {
    const Hop hop = hops_[place(later)];
    const std::span<double> arriving = row(rows_.arriving, later);
    // Before the first score there is the chain alone; the weights of missing windows are 1.
    if (hop.windows == 0) {
      for (window = later - 1; window >= wanted.first; --window) {
        retreat(plain_, future_, {row(rows_.arriving, window + 1), scratch_});
        if (window > wanted.last) continue;
        std::ranges::copy(future_, scratch_.begin());
        combine(scratch_, row(rows_.beliefs, window));
        emit(window, std::span<double>(scratch_));
      }
      return;
    }
    std::ranges::copy(future_, end_.begin());
    combine(end_, arriving);
    const Index before = later - hop.windows;
    for (window = later - 1; window > before && window >= wanted.first; --window) {
      if (window > wanted.last) continue;
      chain_.bridge(hop, window - before, {row(rows_.start, later), end_}, scratch_);
      core::normalise(scratch_);
      emit(window, std::span<double>(scratch_));
    }
    if (before < wanted.first) return;
    const auto weighed = chain_.over(hop);
    pair(later, weighed);
    retreat(weighed.step, future_, {arriving, scratch_});
    if (before <= wanted.last) {
      std::ranges::copy(future_, scratch_.begin());
      combine(scratch_, row(rows_.start, later));
      emit(before, std::span<double>(scratch_));
    }
    multiply(future_, row(rows_.departing, later));
    core::normalise(future_);
    later = before;
  }
}

bool TransitionStream::look_back(Index age, std::span<double> posterior) noexcept {
  if (age < 0 || age > lag_ || age >= windows_ || posterior.size() != belief_.size()) return false;
  const Index window = windows_ - 1 - age;
  walk_back(
      {window, window}, [&](Index, std::span<double> found) { std::ranges::copy(found, posterior.begin()); },
      [](Index, const HopChain::Weighed&) {});
  return true;
}

void TransitionStream::look_back_on_last(MutableMatrixView posteriors, std::span<double> stays) noexcept {
  const Index first = windows_ - posteriors.rows;
  std::ranges::fill(stays, nan);
  walk_back(
      {first, windows_ - 1},
      [&](Index window, std::span<double> found) { std::ranges::copy(found, posteriors.row(window - first).begin()); },
      [&](Index window, const HopChain::Weighed& weighed) {
        const bool neighbours = hops_[place(window)].windows == 1;
        if (neighbours && !stays.empty()) stays[static_cast<std::size_t>(window - first)] = stayed(window, weighed);
      });
}

void TransitionStream::reset() noexcept {
  windows_ = 0;
  observed_ = none;
  std::ranges::copy(plain_.initial(), belief_.begin());
}

void TransitionStream::resume(std::span<const double> belief) noexcept {
  reset();
  std::ranges::copy(belief, belief_.begin());
  std::ranges::fill(row(rows_.arriving, 0), 1.0);
  keep({.windows = 0});
}

void TransitionStream::resume(const TransitionStream& other) noexcept {
  resume(other.belief_);
  if (other.observed_ == none) return;
  std::ranges::copy(other.anchor_, anchor_.begin());
  observed_ = windows_ - other.hops();
}

}  // namespace heed::hmm
