// SPDX-License-Identifier: MIT
// `heed train`: a decoder from the labelled runs of a BIDS folder, as a file.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/dsp/prepare.h>
#include <heed/io/atomic_file.h>
#include <heed/io/decoding/decoder_file.h>
#include <heed/io/decoding/pattern_file.h>
#include <heed/io/recording/recording_file.h>
#include <heed/pipeline/decoding/training.h>
#include <heed/report/render.h>

#include <filesystem>
#include <memory>

#include "decoding/decoder_options.h"
#include "decoding/figures.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* examples = R"(Examples:
  heed train BIDS_DIR --participant 01 --exclude-run 01 -o model.json      to be tested on run 01
  heed train BIDS_DIR --participant 01 --filters causal -o model.json      to be used live
  heed train BIDS_DIR --decoder ls -o pooled.json                          one decoder for everybody
  heed train BIDS_DIR --participant 01 -o model.json --patterns pattern.svg --patterns pattern.tsv

'heed score BIDS_DIR --model model.json' uses it.)";

struct TrainFlags {
  std::string dataset;
  std::string output;
  double window = 1;
  std::vector<std::string> patterns;
  SelectionFlags selection;
  SignalFlags signals;
  DecoderFlags decoder;
  CacheFlags cache;
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

void print_summary(const TrainFlags& flags, const Decoder& decoder, const std::vector<std::string>& notes,
                   Hertz native_rate) {
  for (const std::string& note : notes) warn(note);
  fmt::print(stderr, "{}\ntrained on {}: written to {}\n", io::describe(decoder), decoder.origin, flags.output);
  if (decoder.preprocessing.filters == FilterMode::causal) {
    const auto delay = dsp::causal_delay(decoder.preprocessing, native_rate);
    const std::string onsets =
        delay.onset.value > 0 ? fmt::format(", onsets of sound {:.0f} ms more", 1000 * delay.onset.value) : "";
    fmt::print(stderr, "live, EEG comes {:.0f} ms late (resampling){}, and lags look {:.0f} ms further\n",
               1000 * delay.resampling.value, onsets,
               1000 * static_cast<double>(decoder.eeg_lags.last) / decoder.preprocessing.sampling_frequency.value);
  }
}

int run_train(const TrainFlags& flags) {
  check_pattern_names(flags.patterns);
  const io::BidsDataset dataset = io::read_dataset(flags.dataset);
  const auto participants = io::select_runs(dataset, selection(flags.selection));
  const auto choice = decoder_choice(flags.decoder, flags.signals);
  tell_recipe(flags.decoder, choice);
  const pipeline::Preparation preparation(dataset, {choice.preprocessing, cache_folder(flags.cache)});
  std::vector<std::string> notes;
  std::size_t loaded = 0;
  pipeline::TrainedDecoder trained;
  {
    ProgressBar bar("training");
    const auto load = [&](std::size_t k) {
      const auto prepared = preparation.prepare(participants[k].id, participants[k].runs);
      if (loaded < participants.size()) {
        for (const std::string& note : prepared.notes) notes.push_back("sub-" + prepared.id + ": " + note);
      }
      auto trials = pipeline::scaled_trials(prepared, choice);
      const std::size_t passes = choice.kind == pipeline::DecoderKind::cca && participants.size() > 1 ? 2 : 1;
      bar.show(++loaded, passes * participants.size() + 1);
      return trials;
    };
    trained = pipeline::train(participants.size(), load, choice, Seconds{flags.window});
  }
  io::write_decoder(flags.output, trained.decoder);
  write_patterns(flags, trained.pattern);
  const Hertz native_rate = io::read_recording_header(participants.front().runs.front().eeg).sampling_frequency;
  print_summary(flags, trained.decoder, notes, native_rate);
  return 0;
}

}  // namespace

void add_train(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("train", "Train a decoder on the runs of a BIDS folder");
  verb->footer(examples);
  auto flags = std::make_shared<TrainFlags>();
  verb->add_option("dataset", flags->dataset, "BIDS folder")->required()->type_name("BIDS_DIR");
  verb->add_option("-o,--output", flags->output, "File of the decoder, JSON")->required()->type_name("FILE");
  verb->add_option("--window", flags->window, "Window length in seconds whose correlations cca's LDA learns")
      ->capture_default_str();
  verb->add_option("--patterns", flags->patterns,
                   "Also write where on the scalp the decoded signal shows: .tsv, .svg, .pdf or .png; may be repeated")
      ->allow_extra_args(false)
      ->type_name("FILE");
  add_cache_flags(*verb, flags->cache);
  add_selection_flags(*verb, flags->selection);
  add_decoder_flags(*verb, flags->decoder, false);
  add_signal_flags(*verb, flags->signals);
  verb->callback([&chosen, flags, verb] {
    chosen = [flags, verb] {
      apply_recipe(*verb, flags->decoder, flags->signals);
      return run_train(*flags);
    };
  });
}

}  // namespace heed::app
