// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/text.h>
#include <heed/pipeline/decoding/cross_validation.h>
#include <study/cohorts/decode_wanted.h>

namespace heed::study {
namespace {

// Trials may hold too few of the longest windows to learn from: then without those.
DecodedScores cross_validated(const pipeline::ParticipantTrials& trials, const pipeline::DecoderChoice& choice,
                              std::span<const Seconds> windows) {
  DecodedScores decoded;
  for (std::size_t count = windows.size(); count > 0; --count) {
    try {
      decoded.lengths = pipeline::cross_validate(trials, choice, windows.first(count));
      note_missing_windows(decoded, windows);
      return decoded;
    } catch (const Error& error) {
      if (decoded.failure.empty()) decoded.failure = error.what();
    }
  }
  return decoded;
}

}  // namespace

pipeline::DecoderChoice choice_of(const Decoding& decoding) {
  pipeline::DecoderChoice choice{.kind = decoding.decoder.value_or(pipeline::DecoderKind::cca)};
  choice.longest_lag = decoding.longest_lag;
  choice.preprocessing = pipeline::signals_for(choice);
  return choice;
}

void note_missing_windows(DecodedScores& decoded, std::span<const Seconds> windows) {
  if (decoded.lengths.size() == windows.size()) return;
  decoded.failure =
      "the trials hold too few windows of " + data::shown(windows[decoded.lengths.size()].value) + " s to learn from";
}

std::vector<DecodedScores> decode_wanted(std::span<const ScoresWanted> wanted, const PrepareParticipant& prepare) {
  std::vector<DecodedScores> results(wanted.size());
  // One kind of signals at a time is in memory.
  for (const bool rhythms : {false, true}) {
    std::optional<pipeline::PreparedParticipant> prepared;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const pipeline::DecoderChoice choice = choice_of(wanted[i].decoding);
      if ((choice.kind == pipeline::DecoderKind::csp) != rhythms) continue;
      if (!prepared) prepared = prepare(choice);
      results[i] = cross_validated(pipeline::scaled_trials(*prepared, choice), choice, wanted[i].windows);
    }
  }
  return results;
}

std::optional<std::string> csp_obstacle(const Decoding& decoding) {
  if (decoding.decoder != pipeline::DecoderKind::csp || decoding.speakers == 2) return std::nullopt;
  return "CSP tells two places apart, not " + std::to_string(decoding.speakers) + " speakers";
}

}  // namespace heed::study
