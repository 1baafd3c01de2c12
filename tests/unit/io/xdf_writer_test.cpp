// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/xdf/xdf_file.h>
#include <io/xdf/xdf_writer.h>

#include <fstream>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"
#include "support/xdf_bytes.h"

namespace heed::io {
namespace {

TEST(XdfWriter, WhatIsWrittenReadsBack) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.xdf";
  XdfWriter writer(path);
  XdfHeader eeg{.name = "a <b> & c", .type = "EEG", .source_id = "x", .format = XdfFormat::float32, .channels = 2};
  eeg.sampling_frequency = {64};
  eeg.described = {{"Fz", "uV", "EEG"}, {"Cz", "uV", "EEG"}};
  const auto first = writer.add_stream(eeg);
  const auto second = writer.add_stream({.name = "m", .type = "Markers", .format = XdfFormat::text, .channels = 1});
  const auto third = writer.add_stream({.name = "d", .type = "x", .format = XdfFormat::double64, .channels = 1});
  const std::vector<float> rows{1, 2, 3, 4, 5, 6};
  writer.write(first, {10}, std::span<const float>(rows));
  writer.write(second, {10.5}, std::string(300, 'x'));
  writer.write_offset(first, {10}, {0.5});
  writer.write_boundary();
  const double value = 0.1;
  writer.write(third, {11}, std::span(&value, 1));
  writer.finish();

  XdfFile file = XdfFile::open(path);
  ASSERT_EQ(file.streams().size(), 3U);
  EXPECT_TRUE(file.notes().empty());
  const XdfStream& stream = file.streams()[0];
  EXPECT_EQ(stream.header.name, "a <b> & c");
  EXPECT_EQ(channel_name(stream.header, 1), "Cz");
  EXPECT_EQ(stream.declared, 3);
  EXPECT_NEAR(stream.segments.at(0).onset.value, 10.5, 1e-12);
  Matrix values(3, 2);
  file.read(0, 0, values);
  EXPECT_EQ(values(2, 1), 6);
  EXPECT_EQ(file.read_markers(1).at(0).text, std::string(300, 'x'));
  Matrix doubles(1, 1);
  file.read(2, 0, doubles);
  EXPECT_EQ(doubles(0, 0), 0.1);

  // The same chunks to a reader that knows nothing of heed's.
  std::ifstream bytes(path, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(bytes), {}};
  std::vector<int> tags;
  for (const auto& place : test::xdf_chunks(all)) tags.push_back(place.tag);
  EXPECT_EQ(tags, (std::vector<int>{1, 2, 2, 2, 3, 3, 4, 5, 3, 6, 6, 6}));
}

TEST(XdfWriter, SaysWhereItCannotWrite) {
  test::expect_error(ErrorKind::cannot_create, {"/proc/none/a.xdf", "choose another"},
                     [] { XdfWriter writer("/proc/none/a.xdf"); });
  test::expect_error(ErrorKind::io, {"/dev/full", "free the disk"}, [] { XdfWriter writer("/dev/full"); });
}

}  // namespace
}  // namespace heed::io
