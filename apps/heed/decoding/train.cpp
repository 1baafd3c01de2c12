// SPDX-License-Identifier: MIT
// `heed train`: a decoder from the labelled runs of a BIDS folder, as a file.
#include <dsp/prepare.h>
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/io/decoder_file.h>
#include <heed/io/recording_file.h>
#include <heed/report/drawing.h>
#include <io/atomic_file.h>
#include <io/result_table_file.h>
#include <pipeline/decoding/training.h>

#include <filesystem>
#include <memory>

#include "decoding/decoder_options.h"
#include "plot.h"
#include "population/listener_training.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* train_examples = R"(Examples:
  heed train BIDS_DIR --participant 01 --exclude-run 01 -o model.json      to be tested on run 01
  heed train BIDS_DIR --participant 01 --filters causal -o model.json      to be used live
  heed train BIDS_DIR --decoder ls -o pooled.json                          one decoder for everybody
  heed train BIDS_DIR --participant 01 --label-free --population pop.json -o model.json
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
  PopulationFlags population;
  bool label_free = false;
  std::string posteriors;
  CacheFlags cache;
};

void take_least_squares(const CLI::App& verb, DecoderFlags& flags) {
  if (verb.get_option("--decoder")->count() > 0 && flags.decoder != "ls") {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("--label-free is of ls; leave --decoder {} away, or train with labels", flags.decoder));
  }
  flags.decoder = "ls";
  if (verb.get_option("--pairs")->count() == 0) flags.pairs.reset();  // a population's
}

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
    if (decoder.rule.measure == WindowMeasure::cosine && !decoder.rule.memory) {
      warn(
          "no live session can use this decoder: --score-memory trial wants the whole trial; give it seconds, like 60");
    }
    const auto delay = dsp::causal_delay(decoder.preprocessing, native_rate);
    const std::string onsets =
        delay.onset.value > 0 ? fmt::format(", onsets of sound {:.0f} ms more", 1000 * delay.onset.value) : "";
    fmt::print(stderr, "live, EEG comes {:.0f} ms late (resampling){}, and lags look {:.0f} ms further\n",
               1000 * delay.resampling.value, onsets,
               1000 * static_cast<double>(decoder.eeg_lags.last) / decoder.preprocessing.sampling_frequency.value);
  }
}

// What all ways of training begin with.
struct Training {
  explicit Training(const TrainFlags& flags)
      : dataset(io::read_dataset(flags.dataset)),
        participants(io::select_runs(dataset, selection(flags.selection))),
        choice(decoder_choice(flags.decoder, flags.signals)),
        preparation(dataset, {choice.preprocessing, cache_folder(flags.cache)}) {}

  io::BidsDataset dataset;
  std::vector<io::ParticipantRuns> participants;
  pipeline::DecoderChoice choice;
  pipeline::Preparation preparation;
};

TrainedListener train_together(const Training& training, Seconds window) {
  TrainedListener result;
  std::size_t loaded = 0;
  ProgressBar bar("training");
  const auto& participants = training.participants;
  const auto load = [&](std::size_t k) {
    const auto prepared = training.preparation.prepare(participants[k].id, participants[k].runs);
    if (loaded < participants.size()) {
      for (const std::string& note : prepared.notes) result.notes.push_back("sub-" + prepared.id + ": " + note);
    }
    auto trials = pipeline::scaled_trials(prepared, training.choice);
    const std::size_t passes = training.choice.kind == pipeline::DecoderKind::cca && participants.size() > 1 ? 2 : 1;
    bar.show(++loaded, passes * participants.size() + 1);
    return trials;
  };
  result.trained = pipeline::train(participants.size(), load, training.choice, window);
  return result;
}

// One listener, with others to learn from: of a file, or with heed's recipe the rest of the folder.
TrainedListener train_alone(const TrainFlags& flags, const Training& training) {
  const io::ParticipantRuns& who = training.participants.front();
  LenderSources sources{&training.dataset, &training.preparation, &training.choice, {}};
  if (flags.label_free) sources.scores = Seconds{flags.window};
  std::optional<Lender> lender;
  const bool lent = may_lend(flags.population);
  if (lent && !flags.population.file.empty()) {
    lender = Lender::of_file(sources, flags.population, io::read_population(flags.population.file));
  } else if (lent && flags.decoder.recipe == "heed") {
    lender = Lender::of_folder(sources, flags.population, all_but(training.dataset, who.id), {});
  }
  return train_listener(who, sources, {flags.label_free, flags.posteriors, flags.window}, lender ? &*lender : nullptr);
}

int run_train(const TrainFlags& flags) {
  check_pattern_names(flags.patterns);
  const Training training(flags);
  tell_recipe(flags.decoder, training.choice);
  const std::size_t count = training.participants.size();
  if (count > 1 && (flags.label_free || (may_lend(flags.population) && !flags.population.file.empty()))) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("--population and --label-free train one listener at a time, {} were chosen; say whom with "
                            "--participant",
                            count));
  }
  const TrainedListener result =
      count > 1 ? train_together(training, Seconds{flags.window}) : train_alone(flags, training);
  io::write_decoder(flags.output, result.trained.decoder);
  write_patterns(flags, result.trained.pattern);
  const auto& recording = training.participants.front().runs.front().eeg;
  print_summary(flags, result.trained.decoder, result.notes,
                io::RecordingFile::open(recording).header().sampling_frequency);
  return 0;
}

}  // namespace

void add_train(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("train", "Train a decoder on the runs of a BIDS folder");
  verb->footer(train_examples);
  auto flags = std::make_shared<TrainFlags>();
  verb->add_option("dataset", flags->dataset, "BIDS folder")->required()->type_name("BIDS_DIR");
  verb->add_option("-o,--output", flags->output, "File of the decoder, JSON")->required()->type_name("FILE");
  verb->add_option("--window", flags->window, "Window length in seconds whose correlations cca's LDA learns")
      ->capture_default_str();
  verb->add_option("--patterns", flags->patterns,
                   "Also write where on the scalp the decoded signal shows: .tsv, .svg, .pdf or .png; may be repeated")
      ->allow_extra_args(false)
      ->type_name("FILE");
  CLI::Option* label_free =
      verb->add_flag("--label-free", flags->label_free,
                     "Learn without attend rows, from the EEG and the sounds alone; of one participant, ls");
  verb->add_option("--posteriors", flags->posteriors,
                   "Of --label-free: also write who it took to be attended, a TSV file with a sidecar")
      ->type_name("FILE")
      ->needs(label_free);
  add_cache_flags(*verb, flags->cache);
  add_selection_flags(*verb, flags->selection);
  add_decoder_flags(*verb, flags->decoder, false);
  add_signal_flags(*verb, flags->signals);
  add_population_flags(*verb, flags->population);
  verb->callback([&chosen, flags, verb] {
    chosen = [flags, verb] {
      take_over(*verb, flags->population, flags->decoder, flags->signals);
      apply_recipe(*verb, flags->decoder, flags->signals);
      if (flags->label_free) take_least_squares(*verb, flags->decoder);
      return run_train(*flags);
    };
  });
}

}  // namespace heed::app
