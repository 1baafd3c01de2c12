// SPDX-License-Identifier: MIT
// Sound written reads back to the step, by heed's own reader; what cannot be written is refused and leaves nothing.
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/io/sound_file.h>

#include <cmath>
#include <limits>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;
using test::TemporaryFolder;

Sound wave(std::size_t samples) {
  Sound sound{Hertz{16000}, Seconds{0}, {}};
  for (std::size_t n = 0; n < samples; ++n) {
    sound.samples.push_back(0.7F * std::sin(0.1F * static_cast<float>(n)));
  }
  return sound;
}

TEST(AudioWriter, ReadsBackToHalfAStep) {
  const TemporaryFolder folder;
  const Sound sound = wave(40000);
  for (const char* name : {"a.wav", "a.flac"}) {
    write_audio(folder.path() / name, sound);
    const AudioHeader header = read_audio_header(folder.path() / name);
    EXPECT_EQ(header.sampling_frequency, Hertz{16000});
    EXPECT_EQ(header.channels, 1);
    EXPECT_NE(header.format.find("16 bit"), std::string::npos) << header.format;
    const Sound back = read_audio(folder.path() / name);
    ASSERT_EQ(back.samples.size(), sound.samples.size());
    for (std::size_t n = 0; n < back.samples.size(); ++n) {
      ASSERT_NEAR(back.samples[n], sound.samples[n], 0.5 / 32768 + 1e-7) << n;
    }
  }
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.flac", "a.wav"}));  // nothing temporary is left
  EXPECT_LT(std::filesystem::file_size(folder.path() / "a.flac"), std::filesystem::file_size(folder.path() / "a.wav"));
}

TEST(AudioWriter, LimitsWhatIsBeyondFullScale) {
  const TemporaryFolder folder;
  write_audio(folder.path() / "a.wav", {Hertz{8000}, Seconds{0}, {2.0F, -2.0F, 1.0F, -1.0F, 0.0F}});
  EXPECT_EQ(read_audio(folder.path() / "a.wav").samples,
            (std::vector<float>{32767.0F / 32768, -1.0F, 32767.0F / 32768, -1.0F, 0.0F}));
}

TEST(AudioWriter, RefusesWhatCannotBeWritten) {
  const TemporaryFolder folder;
  const auto refuses = [&](const char* name, const Sound& sound, std::string_view words) {
    expect_error(ErrorKind::invalid_argument, {name, words}, [&] { write_audio(folder.path() / name, sound); });
  };
  refuses("a.ogg", wave(10), ".wav or .flac");
  Sound odd = wave(10);
  odd.sampling_frequency = Hertz{44100.5};
  refuses("a.wav", odd, "44100.5 Hz");
  odd.sampling_frequency = Hertz{0};
  refuses("a.wav", odd, "0 Hz");
  Sound broken = wave(10);
  broken.samples[3] = std::numeric_limits<float>::quiet_NaN();
  refuses("a.flac", broken, "sample 4");
  expect_error(ErrorKind::cannot_create, {"nowhere"}, [&] { write_audio(folder.path() / "nowhere/a.wav", wave(10)); });
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace heed::io
