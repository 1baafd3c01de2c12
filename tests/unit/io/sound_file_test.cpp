// SPDX-License-Identifier: MIT
// Audio against files made byte by byte, against libsndfile's own writers, and against real speech.
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/io/sound_file.h>
#include <sndfile.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"
#include "support/wav_bytes.h"

namespace heed::io {
namespace {

using test::expect_error;
using test::TemporaryFolder;
using test::wav_bytes;

std::vector<std::int16_t> ramp(int count) {
  std::vector<std::int16_t> samples(static_cast<std::size_t>(count));
  std::iota(samples.begin(), samples.end(), static_cast<std::int16_t>(-count / 2));
  return samples;
}

// One channel at 22050 Hz.
std::filesystem::path encoded(const TemporaryFolder& folder, const std::string& name, int format,
                              const std::vector<float>& samples) {
  std::filesystem::path path = folder.path() / name;
  SF_INFO info{0, 22050, 1, format, 0, 0};
  SNDFILE* file = sf_open(path.c_str(), SFM_WRITE, &info);
  EXPECT_NE(file, nullptr) << sf_strerror(nullptr);
  sf_writef_float(file, samples.data(), static_cast<sf_count_t>(samples.size()));
  sf_close(file);
  return path;
}

TEST(AudioFile, ReadsAWavExactly) {
  const TemporaryFolder folder;
  const auto samples = ramp(60000);
  const auto path = folder.write("a.wav", wav_bytes(samples, {1, 44100}));
  const AudioHeader header = read_audio_header(path);
  EXPECT_EQ(header.format, "WAV, Signed 16 bit PCM");
  EXPECT_EQ(header.sampling_frequency, Hertz{44100});
  EXPECT_EQ(header.frames, 60000);
  EXPECT_EQ(header.channels, 1);
  EXPECT_EQ(header.duration(), Seconds{60000.0 / 44100});
  const Sound sound = read_audio(path);
  ASSERT_EQ(sound.samples.size(), samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) ASSERT_EQ(sound.samples[i], static_cast<float>(samples[i]) / 32768);
}

TEST(AudioFile, ReadsAWindowOfOneChannelOrTheMean) {
  const TemporaryFolder folder;
  std::vector<std::int16_t> samples;
  for (std::int16_t i = 0; i < 30000; ++i) {
    samples.push_back(i);
    samples.push_back(static_cast<std::int16_t>(-2 * (i % 1000)));
  }
  const auto path = folder.write("stereo.wav", wav_bytes(samples, {2, 16000}));
  const AudioPart window{20000, 5000, {}};
  for (const int channel : {0, 1}) {
    const Sound sound = read_audio(path, {window.first_frame, window.frames, channel});
    EXPECT_EQ(sound.onset, Seconds{1.25});
    ASSERT_EQ(sound.samples.size(), 5000U);
    for (std::size_t i = 0; i < 5000; ++i) {
      ASSERT_EQ(sound.samples[i],
                static_cast<float>(samples[2 * (20000 + i) + static_cast<std::size_t>(channel)]) / 32768);
    }
  }
  const Sound mean = read_audio(path, window);
  for (std::size_t i = 0; i < 5000; ++i) {
    const int sum = samples[2 * (20000 + i)] + samples[2 * (20000 + i) + 1];
    ASSERT_EQ(mean.samples[i], static_cast<float>(sum) / 65536);
  }
  EXPECT_EQ(read_audio(path, {29999, std::nullopt, 0}).samples.size(), 1U);
  EXPECT_TRUE(read_audio(path, {30000, std::nullopt, 0}).samples.empty());
}

TEST(AudioFile, ReadsOtherFormatsAtAnyRate) {
  const TemporaryFolder folder;
  std::vector<float> frames(22050);
  for (std::size_t i = 0; i < frames.size(); ++i) frames[i] = 0.5F * std::sin(0.05F * static_cast<float>(i));
  struct Case {
    const char* name;
    int format;
    float tolerance;
  };
  for (const Case& one : {Case{"a.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 1.0F / 32768},
                          Case{"b.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_24, 1.0F / 8388608},
                          Case{"c.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 0},
                          Case{"d.aiff", SF_FORMAT_AIFF | SF_FORMAT_PCM_24, 1.0F / 8388608},
                          Case{"e.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 0.05F}}) {
    const auto path = encoded(folder, one.name, one.format, frames);
    EXPECT_EQ(read_audio_header(path).sampling_frequency, Hertz{22050}) << one.name;
    const Sound window = read_audio(path, {10000, 4000, {}});
    ASSERT_EQ(window.samples.size(), 4000U);
    for (std::size_t i = 0; i < 4000; ++i) ASSERT_NEAR(window.samples[i], frames[10000 + i], one.tolerance) << one.name;
  }
}

TEST(AudioFile, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.wav", wav_bytes(ramp(200), {2, 8000}));
  const auto fails = [&](const AudioPart& part, std::initializer_list<std::string_view> words) {
    expect_error(ErrorKind::invalid_argument, words, [&] { (void)read_audio(path, part); });
  };
  fails({0, 1, 2}, {"a.wav", "no channel 2", "has 2", "counted from 0"});
  fails({0, 1, -1}, {"no channel -1"});
  fails({0, 101, {}}, {"101", "it has 100"});
  fails({101, {}, {}}, {"from 101", "it has 100"});
  fails({-1, 1, {}}, {"it has 100"});
  fails({0, -1, {}}, {"it has 100"});
  fails({1, std::numeric_limits<Index>::max(), {}}, {"it has 100"});
  expect_error(ErrorKind::not_found, {"none.wav"}, [&] { (void)read_audio_header(folder.path() / "none.wav"); });
  expect_error(ErrorKind::io, {"directory"}, [&] { (void)read_audio_header(folder.path()); });
  for (const char* bytes : {"", "RIFF", "this is no audio at all, only some words that go on for a while"}) {
    const auto broken = folder.write("broken.wav", bytes);
    expect_error(ErrorKind::bad_data, {"broken.wav", "is not audio", "convert"},
                 [&] { (void)read_audio_header(broken); });
  }
}

TEST(AudioFile, ASoundIsMadeOfNumbers) {
  const TemporaryFolder folder;
  std::vector<float> frames(1000, 0.25F);
  frames[700] = std::numeric_limits<float>::quiet_NaN();
  const auto path = encoded(folder, "nan.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, frames);
  expect_error(ErrorKind::bad_data, {"nan.wav", "frame 701"}, [&] { (void)read_audio(path); });
  EXPECT_EQ(read_audio(path, {0, 700, {}}).samples.size(), 700U);
}

// A header that claims 2^31 frames over 200 bytes of sound: nothing is asked for on its word.
TEST(AudioFile, ClaimsAreNotBelieved) {
  const TemporaryFolder folder;
  const auto path = folder.write("big.wav", wav_bytes(ramp(100), {1, 16000, 0xfffffff0U}));
  const AudioHeader header = read_audio_header(path);
  if (header.frames == 100) {
    EXPECT_EQ(read_audio(path).samples.size(), 100U);  // libsndfile counted what is there
  } else {
    expect_error(ErrorKind::bad_data, {"truncated"}, [&] { (void)read_audio(path); });
  }
}

TEST(AudioFile, ACopyThatWasCutOffIsNoticed) {
  const TemporaryFolder folder;
  std::vector<float> frames(44100);
  for (std::size_t i = 0; i < frames.size(); ++i)
    frames[i] = 0.5F * std::sin(0.001F * static_cast<float>(i * (i % 97)));
  const auto path = encoded(folder, "whole.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, frames);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  expect_error(ErrorKind::bad_data, {"whole.flac", "truncated"}, [&] { (void)read_audio(path); });
}

// Read by scipy: rate, length, three samples, and the sum of all squares in units of the file.
TEST(AudioFile, ReadsRealSpeechAsScipyDoes) {
  const char* data = std::getenv("HEED_TEST_DATA");  // NOLINT(concurrency-mt-unsafe)
  if (data == nullptr) GTEST_SKIP() << "HEED_TEST_DATA is not set";
  const std::filesystem::path path = std::filesystem::path(data) / "audio" / "jfk.wav";
  const AudioHeader header = read_audio_header(path);
  EXPECT_EQ(header.sampling_frequency, Hertz{16000});
  EXPECT_EQ(header.frames, 176000);
  const Sound sound = read_audio(path);
  const std::array<int, 4> expected{895, 739, 638, 581};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(sound.samples[40000 + i] * 32768, static_cast<float>(expected[i]));
  }
  double squares = 0;
  for (const float value : sound.samples) squares += std::pow(static_cast<double>(value) * 32768, 2);
  EXPECT_EQ(squares, 3816012617876.0);
}

}  // namespace
}  // namespace heed::io
