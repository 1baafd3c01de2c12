// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <pipeline/scoring/cross_validation.h>
#include <pipeline/scoring/eeg_sums.h>

#include <array>

#include "support/decoding_cases.h"

namespace heed::pipeline {
namespace {

constexpr decode::DecoderLags of_least_squares{{0, 4}, {0, 0}};
constexpr decode::DecoderLags of_cca{{0, 4}, {-4, 0}};
constexpr decode::DecoderLags longer{{0, 5}, {0, 0}};

void expect_same(const decode::TrialStatistics& one, const decode::TrialStatistics& other) {
  EXPECT_EQ(one.lags, other.lags);
  EXPECT_EQ(one.samples, other.samples);
  EXPECT_EQ(one.xx, other.xx);
  EXPECT_EQ(one.xy, other.xy);
  EXPECT_EQ(one.yy, other.yy);
  EXPECT_EQ(one.energies, other.energies);
}

TEST(EegSums, AreTheSameBitsWhoeverCameBefore) {
  const Trial trial = test::make_trial("one", {});
  EegSums sums;
  for (const decode::DecoderLags& lags : {of_least_squares, of_cca, longer, of_least_squares}) {
    decode::TrialStatistics found = sums.statistics_of(1, trial, lags);
    expect_same(found, decode::trial_statistics(trial, lags));
    sums.keep(1, std::move(found));
  }
}

TEST(EegSums, WhatIsKeptIsTakenOnceAndNotMadeAnew) {
  const Trial trial = test::make_trial("one", {});
  EegSums sums;
  decode::TrialStatistics marked = sums.statistics_of(0, trial, of_least_squares);
  marked.xx(0, 0) = -1;
  sums.keep(0, std::move(marked));
  EXPECT_EQ(sums.statistics_of(0, trial, of_cca).xx(0, 0), -1);
  EXPECT_GT(sums.statistics_of(0, trial, of_cca).xx(0, 0), 0) << "taken, and not given back";
  EXPECT_GT(sums.statistics_of(1, trial, of_cca).xx(0, 0), 0) << "of another trial";
}

// Decoders that share sums give the scores each gives alone, to the bit; a trial without labels has none to share.
TEST(EegSums, DoNotChangeTheScoresOfDecodersThatShareThem) {
  ParticipantTrials participant = test::make_participant("01", 4, {});
  participant.trials.back().attention.clear();
  const std::array<decode::WindowLayout, 2> windows{Seconds{1}, Seconds{5}};
  EegSums sums;
  for (const DecoderKind kind : {DecoderKind::least_squares, DecoderKind::cca, DecoderKind::least_squares}) {
    const auto alone = cross_validate(participant, {.kind = kind}, windows);
    const auto sharing = cross_validate(participant, {.kind = kind}, windows, {.sums = &sums});
    for (std::size_t w = 0; w < windows.size(); ++w) {
      for (std::size_t k = 0; k < participant.trials.size(); ++k) {
        EXPECT_EQ(sharing[w].trials[k].scores.values, alone[w].trials[k].scores.values);
      }
    }
  }
}

}  // namespace
}  // namespace heed::pipeline
