// SPDX-License-Identifier: MIT
#include <data/in_parallel.h>
#include <data/text.h>
#include <dsp/prepare.h>
#include <dsp/standardise.h>
#include <heed/data/error.h>
#include <heed/decode/score.h>
#include <heed/decode/window_sums.h>
#include <heed/io/model_file.h>
#include <heed/io/score_tables.h>
#include <io/digest.h>
#include <io/discovery.h>
#include <io/reconstruction_file.h>
#include <pipeline/scoring/rescoring.h>
#include <pipeline/scoring/scoring.h>
#include <pipeline/scoring/training.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace heed::pipeline {
namespace {

constexpr const char* channel = "reconstruction";

// ---- signals ----

std::string digest_of(const Eigen::VectorXd& values) {
  const auto* bytes = reinterpret_cast<const char*>(values.data());  // NOLINT(*-reinterpret-cast): bytes of doubles
  return io::Digest().add({bytes, static_cast<std::size_t>(values.size()) * sizeof(double)}).hex();
}

// What never changes says nothing, and in units of its own deviation it would be rounding errors writ large.
void check_changes(const Eigen::VectorXd& values, const std::string& signal) {
  constexpr double rounding = 1e-10;
  if (values.maxCoeff() - values.minCoeff() > rounding * values.cwiseAbs().maxCoeff()) return;
  throw Error(ErrorKind::bad_data, signal + " never changes; is it the right file?");
}

Matrix scaled(Matrix signal) {
  dsp::standardise(data::view(signal), dsp::measure_scales(data::view(std::as_const(signal))));
  return signal;
}

std::vector<AttendedRange> at_rate(const Reconstruction& run, Hertz rate, Index samples) {
  const double ratio = rate.value / run.sampling_frequency.value;
  const auto moved = [&](Index sample) {
    return std::min<Index>(samples, std::llround(static_cast<double>(sample) * ratio));
  };
  std::vector<AttendedRange> result;
  for (const AttendedRange& range : run.attention) {
    const Index first = moved(range.samples.first);
    const Index end = moved(range.samples.first + range.samples.count);
    if (end > first) result.push_back({{first, end - first}, range.speaker});
  }
  return result;
}

Trial trial_of(const Reconstruction& run, const Preprocessing& preprocessing) {
  Trial trial{.name = run.name, .onset = run.onset, .sampling_frequency = preprocessing.sampling_frequency};
  trial.channels = {channel};
  trial.speakers = run.speakers;
  trial.targets.clear();
  for (const SpeechTarget target : preprocessing.targets) trial.targets.emplace_back(io::name_of(target));
  Preprocessing as_it_is = preprocessing;
  as_it_is.targets = {SpeechTarget::envelope};
  check_changes(run.values, "the reconstruction");
  trial.eeg = scaled(dsp::prepare_envelope(as_it_is, run.values, run.sampling_frequency));
  for (Index s = 0; s < run.envelopes.cols(); ++s) {
    check_changes(run.envelopes.col(s), "the envelope of '" + run.speakers[static_cast<std::size_t>(s)] + "'");
    trial.stimuli.push_back(scaled(dsp::prepare_envelope(preprocessing, run.envelopes.col(s), run.sampling_frequency)));
  }
  trial.attention = at_rate(run, preprocessing.sampling_frequency, trial.samples());
  return trial;
}

void check_speakers(const Trial& first, const Trial& other) {
  if (first.speakers == other.speakers) return;
  throw Error(ErrorKind::bad_data, other.name + ": has other speakers than " + first.name +
                                       "; use the same names in all runs of a listener, such as left and right");
}

// ---- scores ----

// The reconstruction as it is.
Decoder plain_decoder(const Preprocessing& preprocessing) {
  Decoder decoder;
  decoder.filters = LeastSquaresDecoder{Matrix::Ones(1, 1)};
  decoder.channels = {channel};
  decoder.preprocessing = preprocessing;
  return decoder;
}

ScoredTrial as_scored(const Trial& trial, Scores scores) {
  AttentionTrack attention = decode::attention_track(trial, {scores.window, scores.hop});
  return {trial.name, trial.onset, std::move(scores), std::move(attention)};
}

DecoderChoice choice_of(const RescoreRequest& request) {
  DecoderChoice choice = rescorer();
  if (request.band) {
    choice.preprocessing.low = request.band->low;
    choice.preprocessing.high = request.band->high;
  }
  choice.preprocessing.sampling_frequency =
      request.sampling_frequency.value_or(choice.preprocessing.sampling_frequency);
  return choice;
}

Rescoring read(const RescoreRequest& request, const DecoderChoice& choice) {
  std::vector<ReconstructedListener> listeners;
  for (const auto& group : io::group_by_participant(io::find_reconstructions(request.inputs))) {
    io::check_one_choice(group);
    std::vector<Reconstruction> runs;
    for (const auto& file : group.files) runs.push_back(io::read_reconstruction(file));
    listeners.push_back(prepared(runs, choice));
  }
  return {std::move(listeners), choice, request.shared_sounds};
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure)
    throw Error(ErrorKind::cannot_create, folder.string() + ": cannot be created (" + failure.message() + ")");
}

// A file for each run.
void write(const RescoreRequest& request, const RescoreResult& result, const ScoredParticipant& scored) {
  for (const ScoredTrial& trial : scored.trials) {
    if (trial.scores.values.rows() == 0) {
      throw Error(ErrorKind::bad_data, trial.name + " is too short for a window of " +
                                           data::shown(trial.scores.window.value) +
                                           " s; use shorter windows, or leave it out");
    }
    ScoredParticipant one{.id = scored.id, .speakers = scored.speakers, .type = scored.type, .trials = {trial}};
    one.origin = {.decoder = result.decoder, .preprocessing = result.preprocessing};
    one.trials.front().name.clear();
    const std::string window = request.windows.size() > 1 ? window_entity(trial.scores.window) : "";
    io::write_scores(request.output / (trial.name + "_" + window + "desc-rescored_scores.tsv"), one,
                     {.digits = request.digits, .sources = {trial.name + "_reconstruction"}});
  }
}

}  // namespace

DecoderChoice rescorer() {
  DecoderChoice choice;
  choice.kind = DecoderKind::cca;
  choice.preprocessing.low = Hertz{0.5};
  choice.preprocessing.reference = {ReferenceKind::none, {}};
  choice.preprocessing.targets = {SpeechTarget::envelope, SpeechTarget::onset};
  choice.regularisation.ridge = 1e-3;  // one channel, and the data of many listeners
  choice.first_lag = Seconds{-0.128};
  choice.longest_lag = Seconds{0.128};
  choice.pairs = 8;
  choice.rule.measure = WindowMeasure::cosine;
  return choice;
}

ReconstructedListener prepared(std::span<const Reconstruction> runs, const DecoderChoice& choice) {
  if (runs.empty()) throw Error(ErrorKind::invalid_argument, "a listener needs at least one reconstruction");
  ReconstructedListener result{.participant = {.id = runs.front().listener}};
  auto& trials = result.participant.trials;
  for (const Reconstruction& run : runs) {
    try {
      trials.push_back(trial_of(run, choice.preprocessing));
    } catch (const Error& error) {
      throw error.within(run.name);
    }
    check_speakers(trials.front(), trials.back());
    result.participant.runs.push_back(run.name);
    std::vector<std::string>& sounds = result.sounds.emplace_back();
    for (Index s = 0; s < run.envelopes.cols(); ++s) sounds.push_back(digest_of(run.envelopes.col(s)));
  }
  return result;
}

Rescoring::Rescoring(std::vector<ReconstructedListener> listeners, DecoderChoice choice, SharedSounds shared)
    : listeners_(std::move(listeners)), choice_(std::move(choice)), shared_(shared) {
  if (listeners_.size() < 2) {
    throw Error(ErrorKind::bad_data,
                "there are reconstructions of only one listener; scores are learnt from others: give those of two or "
                "more, named sub-01_..., sub-02_...");
  }
  std::map<std::string, std::string> seen;
  for (const ReconstructedListener& listener : listeners_) {
    for (const Trial& trial : listener.participant.trials) {
      const auto [known, is_new] = seen.try_emplace(digest_of(trial.eeg.col(0)), trial.name);
      if (is_new) continue;
      throw Error(ErrorKind::bad_data, trial.name + " holds the same reconstruction as " + known->second +
                                           ": one would be learnt from and tested on the other; leave one out");
    }
  }
}

std::vector<ParticipantTrials> Rescoring::teachers(std::size_t listener, std::span<const std::string> sounds) const {
  std::vector<ParticipantTrials> result;
  for (std::size_t k = 0; k < listeners_.size(); ++k) {
    if (k == listener) continue;
    const auto& [participant, heard] = listeners_[k];
    ParticipantTrials part{.id = participant.id};
    for (std::size_t t = 0; t < heard.size(); ++t) {
      const bool shares =
          shared_ == SharedSounds::leave_out && std::ranges::find_first_of(heard[t], sounds) != heard[t].end();
      if (shares || participant.trials[t].attention.empty()) continue;
      part.trials.push_back(participant.trials[t]);
      part.runs.push_back(participant.runs[t]);
    }
    if (!part.trials.empty()) result.push_back(std::move(part));
  }
  return result;
}

std::vector<std::string> Rescoring::learnt_from(std::size_t listener, std::size_t run) const {
  std::vector<std::string> names;
  for (const ParticipantTrials& teacher : teachers(listener, listeners_.at(listener).sounds.at(run))) {
    names.insert(names.end(), teacher.runs.begin(), teacher.runs.end());
  }
  return names;
}

std::vector<Decoder> Rescoring::decoders(std::size_t listener, std::span<const std::string> sounds,
                                         std::span<const decode::WindowLayout> layouts) const {
  const std::vector<ParticipantTrials> others = teachers(listener, sounds);
  if (others.empty()) {
    throw Error(ErrorKind::bad_data,
                "sub-" + listeners_[listener].participant.id +
                    ": nobody is left to learn from: the others' runs have no labels (key Attended), or the sounds of "
                    "the run to be scored; keep shared sounds to learn from those anyway");
  }
  std::vector<Decoder> result;
  for (const decode::WindowLayout& layout : layouts) {
    const auto load = [&](std::size_t k) { return others[k]; };
    result.push_back(train(others.size(), load, choice_, layout.window).decoder);
  }
  return result;
}

std::vector<ScoredParticipant> Rescoring::scores_of(std::size_t listener,
                                                    std::span<const decode::WindowLayout> layouts) const {
  const auto& [participant, sounds] = listeners_.at(listener);
  const ScoredParticipant none{
      .id = participant.id, .speakers = participant.trials.front().speakers, .type = ScoreType::log_odds};
  std::vector<ScoredParticipant> result(layouts.size(), none);
  std::map<std::vector<std::string>, std::vector<Decoder>> trained;  // runs that are taught by the same have one
  for (std::size_t t = 0; t < participant.trials.size(); ++t) {
    std::vector<Decoder>& by = trained[learnt_from(listener, t)];
    if (by.empty()) by = decoders(listener, sounds[t], layouts);
    const Trial& trial = participant.trials[t];
    for (std::size_t w = 0; w < layouts.size(); ++w) {
      result[w].trials.push_back(as_scored(trial, decode::score(by[w], trial, layouts[w])));
    }
  }
  return result;
}

ScoredParticipant Rescoring::plain_scores(std::size_t listener, const decode::WindowLayout& layout) const {
  const ParticipantTrials& participant = listeners_.at(listener).participant;
  ScoredParticipant result{.id = participant.id, .speakers = participant.trials.front().speakers};
  const Decoder decoder = plain_decoder(choice_.preprocessing);
  for (const Trial& trial : participant.trials) {
    result.trials.push_back(as_scored(trial, decode::score(decoder, trial, layout)));
  }
  return result;
}

RescoreResult rescore(const RescoreRequest& request) {
  const auto layouts = layouts_of(request.windows, request.hop, std::nullopt);
  const DecoderChoice choice = choice_of(request);
  const Preprocessing& signals = choice.preprocessing;
  RescoreResult result;
  result.decoder = "reconstructions re-scored: " + describe(choice) + ", of other listeners" +
                   (request.shared_sounds == SharedSounds::keep ? ", who may have heard the same sounds" : "");
  result.preprocessing = data::shown(signals.low.value) + " ... " + data::shown(signals.high.value) +
                         " Hz, zero-phase, " + data::shown(signals.sampling_frequency.value) +
                         " Hz, targets envelope and onset";
  const Rescoring rescoring = read(request, choice);
  make_folder(request.output);
  for (const auto& listener : rescoring.listeners()) result.participants.push_back({.id = listener.participant.id});
  const std::size_t count = result.participants.size();
  const auto work = [&](std::size_t k) {
    for (const ScoredParticipant& scored : rescoring.scores_of(k, layouts)) {
      write(request, result, scored);
      const ScoredParticipant plain = rescoring.plain_scores(k, {scored.window(), scored.hop()});
      result.participants[k].gains.push_back({significance_of(plain), significance_of(scored)});
    }
  };
  const auto errors = data::errors_of(data::in_parallel(count, {request.threads}, work, [&](std::size_t done) {
    if (request.progress) request.progress("re-scoring", done, count);
  }));
  for (std::size_t k = 0; k < count; ++k) result.participants[k].failure = errors[k];
  return result;
}

}  // namespace heed::pipeline
