// SPDX-License-Identifier: MIT
#include <dsp/envelope.h>
#include <dsp/prepare.h>
#include <gtest/gtest.h>
#include <heed/io/recording_file.h>
#include <io/text_file.h>
#include <pipeline/preparation/preparation.h>
#include <pipeline/preparation/run_cache.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <stdexcept>
#include <string>

#include "support/expect_error.h"
#include "support/listening_dataset.h"

namespace heed::pipeline {
namespace {

namespace fs = std::filesystem;

PreparedParticipant prepare(const test::ListeningDataset& files, const PreparationOptions& options = {}) {
  const io::BidsDataset dataset = files.read();
  return Preparation(dataset, options).prepare("01", dataset.runs);
}

void replace(const fs::path& path, const std::string& from, const std::string& to) {
  std::string text = io::read_text_file(path);
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from << " is not in " << path;
  std::ofstream(path, std::ios::binary) << text.replace(at, from.size(), to);
}

void expect_same(const PreparedParticipant& a, const PreparedParticipant& b) {
  ASSERT_EQ(a.runs.size(), b.runs.size());
  for (std::size_t r = 0; r < a.runs.size(); ++r) {
    EXPECT_EQ(a.runs[r].channels, b.runs[r].channels);
    EXPECT_EQ(a.runs[r].trials[0].eeg, b.runs[r].trials[0].eeg);
    EXPECT_EQ(a.runs[r].trials[0].stimuli, b.runs[r].trials[0].stimuli);
  }
}

std::vector<fs::path> kept_runs(const fs::path& cache) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(cache)) {
    if (entry.path().extension() == ".heed") files.push_back(entry.path());
  }
  return files;
}

const std::string first_run = "sub-01/eeg/sub-01_task-attend_run-1";

TEST(Preparation, EndsBetweenRunsWhereTheCallerWishes) {
  const test::ListeningDataset files;
  int calls = 0;
  (void)prepare(files, {.interrupt = [&] { ++calls; }});
  EXPECT_EQ(calls, 4) << "two runs, each looked at for bad channels and prepared";
  const auto stop = [&] {
    if (--calls == 2) throw std::runtime_error("enough");
  };
  EXPECT_THROW((void)prepare(files, {.interrupt = stop}), std::runtime_error);
  EXPECT_EQ(calls, 2);
}

TEST(Preparation, IsWhatDspMakesOfTheWholeRecording) {
  const test::ListeningDataset files;
  const auto result = prepare(files);
  ASSERT_EQ(result.runs.size(), 2U);
  const Recording raw = io::read_recording(files.read().runs[0].eeg);
  const auto plain = dsp::prepare_eeg({}, {raw.sampling_frequency, {"Fz", "Cz", "Pz", "Oz"}, {}, {}}, raw.samples);
  EXPECT_EQ(result.runs[0].trials[0].eeg, plain.values.cast<float>());
  EXPECT_EQ(result.runs[0].trials[0].eeg.rows(), 64 * 40);
  EXPECT_EQ(result.runs[0].trials[0].attention.at(0).samples, (SampleRange{0, 64 * 40}));
  EXPECT_EQ(result.runs[0].speakers, (std::vector<std::string>{"speaker-1", "speaker-2"}));
}

TEST(Preparation, NamesItsTargetsAlsoFromTheCache) {
  const test::ListeningDataset files;
  const PreparationOptions options{.preprocessing = {.targets = {SpeechTarget::envelope, SpeechTarget::onset}},
                                   .cache = files.cache()};
  const auto first = prepare(files, options);
  EXPECT_EQ(first.runs[0].targets, (std::vector<std::string>{"envelope", "onset"}));
  EXPECT_EQ(first.runs[0].trials[0].stimuli.at(0).cols(), 2);
  const auto kept = prepare(files, options);
  EXPECT_EQ(kept.runs[0].targets, first.runs[0].targets);
  expect_same(first, kept);
}

TEST(Preparation, ASecondTimeComesFromTheCacheAndIsTheSame) {
  const test::ListeningDataset files;
  const PreparationOptions options{.cache = files.cache()};
  const auto first = prepare(files, options);
  const auto kept = kept_runs(files.cache());
  ASSERT_EQ(kept.size(), 2U);
  const auto when = fs::last_write_time(kept[0]);
  expect_same(first, prepare(files, options));
  EXPECT_EQ(fs::last_write_time(kept[0]), when) << "it was made anew";
  expect_same(first, prepare(files));
}

TEST(Preparation, WhatIsDamagedInTheCacheIsMadeAnew) {
  const test::ListeningDataset files;
  const PreparationOptions options{.cache = files.cache()};
  const auto first = prepare(files, options);
  for (const fs::path& path : kept_runs(files.cache())) fs::resize_file(path, fs::file_size(path) / 2);
  expect_same(first, prepare(files, options));
}

TEST(Preparation, AnythingElseInTheFilesOrTheFiltersIsNoticed) {
  const test::ListeningDataset files;
  PreparationOptions options{.cache = files.cache()};
  (void)prepare(files, options);
  std::size_t kept = 2;
  const auto expect_new = [&](const char* what, std::size_t runs) {
    (void)prepare(files, options);
    kept += runs;
    EXPECT_EQ(kept_runs(files.cache()).size(), kept) << what;
  };
  options.preprocessing.low = Hertz{0.5};
  expect_new("the band", 2);
  options.preprocessing.filters = FilterMode::causal;
  expect_new("the filters", 2);
  options.preprocessing.reference.kind = ReferenceKind::none;
  expect_new("the reference", 2);
  options.preprocessing.targets = {SpeechTarget::onset};
  expect_new("the targets", 2);
  replace(files.file("stimuli/sub-01_run-1_0.tsv"), "\n0", "\n1");
  expect_new("a stimulus", 1);
  replace(files.file(first_run + "_events.tsv"), "attend\tspeaker-1", "attend\tspeaker-2");
  expect_new("events", 1);
  {
    std::fstream eeg(files.file(first_run + "_eeg.eeg"), std::ios::in | std::ios::out | std::ios::binary);
    eeg.seekp(1000);
    eeg.put('\1');
  }
  expect_new("samples", 1);
}

// A sweep of rising loudness.
std::vector<float> sound_of_two_seconds() {
  std::vector<float> samples(16000);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const double t = static_cast<double>(k) / 8000;
    samples[k] = static_cast<float>(0.2 * t * std::sin(2 * std::numbers::pi * (200 + (700 * t)) * t));
  }
  return samples;
}

// What caches keep is found by files, preprocessing and prepared_version. Where this fails, the same files give other
// signals than before: raise prepared_version (pipeline/preparation/run_cache.h), so that nobody is served what an
// older heed kept, and write the new numbers here. Filters, resampling and the number of gammatone bands are all in
// them.
TEST(Preparation, PreparedSignalsAreThoseOfTheirVersion) {
  const test::ListeningDataset files;
  const Preprocessing both{.low = Hertz{0.5}, .targets = {SpeechTarget::envelope, SpeechTarget::onset}};
  const PreparedTrial trial = prepare(files, {.preprocessing = both}).runs[0].trials[0];
  const auto expect = [](const auto& values, const std::vector<double>& golden, const char* signal) {
    for (std::size_t k = 0; k < golden.size(); ++k) {
      const Index row = static_cast<Index>(k + 1) * values.rows() / static_cast<Index>(golden.size() + 1);
      EXPECT_NEAR(values(row, values.cols() - 1), golden[k], 1e-5) << signal << ", row " << row;
    }
  };
  const std::vector<double> sound = dsp::speech_envelope(sound_of_two_seconds(), Hertz{8000}, Hertz{64});
  EXPECT_EQ(prepared_version, 1);
  expect(trial.eeg, {-1.02195466, -0.267068207, -0.0576567203, -0.0424738713, -0.259068072}, "EEG");
  expect(trial.stimuli[0].leftCols(1), {-0.0321223475, 0.399485946, -0.625750899, -1.31130433, 1.32945848}, "envelope");
  expect(trial.stimuli[0], {-0.094172284, -0.125316605, -0.0328705832, 0.00463937456, 0.00372815575}, "onset");
  expect(Eigen::Map<const Eigen::VectorXd>(sound.data(), std::ssize(sound)),
         {0.361954887, 0.539593385, 0.680747898, 0.778958768, 0.853969961}, "envelope of sound");
}

TEST(Preparation, DigestsChangeWithEveryFile) {
  const test::ListeningDataset files;
  const io::BidsDataset dataset = files.read();
  const auto digest = [&] { return Preparation(dataset, {}).digest_of(dataset.runs); };
  const std::string before = digest();
  EXPECT_EQ(digest(), before);
  replace(files.file("stimuli/sub-01_run-2_1.tsv"), "\n0", "\n1");
  EXPECT_NE(digest(), before);
}

TEST(Preparation, AFlatChannelIsLeftOutOfAllRunsAndSaid) {
  const test::ListeningDataset files;
  const io::BidsDataset dataset = files.read();
  Recording raw = io::read_recording(dataset.runs[1].eeg);
  std::fstream eeg(files.file("sub-01/eeg/sub-01_task-attend_run-2_eeg.eeg"),
                   std::ios::in | std::ios::out | std::ios::binary);
  raw.samples.col(1).setConstant(7);
  eeg.write(reinterpret_cast<const char*>(raw.samples.data()),
            static_cast<std::streamsize>(static_cast<std::size_t>(raw.samples.size()) * sizeof(float)));
  eeg.close();
  const auto result = prepare(files);
  EXPECT_EQ(result.runs[0].channels, (std::vector<std::string>{"Fz", "Pz", "Oz"}));
  EXPECT_EQ(result.runs[1].channels, result.runs[0].channels);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_EQ(result.notes[0].subject, "01");
  EXPECT_EQ(result.notes[0].kind, NoteKind::left_out);
  EXPECT_NE(result.notes[0].text.find("Cz"), std::string::npos);
  EXPECT_NE(result.notes[0].text.find("run-2"), std::string::npos);
  const auto mended = prepare(files, {.preprocessing = {.bad_channels = BadChannels::interpolate}});
  EXPECT_EQ(mended.runs[1].channels.size(), 4U);
}

TEST(Preparation, AChannelMarkedBadIsNotUsed) {
  const test::ListeningDataset files;
  std::ofstream(files.file(first_run + "_channels.tsv"))
      << "name\ttype\tunits\tstatus\nFz\tEEG\tuV\tgood\nCz\tEEG\tuV\tbad\nPz\tEEG\tuV\tgood\nOz\tEEG\tuV\tgood\n";
  const auto result = prepare(files);
  EXPECT_EQ(result.runs[1].channels, (std::vector<std::string>{"Fz", "Pz", "Oz"}));
}

TEST(Preparation, EveryChannelBadIsAnError) {
  const test::ListeningDataset files;
  std::ofstream(files.file(first_run + "_channels.tsv"))
      << "name\ttype\tunits\tstatus\nFz\tEEG\tuV\tbad\nCz\tEEG\tuV\tbad\nPz\tEEG\tuV\tbad\nOz\tEEG\tuV\tbad\n";
  test::expect_error(ErrorKind::bad_data, {"bad"}, [&] { (void)prepare(files); });
}

TEST(Preparation, AReferenceThatIsNoEegIsSubtractedAndLeftOut) {
  const test::ListeningDataset files;
  for (const char* run : {"1", "2"}) {
    std::ofstream(files.file("sub-01/eeg/sub-01_task-attend_run-" + std::string(run) + "_channels.tsv"))
        << "name\ttype\tunits\nFz\tEEG\tuV\nCz\tEEG\tuV\nPz\tEEG\tuV\nOz\tMISC\tuV\n";
  }
  const auto result = prepare(files, {.preprocessing = {.reference = {ReferenceKind::channels, {"Oz"}}}});
  EXPECT_EQ(result.runs[0].channels, (std::vector<std::string>{"Fz", "Cz", "Pz"}));
  EXPECT_EQ(result.runs[0].trials[0].eeg.cols(), 3);
  const auto as_recorded = prepare(files, {.preprocessing = {.reference = {ReferenceKind::none, {}}}});
  EXPECT_NE(result.runs[0].trials[0].eeg, as_recorded.runs[0].trials[0].eeg);
}

TEST(Preparation, SpeakersAreInTheOrderOfTheFirstRun) {
  const test::ListeningDataset files;
  const auto plain = prepare(files);
  // The rows of the second run the other way round: the same trial.
  const auto path = files.file("sub-01/eeg/sub-01_task-attend_run-2_events.tsv");
  std::string text = io::read_text_file(path);
  const std::size_t one = text.find('\n') + 1;
  const std::size_t two = text.find('\n', one) + 1;
  const std::size_t end = text.find('\n', two) + 1;
  std::ofstream(path) << text.substr(0, one) + text.substr(two, end - two) + text.substr(one, two - one) +
                             text.substr(end);
  const auto exchanged = prepare(files);
  EXPECT_EQ(exchanged.runs[1].speakers, plain.runs[1].speakers);
  EXPECT_EQ(exchanged.runs[1].trials[0].stimuli, plain.runs[1].trials[0].stimuli);
  EXPECT_EQ(exchanged.runs[1].trials[0].attention[0].speaker, plain.runs[1].trials[0].attention[0].speaker);
}

TEST(Preparation, NamesTheFileOfWhatIsWrong) {
  const test::ListeningDataset files;
  fs::remove(files.file("stimuli/sub-01_run-1_0.tsv"));
  test::expect_error(ErrorKind::bad_data, {"run-1_events.tsv", "sub-01_run-1_0.tsv"}, [&] { (void)prepare(files); });
  const test::ListeningDataset others;
  fs::remove(others.file(first_run + "_events.tsv"));
  test::expect_error(ErrorKind::not_found, {"run-1_eeg.vhdr", "events.tsv"}, [&] { (void)prepare(others); });
  const test::ListeningDataset longer;
  replace(longer.file(first_run + "_events.tsv"), "\t40\t", "\t50\t");
  test::expect_error(ErrorKind::bad_data, {"run-1_events.tsv", "row 2"}, [&] { (void)prepare(longer); });
}

TEST(Preparation, RefusesFiltersThatCannotBe) {
  const test::ListeningDataset files;
  test::expect_error(ErrorKind::invalid_argument, {"20"},
                     [&] { (void)prepare(files, {.preprocessing = {.sampling_frequency = Hertz{16}}}); });
}

}  // namespace
}  // namespace heed::pipeline
