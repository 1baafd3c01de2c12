// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <study/tracking/assembly.h>
#include <study/tracking/tables.h>

#include <map>

namespace heed::study {
namespace {

struct Tables {
  std::map<std::string, ResultTable> named;
  TableSink sink() {
    return [this](const std::string& name, const ResultTable& rows) {
      ResultTable& table = named[name];
      table.columns = rows.columns;
      table.rows.insert(table.rows.end(), rows.rows.begin(), rows.rows.end());
    };
  }
};

Study study_with(StudyMeasure measure) {
  Study study{.name = "test", .measure = measure};
  study.grids = {{{"tracker", {"causal", "smooth"}}}};
  return study;
}

OutcomeGrid grid_of(const Study& study) { return {settings_of(study), {{"01", 2}, {"02", 2}, {"03", 2}}}; }

Outcome cell_with(const std::string& table, OutcomePlace place) {
  return {.tables = {{table,
                      {.columns = {"participant", "setting"},
                       .rows = {{static_cast<double>(place.participant), static_cast<double>(place.setting)}}}}},
          .notes = {{.text = "said by all"}}};
}

TEST(Assembly, GoesSettingBySettingParticipantsInOrder) {
  const Study study = study_with(StudyMeasure::tracking);
  Tables tables;
  const Assembled assembled = assemble(
      study, grid_of(study), [](OutcomePlace place) { return cell_with("tracking", place); }, tables.sink());
  const std::vector<std::vector<TableValue>> expected{{0.0, 0.0}, {1.0, 0.0}, {2.0, 0.0},
                                                      {0.0, 1.0}, {1.0, 1.0}, {2.0, 1.0}};
  EXPECT_EQ(tables.named["tracking"].rows, expected);
  EXPECT_EQ(assembled.notes, Notes{{.text = "said by all"}});
  EXPECT_EQ(assembled.missing, 0U);
}

TEST(Assembly, CountsWhatIsMissingAndSaysWhatIsLeftOut) {
  const Study study = study_with(StudyMeasure::tracking);
  Tables tables;
  const auto source = [](OutcomePlace place) -> std::optional<Outcome> {
    if (place.setting == 1) return Outcome{.left_out = "no EEG"};
    return place.participant == 1 ? std::nullopt : std::optional(cell_with("tracking", place));
  };
  const Assembled assembled = assemble(study, grid_of(study), source, tables.sink());
  EXPECT_EQ(assembled.missing, 1U);
  ASSERT_EQ(assembled.left_out.size(), 1U) << "once a setting";
  EXPECT_EQ(assembled.left_out[0].setting, "tracker = smooth");
  EXPECT_EQ(tables.named["tracking"].rows.size(), 2U);
}

TEST(Assembly, ATableWithoutRowsIsThere) {
  const Study study = study_with(StudyMeasure::independence);
  Tables tables;
  (void)assemble(
      study, grid_of(study), [](OutcomePlace) { return Outcome{}; }, tables.sink());
  EXPECT_EQ(tables.named["lags"].columns, empty_lags_table().columns);
}

// Accuracies .6, .8 and 1: the second lies nearest to the mean.
TEST(Assembly, ShowsTheTraceOfAnAverageParticipant) {
  const Study study = study_with(StudyMeasure::trace);
  Tables tables;
  const auto source = [](OutcomePlace place) {
    Outcome cell = cell_with("trace", place);
    cell.tables.push_back({"followed", {{"accuracy"}, {{0.6 + 0.2 * static_cast<double>(place.participant)}}}});
    return cell;
  };
  const Assembled assembled = assemble(study, grid_of(study), source, tables.sink());
  const std::vector<std::vector<TableValue>> expected{{1.0, 0.0}, {1.0, 1.0}};
  EXPECT_EQ(tables.named["trace"].rows, expected);
  EXPECT_NE(assembled.notes.back().text.find("Shown is sub-02"), std::string::npos);
}

}  // namespace
}  // namespace heed::study
