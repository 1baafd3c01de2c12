// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/io/recording_file.h>

#include "support/expect_error.h"
#include "support/fif_bytes.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::fif_file;
using test::fif_int;
using test::fif_tag;

// Cz: 10, 11 ...; EOG: the negative; triggers 3 at the third sample of every buffer.
std::string shorts(int first, int samples) {
  std::string bytes;
  for (int t = 0; t < samples; ++t) {
    for (const int value : {first + t, -(first + t), t == 2 ? 3 : 0}) {
      bytes += test::big_endian(static_cast<std::uint16_t>(value));
    }
  }
  return fif_tag(300, 16, bytes);
}

TEST(FifFile, IsReadAcrossBuffersInTheUnitOfItsChannels) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("x.fif", fif_file({.samples = shorts(10, 4) + shorts(14, 6)}));
  const RecordingHeader header = read_recording_header(path);
  EXPECT_EQ(header.format, "FIF");
  EXPECT_EQ(header.start, "1970-01-02T00:00:00");
  EXPECT_EQ(header.samples, 10);
  ASSERT_EQ(header.channels.size(), 2U);
  EXPECT_EQ(header.channels[0].unit, "V");
  ASSERT_EQ(header.events.size(), 2U);
  EXPECT_DOUBLE_EQ(header.events[1].onset.value, 0.06);
  EXPECT_EQ(header.events[1].description, "3");
  const Recording part = read_recording(path, {.channels = {"EOG", "Cz"}, .from = Seconds{0.03}, .to = Seconds{0.06}});
  ASSERT_EQ(part.samples.rows(), 3);
  for (Index t = 0; t < 3; ++t) {
    EXPECT_FLOAT_EQ(part.samples(t, 0), -static_cast<float>(13 + t));
    EXPECT_FLOAT_EQ(part.samples(t, 1), static_cast<float>(13 + t) * 1e-6F);
  }
}

TEST(FifFile, KeepsPausesApart) {
  const test::TemporaryFolder folder;
  const auto path =
      folder.write("x.fif", fif_file({.samples = shorts(10, 4) + fif_tag(301, 3, fif_int(2)) + shorts(14, 4)}));
  const RecordingHeader header = read_recording_header(path);
  ASSERT_EQ(header.segments.size(), 2U);
  EXPECT_DOUBLE_EQ(header.segments[1].onset.value, 0.12);
  EXPECT_DOUBLE_EQ(header.events[1].onset.value, 0.14);
  test::expect_error(ErrorKind::unsupported, {"holds a pause"}, [&] { (void)read_recording(path); });
  EXPECT_EQ(read_recording(path, {.from = Seconds{0.1}}).samples.rows(), 4);
}

TEST(FifFile, NamesItself) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("broken.fif", "no tags here, and no samples");
  test::expect_error(ErrorKind::bad_data, {"broken.fif"}, [&] { (void)read_recording(path); });
}

}  // namespace
}  // namespace heed::io
