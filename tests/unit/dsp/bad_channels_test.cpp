// SPDX-License-Identifier: MIT
#include <dsp/bad_channels.h>
#include <gtest/gtest.h>

#include <limits>

#include "support/dsp_matrices.h"

namespace heed::dsp {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Good noise in column 0, something wrong in each of the others.
SampleMatrix recording() {
  SampleMatrix samples = test::noise(1000, 7, 1).cast<float>();
  samples.col(1).setConstant(3.5F);                                        // flat
  samples.col(2) = samples.col(2).cwiseMin(0.5F);                          // at its upper limit a third of the time
  samples.col(3).setConstant(nan);                                         // never there
  samples.col(4) = (50 * samples.col(4)).array().round();                  // coarse, but alive
  for (Index t = 0; t < 1000; ++t) samples(t, 5) = samples(t / 5 * 5, 5);  // each sample five times
  samples.col(6).head(300).setConstant(nan);                               // gone for a while
  return samples;
}

std::vector<BadChannel> found(const SampleMatrix& samples, Index chunk, BadChannelRules rules = {}) {
  BadChannelDetector detector(samples.cols(), rules);
  test::in_chunks(samples.rows(), chunk,
                  [&](Index first, Index count) { detector.push(samples.middleRows(first, count)); });
  return detector.found();
}

TEST(BadChannels, AreFoundWithAReason) {
  const auto bad = found(recording(), 1000);
  ASSERT_EQ(bad.size(), 4U);
  EXPECT_EQ(bad[0].channel, 1);
  EXPECT_EQ(bad[0].reason, "flat: it is always 3.5");
  EXPECT_EQ(bad[1].channel, 2);
  EXPECT_EQ(bad[1].reason.find("railed: "), 0U) << bad[1].reason;
  EXPECT_NE(bad[1].reason.find("largest value, 0.5"), std::string::npos) << bad[1].reason;
  EXPECT_EQ(bad[2].channel, 3);
  EXPECT_EQ(bad[2].reason, "missing: 100 % of its samples are not numbers");
  EXPECT_EQ(bad[3].channel, 5);
  EXPECT_EQ(bad[3].reason.find("flat: 80"), 0U) << bad[3].reason;
}

TEST(BadChannels, AreTheSameInAnyChunks) {
  const auto expected = found(recording(), 1000);
  for (const Index chunk : {1, 7, 64}) {
    const auto bad = found(recording(), chunk);
    ASSERT_EQ(bad.size(), expected.size());
    for (std::size_t i = 0; i < bad.size(); ++i) EXPECT_EQ(bad[i].reason, expected[i].reason);
  }
}

TEST(BadChannels, FollowTheRules) {
  EXPECT_EQ(found(recording(), 1000, {.flat_share = 0.9}).size(), 3U);
  EXPECT_EQ(found(recording(), 1000, {.railed_share = 0.9}).size(), 3U);
  EXPECT_EQ(found(recording(), 1000, {.missing_share = 0.2}).size(), 5U);
}

TEST(BadChannels, SeeTheLowerRail) {
  SampleMatrix samples = test::noise(500, 1, 2).cast<float>();
  samples = samples.cwiseMax(-0.3F);
  const auto bad = found(samples, 100);
  ASSERT_EQ(bad.size(), 1U);
  EXPECT_NE(bad[0].reason.find("smallest value, -0.3"), std::string::npos) << bad[0].reason;
}

TEST(BadChannels, AreNotJudgedByOneSample) {
  EXPECT_TRUE(found(SampleMatrix::Zero(1, 3), 1).empty());
  EXPECT_TRUE(BadChannelDetector(3).found().empty());
}

}  // namespace
}  // namespace heed::dsp
