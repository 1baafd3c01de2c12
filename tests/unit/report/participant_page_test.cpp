// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <report/alignment_figure.h>
#include <report/participant_page.h>
#include <report/topography_figure.h>
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
                       .window = {1},
                       .speakers = {"left", "right"},
                       .raw = {0.621, 2960, 0.5, 0.5152, 1e-9},
                       .trackers = {{"causal", 0.913, 21.34}},
                       .provenance = {.command = "heed bids", .version = "0.1.0"}};
  page.runs = {{"run-1", {493}, 493, 0.62, {{"causal", 0.9, 20.0}}}, {"run-2", {493.4}, 493, {}, {{"causal", {}, {}}}}};
  return page;
}

TEST(ParticipantPage, TellsHowWellAndOnWhat) {
  const std::string html = participant_page(sample());
  expect_good_html(html);
  EXPECT_TRUE(has(html, "<h1>sub-01: whom did they listen to?</h1>"));
  EXPECT_TRUE(has(html, "<dd>DTU &lt;match&gt;</dd>"));
  EXPECT_TRUE(has(html, "<dd>left, right</dd>"));
  EXPECT_TRUE(has(html, "<dd>2 runs, 16.4 min in all</dd>"));
  EXPECT_TRUE(has(html, "<th scope=\"row\">causal</th><td class=\"number\">91.3</td><td class=\"number\">21.3</td>"));
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
                  "the decoder is right in 62.1 % of 2960 windows of 1 s. A guesser is right in 50.0 %, and by luck "
                  "hardly ever in 51.5 % or more (5 % of all guessers). This is better than guessing (p &lt; 0.001)."));
  page.raw.accuracy = 0.507;
  page.raw.p_value = 0.223;
  EXPECT_TRUE(has(participant_page(page), "<strong>Warning:</strong> Window by window"));
  EXPECT_TRUE(has(participant_page(page), "This is not better than guessing (p = 0.223)"));
  page.raw = {1, 3, 0.5, {}, 0.125};
  EXPECT_TRUE(has(participant_page(page), "too few windows to tell this result from luck"));
  page.raw = {};
  EXPECT_TRUE(has(participant_page(page), "<strong>Note:</strong> Who was attended is not known"));
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
  page.warnings = {"Two flat channels."};
  page.notes = {"Zero-phase filters."};
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
  page.notes = {"participant 01: degenerate", "by itself", "participant 03: degenerate", "participant 04: other"};
  const std::string html = participant_page(page);
  EXPECT_TRUE(has(html, "participants 01, 03: degenerate"));
  EXPECT_TRUE(has(html, "by itself"));
  EXPECT_TRUE(has(html, "participant 04: other"));
  EXPECT_FALSE(has(html, "participant 03: degenerate"));
}

}  // namespace
}  // namespace heed::report
