// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/io/decoder_file.h>
#include <pipeline/decoding/cross_validation.h>
#include <study/cohorts/decode_wanted.h>

#include <algorithm>

namespace heed::study {
namespace {

struct Decoded {
  const pipeline::ParticipantTrials& trials;
  pipeline::DecoderChoice choice{};
  std::optional<pipeline::ListenerPrior> prior{};
};

// Trials may hold too few of the longest windows to learn from: then without those.
DecodedScores cross_validated(const Decoded& what, std::span<const Seconds> windows) {
  DecodedScores decoded;
  for (std::size_t count = windows.size(); count > 0; --count) {
    const auto some = windows.first(count);
    try {
      decoded.lengths = what.prior ? pipeline::cross_validate(what.trials, what.choice, some, *what.prior)
                                   : pipeline::cross_validate(what.trials, what.choice, some);
      note_missing_windows(decoded, windows);
      return decoded;
    } catch (const Error& error) {
      if (decoded.failure.empty()) decoded.failure = error.what();
    }
  }
  return decoded;
}

// Two ways are the same if they are told in the same words.
bool same_way(const Preprocessing& a, const Preprocessing& b) { return io::describe(a) == io::describe(b); }

}  // namespace

pipeline::DecoderChoice choice_of(const Decoding& decoding) {
  pipeline::DecoderChoice choice{.kind = decoding.decoder.value_or(pipeline::DecoderKind::cca)};
  choice.longest_lag = decoding.longest_lag;
  choice = pipeline::with_recipe(std::move(choice), decoding.recipe);
  choice.preprocessing = pipeline::signals_for(choice);
  return choice;
}

void note_missing_windows(DecodedScores& decoded, std::span<const Seconds> windows) {
  if (decoded.lengths.size() == windows.size()) return;
  decoded.failure =
      "the trials hold too few windows of " + data::shown(windows[decoded.lengths.size()].value) + " s to learn from";
}

std::vector<Preprocessing> ways_of(std::span<const ScoresWanted> wanted) {
  std::vector<Preprocessing> ways;
  for (const ScoresWanted& one : wanted) {
    const Preprocessing way = choice_of(one.decoding).preprocessing;
    if (std::ranges::none_of(ways, [&](const Preprocessing& known) { return same_way(known, way); })) {
      ways.push_back(way);
    }
  }
  return ways;
}

std::vector<DecodedScores> decode_wanted(std::span<const ScoresWanted> wanted, const SignalSource& signals) {
  std::vector<DecodedScores> results(wanted.size());
  // One kind of signals at a time is in memory.
  for (const Preprocessing& way : ways_of(wanted)) {
    const pipeline::PreparedParticipant prepared = signals.prepare(way);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const pipeline::DecoderChoice choice = choice_of(wanted[i].decoding);
      if (!same_way(choice.preprocessing, way)) continue;
      const pipeline::ParticipantTrials trials = pipeline::scaled_trials(prepared, choice);
      Decoded what{trials, choice};
      if (pipeline::uses_population(wanted[i].decoding.recipe)) what.prior = signals.prior(choice);
      results[i] = cross_validated(what, wanted[i].windows);
    }
  }
  return results;
}

std::optional<std::string> decoding_obstacle(const Decoding& decoding, std::size_t listeners) {
  if (decoding.decoder == pipeline::DecoderKind::csp && decoding.speakers != 2) {
    return "CSP tells two places apart, not " + std::to_string(decoding.speakers) + " speakers";
  }
  if (pipeline::uses_population(decoding.recipe) && listeners <= pipeline::fewest_others) {
    return "a population is of " + std::to_string(pipeline::fewest_others) + " other listeners at least; there are " +
           std::to_string(listeners - 1);
  }
  return std::nullopt;
}

}  // namespace heed::study
