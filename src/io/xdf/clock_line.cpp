// SPDX-License-Identifier: MIT
#include <io/xdf/clock_line.h>

#include <algorithm>
#include <cmath>

namespace heed::io {
namespace {

constexpr double usual_error = 1e-4;  // s; offsets further from the line count less (Huber)
constexpr double sudden_time = 5;     // s beyond the usual interval, or any step back

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// One weighted least-squares line; nothing changes where all offsets were measured at one time.
void fit_weighted(std::span<const ClockOffset> offsets, std::span<const double> weights, ClockLine& line) {
  double sum = 0;
  double time = 0;
  double offset = 0;
  for (std::size_t k = 0; k < offsets.size(); ++k) {
    sum += weights[k];
    time += weights[k] * (offsets[k].time - line.centre);
    offset += weights[k] * offsets[k].offset;
  }
  time /= sum;
  offset /= sum;
  double both = 0;
  double times = 0;
  for (std::size_t k = 0; k < offsets.size(); ++k) {
    const double t = offsets[k].time - line.centre - time;
    both += weights[k] * t * (offsets[k].offset - offset);
    times += weights[k] * t * t;
  }
  line.slope = times > 0 ? both / times : 0;
  line.intercept = offset - line.slope * time;
}

// Huber's line by iteratively reweighted least squares.
ClockLine fit(std::span<const ClockOffset> offsets) {
  constexpr int most_rounds = 200;
  constexpr double settled = 1e-13;
  ClockLine line{.centre = offsets[offsets.size() / 2].time};
  std::vector<double> weights(offsets.size(), 1);
  for (int round = 0; round < most_rounds; ++round) {
    const ClockLine before = line;
    fit_weighted(offsets, weights, line);
    for (std::size_t k = 0; k < offsets.size(); ++k) {
      const double error = std::abs(offsets[k].offset - line.intercept - line.slope * (offsets[k].time - line.centre));
      weights[k] = error > usual_error ? usual_error / error : 1;
    }
    const double reach = offsets.back().time - offsets.front().time;
    if (std::abs(line.intercept - before.intercept) + std::abs((line.slope - before.slope) * reach) < settled) break;
  }
  return line;
}

bool is_reset(const ClockOffset& before, const ClockOffset& after, double usual_interval) {
  const double interval = after.time - before.time;
  return std::abs(after.offset - before.offset) > sudden_offset &&
         (interval < 0 || interval > usual_interval + sudden_time);
}

}  // namespace

std::vector<ClockLine> clock_lines(std::span<const ClockOffset> offsets) {
  if (offsets.empty()) return {ClockLine{}};
  std::vector<double> intervals;
  for (std::size_t k = 1; k < offsets.size(); ++k) intervals.push_back(offsets[k].time - offsets[k - 1].time);
  const double usual = intervals.empty() ? 0 : median(std::move(intervals));
  std::vector<ClockLine> lines;
  std::size_t begin = 0;
  for (std::size_t k = 1; k <= offsets.size(); ++k) {
    if (k < offsets.size() && !is_reset(offsets[k - 1], offsets[k], usual)) continue;
    lines.push_back(fit(offsets.subspan(begin, k - begin)));
    lines.back().first_sample = begin == 0 ? 0 : offsets[begin].first_sample;
    begin = k;
  }
  return lines;
}

}  // namespace heed::io
