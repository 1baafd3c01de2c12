// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/decode/score.h>
#include <heed/decode/window_sums.h>
#include <heed/emission/supervised.h>
#include <heed/track/method.h>
#include <io/tsv.h>
#include <pipeline/label_free_fit.h>
#include <pipeline/scoring/cross_validation.h>
#include <pipeline/scoring/training.h>
#include <pipeline/track_participant.h>

#include <algorithm>
#include <utility>

namespace heed::pipeline {
namespace {

using decode::TrialStatistics;

// One speech for all speakers: each sample of each as much as he is likely attended in its window. Samples behind the
// last whole window have no label, as nobody says who was attended there.
Trial blended(const Trial& trial, const Matrix& shares, Seconds window) {
  Trial result = trial;
  result.speakers = {"attended"};
  result.stimuli = {Matrix::Zero(trial.samples(), trial.stimuli.front().cols())};
  const Index cells = decode::cells_per_window(window);
  Index end = 0;
  for (Index w = 0; w < shares.rows(); ++w) {
    const Index begin = end;
    end = std::min(decode::first_of_cell((w + 1) * cells, trial.sampling_frequency), trial.samples());
    for (std::size_t s = 0; s < trial.stimuli.size(); ++s) {
      result.stimuli.front().middleRows(begin, end - begin) +=
          shares(w, static_cast<Index>(s)) * trial.stimuli[s].middleRows(begin, end - begin);
    }
  }
  result.attention = {{{0, end}, 0}};
  return result;
}

class LabelFreeTraining {
 public:
  LabelFreeTraining(const ParticipantTrials& participant, const DecoderChoice& choice, const LabelFreeOptions& settings,
                    const LentPrior* lent)
      : participant_(participant),
        choice_(choice),
        settings_(settings),
        lent_(lent != nullptr && lent->cross.weight > 0 ? lent : nullptr),
        options_(training_options(choice, settings.window)),
        tracker_{hmm::Chain::sticky(
            speakers(), hmm::linear_switch_probability(speakers(), settings.window, settings.switches_per_second))} {
    if (lent_ != nullptr && !lent_->scores.empty()) {
      emission_ = emission::fit_gaussian(lent_->scores, {.fisher = true, .spread = Spread::shared});
    }
  }

  LabelFreeDecoder train() {
    LabelFreeDecoder result;
    set_statistics(equal_shares());
    Decoder decoder = lent_ == nullptr ? decoder_with({}) : decoder_with(decode::CrossPrior{lent_->cross.xy, 1});
    for (Index pass = 0; pass < settings_.passes; ++pass) {
      result.passes.push_back(attend(decoder, result.attention));
      std::vector<Matrix> shares;
      for (const TrackedTrial& trial : result.attention.trials) shares.push_back(trial.posteriors.values);
      set_statistics(shares);
      decoder = decoder_with(lent_ == nullptr ? std::nullopt : std::optional(lent_->cross));
    }
    result.duration = {settings_.window.value * static_cast<double>(scored_)};
    TrainingRecord record{.runs = {participant_.runs.begin(), participant_.runs.end()}, .extra = "without labels"};
    if (lent_ != nullptr) record.extra += ", " + describe(*lent_);
    result.trained = finished(std::move(decoder), statistics_, choice_, record);
    if (lent_ != nullptr) {
      auto& runs = result.trained.decoder.runs;
      runs.insert(runs.end(), lent_->runs.begin(), lent_->runs.end());
    }
    add_notes(result);
    return result;
  }

 private:
  [[nodiscard]] Index speakers() const { return std::ssize(participant_.trials.front().speakers); }

  [[nodiscard]] std::vector<Matrix> equal_shares() const {
    std::vector<Matrix> shares;
    for (const Trial& trial : participant_.trials) {
      const Index windows = decode::whole_windows(trial.samples(), trial.sampling_frequency, settings_.window);
      if (windows == 0) {
        throw Error(ErrorKind::bad_data,
                    trial.name + ": is shorter than a window; leave the run out, or use shorter windows");
      }
      shares.emplace_back(Matrix::Constant(windows, speakers(), 1 / static_cast<double>(speakers())));
    }
    return shares;
  }

  void set_statistics(const std::vector<Matrix>& shares) {
    statistics_ = {};
    for (std::size_t k = 0; k < shares.size(); ++k) {
      statistics_ +=
          decode::trial_statistics(blended(participant_.trials[k], shares[k], settings_.window), options_.lags);
    }
  }

  // Of the EEG, and of a speaker as he is: a blend of several is fainter.
  [[nodiscard]] decode::Scales scales() const {
    decode::Scales result = decode::scales_of(statistics_);
    Eigen::VectorXd squares = Eigen::VectorXd::Zero(result.stimulus.deviation.size());
    double samples = 0;
    for (const Trial& trial : participant_.trials) {
      for (const Matrix& stimulus : trial.stimuli) {
        squares += stimulus.colwise().squaredNorm().transpose();
        samples += static_cast<double>(stimulus.rows());
      }
    }
    result.stimulus.deviation = (squares / samples).cwiseSqrt();
    return result;
  }

  [[nodiscard]] Decoder decoder_with(const std::optional<decode::CrossPrior>& prior) const {
    const Trial& first = participant_.trials.front();
    Decoder decoder;
    decoder.channels = first.channels;
    decoder.targets = first.targets;
    decoder.eeg_lags = options_.lags.eeg;
    decoder.stimulus_lags = {0, 0};
    decoder.preprocessing = choice_.preprocessing;
    decoder.rule = choice_.rule;
    TrialStatistics statistics = statistics_;
    if (options_.standardise) {
      const decode::Scales units = scales();
      decoder.eeg_scales = units.eeg;
      decoder.stimulus_scales = units.stimulus;
      statistics = decode::standardised(std::move(statistics), units);
    }
    if (prior) statistics = decode::with_prior(std::move(statistics), *prior);
    decoder.filters = decode::fit_least_squares(statistics, choice_.regularisation);
    return decoder;
  }

  // Who was attended, by this decoder; `before` is what the last pass thought.
  LabelFreePass attend(const Decoder& decoder, TrackedParticipant& before) {
    const ScoredParticipant scored =
        std::move(score_trials(participant_, decoder, std::array{decode::WindowLayout(settings_.window)}).front());
    count_scored(scored);
    if (before.trials.empty()) test_separation(scored);
    LabelFreePass pass{.emission = emission_ ? *emission_ : fitted(scored)};
    TrackedParticipant now = track_participant(scored, Emission{pass.emission}, tracker_);
    double windows = 0;
    double changed = 0;
    for (std::size_t k = 0; k < now.trials.size(); ++k) {
      const Posteriors& posteriors = now.trials[k].posteriors;
      pass.certainty += posteriors.values.rowwise().maxCoeff().sum();
      windows += static_cast<double>(posteriors.values.rows());
      for (std::size_t t = 0; !before.trials.empty() && t < now.trials[k].decisions.states.size(); ++t) {
        changed += now.trials[k].decisions.states[t] != before.trials[k].decisions.states[t] ? 1 : 0;
      }
    }
    pass.certainty /= windows;
    if (!before.trials.empty()) pass.changed = changed / windows;
    before = std::move(now);
    return pass;
  }

  void count_scored(const ScoredParticipant& scored) {
    scored_ = 0;
    for (const ScoredTrial& trial : scored.trials) {
      scored_ += trial.scores.values.rows() - trial.scores.values.array().isNaN().rowwise().any().count();
    }
    if (scored_ > 0) return;
    throw Error(ErrorKind::bad_data,
                "no window could be scored: the EEG or a speaker is silent throughout, and from silence nothing is "
                "learnt");
  }

  // Asked in the first pass, whose decoder prefers nobody: later ones have learnt what the pass before believed.
  void test_separation(const ScoredParticipant& scored) {
    const auto test = emission::test_separation({&scored, 1}, tracker_.chain, true);
    if (test.passed()) return;
    doubt_ = emission::undecided_words(test, emission_.has_value());
    if (!emission_) emission_ = emission::undecided(fitted(scored), speakers());
  }

  [[nodiscard]] GaussianEmission fitted(const ScoredParticipant& scored) const {
    return emission::fit_baum_welch({&scored, 1}, tracker_.chain, {.fisher = true}).emission;
  }

  void add_notes(LabelFreeDecoder& result) const {
    const auto note = [&](const std::string& text) {
      result.notes.push_back({participant_.id, NoteKind::doubtful, text});
    };
    if (lent_ != nullptr && lent_->scores.empty()) {
      note(
          "the population does not say how scores of such decoders are distributed, so that was estimated from the "
          "listener's own");
    }
    if (result.duration < shortest_label_free) {
      note(io::number_text(result.duration.value, 3) +
           " s of EEG are too little to learn from without labels; about 250 s do as well as labels, below 100 s it "
           "seldom helps");
    }
    if (!doubt_.empty()) note(doubt_);
    constexpr double undecided = 0.6;
    if (doubt_.empty() && result.passes.back().certainty < undecided) {
      note("attention stayed undecided, so the decoder has learnt next to nothing from this listener");
    }
    constexpr double unsettled = 0.05;
    if (result.passes.back().changed.value_or(0) > unsettled) {
      note("attention still moved in the last pass: the decoder has not settled");
    }
  }

  const ParticipantTrials& participant_;
  const DecoderChoice& choice_;
  const LabelFreeOptions& settings_;
  const LentPrior* lent_;
  decode::TrainingOptions options_;
  track::SmoothTracker tracker_;
  std::optional<GaussianEmission> emission_{};
  std::string doubt_{};  // where the scores of the first pass could be noise
  TrialStatistics statistics_{};
  Index scored_ = 0;
};

void check(const ParticipantTrials& participant, const DecoderChoice& choice, const LabelFreeOptions& options) {
  if (choice.kind != DecoderKind::least_squares) {
    throw Error(ErrorKind::unsupported, "training without labels needs least squares");
  }
  if (choice.regularisation.kind == decode::RegularisationKind::cross_validated) {
    throw Error(ErrorKind::invalid_argument, "a ridge is chosen by labels; without them it must be given, such as 0.3");
  }
  if (options.passes < 1) throw Error(ErrorKind::invalid_argument, "training without labels needs at least one pass");
  if (participant.trials.empty()) throw Error(ErrorKind::bad_data, "no trial to train on");
  if (participant.trials.front().speakers.size() < 2) {
    throw Error(ErrorKind::bad_data,
                "has one speaker, '" + participant.trials.front().speakers.front() +
                    "': there is nothing to decide; with attend rows, one speaker is enough for training");
  }
}

}  // namespace

LabelFreeDecoder train_label_free(const ParticipantTrials& participant, const DecoderChoice& choice,
                                  const LabelFreeOptions& options, const LentPrior* lent) {
  try {
    check(participant, choice, options);
    return LabelFreeTraining(participant, choice, options, lent).train();
  } catch (const Error& error) {
    const std::string who = "sub-" + participant.id;
    if (std::string_view(error.what()).starts_with(who)) throw;
    throw error.within(who);
  }
}

}  // namespace heed::pipeline
