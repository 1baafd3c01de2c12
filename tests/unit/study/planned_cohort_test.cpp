// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/plan/planned_cohort.h>

#include "support/expect_error.h"
#include "support/planned_study.h"

namespace heed::study {
namespace {

using test::expect_error;
using test::ScoredCohort;

// Made-up scores, of whom one has other data than before.
class Changed final : public Cohort {
 public:
  explicit Changed(std::size_t who) : who_(who) {}
  [[nodiscard]] std::string describe() const override { return cohort_.describe(); }
  [[nodiscard]] std::vector<int> speakers() const override { return cohort_.speakers(); }
  [[nodiscard]] std::optional<pipeline::DecoderKind> baseline_decoder() const override {
    return cohort_.baseline_decoder();
  }
  [[nodiscard]] std::vector<std::string> participants(int speakers) const override {
    return cohort_.participants(speakers);
  }
  [[nodiscard]] std::optional<std::string> obstacle(const Decoding& decoding, Seconds window) const override {
    return cohort_.obstacle(decoding, window);
  }
  [[nodiscard]] std::string digest(int speakers, std::size_t k) const override {
    return cohort_.digest(speakers, k) + (k == who_ ? " changed" : "");
  }
  [[nodiscard]] std::vector<DecodedScores> scores(std::size_t k, std::span<const ScoresWanted> wanted) const override {
    return cohort_.scores(k, wanted);
  }

 private:
  ScoredCohort cohort_;
  std::size_t who_;
};

TEST(PlannedCohort, NamesWhoHasChanged) {
  const Plan plan = test::plan_of(test::sweep_toml, ScoredCohort());
  const Changed cohort(2);
  const PlannedCohort planned(plan, cohort);
  EXPECT_NO_THROW(planned.check(0));
  expect_error(ErrorKind::bad_data, {"sub-03", "changed", "plan again"}, [&] { planned.check(2); });
}

// Scores of changed data are not made under the old digest, even where the caller goes on without them.
TEST(PlannedCohort, DecodesNobodyWhoHasChanged) {
  const Plan plan = test::plan_of(test::sweep_toml, ScoredCohort());
  const Changed cohort(1);
  const PlannedCohort planned(plan, cohort);
  const std::vector<ScoresWanted> wanted{{.windows = {Seconds{1}}}};
  EXPECT_EQ(planned.scores(0, wanted).size(), 1U);
  EXPECT_NO_THROW(planned.rethrow_change());
  expect_error(ErrorKind::bad_data, {"sub-02"}, [&] { (void)planned.scores(1, wanted); });
  expect_error(ErrorKind::bad_data, {"sub-02"}, [&] { planned.rethrow_change(); });
}

TEST(PlannedCohort, WantsThoseWhoWerePlanned) {
  const Plan plan = test::plan_of(test::sweep_toml, ScoredCohort());
  const ScoredCohort fewer({.participants = 3});
  const ScoredCohort more({.participants = 5});
  expect_error(ErrorKind::bad_data, {"sub-04", "not there"}, [&] { PlannedCohort(plan, fewer); });
  expect_error(ErrorKind::bad_data, {"sub-05", "was not there when"}, [&] { PlannedCohort(plan, more); });
}

}  // namespace
}  // namespace heed::study
