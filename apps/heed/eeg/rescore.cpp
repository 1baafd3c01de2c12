// SPDX-License-Identifier: MIT
// `heed rescore`: reconstructions of anybody's decoder in, scores that other listeners taught out.
#include <data/text.h>
#include <fmt/format.h>
#include <heed/evaluate/summary.h>
#include <heed/pipeline/score.h>

#include <memory>
#include <utility>

#include "eeg/folder_verbs.h"
#include "exit_code.h"
#include "json_value.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* rescore_examples = R"(Examples:
  heed rescore reconstructions -o scores
  heed rescore sub-*_reconstruction.npy --window 1,5 -o scores
  heed rescore reconstructions --window 1 --hop 0.25 -o scores   windows that overlap: four decisions per second
  heed compare scores

Beside sub-01_run-01_reconstruction.npy (or .tsv) lies a .json with SamplingFrequency and Attended, and
sub-01_run-01_envelopes.tsv, one column per speaker, or what the .json names under Envelopes.)";

using pipeline::RescoredListener;
using pipeline::RescoreRequest;
using pipeline::RescoreResult;
using pipeline::RescoringGain;

std::optional<double> percent(std::optional<double> share) {
  return share ? std::optional(100 * *share) : std::nullopt;
}

evaluate::Summary mean_accuracy(const RescoreResult& result, std::size_t w,
                                pipeline::Significance RescoringGain::*which) {
  std::vector<std::optional<double>> accuracies;
  for (const RescoredListener& one : result.participants) {
    if (!one.failure) accuracies.push_back((one.gains[w].*which).accuracy);
  }
  return evaluate::summarise(accuracies);
}

void print_table(const RescoreRequest& request, const RescoreResult& result) {
  say("{}\n\n", result.decoder);
  TextTable table({"listener", "window s", "windows", "correlation %", "re-scored %", "chance %", "95 % bound", "p"});
  for (const RescoredListener& one : result.participants) {
    for (std::size_t w = 0; w < one.gains.size() && !one.failure; ++w) {
      const auto& [plain, found] = one.gains[w];
      table.add({"sub-" + one.id, fmt::format("{:g}", request.windows[w].value), std::to_string(found.windows),
                 shown(percent(plain.accuracy), 1), shown(percent(found.accuracy), 1), shown(percent(found.chance), 1),
                 shown(percent(found.bound), 1), found.p_value ? fmt::format("{:.2g}", *found.p_value) : "n/a"});
    }
  }
  say("{}\n", table.text());
  for (std::size_t w = 0; w < request.windows.size(); ++w) {
    const auto plain = mean_accuracy(result, w, &RescoringGain::correlation);
    const auto found = mean_accuracy(result, w, &RescoringGain::rescored);
    say("accuracy of single {}: {} % by correlation, {} % re-scored{}\n",
        data::shown_windows(request.windows[w], request.hop.value_or(request.windows[w])),
        shown_with_spread(percent(plain.mean), percent(plain.sd), 1),
        shown_with_spread(percent(found.mean), percent(found.sd), 1), found.sd ? " (mean ± SD)" : "");
  }
}

void print_json(const RescoreRequest& request, const RescoreResult& result) {
  nlohmann::ordered_json listeners = nlohmann::ordered_json::array();
  for (const RescoredListener& listener : result.participants) {
    nlohmann::ordered_json one{{"id", listener.id}};
    if (listener.failure) one["failure"] = listener.failure->what();
    for (std::size_t w = 0; w < listener.gains.size() && !listener.failure; ++w) {
      const auto& [plain, found] = listener.gains[w];
      nlohmann::ordered_json length{{"window", request.windows[w].value}};
      if (request.hop && *request.hop != request.windows[w]) length["hop"] = request.hop->value;
      length.update({{"windows", found.windows},
                     {"correlation_accuracy", json_value(plain.accuracy)},
                     {"accuracy", json_value(found.accuracy)},
                     {"chance", found.chance},
                     {"chance_bound", json_value(found.bound)},
                     {"p", json_value(found.p_value)}});
      one["lengths"].push_back(std::move(length));
    }
    listeners.push_back(std::move(one));
  }
  fmt::print("{}", json_text({{"decoder", result.decoder},
                              {"preprocessing", result.preprocessing},
                              {"output", request.output.string()},
                              {"participants", listeners}}));
}

int run_rescore(const RescoreRequest& request, bool json) {
  RescoreRequest with_bars = request;
  with_bars.progress = progress_bars();
  const RescoreResult result = pipeline::rescore(std::exchange(with_bars, {}));
  const int code = conclude(result.participants);
  if (json) {
    print_json(request, result);
  } else if (code < exit_usage) {
    print_table(request, result);
  }
  flush_output();
  if (code < exit_usage) {
    const std::string folder = request.output.string();
    tell("scores written to {}; {}\n", folder, next_step(folder, request.windows.size()));
  }
  return code;
}

}  // namespace

void add_rescore(CLI::App& program, Chosen& chosen) {
  CLI::App* verb =
      program.add_subcommand("rescore", "Score reconstructions from any decoder, learning from other listeners");
  verb->footer(rescore_examples);
  auto request = std::make_shared<RescoreRequest>();
  auto json = std::make_shared<bool>(false);
  verb->add_option("reconstructions", request->inputs, "*_reconstruction.tsv or .npy, or folders of them")
      ->required()
      ->type_name("RECONSTRUCTIONS");
  verb->add_option("-o,--output", request->output, "Folder to write to; created if it does not exist")
      ->required()
      ->type_name("DIR");
  add_window_option(*verb, request->windows);
  add_hop_option(*verb, request->hop);
  verb->add_option_function<std::string>(
          "--band", [request](const std::string& text) { request->band = parse_band("--band", text); },
          "Band-pass of reconstructions and envelopes, in Hz")
      ->default_str("0.5-9");
  verb->add_option_function<double>(
          "--rate", [request](double rate) { request->sampling_frequency = Hertz{rate}; },
          "Sampling rate to work at, in Hz; at least 20")
      ->default_str("64");
  verb->add_option_function<std::string>(
          "--shared-sounds",
          [request](const std::string& word) {
            request->shared_sounds = word == "keep" ? pipeline::SharedSounds::keep : pipeline::SharedSounds::leave_out;
          },
          "Other listeners' runs with sounds of the run to be scored: leave-out, or keep if there are no other runs")
      ->check(CLI::IsMember(std::vector<std::string>{"leave-out", "keep"}))
      ->default_str("leave-out");
  add_digits_option(*verb, request->digits);
  verb->add_flag("--json", *json, "Print the table as JSON");
  verb->add_option("--threads", request->threads, "Listeners processed at once (0: one per core)")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  verb->callback([&chosen, request, json] { chosen = [request, json] { return run_rescore(*request, *json); }; });
}

}  // namespace heed::app
