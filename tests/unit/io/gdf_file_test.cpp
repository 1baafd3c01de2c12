// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/io/recording_file.h>

#include <cstring>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;

// Fz (0.1 uV a count) has four samples in a record of half a second, slow has one.
struct Gdf {
  double version = 2.2;
  std::int64_t records = 2;
  std::uint32_t type = 3;  // int16
  std::uint32_t slow_type = 3;
  std::uint32_t slow_samples = 1;
  std::uint32_t divisor = 2;  // of a second
  std::string events{};
};

template <typename... Number>
std::string bytes_of(Number... numbers) {
  std::string bytes;
  const auto append = [&](auto number) {
    std::string own(sizeof number, '\0');
    std::memcpy(own.data(), &number, sizeof number);
    bytes += own;
  };
  (append(numbers), ...);
  return bytes;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(width, '\0');
  return text;
}

std::string gdf_bytes(const Gdf& given = {}) {
  const bool old = given.version < 1.9;
  std::string bytes = padded("GDF " + std::string(old ? "1.25" : "2.20"), 168);
  bytes += old ? "2026111509300000" : bytes_of(std::uint64_t{740301} << 32U, std::uint64_t{0});
  bytes += old ? bytes_of(std::int64_t{768}) : bytes_of(std::uint64_t{3});
  bytes = padded(bytes, 236) + bytes_of(given.records, std::uint32_t{1}, given.divisor, std::uint32_t{2});
  bytes += padded("Fz", 16) + padded("slow", 16) + padded("", 160);
  bytes += old ? padded("uV", 8) + padded("", 8) : padded("", 12) + bytes_of(std::uint16_t{4275}, std::uint16_t{0});
  bytes += bytes_of(-100.0, -100.0, 100.0, 100.0);
  bytes += old ? bytes_of(std::int64_t{-1000}, std::int64_t{-1000}, std::int64_t{1000}, std::int64_t{1000})
               : bytes_of(-1000.0, -1000.0, 1000.0, 1000.0);
  bytes += padded("", 160) + bytes_of(std::uint32_t{4}, given.slow_samples, given.type, given.slow_type);
  bytes += padded("", 64);
  for (std::int16_t record = 0; record < 2; ++record) {
    for (std::int16_t t = 0; t < 4; ++t) bytes += bytes_of(static_cast<std::int16_t>(10 * (4 * record + t)));
    bytes += bytes_of(static_cast<std::int16_t>(-record));
  }
  return bytes + given.events;
}

RecordingHeader header_of(const std::string& bytes) {
  const test::TemporaryFolder folder;
  return read_recording_header(folder.write("x.gdf", bytes));
}

void expect_refused(ErrorKind kind, const std::string& bytes, const std::string& words) {
  expect_error(kind, {"x.gdf", words}, [&] { (void)header_of(bytes); });
}

TEST(GdfFile, BothVersionsAreRead) {
  const std::string columns = bytes_of(std::uint32_t{5}, std::uint32_t{1}, std::uint16_t{770}, std::uint16_t{769}) +
                              bytes_of(std::uint16_t{0}, std::uint16_t{0}, std::uint32_t{4}, std::uint32_t{0});
  for (const double version : {1.25, 2.2}) {
    const std::string table = version < 2 ? bytes_of(std::uint32_t{3U + (8U << 8U)}, std::uint32_t{2})
                                          : bytes_of(std::uint32_t{3U + (2U << 8U)}, 8.0F);
    const test::TemporaryFolder folder;
    const auto path = folder.write("x", gdf_bytes({.version = version, .events = table + columns}));  // by its content
    const RecordingHeader header = read_recording_header(path);
    EXPECT_EQ(header.format, "GDF");
    EXPECT_EQ(header.start, version < 2 ? "2026-11-15T09:30:00" : "2026-11-15T00:00:00");
    EXPECT_EQ(header.samples, 8);
    EXPECT_EQ(header.sampling_frequency, Hertz{8});
    ASSERT_EQ(header.channels.size(), 2U);
    EXPECT_EQ(header.channels[0].unit, version < 2 ? "uV" : "µV");
    EXPECT_EQ(header.channels[1].unit, "");
    EXPECT_EQ(header.channels[1].sampling_frequency, Hertz{2});
    EXPECT_TRUE(header.notes.empty());
    ASSERT_EQ(header.events.size(), 2U);
    EXPECT_EQ(header.events[0].description, "769");
    EXPECT_EQ(header.events[1].onset, Seconds{0.5});
    EXPECT_EQ(header.events[1].duration, Seconds{0.5});
    const Recording part = read_recording(path, {.channels = {"Fz"}, .from = Seconds{0.25}, .to = Seconds{0.75}});
    ASSERT_EQ(part.samples.rows(), 4);
    for (Index t = 0; t < 4; ++t) EXPECT_FLOAT_EQ(part.samples(t, 0), static_cast<float>(2 + t));
    EXPECT_FLOAT_EQ(read_recording(path, {.channels = {"slow"}}).samples(1, 0), -0.1F);
  }
}

TEST(GdfFile, ChannelsWithoutSamplesAreLeftOut) {
  std::string bytes = gdf_bytes({.slow_samples = 0});
  bytes.resize(bytes.size() - 4);  // 2 records of 4 samples
  const RecordingHeader header = header_of(bytes);
  ASSERT_EQ(header.channels.size(), 1U);
  EXPECT_EQ(header.notes, std::vector<std::string>{"channel slow has no samples and is left out"});
}

TEST(GdfFile, WhatIsCutIsReadAsFarAsItIsWhole) {
  EXPECT_EQ(header_of(gdf_bytes({.records = -1})).samples, 8);
  EXPECT_EQ(header_of(gdf_bytes({.records = 7})).notes,
            std::vector<std::string>{"the header states 7 records, the file holds 2 whole ones, which are read"});
  const RecordingHeader cut =
      header_of(gdf_bytes({.events = bytes_of(std::uint32_t{1U + (900U << 8U)}, 8.0F, std::uint32_t{1})}));
  EXPECT_TRUE(cut.events.empty());
  EXPECT_EQ(cut.notes, std::vector<std::string>{"the table of 900 events is cut short and left out"});
}

TEST(GdfFile, RefusesWhatItCannotRead) {
  const std::string good = gdf_bytes();
  expect_refused(ErrorKind::bad_data, good.substr(0, 255), "byte 256: the file ends within its header");
  expect_refused(ErrorKind::bad_data, good.substr(0, 700),
                 "takes at least 768 bytes; it states 768, and the file has 700");
  expect_refused(ErrorKind::bad_data, good.substr(0, 770), "one record takes 10 bytes, and the file has 2 left");
  expect_refused(ErrorKind::bad_data, "GEDF" + good.substr(4), "does not begin like GDF");
  expect_refused(ErrorKind::unsupported, "GDF 3.00" + good.substr(8), "heed reads versions 1 and 2");
  expect_refused(ErrorKind::unsupported, gdf_bytes({.type = 6, .slow_type = 6}), "numbers of type 6");
  expect_refused(ErrorKind::unsupported, gdf_bytes({.slow_type = 16}), "numbers of different types");
  expect_refused(ErrorKind::bad_data, gdf_bytes({.divisor = 0}), "byte 245: a record lasts no time");
  expect_refused(ErrorKind::bad_data, gdf_bytes({.slow_samples = 4000000000U}), "more bytes than the file has");
  expect_refused(ErrorKind::bad_data, gdf_bytes({.divisor = 4294967295U}), "no valid sampling frequency");
}

// Whatever a byte is, heed says something or reads something.
TEST(GdfFile, DamagedBytesAreErrorsOrRecordings) {
  const std::string good =
      gdf_bytes({.events = bytes_of(std::uint32_t{1U + (1U << 8U)}, 8.0F, std::uint32_t{1}, '\5', '\0')});
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const char byte : {'\x7f', '\xff'}) {
      std::string bytes = good;
      bytes[at] = byte;
      const test::TemporaryFolder folder;
      const auto path = folder.write("x.gdf", bytes);
      try {
        const RecordingHeader header = read_recording_header(path);
        EXPECT_EQ(read_recording(path).samples.rows(), header.samples);
      } catch (const Error& error) {
        EXPECT_STRNE(error.what(), "");
      }
    }
  }
}

}  // namespace
}  // namespace heed::io
