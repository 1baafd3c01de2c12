// SPDX-License-Identifier: MIT
#include <evaluate/frontier.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <random>

namespace heed::evaluate {
namespace {

constexpr double rounding = 1e-9;
constexpr std::size_t grid_size = 33;  // times, or accuracies, over which differences are averaged

struct Vertex {
  double log_time = 0;
  double accuracy = 0;
};
// Those points that no other one beats in both; rising in both.
using Frontier = std::vector<Vertex>;

Frontier frontier_of(const OperatingPoints& points, std::span<const std::size_t> participants) {
  Frontier means;
  for (std::size_t point = 0; point < points.size(); ++point) {
    double accuracy = 0;
    double time = 0;
    for (const std::size_t k : participants) {
      accuracy += *points.accuracy(point, k);
      time += *points.time(point, k);
    }
    const auto count = static_cast<double>(participants.size());
    if (time > 0) means.push_back({std::log(time / count), accuracy / count});
  }
  std::ranges::sort(means, [](const Vertex& a, const Vertex& b) {
    return a.log_time != b.log_time ? a.log_time < b.log_time : a.accuracy > b.accuracy;
  });
  Frontier best;
  for (const Vertex& one : means) {
    if (best.empty() || one.accuracy > best.back().accuracy) best.push_back(one);
  }
  return best;
}

// Straight lines between vertices, level beyond both ends.
double interpolated(const Frontier& frontier, double x, double Vertex::*from, double Vertex::*to) {
  const auto above = std::ranges::lower_bound(frontier, x, {}, from);
  if (above == frontier.begin()) return frontier.front().*to;
  if (above == frontier.end()) return frontier.back().*to;
  const Vertex& low = *(above - 1);
  const double share = (x - low.*from) / ((*above).*from - low.*from);
  return low.*to + (share * ((*above).*to - low.*to));
}

double accuracy_at(const Frontier& frontier, double log_time) {
  return interpolated(frontier, log_time, &Vertex::log_time, &Vertex::accuracy);
}
double log_time_at(const Frontier& frontier, double accuracy) {
  return interpolated(frontier, accuracy, &Vertex::accuracy, &Vertex::log_time);
}

struct Span {
  double low = 0;
  double high = 0;
  [[nodiscard]] bool is_empty() const { return !(low < high); }
};

template <typename Difference>
double mean_over(const Span& span, Difference difference) {
  double sum = 0;
  for (std::size_t k = 0; k < grid_size; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(grid_size - 1);
    sum += difference(span.low + (share * (span.high - span.low)));
  }
  return sum / static_cast<double>(grid_size);
}

// ---- intervals ----

using Statistic = std::function<double(std::span<const std::size_t>)>;

using Blocks = std::vector<std::vector<std::size_t>>;  // of participants: one each, or those of a seed

struct Spread {
  double error = 0;  // standard error
  std::size_t degrees = 1;
};

// Leaving out one block after the other.
Spread jackknife(const Blocks& blocks, const Statistic& statistic) {
  std::vector<double> values;
  for (std::size_t left_out = 0; left_out < blocks.size(); ++left_out) {
    std::vector<std::size_t> kept;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (b != left_out) kept.insert(kept.end(), blocks[b].begin(), blocks[b].end());
    }
    values.push_back(statistic(kept));
  }
  const auto count = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {std::sqrt(squares * (count - 1) / count), values.size() - 1};
}

// Over listeners, or over seeds where that is wider.
class Intervals {
 public:
  Intervals(const std::vector<std::string>& names, std::vector<std::size_t> participants)
      : participants_(std::move(participants)) {
    std::map<std::string, std::vector<std::size_t>> seeds;
    for (const std::size_t k : participants_) {
      listeners_.push_back({k});
      seeds[seed_of(names[k])].push_back(k);
    }
    for (auto& [seed, of_seed] : seeds) seeds_.push_back(std::move(of_seed));
  }

  [[nodiscard]] std::span<const std::size_t> participants() const { return participants_; }
  [[nodiscard]] const Blocks& listeners() const { return listeners_; }
  [[nodiscard]] const Blocks& seeds() const { return seeds_; }

  [[nodiscard]] Interval of(const Statistic& statistic) const {
    Interval interval{.value = statistic(participants_)};
    const auto half = [&](double share) {
      const auto wide = [&](const Blocks& blocks) {
        if (blocks.size() < 2) return 0.0;
        const Spread spread = jackknife(blocks, statistic);
        return spread.error * student_quantile(share, spread.degrees);
      };
      return std::max(wide(listeners_), wide(seeds_));
    };
    const double outer = half(0.975);
    const double inner = half(0.95);
    interval.lower = interval.value - outer;
    interval.upper = interval.value + outer;
    interval.lower_90 = interval.value - inner;
    interval.upper_90 = interval.value + inner;
    return interval;
  }

 private:
  std::vector<std::size_t> participants_;
  Blocks listeners_;
  Blocks seeds_;
};

Interval exponential(Interval interval) {
  for (double* value : {&interval.value, &interval.lower, &interval.upper, &interval.lower_90, &interval.upper_90}) {
    *value = std::exp(*value);
  }
  return interval;
}

// ---- along one frontier: percentiles of resampled cohorts, which never leave what a frontier can be ----

// [place][resample], sorted: the frontier's value at every place, of cohorts drawn from the blocks with replacement.
template <typename Value>
std::vector<std::vector<double>> resampled(const OperatingPoints& points, const Blocks& blocks,
                                           std::span<const double> places, Value value) {
  constexpr std::size_t resamples = 2000;
  std::mt19937_64 random(1);  // the same cohorts for every method, and in every run
  std::vector<std::vector<double>> values(places.size());
  for (std::size_t draw = 0; draw < resamples; ++draw) {
    std::vector<std::size_t> drawn;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const auto& block = blocks[random() % blocks.size()];
      drawn.insert(drawn.end(), block.begin(), block.end());
    }
    const Frontier frontier = frontier_of(points, drawn);
    for (std::size_t i = 0; i < places.size(); ++i) values[i].push_back(value(frontier, places[i]));
  }
  for (auto& one : values) std::ranges::sort(one);
  return values;
}

// The percentile below which `share` of an interval lies. Few blocks spread too little when drawn with replacement:
// the normal quantile is widened to Student's, and by sqrt(n / (n - 1)) (Hesterberg's expanded percentiles).
double expanded_share(double share, std::size_t blocks) {
  const auto count = static_cast<double>(blocks);
  const double wide = std::sqrt(count / (count - 1)) * student_quantile(1 - share, blocks - 1);
  return std::erfc(wide / std::numbers::sqrt2) / 2;
}

Interval percentiles(double value, const std::vector<double>& sorted, std::size_t blocks) {
  const auto at = [&](double share) {
    const double place = std::floor(share * static_cast<double>(sorted.size() - 1));
    return static_cast<std::size_t>(place);
  };
  const std::size_t outer = at(expanded_share(0.025, blocks));
  const std::size_t inner = at(expanded_share(0.05, blocks));
  const std::size_t last = sorted.size() - 1;
  return {value, std::min(value, sorted[outer]), std::max(value, sorted[last - outer]), std::min(value, sorted[inner]),
          std::max(value, sorted[last - inner])};
}

double width(const Interval& interval) { return interval.upper - interval.lower; }

// Nothing for places that the whole cohort's frontier does not reach.
template <typename Reaches, typename Value>
std::vector<std::optional<Interval>> along_frontier(const OperatingPoints& points, std::span<const double> places,
                                                    Reaches reaches, Value value) {
  std::vector<std::optional<Interval>> result(places.size());
  std::vector<std::size_t> complete;
  for (std::size_t k = 0; k < points.participants().size(); ++k) {
    if (points.is_complete(k)) complete.push_back(k);
  }
  const Frontier whole = complete.empty() ? Frontier{} : frontier_of(points, complete);
  if (whole.empty()) return result;
  const Intervals intervals(points.participants(), complete);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!reaches(whole, places[i])) continue;
    const double found = value(whole, places[i]);
    result[i] = Interval{found, found, found, found, found};
  }
  // Over listeners, or over seeds where that is wider.
  for (const Blocks* blocks : {&intervals.listeners(), &intervals.seeds()}) {
    if (blocks->size() < 2) continue;
    const auto values = resampled(points, *blocks, places, value);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!result[i]) continue;
      const Interval one = percentiles(result[i]->value, values[i], blocks->size());
      if (width(one) > width(*result[i])) result[i] = one;
    }
  }
  return result;
}

}  // namespace

void OperatingPoints::add(const MeasuredParticipants& accuracy, const MeasuredParticipants& time) {
  participants_ = accuracy.participants;
  accuracies_.push_back(accuracy.values);
  times_.push_back(time.values);
}

bool OperatingPoints::is_complete(std::size_t k) const {
  const auto has = [&](const auto& values) { return values[k].has_value(); };
  return std::ranges::all_of(accuracies_, has) && std::ranges::all_of(times_, has);
}

OperatingPoints operating_points(const ResultTable& results, const NamedValues& setting,
                                 const FrontierMeasures& measures) {
  const auto parameters = static_cast<std::ptrdiff_t>(results.column("participant"));
  std::vector<std::vector<std::size_t>> rows_of;  // [point]
  for (const std::size_t r : rows_at(results, setting)) {
    const auto is_of = [&](const std::vector<std::size_t>& rows) {
      const auto& known = results.rows[rows.front()];
      return std::equal(known.begin(), known.begin() + parameters, results.rows[r].begin());
    };
    // Mostly the last one: tables go setting by setting.
    const auto found = std::find_if(rows_of.rbegin(), rows_of.rend(), is_of);
    (found != rows_of.rend() ? *found : rows_of.emplace_back()).push_back(r);
  }
  const TableParticipants participants = participants_in(results);
  OperatingPoints points;
  for (const auto& rows : rows_of) {
    points.add(measured(results, participants, rows, measures.accuracy),
               measured(results, participants, rows, measures.time));
  }
  return points;
}

std::optional<FrontierComparison> compare_frontiers(const OperatingPoints& first, const OperatingPoints& second) {
  std::vector<std::size_t> both;
  for (std::size_t k = 0; k < std::min(first.participants().size(), second.participants().size()); ++k) {
    if (first.is_complete(k) && second.is_complete(k)) both.push_back(k);
  }
  if (both.size() < 2) return std::nullopt;
  const Frontier a = frontier_of(first, both);
  const Frontier b = frontier_of(second, both);
  if (a.empty() || b.empty()) return std::nullopt;
  const Span times{std::max(a.front().log_time, b.front().log_time), std::min(a.back().log_time, b.back().log_time)};
  const Span accuracies{std::max(a.front().accuracy, b.front().accuracy),
                        std::min(a.back().accuracy, b.back().accuracy)};
  if (times.is_empty()) return std::nullopt;
  const Intervals intervals(first.participants(), both);
  FrontierComparison comparison{
      .shortest = std::exp(times.low), .longest = std::exp(times.high), .participants = both.size()};
  comparison.gain = intervals.of([&](std::span<const std::size_t> some) {
    const Frontier one = frontier_of(first, some);
    const Frontier other = frontier_of(second, some);
    return mean_over(times, [&](double at) { return accuracy_at(one, at) - accuracy_at(other, at); });
  });
  if (accuracies.is_empty()) return comparison;
  comparison.time_ratio = exponential(intervals.of([&](std::span<const std::size_t> some) {
    const Frontier one = frontier_of(first, some);
    const Frontier other = frontier_of(second, some);
    return mean_over(accuracies, [&](double at) { return log_time_at(one, at) - log_time_at(other, at); });
  }));
  return comparison;
}

std::vector<std::optional<Interval>> frontier_at(const OperatingPoints& points, std::span<const double> times) {
  std::vector<double> logarithms(times.begin(), times.end());
  for (double& one : logarithms) one = std::log(one);
  // More time than the slowest point takes does no harm.
  const auto reaches = [](const Frontier& whole, double log_time) {
    return log_time >= whole.front().log_time - rounding;
  };
  return along_frontier(points, logarithms, reaches, accuracy_at);
}

std::vector<std::optional<Interval>> frontier_times(const OperatingPoints& points, std::span<const double> accuracies) {
  const auto reaches = [](const Frontier& frontier, double accuracy) {
    return accuracy <= frontier.back().accuracy + rounding;
  };
  return along_frontier(points, accuracies, reaches, [&](const Frontier& frontier, double accuracy) {
    return reaches(frontier, accuracy) ? std::exp(log_time_at(frontier, accuracy))
                                       : std::numeric_limits<double>::infinity();
  });
}

// Abramowitz and Stegun 26.7.3 and 26.7.4: a finite sum for whole degrees, inverted by bisection.
double student_quantile(double share, std::size_t degrees) {
  const auto probability = [&](double t) {
    const double theta = std::atan(t / std::sqrt(static_cast<double>(degrees)));
    const double squared = std::cos(theta) * std::cos(theta);
    const bool odd = degrees % 2 == 1;
    double term = odd ? std::cos(theta) : 1;
    double sum = degrees == 1 ? 0 : term;
    for (std::size_t k = odd ? 3 : 2; k + 2 <= degrees; k += 2) {
      term *= squared * static_cast<double>(k - 1) / static_cast<double>(k);
      sum += term;
    }
    const double within =
        odd ? 2 / std::numbers::pi * (theta + (std::sin(theta) * sum)) : std::sin(theta) * sum;  // P(|T| < t)
    return (1 + within) / 2;
  };
  double low = 0;
  double high = 1;
  while (probability(high) < share) high *= 2;
  for (int k = 0; k < 200 && high - low > 1e-12 * high; ++k) {
    const double middle = (low + high) / 2;
    (probability(middle) < share ? low : high) = middle;
  }
  return (low + high) / 2;
}

std::string seed_of(const std::string& participant) {
  constexpr std::string_view mark = "_seed-";
  const std::size_t at = participant.rfind(mark);
  return at == std::string::npos ? "" : participant.substr(at + mark.size());
}

}  // namespace heed::evaluate
