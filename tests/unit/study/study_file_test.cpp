// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/study/setting.h>
#include <heed/study/study_file.h>

#include <algorithm>
#include <string>

namespace heed::study {
namespace {

TEST(BuiltInStudies, AreAllThere) {
  const std::vector<std::string_view> names = built_in_studies();
  const std::vector<std::string_view> expected{
      "independence",       "post_processors", "attention_switch", "window_length",    "decoders",
      "switch_probability", "switch_interval", "speakers",         "decoder_accuracy", "artificial_switches",
      "fixed_lag",          "calibration",     "label_free",       "random_intervals"};
  EXPECT_EQ(names, expected);
}

TEST(BuiltInStudies, CanBeReadAndRun) {
  for (const std::string_view name : built_in_studies()) {
    const Study study = find_study(std::string(name));
    EXPECT_EQ(study.name, name);
    EXPECT_FALSE(study.question.empty()) << name;
    EXPECT_GE(settings_of(study).size(), 3U) << name;
  }
}

}  // namespace
}  // namespace heed::study
