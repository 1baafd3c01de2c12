// SPDX-License-Identifier: MIT
#include <heed/pipeline/decoding/cross_validation.h>
#include <study/cohorts/decode_wanted.h>

namespace heed::study {

pipeline::DecoderChoice choice_of(const Decoding& decoding) {
  pipeline::DecoderChoice choice{.kind = decoding.decoder.value_or(pipeline::DecoderKind::cca)};
  choice.longest_lag = decoding.longest_lag;
  choice.preprocessing = pipeline::signals_for(choice);
  return choice;
}

std::vector<std::vector<ScoredParticipant>> decode_wanted(std::span<const ScoresWanted> wanted,
                                                          const PrepareParticipant& prepare) {
  std::vector<std::vector<ScoredParticipant>> results(wanted.size());
  // One kind of signals at a time is in memory.
  for (const bool rhythms : {false, true}) {
    std::optional<pipeline::PreparedParticipant> prepared;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const pipeline::DecoderChoice choice = choice_of(wanted[i].decoding);
      if ((choice.kind == pipeline::DecoderKind::csp) != rhythms) continue;
      if (!prepared) prepared = prepare(choice);
      results[i] = pipeline::cross_validate(pipeline::scaled_trials(*prepared, choice), choice, wanted[i].windows);
    }
  }
  return results;
}

std::optional<std::string> csp_obstacle(const Decoding& decoding) {
  if (decoding.decoder != pipeline::DecoderKind::csp || decoding.speakers == 2) return std::nullopt;
  return "CSP tells two places apart, not " + std::to_string(decoding.speakers) + " speakers";
}

}  // namespace heed::study
