// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <report/group_page.h>
#include <support/expect_error.h>
#include <support/html_check.h>

namespace heed::report {
namespace {

using test::count_of;
using test::expect_error;
using test::expect_good_html;
using test::has;

GroupPage sample(int participants) {
  GroupPage page{.dataset = "DTU", .decoder = "least squares"};
  page.methods = {{.method = "raw", .accuracy = {0.583, 0.031, 18}},
                  {.method = "causal",
                   .accuracy = {0.861, 0.0714, 18},
                   .switch_time = {24.44, 8.1, 18},
                   .accuracy_p = 0.00002,
                   .switch_time_p = 0.0312}};
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
                  "<td class=\"number\">&lt; 0.001</td><td class=\"number\">24.4 \u00b1 8.1</td>"
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
  page.notes = {"Fitted on others."};
  page.warnings = {"Few participants."};
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
  EXPECT_TRUE(has(html, "who was attended is not known"));
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
