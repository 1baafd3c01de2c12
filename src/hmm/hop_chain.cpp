// SPDX-License-Identifier: MIT
#include "hmm/hop_chain.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace heed::hmm {
namespace {

// result <- a b, all of them N x N and different.
void multiply(const Matrix& a, const Matrix& b, Matrix& result) noexcept {
  result.setZero();
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index m = 0; m < a.cols(); ++m) {
      for (Index j = 0; j < b.cols(); ++j) result(i, j) += a(i, m) * b(m, j);
    }
  }
}

double sum_of(std::span<const double> values) noexcept {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace

HopChain::HopChain(const Chain& chain) : chain_(chain) {
  if (chain.as_sticky() != nullptr) return;
  for (Matrix* matrix : {&general_, &later_, &squared_, &product_}) matrix->resize(chain.states(), chain.states());
}

double HopChain::kept_over(Index windows) const noexcept {
  return std::pow(chain_.as_sticky()->kept(), static_cast<double>(windows));
}

// By squaring: O(N^3 log windows).
void HopChain::power(Index windows, Matrix& result) noexcept {
  const MatrixView transition = chain_.general();
  for (Index i = 0; i < transition.rows; ++i) {
    for (Index j = 0; j < transition.columns; ++j) squared_(i, j) = transition(i, j);
  }
  result.setIdentity();
  for (Index left = windows; left > 0; left /= 2) {
    if (left % 2 == 1) {
      multiply(result, squared_, product_);
      result.swap(product_);
    }
    if (left == 1) break;
    multiply(squared_, squared_, product_);
    squared_.swap(product_);
  }
}

HopChain::Weighed HopChain::over(const Hop& hop) noexcept {
  const bool is_made = made_ && made_->windows == hop.windows && made_->stay == hop.stay;
  const double leaving = std::exp(-hop.stay);  // what a transition that leaves counts beside one that stays
  if (const auto* base = chain_.as_sticky(); base != nullptr && !is_made) {
    const auto n = static_cast<double>(base->states());
    const double p = hop.windows == 1 ? base->move() : (1 - kept_over(hop.windows)) / n;
    const double row_sum = (1 - ((n - 1) * p)) + ((n - 1) * p * leaving);
    sticky_ = core::StickyChain<double>::make(base->states(), std::min(p * leaving / row_sum, 1 / n));
    log_scale_ = hop.stay + std::log(row_sum);
  } else if (!is_made) {
    power(hop.windows, general_);
    for (Index i = 0; i < general_.rows(); ++i) {
      for (Index j = 0; j < general_.cols(); ++j) general_(i, j) *= i == j ? 1 : leaving;
    }
    log_scale_ = hop.stay;
  }
  made_ = hop;
  return {{.sticky = sticky_ ? &*sticky_ : nullptr, .general = data::view(std::as_const(general_))}, log_scale_};
}

// The joint weight of the ends is R_ij = start_i end_j e^(stay ([i = j] - 1)), and the state between them is
// sum_ij R_ij (A^age)_im (A^rest)_mj. On a sticky chain A^k = kept_k I + p_k, which leaves sums over rows and columns.
void HopChain::bridge(const Hop& hop, Index age, const Ends& ends, std::span<double> posterior) noexcept {
  const double leaving = std::exp(-hop.stay);
  const auto [start, end] = ends;
  if (chain_.as_sticky() != nullptr) {
    const auto n = static_cast<double>(chain_.states());
    const double kept_before = kept_over(age);
    const double kept_after = kept_over(hop.windows - age);
    const double before = (1 - kept_before) / n;
    const double after = (1 - kept_after) / n;
    const double starts = sum_of(start);
    const double all_ends = sum_of(end);
    double both = 0;
    for (std::size_t m = 0; m < start.size(); ++m) both += start[m] * end[m];
    const double total = (leaving * starts * all_ends) + ((1 - leaving) * both);
    for (std::size_t m = 0; m < start.size(); ++m) {
      const double row = start[m] * ((leaving * all_ends) + ((1 - leaving) * end[m]));
      const double column = end[m] * ((leaving * starts) + ((1 - leaving) * start[m]));
      posterior[m] = (kept_before * kept_after * start[m] * end[m]) + (kept_before * after * row) +
                     (before * kept_after * column) + (before * after * total);
    }
    return;
  }
  made_.reset();
  power(age, general_);
  power(hop.windows - age, later_);
  for (Index m = 0; m < chain_.states(); ++m) {
    double arrived = 0;
    double departs = 0;
    double returns = 0;
    for (Index i = 0; i < chain_.states(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      arrived += start[k] * general_(i, m);
      departs += later_(m, i) * end[k];
      returns += start[k] * end[k] * general_(i, m) * later_(m, i);
    }
    posterior[static_cast<std::size_t>(m)] = (leaving * arrived * departs) + ((1 - leaving) * returns);
  }
}

}  // namespace heed::hmm
