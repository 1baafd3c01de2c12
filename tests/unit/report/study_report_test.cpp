// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/report/drawing.h>
#include <report/study/study_report.h>
#include <support/expect_error.h>
#include <support/html_check.h>
#include <support/study_cases.h>

#include <algorithm>
#include <cmath>

namespace heed::report {
namespace {

using test::count_of;
using test::expect_error;
using test::expect_good_html;
using test::has;
using test::without_scripts;

// Two participants whose numbers are easily reckoned: accuracies .9 and .96, switch times 10 and 20 s.
StudyResult small_study() {
  StudyResult result{.study = {.name = "small",
                               .title = "A small study",
                               .question = "Does it add up?",
                               .figure = {.series = {"tracker"}},
                               .published = {{{{"tracker", "causal"}}, "accuracy", 0.95, 0.04, "Table IX", true},
                                             {{{"tracker", "causal"}}, "switch_time", 12.5, {}, "Fig. 9", true}}}};
  result.tables.push_back({"tracking",
                           {{"tracker", "participant", "p", "accuracy", "switch_time"},
                            {{"causal", "01", 0.001, 0.9, 10.0},
                             {"causal", "02", 0.001, 0.96, 20.0},
                             {"raw", "01", 0.001, 0.6, 1.0},
                             {"raw", "02", 0.001, 0.7, std::monostate{}}}}});
  return result;
}

StudyReport report_of(StudyResult result) {
  return {.title = "Report", .cohort = "two listeners", .studies = {std::move(result)}};
}

// Drawn once for all tests that only look at them.
const StudyPages& sample_pages() {
  static const StudyPages pages = study_pages(test::sample_report());
  return pages;
}

// The row of a table that begins so.
std::string row_of(const std::string& html, const std::string& name) {
  const std::size_t begin = html.find("<th scope=\"row\">" + name + "</th>");
  return begin == std::string::npos ? "" : html.substr(begin, html.find("</tr>", begin) - begin);
}

std::string number_cells(const std::vector<std::string>& cells) {
  std::string row;
  for (const std::string& cell : cells) row += "<td class=\"number\">" + cell + "</td>";
  return row;
}

TEST(StudyReport, HeadlinesPutOursBesideThePublished) {
  const std::string html = study_pages(report_of(small_study())).html;
  // Mean .93, standard deviation .06 / sqrt(2) = .0424; mean 15 s, 10 / sqrt(2) = 7.07 s.
  EXPECT_TRUE(has(row_of(html, "causal HMM: accuracy"),
                  number_cells({"93.0 ± 4.2 %", "95.0 ± 4.0 %", "\u22122.0 pp"}) + "<td>Table IX (CCA)</td>"))
      << row_of(html, "causal HMM: accuracy");
  EXPECT_TRUE(has(row_of(html, "causal HMM: switch time"),
                  number_cells({"15.0 ± 7.1 s", "12.5 s", "+2.5 s"}) + "<td>Fig. 9 (CCA)</td>"));
}

// Words are compared, numbers are the curve.
TEST(StudyReport, AFrontierComparesWordsAndDrawsNumbers) {
  StudyResult result{.study = {.name = "beyond",
                               .title = "Beyond",
                               .figure = {StudyPicture::frontier, "switch_probability", true, {"recipe"}}}};
  result.tables.push_back({"tracking",
                           {{"recipe", "switch_probability", "participant", "p", "accuracy", "switch_time"},
                            {{"paper", "scaled", "01", 0.001, 0.8, 30.0},
                             {"heed", "scaled", "01", 0.001, 0.9, 10.0},
                             {"paper", 0.001, "01", 0.001, 0.8, 30.0},
                             {"paper", 0.01, "01", 0.01, 0.7, 20.0},
                             {"heed", 0.001, "01", 0.001, 0.9, 10.0},
                             {"heed", 0.01, "01", 0.01, 0.85, 5.0}}}});
  const StudyPages pages = study_pages(report_of(std::move(result)));
  expect_good_html(without_scripts(pages.html));
  ASSERT_EQ(pages.figures.size(), 2U);
  EXPECT_EQ(pages.figures[0].name, "beyond");
  EXPECT_EQ(pages.figures[1].name, "beyond_trade_off");
  EXPECT_TRUE(has(pages.html, "+ population")) << "recipes in words";
}

// Numbers of the decoder that made the scores stand beside them; files that do not name it hold correlations, as least
// squares gives.
TEST(StudyReport, SetsTheSameDecodersNumbersBeside) {
  const auto page = [](const std::string& scored_by) {
    StudyResult result{.study = {.name = "table", .title = "Table", .figure = {.series = {"tracker"}}}};
    const NamedValues causal{{"tracker", "causal"}};
    result.study.published = {{causal, "accuracy", 0.89, {}, "Table II", true, "cca"},
                              {causal, "accuracy", 0.901, {}, "Table III", true, "ls"}};
    result.tables.push_back(
        {"tracking",
         {{"tracker", "participant", "scored_by", "p", "accuracy", "switch_time"},
          {{"causal", "01", scored_by, 0.001, 0.9, 30.0}, {"causal", "02", scored_by, 0.001, 0.92, 20.0}}}});
    return study_pages(report_of(std::move(result))).html;
  };
  for (const char* like_ls : {"ls", "correlations"}) {
    EXPECT_TRUE(has(row_of(page(like_ls), "causal HMM: accuracy"), "<td>Table III (least squares)</td>")) << like_ls;
  }
  EXPECT_FALSE(has(page("ls"), "(CCA)")) << "of another decoder";
  for (const char* like_cca : {"cca", "log-odds"}) {
    EXPECT_TRUE(has(row_of(page(like_cca), "causal HMM: accuracy"), "<td>Table II (CCA)</td>")) << like_cca;
  }
}

// The study of one score or two sets numbers of one decoder beside scores of another: marked, and without a difference.
TEST(StudyReport, MarksNumbersOfAnotherDecoder) {
  StudyResult result{.study = {.name = "table", .title = "Table", .figure = {.series = {"tracker"}}}};
  result.study.published = {{{{"tracker", "causal"}}, "accuracy", 0.89, {}, "Table III", true, "cca", true},
                            {{{"tracker", "smooth"}}, "accuracy", 0.972, {}, "Table III", true, "cca", false}};
  result.tables.push_back({"tracking",
                           {{"tracker", "participant", "scored_by", "p", "accuracy", "switch_time"},
                            {{"causal", "01", "ls", 0.001, 0.9, 30.0},
                             {"causal", "02", "ls", 0.001, 0.92, 20.0},
                             {"smooth", "01", "ls", 0.001, 0.95, 30.0},
                             {"smooth", "02", "ls", 0.001, 0.95, 20.0}}}});
  const StudyPages pages = study_pages(report_of(std::move(result)));
  const std::string row = row_of(pages.html, "causal HMM");
  EXPECT_TRUE(has(row, number_cells({"89.0 (CCA)", "\u2013"}))) << row;
  const std::string other = row_of(pages.html, "forward-backward HMM");
  EXPECT_FALSE(has(other, "97.2")) << other;
  EXPECT_FALSE(has(pages.html, "beside those published")) << "no headline";
}

TEST(StudyReport, FrontiersHaveABandATableAndOnePointASetting) {
  StudyResult result{.study = {.name = "frontiers",
                               .title = "Frontiers",
                               .paper = "Section I",
                               .figure = {.picture = StudyPicture::frontiers, .series = {"tracker"}}}};
  result.study.claims = {{.kind = ClaimKind::better_frontier,
                          .text = "Better.",
                          .measure = "accuracy",
                          .setting = {{"tracker", "causal"}},
                          .other = {{"tracker", "markov-chain"}},
                          .with = "decided_time",
                          .place = "Section I",
                          .says = "at equal time the causal HMM is more accurate than",
                          .of = "the Markov chain"}};
  result.study.reasons = {{.text = "one lies above the other", .holds = {"Better."}}};
  ResultTable table{{"tracker", "switch_probability", "gain_states", "participant", "accuracy", "decided_time"}, {}};
  for (int k = 1; k <= 6; ++k) {
    const std::string who = "sub-0" + std::to_string(k);
    for (const double p : {0.001, 0.01, 0.1}) {
      const double time = 0.1 / std::sqrt(p) * 10;
      table.rows.push_back({"causal", p, "by-mesd", who, 0.9 - (0.1 * std::log10(p / 0.001)) + (0.001 * k), time});
      table.rows.push_back(
          {"markov-chain", "scaled", 5 * time, who, 0.85 - (0.1 * std::log10(p / 0.001)) + (0.001 * k), time});
    }
  }
  result.tables.push_back({"tracking", std::move(table)});
  const StudyPages pages = study_pages(report_of(std::move(result)));
  expect_good_html(without_scripts(pages.html));
  std::size_t bands = 0;
  for (const Group& group : pages.figures.at(0).drawing.groups) bands += group.name == "band" ? 1U : 0U;
  EXPECT_EQ(bands, 2U);
  EXPECT_TRUE(has(pages.html, "Frontiers: the best accuracy within a time"));
  EXPECT_TRUE(has(pages.html, "<strong>holds</strong>: +5.0 points at equal time"));
  EXPECT_TRUE(has(pages.html, "causal HMM less Markov chain")) << "each number has a name";
  EXPECT_TRUE(
      has(pages.html,
          "In this cohort, at equal time the causal HMM is more accurate than the Markov chain (+5.0 points)."));
  EXPECT_TRUE(has(pages.html, "Where it differs: one lies above the other.")) << "the third sentence";
}

// Before anything else is said: what is claimed, what holds here and elsewhere, and why not where it does not.
TEST(StudyReport, BeginsWithThreeSentencesAndTheCohortsOfReference) {
  StudyResult result = small_study();
  result.study.paper = "Section V";
  result.study.claims = {{.kind = ClaimKind::less,
                          .text = "Windows are less accurate.",
                          .measure = "accuracy",
                          .setting = {{"tracker", "raw"}},
                          .other = {{"tracker", "causal"}},
                          .place = "Section V",
                          .headline = "less accurate than the causal HMM",
                          .known = {{"simulated", false, "single windows 90.0 %, causal HMM 80.0 % (here)"},
                                    {"real EEG", std::nullopt, "single windows 60.0 %"}}}};
  result.study.reasons = {{.text = "they are long", .fails = {"Windows are less accurate."}}};
  const std::string html = study_pages(report_of(std::move(result))).html;
  expect_good_html(without_scripts(html));
  EXPECT_EQ(count_of(html, "<p class=\"lead\">"), 3U);
  EXPECT_LT(html.find("<p class=\"lead\">"), html.find("<nav"));
  EXPECT_TRUE(has(html, "Of 1 claim of the paper, 0 hold, 0 do not, 1 cannot be told."));
  EXPECT_TRUE(has(html, "Where it differs: they are long (on simulated listeners)."));
  EXPECT_TRUE(has(html, "<table class=\"cohorts\">"));
  EXPECT_TRUE(has(row_of(html, "simulated"), "data-label=\"less accurate than the causal HMM\"")) << "for telephones";
  EXPECT_TRUE(has(row_of(html, "simulated"), "does not hold: single windows 90.0 %, causal HMM 80.0 % (here)"));
  EXPECT_TRUE(has(html, "single windows: 65.0 %; causal HMM: 93.0 %")) << "in the order of the words, with names";
  EXPECT_TRUE(has(html, "Elsewhere: simulated does not hold, real EEG cannot be told"));
}

// Hindsight does not concern the causal model: its row is not repeated at every look-ahead.
TEST(StudyReport, AMethodThatTheAxisDoesNotConcernHasOneRow) {
  StudyResult result{
      .study = {.name = "lag", .title = "Lag", .figure = {StudyPicture::sweep, "look_ahead", false, {"tracker"}}}};
  ResultTable table{{"tracker", "look_ahead", "participant", "p", "accuracy", "switch_time"}, {}};
  for (const double ahead : {0.0, 5.0, 10.0}) {
    for (const double better : {0.0, 0.02}) {
      const std::string who = better == 0 ? "01" : "02";
      table.rows.push_back({"fixed-lag", ahead, who, 0.001, 0.9 + better + (0.001 * ahead), 30.0});
      table.rows.push_back({"causal", ahead, who, 0.001, 0.9 + better, 30.0});
    }
  }
  std::ranges::stable_sort(table.rows, {}, [](const auto& row) { return std::get<std::string>(row[0]); });
  result.tables.push_back({"tracking", std::move(table)});
  const std::string html = study_pages(report_of(std::move(result))).html;
  EXPECT_EQ(count_of(html, "<th scope=\"row\">causal HMM"), 1U);
  EXPECT_EQ(count_of(html, "<th scope=\"row\">fixed-lag HMM, look-ahead"), 3U);
}

TEST(StudyReport, EverySettingHasARow) {
  const std::string html = study_pages(report_of(small_study())).html;
  // The middle half of .9 and .96 reaches from .915 to .945.
  EXPECT_TRUE(has(row_of(html, "causal HMM"), number_cells({"2", "93.0 ± 4.2", "91.5 – 94.5", "95.0 ± 4.0", "\u22122.0",
                                                            "15.0 ± 7.1", "12.5 – 17.5", "12.5", "+2.5"})))
      << row_of(html, "causal HMM");
  EXPECT_TRUE(has(row_of(html, "single windows"),
                  number_cells({"2", "65.0 ± 7.1", "62.5 – 67.5", "–", "–", "1.0", "1.0 – 1.0", "–", "–"})))
      << "one switch time alone has no spread" << row_of(html, "single windows");
}

TEST(StudyReport, HoldsOneOfEveryPicture) {
  const StudyPages& pages = sample_pages();
  std::vector<std::string> names;
  for (const NamedDrawing& one : pages.figures) names.push_back(one.name);
  EXPECT_EQ(names, (std::vector<std::string>{"post_processors", "attention_switch", "switch_probability",
                                             "switch_probability_trade_off", "aad_accuracy", "independence",
                                             "calibration", "calibration_reliability"}));
  for (const std::string& name : names) EXPECT_TRUE(has(pages.html, "href=\"figures/" + name + ".svg\"")) << name;
  EXPECT_EQ(count_of(pages.html, "class=\"card wide\""), names.size());
  EXPECT_EQ(count_of(pages.html, "class=\"card narrow\""), names.size());
  for (const NamedTable& one : pages.tables) {
    EXPECT_TRUE(has(pages.html, "href=\"tables/" + one.name + ".tsv\"")) << one.name;
    EXPECT_FALSE(one.table.rows.empty()) << one.name;
  }
  EXPECT_EQ(count_of(pages.html, ".tsv\""), names.size()) << "a figure without its data";
}

TEST(StudyReport, IsGoodHtml) {
  const std::string& html = sample_pages().html;
  expect_good_html(without_scripts(html));
  EXPECT_LT(html.size(), 1'500'000U);
}

TEST(StudyReport, SimulatedDataAreCalledSoOnEveryFigure) {
  StudyReport report = test::sample_report();
  for (const NamedDrawing& one : sample_pages().figures) {
    EXPECT_TRUE(has(render(one.drawing, FigureFormat::svg), ">simulated data</text>")) << one.name;
  }
  std::string html = sample_pages().html;
  EXPECT_TRUE(has(html, "<p class=\"banner\">Simulated listeners: "));
  EXPECT_TRUE(has(html, "{\"stamp\":\"simulated data\"")) << "the traces that can be zoomed";
  report.simulated = false;
  html = study_pages(report).html;
  EXPECT_FALSE(has(html, "class=\"banner\""));
  EXPECT_FALSE(has(html, "simulated data"));
}

TEST(StudyReport, StudiesThatCannotBeRunAreListedWithTheReason) {
  const std::string& html = sample_pages().html;
  EXPECT_TRUE(has(html, ">Not applicable here</h2>"));
  EXPECT_TRUE(has(html, "<dt>Recorded switches</dt><dd>no trial has a switch of attention as it was recorded"));
  EXPECT_FALSE(has(html, ">Recorded switches</h2>")) << "it has no section of its own";
}

TEST(StudyReport, ClaimsSayWhetherTheyHold) {
  const std::string& html = sample_pages().html;
  EXPECT_TRUE(has(html,
                  "<li class=\"holds\"><span class=\"sign\" aria-hidden=\"true\">✓</span> "
                  "<div>Forward-backward is more accurate than causal. <span class=\"place\">Section V-A</span>"
                  "<br><strong>holds</strong>: "));
  EXPECT_TRUE(
      has(html, "The state-space model is more accurate than the causal HMM.<br><strong>does not hold</strong>"));
  EXPECT_TRUE(has(html, "finds nine of ten.<br><strong>cannot be told here</strong>"));
  // Three of the five have a place in the paper and are counted in the table; the others are counted, too.
  EXPECT_TRUE(has(html, "The paper's claims on this cohort and on those of reference"));
  EXPECT_TRUE(has(html, " claims beyond the paper, "));
  EXPECT_EQ(count_of(html, "The state-space model is more accurate than the causal HMM."), 2U)
      << "what does not hold is said at a glance, too";
  EXPECT_TRUE(has(html, "<details><summary>Claims that do not hold here</summary>"));
}

TEST(StudyReport, CitesThePaperAndSaysWhatIsMeasured) {
  const std::string& html = sample_pages().html;
  EXPECT_TRUE(has(html, "N. Heintz, T. Francart and A. Bertrand"));
  EXPECT_TRUE(has(html, "Accuracy is the share of correct decisions from the moment a switch is detected"));
}

TEST(StudyReport, WarnsOfFewListeners) {
  const std::string warning = "fewer than six listeners";
  EXPECT_FALSE(has(sample_pages().html, warning));
  EXPECT_TRUE(has(study_pages(report_of(small_study())).html, warning));
}

TEST(StudyReport, ComparedSettingsAreTested) {
  const std::string& html = sample_pages().html;
  const std::string row = row_of(html, "forward-backward HMM vs causal HMM");
  EXPECT_TRUE(has(row, "<td class=\"number\">13</td><td class=\"number\">&lt; 0.001</td>")) << row;
}

// Single windows are the axis, at 100 times their mean accuracy: not a line.
TEST(StudyReport, AccuracyOfSingleWindowsCanBeAcross) {
  const StudyPages pages = study_pages(report_of(test::aad_accuracy()));
  const std::string svg = render(pages.figures.at(0).drawing, FigureFormat::svg);
  EXPECT_TRUE(has(svg, ">accuracy of single windows (%)</text>"));
  EXPECT_TRUE(has(svg, ">causal HMM</text>"));
  EXPECT_FALSE(has(svg, ">single windows</text>"));
}

TEST(StudyReport, ATradeOffHasADotForEveryParticipantAndP) {
  const StudyPages pages = study_pages(report_of(test::switch_probability()));
  const Drawing& drawing = pages.figures.at(1).drawing;
  std::size_t dots = 0;
  for (const Group& group : drawing.groups) dots += group.name == "participants" ? group.shapes.size() : 0;
  EXPECT_EQ(dots, 3U * 13U * 13U);
}

TEST(StudyReport, TracesCarryTheirDataForTheScript) {
  StudyResult result = test::attention_switch();
  auto& table = result.tables.front().table;
  table.rows.resize(3);
  table.rows[0][7] = 0.25;
  table.rows[0][8] = 0.75;
  table.rows[1][5] = std::monostate{};
  table.rows[1][7] = table.rows[1][8] = std::monostate{};
  table.rows[2][7] = 0.12345;
  table.rows[2][8] = 1 - 0.12345;
  EXPECT_TRUE(has(study_pages(report_of(result)).html,
                  R"({"stamp":"","speakers":["left","right"],"trials":[{"name":"sub-07, trial 1","window":1,)"
                  R"("time":[0.5,1.5,2.5],"attended":[0,-1,0],"methods":[{"name":"single windows",)"
                  R"("beliefs":[[2500,null,1235],[7500,null,8766]]}]}]})"));
}

TEST(StudyReport, TrialsAreNotNamedTwice) {
  StudyResult result = test::attention_switch();
  for (auto& row : result.tables.front().table.rows) row[1] = "sub-07_run-2";
  EXPECT_TRUE(has(study_pages(report_of(result)).html, R"({"name":"sub-07_run-2","window")"));
}

// It is embedded if npm has fetched it; pages say so where it is not.
TEST(StudyReport, CarriesUPlotAndItsLicenceOrSaysThatItDoesNot) {
  const std::string& html = sample_pages().html;
  const bool carried = has(html, "uPlot (v1.6.32)");
  EXPECT_EQ(has(html, "Permission is hereby granted, free of charge"), carried);
  EXPECT_EQ(has(html, "This heed was built without uPlot"), !carried);
}

TEST(StudyReport, StarsAreExplainedWhereTheyAre) {
  EXPECT_TRUE(has(study_pages(report_of(small_study())).html, "Open stars: published values."));
  StudyResult result = small_study();
  result.study.published.clear();
  EXPECT_FALSE(has(study_pages(report_of(result)).html, "Open stars"));
}

TEST(StudyReport, TextIsNeverMarkup) {
  const std::string bad = "</script><script>alert(\"1\")</script> & \\ 'x' \xff";
  StudyReport report = test::sample_report();
  report.title = report.cohort = bad;
  report.notes = {{bad, NoteKind::chosen, bad}};
  report.facts = {{bad, bad}};
  report.provenance = {.command = bad, .version = bad, .data = {{bad, bad}}, .date = bad};
  for (StudyResult& result : report.studies) {
    result.study.title = result.study.paper = result.study.question = bad;
    result.notes = {{bad, NoteKind::chosen, bad}};
    for (Claim& claim : result.study.claims) claim.text = claim.place = bad;
    for (PublishedValue& one : result.study.published) one.place = bad;
    for (NamedTable& one : result.tables) {
      for (const char* name : {"participant", "tracker", "left"}) {
        const auto found = std::ranges::find(one.table.columns, name);
        const auto column = static_cast<std::size_t>(found - one.table.columns.begin());
        const bool names_the_axis = result.study.figure.along == "raw_accuracy" && *name == 't';
        if (found == one.table.columns.end() || names_the_axis) continue;
        if (*found == "left") *found = bad;
        for (auto& row : one.table.rows) {
          if (std::holds_alternative<std::string>(row[column])) row[column] = std::get<std::string>(row[column]) + bad;
        }
      }
    }
    for (PublishedValue& one : result.study.published) one.setting.front().value = "causal" + bad;
    if (!result.obstacle.empty()) result.obstacle = bad;
  }
  const std::string html = study_pages(report).html;
  expect_good_html(without_scripts(html));
  EXPECT_EQ(count_of(html, "alert("), count_of(html, "script&gt;alert(") + count_of(html, "\\u003cscript>alert("));
  EXPECT_GT(count_of(html, "&lt;script&gt;alert("), 50U);
}

TEST(StudyReport, OnlyItsOwnScriptsRun) {
  const std::string& html = sample_pages().html;
  const std::size_t policy = html.find("content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-");
  ASSERT_NE(policy, std::string::npos);
  const std::string allowed = html.substr(policy, html.find('>', policy) - policy);
  EXPECT_EQ(count_of(allowed, "'sha256-"), count_of(html, "<script>"));
  EXPECT_FALSE(has(allowed, "script-src 'unsafe-inline'"));
}

TEST(StudyReport, SaysWhatTheResultsLack) {
  StudyResult result = small_study();
  result.study.figure.series = {"tracker", "window"};
  expect_error(ErrorKind::not_found, {"'window'", "tracker", "participant"},
               [&] { (void)study_pages(report_of(result)); });
  result = small_study();
  result.study.figure = {.picture = StudyPicture::sweep, .along = "look_ahead", .series = {"tracker"}};
  expect_error(ErrorKind::not_found, {"'look_ahead'"}, [&] { (void)study_pages(report_of(result)); });
  result.tables.front().name = "other";
  expect_error(ErrorKind::not_found, {"'small'", "'tracking'", "other"}, [&] { (void)study_pages(report_of(result)); });
}

// One figure that cannot be drawn must not cost the reader the others.
TEST(StudyReport, SaysWhichFigureIsMissing) {
  StudyResult result = test::switch_probability();
  ResultTable& table = result.tables.front().table;
  for (auto& row : table.rows) row[table.column("switch_time")] = std::monostate{};
  const StudyPages pages = study_pages(report_of(result));
  ASSERT_EQ(pages.figures.size(), 1U);
  EXPECT_EQ(pages.figures[0].name, "switch_probability");
  EXPECT_TRUE(has(pages.html, "<strong>Warning:</strong> One figure is missing here: no method has a switch time"));
}

TEST(StudyReport, WithoutAStudyItIsStillAPage) {
  const std::string html = study_pages({.title = "Nothing"}).html;
  expect_good_html(without_scripts(html));
  EXPECT_FALSE(has(html, "At a glance</h2>"));
}

TEST(StudyReport, SameResultsSameBytes) { EXPECT_TRUE(study_pages(test::sample_report()).html == sample_pages().html); }

}  // namespace
}  // namespace heed::report
