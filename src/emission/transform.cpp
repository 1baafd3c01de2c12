// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <emission/transform.h>
#include <heed/data/error.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace heed::emission {

bool is_score(double score, bool fisher) noexcept {
  return std::isfinite(score) && (!fisher || (score >= -1 && score <= 1));
}

double transformed(double score, bool fisher) {
  if (std::isinf(score)) {
    throw Error(ErrorKind::bad_data, "an infinite score; write n/a for a missing window");
  }
  if (!fisher) return score;
  if (score > 1 || score < -1) {
    throw Error(ErrorKind::bad_data, "score " + data::shown(score) +
                                         " is not a correlation (-1 ... 1); for LDA scores or log-odds choose the "
                                         "gaussian emission");
  }
  return std::atanh(std::clamp(score, -fisher_limit, fisher_limit));
}

}  // namespace heed::emission
