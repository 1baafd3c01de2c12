// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/known_verdicts.h>
#include <study/study_file.h>

#include <set>

#include "support/expect_error.h"

namespace heed::study {
namespace {

constexpr const char* heading = "study\tclaim\tcohort\tverdict\tevidence\n";

TEST(KnownVerdicts, ReadsRows) {
  const auto rows = parse_verdicts(heading + std::string("a\tIt is.\tsimulated\tdoes not hold\t1 against 2\n"
                                                         "a\tIt is.\treal EEG\tcannot be told\t\n"));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].study, "a");
  EXPECT_EQ(rows[0].claim, "It is.");
  EXPECT_EQ(rows[0].verdict.cohort, "simulated");
  EXPECT_EQ(rows[0].verdict.holds, std::optional(false));
  EXPECT_EQ(rows[0].verdict.evidence, "1 against 2");
  EXPECT_EQ(rows[1].verdict.holds, std::nullopt);
}

TEST(KnownVerdicts, RefusesOtherTables) {
  test::expect_error(ErrorKind::bad_data, {"verdicts.tsv:1", "write_verdicts.py"},
                     [] { (void)parse_verdicts("a\tb\n"); });
  test::expect_error(ErrorKind::bad_data, {"verdicts.tsv:2", "five columns"},
                     [] { (void)parse_verdicts(heading + std::string("a\tb\n")); });
  test::expect_error(ErrorKind::bad_data, {"verdicts.tsv:2", "no verdict 'maybe'"},
                     [] { (void)parse_verdicts(heading + std::string("a\tb\tc\tmaybe\te\n")); });
}

// A claim that is reworded or dropped takes its row along; one that fails for somebody says why.
TEST(KnownVerdicts, BelongToClaimsThatAreMade) {
  std::set<std::pair<std::string, std::string>> made;
  for (const std::string_view name : built_in_studies()) {
    for (const Claim& claim : find_study(std::string(name)).claims) {
      made.insert({std::string(name), claim.text});
      const bool of_the_paper = !claim.place.empty();
      for (const KnownVerdict& one : claim.known) {
        EXPECT_TRUE(!of_the_paper || one.holds != false || !claim.if_not.empty())
            << name << ": '" << claim.text << "' does not hold for " << one.cohort << "; say why with if_not";
      }
    }
  }
  for (const VerdictRow& row : parse_verdicts(verdict_table())) {
    EXPECT_TRUE(made.contains({row.study, row.claim})) << row.study << ": '" << row.claim << "' is no claim of it";
  }
}

}  // namespace
}  // namespace heed::study
