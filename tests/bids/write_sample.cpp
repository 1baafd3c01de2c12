// SPDX-License-Identifier: MIT
// Writes a BIDS folder with everything heed can put into one: both file formats, audio and envelopes, bad and other
// channels, trials, sides that swap. `write_sample FOLDER`; the public validator then looks at it.
#include <io/bids/dataset_writer.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <span>

#include "support/wav_bytes.h"

namespace heed::test {
namespace {

constexpr double rate = 64;
constexpr int seconds = 20;

io::WrittenRun sample_run(const std::string& subject, const std::string& number) {
  io::WrittenRun run;
  run.entities = {subject, "", "attend", "", number};
  run.recording.sampling_frequency = Hertz{rate};
  for (const char* name : {"Fp1", "Cz", "EXG1"}) {
    run.recording.channels.push_back({name, "uV", Hertz{rate}});
    const bool is_eeg = name[0] != 'E';
    run.channels.push_back({name, is_eeg ? "EEG" : "EOG", "uV", Hertz{rate}, name[0] != 'C'});
  }
  run.recording.samples.resize(static_cast<Index>(rate * seconds), 3);
  for (Index i = 0; i < run.recording.samples.size(); ++i) {
    run.recording.samples.data()[i] = 20 * std::sin(static_cast<float>(i));
  }
  run.markers.push_back({Seconds{1}, Seconds{0}, "start"});
  return run;
}

void add_trial(ListeningEvents& events, const std::string& name, double onset) {
  const Seconds half{4};
  for (const int part : {0, 1}) {
    const Seconds begin{onset + (4 * part)};
    const Seconds in_file{4.0 * part};
    const std::string left = part == 0 ? "anna.tsv" : "bert.tsv";
    const std::string right = part == 0 ? "bert.tsv" : "anna.tsv";
    events.stimuli.push_back({"left", begin, half, left, in_file, {}, name});
    events.stimuli.push_back({"right", begin, half, right, in_file, {}, name});
    events.attention.push_back({part == 0 ? "left" : "right", begin, half, name});
  }
}

Envelope sample_envelope() {
  return {Hertz{rate}, Seconds{0}, {"envelope"}, Matrix::Random(static_cast<Index>(rate * 8), 1).cwiseAbs()};
}

void write_participant(io::DatasetWriter& writer, const std::string& subject, const std::filesystem::path& sound) {
  io::ParticipantDraft draft = writer.begin(subject);
  draft.write_envelope("anna.tsv", sample_envelope());
  draft.write_envelope("bert.tsv", sample_envelope());
  draft.copy_sound("both.wav", sound);
  io::WrittenRun pieces = sample_run(subject, "1");
  add_trial(pieces.listening, "1", 0);
  add_trial(pieces.listening, "2", 10);
  draft.write(pieces);
  io::WrittenRun audio = sample_run(subject, "2");
  audio.listening.stimuli = {{"left", Seconds{0}, Seconds{20}, "both.wav", {}, 0, ""},
                             {"right", Seconds{0}, Seconds{20}, "both.wav", {}, 1, ""}};
  audio.listening.attention = {{"right", Seconds{0}, Seconds{20}, ""}};
  draft.write(audio);
  writer.commit(draft, subject + ".mat");
}

void write_dataset(const std::filesystem::path& root, io::EegFormat format, const std::filesystem::path& sound) {
  const io::DatasetDescription description{"Sample",     {"A. Listener", "B. Speaker"}, "CC0", "10.5281/zenodo.123", {},
                                           "A sample.\n"};
  io::DatasetWriter writer(io::FolderLock(root), description, {format, false});
  write_participant(writer, "01", sound);
  write_participant(writer, "02", sound);
}

void write_samples(const std::filesystem::path& folder) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::filesystem::path sound = folder / "both.wav";
  const std::vector<std::int16_t> frames(std::size_t{2} * 8000 * seconds, 100);
  std::ofstream(sound, std::ios::binary) << wav_bytes(frames, {2, 8000});
  write_dataset(folder / "brainvision", io::EegFormat::brainvision, sound);
  write_dataset(folder / "bdf", io::EegFormat::bdf, sound);
}

}  // namespace
}  // namespace heed::test

int main(int argc, char** argv) {
  const std::span words(argv, static_cast<std::size_t>(argc));
  if (words.size() != 2) return 2;
  try {
    heed::test::write_samples(words[1]);
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "write_sample: %s\n", error.what());
    return 1;
  }
  return 0;
}
