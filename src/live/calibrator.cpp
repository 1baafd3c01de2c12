// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <live/calibrator.h>
#include <live/connections/signals_blocked.h>
#include <pipeline/scoring/lender.h>
#include <pipeline/scoring/training.h>

#include <utility>

namespace heed::live {

CalibrationOptions calibration_options(const pipeline::DecoderChoice& choice, Seconds length) {
  if (choice.kind != pipeline::DecoderKind::least_squares) {
    throw Error(ErrorKind::invalid_argument,
                "a session is calibrated by least squares; train other decoders before it");
  }
  return {.length = length,
          .preprocessing = choice.preprocessing,
          .eeg_lags = pipeline::training_options(choice, Seconds{1}).lags.eeg,
          .rule = choice.rule};
}

Decoder calibrated_decoder(std::vector<Trial> trials, const CalibratorOptions& options, Notes& notes) {
  pipeline::ParticipantTrials heard{.id = "live", .trials = std::move(trials)};
  for (const Trial& trial : heard.trials) heard.runs.push_back(trial.name);
  if (heard.trials.empty()) throw Error(ErrorKind::bad_data, "no stretch of signals is as long as a window");
  std::optional<pipeline::Lender> lender;
  std::optional<pipeline::LentPrior> lent;
  const bool lends = options.population.given && !options.population.none && options.population.weight != 0.0;
  if (lends) {
    lender.emplace(*options.population.given, options.population, options.choice);
    lent = lender->lend(options.listener, {}, heard.trials, notes);
  }
  if (!options.label_free) {
    return pipeline::train(heard, options.choice, options.window, lent ? &*lent : nullptr).decoder;
  }
  if (lent && !lent->scores.empty()) check_scores(lender->population(), options.choice, options.window);
  auto learnt = pipeline::train_label_free(heard, options.choice, {.window = options.window}, lent ? &*lent : nullptr);
  notes.insert(notes.end(), learnt.notes.begin(), learnt.notes.end());
  return std::move(learnt.trained.decoder);
}

Calibrator::Calibrator(Session& session, ParameterDesk& desk, CalibratorOptions options)
    : session_(session), desk_(desk), options_(std::move(options)) {}

Calibrator::~Calibrator() {
  if (thread_.joinable()) thread_.join();
}

void Calibrator::look() {
  if (!thread_.joinable() && !done_ && session_.has_calibration()) {
    const SignalsBlocked blocked;
    thread_ = std::thread([this] {
      failure_ = failure_of([this] {
        decoder_ = calibrated_decoder(session_.calibration(), options_, notes_);
        desk_.hand_over(*decoder_);
      });
      done_ = true;
    });
    if (options_.wait) thread_.join();
  }
  report();
}

void Calibrator::finish() {
  look();
  if (thread_.joinable()) thread_.join();
  report();
}

void Calibrator::report() {
  if (!done_ || !failure_) return;
  const Failure failure = *std::exchange(failure_, std::nullopt);
  throw Error(failure.kind, "calibration: " + failure.message);
}

}  // namespace heed::live
