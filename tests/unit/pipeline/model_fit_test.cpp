// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/emission/evidence_scale.h>
#include <heed/emission/label_free.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/sim/score_cohort.h>
#include <pipeline/model_fit.h>
#include <pipeline/track_participant.h>

#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

using test::expect_error;

const hmm::Chain chain = hmm::Chain::sticky(2, 0.001);

std::vector<ScoredParticipant> few(int participants) {
  return sim::simulate_scores({.participants = participants, .trials = 1, .accuracy_spread = 0.05, .seed = 3});
}

std::vector<ScoredParticipant> cohort(int participants, int speakers = 2) {
  return sim::simulate_scores(
      {.speakers = speakers, .participants = participants, .trials = 2, .accuracy = 0.65, .seed = 12});
}

std::vector<ScoredParticipant> without(std::vector<ScoredParticipant> participants, std::size_t k) {
  participants.erase(participants.begin() + static_cast<std::ptrdiff_t>(k));
  return participants;
}

std::vector<Model> models_for(const EmissionChoice& choice, const CohortViews& views, const hmm::Chain& sticky,
                              Notes& notes) {
  const CohortModels fits(choice, views, sticky);
  std::vector<Model> models;
  for (std::size_t k = 0; k < views.recorded.size(); ++k) {
    FittedModel fitted = fits.fit(k);
    models.push_back(std::move(fitted.model));
    for (Note& note : fitted.notes) notes.push_back(std::move(note));
  }
  return models;
}

FittedModel fit_model(const EmissionChoice& choice, const std::vector<ScoredParticipant>& participants,
                      const hmm::Chain& sticky, Notes& notes) {
  FittedModel fitted = pipeline::fit_model(
      {.participants = participants, .emission = choice, .chain = {.switch_probability = sticky.as_sticky()->move()}});
  notes.insert(notes.end(), fitted.notes.begin(), fitted.notes.end());
  return fitted;
}

const GaussianEmission& gaussian(const Model& model) { return std::get<GaussianEmission>(model.emission); }

double plain_temperature(const Emission& emission, const std::vector<ScoredParticipant>& participants) {
  std::vector<emission::LabelledTrials> labelled(participants.size());
  for (std::size_t k = 0; k < participants.size(); ++k) {
    for (const auto& trial : participants[k].trials) {
      labelled[k].push_back({emission::log_likelihoods(emission, trial.scores), trial.attention});
    }
  }
  return emission::fit_temperature(chain, labelled);
}

TEST(FitModel, ToLabelsIsTheEmissionOfTheLabels) {
  const auto participants = cohort(3);
  Notes notes;
  const FittedModel fitted = fit_model({}, participants, chain, notes);
  EXPECT_EQ(gaussian(fitted.model).mu_attended, std::get<GaussianEmission>(fit_emission({}, participants)).mu_attended);
  EXPECT_EQ(fitted.model.temperature, 1);
  EXPECT_EQ(fitted.model.participants, 3U);
  EXPECT_EQ(fitted.model.origin, "fitted to the labels of 3 participants");
  EXPECT_TRUE(notes.empty());
}

TEST(FitModel, SaysThatWindowsRepeatEachOther) {
  const auto repeating = sim::simulate_scores({.participants = 2, .trials = 2, .autocorrelation = 0.88, .seed = 8});
  const auto text_of = [](const FittedModel& fitted) { return fitted.notes.empty() ? "" : fitted.notes.back().text; };
  const FittedModel plain = pipeline::fit_model({.participants = repeating});
  ASSERT_EQ(plain.notes.size(), 1U);
  EXPECT_NE(text_of(plain).find("not independent, as the HMM assumes"), std::string::npos);
  EXPECT_NE(plain.evidence_words.find("neighbours repeat each other"), std::string::npos) << plain.evidence_words;
  const FittedModel known =
      pipeline::fit_model({.participants = repeating, .emission = {.dependence = DependenceChoice::ar1}});
  EXPECT_TRUE(known.notes.empty()) << text_of(known);
  EXPECT_NE(known.evidence_words.find("counted by the model"), std::string::npos) << known.evidence_words;
  const FittedModel given = pipeline::fit_model({.participants = repeating, .model = plain.model});
  EXPECT_EQ(text_of(given), text_of(plain)) << "labelled scores say it of a model that is given, too";
  const FittedModel unknown =
      pipeline::fit_model({.participants = repeating, .chain = {.unknown_switch_probability = true}});
  EXPECT_NE(text_of(unknown).find("taken for switches"), std::string::npos);
}

// 30 windows correlate by 0.2 and more by chance.
TEST(FitModel, FewWindowsDoNotTellThatTheyRepeatEachOther) {
  const auto participants = sim::simulate_scores({.participants = 20, .trials = 1, .trial = Seconds{30}, .seed = 3});
  std::size_t beyond = 0;
  for (const ScoredParticipant& one : participants) {
    const FittedModel fitted = pipeline::fit_model({.participants = {&one, 1}});
    for (const Note& note : fitted.notes) beyond += note.text.find("not independent") != std::string::npos ? 1U : 0U;
  }
  EXPECT_LE(beyond, 1U);
}

TEST(FitModel, CalibratesAnyEmissionOnTheLabels) {
  const auto participants = cohort(3);
  Notes notes;
  const FittedModel fitted = fit_model({.calibrate = true}, participants, chain, notes);
  EXPECT_DOUBLE_EQ(fitted.model.temperature, plain_temperature(fitted.model.emission, participants));
  const EmissionChoice hard{.family = EmissionFamily::hard_decision, .accuracy = 0.9, .calibrate = true};
  const FittedModel decided = fit_model(hard, participants, chain, notes);
  EXPECT_EQ(std::get<HardDecisionEmission>(decided.model.emission).accuracy, 0.9);
  EXPECT_GT(decided.model.temperature, 2) << "0.9 is far from the 0.65 there is";
}

TEST(FitModel, WithoutLabelsByBaumWelch) {
  auto participants = cohort(1);
  const emission::BaumWelchFit expected = emission::fit_baum_welch(participants, chain);
  for (auto& trial : participants[0].trials) trial.attention.attended.assign(600, unknown_speaker);
  Notes notes;
  const FittedModel fitted = fit_model({.fit = EmissionFit::baum_welch}, participants, chain, notes);
  EXPECT_EQ(gaussian(fitted.model).mu_attended, expected.emission.mu_attended);
  EXPECT_EQ(fitted.chain.as_sticky()->move(), 0.001);
  EXPECT_EQ(fitted.history, expected.history);
  EXPECT_EQ(fitted.converged, expected.converged);
  EXPECT_NE(fitted.model.origin.find("without labels"), std::string::npos);
  const FittedModel moved =
      fit_model({.fit = EmissionFit::baum_welch, .fit_switch_probability = true}, participants, chain, notes);
  EXPECT_NE(moved.chain.as_sticky()->move(), 0.001);
  EXPECT_TRUE(notes.empty()) << notes.front().text;
}

TEST(FitModel, MixturesWithoutLabelsByBaumWelch) {
  const auto participants = cohort(1);
  const EmissionChoice choice{
      .family = EmissionFamily::mixture, .mixture = {.components = 1}, .fit = EmissionFit::baum_welch};
  Notes notes;
  const FittedModel fitted = fit_model(choice, participants, chain, notes);
  const auto expected = emission::fit_baum_welch_mixtures(participants, chain, {.mixture = {.components = 1}});
  EXPECT_EQ(fitted.model.emission, Emission(expected.emission));
  EXPECT_EQ(fitted.history, expected.history);
  EXPECT_EQ(fitted.model.origin, "fitted without labels, by Baum-Welch");
  EmissionChoice from = choice;
  from.given = emission::fit_mixtures(participants, {.components = 2});
  const FittedModel improved = fit_model(from, participants, chain, notes);
  EXPECT_EQ(
      improved.model.emission,
      Emission(emission::fit_baum_welch_mixtures(participants, chain, {.start = std::get<MixtureEmission>(*from.given)})
                   .emission));
}

// One participant's own scores, and what the others' labels say: every fit says what it knows of the recording.
TEST(CohortModels, SayWhatTheyKnowOfTheRecording) {
  const auto participants = cohort(3);
  const auto learnt = [&](EmissionFit fit) {
    return CohortModels({.fit = fit}, {participants, participants}, chain).fit(0);
  };
  const FittedModel labels = learnt(EmissionFit::labels);
  EXPECT_EQ(labels.learning, Learning::inductive);
  const FittedModel whole = learnt(EmissionFit::baum_welch);
  EXPECT_EQ(whole.learning, Learning::transductive);
  EXPECT_NE(whole.model.origin.find("future included (transductive)"), std::string::npos);
  const FittedModel start = learnt(EmissionFit::adaptive);
  EXPECT_EQ(start.learning, Learning::causal);
  EXPECT_EQ(start.model.emission, labels.model.emission);
  EXPECT_NE(start.model.origin.find("heard so far (causal)"), std::string::npos);
  const EmissionChoice mixture{
      .family = EmissionFamily::mixture, .mixture = {.components = 1}, .fit = EmissionFit::baum_welch};
  const auto others = std::vector(participants.begin() + 1, participants.end());
  const auto expected = emission::fit_baum_welch_mixtures(std::span(participants).subspan(0, 1), chain,
                                                          {.start = emission::fit_mixtures(others, {.components = 1})});
  EXPECT_EQ(CohortModels(mixture, {participants, participants}, chain).fit(0).model.emission,
            Emission(expected.emission));
}

TEST(FitModel, EndsWhereTheCallerWishes) {
  struct Enough {};
  int iterations = 0;
  const auto participants = cohort(1);
  const FitRequest request{
      .participants = participants, .emission = {.fit = EmissionFit::baum_welch}, .interruption = [&] {
        if (++iterations == 2) throw Enough();
      }};
  EXPECT_THROW((void)pipeline::fit_model(request), Enough);
  EXPECT_EQ(iterations, 2);
}

TEST(FitModel, NotesScoresThatDecideNothing) {
  auto participants = cohort(1);
  for (auto& trial : participants[0].trials) trial.scores.values.col(1) = trial.scores.values.col(0);
  Notes notes;
  (void)fit_model({.fit = EmissionFit::memoryless}, participants, chain, notes);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].text.find("degenerate"), std::string::npos);
  (void)fit_model({.fit = EmissionFit::baum_welch}, participants, chain, notes);
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_NE(notes[1].text.find("decide nothing"), std::string::npos);
  (void)fit_model({.calibrate = true}, cohort(1), hmm::Chain::sticky(2, 0.5), notes);
  EXPECT_EQ(notes.size(), 2U);
}

TEST(FitModel, RefusesFitsThatDoNotGoTogether) {
  const auto participants = cohort(2);
  Notes notes;
  const auto refused = [&](ErrorKind kind, std::initializer_list<std::string_view> words, const EmissionChoice& choice,
                           const std::vector<ScoredParticipant>& on) {
    expect_error(kind, words, [&] { (void)fit_model(choice, on, chain, notes); });
  };
  const auto baum_welch = EmissionFit::baum_welch;
  refused(ErrorKind::invalid_argument, {"by Baum-Welch for mixtures"},
          {.family = EmissionFamily::mixture, .fit = EmissionFit::memoryless}, participants);
  refused(ErrorKind::invalid_argument, {"adaptive", "gaussian"},
          {.family = EmissionFamily::softmax, .fit = EmissionFit::adaptive}, participants);
  refused(ErrorKind::invalid_argument, {"gaussian"},
          {.given = GaussianEmission{}, .fit = baum_welch, .calibrate = true}, participants);
  refused(ErrorKind::invalid_argument, {"one sigma"}, {.spread = Spread::separate, .fit = baum_welch}, participants);
  refused(ErrorKind::invalid_argument, {"calibration needs labels"}, {.fit = baum_welch, .calibrate = true},
          participants);
  refused(ErrorKind::invalid_argument, {"Baum-Welch only"}, {.fit_switch_probability = true}, participants);
  refused(ErrorKind::unsupported, {"two speakers"}, {.fit = EmissionFit::memoryless}, cohort(1, 3));
  refused(ErrorKind::bad_data, {"no participant"}, {}, {});
  auto unlabelled = participants;
  for (auto& participant : unlabelled) {
    for (auto& trial : participant.trials) trial.attention.attended.assign(600, unknown_speaker);
  }
  refused(ErrorKind::bad_data, {"no labelled window"}, {.fit = EmissionFit::labels}, unlabelled);
  refused(ErrorKind::bad_data, {"calibrate"}, {.given = GaussianEmission{}, .calibrate = true}, unlabelled);
}

TEST(FitModel, LearnsFromTheScoresAloneWhereNothingElseIsSaid) {
  auto participants = cohort(1);
  const Emission expected = emission::fit_baum_welch(participants, chain).emission;
  for (auto& trial : participants[0].trials) trial.attention.attended.assign(600, unknown_speaker);
  Notes notes;
  EXPECT_EQ(fit_model({}, participants, chain, notes).model.emission, expected);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].kind, NoteKind::chosen);
  expect_error(ErrorKind::bad_data, {"state left", "never attended"},
               [&] { (void)fit_model({.family = EmissionFamily::mixture}, participants, chain, notes); });
}

TEST(FitModel, KeepsWhatIsKnownAndCalibratesIt) {
  const auto participants = cohort(2);
  const Model model{.emission = GaussianEmission{true, Spread::shared, 0.2, 0.03, 0.1, 0.1, 0}, .origin = "a file"};
  FitRequest request{.participants = participants, .model = model};
  EXPECT_EQ(pipeline::fit_model(request).model, model);
  request.emission.calibrate = true;
  const Model calibrated = pipeline::fit_model(request).model;
  EXPECT_GT(calibrated.temperature, 1);
  EXPECT_EQ(calibrated.origin, "a file; temperature fitted to the labels of 2 participants");
}

TEST(ModelsFor, LeaveEachParticipantOut) {
  const auto participants = cohort(3);
  Notes notes;
  const auto models = models_for({.calibrate = true}, {participants, participants}, chain, notes);
  ASSERT_EQ(models.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto others = without(participants, k);
    EXPECT_EQ(gaussian(models[k]).sigma_attended, std::get<GaussianEmission>(fit_emission({}, others)).sigma_attended);
    EXPECT_DOUBLE_EQ(models[k].temperature, plain_temperature(models[k].emission, others));
  }
}

TEST(ModelsFor, WithoutLabelsComeFromTheParticipantsOwnScores) {
  const auto participants = cohort(2);
  Notes notes;
  const auto models = models_for({.fit = EmissionFit::baum_welch}, {participants, participants}, chain, notes);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto own = emission::fit_baum_welch(std::span(participants).subspan(k, 1), chain);
    EXPECT_EQ(gaussian(models[k]).mu_unattended, own.emission.mu_unattended);
  }
}

TEST(ModelsFor, KeepTheTemperatureOfWhatIsGivenUnlessCalibrated) {
  const auto participants = cohort(2);
  Notes notes;
  EmissionChoice choice{.given = GaussianEmission{true, Spread::shared, 0.2, 0.03, 0.3, 0.3, 0}, .temperature = 1.7};
  EXPECT_EQ(models_for(choice, {participants, participants}, chain, notes)[1].temperature, 1.7);
  choice.calibrate = true;
  EXPECT_NE(models_for(choice, {participants, participants}, chain, notes)[1].temperature, 1.7);
}

TEST(ModelsFor, OneParticipantCannotBeLeftOut) {
  const auto one = cohort(1);
  Notes notes;
  expect_error(ErrorKind::bad_data, {"cohort of one"}, [&] { (void)models_for({}, {one, one}, chain, notes); });
  expect_error(ErrorKind::bad_data, {"cohort of one", "calibrate"}, [&] {
    (void)models_for({.given = GaussianEmission{}, .calibrate = true}, {one, one}, chain, notes);
  });
  EXPECT_EQ(models_for({.fit = EmissionFit::baum_welch}, {one, one}, chain, notes).size(), 1U);
}

// Scores of two speakers taken as two features: one Gaussian a state knows all that the shared sigma knows, and more.
TEST(Mixtures, TrackWithTheFeaturesTheyWereFittedTo) {
  auto participants = cohort(3);
  for (auto& participant : participants) participant.features = {"first", "second"};
  EmissionChoice choice{.family = EmissionFamily::mixture};
  choice.mixture.components = 1;
  Notes notes;
  const auto models = models_for(choice, {participants, participants}, chain, notes);
  const auto tracked = track_participant(participants[0], models[0], track::SmoothTracker{chain});
  Index right = 0;
  for (const auto& trial : tracked.trials) {
    for (std::size_t t = 0; t < 600; ++t) right += trial.decisions.states[t] == trial.attention.attended[t] ? 1 : 0;
  }
  EXPECT_GT(right, 1200 * 0.9);

  auto swapped = participants[0];
  std::swap(swapped.features[0], swapped.features[1]);
  expect_error(ErrorKind::bad_data, {"participant 01", "feature 1 is 'second'", "'first'", "same order"},
               [&] { (void)track_participant(swapped, models[0], track::SmoothTracker{chain}); });
  auto wide = participants[0];
  wide.features.emplace_back("third");
  for (auto& trial : wide.trials) trial.scores.values = Matrix::Zero(600, 3);
  expect_error(ErrorKind::bad_data, {"participant 01", "3 features", "fitted to 2"},
               [&] { (void)track_participant(wide, models[0], track::SmoothTracker{chain}); });
  expect_error(ErrorKind::invalid_argument, {"mixture"},
               [&] { (void)track_participant(wide, GaussianEmission{}, track::SmoothTracker{chain}); });
  expect_error(ErrorKind::invalid_argument, {"mixture"}, [&] { (void)fit_emission({}, participants); });
  expect_error(ErrorKind::bad_data, {"cohort of one"},
               [&] { (void)leave_one_out_emissions(choice, std::span(participants).first(1)); });
}

TEST(Mixtures, NameWhoIsLeftOutWhereAStateIsNeverVisited) {
  auto participants = cohort(2);
  for (auto& trial : participants[1].trials) {
    for (Speaker& label : trial.attention.attended) label = 0;
  }
  expect_error(ErrorKind::bad_data, {"without participant 01", "state right", "never attended"},
               [&] { (void)leave_one_out_emissions({.family = EmissionFamily::mixture}, participants); });
}

TEST(LeaveOneOut, IsTheFitToTheOthersExactly) {
  const auto participants = few(4);
  const auto left_out = leave_one_out_emissions({}, participants);
  ASSERT_EQ(left_out.size(), 4U);
  for (std::size_t k = 0; k < 4; ++k) {
    auto others = participants;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    const GaussianEmission expected = std::get<GaussianEmission>(fit_emission({}, others));
    EXPECT_EQ(std::get<GaussianEmission>(left_out[k]).mu_attended, expected.mu_attended);
    EXPECT_EQ(std::get<GaussianEmission>(left_out[k]).sigma_attended, expected.sigma_attended);
  }
}

TEST(LeaveOneOut, DoesNotSeeTheOneLeftOut) {
  auto participants = few(3);
  const GaussianEmission before = std::get<GaussianEmission>(leave_one_out_emissions({}, participants)[1]);
  participants[1].trials[0].scores.values.setConstant(0.9);
  participants[1].trials[0].scores.values(0, 0) = -0.9;
  const GaussianEmission after = std::get<GaussianEmission>(leave_one_out_emissions({}, participants)[1]);
  EXPECT_EQ(before.mu_attended, after.mu_attended);
  EXPECT_EQ(before.sigma_attended, after.sigma_attended);
}

TEST(LeaveOneOut, NeedsTwo) {
  EXPECT_THROW((void)leave_one_out_emissions({}, few(1)), Error);
  EXPECT_EQ(leave_one_out_emissions({.given = GaussianEmission{}}, few(1)).size(), 1U);
}

// Counted by hand; the listener left out is not counted.
TEST(LeaveOneOut, HardDecisionsAreRightAsOftenAsThoseOfTheOthers) {
  const auto participants = few(3);
  const EmissionChoice choice{.family = EmissionFamily::hard_decision};
  const auto emissions = leave_one_out_emissions(choice, participants);
  for (std::size_t k = 0; k < 3; ++k) {
    double right = 0;
    double all = 0;
    for (const auto& other : without(participants, k)) {
      for (const auto& trial : other.trials) {
        for (Index t = 0; t < trial.scores.values.rows(); ++t) {
          Index largest = 0;
          trial.scores.values.row(t).maxCoeff(&largest);
          right += largest == trial.attention.attended[static_cast<std::size_t>(t)] ? 1 : 0;
          all += 1;
        }
      }
    }
    EXPECT_DOUBLE_EQ(std::get<HardDecisionEmission>(emissions[k]).accuracy, right / all);
  }
  EXPECT_EQ(std::get<HardDecisionEmission>(
                leave_one_out_emissions({.family = EmissionFamily::hard_decision, .accuracy = 0.6}, participants)[0])
                .accuracy,
            0.6)
      << "what is given is kept";
  auto unlabelled = participants;
  for (auto& one : unlabelled) {
    for (auto& trial : one.trials) trial.attention.attended.assign(trial.attention.attended.size(), unknown_speaker);
  }
  expect_error(ErrorKind::bad_data, {"no window says who was attended", "give their accuracy, or labels"},
               [&] { (void)fit_emission(choice, unlabelled); });
}

TEST(FitEmission, NamesTheParticipantWhoseScoresAreNoCorrelations) {
  auto participants = few(2);
  participants[1].trials[0].scores.values(5, 1) = 3;
  try {
    (void)fit_emission({}, participants);
    FAIL() << "3 was taken for a correlation";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("participant 02"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace heed::pipeline
