// SPDX-License-Identifier: MIT
// `heed preprocess`: the signals as decoders take them, as a BIDS folder that other programs read too.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/io/decoder_file.h>
#include <io/bids/dataset_writer.h>

#include <filesystem>
#include <memory>
#include <mutex>

#include "decoding/cohort_work.h"
#include "decoding/decoder_options.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* preprocess_examples = R"(Examples:
  heed preprocess BIDS_DIR -o prepared                     as the paper: 1-9 Hz, 64 Hz, average reference
  heed preprocess BIDS_DIR --band 0.5-9 --reference TP9,TP10 --bad-channels interpolate -o prepared
  heed preprocess BIDS_DIR --resume -o prepared            go on after an interruption

Each run of DIR holds the trials of a run one after the other, EEG and envelopes band-passed and at one rate.)";

struct PreprocessFlags {
  std::string dataset;
  std::string output;
  bool resume = false;
  SelectionFlags selection;
  SignalFlags signals;
  CacheFlags cache;
  std::size_t threads = 0;
};

std::string stimulus_name(const PreparedRun& run, const PreparedTrial& trial, const std::string& speaker) {
  const std::string part = trial.name.empty() ? "" : "_trial-" + io::bids_label(trial.name);
  return run.name + part + "_" + io::bids_label(speaker) + ".tsv";
}

// One trial behind the other, on a clock that begins at 0.
class RunOnPaper {
 public:
  RunOnPaper(const io::BidsRun& run, const PreparedRun& prepared) : prepared_(prepared) {
    written_.entities = run.entities;
    written_.entities.session.clear();
    written_.recording.sampling_frequency = prepared.sampling_frequency;
    for (const std::string& name : prepared.channels) {
      written_.recording.channels.push_back({name, "uV", prepared.sampling_frequency});
      written_.channels.push_back({.name = name, .type = "EEG", .unit = "uV"});
    }
    Index rows = 0;
    for (const PreparedTrial& trial : prepared.trials) rows += trial.eeg.rows();
    written_.recording.samples.resize(rows, std::ssize(prepared.channels));
    Index first = 0;
    for (const PreparedTrial& trial : prepared.trials) {
      add(trial, first);
      first += trial.eeg.rows();
    }
  }

  void write(io::ParticipantDraft& draft) const {
    for (const PreparedTrial& trial : prepared_.trials) {
      for (std::size_t s = 0; s < trial.stimuli.size(); ++s) {
        draft.write_envelope(stimulus_name(prepared_, trial, prepared_.speakers[s]),
                             {.sampling_frequency = prepared_.sampling_frequency,
                              .columns = prepared_.targets,
                              .values = trial.stimuli[s].cast<double>()});
      }
    }
    draft.write(written_);
  }

 private:
  [[nodiscard]] Seconds time(Index samples) const {
    return {static_cast<double>(samples) / prepared_.sampling_frequency.value};
  }

  void add(const PreparedTrial& trial, Index first) {
    auto rows = written_.recording.samples.middleRows(first, trial.eeg.rows());
    rows = trial.eeg;
    // What was not recorded is not made up: readers of 32 bit floats see NaN, as heed does.
    for (const SampleRange& gap : trial.missing) {
      rows.middleRows(gap.first, gap.count).setConstant(std::numeric_limits<float>::quiet_NaN());
    }
    const std::string name = prepared_.trials.size() > 1 && trial.name.empty() ? "1" : trial.name;
    for (const std::string& speaker : prepared_.speakers) {
      written_.listening.stimuli.push_back({.speaker = speaker,
                                            .onset = time(first),
                                            .duration = time(trial.eeg.rows()),
                                            .file = stimulus_name(prepared_, trial, speaker),
                                            .trial = name});
    }
    for (const AttendedRange& range : trial.attention) {
      written_.listening.attention.push_back({.speaker = prepared_.speakers[static_cast<std::size_t>(range.speaker)],
                                              .onset = time(first + range.samples.first),
                                              .duration = time(range.samples.count),
                                              .trial = name});
    }
  }

  const PreparedRun& prepared_;
  io::WrittenRun written_;
};

int run_preprocess(const PreprocessFlags& flags) {
  const io::BidsDataset dataset = io::read_dataset(flags.dataset);
  const auto participants = io::select_runs(dataset, selection(flags.selection));
  const Preprocessing how = preprocessing(flags.signals);
  const pipeline::Preparation preparation(dataset, {how, cache_folder(flags.cache)});
  io::DatasetWriter writer(flags.output,
                           {.name = dataset.name + ", prepared for decoders",
                            .readme = "EEG and envelopes prepared by heed: " + io::describe(how) +
                                      ". Not scaled. Preparing them once more would filter them twice."},
                           {.resume = flags.resume});
  std::mutex writing;
  std::vector<std::vector<std::string>> notes(participants.size());
  const auto failures = for_each_participant(participants, {"preparing", {flags.threads}}, [&](std::size_t k) {
    const std::string& id = participants[k].id;
    {
      const std::scoped_lock lock(writing);
      if (writer.has_participant(id)) return;
    }
    const auto prepared = preparation.prepare(id, participants[k].runs);
    notes[k] = prepared.notes;
    const std::scoped_lock lock(writing);
    io::ParticipantDraft draft = writer.begin(id);
    for (std::size_t r = 0; r < prepared.runs.size(); ++r) {
      RunOnPaper(participants[k].runs[r], prepared.runs[r]).write(draft);
    }
    writer.commit(draft, participants[k].runs.front().eeg.filename().string());
  });
  for (std::size_t k = 0; k < notes.size(); ++k) {
    for (const std::string& note : notes[k]) warn("sub-" + participants[k].id + ": " + note);
  }
  const int code = conclude(participants, failures);
  if (code < 2) fmt::print(stderr, "{}: written to {}\n", io::describe(how), flags.output);
  return code;
}

}  // namespace

void add_preprocess(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("preprocess", "Filter, resample and reference the signals of a BIDS folder");
  verb->footer(preprocess_examples);
  auto flags = std::make_shared<PreprocessFlags>();
  verb->add_option("dataset", flags->dataset, "BIDS folder")->required()->type_name("BIDS_DIR");
  verb->add_option("-o,--output", flags->output, "Folder to write to; made if it is not there")
      ->required()
      ->type_name("DIR");
  verb->add_flag("--resume", flags->resume, "Go on with an earlier one: participants that are there stay as they are");
  add_threads_flag(*verb, flags->threads);
  add_cache_flags(*verb, flags->cache);
  add_selection_flags(*verb, flags->selection);
  add_signal_flags(*verb, flags->signals);
  verb->callback([&chosen, flags] { chosen = [flags] { return run_preprocess(*flags); }; });
}

}  // namespace heed::app
