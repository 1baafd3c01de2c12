// SPDX-License-Identifier: MIT
// What a file of a study may say of claims (study_file.cpp).
#include <gtest/gtest.h>
#include <study/study_file.h>

namespace heed::study {
namespace {

TEST(ParseStudy, ReadsClaimsOfEveryKind) {
  const Study study = parse_study(R"(
title = "T"
[figure]
picture = "frontiers"
series = ["tracker"]
measures = ["accuracy", "decided_time"]
[[grid]]
tracker = ["causal", "smooth"]
switch_probability = [0.001, 0.01, 0.1]
[[grid]]
tracker = "raw"
window = [1, 5]
[[published]]
at = { tracker = "causal", switch_probability = 0.01 }
decoder = "ls"
accuracy = 90
[[claim]]
kind = "rises_with"
text = "C."
measure = "accuracy"
at = { tracker = "causal" }
along = "switch_probability"
with = "switch_time"
[[claim]]
kind = "changes_less"
text = "C."
measure = "accuracy"
at = { tracker = "smooth" }
than = { tracker = "causal" }
along = "switch_probability"
from = 0.001
to = 0.1
[[claim]]
kind = "better_frontier"
text = "C."
measure = "accuracy"
with = "decided_time"
at = { tracker = "causal" }
along = "switch_probability"
than = { tracker = "raw" }
than_along = "window"
because = "it is"
)",
                                  "t.toml");
  EXPECT_EQ(study.figure.picture, StudyPicture::frontiers);
  EXPECT_EQ(study.figure.measures, (std::vector<std::string>{"accuracy", "decided_time"}));
  EXPECT_EQ(study.published.at(0).decoder, "ls");
  EXPECT_EQ(study.claims.at(0).with, "switch_time");
  EXPECT_EQ(study.claims.at(1).to, 0.1);
  EXPECT_EQ(study.claims.at(2).other_along, "window");
  EXPECT_EQ(study.claims.at(2).because, "it is");
}

}  // namespace
}  // namespace heed::study
