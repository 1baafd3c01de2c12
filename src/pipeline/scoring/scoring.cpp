// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <decode/dense/dense.h>
#include <heed/data/version.h>
#include <heed/decode/window_sums.h>
#include <heed/evaluate/chance.h>
#include <heed/io/model_file.h>
#include <io/bids/dataset_writer.h>
#include <io/digest.h>
#include <pipeline/scoring/adaptive_listening.h>
#include <pipeline/scoring/cross_validation.h>
#include <pipeline/scoring/scoring.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

namespace heed::pipeline {
namespace {

// The signals of a live session, unless others are asked for, and its memory.
DecoderChoice adaptive_choice(const ScoreRequest& request) {
  DecoderRequest decoder = request.decoder;
  if (!decoder.filters) decoder.filters = FilterMode::causal;
  DecoderChoice choice = resolve(decoder, request.population.given.get());
  choice.rule.memory = live_memory;
  return choice;
}

void check_adaptation(const ScoreRequest& request) {
  if (!request.adaptation) return;
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::invalid_argument, why); };
  if (request.model) refuse("a trained model does not learn; leave it out, or the adaptation");
  if (request.windows.size() != 1 || request.hop || request.step) {
    refuse("a decoder that learns while it listens has windows of one length, end to end; leave out hop and step");
  }
  if (request.population.weight) {
    refuse(
        "a prior weight is for decoders that are trained on labels; how much an adaptive one leans on a population "
        "was chosen when that was made");
  }
  const Population* population = request.population.given.get();
  if (population != nullptr && population->decoder.window != request.windows.front()) {
    refuse(request.population.name + ": its scores are of windows of " + data::shown(population->decoder.window.value) +
           " s, not " + data::shown(request.windows.front().value) +
           " s; choose that window, or make the population with this one");
  }
}

DecoderChoice choice_for(const ScoreRequest& request) {
  if (request.adaptation) return adaptive_choice(request);
  if (!request.model) return resolve(request.decoder, request.population.given.get());
  DecoderChoice choice;
  choice.kind =
      std::holds_alternative<CcaDecoder>(request.model->filters) ? DecoderKind::cca : DecoderKind::least_squares;
  choice.preprocessing = request.model->preprocessing;
  choice.channels = request.model->channels;
  return choice;
}

void check(const ScoredParticipant& participant, const ParticipantTrials& trials) {
  const std::string who = "sub-" + participant.id;
  if (participant.speakers.size() < 2) {
    throw Error(ErrorKind::bad_data, who + ": has one speaker, '" + participant.speakers.front() +
                                         "'; attention is decided between two or more");
  }
  for (std::size_t k = 0; k < trials.trials.size(); ++k) {
    const Scores& scores = participant.trials[k].scores;
    if (scores.values.rows() > 0) continue;
    const Trial& trial = trials.trials[k];
    const double seconds = static_cast<double>(trial.samples()) / trial.sampling_frequency.value;
    throw Error(ErrorKind::bad_data, who + ": trial '" + trial.name + "' of " + data::shown(seconds) +
                                         " s is too short for a window of " + data::shown(scores.window.value) +
                                         " s; use shorter windows, or leave the run out");
  }
}

// CSP looks at rhythms, not at speech: nothing to align.
std::optional<decode::Alignment> alignment_of(const ParticipantTrials& trials, DecoderKind kind) {
  std::vector<const Trial*> labelled;
  for (const Trial& trial : trials.trials) {
    if (!trial.attention.empty()) labelled.push_back(&trial);
  }
  if (labelled.empty() || kind == DecoderKind::csp) return std::nullopt;
  return decode::check_alignment(labelled);
}

void note_missing(const ScoredParticipant& participant, heed::Notes& notes) {
  for (const ScoredTrial& trial : participant.trials) {
    const Matrix& values = trial.scores.values;
    const Index missing = values.array().isNaN().rowwise().any().count();
    if (missing == 0) continue;
    notes.push_back({trial.name, NoteKind::left_out,
                     std::to_string(missing) + " of " + std::to_string(values.rows()) +
                         " windows are missing: EEG was not recorded, or a speaker was silent throughout"});
  }
}

// The trials of one run, named as the run's events name them.
ScoredParticipant of_run(const ScoredParticipant& participant, const ParticipantTrials& trials,
                         const std::string& run) {
  ScoredParticipant result{.id = participant.id, .speakers = participant.speakers, .type = participant.type};
  result.origin = participant.origin;
  for (std::size_t k = 0; k < trials.runs.size(); ++k) {
    if (trials.runs[k] != run) continue;
    result.trials.push_back(participant.trials[k]);
    result.trials.back().name = name_within_run(participant.trials[k].name, run);
  }
  return result;
}

}  // namespace

Significance significance_of(const ScoredParticipant& participant) {
  const evaluate::DecisionCounts counts = evaluate::count_decisions(participant);
  Significance result;
  result.windows = static_cast<Index>(counts.windows);
  const double apart = std::floor(counts.windows * (participant.hop() / participant.window()) + 1e-9);
  const auto chance = evaluate::Chance::make(participant.speakers.size(), static_cast<Index>(apart));
  result.chance = chance.level();
  result.accuracy = counts.accuracy();
  result.bound = chance.bound();
  if (result.accuracy) result.p_value = chance.p_value(*result.accuracy);
  return result;
}

std::string name_within_run(const std::string& trial, const std::string& run) {
  return trial.size() > run.size() ? trial.substr(run.size() + 1) : "";
}

std::string window_entity(Seconds window) {
  std::string number = data::shown(window.value);
  if (number.size() == 1) number.insert(0, "0");
  std::ranges::replace(number, '.', 'p');
  return "window-" + number + "s_";
}

void check_windows(std::span<const Seconds> windows) {
  if (windows.empty()) throw Error(ErrorKind::invalid_argument, "there is no window length; 1 s is usual");
  std::set<Seconds> different;
  for (const Seconds window : windows) {
    (void)decode::cells_per_window(window);
    if (different.insert(window).second) continue;
    throw Error(ErrorKind::invalid_argument, "windows of " + data::shown(window.value) + " s are asked for twice");
  }
}

std::vector<decode::WindowLayout> layouts_of(std::span<const Seconds> windows, std::optional<Seconds> hop,
                                             std::optional<Seconds> step) {
  if (step && hop) {
    throw Error(ErrorKind::invalid_argument, "windows overlap by a hop, steps do not; choose one of them");
  }
  std::vector<decode::WindowLayout> layouts;
  if (step) {
    layouts.push_back(decode::WindowLayout::in_steps(*step));
  } else {
    check_windows(windows);
    for (const Seconds window : windows) layouts.emplace_back(window, hop.value_or(window));
  }
  for (const decode::WindowLayout& layout : layouts) decode::check_layout(layout);
  return layouts;
}

ScoreOrigin origin_of(const DecoderChoice& choice, std::optional<Recipe> recipe, std::string population) {
  return {.decoder = describe(choice),
          .preprocessing = io::describe(choice.preprocessing),
          .recipe = recipe ? std::string(name(*recipe)) : "n/a",
          .population = std::move(population),
          .kernels = decode::kernel_name()};
}

Scoring::Scoring(const ScoreRequest& request)
    : request_(request),
      layouts_(layouts_of(request.windows, request.hop, request.step)),
      choice_(choice_for(request)),
      recipe_(request.model ? std::nullopt : recipe_of(request.decoder, request.population.given.get())),
      folder_(request.folder, choice_.preprocessing) {
  (void)training_options(choice_, layouts_.front().window);
  check_adaptation(request);
  if (request.adaptation) (void)adaptive_setup(choice_, layouts_.front().window, {});
  const LenderRequest lending = lender_request();
  if (!request.model) check_lending(lending);
  if (request.output) io::make_derivative_folder(*request.output, folder_.dataset());
  notes_ = folder_.notes();
  if (request.model) return;
  std::ranges::move(recipe_notes(request.decoder, request.population.given.get()), std::back_inserter(notes_));
  lender_ = find_lender(folder_, lending, notes_);
}

LenderRequest Scoring::lender_request() const {
  LenderRequest lending{request_.population, recipe_, choice_, {}};
  if (!request_.adaptation) return lending;
  lending.scores = layouts_.front().window;
  lending.covariances = true;
  // Products of EEG and speech that went through the same filter hardly depend on its phase, which cancels: listeners
  // lend them across filters.
  if (const Population* given = request_.population.given.get()) {
    lending.choice.preprocessing.filters = given->preprocessing.filters;
  }
  return lending;
}

std::string Scoring::description() const { return std::string(name(choice_.kind)); }

std::string Scoring::decoder_words() const {
  if (request_.model) return io::describe(*request_.model) + ", as trained";
  if (request_.adaptation) {
    return describe(choice_) +
           (lender_ ? ", started from the others of " + lender_->listeners() : ", started from nothing") +
           (request_.adaptation->learn ? ", learning while it listens" : ", not learning");
  }
  return describe(choice_) + (lender_ ? ", " + lender_->words() : "") + ", leave one trial out";
}

// Each trial is a test of its own.
PriorRequest Scoring::prior_request(std::size_t k) const {
  const io::ParticipantRuns& one = participants()[k];
  PriorRequest asked{one.id, folder_.sources_of(one.id), {}};
  for (const TrialSource& source : folder_.preparation().sources_of(one.runs)) asked.tests.push_back({source.trial});
  return asked;
}

std::string Scoring::key_of(std::size_t k) const {
  io::Digest digest;
  digest.add(version()).add(folder_.preparation().digest_of(participants()[k].runs));
  io::add_value(digest, choice_);
  io::add_value(digest, request_.windows);
  io::add_value(digest, request_.hop);
  io::add_value(digest, request_.step);
  io::add_value(digest, request_.digits);
  io::add_value(digest, request_.adaptation);
  if (lender_) {
    const PriorRequest asked = prior_request(k);
    heed::Notes notes;
    digest.add(population_words(lender_.get(), lender_->prior_of(asked, notes), asked, recipe_));
  }
  return digest.hex();
}

ParticipantTrials Scoring::trials_of(std::size_t k) const {
  const PreparedParticipant prepared = folder_.prepare(participants()[k]);
  try {
    return scaled_trials(prepared, choice_);
  } catch (const Error& error) {
    if (!request_.model || error.kind() != ErrorKind::not_found) throw;
    throw Error(ErrorKind::bad_data, std::string(error.what()) + "; " + request_.model_name +
                                         " was trained with it: train another on the channels of this recording");
  }
}

void Scoring::adapt(std::size_t k, ScoredListener& scored) const {
  ParticipantScores& result = scored.result;
  const Seconds window = layouts_.front().window;
  std::vector<LentStart> starts;
  AdaptiveSetup setup = adaptive_setup(choice_, window, {});
  const PriorRequest asked = prior_request(k);
  if (lender_) scored.prior = lender_->prior_of(asked, result.notes);
  result.population = population_words(lender_.get(), std::nullopt, asked, recipe_);
  if (scored.prior) {
    starts = starts_for(*scored.prior, scored.trials.trials, {setup.lags, {0, 0}});
    setup = adaptive_setup(choice_, window, starts.front().seconds);
    result.population = lender_->words(starts.front(), *scored.prior);
  }
  setup.options.adapt = request_.adaptation->learn;
  AdaptiveListening listening = listen(scored.trials, window, setup, starts);
  result.learnt = listening.learnt;
  result.scores = {std::move(listening.scores)};
  if (starts.empty()) {
    result.notes.push_back({result.id, NoteKind::chosen,
                            "the decoder starts from nothing: the first " +
                                data::shown(static_cast<double>(setup.options.uniform_windows) * window.value) +
                                " s have no scores, and about five minutes are worth little"});
  }
  if (result.learnt->guarded) {
    result.notes.push_back({result.id, NoteKind::doubtful,
                            "the population did not fit this listener and was given up after " +
                                data::shown(static_cast<double>(*result.learnt->guarded) * window.value) +
                                " s; is the EEG upside down, or the wrong population?"});
  }
}

ScoredListener Scoring::score(std::size_t k) const {
  ScoredListener scored{.trials = trials_of(k)};
  const ParticipantTrials& trials = scored.trials;
  ParticipantScores& result = scored.result;
  result.id = trials.id;
  result.notes = trials.notes;
  if (request_.adaptation) {
    adapt(k, scored);
  } else if (request_.model) {
    result.scores = score_trials(trials, *request_.model, layouts_);
  } else {
    const PriorRequest asked = lender_ ? prior_request(k) : PriorRequest{};
    if (lender_) scored.prior = lender_->prior_of(asked, result.notes);
    result.population = population_words(lender_.get(), scored.prior, asked, recipe_);
    result.scores =
        cross_validate(trials, choice_, layouts_, {scored.prior ? &*scored.prior : nullptr, request_.folder.interrupt});
  }
  ScoreOrigin origin = origin_of(choice_, recipe_, result.population);
  if (request_.model) origin.decoder = io::describe(*request_.model);
  if (request_.adaptation) origin.decoder += request_.adaptation->learn ? ", learning while it listens" : ", fixed";
  for (ScoredParticipant& one : result.scores) {
    check(one, trials);
    one.origin = origin;
    result.significance.push_back(significance_of(one));
  }
  result.alignment = alignment_of(trials, choice_.kind);
  if (!request_.adaptation || scored.prior) note_missing(result.scores.front(), result.notes);
  if (!request_.model) return scored;
  for (const io::BidsRun& run : participants()[k].runs) {
    if (std::ranges::find(request_.model->runs, run.name) == request_.model->runs.end()) continue;
    result.notes.push_back(
        {run.name, NoteKind::doubtful,
         "the model was trained on a run of this name; if it is the same run, its scores are too good"});
  }
  return scored;
}

void Scoring::write(std::size_t k, const ScoredListener& scored) const {
  for (const io::BidsRun& run : participants()[k].runs) {
    const io::ScoreWriteOptions options{.digits = request_.digits, .sources = {run.eeg.filename().string()}};
    for (const ScoredParticipant& one : scored.result.scores) {
      const ScoredParticipant part = of_run(one, scored.trials, run.name);
      const std::string window = layouts_.size() > 1 ? window_entity(part.trials.front().scores.window) : "";
      const std::string suffix = window + "desc-" + description() + "_scores.tsv";
      io::write_scores(io::derivative_path(*request_.output, run, suffix), part, options);
    }
  }
}

ScoreResult score(const ScoreRequest& request) {
  const Scoring scoring(request);
  ScoreResult result{.layouts = scoring.layouts(),
                     .choice = scoring.choice(),
                     .decoder = scoring.decoder_words(),
                     .notes = scoring.notes()};
  if (!request.model) result.recipe = recipe_of(request.decoder, request.population.given.get());
  result.participants.resize(scoring.participants().size());
  const auto errors = scoring.folder().for_each("scoring", result.participants.size(), [&](std::size_t k) {
    ScoredListener scored = scoring.score(k);
    if (request.output) {
      scoring.write(k, scored);
      scored.result.scores.clear();
    }
    result.participants[k] = std::move(scored.result);
  });
  for (std::size_t k = 0; k < errors.size(); ++k) {
    if (errors[k]) result.participants[k] = {.id = scoring.participants()[k].id, .failure = errors[k]};
  }
  return result;
}

}  // namespace heed::pipeline
