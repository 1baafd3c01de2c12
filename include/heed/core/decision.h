// SPDX-License-Identifier: MIT
// The one decision rule of heed: the most probable speaker; a tie for the top holds the previous
// decision, and at the first window takes the lowest index. Every tracker uses it.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

namespace heed::core {

template <std::floating_point Real>
class DecisionRule {
 public:
  // belief: one number per speaker, at least one; no NaN.
  constexpr std::size_t decide(std::span<const Real> belief) noexcept {
    std::size_t best = 0;
    bool tied = false;
    for (std::size_t j = 1; j < belief.size(); ++j) {
      if (belief[j] > belief[best]) {
        best = j;
        tied = false;
      } else if (belief[j] == belief[best]) {
        tied = true;
      }
    }
    if (!tied || first_) decided_ = best;
    first_ = false;
    return decided_;
  }

  constexpr void reset() noexcept { *this = {}; }

 private:
  std::size_t decided_ = 0;
  bool first_ = true;
};

extern template class DecisionRule<float>;
extern template class DecisionRule<double>;

}  // namespace heed::core
