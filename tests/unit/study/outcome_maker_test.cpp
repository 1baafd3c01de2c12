// SPDX-License-Identifier: MIT
// The oracle is the same maker asked for everything at once, and pipeline::compare behind it (group_test).
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <study/results/participant_results.h>
#include <study/tracking/outcome_maker.h>

#include <algorithm>
#include <map>

#include "support/expect_error.h"
#include "support/scored_cohort.h"

namespace heed::study {
namespace {

using Texts = std::map<OutcomePlace, std::string>;

struct Case {
  explicit Case(StudyGrid axes) {
    study.grids = {std::move(axes)};
    std::vector<GridParticipant> who;
    for (const std::string& id : cohort.participants(2)) who.push_back({id, 2});
    grid.emplace(settings_of(study), who);
    library.emplace(cohort, grid->settings(), LibraryOptions{});
  }

  [[nodiscard]] Texts make(const std::vector<OutcomePlace>& wanted) const {
    Texts texts;
    OutcomeMaker(study, *grid, *library, {.seed = 3}).make(wanted, [&](OutcomePlace place, const Outcome& outcome) {
      ParticipantResults results;
      results.add("key", outcome);
      EXPECT_TRUE(texts.emplace(place, results.text()).second) << "made twice";
    });
    return texts;
  }
  [[nodiscard]] Texts make_all() const { return make(grid->all()); }

  test::ScoredCohort cohort{{.trial = {300}, .trials = 1, .interval = {{100}, {100}}}};
  Study study{.name = "test"};
  std::optional<OutcomeGrid> grid;
  std::optional<ScoreLibrary> library;
};

// Whichever outcomes are asked for, alone or together: the same bytes. Calibrated, label-free and shifted emissions,
// and a p from the whole cohort, must not see who else is asked for.
TEST(OutcomeMaker, AnOutcomeDoesNotDependOnWhatElseIsMade) {
  const std::vector<StudyGrid> grids{
      {{"tracker", {"causal", "smooth", "markov-chain", "state-space"}}, {"calibrated", {"no", "yes"}}},
      {{"emission", {"labels", "baum-welch"}}, {"switch_probability", {0.001, 0.01}}},
      {{"accuracy_shift", {0.0, 0.3}}, {"tracker", {"raw", "markov-chain"}}},
      {{"switch_probability", {"scaled", "as-fast-as-state-space"}}}};
  for (const StudyGrid& axes : grids) {
    const Case one(axes);
    const Texts all = one.make_all();
    ASSERT_EQ(all.size(), one.grid->size());
    for (const auto& [place, text] : all) EXPECT_EQ(one.make({place}).at(place), text) << axes.front().name;
  }
}

// One participant is finished before the next is begun, so that a run that is killed has whole ones.
TEST(OutcomeMaker, FinishesOneParticipantAfterTheOther) {
  const Case one({{"window", {1.0}}, {"calibrated", {"no", "yes"}}, {"accuracy_shift", {0.0, 0.3}}});
  std::vector<std::size_t> order;
  OutcomeMaker(one.study, *one.grid, *one.library, {}).make(one.grid->all(), [&](OutcomePlace place, const Outcome&) {
    order.push_back(place.participant);
  });
  EXPECT_EQ(order.size(), one.grid->size());
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

TEST(OutcomeMaker, StopsWhereAnOutcomeCannotBeKept) {
  const Case one({{"tracker", {"causal", "smooth"}}});
  std::size_t asked = 0;
  const OutcomeMaker maker(one.study, *one.grid, *one.library, {});
  const std::vector<OutcomePlace> wanted{{0, 0}, {1, 0}, {2, 0}, {3, 0}};
  test::expect_error(ErrorKind::io, {"full"}, [&] {
    maker.make(wanted, [&](OutcomePlace, const Outcome&) {
      ++asked;
      throw Error(ErrorKind::io, "the disk is full");
    });
  });
  EXPECT_EQ(asked, 1U);
}

TEST(OutcomeMaker, SaysWhyAParticipantHasNothing) {
  const test::ScoredCohort cohort({.trial = {120}, .trials = 1, .failing = {1}});
  Study study{.name = "test"};
  study.grids = {{{"tracker", {"causal"}}}};
  const OutcomeGrid grid(settings_of(study), {{"01", 2}, {"02", 2}, {"03", 2}, {"04", 2}});
  const ScoreLibrary library(cohort, grid.settings(), {});
  const std::vector<OutcomePlace> wanted{{1, 0}};
  std::size_t made = 0;
  OutcomeMaker(study, grid, library, {}).make(wanted, [&](OutcomePlace, const Outcome& outcome) {
    ++made;
    EXPECT_TRUE(outcome.tables.empty());
    ASSERT_FALSE(outcome.notes.empty());
    EXPECT_EQ(outcome.notes.back().subject, "02");
    EXPECT_NE(outcome.notes.back().text.find("left out: no EEG"), std::string::npos);
  });
  EXPECT_EQ(made, 1U);
}

}  // namespace
}  // namespace heed::study
