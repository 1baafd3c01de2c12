// SPDX-License-Identifier: MIT
// `heed simulate recording`: listeners' EEG and what they heard, as a BIDS folder.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <pipeline/artificial_switches.h>
#include <pipeline/simulated_folder.h>

#include <memory>

#include "model_options.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* simulate_recording_examples = R"(Examples:
  heed simulate recording -o sim                                   13 listeners, 4 x 10 min, 64 channels, two talkers
  heed simulate recording --participants 3 --trials 4 --minutes 4 --seed 7 -o sim
  heed simulate recording --conversations 3 -o talks               20 listeners, three turn-taking pairs, 6 x 10 min
  heed simulate recording --participants 2 --channels 32 --blinks 12 --artefacts 2 --dropouts 0.5 -o dirty
  heed simulate recording --participants 1 --signal 4 --format brainvision --sounds wav -o easy

Writes a BIDS folder with EEG, events and sounds; each participant is written completely or not at all. 'heed validate
DIR' checks it.)";

struct RecordingFlags {
  pipeline::RecordingWishes wishes;
  double minutes = sim::RecordingCohortOptions{}.trial.value / 60;
  double rate = sim::RecordingCohortOptions{}.sampling_frequency.value;
  double sound_rate = sim::RecordingCohortOptions{}.sound_frequency.value;
  double dropout_length = sim::RecordingCohortOptions{}.dropout_length.value;
  double line_frequency = sim::RecordingCohortOptions{}.line_frequency.value;
  std::string switch_every;
  std::string format = "bdf";
  std::string folder;
  pipeline::SimulatedFolderOptions writing;
};

sim::RecordingCohortOptions options_of(const RecordingFlags& flags) {
  if (flags.wishes.conversations && flags.wishes.speakers) {
    throw Error(ErrorKind::invalid_argument,
                "--conversations and --speakers exclude each other: each conversation counts as a speaker");
  }
  pipeline::RecordingWishes wishes = flags.wishes;
  if (!flags.switch_every.empty()) wishes.interval = pipeline::parse_interval("--switch-every", flags.switch_every);
  wishes.options.trial = Seconds{flags.minutes * 60};
  wishes.options.sampling_frequency = Hertz{flags.rate};
  wishes.options.sound_frequency = Hertz{flags.sound_rate};
  wishes.options.dropout_length = Seconds{flags.dropout_length};
  wishes.options.line_frequency = Hertz{flags.line_frequency};
  return pipeline::recording_options(wishes);
}

// The bar is gone before the last word.
void write_with_bar(const RecordingFlags& flags, const sim::RecordingCohortOptions& options) {
  pipeline::SimulatedFolderOptions writing = flags.writing;
  writing.format = flags.format == "bdf" ? io::EegFormat::bdf : io::EegFormat::brainvision;
  ProgressBar bar("simulating");
  pipeline::write_simulated_folder(flags.folder, options, writing,
                                   [&](std::size_t done, std::size_t total) { bar.show(done, total); });
}

int run_simulate_recording(const RecordingFlags& flags) {
  const sim::RecordingCohortOptions options = options_of(flags);
  write_with_bar(flags, options);
  tell("{}, {} of {:g} min each, {}, seed {}: written to {}\n",
       count_text(static_cast<std::size_t>(options.participants), "participant"),
       count_text(static_cast<std::size_t>(options.trials), "trial"), flags.minutes,
       count_text(static_cast<std::size_t>(options.speakers), options.turn_taking ? "conversation" : "speaker"),
       options.seed, flags.folder);
  return 0;
}

void add_cohort_options(CLI::App& verb, RecordingFlags& flags) {
  verb.add_option("-o,--output", flags.folder, "Folder to write to; created if it does not exist")
      ->required()
      ->type_name("DIR");
  verb.add_option("--participants", flags.wishes.participants, "Number of listeners (13; 20 with --conversations)");
  verb.add_option("--trials", flags.wishes.trials, "Trials per listener (4; 6 with --conversations)");
  verb.add_option("--minutes", flags.minutes, "Length of a trial in minutes")->capture_default_str();
  verb.add_option("--speakers", flags.wishes.speakers, "Number of competing talkers (2)");
  verb.add_option("--conversations", flags.wishes.conversations,
                  "Instead of talkers: number of conversations between two talkers who take turns");
  verb.add_option("--sustained", flags.wishes.sustained,
                  "Number of trials without a switch, at the beginning (0; 3 with --conversations)");
  verb.add_option(
      "--switch-every", flags.switch_every,
      "Seconds between switches: fixed (300) or random (60-125) (default 300; half of a trial no longer than that)");
  add_seed_flag(verb, flags.wishes.options.seed, "Seed; the same seed gives the same files");
}

void add_signal_options(CLI::App& verb, RecordingFlags& flags) {
  sim::RecordingCohortOptions& options = flags.wishes.options;
  verb.add_option("--channels", flags.wishes.channels, "A cap of 64, 32 or 19 electrodes, or electrode names: Fz,Cz,T7")
      ->delimiter(',')
      ->type_name("N|NAMES")
      ->default_str("64");
  verb.add_option("--rate", flags.rate, "Sampling rate of the EEG in Hz")->capture_default_str();
  verb.add_option("--signal", options.signal,
                  "Strength of the responses to speech; at 1, decoders do as well as on real EEG")
      ->capture_default_str();
  verb.add_option("--signal-spread", options.signal_spread, "Its standard deviation over listeners")
      ->capture_default_str();
  verb.add_option("--noise", options.noise, "Strength of all other EEG")->capture_default_str();
  verb.add_option("--gaze", options.gaze,
                  "How far activity is lateralised to the attended side; with 0, CSP finds nothing")
      ->capture_default_str();
  verb.add_option("--blinks", options.blinks, "Blinks per minute")->capture_default_str();
  verb.add_option("--artefacts", options.artefacts, "Bursts of muscle activity or movement per minute")
      ->capture_default_str();
  verb.add_option("--dropouts", options.dropouts, "Stretches without EEG per minute, flat in the file")
      ->capture_default_str();
  verb.add_option("--dropout-length", flags.dropout_length, "Mean length of dropouts in seconds")
      ->capture_default_str();
  verb.add_option("--line-noise", options.line_noise, "Amplitude of line noise in microvolts")->capture_default_str();
  verb.add_option("--line-frequency", flags.line_frequency, "Frequency of line noise in Hz")->capture_default_str();
}

void add_file_options(CLI::App& verb, RecordingFlags& flags) {
  verb.add_option("--format", flags.format, "bdf (24-bit integers) or brainvision (32-bit floats)")
      ->check(CLI::IsMember(std::vector<std::string>{"bdf", "brainvision"}))
      ->capture_default_str();
  verb.add_option("--sounds", flags.writing.sounds, "flac or wav, 16 bit")
      ->check(CLI::IsMember(std::vector<std::string>{"flac", "wav"}))
      ->capture_default_str();
  verb.add_option("--sound-rate", flags.sound_rate, "Sampling rate of the sounds in Hz")->capture_default_str();
  verb.add_flag("--force", flags.writing.replace, "Replace an earlier simulation in the folder");
}

}  // namespace

void add_simulate_recording(CLI::App& simulate, Chosen& chosen) {
  CLI::App* verb = simulate.add_subcommand("recording", "EEG and speech of a cohort, as a BIDS folder");
  verb->footer(simulate_recording_examples);
  auto flags = std::make_shared<RecordingFlags>();
  add_cohort_options(*verb, *flags);
  add_signal_options(*verb, *flags);
  add_file_options(*verb, *flags);
  verb->callback([&chosen, flags] { chosen = [flags] { return run_simulate_recording(*flags); }; });
}

}  // namespace heed::app
