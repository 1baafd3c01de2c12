// SPDX-License-Identifier: MIT
#include <heed/evaluate/gains.h>

#include "support/expect_error.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace heed::evaluate {
namespace {

using core::GainMap;
using test::expect_error;

Matrix gains_of_two(const std::vector<double>& differences) {
  Matrix gains(std::ssize(differences), 2);
  for (std::size_t t = 0; t < differences.size(); ++t) {
    gains.row(static_cast<Index>(t)) << differences[t] / 2, -differences[t] / 2;
  }
  return gains;
}

TrackedParticipant tracked(const Matrix& posteriors, std::vector<Speaker> attended, Seconds hop = {1}) {
  TrackedTrial trial{.name = "1"};
  trial.posteriors = {.values = posteriors, .window = {1}, .hop = hop};
  trial.decisions = {.states = std::vector<Speaker>(attended.size(), 0), .window = {1}, .hop = hop};
  trial.attention.attended = std::move(attended);
  return {
      .id = "01", .speakers = std::vector<std::string>(static_cast<std::size_t>(posteriors.cols())), .trials = {trial}};
}

// The golden numbers of the mathematics.
TEST(GainWorth, IsThatOfTheGoldenGains) {
  const Matrix gains = gains_of_two({9, 9, -3, -9, 6, 9});
  const GainWorth worth = GainWorth::measure(data::view(gains), std::vector<Speaker>{0, 0, 0, 0, 1, 1}, {1});
  EXPECT_NEAR(worth.benefit().value(), -1.5, 1e-9);
  EXPECT_NEAR(worth.wrong_emphasis().value(), 270, 1e-9);
  EXPECT_NEAR(worth.travel().value(), 360, 1e-9);
  EXPECT_NEAR(worth.wrong_share().value(), 0.5, 1e-9);
}

TEST(GainWorth, OfThreeSpeakersIsAboveTheMeanPowerOfTheOthers) {
  const GainOptions options{.map = GainMap::decibels_per_nat, .slew_decibel_per_second = 1000};
  Matrix posterior(1, 3);
  posterior << 0.7, 0.2, 0.1;
  const GainWorth worth = GainWorth::measure(tracked(posterior, {0}), options);
  EXPECT_NEAR(worth.benefit().value(), 3.1435921748, 1e-9);
  EXPECT_EQ(worth.wrong_emphasis(), 0);
  EXPECT_EQ(worth.travel(), 0);
}

// Rates per minute do not depend on how often a minute is looked at.
TEST(GainWorth, CountsTimeNotWindows) {
  const Matrix gains = gains_of_two({4, -4, 4, -4});
  const std::vector<Speaker> attended(4, 0);
  const GainWorth each_second = GainWorth::measure(data::view(gains), attended, {1});
  const GainWorth each_quarter = GainWorth::measure(data::view(gains), attended, {0.25});
  EXPECT_EQ(each_second.benefit(), each_quarter.benefit());
  EXPECT_EQ(each_second.wrong_emphasis(), 120);
  EXPECT_EQ(each_quarter.wrong_emphasis(), 120);
  EXPECT_EQ(each_second.travel(), 60 * 24 / 4);
  EXPECT_EQ(each_quarter.travel(), 4 * 60 * 24 / 4);
}

TEST(GainWorth, LeavesOutWindowsWithoutALabel) {
  const Matrix gains = gains_of_two({6, -6, 6});
  const GainWorth worth = GainWorth::measure(data::view(gains), std::vector<Speaker>{0, unknown_speaker, 0}, {1});
  EXPECT_EQ(worth.benefit(), 6);
  EXPECT_EQ(worth.wrong_share(), 0);
  EXPECT_EQ(worth.travel(), 60 * 24 / 3) << "gains are heard whether somebody knows who is attended or not";
  const GainWorth nothing = GainWorth::measure(data::view(gains), std::vector<Speaker>(3, unknown_speaker), {1});
  EXPECT_FALSE(nothing.benefit());
  EXPECT_TRUE(nothing.travel());
  EXPECT_FALSE(GainWorth().travel());
}

TEST(GainWorth, TakesDecisionsAloneForCertain) {
  TrackedParticipant participant = tracked(Matrix(0, 2), {0, 0, 1});
  participant.speakers.resize(2);
  const GainWorth worth = GainWorth::measure(participant, {.slew_decibel_per_second = 1000});
  EXPECT_NEAR(worth.benefit().value(), 4, 1e-12);  // 12, 12, -12
  participant.trials[0].decisions.states[1] = 2;
  expect_error(ErrorKind::bad_data, {"participant 01", "window 2", "2 speakers"},
               [&] { (void)GainWorth::measure(participant); });
}

// Adding a constant to all gains changes nothing, exchanging speakers neither; halves add up to the whole.
RC_GTEST_PROP(GainWorthLaw, DependsOnDifferencesAlone, ()) {
  const int speakers = *rc::gen::inRange(2, 65);
  const int windows = 2 * *rc::gen::inRange(1, 20);
  Matrix gains(windows, speakers);
  std::vector<Speaker> attended;
  for (Index t = 0; t < windows; ++t) {
    for (Index k = 0; k < speakers; ++k) gains(t, k) = *rc::gen::inRange(-200, 200) / 10.0;
    attended.push_back(*rc::gen::inRange(-1, speakers));
  }
  const GainWorth worth = GainWorth::measure(data::view(gains), attended, {0.5});
  const Matrix moved = gains.array() + 7.25;
  const Matrix reversed = gains.rowwise().reverse();
  std::vector<Speaker> other_way = attended;
  for (Speaker& one : other_way) one = one == unknown_speaker ? one : speakers - 1 - one;
  const auto same = [](std::optional<double> a, std::optional<double> b) {
    return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) <= 1e-9 * (1 + std::abs(*a)));
  };
  const auto alike = [&](const GainWorth& a, const GainWorth& b) {
    return same(a.benefit(), b.benefit()) && same(a.wrong_emphasis(), b.wrong_emphasis()) &&
           same(a.travel(), b.travel());
  };
  RC_ASSERT(alike(worth, GainWorth::measure(data::view(moved), attended, {0.5})));
  RC_ASSERT(alike(worth, GainWorth::measure(data::view(reversed), other_way, {0.5})));
  GainWorth halves = GainWorth::measure(data::view(gains).middle_rows(0, windows / 2),
                                        std::span(attended).first(static_cast<std::size_t>(windows / 2)), {0.5});
  halves += GainWorth::measure(data::view(gains).middle_rows(windows / 2, windows / 2),
                               std::span(attended).last(static_cast<std::size_t>(windows / 2)), {0.5});
  RC_ASSERT(same(halves.benefit(), worth.benefit()) && same(halves.wrong_share(), worth.wrong_share()));
}

TEST(GainWorth, RefusesGainsThatCannotBeMeasured) {
  Matrix gains = gains_of_two({1, 2});
  const std::vector<Speaker> attended{0, 1};
  const auto measure = [&](std::span<const Speaker> labels, Seconds hop) {
    return [&gains, labels, hop] { (void)GainWorth::measure(data::view(gains), labels, hop); };
  };
  expect_error(ErrorKind::bad_data, {"1 labels for gains of 2 windows"}, measure(std::span(attended).first(1), {1}));
  expect_error(ErrorKind::bad_data, {"window 1: speaker 2", "gains of 2"}, measure(std::vector<Speaker>{2, 0}, {1}));
  expect_error(ErrorKind::invalid_argument, {"above 0 s", "not 0"}, measure(attended, {0}));
  gains(1, 0) = std::numeric_limits<double>::quiet_NaN();
  expect_error(ErrorKind::bad_data, {"window 2", "not finite"}, measure(attended, {1}));
}

TEST(GainMaps, HaveWordsThatReadBack) {
  for (const char* word : {"decibels", "amplitude", "decision", "dead-zone", "dead-zone:0.9", "2dB/nat", "0.5dB/nat",
                           "intelligibility", "intelligibility:6", "intelligibility:6:0.1", "intelligibility:3:0.2"}) {
    EXPECT_EQ(map_word(with_map(word)), word);
  }
  EXPECT_EQ(with_map("2dB/nat").map, GainMap::decibels_per_nat);
  EXPECT_EQ(with_map("dead-zone:0.95").certainty, 0.95);
  EXPECT_EQ(with_map("decision", with_range(9)).suppressed_decibel, -9);
  for (const char* word : {"", "dead", "2dB", "dB/nat", "xdB/nat", "2 dB/nat", "dead-zone:", "dead-zone:x",
                           "decibels:3", "intelligibility:1:2:3"}) {
    expect_error(ErrorKind::invalid_argument, {std::string("'") + word + "'", "dead-zone", "2dB/nat"},
                 [&] { (void)with_map(word); });
  }
}

TEST(GainMaps, AreRefusedWithTheReason) {
  const auto refused = [](std::initializer_list<std::string_view> says, const GainOptions& options,
                          Index speakers = 2) {
    expect_error(ErrorKind::invalid_argument, says, [&] { (void)make_gain_rule(speakers, {1}, options); });
  };
  refused({"need a range", "0 dB against 0 dB"}, {.suppressed_decibel = 0});
  refused({"need a range"}, {.enhanced_decibel = -20});
  refused({"finite", "nan"}, {.enhanced_decibel = std::nan("")});
  refused({"lowest gain, 1 dB", "above the highest, 0 dB"}, {.lowest_decibel = 1});
  refused({"no room to move"}, {.lowest_decibel = -20, .highest_decibel = -20});
  refused({"slew limit", "not 0"}, {.slew_decibel_per_second = 0});
  refused({"dead zone", "not at 1.2"}, {.map = GainMap::dead_zone, .certainty = 1.2});
  refused({"decibels per nat", "not -2"}, {.map = GainMap::decibels_per_nat, .decibels_per_nat = -2});
  refused({"intelligibility", "two speakers, not for 3", "dead-zone"}, with_map("intelligibility"), 3);
  refused({"margin", "not 0 dB"}, {.map = GainMap::intelligibility, .margin_decibel = 0});
  // Words are refused as soon as they are read.
  for (const char* word : {"dead-zone:1.2", "-2dB/nat", "intelligibility:0"}) {
    expect_error(ErrorKind::invalid_argument, {"usual"}, [&] { (void)with_map(word); });
  }
  refused({"2 to 64 speakers"}, {}, 65);
  expect_error(ErrorKind::invalid_argument, {"range above 0 dB", "not 0"}, [] { (void)with_range(0); });
  expect_error(ErrorKind::invalid_argument, {"range above 0 dB", "not -3"}, [] { (void)with_range(-3); });
}

}  // namespace
}  // namespace heed::evaluate
