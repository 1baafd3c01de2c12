// SPDX-License-Identifier: MIT
// C's objects beside those of C++: the same bits; and what callers of C can get wrong.
#include <gtest/gtest.h>
#include <heed/c.h>
#include <heed/core/attention_filter.h>
#include <heed/core/fixed_lag_filter.h>
#include <heed/core/gain.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace heed::core {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<std::vector<float>> windows_of(std::size_t speakers) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<std::vector<float>> windows(200, std::vector<float>(speakers));
  for (auto& window : windows) {
    for (float& value : window) value = normal(random);
  }
  windows[50][1] = nan;
  return windows;
}

TEST(CInterface, FiltersAndGainsAreThoseOfCpp) {
  for (const std::uint32_t speakers : {2U, 3U, 8U}) {
    const heed_chain_options options{HEED_C_VERSION, speakers, 0.01F};
    heed_filter filter;
    heed_lag_filter lagged;
    heed_gains gains;
    heed_gain_options steering = HEED_GAIN_OPTIONS;
    steering.speakers = speakers;
    steering.map = HEED_GAIN_DECIBELS_PER_NAT;
    ASSERT_EQ(heed_filter_init(&filter, sizeof filter, &options), HEED_OK);
    ASSERT_EQ(heed_lag_filter_init(&lagged, sizeof lagged, &options), HEED_OK);
    ASSERT_EQ(heed_gains_init(&gains, sizeof gains, &steering), HEED_OK);
    const auto chain = StickyChain<float>::make(speakers, 0.01F);
    auto own = *AttentionFilter<float, 8>::make(*chain);
    auto own_lagged = *FixedLagFilter<float, 8, HEED_MAX_LAG - 1>::make(*chain);
    auto own_gains = *GainRule<float, 8>::make(speakers, 1, {.map = GainMap::decibels_per_nat});
    std::vector<float> found(speakers);
    std::vector<float> expected(speakers);
    for (const auto& window : windows_of(speakers)) {
      const Step step = own.step(window);
      EXPECT_EQ(heed_filter_step(&filter, window.data(), speakers), step == Step::held ? HEED_HELD : HEED_OK);
      ASSERT_EQ(heed_filter_belief(&filter, found.data(), speakers), HEED_OK);
      EXPECT_TRUE(std::ranges::equal(found, own.belief()));
      std::size_t decision = 99;
      ASSERT_EQ(heed_filter_decision(&filter, &decision), HEED_OK);
      EXPECT_EQ(decision, own.decision());
      EXPECT_GE(heed_gains_step(&gains, found.data(), speakers), HEED_OK);
      own_gains.step(own.belief());
      ASSERT_EQ(heed_gains_decibels(&gains, found.data(), speakers), HEED_OK);
      EXPECT_TRUE(std::ranges::equal(found, own_gains.decibels()));
      ASSERT_EQ(heed_gains_linear(&gains, found.data(), speakers), HEED_OK);
      EXPECT_EQ(found[1], own_gains.linear(1));
      own_lagged.step(window);
      ASSERT_GE(heed_lag_filter_step(&lagged, window.data(), speakers), HEED_OK);
      std::size_t depth = 0;
      ASSERT_EQ(heed_lag_filter_depth(&lagged, &depth), HEED_OK);
      ASSERT_EQ(depth, own_lagged.depth());
      ASSERT_EQ(heed_lag_filter_look_back(&lagged, depth - 1, found.data(), speakers), HEED_OK);
      ASSERT_TRUE(own_lagged.look_back(depth - 1, expected));
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(CInterface, ResetsBeginATrial) {
  const heed_chain_options options = HEED_CHAIN_OPTIONS;
  heed_filter filter;
  heed_lag_filter lagged;
  ASSERT_EQ(heed_filter_init(&filter, sizeof filter, &options), HEED_OK);
  ASSERT_EQ(heed_lag_filter_init(&lagged, sizeof lagged, &options), HEED_OK);
  const std::array window{0.0F, 3.0F};
  std::array<float, 2> first{};
  std::array<float, 2> again{};
  ASSERT_EQ(heed_filter_step(&filter, window.data(), 2), HEED_OK);
  ASSERT_EQ(heed_filter_belief(&filter, first.data(), 2), HEED_OK);
  ASSERT_EQ(heed_filter_reset(&filter), HEED_OK);
  ASSERT_EQ(heed_filter_step(&filter, window.data(), 2), HEED_OK);
  ASSERT_EQ(heed_filter_belief(&filter, again.data(), 2), HEED_OK);
  EXPECT_EQ(first, again);
  ASSERT_EQ(heed_lag_filter_step(&lagged, window.data(), 2), HEED_OK);
  ASSERT_EQ(heed_lag_filter_reset(&lagged), HEED_OK);
  std::size_t depth = 9;
  ASSERT_EQ(heed_lag_filter_depth(&lagged, &depth), HEED_OK);
  EXPECT_EQ(depth, 0U);
  EXPECT_EQ(heed_lag_filter_look_back(&lagged, 0, first.data(), 2), HEED_BAD_ARGUMENT);
}

TEST(CInterface, EmissionsAreThoseOfTheirParameters) {
  heed_gaussian gaussian = HEED_GAUSSIAN;
  heed_emission emission{};
  ASSERT_EQ(heed_emission_gaussian(&emission, &gaussian), HEED_OK);
  EXPECT_FLOAT_EQ(emission.linear, static_cast<float>((0.124 - 0.037) / (0.303 * 0.303)));
  const std::array scores{0.3F, -0.1F};
  std::array<float, 2> found{};
  ASSERT_EQ(heed_log_likelihoods(&emission, scores.data(), found.data(), 2), HEED_OK);
  EXPECT_FLOAT_EQ(found[0], emission.linear * std::atanh(0.3F));
  const std::array beyond{0.3F, -1.1F};
  EXPECT_EQ(heed_log_likelihoods(&emission, beyond.data(), found.data(), 2), HEED_HELD);
  EXPECT_TRUE(std::isnan(found[0]));
  gaussian.sigma_attended = 0;
  EXPECT_EQ(heed_emission_gaussian(&emission, &gaussian), HEED_BAD_ARGUMENT);
  gaussian.sigma_attended = gaussian.sigma_unattended = 1e-30;
  EXPECT_EQ(heed_emission_gaussian(&emission, &gaussian), HEED_BAD_ARGUMENT) << "beyond what a float can hold";
}

TEST(CInterface, MistakesHaveAStatusAndChangeNothing) {
  heed_chain_options options = HEED_CHAIN_OPTIONS;
  heed_filter filter;
  std::memset(&filter, 0xAB, sizeof filter);
  std::array<float, 8> numbers{};
  std::size_t count = 77;
  EXPECT_EQ(heed_filter_step(&filter, numbers.data(), 2), HEED_NOT_INITIALISED);
  EXPECT_EQ(heed_filter_decision(&filter, &count), HEED_NOT_INITIALISED);
  EXPECT_EQ(count, 77U);
  EXPECT_EQ(heed_filter_init(nullptr, sizeof filter, &options), HEED_NULL);
  EXPECT_EQ(heed_filter_init(&filter, sizeof filter, nullptr), HEED_NULL);
  EXPECT_EQ(heed_filter_init(&filter, heed_filter_size() - 1, &options), HEED_WRONG_SIZE);
  options.version = HEED_C_VERSION + 1;
  EXPECT_EQ(heed_filter_init(&filter, sizeof filter, &options), HEED_WRONG_VERSION);
  for (const float p : {0.0F, -1.0F, 0.6F, nan}) {
    const heed_chain_options bad{HEED_C_VERSION, 2, p};
    EXPECT_EQ(heed_filter_init(&filter, sizeof filter, &bad), HEED_BAD_ARGUMENT);
  }
  for (const std::uint32_t speakers : {0U, 1U, 9U, 4000000000U}) {
    const heed_chain_options bad{HEED_C_VERSION, speakers, 1e-12F};
    EXPECT_EQ(heed_filter_init(&filter, sizeof filter, &bad), HEED_BAD_ARGUMENT);
  }
  EXPECT_EQ(heed_filter_reset(&filter), HEED_NOT_INITIALISED) << "a failed init leaves the memory as it was";
  options.version = HEED_C_VERSION;
  ASSERT_EQ(heed_filter_init(&filter, sizeof filter, &options), HEED_OK);
  EXPECT_EQ(heed_filter_step(&filter, numbers.data(), 3), HEED_WRONG_SIZE);
  EXPECT_EQ(heed_filter_step(&filter, nullptr, 2), HEED_NULL);
  EXPECT_EQ(heed_filter_belief(&filter, nullptr, 2), HEED_NULL);
  EXPECT_EQ(heed_filter_belief(nullptr, numbers.data(), 2), HEED_NULL);
  EXPECT_EQ(heed_filter_reset(nullptr), HEED_NULL);
  // One object taken for another.
  heed_lag_filter lagged;
  std::memcpy(&lagged, &filter, sizeof filter);
  EXPECT_EQ(heed_lag_filter_reset(&lagged), HEED_NOT_INITIALISED);
  heed_gain_options steering = HEED_GAIN_OPTIONS;
  heed_gains gains;
  steering.map = 6;
  EXPECT_EQ(heed_gains_init(&gains, sizeof gains, &steering), HEED_BAD_ARGUMENT);
  steering = HEED_GAIN_OPTIONS;
  steering.slew_decibel_per_second = 0;
  EXPECT_EQ(heed_gains_init(&gains, sizeof gains, &steering), HEED_BAD_ARGUMENT);
  steering = HEED_GAIN_OPTIONS;
  ASSERT_EQ(heed_gains_init(&gains, sizeof gains, &steering), HEED_OK);
  const std::array no_posterior{nan, 0.5F};
  EXPECT_EQ(heed_gains_step(&gains, no_posterior.data(), 2), HEED_HELD);
}

TEST(CInterface, ObjectsFitAndEveryStatusHasASentence) {
  EXPECT_LE(heed_filter_size(), sizeof(heed_filter));
  EXPECT_LE(heed_lag_filter_size(), sizeof(heed_lag_filter));
  EXPECT_LE(heed_gains_size(), sizeof(heed_gains));
  EXPECT_EQ(sizeof(heed_filter), HEED_FILTER_BYTES);
  EXPECT_EQ(heed_c_version(), HEED_C_VERSION);
  for (int status = HEED_INTERNAL; status <= HEED_HELD; ++status) {
    EXPECT_STRNE(heed_status_text(static_cast<heed_status>(status)), "no status of heed");
  }
}

// The default options are those of C++, said twice: here they are compared.
TEST(CInterface, UsualOptionsAreThoseOfCpp) {
  const heed_gain_options c = HEED_GAIN_OPTIONS;
  const GainOptions<float> cpp;
  EXPECT_EQ(static_cast<GainMap>(c.map), cpp.map);
  EXPECT_EQ(c.enhanced_decibel, cpp.enhanced_decibel);
  EXPECT_EQ(c.suppressed_decibel, cpp.suppressed_decibel);
  EXPECT_EQ(c.slew_decibel_per_second, cpp.slew_decibel_per_second);
  EXPECT_EQ(c.lowest_decibel, cpp.lowest_decibel);
  EXPECT_EQ(c.highest_decibel, cpp.highest_decibel);
  EXPECT_EQ(c.decibels_per_nat, cpp.decibels_per_nat);
  EXPECT_EQ(c.certainty, cpp.certainty);
  EXPECT_EQ(c.margin_decibel, cpp.margin_decibel);
  EXPECT_EQ(c.slope_per_decibel, cpp.slope_per_decibel);
}

}  // namespace
}  // namespace heed::core
