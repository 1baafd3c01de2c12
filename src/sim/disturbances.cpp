// SPDX-License-Identifier: MIT
#include <sim/disturbances.h>
#include <sim/draws.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace heed::sim {
namespace {

// Times of events that come `rate` a minute, independent of each other, until `end`.
std::vector<double> draw_times(double rate, Seconds end, RandomStream& random) {
  std::vector<double> times;
  if (rate <= 0) return times;
  for (double time = 0;;) {
    time -= std::log(1 - random.uniform()) * 60 / rate;
    if (time >= end.value) return times;
    times.push_back(time);
  }
}

// Samples from `onset` on, for `length`, cut to what there is.
SampleRange range_of(double onset, double length, Hertz rate, Index samples) {
  const auto first = std::min(static_cast<Index>(std::llround(onset * rate.value)), samples);
  const auto last = std::min(static_cast<Index>(std::llround((onset + length) * rate.value)), samples);
  return {first, last - first};
}

double bell(double along) {  // 0 at both ends, 1 in the middle
  const double sine = std::sin(std::numbers::pi * along);
  return sine * sine;
}

}  // namespace

void add_blinks(const RecordingCohortOptions& options, RunPlace place, const Head& head, SampleMatrix& samples) {
  RandomStream random = random_stream(options.seed, StreamKind::blinks, place.participant, place.trial);
  // Eyes lie below the forehead; a blink makes it positive.
  const Eigen::VectorXd pattern =
      scalp_pattern(head, {{{-0.3, 0.85, -0.3}, {0, 1, 0.5}}, {{0.3, 0.85, -0.3}, {0, 1, 0.5}}});
  for (const double onset : draw_times(options.blinks, options.trial, random)) {
    const double height = 120 * std::exp(0.3 * random.normal());  // uV
    const double length = 0.3 * std::exp(0.2 * random.normal());  // s
    const SampleRange range = range_of(onset, length, options.sampling_frequency, samples.rows());
    for (Index n = 0; n < range.count; ++n) {
      const double along = static_cast<double>(n) / (length * options.sampling_frequency.value);
      samples.row(range.first + n) += (height * bell(along) * pattern).cast<float>().transpose();
    }
  }
}

void add_bursts(const RecordingCohortOptions& options, RunPlace place, const Head& head, SampleMatrix& samples) {
  RandomStream random = random_stream(options.seed, StreamKind::bursts, place.participant, place.trial);
  for (const double onset : draw_times(options.artefacts, options.trial, random)) {
    const double length = 0.5 + (1.5 * random.uniform());         // s
    const double height = 100 * std::exp(0.5 * random.normal());  // uV
    const auto centre = static_cast<Index>(random.integer(0, samples.cols() - 1));
    const SampleRange range = range_of(onset, length, options.sampling_frequency, samples.rows());
    // A few electrodes around one, each shaking by itself and all moving together.
    const Eigen::VectorXd closeness = head.electrodes * head.electrodes.row(centre).transpose();
    const Eigen::ArrayXf reach = ((closeness.array() - 1) * 12).exp().cast<float>();
    for (Index n = 0; n < range.count; ++n) {
      const double along = static_cast<double>(n) / (length * options.sampling_frequency.value);
      const auto now = static_cast<float>(height * bell(along));
      const float together = innovation(random) / 2;
      for (Index c = 0; c < samples.cols(); ++c) {
        samples(range.first + n, c) += now * reach[c] * (together + innovation(random) / 2 + 0.7F);
      }
    }
  }
}

void add_line_noise(const RecordingCohortOptions& options, SampleMatrix& samples) {
  const double turn = 2 * std::numbers::pi * options.line_frequency.value / options.sampling_frequency.value;
  for (Index n = 0; n < samples.rows(); ++n) {
    samples.row(n).array() += static_cast<float>(options.line_noise * std::sin(turn * static_cast<double>(n)));
  }
}

std::vector<SampleRange> drop_out(const RecordingCohortOptions& options, RunPlace place, SampleMatrix& samples) {
  RandomStream random = random_stream(options.seed, StreamKind::dropouts, place.participant, place.trial);
  std::vector<SampleRange> ranges;
  for (const double onset : draw_times(options.dropouts, options.trial, random)) {
    const double length = -std::log(1 - random.uniform()) * options.dropout_length.value;
    SampleRange range = range_of(onset, length, options.sampling_frequency, samples.rows());
    if (range.count == 0) continue;
    samples.middleRows(range.first, range.count).setConstant(std::numeric_limits<float>::quiet_NaN());
    if (!ranges.empty() && ranges.back().first + ranges.back().count >= range.first) {
      const Index end = std::max(ranges.back().first + ranges.back().count, range.first + range.count);
      ranges.back().count = end - ranges.back().first;
    } else {
      ranges.push_back(range);
    }
  }
  return ranges;
}

}  // namespace heed::sim
