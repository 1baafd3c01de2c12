// SPDX-License-Identifier: MIT
// A hearing aid runs for weeks in float: one million windows stay within 1e-5 of the recursion in long
// double. (The paper's un-normalised log recursion is off by 4e-2 by then.)
#include <heed/core/attention_filter.h>
#include <heed/data/random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

// Textbook forward step in long double.
class LongFilter {
 public:
  LongFilter(std::size_t states, long double p) : p_(p), belief_(states, 1.0L / static_cast<long double>(states)) {}

  void step(const std::vector<float>& log_likelihood) {
    const auto n = static_cast<long double>(belief_.size());
    long double total = 0;
    for (std::size_t j = 0; j < belief_.size(); ++j) {
      const long double predicted = first_ ? belief_[j] : ((1 - (n * p_)) * belief_[j]) + p_;
      belief_[j] = predicted * std::exp(static_cast<long double>(log_likelihood[j]));
      total += belief_[j];
    }
    for (long double& b : belief_) b /= total;
    first_ = false;
  }

  [[nodiscard]] const std::vector<long double>& belief() const { return belief_; }

 private:
  long double p_;
  std::vector<long double> belief_;
  bool first_ = true;
};

class MillionWindows : public testing::TestWithParam<std::size_t> {};

TEST_P(MillionWindows, FloatStaysWithLongDouble) {
  const std::size_t states = GetParam();
  const float p = 0.001F;
  const auto chain = heed::core::StickyChain<float>::make(states, p);
  ASSERT_TRUE(chain);
  auto filter = heed::core::AttentionFilter<float, 8>::make(*chain);
  ASSERT_TRUE(filter);
  LongFilter truth(states, p);
  heed::RandomStream random(101, states);
  std::vector<float> log_likelihood(states);
  std::size_t attended = 0;
  long double worst = 0;
  for (int t = 0; t < 1000000; ++t) {
    if (t % 300 == 0) attended = (attended + 1) % states;
    for (std::size_t j = 0; j < states; ++j) {
      log_likelihood[j] = static_cast<float>(random.normal() + (j == attended ? 0.3 : 0.0));
    }
    ASSERT_EQ(filter->step(log_likelihood), heed::core::Step::updated);
    truth.step(log_likelihood);
    for (std::size_t j = 0; j < states; ++j) worst = std::max(worst, std::abs(filter->belief()[j] - truth.belief()[j]));
  }
  EXPECT_LT(worst, 1e-5L);
  EXPECT_GT(worst, 1e-9L);  // or it was not float that ran
}

INSTANTIATE_TEST_SUITE_P(States, MillionWindows, testing::Values(2U, 3U, 8U));

}  // namespace
