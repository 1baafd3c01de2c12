// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sim/disturbances.h>

#include <cmath>

namespace heed::sim {
namespace {

RecordingCohortOptions small() {
  RecordingCohortOptions options;
  options.trial = Seconds{600};
  options.sampling_frequency = Hertz{64};
  options.channels = {"Fpz", "Cz", "Oz"};
  return options;
}

SampleMatrix quiet() { return SampleMatrix::Zero(600 * 64, 3); }

TEST(Disturbances, BlinksComeAsOftenAsAskedAndOverTheForehead) {
  RecordingCohortOptions options = small();
  options.blinks = 12;
  const Head head = make_head(options.channels);
  SampleMatrix samples = quiet();
  add_blinks(options, {1, 1}, head, samples);
  int blinks = 0;
  for (Index n = 1; n < samples.rows(); ++n) blinks += samples(n, 0) > 0.5F && samples(n - 1, 0) <= 0.5F ? 1 : 0;
  EXPECT_NEAR(blinks, 120, 4 * std::sqrt(120.0));
  EXPECT_GT(samples.col(0).maxCoeff(), 50);  // uV
  EXPECT_GT(samples.col(0).maxCoeff(), 5 * samples.col(2).cwiseAbs().maxCoeff());
  SampleMatrix other = quiet();
  add_blinks(options, {1, 2}, head, other);
  EXPECT_NE(samples, other);
}

TEST(Disturbances, BurstsAreLargeLocalAndRare) {
  RecordingCohortOptions options = small();
  options.artefacts = 2;
  SampleMatrix samples = quiet();
  add_bursts(options, {1, 1}, make_head(options.channels), samples);
  EXPECT_GT(samples.cwiseAbs().maxCoeff(), 60);
  double bad = 0;
  for (Index n = 0; n < samples.rows(); ++n) bad += samples.row(n).cwiseAbs().maxCoeff() > 0 ? 1 : 0;
  EXPECT_GT(bad / 64, 5);  // 20 bursts of 1.25 s are expected
  EXPECT_LT(bad / 64, 60);
}

TEST(Disturbances, LineNoiseIsASineOnEveryChannel) {
  RecordingCohortOptions options = small();
  options.line_noise = 3;
  options.line_frequency = Hertz{16};
  SampleMatrix samples = quiet();
  add_line_noise(options, samples);
  EXPECT_NEAR(samples(1, 0), 3, 1e-4);  // a quarter of a period
  EXPECT_NEAR(samples(2, 1), 0, 1e-4);
  EXPECT_NEAR(samples(3, 2), -3, 1e-4);
}

TEST(Disturbances, DropoutsAreMissingInEveryChannelAndListed) {
  RecordingCohortOptions options = small();
  options.dropouts = 3;
  options.dropout_length = Seconds{4};
  SampleMatrix samples = quiet();
  const auto ranges = drop_out(options, {1, 1}, samples);
  EXPECT_NEAR(static_cast<double>(ranges.size()), 27, 4 * std::sqrt(30.0));  // of 30 some run together
  std::vector<bool> listed(static_cast<std::size_t>(samples.rows()), false);
  Index end = -1;
  for (const SampleRange& range : ranges) {
    EXPECT_GT(range.first, end);  // by time, without touching
    end = range.first + range.count;
    for (Index n = range.first; n < end; ++n) listed[static_cast<std::size_t>(n)] = true;
  }
  for (Index n = 0; n < samples.rows(); ++n) {
    for (Index c = 0; c < 3; ++c) ASSERT_EQ(std::isnan(samples(n, c)), listed[static_cast<std::size_t>(n)]);
  }
}

}  // namespace
}  // namespace heed::sim
