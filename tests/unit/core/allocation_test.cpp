// SPDX-License-Identifier: MIT
// Proof that the hot path of core never touches the heap. The control tests come first: a counter
// that could not see an allocation would prove nothing.
#include <heed/core/attention_filter.h>
#include <heed/core/bank_filter.h>
#include <heed/core/fixed_lag_filter.h>
#include <heed/core/gain.h>

#include "support/allocation_counter.h"
#include "support/sanitizers.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <vector>

namespace {

using heed::test::AllocationCount;

// Keeps the compiler from leaving out an allocation whose result nobody reads.
void keep(void* block) { asm volatile("" : : "g"(block) : "memory"); }

TEST(AllocationCounter, SeesNewInEveryForm) {
  struct alignas(128) Wide {
    std::array<double, 16> values{};
  };
  const AllocationCount allocations;
  const auto one = std::make_unique<double>(1.0);
  keep(one.get());
  EXPECT_EQ(allocations.so_far(), 1U);
  const auto many = std::make_unique<double[]>(3);  // NOLINT(modernize-avoid-c-arrays): the array form is meant
  keep(many.get());
  EXPECT_EQ(allocations.so_far(), 2U);
  const auto wide = std::make_unique<Wide>();
  keep(wide.get());
  EXPECT_EQ(allocations.so_far(), 3U);
  const std::unique_ptr<double> quiet(new (std::nothrow) double(1));
  keep(quiet.get());
  EXPECT_EQ(allocations.so_far(), 4U);
}

TEST(AllocationCounter, SeesTheCLibrary) {
  const AllocationCount allocations;
  void* block = std::malloc(8);
  keep(block);
  EXPECT_EQ(allocations.so_far(), 1U);
  block = std::realloc(block, 1 << 20);
  keep(block);
  EXPECT_EQ(allocations.so_far(), 2U);
  std::free(block);
  void* zeros = std::calloc(2, 8);
  keep(zeros);
  EXPECT_EQ(allocations.so_far(), 3U);
  std::free(zeros);
  EXPECT_EQ(allocations.so_far(), 3U) << "giving memory back is no allocation";
#ifndef __SANITIZE_THREAD__  // which does not tell of this one
  void* aligned = std::aligned_alloc(64, 64);
  keep(aligned);
  EXPECT_EQ(allocations.so_far(), 4U);
  std::free(aligned);
#endif
}

TEST(AllocationCounter, SeesAGrowingVector) {
  std::vector<int> numbers(1);
  const AllocationCount allocations;
  while (numbers.size() < 100) numbers.push_back(1);
  EXPECT_GE(allocations.so_far(), 2U);
}

template <typename Real>
class CoreAllocations : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(CoreAllocations, Reals);

TYPED_TEST(CoreAllocations, NoneFromMakingToTheThousandthWindow) {
  using Real = TypeParam;
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  const std::array<std::array<Real, 3>, 3> windows{{{0, 1, -1}, {nan, 0, 0}, {-2, 0, 0}}};
  std::array<Real, 3> posterior{};

  const AllocationCount allocations;
  const auto chain = heed::core::StickyChain<Real>::make(3, Real(0.01));
  auto filter = heed::core::AttentionFilter<Real, 8>::make(*chain);
  const std::array<Real, 3> probabilities{Real(0.001), Real(0.01), Real(0.1)};
  auto bank = heed::core::BankFilter<Real, 8, 7>::make(3, probabilities);
  auto lagged = heed::core::FixedLagFilter<Real, 8, 32>::make(*chain);
  using heed::core::GainMap;
  const auto rule_of = [](GainMap map) { return *heed::core::GainRule<Real, 8>::make(3, Real(1), {.map = map}); };
  std::array gains{rule_of(GainMap::decibels), rule_of(GainMap::amplitude), rule_of(GainMap::decision),
                   rule_of(GainMap::decibels_per_nat), rule_of(GainMap::dead_zone)};
  auto of_two = *heed::core::GainRule<Real, 8>::make(2, Real(1), {.map = GainMap::intelligibility});
  Real amplitude = 0;
  for (std::size_t t = 0; t < 1000; ++t) {
    filter->step(windows[t % 3]);
    bank->step(windows[t % 3]);
    lagged->step(windows[t % 3]);
    ASSERT_TRUE(lagged->look_back(lagged->depth() - 1, posterior));
    for (auto& gain : gains) {
      gain.step(posterior);
      amplitude += gain.linear(t % 3);
    }
    of_two.step(std::span<const Real>(posterior).first(2));
  }
  filter->reset();
  bank->forget();
  lagged->reset();
  EXPECT_EQ(allocations.so_far(), 0U);
  EXPECT_GT(amplitude, 0);
}

}  // namespace
