// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/io/model_file.h>

#include <limits>
#include <string>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"
#include "support/mutants.h"

namespace heed::io {
namespace {

LearntListener small() {
  LearntListener one{.listener = "01", .origin = "a session", .channels = {"Fz", "Cz"}, .lags = {0, 1}};
  one.preprocessing.filters = FilterMode::causal;
  one.population_covariance = Matrix{{1, 0.5}, {0.5, 1}, {1.0 / 3, 0}, {-0.2, 0.1}};
  one.population_cross = Eigen::Vector4d{0.1, 0.2, -0.3, 1.0 / 7};
  one.population_seconds = 200;
  one.emission = {.mu_attended = 0.1, .mu_unattended = 0.02, .sigma_attended = 0.2, .sigma_unattended = 0.2};
  one.learnt = {.covariance = one.population_covariance / 3,
                .eeg_windows = 12.5,
                .cross = one.population_cross / 7,
                .labelled_windows = 1.0 / 9,
                .scores = {1, 2, 3, 4, 0.1 + 0.2}};
  return one;
}

TEST(ListenerFile, ReadsBackExactly) {
  for (const bool started : {true, false}) {
    LearntListener written = small();
    if (!started) {
      written.population_covariance.resize(0, 0);
      written.population_cross.resize(0);
      written.population_seconds = 0;
    }
    const LearntListener read = parse_listener(listener_text(written));
    EXPECT_EQ(read.listener, written.listener);
    EXPECT_EQ(read.channels, written.channels);
    EXPECT_EQ(read.preprocessing, written.preprocessing);
    EXPECT_EQ(read.lags, written.lags);
    EXPECT_EQ(read.population_covariance, written.population_covariance);
    EXPECT_EQ(read.population_cross, written.population_cross);
    EXPECT_EQ(read.population_seconds, written.population_seconds);
    EXPECT_EQ(read.emission.sigma_attended, written.emission.sigma_attended);
    EXPECT_EQ(read.learnt.covariance, written.learnt.covariance);
    EXPECT_EQ(read.learnt.cross, written.learnt.cross);
    EXPECT_EQ(read.learnt.labelled_windows, written.learnt.labelled_windows);
    EXPECT_EQ(read.learnt.scores, written.learnt.scores);
    EXPECT_EQ(listener_text(read), listener_text(written));
  }
}

TEST(ListenerFile, WhatMakesNoSenseIsRefused) {
  const auto refused = [](const char* word, auto change) {
    LearntListener one = small();
    change(one);
    test::expect_error(ErrorKind::invalid_argument, {word}, [&] { (void)listener_text(one); });
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  refused("Channels", [](LearntListener& one) { one.channels = {"Fz", "Fz"}; });
  refused("Learnt does not fit", [](LearntListener& one) { one.channels.emplace_back("Pz"); });
  refused("Learnt does not fit", [](LearntListener& one) { one.learnt.cross(0) = nan; });
  refused("Population does not fit", [](LearntListener& one) { one.population_cross.resize(3); });
  refused("not counts", [](LearntListener& one) { one.learnt.eeg_windows = -1; });
  refused("five numbers", [](LearntListener& one) { one.learnt.scores.pop_back(); });
  refused("Emission", [](LearntListener& one) { one.emission.mu_attended = 0; });
  refused("Lags", [](LearntListener& one) { one.lags = {1, 0}; });
  std::string text = listener_text(small());
  text.replace(text.find("heed-listener"), 13, "heed-decoders");
  test::expect_error(ErrorKind::bad_data, {"heed-listener"}, [&] { (void)parse_listener(text); });
  test::expect_error(ErrorKind::not_found, {"none.json"}, [] { (void)read_listener("none.json"); });
}

TEST(ListenerFile, BrokenFilesAreReadOrRefused) {
  const std::string good = listener_text(small());
  test::Mutator mutator(5);
  int refused = 0;
  for (int k = 0; k < 1000; ++k) {
    try {
      EXPECT_FALSE(listener_text(parse_listener(mutator.mutant(good))).empty());
    } catch (const Error& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
      ++refused;
    }
  }
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace heed::io
