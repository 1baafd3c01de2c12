// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <pipeline/unknown_switching.h>

#include <nlohmann/json.hpp>

#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

TEST(UnknownSwitching, SaysWhatManySpeakersLeaveOut) {
  Notes notes;
  note_left_out(hmm::Bank::per_second(2, Seconds{1}), notes);
  EXPECT_TRUE(notes.empty());
  note_left_out(hmm::Bank::per_second(64, Seconds{1}), notes);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].text,
            "with 64 speakers no switch probability is above 1/N = 0.01563, so 0.03162, 0.1 per second are not tried");
}

TEST(UnknownSwitching, GoesWithoutTemperatureAndBaumWelchsOwnP) {
  const ChainChoice unknown{.unknown_switch_probability = true};
  EXPECT_NO_THROW(check_unknown_switching({}, unknown));
  EXPECT_NO_THROW(check_unknown_switching({.fit_switch_probability = true, .calibrate = true}, {}));
  test::expect_error(ErrorKind::invalid_argument, {"leave the calibration out"},
                     [&] { check_unknown_switching({.calibrate = true}, unknown); });
  test::expect_error(ErrorKind::invalid_argument, {"choose one"},
                     [&] { check_unknown_switching({.fit_switch_probability = true}, unknown); });
  Notes notes;
  note_unknown_switching({.fit = EmissionFit::baum_welch}, {}, notes);
  note_unknown_switching({}, unknown, notes);
  EXPECT_TRUE(notes.empty());
  note_unknown_switching({.fit = EmissionFit::baum_welch}, unknown, notes);
  EXPECT_EQ(notes.size(), 1U);
}

TEST(UnknownSwitching, IsToldAsJson) {
  const SwitchPosterior found{
      .speakers = 3, .per_second = {0.01, 0.1}, .per_window = {0.02, 0.15}, .weights = {0.25, 0.75}};
  const auto json = nlohmann::json::parse(switching_json(found));
  EXPECT_EQ(json["per_second"], (std::vector{0.01, 0.1}));
  EXPECT_EQ(json["per_window"], (std::vector{0.02, 0.15}));
  EXPECT_EQ(json["interval"], (std::vector{50.0, 5.0}));
  EXPECT_EQ(json["posterior"], found.weights);
  EXPECT_EQ(json["words"], "about every 5 s (p = 0.1 per second, 75 %; 90 % between 5 and 50 s)");
}

}  // namespace
}  // namespace heed::pipeline
