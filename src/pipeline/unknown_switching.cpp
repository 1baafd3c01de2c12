// SPDX-License-Identifier: MIT
#include <data/switching.h>
#include <data/text.h>
#include <heed/data/error.h>
#include <pipeline/unknown_switching.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace heed::pipeline {
namespace {

[[noreturn]] void reject(const char* why) { throw Error(ErrorKind::invalid_argument, why); }

std::string shown_p(double p) { return data::shown(std::round(p * 1e5) / 1e5); }

}  // namespace

void check_unknown_switching(const EmissionChoice& emission, const ChainChoice& chain) {
  if (!chain.unknown_switch_probability) return;
  if (emission.calibrate) {
    reject(
        "a temperature is fitted at one switch probability, and here it is unknown; leave the calibration out: "
        "evidence is scaled without it");
  }
  if (emission.fit_switch_probability) {
    reject("the switch probability is either learnt by Baum-Welch or found by the bank of filters; choose one");
  }
}

void note_unknown_switching(const EmissionChoice& emission, const ChainChoice& chain, Notes& notes) {
  if (!chain.unknown_switch_probability || emission.fit != EmissionFit::baum_welch) return;
  notes.push_back({.kind = NoteKind::chosen,
                   .text = "Baum-Welch learns the emission at the usual switch probability of " +
                           data::shown(hmm::switch_probability_per_second) +
                           " per second; the bank of filters looks for another one after it"});
}

void note_left_out(const hmm::Bank& bank, Notes& notes) {
  if (bank.left_out().empty()) return;
  std::string values;
  for (const double p : bank.left_out()) values.append(values.empty() ? "" : ", ").append(shown_p(p));
  notes.push_back({.kind = NoteKind::left_out,
                   .text = "with " + std::to_string(bank.states()) + " speakers no switch probability is above 1/N = " +
                           shown_p(1 / static_cast<double>(bank.states())) + ", so " + values +
                           " per second are not tried"});
}

std::string switching_json(const SwitchPosterior& posterior) {
  std::vector<double> intervals;
  for (std::size_t g = 0; g < posterior.weights.size(); ++g) {
    intervals.push_back(data::switch_interval(posterior, g).value);
  }
  const nlohmann::ordered_json json{{"per_second", posterior.per_second},
                                    {"per_window", posterior.per_window},
                                    {"interval", intervals},
                                    {"posterior", posterior.weights},
                                    {"words", data::switching_words(posterior)}};
  return json.dump(2) + "\n";
}

}  // namespace heed::pipeline
