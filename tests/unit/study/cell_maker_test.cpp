// SPDX-License-Identifier: MIT
// The oracle is the same maker asked for everything at once, and pipeline::compare behind it (group_test).
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <io/result_table_file.h>
#include <study/tracking/cell_maker.h>

#include <map>

#include "support/expect_error.h"
#include "support/scored_cohort.h"

namespace heed::study {
namespace {

using Cells = std::map<CellPlace, std::string>;

struct Case {
  explicit Case(StudyGrid axes) {
    study.grids = {std::move(axes)};
    std::vector<GridParticipant> who;
    for (const std::string& id : cohort.participants(2)) who.push_back({id, 2});
    grid.emplace(settings_of(study), who);
    library.emplace(cohort, grid->settings(), LibraryOptions{});
  }

  [[nodiscard]] Cells make(const std::vector<CellPlace>& wanted) const {
    Cells cells;
    CellMaker(study, *grid, *library, {.seed = 3}).make(wanted, [&](CellPlace place, const Cell& cell) {
      std::string text;
      for (const NamedTable& one : tables_of(cell)) text += one.name + "\n" + io::table_text(one.table);
      EXPECT_TRUE(cells.emplace(place, text).second) << "made twice";
    });
    return cells;
  }
  [[nodiscard]] Cells make_all() const {
    std::vector<CellPlace> all;
    for (std::size_t number = 0; number < grid->size(); ++number) all.push_back((*grid)[number]);
    return make(all);
  }

  test::ScoredCohort cohort{{.trial = {300}, .trials = 1, .interval = {{100}, {100}}}};
  Study study{.name = "test"};
  std::optional<CellGrid> grid;
  std::optional<ScoreLibrary> library;
};

// Whichever cells are asked for, alone or together: the same bytes. Calibrated, label-free and shifted emissions, and a
// p from the whole cohort, must not see who else is asked for.
TEST(CellMaker, ACellDoesNotDependOnWhatElseIsMade) {
  const std::vector<StudyGrid> grids{
      {{"tracker", {"causal", "smooth", "markov-chain", "state-space"}}, {"calibrated", {"no", "yes"}}},
      {{"emission", {"labels", "baum-welch"}}, {"switch_probability", {0.001, 0.01}}},
      {{"accuracy_shift", {0.0, 0.3}}, {"tracker", {"raw", "markov-chain"}}},
      {{"switch_probability", {"scaled", "as-fast-as-state-space"}}}};
  for (const StudyGrid& axes : grids) {
    const Case one(axes);
    const Cells all = one.make_all();
    ASSERT_EQ(all.size(), one.grid->size());
    for (const auto& [place, text] : all) EXPECT_EQ(one.make({place}).at(place), text) << axes.front().name;
  }
}

TEST(CellMaker, StopsWhereACellCannotBeKept) {
  const Case one({{"tracker", {"causal", "smooth"}}});
  std::size_t asked = 0;
  const CellMaker maker(one.study, *one.grid, *one.library, {});
  const std::vector<CellPlace> wanted{{0, 0}, {1, 0}, {2, 0}, {3, 0}};
  test::expect_error(ErrorKind::io, {"full"}, [&] {
    maker.make(wanted, [&](CellPlace, const Cell&) {
      ++asked;
      throw Error(ErrorKind::io, "the disk is full");
    });
  });
  EXPECT_EQ(asked, 1U);
}

TEST(CellMaker, SaysWhyAParticipantHasNothing) {
  const test::ScoredCohort cohort({.trial = {120}, .trials = 1, .failing = {1}});
  Study study{.name = "test"};
  study.grids = {{{"tracker", {"causal"}}}};
  const CellGrid grid(settings_of(study), {{"01", 2}, {"02", 2}, {"03", 2}, {"04", 2}});
  const ScoreLibrary library(cohort, grid.settings(), {});
  const std::vector<CellPlace> wanted{{1, 0}};
  std::size_t made = 0;
  CellMaker(study, grid, library, {}).make(wanted, [&](CellPlace, const Cell& cell) {
    ++made;
    EXPECT_TRUE(cell.tables.empty());
    ASSERT_FALSE(cell.notes.empty());
    EXPECT_NE(cell.notes.back().find("sub-02 is left out: no EEG"), std::string::npos);
  });
  EXPECT_EQ(made, 1U);
}

}  // namespace
}  // namespace heed::study
