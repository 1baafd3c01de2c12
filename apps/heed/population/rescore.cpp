// SPDX-License-Identifier: MIT
// `heed rescore`: reconstructions of anybody's decoder in, scores that other listeners taught out.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/decode/window_sums.h>
#include <heed/evaluate/summary.h>
#include <heed/io/reconstruction_file.h>
#include <heed/io/score_file.h>
#include <io/discovery.h>
#include <pipeline/decoding/significance.h>
#include <pipeline/rescoring/rescoring.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "decoding/cohort_work.h"
#include "decoding/decoder_options.h"
#include "decoding/score_files.h"
#include "exit_code.h"
#include "json_value.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* rescore_examples = R"(Examples:
  heed rescore reconstructions -o scores
  heed rescore sub-*_reconstruction.npy --window 1,5 -o scores
  heed compare scores

Beside sub-01_run-01_reconstruction.npy (or .tsv) lies a .json with SamplingFrequency and Attended, and
sub-01_run-01_envelopes.tsv, a column a speaker, or what the .json names under Envelopes.)";

struct RescoreFlags {
  std::vector<std::string> inputs;
  std::string output;
  std::vector<double> windows{1};
  std::string band = "0.5-9";
  double rate = Preprocessing{}.sampling_frequency.value;
  std::string shared_sounds = "leave-out";
  std::size_t threads = 0;
  int digits = 6;
  bool json = false;
};

// One listener at one window length.
struct Gain {
  pipeline::Significance plain{};  // of correlations as they are
  pipeline::Significance rescored{};
};

std::vector<Seconds> windows_of(const RescoreFlags& flags) {
  std::vector<Seconds> windows;
  std::set<Seconds> different;
  for (const double window : flags.windows) {
    windows.push_back({window});
    (void)decode::cells_per_window(windows.back());
    if (!different.insert(windows.back()).second) {
      throw Error(ErrorKind::invalid_argument, fmt::format("--window: {:g} s is given twice", window));
    }
  }
  return windows;
}

pipeline::DecoderChoice choice_of(const RescoreFlags& flags) {
  pipeline::DecoderChoice choice = pipeline::rescorer();
  SignalFlags signals;
  signals.band = flags.band;
  signals.rate = flags.rate;
  const Preprocessing asked = preprocessing(signals);
  choice.preprocessing.low = asked.low;
  choice.preprocessing.high = asked.high;
  choice.preprocessing.sampling_frequency = asked.sampling_frequency;
  return choice;
}

std::optional<double> percent(std::optional<double> share) {
  return share ? std::optional(100 * *share) : std::nullopt;
}

class RescoreRun {
 public:
  explicit RescoreRun(const RescoreFlags& flags)
      : flags_(flags), windows_(windows_of(flags)), choice_(choice_of(flags)), rescoring_(read()) {
    for (const auto& listener : rescoring_.listeners()) participants_.push_back({listener.participant.id, {}});
    gains_.resize(participants_.size());
  }

  int run() {
    make_folder();
    const auto failures =
        for_each_participant(participants_, {"re-scoring", {flags_.threads}}, [&](std::size_t k) { rescore(k); });
    const int code = conclude(participants_, failures);
    if (flags_.json) {
      print_json(failures);
    } else if (code < exit_usage) {
      print_table(failures);
    }
    flush_output();
    if (code < exit_usage) {
      fmt::print(stderr, "scores written to {}; 'heed compare {}' tracks attention\n", flags_.output, flags_.output);
    }
    return code;
  }

 private:
  [[nodiscard]] pipeline::Rescoring read() const {
    const std::vector<std::filesystem::path> inputs(flags_.inputs.begin(), flags_.inputs.end());
    std::vector<pipeline::ReconstructedListener> listeners;
    for (const auto& group : io::group_by_participant(io::find_reconstructions(inputs))) {
      io::check_one_choice(group);
      std::vector<Reconstruction> runs;
      for (const auto& file : group.files) runs.push_back(io::read_reconstruction(file));
      listeners.push_back(pipeline::prepared(runs, choice_));
    }
    const bool keep = flags_.shared_sounds == "keep";
    return {std::move(listeners), choice_, keep ? pipeline::SharedSounds::keep : pipeline::SharedSounds::leave_out};
  }

  void make_folder() const {
    std::error_code failure;
    std::filesystem::create_directories(flags_.output, failure);
    if (failure) {
      throw Error(ErrorKind::cannot_create, flags_.output + ": cannot be made (" + failure.message() + ")");
    }
  }

  void rescore(std::size_t k) {
    for (const ScoredParticipant& scored : rescoring_.scores_of(k, windows_)) {
      for (const ScoredTrial& trial : scored.trials) {
        check_has_windows(trial);
        write(scored, trial);
      }
      gains_[k].push_back({pipeline::significance_of(rescoring_.plain_scores(k, scored.trials.front().scores.window)),
                           pipeline::significance_of(scored)});
    }
  }

  static void check_has_windows(const ScoredTrial& trial) {
    if (trial.scores.values.rows() > 0) return;
    throw Error(ErrorKind::bad_data, fmt::format("{} holds no window of {:g} s; take shorter windows, or leave it out",
                                                 trial.name, trial.scores.window.value));
  }

  void write(const ScoredParticipant& scored, const ScoredTrial& trial) const {
    ScoredParticipant one{.id = scored.id, .speakers = scored.speakers, .type = scored.type, .trials = {trial}};
    one.trials.front().name.clear();
    const std::string window = windows_.size() > 1 ? window_entity(trial.scores.window) : "";
    const std::filesystem::path file = trial.name + "_" + window + "desc-rescored_scores.tsv";
    io::write_scores(std::filesystem::path(flags_.output) / file, one,
                     {.digits = flags_.digits,
                      .decoder = words(),
                      .preprocessing = signal_words(),
                      .sources = {trial.name + "_reconstruction"}});
  }

  [[nodiscard]] std::string words() const {
    return fmt::format("reconstructions re-scored: {}, of other listeners{}", decoder_text(choice_),
                       flags_.shared_sounds == "keep" ? ", who may have heard the same sounds" : "");
  }

  [[nodiscard]] std::string signal_words() const {
    const Preprocessing& how = choice_.preprocessing;
    return fmt::format("{:g} ... {:g} Hz, zero-phase, {:g} Hz, targets envelope and onset", how.low.value,
                       how.high.value, how.sampling_frequency.value);
  }

  // ---- what is printed ----

  void print_table(const std::vector<std::optional<Error>>& failures) const {
    fmt::print("{}\n\n", words());
    TextTable table({"listener", "window s", "windows", "correlation %", "re-scored %", "chance %", "95 % bound", "p"});
    for (std::size_t k = 0; k < participants_.size(); ++k) {
      for (std::size_t w = 0; w < gains_[k].size() && !failures[k]; ++w) {
        const auto& [plain, found] = gains_[k][w];
        table.add({"sub-" + participants_[k].id, fmt::format("{:g}", windows_[w].value), std::to_string(found.windows),
                   shown(percent(plain.accuracy), 1), shown(percent(found.accuracy), 1),
                   shown(percent(found.chance), 1), shown(percent(found.bound), 1),
                   found.p_value ? fmt::format("{:.2g}", *found.p_value) : "n/a"});
      }
    }
    fmt::print("{}\n", table.text());
    for (std::size_t w = 0; w < windows_.size(); ++w) {
      const auto plain = mean_accuracy(failures, w, &Gain::plain);
      const auto found = mean_accuracy(failures, w, &Gain::rescored);
      fmt::print("accuracy of single windows of {:g} s: {} % by correlation, {} % re-scored{}\n", windows_[w].value,
                 shown_with_spread(percent(plain.mean), percent(plain.sd), 1),
                 shown_with_spread(percent(found.mean), percent(found.sd), 1), found.sd ? " (mean ± SD)" : "");
    }
  }

  [[nodiscard]] evaluate::Summary mean_accuracy(const std::vector<std::optional<Error>>& failures, std::size_t w,
                                                pipeline::Significance Gain::*which) const {
    std::vector<std::optional<double>> accuracies;
    for (std::size_t k = 0; k < participants_.size(); ++k) {
      if (!failures[k]) accuracies.push_back((gains_[k][w].*which).accuracy);
    }
    return evaluate::summarise(accuracies);
  }

  void print_json(const std::vector<std::optional<Error>>& failures) const {
    nlohmann::ordered_json listeners = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < participants_.size(); ++k) {
      nlohmann::ordered_json one{{"id", participants_[k].id}};
      if (failures[k]) one["failure"] = failures[k]->what();
      for (std::size_t w = 0; w < gains_[k].size() && !failures[k]; ++w) {
        const auto& [plain, found] = gains_[k][w];
        one["lengths"].push_back({{"window", windows_[w].value},
                                  {"windows", found.windows},
                                  {"correlation_accuracy", json_value(plain.accuracy)},
                                  {"accuracy", json_value(found.accuracy)},
                                  {"chance", found.chance},
                                  {"chance_bound", json_value(found.bound)},
                                  {"p", json_value(found.p_value)}});
      }
      listeners.push_back(std::move(one));
    }
    fmt::print("{}", json_text({{"decoder", words()},
                                {"preprocessing", signal_words()},
                                {"output", flags_.output},
                                {"participants", listeners}}));
  }

  const RescoreFlags& flags_;
  std::vector<Seconds> windows_;
  pipeline::DecoderChoice choice_;
  pipeline::Rescoring rescoring_;
  std::vector<io::ParticipantRuns> participants_;
  std::vector<std::vector<Gain>> gains_;  // [listener][window length]
};

}  // namespace

void add_rescore(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("rescore", "Score reconstructions of any decoder, taught by other listeners");
  verb->footer(rescore_examples);
  auto flags = std::make_shared<RescoreFlags>();
  verb->add_option("reconstructions", flags->inputs, "*_reconstruction.tsv or .npy, or folders of them")
      ->required()
      ->type_name("RECONSTRUCTIONS");
  verb->add_option("-o,--output", flags->output, "Folder to write to; made if it is not there")
      ->required()
      ->type_name("DIR");
  verb->add_option("--window", flags->windows, "Window lengths in seconds, a,b,...; multiples of 0.25")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  verb->add_option("--band", flags->band, "Band-pass of reconstructions and envelopes, in Hz")->capture_default_str();
  verb->add_option("--rate", flags->rate, "Sampling rate to work at, in Hz; at least 20")->capture_default_str();
  verb->add_option("--shared-sounds", flags->shared_sounds,
                   "Others' runs with the sounds of the one to be scored: leave-out, or keep where there are no others")
      ->check(CLI::IsMember(std::vector<std::string>{"leave-out", "keep"}))
      ->capture_default_str();
  verb->add_option("--digits", flags->digits, "Significant digits of the scores; 17 reads back exactly")
      ->check(CLI::Range(1, 17))
      ->capture_default_str();
  verb->add_flag("--json", flags->json, "The table as JSON");
  verb->add_option("--threads", flags->threads, "Listeners worked on at once (0: one a core)")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  verb->callback([&chosen, flags] { chosen = [flags] { return RescoreRun(*flags).run(); }; });
}

}  // namespace heed::app
