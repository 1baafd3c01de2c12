// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <report/figures.h>
#include <report/page/result_pages.h>
#include <support/expect_error.h>
#include <support/html_check.h>
#include <support/report_cases.h>

namespace heed::report {
namespace {

using test::count_of;
using test::expect_error;
using test::expect_good_html;
using test::has;

ParticipantPage sample() {
  ParticipantPage page{.id = "01",
                       .dataset = "DTU <match>",
                       .decoder = "least squares",
                       .windows = "windows of 1 s",
                       .speakers = {"left", "right"},
                       .raw = {0.621, 2960, 0.5, 0.5152, 1e-9},
                       .trackers = {{"causal", 0.913, 21.34, 0.866}},
                       .provenance = {.command = "heed bids", .version = "0.1.0"}};
  page.runs = {{"run-1", {493}, 493, 0.62, {{"causal", 0.9, 20.0}}}, {"run-2", {493.4}, 493, {}, {{"causal", {}, {}}}}};
  return page;
}

TEST(ParticipantPage, TellsHowWellAndOnWhat) {
  const std::string html = participant_page(sample());
  expect_good_html(html);
  EXPECT_TRUE(has(html, "<h1>sub-01: attention decoding</h1>"));
  EXPECT_TRUE(has(html, "<dd>DTU &lt;match&gt;</dd>"));
  EXPECT_TRUE(has(html, "<dd>left, right</dd>"));
  EXPECT_TRUE(has(html, "<dd>2 runs, 16.4 min in total</dd>"));
  EXPECT_TRUE(has(html,
                  "<th scope=\"row\">causal</th><td class=\"number\">91.3</td><td class=\"number\">86.6</td>"
                  "<td class=\"number\">21.3</td>"));
  EXPECT_TRUE(has(html, "<th scope=\"row\">raw</th><td class=\"number\">62.1</td>"));
  EXPECT_TRUE(has(html,
                  "<th scope=\"row\">run-1</th><td class=\"number\">493</td><td class=\"number\">493</td>"
                  "<td class=\"number\">62.0</td><td class=\"number\">90.0</td><td class=\"number\">20.0</td>"));
  EXPECT_TRUE(has(html,
                  "<th scope=\"row\">run-2</th><td class=\"number\">493</td><td class=\"number\">493</td>"
                  "<td class=\"number missing\">n/a</td><td class=\"number missing\">n/a</td>"));
}

TEST(ParticipantPage, SaysInWordsWhetherItIsBetterThanGuessing) {
  ParticipantPage page = sample();
  EXPECT_TRUE(has(participant_page(page),
                  "the decoder is right in 62.1 % of 2960 windows of 1 s. Guessing is right in 50.0 % on average and "
                  "reaches 51.5 % or more in only 5 % of cases. This is better than guessing (p &lt; 0.001)."));
  page.raw.accuracy = 0.507;
  page.raw.p_value = 0.223;
  EXPECT_TRUE(has(participant_page(page), "<strong>Warning:</strong> Window by window"));
  EXPECT_TRUE(has(participant_page(page), "This is not better than guessing (p = 0.223)"));
  page.raw = {1, 3, 0.5, {}, 0.125};
  EXPECT_TRUE(has(participant_page(page), "too few windows to tell this result from chance"));
  page.raw = {};
  EXPECT_TRUE(has(participant_page(page), "<strong>Note:</strong> It is unknown who was attended"));
}

TEST(ParticipantPage, AnOffsetIsWarnedOfAtTheTop) {
  ParticipantPage page = sample();
  page.alignment = AlignmentResult{.drawing = {.width = 10, .height = 10, .title = "shift"},
                                   .verdict = "The audio is 250 ms late.",
                                   .in_step = false};
  const std::string html = participant_page(page);
  expect_good_html(html);
  EXPECT_EQ(count_of(html, "<strong>Warning:</strong> The audio is 250 ms late."), 2U)
      << "in the summary and its place";
  page.alignment->in_step = true;
  page.alignment->verdict = "In step.";
  EXPECT_EQ(count_of(participant_page(page), "<strong>Good:</strong> In step."), 1U);
  page.alignment->in_step.reset();
  page.alignment->verdict = "No peak stands out.";
  EXPECT_EQ(count_of(participant_page(page), "<strong>Note:</strong> No peak stands out."), 1U);
}

TEST(ParticipantPage, FiguresAreDrawnInside) {
  const auto tracked = test::tracked_case(2, 200);
  ParticipantPage page = sample();
  page.attention = {draw_attention(tracked.picture())};
  page.topography = draw_topography(
      {.channels = {"A", "B"}, .positions = {{}, {}}, .pattern = Matrix::Ones(2, 3), .lags = {{0}, {0.1}, {0.2}}});
  page.alignment = AlignmentResult{.drawing = draw_alignment({.shifts = {{0}, {1}}, .scores = {0, 1}})};
  page.warnings = {{.text = "Two flat channels."}};
  page.notes = {{.text = "Zero-phase filters."}};
  const std::string html = participant_page(page);
  expect_good_html(html);
  EXPECT_EQ(count_of(html, "<svg "), 3U);
  EXPECT_EQ(count_of(html, "<figcaption>"), 3U);
  EXPECT_LT(html.find("Two flat channels."), html.find("Window by window"));
  EXPECT_GT(html.find("Zero-phase filters."), html.rfind("</svg>"));
}

TEST(ParticipantPage, NeedsNothingButAName) {
  const std::string html = participant_page({.id = "sub-x"});
  expect_good_html(html);
  EXPECT_TRUE(has(html, "<h1>sub-x:"));
  EXPECT_FALSE(has(html, "<svg "));
}

TEST(ParticipantPage, RunsHaveTheSameTrackers) {
  ParticipantPage page = sample();
  page.runs[1].trackers[0].method = "smooth";
  expect_error(ErrorKind::invalid_argument, {"run-2", "same order"}, [&] { (void)participant_page(page); });
  page.runs[1].trackers.clear();
  expect_error(ErrorKind::invalid_argument, {"run-2"}, [&] { (void)participant_page(page); });
}

TEST(ParticipantPage, SaysTheSameOfSeveralOnce) {
  ParticipantPage page{.id = "01"};
  page.notes = {{.subject = "01", .text = "degenerate"},
                {.text = "by itself"},
                {.subject = "03", .text = "degenerate"},
                {.subject = "04", .text = "other"}};
  const std::string html = participant_page(page);
  EXPECT_TRUE(has(html, "Participants 01, 03: degenerate."));
  EXPECT_TRUE(has(html, "By itself."));
  EXPECT_TRUE(has(html, "Participant 04: other."));
  EXPECT_FALSE(has(html, "Participant 03: degenerate"));
}

GroupPage sample(int participants) {
  GroupPage page{.dataset = "DTU", .decoder = "least squares"};
  page.methods = {{.method = "raw", .accuracy = {0.583, 0.031, 18}},
                  {.method = "causal",
                   .accuracy = {0.861, 0.0714, 18},
                   .switch_time = {24.44, 8.1, 18},
                   .accuracy_p = 0.00002,
                   .switch_time_p = 0.0312,
                   .whole_accuracy = {0.8049, 0.066, 18}}};
  for (int k = 0; k < participants; ++k) {
    page.participants.push_back({.id = std::to_string(k + 1),
                                 .page = "sub-" + std::to_string(k + 1) + "/report.html",
                                 .windows = 2960,
                                 .accuracies = {0.5 + (0.1 * k / participants), 0.8},
                                 .chance_bound = 0.55,
                                 .p_value = 0.04});
  }
  return page;
}

TEST(GroupPage, ComparesMethods) {
  const std::string html = group_page(sample(4));
  expect_good_html(html);
  EXPECT_TRUE(has(html, "<h1>DTU: group results</h1>"));
  EXPECT_TRUE(has(html,
                  "<th scope=\"row\">causal</th><td class=\"number\">18</td><td class=\"number\">86.1 \u00b1 7.1</td>"
                  "<td class=\"number\">&lt; 0.001</td><td class=\"number\">80.5 \u00b1 6.6</td>"
                  "<td class=\"number\">24.4 \u00b1 8.1</td>"
                  "<td class=\"number\">0.031</td>"));
  EXPECT_TRUE(has(html,
                  "<th scope=\"row\">raw</th><td class=\"number\">18</td><td class=\"number\">58.3 \u00b1 3.1</td>"
                  "<td class=\"number missing\">n/a</td>"));
  EXPECT_TRUE(has(html, "signed-rank test against raw,"));
  GroupPage other = sample(4);
  other.reference = "causal";
  EXPECT_TRUE(has(group_page(other), "signed-rank test against causal,"));
  EXPECT_TRUE(has(html, "<dt>Better than guessing</dt><dd>2 of 4</dd>"));
}

TEST(GroupPage, NamesEveryParticipantAndLeadsToTheirPages) {
  const std::string html = group_page(sample(4));
  EXPECT_TRUE(has(html,
                  "<th scope=\"row\"><a href=\"sub-3/report.html\">sub-3</a></th><td class=\"number\">2960</td>"
                  "<td class=\"number\">55.0</td><td class=\"number\">80.0</td><td class=\"number\">55.0</td>"
                  "<td class=\"number\">0.040</td>"));
  EXPECT_EQ(count_of(html, "<svg "), 1U);
  GroupPage page = sample(1);
  page.participants[0].page.clear();
  page.participants[0].accuracies[1].reset();
  page.methods[0].accuracy = {0.5, {}, 1};
  const std::string one = group_page(page);
  expect_good_html(one);
  EXPECT_TRUE(has(one, "<th scope=\"row\">sub-1</th>"));
  EXPECT_TRUE(has(one, "<td class=\"number\">50.0</td><td class=\"number missing\">n/a</td>"));
  EXPECT_TRUE(has(one, ">1 participant<"));
}

TEST(GroupPage, HoldsThreeHundredParticipants) {
  const std::string html = group_page(sample(300));
  expect_good_html(html);
  EXPECT_EQ(count_of(html, "/report.html\""), 300U);
  EXPECT_LT(html.size(), 300'000U);
}

TEST(GroupPage, ThoseLeftOutAreNamedWithTheReason) {
  GroupPage page = sample(2);
  page.left_out = {{"19", "the file ends early; <copy> it again"}};
  const std::string html = group_page(page);
  EXPECT_TRUE(has(html, "<th scope=\"row\">sub-19</th><td>the file ends early; &lt;copy&gt; it again</td>"));
  EXPECT_TRUE(has(html, "1 participant could not be used"));
}

TEST(GroupPage, TradeOffAndNotesComeWhereGiven) {
  GroupPage page = sample(2);
  EXPECT_FALSE(has(group_page(page), "Accuracy against switch time"));
  page.trade_off = Drawing{.width = 10, .height = 10, .title = "curves", .description = "", .groups = {}};
  page.notes = {{.text = "Fitted on others."}};
  page.warnings = {{.text = "Few participants."}};
  const std::string html = group_page(page);
  expect_good_html(html);
  EXPECT_EQ(count_of(html, "<svg "), 2U);
  EXPECT_TRUE(has(html, "<strong>Warning:</strong> Few participants."));
  EXPECT_TRUE(has(html, "<strong>Note:</strong> Fitted on others."));
}

TEST(GroupPage, WithoutAccuraciesThereIsNoFigure) {
  GroupPage page = sample(2);
  for (auto& one : page.participants) one.accuracies = {{}, {}};
  const std::string html = group_page(page);
  expect_good_html(html);
  EXPECT_FALSE(has(html, "<svg "));
  EXPECT_TRUE(has(html, "it is unknown who was attended"));
  EXPECT_TRUE(has(html, "<dt>Better than guessing</dt><dd class=\"missing\">n/a</dd>"));
}

TEST(GroupPage, WithoutParticipantsItStillTellsWhy) {
  GroupPage page{.dataset = "", .decoder = ""};
  page.left_out = {{"01", "no audio"}};
  const std::string html = group_page(page);
  expect_good_html(html);
  EXPECT_TRUE(has(html, "no audio"));
  EXPECT_TRUE(has(html, "<h1>Group results</h1>"));
}

TEST(GroupPage, ParticipantsHaveAnAccuracyAMethod) {
  GroupPage page = sample(2);
  page.participants[1].accuracies.pop_back();
  expect_error(ErrorKind::invalid_argument, {"sub-2", "1 accuracies", "2 methods"}, [&] { (void)group_page(page); });
}

}  // namespace

}  // namespace heed::report
