// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/known_verdicts.h>
#include <study/study_file.h>

#include <algorithm>
#include <array>
#include <set>

#include "support/expect_error.h"

namespace heed::study {
namespace {

constexpr std::string_view heading = "study\tclaim\tcohort\tverdict\tevidence";

TEST(KnownVerdicts, ReadsRows) {
  const auto rows =
      parse_verdicts(std::array{heading, std::string_view("a\tIt is.\tsimulated\tdoes not hold\t1 against 2"),
                                std::string_view("a\tIt is.\treal EEG\tcannot be told\t")});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].study, "a");
  EXPECT_EQ(rows[0].claim, "It is.");
  EXPECT_EQ(rows[0].verdict.cohort, "simulated");
  EXPECT_EQ(rows[0].verdict.holds, std::optional(false));
  EXPECT_EQ(rows[0].verdict.evidence, "1 against 2");
  EXPECT_EQ(rows[1].verdict.holds, std::nullopt);
  EXPECT_EQ(rows[1].verdict.evidence, "");
}

TEST(KnownVerdicts, RefusesOtherTables) {
  const auto refused = [](std::string_view first, std::string_view second,
                          std::initializer_list<std::string_view> says) {
    test::expect_error(ErrorKind::bad_data, says, [&] { (void)parse_verdicts(std::array{first, second}); });
  };
  refused("a\tb", "", {"verdicts.tsv:1", "write_verdicts.py"});
  refused(heading, "a\tb", {"verdicts.tsv:2", "five columns"});
  refused(heading, "a\tb\tc\tmaybe\te", {"verdicts.tsv:2", "no verdict 'maybe'"});
}

// A claim that is reworded or dropped takes its row along; one that fails for somebody says why.
TEST(KnownVerdicts, BelongToClaimsThatAreMade) {
  std::set<std::pair<std::string, std::string>> made;
  for (const std::string_view name : built_in_studies()) {
    const Study study = find_study(std::string(name));
    for (const Claim& claim : study.claims) {
      made.insert({std::string(name), claim.text});
      const bool of_the_paper = !claim.place.empty();
      for (const KnownVerdict& one : claim.known) {
        const bool explained = std::ranges::any_of(study.reasons, [&](const Reason& reason) {
          return std::ranges::find(reason.fails, claim.text) != reason.fails.end();
        });
        EXPECT_TRUE(!of_the_paper || one.holds != false || explained)
            << name << ": '" << claim.text << "' does not hold for " << one.cohort << "; say why with [[reason]]";
      }
    }
  }
  for (const VerdictRow& row : parse_verdicts(verdict_lines())) {
    EXPECT_TRUE(made.contains({row.study, row.claim})) << row.study << ": '" << row.claim << "' is no claim of it";
  }
}

}  // namespace
}  // namespace heed::study
