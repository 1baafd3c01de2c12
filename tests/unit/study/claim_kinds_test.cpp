// SPDX-License-Identifier: MIT
// What a file of a study may say of claims (study_file.cpp).
#include <gtest/gtest.h>
#include <study/study_file.h>

#include <algorithm>

#include "support/expect_error.h"

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
than = { tracker = "raw" }
says = "the causal HMM is more accurate than"
of = "longer windows"
headline = "than longer windows"
[[claim]]
kind = "makes_up"
text = "D."
measure = "accuracy"
at = { tracker = "causal", switch_probability = 0.01 }
than = { tracker = "causal", switch_probability = 0.1 }
without_loss = { tracker = "causal", switch_probability = 0.001 }
[[reason]]
text = "it is"
holds = ["D."]
fails = ["C."]
)",
                                  "t.toml");
  EXPECT_EQ(study.figure.picture, StudyPicture::frontiers);
  EXPECT_EQ(study.figure.measures, (std::vector<std::string>{"accuracy", "decided_time"}));
  EXPECT_EQ(study.published.at(0).decoder, "ls");
  EXPECT_EQ(study.claims.at(0).with, "switch_time");
  EXPECT_EQ(study.claims.at(1).to, 0.1);
  EXPECT_EQ(study.claims.at(2).setting, (NamedValues{{"tracker", "causal"}})) << "at every p";
  EXPECT_EQ(study.claims.at(2).other, (NamedValues{{"tracker", "raw"}})) << "in all windows";
  EXPECT_EQ(study.claims.at(2).of, "longer windows");
  EXPECT_EQ(study.claims.at(2).headline, "than longer windows");
  const auto& lossless = study.claims.at(3).reference;
  EXPECT_NE(std::ranges::find(lossless, NamedValue{"switch_probability", 0.001}), lossless.end());
  EXPECT_EQ(study.reasons.at(0).holds, std::vector<std::string>{"D."});
  EXPECT_EQ(study.reasons.at(0).fails, std::vector<std::string>{"C."});
}

// What tells series apart has its usual value; everything else runs over the points of the frontier.
TEST(ParseStudy, AFrontierIsOneSeries) {
  const auto study = [](const std::string& at) {
    return parse_study(R"(title = "T"
[figure]
picture = "frontiers"
series = ["tracker", "evidence"]
[[grid]]
tracker = ["causal", "smooth"]
evidence = [1, 2]
switch_probability = [0.001, 0.01]
window = [1, 5]
[[grid]]
tracker = "raw"
[[claim]]
kind = "better_frontier"
text = "C."
measure = "accuracy"
with = "decided_time"
at = )" + at + "\nthan = { tracker = \"smooth\" }\n",
                       "t.toml");
  };
  EXPECT_EQ(study("{ tracker = \"causal\" }").claims.at(0).setting,
            (NamedValues{{"tracker", "causal"}, {"evidence", 1.0}}));
  EXPECT_EQ(study("{ tracker = \"causal\", window = 5, evidence = 2 }").claims.at(0).setting,
            (NamedValues{{"tracker", "causal"}, {"window", 5.0}, {"evidence", 2.0}}));
  test::expect_error(ErrorKind::bad_data, {"t.toml: line 12", "two settings at least", "tracker = raw"},
                     [&] { (void)study("{ tracker = \"raw\" }"); });
}

TEST(ParseStudy, AReasonRestsOnClaimsThatAreMade) {
  const std::string study =
      "title = \"T\"\n[[grid]]\ntracker = [\"causal\", \"raw\"]\n[[claim]]\nkind = \"greater\"\ntext = \"More.\"\n"
      "measure = \"accuracy\"\nat = { tracker = \"causal\" }\nthan = { tracker = \"raw\" }\n[[reason]]\ntext = \"R\"\n";
  test::expect_error(ErrorKind::bad_data, {"t.toml: line 12", "no claim 'Mor.'", "More."},
                     [&] { (void)parse_study(study + "holds = [\"Mor.\"]\n", "t.toml"); });
  test::expect_error(ErrorKind::bad_data, {"rests on no claim"}, [&] { (void)parse_study(study, "t.toml"); });
}

}  // namespace
}  // namespace heed::study
