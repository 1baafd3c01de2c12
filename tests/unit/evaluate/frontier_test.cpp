// SPDX-License-Identifier: MIT
#include <evaluate/frontier.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace heed::evaluate {
namespace {

MeasuredParticipants of(const std::vector<double>& values, const std::vector<std::string>& names = {}) {
  MeasuredParticipants result;
  for (std::size_t k = 0; k < values.size(); ++k) {
    result.participants.push_back(names.empty() ? std::to_string(k + 1) : names[k]);
    result.values.push_back(std::isnan(values[k]) ? std::nullopt : std::optional(values[k]));
  }
  return result;
}

// Tables of Student's distribution.
TEST(StudentQuantile, EqualsPublishedTables) {
  EXPECT_NEAR(student_quantile(0.975, 1), 12.7062, 1e-4);
  EXPECT_NEAR(student_quantile(0.975, 2), 4.30265, 1e-5);
  EXPECT_NEAR(student_quantile(0.975, 7), 2.36462, 1e-5);
  EXPECT_NEAR(student_quantile(0.975, 12), 2.17881, 1e-5);
  EXPECT_NEAR(student_quantile(0.95, 7), 1.89458, 1e-5);
  EXPECT_NEAR(student_quantile(0.95, 30), 1.69726, 1e-5);
}

// One method is the other, 5 points better and twice as slow: at equal time 5 points less what doubling the time buys.
TEST(CompareFrontiers, AveragesOverTheTimesBothReach) {
  OperatingPoints first;
  OperatingPoints second;
  for (const double time : {4.0, 8.0, 16.0, 32.0}) {
    const double accuracy = 0.6 + (0.05 * std::log2(time));  // .70 .75 .80 .85
    second.add(of({accuracy, accuracy}), of({time, time}));
    first.add(of({accuracy + 0.03, accuracy + 0.03}), of({time, time}));
  }
  const auto found = compare_frontiers(first, second);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->gain.value, 0.03, 1e-12);
  EXPECT_NEAR(found->gain.lower, 0.03, 1e-12) << "listeners are alike";
  EXPECT_NEAR(found->shortest, 4, 1e-12);
  EXPECT_NEAR(found->longest, 32, 1e-12);
  ASSERT_TRUE(found->time_ratio);
  EXPECT_NEAR(found->time_ratio->value, std::exp2(-0.03 / 0.05), 1e-12) << "3 points are bought by so much time";
  EXPECT_EQ(found->participants, 2U);
}

// For a statistic that is a mean, leaving one out gives Student's interval of the mean.
TEST(CompareFrontiers, TheIntervalOfAMeanIsStudents) {
  const std::vector<double> gains{0.01, 0.02, 0.05, 0.00, 0.03};
  OperatingPoints first;
  OperatingPoints second;
  for (const double step : {0.0, 0.1}) {
    std::vector<double> ours;
    for (const double gain : gains) ours.push_back(0.8 + step + gain);
    const double time = step == 0 ? 5 : 20;
    first.add(of(ours), of(std::vector<double>(5, time)));
    second.add(of(std::vector<double>(5, 0.8 + step)), of(std::vector<double>(5, time)));
  }
  const auto found = compare_frontiers(first, second);
  ASSERT_TRUE(found);
  const double mean = 0.022;
  double squares = 0;
  for (const double gain : gains) squares += (gain - mean) * (gain - mean);
  const double half = std::sqrt(squares / 4 / 5) * student_quantile(0.975, 4);
  EXPECT_NEAR(found->gain.value, mean, 1e-12);
  EXPECT_NEAR(found->gain.lower, mean - half, 1e-12);
  EXPECT_NEAR(found->gain.upper, mean + half, 1e-12);
  EXPECT_LT(found->gain.upper_90, found->gain.upper);
}

TEST(CompareFrontiers, SeedsThatDifferWidenTheInterval) {
  const std::vector<std::string> names{"sub-01_seed-1", "sub-02_seed-1", "sub-01_seed-2", "sub-02_seed-2"};
  EXPECT_EQ(seed_of(names[2]), "2");
  EXPECT_EQ(seed_of("sub-01"), "");
  const std::vector<double> gains{0.00, 0.01, 0.05, 0.06};
  const auto width = [&](const std::vector<std::string>& whose) {
    OperatingPoints first;
    OperatingPoints second;
    for (const double step : {0.0, 0.1}) {
      std::vector<double> ours;
      for (const double gain : gains) ours.push_back(0.8 + step + gain);
      const double time = step == 0 ? 5 : 20;
      first.add(of(ours, whose), of(std::vector<double>(4, time), whose));
      second.add(of(std::vector<double>(4, 0.8 + step), whose), of(std::vector<double>(4, time), whose));
    }
    const auto found = compare_frontiers(first, second).value();
    return found.gain.upper - found.gain.lower;
  };
  const double error = 0.025;  // of two means, .005 and .055
  EXPECT_NEAR(width(names), 2 * error * student_quantile(0.975, 1), 1e-9);
  EXPECT_LT(width({"1", "2", "3", "4"}), width(names));
}

// A point that is slower and no better adds nothing.
TEST(FrontierAt, TakesTheBestWithinTheTime) {
  OperatingPoints points;
  points.add(of({0.7, 0.7}), of({5, 5}));
  points.add(of({0.9, 0.9}), of({10, 10}));
  points.add(of({0.8, 0.8}), of({20, 20}));
  points.add(of({0.95, 0.95}), of({40, 40}));
  const auto found = frontier_at(points, std::vector<double>{2, 5, 10, 20, 50});
  EXPECT_FALSE(found[0]) << "nothing is as fast";
  EXPECT_NEAR(found[1]->value, 0.7, 1e-12);
  EXPECT_NEAR(found[2]->value, 0.9, 1e-12);
  EXPECT_NEAR(found[3]->value, 0.925, 1e-12) << "halfway, in the logarithm, between 10 and 40 s";
  EXPECT_NEAR(found[4]->value, 0.95, 1e-12) << "more time does no harm";
  EXPECT_EQ(found[4]->lower, found[4]->value) << "listeners are alike";
  const auto needed = frontier_times(points, std::vector<double>{0.6, 0.9, 0.925, 0.99});
  EXPECT_NEAR(needed[0]->value, 5, 1e-9) << "the quickest point has it already";
  EXPECT_NEAR(needed[1]->value, 10, 1e-9);
  EXPECT_NEAR(needed[2]->value, 20, 1e-9);
  EXPECT_FALSE(needed[3]);
}

// Listeners near 100 % and one who fails: no interval leaves what an accuracy or a time can be.
TEST(FrontierAt, IntervalsStayWhereAccuraciesAndTimesCanLie) {
  OperatingPoints points;
  const std::vector<double> best{1, 1, 0.99, 1, 1, 1, 1, 0.5};
  for (const double share : {0.8, 0.9, 1.0}) {
    std::vector<double> accuracies;
    for (const double one : best) accuracies.push_back(share * one);
    points.add(of(accuracies), of(std::vector<double>(8, share * share * 50)));
  }
  const Interval within = frontier_at(points, std::vector<double>{60}).at(0).value();
  EXPECT_NEAR(within.value, 7.49 / 8, 1e-12);
  EXPECT_LE(within.upper, 1);
  EXPECT_LT(within.lower, 0.88) << "a cohort with two who fail is likely";
  EXPECT_GE(within.lower_90, within.lower);
  const Interval needed = frontier_times(points, std::vector<double>{0.9}).at(0).value();
  EXPECT_GT(needed.value, 32);
  EXPECT_LT(needed.value, 50);
  EXPECT_GE(needed.lower, 32) << "no point is as quick";
  EXPECT_TRUE(std::isinf(needed.upper)) << "with two who fail 90 % is not reached";
}

// Of a mean of many listeners, percentiles are those of the normal distribution, widened to Student's.
TEST(FrontierAt, ThePercentilesOfAMeanAreStudents) {
  std::vector<double> accuracies;
  for (int k = 0; k < 20; ++k) accuracies.push_back(0.8 + (0.005 * k));
  OperatingPoints points;
  points.add(of(accuracies), of(std::vector<double>(20, 10)));
  points.add(of(std::vector<double>(20, 0.1)), of(std::vector<double>(20, 20)));
  double squares = 0;
  for (const double one : accuracies) squares += (one - 0.8475) * (one - 0.8475);
  const double half = std::sqrt(squares / 19 / 20) * student_quantile(0.975, 19);
  const Interval found = frontier_at(points, std::vector<double>{10}).at(0).value();
  EXPECT_NEAR(found.value, 0.8475, 1e-12);
  EXPECT_NEAR(found.value - found.lower, half, 0.1 * half);
  EXPECT_NEAR(found.upper - found.value, half, 0.1 * half);
}

TEST(CompareFrontiers, LeavesOutWhoLacksAPointAndSaysWhereNothingIsShared) {
  const double nan = std::nan("");
  OperatingPoints first;
  first.add(of({0.7, 0.7, 0.1}), of({5, 5, 5}));
  first.add(of({0.9, 0.9, nan}), of({10, 10, nan}));
  EXPECT_FALSE(first.is_complete(2));
  EXPECT_EQ(compare_frontiers(first, first).value().participants, 2U);
  OperatingPoints later;
  later.add(of({0.7, 0.7, 0.1}), of({50, 50, 5}));
  later.add(of({0.9, 0.9, 0.1}), of({100, 100, 5}));
  EXPECT_FALSE(compare_frontiers(first, later)) << "they share no time";
  OperatingPoints alone;
  alone.add(of({0.7}), of({5}));
  alone.add(of({0.9}), of({50}));
  EXPECT_FALSE(compare_frontiers(alone, alone)) << "one listener has no spread";
}

// Two numbers of a method span its points together, wherever their rows stand; what is no parameter does not.
TEST(OperatingPoints, AreAllSettingsOfATable) {
  ResultTable table{.columns = {"tracker", "p", "window", "participant", "seen", "accuracy", "time"}, .rows = {}};
  double number = 0;
  for (const char* participant : {"a", "b"}) {
    for (const double p : {0.001, 0.01}) {
      for (const double window : {1.0, 5.0}) {
        table.rows.push_back({"causal", p, window, participant, ++number, p * window, p + window});
      }
    }
    table.rows.push_back({"raw", "scaled", 1.0, participant, ++number, 0.5, 1.0});
  }
  table.rows[1][5] = TableValue();  // of a at p = .001 in windows of 5 s
  const OperatingPoints points = operating_points(table, {{"tracker", "causal"}}, {"accuracy", "time"});
  EXPECT_EQ(points.participants(), (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(points.size(), 4U);
  std::size_t point = 0;
  for (const double p : {0.001, 0.01}) {
    for (const double window : {1.0, 5.0}) {
      EXPECT_EQ(points.accuracy(point, 1), p * window);
      EXPECT_EQ(points.time(point, 0), p + window);
      ++point;
    }
  }
  EXPECT_EQ(points.accuracy(1, 0), std::nullopt);
  EXPECT_FALSE(points.is_complete(0));
  EXPECT_TRUE(points.is_complete(1));
  EXPECT_EQ(operating_points(table, {{"tracker", "causal"}, {"p", 0.01}}, {"accuracy", "time"}).size(), 2U);
  EXPECT_EQ(operating_points(table, {{"tracker", "viterbi"}}, {"accuracy", "time"}).size(), 0U);
}

}  // namespace
}  // namespace heed::evaluate
