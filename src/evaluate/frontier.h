// SPDX-License-Identifier: MIT
// A method's frontier: the best accuracy it reaches within a given time, over all its operating points (p of a hidden
// Markov model, states or steps of a gain control, the length of windows). Two methods are compared by their whole
// frontiers, so that neither gains from how the other was tuned. Intervals are over listeners and, where there are
// several, over seeds (docs/mathematics.md).
#pragma once

#include <evaluate/measured_participants.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::evaluate {

// Accuracy and time of every participant at every operating point.
class OperatingPoints {
 public:
  // One more point. Participants without a value at every point are left out.
  void add(const MeasuredParticipants& accuracy, const MeasuredParticipants& time);

  [[nodiscard]] std::size_t size() const noexcept { return accuracies_.size(); }
  [[nodiscard]] const std::vector<std::string>& participants() const noexcept { return participants_; }
  [[nodiscard]] std::optional<double> accuracy(std::size_t point, std::size_t k) const { return accuracies_[point][k]; }
  [[nodiscard]] std::optional<double> time(std::size_t point, std::size_t k) const { return times_[point][k]; }
  // Whether participant k has all values.
  [[nodiscard]] bool is_complete(std::size_t k) const;

 private:
  std::vector<std::string> participants_;
  std::vector<std::vector<std::optional<double>>> accuracies_;  // [point][participant]
  std::vector<std::vector<std::optional<double>>> times_;
};

// Every setting of the table among those at `setting` is a point: the parameters are the columns before the
// participants'.
struct FrontierMeasures {
  std::string accuracy{};
  std::string time{};
};
[[nodiscard]] OperatingPoints operating_points(const ResultTable& results, const NamedValues& setting,
                                               const FrontierMeasures& measures);

struct Interval {
  double value = 0;
  double lower = 0;  // of 95 %
  double upper = 0;
  double lower_90 = 0;
  double upper_90 = 0;
};

struct FrontierComparison {
  Interval gain{};                       // of accuracy at equal time: first less second, mean over the times both reach
  std::optional<Interval> time_ratio{};  // first to second at equal accuracy; nothing: they share no accuracy
  double shortest = 0;                   // times both reach
  double longest = 0;
  std::size_t participants = 0;
};

// Of the participants both have. Nothing for fewer than two, or where they share no time.
[[nodiscard]] std::optional<FrontierComparison> compare_frontiers(const OperatingPoints& first,
                                                                  const OperatingPoints& second);

// The best accuracy within each of these times, with its interval by the bootstrap over listeners or seeds; nothing for
// times shorter than the method's shortest.
[[nodiscard]] std::vector<std::optional<Interval>> frontier_at(const OperatingPoints& points,
                                                               std::span<const double> times);

// The least time in which each of these accuracies is reached, with its interval; nothing for accuracies beyond the
// method's best. An upper end may be infinite: some cohorts like this one do not reach it.
[[nodiscard]] std::vector<std::optional<Interval>> frontier_times(const OperatingPoints& points,
                                                                  std::span<const double> accuracies);

// The quantile of Student's distribution, for a share above one half.
[[nodiscard]] double student_quantile(double share, std::size_t degrees);

// Participants of several simulated cohorts are named sub-01_seed-2; empty for the others.
[[nodiscard]] std::string seed_of(const std::string& participant);

}  // namespace heed::evaluate
