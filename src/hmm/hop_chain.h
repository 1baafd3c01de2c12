// SPDX-License-Identifier: MIT
// The chain over several windows at once, with transitions that stay counted up. Scores that repeat each other say
// something about both ends of a transition; what is left of it beside a weight for each end is e^stay for staying, and
// (A^k)_ij e^(stay [i = j]) is, up to a scale, a chain of the same kind (docs/mathematics.md, Dependent scores).
#pragma once

#include <heed/hmm/chain.h>

#include <optional>
#include <span>

#include "hmm/passes.h"

namespace heed::hmm {

// From an observed window to the next one, some windows later.
struct Hop {
  Index windows = 1;
  double stay = 0;  // log-evidence of staying, at least 0
};

// Only the constructor allocates.
class HopChain {
 public:
  explicit HopChain(const Chain& chain);

  // (A^windows)_ij e^(stay [i = j]) = e^log_scale B_ij: a sticky B where A is, else a matrix. Valid until the next
  // call.
  struct Weighed {
    ChainStep step;
    double log_scale = 0;
  };
  [[nodiscard]] Weighed over(const Hop& hop) noexcept;

  // P(state `age` windows after the first end | both ends) up to scale, where start_i and end_j are what is known at
  // the ends, up to scale.
  struct Ends {
    std::span<const double> start;
    std::span<const double> end;
  };
  void bridge(const Hop& hop, Index age, const Ends& ends, std::span<double> posterior) noexcept;

 private:
  [[nodiscard]] double kept_over(Index windows) const noexcept;  // of a sticky chain: (1 - Np)^windows
  void power(Index windows, Matrix& result) noexcept;

  Chain chain_;
  std::optional<core::StickyChain<double>> sticky_;  // the last one asked for
  Matrix general_;                                   // likewise
  Matrix later_;
  Matrix squared_;
  Matrix product_;
  std::optional<Hop> made_{};
  double log_scale_ = 0;
};

}  // namespace heed::hmm
