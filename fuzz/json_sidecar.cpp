// SPDX-License-Identifier: MIT
// JSON: sidecars of tables and envelopes, and model files. The first byte says which.
#include <heed/io/model_file.h>
#include <heed/io/score_tables.h>
#include <heed/io/sound_file.h>

#include <cmath>

#include "target.h"

namespace heed::fuzz {
namespace {

void scores(std::string_view sidecar) {
  const io::ScoreFile file = io::parse_scores("onset\tleft\tright\n0\t0.5\t0.25\n1\t0.125\t0\n", sidecar);
  require(file.participant.trials.front().scores.window.value > 0);
}

void model(std::string_view text) {
  const Model found = io::parse_model(text);
  require(io::model_text(io::parse_model(io::model_text(found))) == io::model_text(found));
}

void envelope(std::string_view sidecar) {
  const Envelope found = io::parse_envelope("envelope\n0.5\n0.25\n", sidecar);
  require(std::isfinite(found.sampling_frequency.value) && found.sampling_frequency.value > 0);
}

}  // namespace
}  // namespace heed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed::fuzz;
  if (size == 0) return 0;
  const std::string_view text = text_of(data + 1, size - 1);
  allow_errors([&] {
    switch (*data) {
      case 'm':
        return model(text);
      case 'e':
        return envelope(text);
      case 'p':
        return (void)heed::io::parse_posteriors("onset\tleft\tright\tdecision\n0\t0.25\t0.75\tright\n", text);
      default:
        return scores(text);
    }
  });
  return 0;
}
