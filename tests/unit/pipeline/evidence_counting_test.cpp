// SPDX-License-Identifier: MIT
// Columns that are one score, and evidence that counts several times: what fits make of them by themselves.
#include <gtest/gtest.h>
#include <heed/sim/score_cohort.h>
#include <pipeline/model_fit.h>

#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

using test::expect_error;

const hmm::Chain chain = hmm::Chain::sticky(2, 0.001);

std::vector<ScoredParticipant> cohort(int participants, int speakers = 2) {
  return sim::simulate_scores(
      {.speakers = speakers, .participants = participants, .trials = 2, .accuracy = 0.65, .seed = 12});
}

std::vector<ScoredParticipant> without(std::vector<ScoredParticipant> participants, std::size_t k) {
  participants.erase(participants.begin() + static_cast<std::ptrdiff_t>(k));
  return participants;
}

const GaussianEmission& gaussian(const Model& model) { return std::get<GaussianEmission>(model.emission); }

// Columns s and -s, of two speakers; with three each column is what the others are not.
std::vector<ScoredParticipant> one_score_told_again(int speakers) {
  auto participants = cohort(4, speakers);
  for (auto& one : participants) {
    for (auto& trial : one.trials) {
      Matrix& values = trial.scores.values;
      values.colwise() -= values.rowwise().mean().eval();
    }
  }
  return participants;
}

TEST(EvidenceCounting, ColumnsThatRepeatEachOtherAreExchangeable) {
  for (const int speakers : {2, 3}) {
    const auto repeated = one_score_told_again(speakers);
    for (const auto fit : {EmissionFit::labels, EmissionFit::baum_welch}) {
      const FittedModel fitted = pipeline::fit_model({.participants = repeated, .emission = {.fit = fit}});
      EXPECT_EQ(gaussian(fitted.model).spread, Spread::exchangeable);
      EXPECT_NEAR(gaussian(fitted.model).correlation, -1.0 / (speakers - 1), 0.02);
      ASSERT_FALSE(fitted.notes.empty());
      EXPECT_NE(fitted.notes[0].text.find("one score told several times"), std::string::npos) << fitted.notes[0].text;
    }
    const FittedModel shared = pipeline::fit_model({.participants = repeated, .emission = {.spread = Spread::shared}});
    EXPECT_EQ(gaussian(shared.model).spread, Spread::shared) << "asked for";
    const FittedModel honest = pipeline::fit_model({.participants = cohort(4, speakers)});
    EXPECT_EQ(gaussian(honest.model).spread, Spread::shared);
    EXPECT_TRUE(honest.notes.empty());
  }
}

// The exchangeable emission and the shared one, scaled, say the same of s and -s.
TEST(EvidenceCounting, EvidenceIsScaledWhereItCountsTwice) {
  const auto repeated = one_score_told_again(2);
  const FittedModel once = pipeline::fit_model({.participants = repeated});
  EXPECT_EQ(once.model.temperature, 1);
  EXPECT_NEAR(*once.evidence_scale, 1, 0.05);
  const FittedModel twice = pipeline::fit_model({.participants = repeated, .emission = {.spread = Spread::shared}});
  EXPECT_NEAR(*twice.evidence_scale, *once.evidence_scale / 2, 1e-9);
  EXPECT_NEAR(twice.model.temperature, 1 / *twice.evidence_scale, 1e-12);
  ASSERT_EQ(twice.notes.size(), 1U);
  EXPECT_NE(twice.notes[0].text.find("evidence is counted twice"), std::string::npos) << twice.notes[0].text;
  const FittedModel left = pipeline::fit_model(
      {.participants = repeated, .emission = {.spread = Spread::shared, .evidence = EvidenceCounting::as_is}});
  EXPECT_EQ(left.model.temperature, 1);
  EXPECT_EQ(left.evidence_scale, twice.evidence_scale);
}

TEST(EvidenceCounting, HonestEvidenceIsLeftAsItIsUnlessAskedFor) {
  const auto honest = cohort(4);
  const FittedModel fitted = pipeline::fit_model({.participants = honest});
  EXPECT_EQ(fitted.model.temperature, 1);
  EXPECT_NEAR(*fitted.evidence_scale, 1, 0.1);
  const FittedModel scaled =
      pipeline::fit_model({.participants = honest, .emission = {.evidence = EvidenceCounting::scaled}});
  EXPECT_EQ(scaled.model.temperature, 1 / *fitted.evidence_scale);
  Model wrong = fitted.model;
  std::get<GaussianEmission>(wrong.emission).sigma_attended /= 2;
  std::get<GaussianEmission>(wrong.emission).sigma_unattended /= 2;
  EXPECT_EQ(pipeline::fit_model({.participants = honest, .model = wrong}).model, wrong) << "given: as it is";
  const FittedModel given =
      pipeline::fit_model({.participants = honest, .emission = {.evidence = EvidenceCounting::scaled}, .model = wrong});
  EXPECT_NEAR(*given.evidence_scale, *fitted.evidence_scale / 4, 1e-9);
}

TEST(EvidenceCounting, RefusesToScaleAndCalibrateOrWithoutLabels) {
  const auto refused = [](const EmissionChoice& choice, std::initializer_list<std::string_view> words) {
    expect_error(ErrorKind::invalid_argument, words,
                 [&] { (void)pipeline::fit_model({.participants = cohort(2), .emission = choice}); });
  };
  refused({.calibrate = true, .evidence = EvidenceCounting::scaled}, {"either scaled or calibrated"});
  refused({.fit = EmissionFit::baum_welch, .evidence = EvidenceCounting::scaled}, {"evidence scale", "labels"});
  refused({.spread = Spread::exchangeable, .fit = EmissionFit::memoryless}, {"memoryless", "Baum-Welch"});
}

TEST(EvidenceCounting, SaysWhereOverlapCannotBeScaled) {
  auto overlapping = cohort(1);
  for (auto& trial : overlapping[0].trials) trial.scores.hop = Seconds{0.25};
  const FittedModel fitted =
      pipeline::fit_model({.participants = overlapping, .emission = {.fit = EmissionFit::baum_welch}});
  ASSERT_EQ(fitted.notes.size(), 1U);
  EXPECT_NE(fitted.notes[0].text.find("windows overlap"), std::string::npos) << fitted.notes[0].text;
  EXPECT_EQ(fitted.model.hop, Seconds{0.25});
}

TEST(EvidenceCounting, OfACohortIsThatOfEverybodyElse) {
  for (const auto spread : {Spread::shared, Spread::separate}) {
    auto participants = one_score_told_again(2);
    const EmissionChoice choice{.spread = spread};
    const CohortModels fits(choice, {participants, {}}, chain);
    for (std::size_t k = 0; k < participants.size(); ++k) {
      const auto others = without(participants, k);
      const FittedModel expected = pipeline::fit_model({.participants = others, .emission = choice});
      const FittedModel found = fits.fit(k);
      EXPECT_NEAR(*found.evidence_scale, *expected.evidence_scale, 1e-10);
      EXPECT_NEAR(found.model.temperature, expected.model.temperature, 1e-9);
      EXPECT_GT(found.model.temperature, 1.9);
    }
  }
}

}  // namespace
}  // namespace heed::pipeline
