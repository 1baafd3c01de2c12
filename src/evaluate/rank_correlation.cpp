// SPDX-License-Identifier: MIT
#include <evaluate/rank_correlation.h>

#include <algorithm>
#include <cmath>

namespace heed::evaluate {
namespace {

// Ranks from 1; equal values share the mean of theirs.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> result;
  for (const double value : values) {
    const auto below = std::ranges::count_if(values, [&](double one) { return one < value; });
    const auto equal = std::ranges::count(values, value);
    result.push_back(static_cast<double>(below) + (static_cast<double>(equal + 1) / 2));
  }
  return result;
}

}  // namespace

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> of_a = ranks(a);
  const std::vector<double> of_b = ranks(b);
  const double middle = static_cast<double>(a.size() + 1) / 2;
  double products = 0;
  double squares_a = 0;
  double squares_b = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    products += (of_a[k] - middle) * (of_b[k] - middle);
    squares_a += (of_a[k] - middle) * (of_a[k] - middle);
    squares_b += (of_b[k] - middle) * (of_b[k] - middle);
  }
  return squares_a > 0 && squares_b > 0 ? products / std::sqrt(squares_a * squares_b) : 0;
}

}  // namespace heed::evaluate
