// SPDX-License-Identifier: MIT
// What a C++ user of the library would write: scores and a model in, the posteriors of all trials out, as the bytes of
// the doubles. tests/python/test_parity.py holds it against the program and against Python.
//   heed_parity filter|smooth|viterbi|fixed_lag SWITCH_PROBABILITY MODEL SCORES
#include <heed/emission/log_likelihoods.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>
#include <heed/io/model_file.h>
#include <heed/io/score_tables.h>

#include <exception>
#include <iostream>
#include <span>
#include <string_view>
#include <vector>

namespace {

void write(std::span<const double> values) {
  std::cout.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
}

void write(const heed::Posteriors& posteriors) {
  write(std::span(posteriors.values.data(), static_cast<std::size_t>(posteriors.values.size())));
  write(std::span(&posteriors.log_evidence, 1));
}

void write(const heed::Path& path) {
  write(std::vector<double>(path.states.begin(), path.states.end()));
  write(std::span(&path.log_probability, 1));
}

void track(std::string_view method, const heed::hmm::Chain& chain, const heed::LogLikelihoods& windows) {
  if (method == "filter") write(heed::hmm::filter(chain, windows));
  if (method == "smooth") write(heed::hmm::smooth(chain, windows));
  if (method == "viterbi") write(heed::hmm::viterbi(chain, windows));
  if (method == "fixed_lag") write(heed::hmm::fixed_lag(chain, windows));
}

void run(std::span<const char* const> arguments) {
  const double switch_probability = std::stod(arguments[1]);
  const heed::Model model = heed::io::read_model(arguments[2]);
  const heed::ScoredParticipant participant = heed::io::read_scores(arguments[3]).participant;
  const auto chain =
      heed::hmm::Chain::sticky(static_cast<heed::Index>(participant.speakers.size()), switch_probability);
  for (const heed::ScoredTrial& trial : participant.trials) {
    const auto windows = heed::emission::log_likelihoods(model.emission, trial.scores);
    track(arguments[0], chain, heed::emission::tempered(windows, model.temperature));
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) return 2;
  try {
    run(std::span<const char* const>(arguments, static_cast<std::size_t>(count)).subspan(1));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
