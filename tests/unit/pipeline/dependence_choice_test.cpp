// SPDX-License-Identifier: MIT
#include <heed/pipeline/compare.h>
#include <heed/pipeline/track.h>
#include <heed/sim/score_cohort.h>
#include <pipeline/dependence_choice.h>
#include <pipeline/model_fit.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

using test::expect_error;

std::vector<ScoredParticipant> cohort(const sim::ScoreCohortOptions& options) {
  sim::ScoreCohortOptions all = options;
  all.participants = 3;
  all.accuracy = options.speakers == 2 ? 0.72 : 0.5;
  all.interval = {.shortest = Seconds{200}, .longest = Seconds{200}};
  return sim::simulate_scores(all);
}

EmissionChoice asked(DependenceChoice dependence) { return {.dependence = dependence}; }

std::string text_of(const Notes& notes) {
  std::string text;
  for (const Note& note : notes) text += note.text + "\n";
  return text;
}

struct Settled {
  DependenceChoice choice;
  std::string notes;
};
Settled settle(const EmissionChoice& choice, const std::vector<ScoredParticipant>& participants, double trials = 12) {
  Notes notes;
  const DependenceChoice settled = settled_dependence(choice, participants, trials, notes);
  return {settled, text_of(notes)};
}

TEST(DependenceChoice, AutomaticGoesByCorrelations) {
  const auto automatic = asked(DependenceChoice::automatic);
  const Settled independent = settle(automatic, cohort({.autocorrelation = 0}));
  EXPECT_EQ(independent.choice, DependenceChoice::none);
  EXPECT_NE(independent.notes.find("dependence none: attended scores correlate by"), std::string::npos);
  const Settled repeating = settle(automatic, cohort({.autocorrelation = 0.88}));
  EXPECT_EQ(repeating.choice, DependenceChoice::ar1);
  EXPECT_NE(repeating.notes.find("dependence ar1: attended scores correlate by 0.8"), std::string::npos);
  const auto biased = cohort({.autocorrelation = 0.76, .offset_share = 0.5});
  const Settled offset = settle(automatic, biased);
  EXPECT_EQ(offset.choice, DependenceChoice::offset) << offset.notes;
  const Settled few = settle(automatic, biased, 5);
  EXPECT_EQ(few.choice, DependenceChoice::ar1);
  EXPECT_NE(few.notes.find("fewer than 6 labelled trials"), std::string::npos) << few.notes;
}

TEST(DependenceChoice, NothingAskedIsNone) {
  EXPECT_EQ(settle({}, cohort({.autocorrelation = 0.88})).choice, DependenceChoice::none);
  EXPECT_EQ(settle(asked(DependenceChoice::ar1), cohort({})).choice, DependenceChoice::ar1);
}

TEST(DependenceChoice, WhatDoesNotGoTogetherIsRefusedOrLeftOut) {
  auto participants = cohort({.autocorrelation = 0.88});
  const auto refuses = [&](EmissionChoice choice, const char* words) {
    choice.dependence = DependenceChoice::ar1;
    expect_error(ErrorKind::unsupported, {words}, [&] { (void)settle(choice, participants); });
    choice.dependence = DependenceChoice::automatic;
    const Settled left_out = settle(choice, participants);
    EXPECT_EQ(left_out.choice, DependenceChoice::none);
    EXPECT_NE(left_out.notes.find(words), std::string::npos) << left_out.notes;
  };
  refuses({.calibrate = true}, "makes up for the same thing");
  refuses({.evidence = EvidenceCounting::scaled}, "makes up for the same thing");
  refuses({.spread = Spread::separate}, "one sigma");
  refuses({.family = EmissionFamily::softmax}, "fisher-gaussian and gaussian");
  refuses({.given = GaussianEmission{}}, "the emission is given");
  refuses({.fit = EmissionFit::adaptive}, "labels or by Baum-Welch");
  refuses({.fit = EmissionFit::baum_welch, .fit_switch_probability = true}, "switch probability");
  for (auto& one : participants) {
    for (ScoredTrial& trial : one.trials) trial.scores.hop = Seconds{0.25};
  }
  refuses({}, "windows share samples");
  expect_error(ErrorKind::unsupported, {"needs labels"}, [&] {
    (void)settle({.fit = EmissionFit::baum_welch, .dependence = DependenceChoice::offset}, cohort({}));
  });
}

TEST(DependenceChoice, FitsLeaveOneOut) {
  const auto participants = cohort({.autocorrelation = 0.8});
  const hmm::Chain chain = hmm::Chain::sticky(2, 0.005);
  const CohortModels models(asked(DependenceChoice::ar1), {participants, {}}, chain);
  const std::vector<ScoredParticipant> others(participants.begin() + 1, participants.end());
  const FittedModel direct = fit_model({.participants = others, .emission = asked(DependenceChoice::ar1)});
  const Model left_out = models.fit(0).model;
  ASSERT_TRUE(left_out.dependence);
  EXPECT_NEAR(left_out.dependence->autocorrelation, direct.model.dependence->autocorrelation, 1e-12);
  EXPECT_NEAR(left_out.dependence->autocorrelation, 0.8, 0.02);
  EXPECT_EQ(left_out.temperature, 1);
  EXPECT_TRUE(direct.evidence_scale);
}

TEST(DependenceChoice, WithoutLabelsTheFitDecides) {
  const auto fit = [](double autocorrelation, DependenceChoice choice) {
    auto participants = cohort({.autocorrelation = autocorrelation});
    return fit_model({.participants = {participants.data(), 1},
                      .emission = {.fit = EmissionFit::baum_welch, .dependence = choice},
                      .chain = {.switch_probability = 0.005}});
  };
  const FittedModel repeating = fit(0.88, DependenceChoice::automatic);
  ASSERT_TRUE(repeating.model.dependence);
  EXPECT_NEAR(repeating.model.dependence->autocorrelation, 0.88, 0.03);
  EXPECT_NE(text_of(repeating.notes).find("dependence ar1"), std::string::npos);
  const FittedModel independent = fit(0, DependenceChoice::automatic);
  EXPECT_FALSE(independent.model.dependence);
  EXPECT_NE(text_of(independent.notes).find("dependence none"), std::string::npos);
  EXPECT_TRUE(fit(0, DependenceChoice::ar1).model.dependence);
}

// Posteriors that know of the dependence are surer of themselves only where they should be.
TEST(DependenceChoice, CompareIsBetterCalibrated) {
  const auto participants = cohort({.autocorrelation = 0.88});
  CompareRequest request{.participants = participants, .methods = {track::Method::causal}};
  request.chain.switch_probability = 0.005;
  const Comparison plain = compare(request);
  request.emission.dependence = DependenceChoice::automatic;
  const Comparison dependent = compare(request);
  EXPECT_TRUE(std::ranges::all_of(dependent.dependences, [](const auto& one) { return one.has_value(); }));
  EXPECT_LT(dependent.methods[0].calibration.expected, 0.5 * *plain.methods[0].calibration.expected);
  EXPECT_GT(dependent.methods[0].accuracy.mean, plain.methods[0].accuracy.mean);
  EXPECT_EQ(text_of(dependent.notes).find("not independent, as the HMM assumes"), std::string::npos);
  EXPECT_NE(comparison_json(dependent).find("\"dependences\""), std::string::npos);
  EXPECT_EQ(comparison_json(plain).find("\"dependences\""), std::string::npos);
}

TEST(DependenceChoice, AModelKeepsIts) {
  const auto participants = cohort({.autocorrelation = 0.88});
  const FittedModel fitted = fit_model({.participants = participants, .emission = asked(DependenceChoice::ar1)});
  TrackRequest request{.participant = participants[0], .model = fitted.model};
  const TrackResult given = track_attention(request);
  EXPECT_EQ(given.fitted.model.dependence, fitted.model.dependence);
  expect_error(ErrorKind::unsupported, {"dependence none"}, [&] {
    std::vector<AttentionTrack> paths;
    for (const ScoredTrial& trial : participants[0].trials) paths.push_back(trial.attention);
    (void)path_probability(request, given, paths);
  });
  request.emission.dependence = DependenceChoice::none;
  EXPECT_FALSE(track_attention(request).fitted.model.dependence);
  request.emission.dependence = DependenceChoice::ar1;
  expect_error(ErrorKind::unsupported, {"the emission is given"}, [&] { (void)track_attention(request); });
  request.emission = {.calibrate = true};
  expect_error(ErrorKind::invalid_argument, {"temperature"}, [&] { (void)track_attention(request); });
  request.emission = {};
  for (ScoredTrial& trial : request.participant.trials) trial.scores.hop = Seconds{0.25};
  expect_error(ErrorKind::unsupported, {"share samples"}, [&] { (void)track_attention(request); });
}

TEST(DependenceChoice, OffsetsOfArtificialSwitchesAreDoubtful) {
  const auto participants = cohort({.autocorrelation = 0.76, .offset_share = 0.5});
  CompareRequest request{.participants = participants, .methods = {track::Method::causal}};
  request.emission.dependence = DependenceChoice::offset;
  EXPECT_EQ(text_of(compare(request).notes).find("artificial switches"), std::string::npos);
  request.switch_every = SwitchInterval{};
  EXPECT_NE(text_of(compare(request).notes).find("judge offsets by recorded switches"), std::string::npos);
  request.join = true;
  expect_error(ErrorKind::bad_data, {"2 labelled trials", "ar1"}, [&] { (void)compare(request); });
}

}  // namespace
}  // namespace heed::pipeline
