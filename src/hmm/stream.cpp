// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/hmm/filter.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "hmm/passes.h"

namespace heed::hmm {

Index checked_stream_lag(Index lag) {
  if (lag >= 0 && lag <= longest_stream_lag) return lag;
  throw Error(ErrorKind::invalid_argument, "a stream cannot look back " + std::to_string(lag) + " windows; give 0 to " +
                                               std::to_string(longest_stream_lag));
}

bool is_distribution(std::span<const double> belief) noexcept {
  double total = 0;
  for (const double p : belief) total += p >= 0 ? p : std::numeric_limits<double>::quiet_NaN();
  return std::abs(total - 1) <= 1e-6;
}

Stream::Stream(Chain chain, Index lag)
    : chain_(std::move(chain)),
      lag_(checked_stream_lag(lag)),
      belief_(chain_.initial().begin(), chain_.initial().end()),
      scratch_(belief_.size()),
      beliefs_(static_cast<std::size_t>(lag_ + 1) * belief_.size()),
      weights_(beliefs_.size()) {}

std::span<double> Stream::kept(std::vector<double>& rows, Index window) const noexcept {
  const auto place = static_cast<std::size_t>(window % (lag_ + 1));
  return std::span(rows).subspan(place * belief_.size(), belief_.size());
}

core::Step Stream::step(std::span<const double> log_likelihood) noexcept {
  const std::span<double> weights = kept(weights_, windows_);
  const auto absorbed = windows_ == 0 ? core::absorb(belief_, log_likelihood, weights)
                                      : advance(chain_, belief_, log_likelihood, {weights, scratch_});
  if (absorbed.step == core::Step::wrong_size) return absorbed.step;
  std::ranges::copy(belief_, kept(beliefs_, windows_).begin());
  ++windows_;
  return absorbed.step;
}

bool Stream::look_back(Index age, std::span<double> posterior) noexcept {
  const bool there = age >= 0 && age <= lag_ && age < windows_;
  if (!there || posterior.size() != belief_.size()) return false;
  const std::span<double> then = kept(beliefs_, windows_ - 1 - age);
  std::ranges::fill(posterior, 1.0);
  for (Index later = 0; later < age; ++later) {
    retreat(chain_, posterior, {kept(weights_, windows_ - 1 - later), scratch_});
  }
  if (age == 0) {
    std::ranges::copy(then, posterior.begin());
  } else {
    combine(posterior, then);
  }
  return true;
}

bool Stream::resume(std::span<const double> belief) noexcept {
  if (belief.size() != belief_.size() || !is_distribution(belief)) return false;
  windows_ = 1;
  std::ranges::copy(belief, belief_.begin());
  std::ranges::copy(belief, kept(beliefs_, 0).begin());
  std::ranges::fill(kept(weights_, 0), 1.0);
  return true;
}

void Stream::reset() noexcept {
  windows_ = 0;
  std::ranges::copy(chain_.initial(), belief_.begin());
}

}  // namespace heed::hmm
