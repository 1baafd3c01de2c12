// SPDX-License-Identifier: MIT
// `heed train`: a decoder from the labelled runs of a BIDS folder, as a file.
#include <dsp/prepare.h>
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/hmm/chain.h>
#include <heed/io/model_file.h>
#include <heed/io/score_tables.h>
#include <heed/pipeline/train.h>
#include <heed/report/drawing.h>
#include <io/atomic_file.h>
#include <io/result_table_file.h>

#include <filesystem>
#include <memory>

#include "eeg/folder_verbs.h"
#include "plot.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* train_examples = R"(Examples:
  heed train BIDS_DIR --participant 01 --exclude-run 01 -o model.json      to be tested on run 01
  heed train BIDS_DIR --participant 01 --filters causal -o model.json      to be used live
  heed train BIDS_DIR -o pooled.json                                       one decoder for all
  heed train BIDS_DIR --participant 01 --label-free --population pop.json -o model.json
  heed train BIDS_DIR --participant 01 -o model.json --patterns pattern.svg --patterns pattern.tsv

'heed score BIDS_DIR --model model.json' uses it.)";

struct TrainFlags {
  pipeline::TrainRequest request;
  PopulationFlags population;
  std::string output;
  std::vector<std::string> patterns;
  std::string posteriors;
};

// A table, or a picture by its ending. Nothing is written before all of it is known to be possible.
void write_patterns(const TrainFlags& flags, const pipeline::ForwardPattern& pattern) {
  for (const std::string& file : flags.patterns) {
    if (std::filesystem::path(file).extension() == ".tsv") {
      io::write_pattern(file, {pattern.channels, pattern.lags, pattern.values});
    } else {
      const auto format = report::figure_format(file);
      io::write_text_file(file, report::render(pattern_drawing(pattern, "Decoder " + flags.output), format));
    }
  }
}

void check_pattern_names(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (std::filesystem::path(file).extension() == ".tsv") continue;
    try {
      (void)report::figure_format(file);
    } catch (const Error& error) {
      throw Error(error.kind(), std::string("--patterns: ") + error.what() + ", or .tsv for a table");
    }
  }
}

void try_outputs(const TrainFlags& flags) {
  io::try_output(flags.output);
  for (const std::string& file : flags.patterns) io::try_output(file);
  if (!flags.posteriors.empty()) io::try_output(flags.posteriors);
}

void write_posteriors(const std::string& file, const TrainFlags& flags, const pipeline::TrainResult& result) {
  const pipeline::LabelFreeDecoder& learnt = *result.label_free;
  const Seconds window = flags.request.window;
  const double switches = pipeline::LabelFreeOptions{}.switches_per_second;
  io::write_posteriors(
      file, learnt.attention,
      {.method = "smooth",
       .switch_probability = hmm::linear_switch_probability(std::ssize(learnt.attention.speakers), window, switches),
       .emission = io::describe(Emission{learnt.passes.back().emission}),
       .sources = result.sources});
}

void describe_passes(const std::vector<pipeline::LabelFreePass>& passes) {
  for (std::size_t k = 0; k < passes.size(); ++k) {
    tell("pass {}: certainty {:.1f} %{}\n", k + 1, 100 * passes[k].certainty,
         passes[k].changed ? fmt::format(", {:.1f} % of windows decided differently", 100 * *passes[k].changed) : "");
  }
  tell("certainty is no evidence of being right: it is just as high if the EEG is pure noise\n");
}

void describe_decoder(const TrainFlags& flags, const Decoder& decoder, Hertz native_rate) {
  tell("{}\ntrained on {}: written to {}\n", io::describe(decoder), decoder.origin, flags.output);
  if (decoder.preprocessing.filters != FilterMode::causal) return;
  if (decoder.rule.measure == WindowMeasure::cosine && !decoder.rule.memory) {
    warn(
        "a live session cannot use this decoder: --score-memory trial needs the whole trial; give seconds instead, "
        "such as 60");
  }
  const auto delay = dsp::causal_delay(decoder.preprocessing, native_rate);
  const std::string onsets =
      delay.onset.value > 0 ? fmt::format(", onsets of sound {:.0f} ms more", 1000 * delay.onset.value) : "";
  tell("live, EEG is delayed by {:.0f} ms (resampling){}, and the lags need {:.0f} ms more\n",
       1000 * delay.resampling.value, onsets,
       1000 * static_cast<double>(decoder.eeg_lags.last) / decoder.preprocessing.sampling_frequency.value);
}

int run_train(TrainFlags& flags) {
  check_pattern_names(flags.patterns);
  try_outputs(flags);
  flags.request.population = population_request(flags.population);
  const pipeline::TrainResult result = pipeline::train(watched(flags.request));
  io::write_decoder(flags.output, result.trained.decoder);
  write_patterns(flags, result.trained.pattern);
  if (result.label_free) {
    if (!flags.posteriors.empty()) write_posteriors(flags.posteriors, flags, result);
    describe_passes(result.label_free->passes);
  }
  warn(result.notes);
  describe_decoder(flags, result.trained.decoder, result.native_rate);
  return 0;
}

}  // namespace

void add_train(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("train", "Train a decoder on the runs of a BIDS folder");
  verb->footer(train_examples);
  auto flags = std::make_shared<TrainFlags>();
  add_folder_options(*verb, flags->request.folder);
  verb->add_option("-o,--output", flags->output, "Decoder file to write, JSON")->required()->type_name("FILE");
  verb->add_option("--window", flags->request.window.value,
                   "Window length in seconds for which the LDA of cca is trained")
      ->capture_default_str();
  verb->add_option(
          "--patterns", flags->patterns,
          "Also write where on the scalp the decoded signal appears: .tsv, .svg, .pdf or .png; may be repeated")
      ->allow_extra_args(false)
      ->type_name("FILE");
  CLI::Option* label_free =
      verb->add_flag("--label-free", flags->request.label_free,
                     "Learn without attend rows, from the EEG and the sounds alone; for one participant, with ls");
  verb->add_option("--posteriors", flags->posteriors,
                   "With --label-free: also write the attention it found, a TSV file with a sidecar")
      ->type_name("FILE")
      ->needs(label_free);
  add_decoder_options(*verb, flags->request.decoder, false);
  add_signal_options(*verb, flags->request.decoder);
  add_population_options(*verb, flags->population);
  verb->callback([&chosen, flags] { chosen = [flags] { return run_train(*flags); }; });
}

}  // namespace heed::app
