// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <sim/draws.h>
#include <sim/recording_options.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace heed::sim {
namespace {

constexpr std::string_view cap_64 =
    "Fp1 AF7 AF3 F1 F3 F5 F7 FT7 FC5 FC3 FC1 C1 C3 C5 T7 TP7 CP5 CP3 CP1 P1 P3 P5 P7 P9 PO7 PO3 O1 Iz Oz POz Pz CPz "
    "Fpz Fp2 AF8 AF4 AFz Fz F2 F4 F6 F8 FT8 FC6 FC4 FC2 FCz Cz C2 C4 C6 T8 TP8 CP6 CP4 CP2 P2 P4 P6 P8 P10 PO8 PO4 O2";
constexpr std::string_view cap_32 =
    "Fp1 AF3 F7 F3 FC1 FC5 T7 C3 CP1 CP5 P7 P3 Pz PO3 O1 Oz O2 PO4 P4 P8 CP6 CP2 C4 T8 FC6 FC2 F4 F8 AF4 Fp2 Fz Cz";
constexpr std::string_view cap_19 = "Fp1 Fp2 F7 F3 Fz F4 F8 T7 C3 Cz C4 T8 P7 P3 Pz P4 P8 O1 O2";

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

void check_counts(const RecordingCohortOptions& options) {
  constexpr int most = 9999;  // numbers that names of files and streams of random numbers have room for
  const auto counts = [](const std::string& name, int value, int fewest) {
    require(value >= fewest && value <= most,
            name + " " + std::to_string(value) + ": give " + std::to_string(fewest) + " to " + std::to_string(most));
  };
  counts("participants", options.participants, 1);
  counts("trials", options.trials, 1);
  counts("sustained trials", options.sustained_trials, 0);
  require(options.speakers >= 2 && options.speakers <= 8,
          "speakers " + std::to_string(options.speakers) + ": attention needs 2 to 8 to choose from");
  require(options.sustained_trials <= options.trials, "sustained trials " + std::to_string(options.sustained_trials) +
                                                          " are more than the trials, " +
                                                          std::to_string(options.trials));
}

void check_signals(const RecordingCohortOptions& options) {
  const double rate = options.sampling_frequency.value;
  require(rate >= 32 && rate <= 4096, "EEG at " + data::shown(rate) + " Hz: give 32 to 4096");
  const double sound = options.sound_frequency.value;
  require(sound >= 8000 && sound <= 192000 && std::floor(sound) == sound,
          "sound at " + data::shown(sound) + " Hz: give a whole number from 8000 to 192000");
  const auto amount = [](const std::string& name, double value, double most) {
    require(value >= 0 && value <= most,
            name + " " + data::shown(value) + " must lie between 0 and " + data::shown(most));
  };
  amount("signal", options.signal, 1000);
  amount("signal spread", options.signal_spread, 1);
  amount("noise", options.noise, 1000);
  amount("gaze", options.gaze, 10);
  amount("blinks per minute:", options.blinks, 60);
  amount("artefacts per minute:", options.artefacts, 60);
  amount("dropouts per minute:", options.dropouts, 60);
  amount("line noise in microvolts:", options.line_noise, 1000);
  require(options.dropout_length.value > 0 && options.dropout_length.value <= 60,
          "dropout length " + data::shown(options.dropout_length.value) + " s must be positive, and at most 60");
  require(options.line_noise == 0 || (options.line_frequency.value > 0 && options.line_frequency.value < rate / 2),
          "line frequency " + data::shown(options.line_frequency.value) + " Hz must lie below half the EEG's rate, " +
              data::shown(rate / 2) + " Hz");
}

}  // namespace

RecordingCohortOptions three_conversations() {
  RecordingCohortOptions options;
  options.participants = 20;
  options.trials = 6;
  options.sustained_trials = 3;
  options.speakers = 3;
  options.turn_taking = true;
  return options;
}

std::vector<std::string> electrodes(int count) {
  require(count == 64 || count == 32 || count == 19,
          "channels " + std::to_string(count) + ": there are caps of 64, 32 and 19");
  return words_of(count == 64 ? cap_64 : count == 32 ? cap_32 : cap_19);
}

std::vector<std::string> speaker_names(const RecordingCohortOptions& options) {
  if (options.speakers == 2) return {"left", "right"};
  if (options.speakers == 3) return {"left", "centre", "right"};
  std::vector<std::string> names;
  for (int j = 1; j <= options.speakers; ++j) names.push_back("speaker-" + std::to_string(j));
  return names;
}

void check(const RecordingCohortOptions& options) {
  check_counts(options);
  require(options.trial.value >= 1 && options.trial.value <= 36000,
          "trial " + data::shown(options.trial.value) + " s: give between 1 second and 10 hours");
  check_interval(options.interval);
  require(options.interval.shortest.value >= 1,
          "switch interval " + data::shown(options.interval.shortest.value) + " s: give at least 1 second");
  check_signals(options);
}

}  // namespace heed::sim
