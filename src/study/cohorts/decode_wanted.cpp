// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <pipeline/scoring/adaptive_listening.h>
#include <pipeline/scoring/cross_validation.h>
#include <study/cohorts/decode_wanted.h>
#include <study/cohorts/disturbed_trials.h>

#include <algorithm>

namespace heed::study {
namespace {

// A listener's trials in one way of preparing, as all decoders of it take them, and what these have summed up.
struct Heard {
  pipeline::ParticipantTrials trials{};
  pipeline::EegSums sums{};
};

struct Decoded {
  const pipeline::ParticipantTrials& trials;
  pipeline::DecoderChoice choice{};
  pipeline::EegSums* sums = nullptr;  // of these trials; null: nobody else decodes them
  std::optional<pipeline::ListenerPrior> prior{};
};

// Trials may hold too few of the longest windows to learn from: then without those, and with the decoder's words for
// the shortest that are missing. Other errors than those of data are not about the windows.
DecodedScores cross_validated(const Decoded& request, std::span<const Seconds> windows) {
  DecodedScores decoded;
  for (std::size_t count = windows.size(); count > 0; --count) {
    const std::vector<decode::WindowLayout> some(windows.begin(), windows.begin() + static_cast<std::ptrdiff_t>(count));
    try {
      decoded.lengths =
          pipeline::cross_validate(request.trials, request.choice, some,
                                   {.prior = request.prior ? &*request.prior : nullptr, .sums = request.sums});
      return decoded;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::bad_data && error.kind() != ErrorKind::singular) throw;
      decoded.failure = "windows of " + data::shown(some.back().window.value) + " s: " + error.what();
    }
  }
  return decoded;
}

// A decoder follows every so many windows: what is judged by the minute is the same, and takes a fraction of the time.
constexpr Index seldom = 20;

// Trials heard in turn by a decoder that starts from the others, or from nothing, and learns or stays as it is.
DecodedScores listened(const Decoded& request, Learning learning, std::span<const Seconds> windows) {
  DecodedScores decoded;
  if (learning != Learning::nothing && !request.prior) {
    decoded.failure = "too few other listeners heard other sounds; a decoder cannot start from them";
    return decoded;
  }
  for (const Seconds window : windows) {
    std::vector<pipeline::LentStart> starts;
    pipeline::AdaptiveSetup setup = pipeline::adaptive_setup(request.choice, window, {});
    if (learning != Learning::nothing) {
      starts = pipeline::starts_for(*request.prior, request.trials.trials, {setup.lags, {0, 0}});
      setup = pipeline::adaptive_setup(request.choice, window, starts.front().seconds);
    }
    setup.options.adapt = learning != Learning::population;
    setup.options.block = std::max(setup.options.block, seldom);
    decoded.lengths.push_back(pipeline::listen(request.trials, window, setup, starts).scores);
  }
  return decoded;
}

bool borrows(const Decoding& decoding) {
  const bool alone = decoding.learning == Learning::nothing || decoding.learning == Learning::labels_alone;
  return pipeline::uses_population(decoding.recipe) && !alone;
}

Lending lending_for(const Decoding& decoding) {
  return needs_labels(decoding.learning) ? Lending::to_training : Lending::to_adaptation;
}

// Nothing, with a note, where too few others have something to lend to the decoder of one of the trials.
std::optional<pipeline::ListenerPrior> find_prior(const Decoded& request, const SignalSource& signals, Lending lending,
                                                  Notes& notes) {
  const std::string& id = request.trials.id;
  if (signals.others < pipeline::fewest_others) {
    notes.push_back(
        pipeline::without_population(id, "the cohort has " + std::to_string(signals.others) +
                                             (signals.others == 1 ? " other listener" : " other listeners")));
    return std::nullopt;
  }
  pipeline::PriorRequest asked{id, signals.sources(), {}};
  for (const Trial& trial : request.trials.trials) asked.tests.push_back({trial.name});
  return signals.lender(request.choice, lending).prior_of(asked, notes);
}

DecodedScores decoded(const ScoresWanted& wanted, Heard& heard, const SignalSource& signals) {
  const auto& [decoding, windows] = wanted;
  DecodedScores result;
  pipeline::ParticipantTrials changed;
  const bool as_recorded = decoding.disturbance == Disturbance::none;
  try {
    if (!as_recorded) changed = disturbed(heard.trials, decoding.disturbance);
  } catch (const Error& error) {  // it cannot befall this recording
    result.failure = error.what();
    return result;
  }
  Decoded request{as_recorded ? heard.trials : changed, choice_of(decoding), as_recorded ? &heard.sums : nullptr};
  Notes notes;
  if (borrows(decoding)) request.prior = find_prior(request, signals, lending_for(decoding), notes);
  result = needs_labels(decoding.learning) ? cross_validated(request, windows)
                                           : listened(request, decoding.learning, windows);
  if (!notes.empty()) result.note = notes.front().text;
  return result;
}

}  // namespace

pipeline::DecoderChoice choice_of(const Decoding& decoding) {
  pipeline::DecoderChoice choice{.kind = decoding.decoder.value_or(pipeline::DecoderKind::cca)};
  choice.longest_lag = decoding.longest_lag;
  choice = pipeline::with_recipe(std::move(choice), decoding.recipe);
  if (decoding.ridge) choice.regularisation.ridge = *decoding.ridge;
  choice.stimulus_ridge = decoding.stimulus_ridge;
  choice.discriminant = decoding.discriminant;
  choice.preprocessing = pipeline::signals_for(choice);
  return choice;
}

std::vector<Preprocessing> ways_of(std::span<const ScoresWanted> wanted) {
  std::vector<Preprocessing> ways;
  for (const ScoresWanted& one : wanted) {
    const Preprocessing way = choice_of(one.decoding).preprocessing;
    if (std::ranges::find(ways, way) == ways.end()) ways.push_back(way);
  }
  return ways;
}

std::vector<DecodedScores> decode_wanted(std::span<const ScoresWanted> wanted, const SignalSource& signals) {
  std::vector<DecodedScores> results(wanted.size());
  // Whoever sums up a population holds other listeners in memory: before this one is there.
  for (const auto& [decoding, windows] : wanted) {
    if (!borrows(decoding) || signals.others < pipeline::fewest_others) continue;
    (void)signals.lender(choice_of(decoding), lending_for(decoding));
  }
  // One kind of signals at a time is in memory, as decoders take them.
  for (const Preprocessing& way : ways_of(wanted)) {
    Heard heard{pipeline::scaled_trials(signals.prepare(way), {.preprocessing = way})};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (choice_of(wanted[i].decoding).preprocessing == way) results[i] = decoded(wanted[i], heard, signals);
    }
  }
  return results;
}

std::optional<std::string> decoding_obstacle(const Decoding& decoding) {
  if (decoding.decoder != pipeline::DecoderKind::csp || decoding.speakers == 2) return std::nullopt;
  return "CSP tells two places apart, not " + std::to_string(decoding.speakers) + " speakers";
}

}  // namespace heed::study
