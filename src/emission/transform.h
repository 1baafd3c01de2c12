// SPDX-License-Identifier: MIT
// The domain in which scores are normal: atanh for correlations (Fisher 1915), as they are otherwise.
#pragma once

#include <data/text.h>
#include <heed/data/error.h>

#include <algorithm>
#include <cmath>

namespace heed::emission {

// Correlations are clipped to +-fisher_limit before atanh, so that a perfect one stays finite.
inline constexpr double fisher_limit = 1 - 1e-7;

// Whether `transformed` takes it: finite and, where `fisher`, within +-1.
[[nodiscard]] inline bool is_score(double score, bool fisher) noexcept {
  return std::isfinite(score) && (!fisher || (score >= -1 && score <= 1));
}

// The score as the emission sees it, where is_score().
[[nodiscard]] inline double transformed_score(double score, bool fisher) noexcept {
  return fisher ? std::atanh(std::clamp(score, -fisher_limit, fisher_limit)) : score;
}

// Likewise, of any number. Throws bad_data on an infinite score and, where `fisher`, on one beyond +-1.
[[nodiscard]] inline double transformed(double score, bool fisher) {
  if (std::isinf(score)) throw Error(ErrorKind::bad_data, "an infinite score; write n/a for a missing window");
  if (!fisher) return score;
  if (score > 1 || score < -1) {
    throw Error(ErrorKind::bad_data, "score " + data::shown(score) +
                                         " is not a correlation (-1 ... 1); for LDA scores or log-odds choose the "
                                         "gaussian emission");
  }
  return transformed_score(score, fisher);
}

}  // namespace heed::emission
