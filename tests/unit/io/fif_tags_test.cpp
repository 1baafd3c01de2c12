// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/fif/fif_tags.h>

#include "support/expect_error.h"
#include "support/fif_bytes.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;
using test::fif_file;
using test::fif_float;
using test::fif_int;
using test::fif_tag;

std::string floats(Index samples) {
  std::string bytes;
  for (Index t = 0; t < samples; ++t) bytes += fif_float(static_cast<float>(t)) + fif_float(2) + fif_float(0);
  return fif_tag(300, 4, bytes);
}

FifContent walked(const std::string& bytes) {
  const test::TemporaryFolder folder;
  return walk_fif(SampleFile(folder.write("x.fif", bytes)));
}

TEST(FifTags, TellChannelsRateAndBuffers) {
  const FifContent found = walked(fif_file({.samples = fif_tag(208, 3, fif_int(50)) + floats(7) + floats(3)}));
  ASSERT_EQ(found.channels.size(), 3U);
  EXPECT_EQ(found.channels[0].name, "Cz");
  EXPECT_EQ(found.channels[0].unit, "V");
  EXPECT_FLOAT_EQ(static_cast<float>(found.channels[0].gain), 1e-6F);
  EXPECT_TRUE(found.channels[2].is_trigger);
  EXPECT_EQ(found.sampling_frequency.value, 100);
  EXPECT_EQ(found.first_sample, 50);
  EXPECT_EQ(found.start, 86400);
  ASSERT_EQ(found.buffers.size(), 2U);
  EXPECT_EQ(found.buffers[1].first_sample, 7);
  EXPECT_EQ(found.buffers[1].samples, 3);
  EXPECT_FALSE(found.buffers[1].after_pause);
}

TEST(FifTags, KnowPauses) {
  const auto skip = [](int count) { return fif_tag(301, 3, fif_int(count)); };
  const FifContent found = walked(fif_file({.samples = skip(2) + floats(5) + skip(3) + floats(5)}));
  EXPECT_EQ(found.first_sample, 10);  // two buffers of five, before anything was recorded
  EXPECT_TRUE(found.buffers[1].after_pause);
  EXPECT_EQ(found.buffers[1].skipped, 15);
}

TEST(FifTags, TellAnnotationsOnTheClockOfTheSamples) {
  const std::string times = test::fif_double(1.5) + test::fif_double(2);
  const std::string ends = test::fif_double(1.75) + test::fif_double(2);
  const std::string annotations =
      test::fif_block(3810, fif_tag(3568, 5, times) + fif_tag(3569, 5, ends) + fif_tag(206, 10, "left:right") +
                                fif_tag(204, 3, fif_int(86400)));
  const FifContent found =
      walked(fif_file({.samples = fif_tag(208, 3, fif_int(50)) + floats(7), .annotations = annotations}));
  ASSERT_EQ(found.annotations.size(), 2U);
  EXPECT_DOUBLE_EQ(found.annotations[0].onset.value, 1);  // half a second before the first sample
  EXPECT_DOUBLE_EQ(found.annotations[0].duration.value, 0.25);
  EXPECT_EQ(found.annotations[0].description, "left");
  EXPECT_EQ(found.annotations[1].description, "right");
}

TEST(FifTags, NameTheByteOfWhatIsBroken) {
  const std::string whole = fif_file({.samples = floats(5)});
  expect_error(ErrorKind::bad_data, {"begins with its identifier"}, [] { (void)walked(std::string(40, 'x')); });
  expect_error(ErrorKind::bad_data, {"byte ", "copy it again"},
               [&] { (void)walked(whole.substr(0, whole.size() - 40)); });
  expect_error(ErrorKind::bad_data, {"lies before this one"},
               [] { (void)walked(test::fif_start() + fif_tag(999, 3, fif_int(1), 4)); });
  expect_error(ErrorKind::bad_data, {"not one sample of each of 3"},
               [] { (void)walked(fif_file({.samples = fif_tag(300, 4, std::string(20, 'x'))})); });
  expect_error(ErrorKind::bad_data, {"4 channels are stated"},
               [] { (void)walked(fif_file({.samples = floats(5), .channels = 4})); });
  expect_error(ErrorKind::bad_data, {"sampling frequency"},
               [] { (void)walked(fif_file({.samples = floats(5), .rate = 0})); });
  expect_error(ErrorKind::unsupported, {"FIF type 20"},
               [] { (void)walked(fif_file({.samples = fif_tag(300, 20, std::string(24, 'x'))})); });
  expect_error(ErrorKind::unsupported, {"no samples"}, [] { (void)walked(fif_file({})); });
}

TEST(FifTags, AreReadFromEveryNumber) {
  EXPECT_EQ(fif_number(FifNumber::int16, test::big_endian<std::uint16_t>(0xfffe).data()), -2);
  EXPECT_EQ(fif_number(FifNumber::int32, fif_int(-70000).data()), -70000);
  EXPECT_EQ(fif_number(FifNumber::float32, fif_float(-1.5F).data()), -1.5);
  EXPECT_EQ(fif_number(FifNumber::float64, test::fif_double(1e-300).data()), 1e-300);
}

// A file with any byte changed, or cut anywhere, is read or refused with a message; sanitizers watch.
TEST(FifTags, SurviveDamage) {
  const std::string whole = fif_file({.samples = floats(5) + floats(4)});
  const test::TemporaryFolder folder;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (at % 2 == 0 ? 0x80 : 0x11));
    for (const std::string& bytes : {damaged, whole.substr(0, at)}) {
      try {
        EXPECT_FALSE(walk_fif(SampleFile(folder.write("x.fif", bytes))).buffers.empty());
      } catch (const Error& error) {
        EXPECT_STRNE(error.what(), "");
      }
    }
  }
}

}  // namespace
}  // namespace heed::io
