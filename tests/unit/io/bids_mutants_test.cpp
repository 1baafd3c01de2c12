// SPDX-License-Identifier: MIT
// Tables, sidecars and sound cut short and broken in thousands of ways: each is refused with a heed::Error or read
// into something that keeps the readers' promises.
#include <gtest/gtest.h>
#include <heed/io/bids_dataset.h>
#include <heed/io/sound_file.h>
#include <io/bids/channels_file.h>
#include <io/bids/dataset_scan.h>
#include <io/bids/events_file.h>
#include <sndfile.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>

#include "support/io_temporary_folder.h"
#include "support/memory_file.h"
#include "support/mutants.h"
#include "support/sanitizers.h"

namespace heed::io {
namespace {

using test::MemoryFile;
using test::TemporaryFolder;

constexpr std::size_t mutants = 5000;
constexpr std::string_view events =
    "onset\tduration\ttrial_type\tspeaker\tstim_file\tstim_onset\tstim_channel\ttrial\n"
    "0\t20\tstimulus\tleft\ta.wav\t0\t1\t1\n"
    "0.5\t19.5\tstimulus\tright\tb/c.flac\t10.25\tn/a\t1\n"
    "0\t12\tattend\tleft\tn/a\tn/a\tn/a\t1\n"
    "12\t8\tattend\tright\tn/a\tn/a\tn/a\t1\n"
    "13\tn/a\tbutton\tn/a\tn/a\tn/a\tn/a\tn/a\n"
    "25\t5\tstimulus\tright\ta.wav\t0\tn/a\t2\n"
    "25\t5\tstimulus\tleft\ta.wav\t0\tn/a\t2\n";
constexpr std::string_view channels =
    "name\ttype\tunits\tsampling_frequency\tstatus\n"
    "Fp1\tEEG\tuV\t64\tgood\nCz\tEEG\tuV\t64.5\tbad\nEXG1\tEOG\tn/a\tn/a\tn/a\n";
constexpr std::string_view participants = "participant_id\tage\tsex\nsub-01\t31\tF\nsub-02\tn/a\tM\n";
constexpr std::string_view sidecar =
    R"({"TaskName": "attend", "SamplingFrequency": 64, "EEGReference": "average", "PowerLineFrequency": 50,
 "EEGChannelCount": 64, "RecordingDuration": 250.0, "SoftwareFilters": "n/a"})";
constexpr std::string_view envelope = "low\thigh\n0.5\t-1e-3\n12\t0.25\n3\t4\n";
constexpr std::string_view envelope_sidecar =
    R"({"SamplingFrequency": 64, "StartTime": 0.5, "Columns": ["low", "high"]})";

// How many of the mutants `read` took; what it gives must stand up to `check`. Anything thrown but heed::Error by the
// first, and anything at all by the second, ends the test.
template <typename Read, typename Check>
std::size_t count_read(std::string_view bytes, std::size_t step, Read&& read, Check&& check) {
  std::size_t taken = 0;
  const auto attempt = [&](const std::string& mutant) {
    std::optional<decltype(read(mutant))> result;
    try {
      result = read(mutant);
    } catch (const Error& error) {
      EXPECT_GT(std::string_view(error.what()).size(), 10U);
      return;
    }
    check(*result);
    ++taken;
  };
  test::for_each_mutant(bytes, mutants, 4, attempt);
  test::for_each_truncation(bytes, step, attempt);
  return taken;
}

// Some mutants are good files, some are not: both paths were walked.
void expect_both(std::size_t taken) {
  EXPECT_GT(taken, mutants / 200);
  EXPECT_LT(taken, mutants);
}

// What can be read can be planned, and what is written of it reads back the same.
void check_events_read(const ListeningEvents& read) {
  const std::string text = events_text(read);
  ASSERT_EQ(events_text(parse_events(text)), text);
  RecordingHeader header;
  header.sampling_frequency = Hertz{64};
  header.samples = 1920;
  for (const TrialPlan& trial : check_trials(read, header).trials) {
    ASSERT_GE(trial.first_sample, 0);
    ASSERT_GT(trial.samples, 0);
    ASSERT_LE(trial.first_sample + trial.samples, header.samples);
    for (const AttendedSpan& span : trial.attention) {
      ASSERT_GT(span.duration.value, 0);
      ASSERT_GE(span.onset, trial.onset);
      ASSERT_LE((span.onset + span.duration - trial.onset - trial.duration).value, 1e-9);
    }
  }
}

TEST(BidsMutants, OfEvents) { expect_both(count_read(events, 1, parse_events, check_events_read)); }

// Rows that are wrong do not take others with them.
TEST(BidsMutants, OfEventsWithBadRowsLeftOut) {
  test::for_each_mutant(events, mutants, 5, [](const std::string& text) {
    const CheckedEvents checked = check_events(text);
    check_events_read(checked.events);
    for (const Problem& problem : checked.problems) ASSERT_FALSE(problem.message.empty());
  });
}

TEST(BidsMutants, OfChannels) {
  expect_both(count_read(channels, 1, parse_channels, [](const std::vector<BidsChannel>& read) {
    const std::string written = channels_text(read);
    ASSERT_EQ(channels_text(parse_channels(written)), written);
  }));
}

TEST(BidsMutants, OfParticipants) {
  expect_both(count_read(participants, 1, parse_participants, [](const std::vector<BidsParticipant>& read) {
    for (const BidsParticipant& participant : read) ASSERT_FALSE(participant.id.empty());
  }));
}

TEST(BidsMutants, OfARecordingsSidecar) {
  const auto parse = [](const std::string& text) { return parse_eeg_sidecar(text); };
  expect_both(count_read(sidecar, 1, parse, [](const EegSidecar& read) {
    ASSERT_GT(read.sampling_frequency.value_or(Hertz{1}).value, 0);
    ASSERT_GT(read.power_line_frequency.value_or(Hertz{1}).value, 0);
  }));
}

TEST(BidsMutants, OfADescription) {
  const TemporaryFolder folder;
  const MemoryFile file;
  std::filesystem::create_symlink(file.path(), folder.path() / "dataset_description.json");
  std::size_t broken = 0;
  const auto scan = [&](const std::string& text) {
    file.write(text);
    const ScannedDataset scanned = scan_dataset(folder.path());
    ASSERT_FALSE(scanned.dataset.name.empty());
    broken += scanned.problems.empty() ? 0U : 1U;
  };
  test::for_each_mutant(R"({"Name": "Small", "BIDSVersion": "1.9.0", "Authors": ["a", "b"]})", mutants, 6, scan);
  expect_both(mutants - broken);
}

TEST(BidsMutants, OfAnEnvelope) {
  const auto check_envelope = [](const Envelope& read) {
    ASSERT_GT(read.sampling_frequency.value, 0);
    ASSERT_GT(read.values.rows(), 0);
    ASSERT_EQ(read.values.cols(), static_cast<Index>(read.columns.size()));
    ASSERT_TRUE(read.values.allFinite());
  };
  const auto table = [](const std::string& text) { return parse_envelope(text, R"({"SamplingFrequency": 64})"); };
  expect_both(count_read(envelope, 1, table, check_envelope));
  const auto json = [](const std::string& text) { return parse_envelope(envelope, text); };
  expect_both(count_read(envelope_sidecar, 1, json, check_envelope));
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string encoded(int format) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "sound";
  SF_INFO info{0, 8000, 2, format, 0, 0};
  SNDFILE* file = sf_open(path.c_str(), SFM_WRITE, &info);
  std::vector<float> frames(3000);
  for (std::size_t i = 0; i < frames.size(); ++i) frames[i] = 0.5F * std::sin(0.01F * static_cast<float>(i * (i % 13)));
  sf_writef_float(file, frames.data(), 1500);
  sf_close(file);
  return bytes_of(path);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

struct ReadSound {
  AudioHeader header;
  Sound end;  // of one channel
  Sound whole;
};

ReadSound read_sound(const std::filesystem::path& path) {
  const AudioHeader header = read_audio_header(path);
  const Index last = std::max<Index>(0, header.frames - 10);
  return {header, read_audio(path, {last, std::nullopt, header.channels - 1}), read_audio(path)};
}

void check_sound(const ReadSound& read) {
  ASSERT_GT(read.header.sampling_frequency.value, 0);
  ASSERT_GT(read.header.channels, 0);
  ASSERT_EQ(static_cast<Index>(read.end.samples.size()), std::min<Index>(10, read.header.frames));
  ASSERT_EQ(static_cast<Index>(read.whole.samples.size()), read.header.frames);
  ASSERT_TRUE(std::ranges::all_of(read.whole.samples, [](float value) { return std::isfinite(value); }));
}

TEST(BidsMutants, OfSound) {
  const MemoryFile file;
  [[maybe_unused]] const double before = peak_megabytes();
  const auto read = [&](const std::string& bytes) { return read_sound(file.write(bytes)); };
  expect_both(count_read(encoded(SF_FORMAT_WAV | SF_FORMAT_PCM_16), 256, read, check_sound));
  // FLAC has check sums: few changes go unnoticed.
  const std::size_t taken = count_read(encoded(SF_FORMAT_FLAC | SF_FORMAT_PCM_16), 256, read, check_sound);
  EXPECT_GT(taken, 0U);
  EXPECT_LT(taken, mutants / 10);
#ifndef __SANITIZE_ADDRESS__  // which keeps what was freed
  EXPECT_LT(peak_megabytes() - before, 64) << "files of a few kilobytes";
#endif
}

}  // namespace
}  // namespace heed::io
