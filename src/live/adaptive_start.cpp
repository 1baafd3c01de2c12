// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/io/model_file.h>
#include <live/adaptive_start.h>
#include <live/session/first_decoder.h>
#include <pipeline/scoring/adaptive_listening.h>

#include <utility>

namespace heed::live {
namespace {

using pipeline::DecoderChoice;
using pipeline::LentStart;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

DecoderChoice choice_of(const AdaptiveStartRequest& request) {
  DecoderChoice choice = pipeline::resolve(request.decoder, request.population.given.get());
  choice.preprocessing.filters = request.decoder.filters.value_or(FilterMode::causal);
  if (request.learnt && !request.population.given) {
    choice.preprocessing = request.learnt->preprocessing;
    const double rate = choice.preprocessing.sampling_frequency.value;
    choice.first_lag = {static_cast<double>(request.learnt->lags.first) / rate};
    choice.longest_lag = {static_cast<double>(request.learnt->lags.last) / rate};
  }
  return choice;
}

// One per trial that is replayed; of a stream, of which nobody knows what will be heard, one for all.
std::vector<LentStart> lent_starts(const AdaptiveStartRequest& request, DecoderChoice choice,
                                   const pipeline::DecoderShape& shape, Notes& notes) {
  const Population& population = *request.population.given;
  if (population.decoder.window != request.window) {
    refuse(request.population.name + ": its scores are of windows of " + data::shown(population.decoder.window.value) +
           " s, not " + data::shown(request.window.value) + " s; choose that window, or make another population");
  }
  choice.preprocessing.filters = population.preprocessing.filters;  // whose phase cancels in products
  const pipeline::Lender lender(population, request.population, choice);
  pipeline::PriorRequest asked{.listener = request.listener, .tests = {{}}};
  if (request.heard) {
    asked = *request.heard;
  } else if (request.replayed) {
    asked.tests.clear();
    const pipeline::OpenFolder folder(*request.replayed, choice.preprocessing);
    const io::ParticipantRuns& one = folder.participants().front();
    asked.listener = one.id;
    asked.sources = folder.sources_of(one.id);
    for (const pipeline::TrialSource& source : folder.preparation().sources_of(one.runs)) {
      asked.tests.push_back({source.trial});
    }
  }
  const auto prior = lender.prior_of(asked, notes);
  std::vector<LentStart> starts;
  for (const std::vector<std::string>& tested : asked.tests) starts.push_back(prior->lend_start(tested, shape));
  return starts;
}

void take_up(const LearntListener& learnt, const AdaptiveStartRequest& request, const DecoderChoice& choice,
             AdaptiveSession& session) {
  const std::string who = learnt.listener.empty() ? "what was kept" : "what was kept of " + learnt.listener;
  if (!learnt.listener.empty() && !request.listener.empty() && learnt.listener != request.listener) {
    throw Error(ErrorKind::bad_data, who + " is of another listener than " + request.listener +
                                         ", whose session this is; keep this listener in another file");
  }
  if (learnt.channels != session.channels) {
    throw Error(ErrorKind::bad_data,
                who + " is of other channels than the stream has (" + std::to_string(learnt.channels.size()) +
                    ", not " + std::to_string(session.channels.size()) + ", or others); keep this cap in another file");
  }
  const bool same = learnt.preprocessing == choice.preprocessing && learnt.lags == session.eeg_lags &&
                    learnt.window == request.window;
  if (!same) {
    refuse(who + " is of other signals, lags or windows (" + io::describe(learnt.preprocessing) +
           "); leave these at their defaults, or keep this session in another file");
  }
  session.learnt = learnt.learnt;
  if (!session.starts.empty()) return;
  if (learnt.population_cross.size() > 0) {
    session.starts.push_back({learnt.population_covariance, learnt.population_cross, learnt.emission});
    session.population_seconds = learnt.population_seconds;
  }
}

}  // namespace

Preprocessing adaptive_signals(const AdaptiveStartRequest& request) {
  const DecoderChoice choice = choice_of(request);
  (void)pipeline::adaptive_setup(choice, request.window, {});
  return choice.preprocessing;
}

AdaptiveSession adaptive_session(const StreamDescription& stream, const AdaptiveStartRequest& request, Notes& notes) {
  return adaptive_session(good_channels(stream, choice_of(request).preprocessing), request, notes);
}

AdaptiveSession adaptive_session(const std::vector<std::string>& channels, const AdaptiveStartRequest& request,
                                 Notes& notes) {
  const DecoderChoice choice = choice_of(request);
  pipeline::AdaptiveSetup setup = pipeline::adaptive_setup(choice, request.window, {});
  AdaptiveSession session{.channels = channels, .preprocessing = choice.preprocessing, .eeg_lags = setup.lags};
  if (request.population.given) {
    const auto lent = lent_starts(request, choice, {session.channels, {setup.lags, {0, 0}}}, notes);
    for (const LentStart& one : lent) session.starts.push_back(one.start);
    session.population_seconds = lent.front().seconds;
  }
  if (request.learnt) take_up(*request.learnt, request, choice, session);
  if (session.starts.empty()) {
    session.population_seconds = 0;
    notes.push_back({.kind = NoteKind::chosen,
                     .text = "there is no population to start from: nothing is decided for about five minutes, while "
                             "the decoder learns"});
  }
  setup = pipeline::adaptive_setup(choice, request.window, session.population_seconds);
  session.adaptation = setup.options;
  session.adaptation.adapt = request.learn;
  return session;
}

LearntListener learnt_listener(const AdaptiveSession& session, const decode::AdaptiveDecoder& decoder, Seconds window) {
  LearntListener result{.channels = session.channels,
                        .preprocessing = session.preprocessing,
                        .lags = session.eeg_lags,
                        .window = window,
                        .emission = decode::AdaptiveStart{}.emission,
                        .learnt = decoder.sums()};
  if (decoder.learnt().guarded || session.starts.empty()) return result;
  result.population_covariance = session.starts.back().covariance;
  result.population_cross = session.starts.back().cross;
  result.population_seconds = session.population_seconds;
  result.emission = session.starts.back().emission;
  return result;
}

}  // namespace heed::live
