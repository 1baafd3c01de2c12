// SPDX-License-Identifier: MIT
// Files of LabRecorder: every sample format, clocks that drift, jump and jitter, and files that were cut or damaged.
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <io/xdf/xdf_file.h>

#include <array>
#include <cmath>
#include <fstream>

#include "support/allocation_counter.h"
#include "support/expect_error.h"
#include "support/memory_file.h"
#include "support/mutants.h"
#include "support/real_data.h"
#include "support/xdf_bytes.h"
#include "support/xdf_cases.h"

namespace heed::io {
namespace {

using test::expect_error;
using test::MemoryFile;
using test::XdfBytes;

std::vector<double> times_of(XdfFile& file, std::size_t stream) {
  std::vector<double> times(static_cast<std::size_t>(file.streams().at(stream).samples));
  if (!times.empty()) file.read_times(stream, 0, times);
  return times;
}

Matrix values_of(XdfFile& file, std::size_t stream) {
  Matrix values(file.streams().at(stream).samples, 1);
  file.read(stream, 0, values);
  return values;
}

TEST(XdfFile, ReadsStreamsAsTheyAreDescribed) {
  const MemoryFile memory;
  XdfFile file = XdfFile::open(memory.write(test::usual_xdf().bytes));
  ASSERT_EQ(file.streams().size(), 3U);
  const XdfStream& eeg = file.streams()[0];
  EXPECT_EQ(eeg.id, 7U);
  EXPECT_EQ(eeg.header.name, "EEG & more");
  EXPECT_EQ(eeg.header.format, XdfFormat::int16);
  EXPECT_EQ(eeg.samples, 120);
  EXPECT_EQ(eeg.declared, 120);
  EXPECT_EQ(eeg.clock_offsets, 12);
  EXPECT_EQ(eeg.clock_resets, 0);
  EXPECT_EQ(channel_name(eeg.header, 0), "Fz");
  EXPECT_EQ(eeg.header.described[0].unit, "microvolts");
  EXPECT_NEAR(eeg.effective_frequency().value, 100, 1e-9);
  ASSERT_EQ(eeg.segments.size(), 1U);
  const auto times = times_of(file, 0);
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(times[k], 1005 + 0.01 * static_cast<double>(k), 1e-9);
  const Matrix values = values_of(file, 0);
  for (Index k = 0; k < 120; ++k) {
    EXPECT_EQ(values(k, 0), static_cast<double>(k));
    EXPECT_EQ(values(k, 1), -5);
  }
  const auto markers = file.read_markers(1);
  ASSERT_EQ(markers.size(), 4U);
  EXPECT_EQ(markers[1].text, "mark");
  EXPECT_DOUBLE_EQ(markers[1].time.value, 1000.3);
  EXPECT_EQ(file.damage().places, 0);
  EXPECT_TRUE(file.notes().empty()) << file.notes().front();
}

TEST(XdfFile, ReadsEverySampleFormatInAnyOrder) {
  XdfBytes xdf;
  const std::vector<std::string> formats{"float32", "double64", "int8", "int16", "int32", "int64"};
  for (std::uint32_t id = 0; id < 6; ++id) xdf.stream(id, formats[id], "x", 1, "10", formats[id]);
  std::vector<std::vector<std::string>> rows(6);
  const auto put = [&](std::uint32_t id, const std::string& value) {
    rows[id].push_back(rows[id].empty() ? XdfBytes::sample(1, value) : XdfBytes::sample(value));
  };
  for (int k = 0; k < 3000; ++k) {
    put(0, XdfBytes::raw(-0.5F * static_cast<float>(k)));
    put(1, XdfBytes::raw(-0.5 * k));
    put(2, XdfBytes::raw(static_cast<std::int8_t>(k % 256 - 128)));
    put(3, XdfBytes::raw(static_cast<std::int16_t>(-k)));
    put(4, XdfBytes::raw(std::int32_t{-70000 * k}));
    put(5, XdfBytes::raw(std::int64_t{-1} << (k % 50)));
  }
  for (std::uint32_t id = 0; id < 6; ++id) {
    // Lengths of all widths.
    xdf.chunk(
        3,
        XdfBytes::raw(id) + XdfBytes::length(rows[id].size(), 8) +
            [&] {
              std::string all;
              for (const std::string& row : rows[id]) all += row;
              return all;
            }(),
        8);
  }
  const MemoryFile memory;
  XdfFile file = XdfFile::open(memory.write(xdf.bytes));
  RandomStream random(1);
  const auto expected = [](std::size_t stream, Index k) {
    const std::array values = {-0.5 * static_cast<double>(k),      -0.5 * static_cast<double>(k),
                               static_cast<double>(k % 256 - 128), static_cast<double>(-k),
                               -70000.0 * static_cast<double>(k),  -std::ldexp(1, static_cast<int>(k % 50))};
    return values[stream];
  };
  for (int trial = 0; trial < 200; ++trial) {
    const auto stream = static_cast<std::size_t>(random.uniform() * 6);
    const auto first = static_cast<Index>(random.uniform() * 2900);
    Matrix values(1 + static_cast<Index>(random.uniform() * 100), 1);
    file.read(stream, first, values);
    SampleMatrix singles(values.rows(), 1);
    file.read(stream, first, singles);
    for (Index k = 0; k < values.rows(); ++k) {
      ASSERT_EQ(values(k, 0), expected(stream, first + k)) << stream << " " << first + k;
      ASSERT_EQ(singles(k, 0), static_cast<float>(expected(stream, first + k)));
    }
  }
}

// A stream of one channel at 100 Hz whose stamps and offsets are functions of the time.
template <typename Stamp, typename Offset>
std::string clocked(int seconds, Stamp&& stamp, Offset&& offset) {
  XdfBytes xdf;
  xdf.stream(1, "s", "EEG", 1, "100", "float32");
  for (int second = 0; second < seconds; ++second) {
    std::vector<std::string> rows;
    for (int k = 0; k < 100; ++k) {
      rows.push_back(XdfBytes::sample(stamp(second + 0.01 * k), XdfBytes::raw(0.0F)));
    }
    xdf.samples(1, rows);
    if (second % 5 == 2) xdf.offset(1, stamp(second + 0.99), offset(second + 0.99));
  }
  return xdf.bytes;
}

TEST(XdfFile, FollowsAClockThatDriftsAndIgnoresBadOffsets) {
  const MemoryFile memory;
  // The remote clock runs 200 ppm fast and is 1,000 s ahead; two measurements are wrong by 30 and 700 ms.
  const auto stamp = [](double time) { return 1000 + time * 1.0002; };
  const auto offset = [&](double time) {
    const double wrong = std::abs(time - 12.99) < 0.1 ? 0.7 : std::abs(time - 52.99) < 0.1 ? -0.03 : 0;
    return time - stamp(time) + wrong;
  };
  XdfFile file = XdfFile::open(memory.write(clocked(100, stamp, offset)));
  const auto times = times_of(file, 0);
  // Huber's line moves by what two of twenty can pull: some hundredths of a millisecond, not their 65 ms.
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(times[k], 0.01 * static_cast<double>(k), 1e-4);
  EXPECT_NEAR(file.streams()[0].effective_frequency().value, 100, 1e-3);
}

TEST(XdfFile, StampsAndOffsetsThatJumpTogetherAreAResetOfTheClock) {
  const MemoryFile memory;
  for (const double jump : {-200'000.0, 15.0, -20.0}) {
    const auto stamp = [&](double time) { return 300'000 + time + (time < 41.5 ? 0 : jump); };
    const auto offset = [&](double time) { return time - stamp(time); };
    XdfFile file = XdfFile::open(memory.write(clocked(80, stamp, offset)));
    EXPECT_EQ(file.streams()[0].clock_resets, 1) << jump;
    ASSERT_EQ(file.streams()[0].segments.size(), 1U) << jump;
    const auto times = times_of(file, 0);
    for (std::size_t k = 0; k < times.size(); ++k) ASSERT_NEAR(times[k], 0.01 * static_cast<double>(k), 1e-7) << jump;
  }
}

TEST(XdfFile, APauseBeginsASegmentAndJitterIsMeasured) {
  const MemoryFile memory;
  RandomStream random(3);
  const auto stamp = [&](double time) {
    return 91'000 + time * 1.00001 + (time < 30 ? 0 : 20) + 0.004 * random.normal();
  };
  const XdfFile file = XdfFile::open(memory.write(clocked(60, stamp, [](double) { return 0.0; })));
  const auto& segments = file.streams()[0].segments;
  ASSERT_EQ(segments.size(), 2U);
  EXPECT_EQ(segments[0].samples, 3000);
  EXPECT_EQ(segments[1].first_sample, 3000);
  EXPECT_NEAR(segments[0].jitter.value, 0.004, 4e-4);
  EXPECT_NEAR(1 / segments[0].period.value, 100 / 1.00001, 1e-2);
}

TEST(XdfFile, TheLineIsThatOfTheNormalEquations) {
  const MemoryFile memory;
  RandomStream random(4);
  XdfBytes xdf;
  xdf.stream(1, "s", "EEG", 1, "250", "int8");
  std::vector<double> stamps;
  for (int chunk = 0; chunk < 90; ++chunk) {
    std::vector<std::string> rows;
    for (int k = 0; k < 100; ++k) {
      stamps.push_back(700'000 + 0.004001 * static_cast<double>(stamps.size()) + 0.01 * random.uniform());
      rows.push_back(XdfBytes::sample(stamps.back(), "a"));
    }
    xdf.samples(1, rows);
  }
  XdfFile file = XdfFile::open(memory.write(xdf.bytes));
  long double x = 0;
  long double t = 0;
  const auto n = static_cast<long double>(stamps.size());
  for (std::size_t k = 0; k < stamps.size(); ++k) {
    x += static_cast<long double>(k) / n;
    t += static_cast<long double>(stamps[k]) / n;
  }
  long double xt = 0;
  long double xx = 0;
  for (std::size_t k = 0; k < stamps.size(); ++k) {
    xt += (static_cast<long double>(k) - x) * (static_cast<long double>(stamps[k]) - t);
    xx += (static_cast<long double>(k) - x) * (static_cast<long double>(k) - x);
  }
  const auto times = times_of(file, 0);
  for (const std::size_t k : {std::size_t{0}, std::size_t{4321}, stamps.size() - 1}) {
    EXPECT_NEAR(times[k], static_cast<double>(t + xt / xx * (static_cast<long double>(k) - x)), 1e-9);
  }
}

TEST(XdfFile, RefusesWhatIsNoXdf) {
  const MemoryFile memory;
  expect_error(ErrorKind::bad_data, {"begin with 'XDF:'"}, [&] { (void)XdfFile::open(memory.write("")); });
  expect_error(ErrorKind::bad_data, {"begin with 'XDF:'"}, [&] { (void)XdfFile::open(memory.write("XDF")); });
  expect_error(ErrorKind::bad_data, {"begin with 'XDF:'"}, [&] { (void)XdfFile::open(memory.write("RIFF....WAVE")); });
  expect_error(ErrorKind::unsupported, {"gunzip"}, [&] { (void)XdfFile::open(memory.write("\x1f\x8b\x08 packed")); });
  expect_error(ErrorKind::not_found, {"no such file"}, [&] { (void)XdfFile::open("/nowhere/x.xdf"); });
  expect_error(ErrorKind::io, {"directory"}, [&] { (void)XdfFile::open("/tmp"); });
  EXPECT_TRUE(XdfFile::open(memory.write("XDF:")).streams().empty());
}

TEST(XdfFile, SaysWhatIsMissingAndWhatIsOdd) {
  const MemoryFile memory;
  XdfBytes xdf;
  xdf.stream(1, "short", "EEG", 1, "100", "int8");
  std::vector<std::string> rows;
  for (int k = 0; k < 200; ++k) rows.push_back(XdfBytes::sample(5 + 0.011 * k, "a"));
  xdf.samples(1, rows);
  xdf.samples(3, {XdfBytes::sample("a")});  // of no stream
  xdf.footer(1, 300);
  const XdfFile file = XdfFile::open(memory.write(xdf.bytes));
  std::string notes;
  for (const std::string& note : file.notes()) notes += note + "\n";
  EXPECT_NE(notes.find("had 300 samples, of which 100 are missing"), std::string::npos) << notes;
  EXPECT_NE(notes.find("says 100 Hz, but its samples came at 90.9091 Hz"), std::string::npos) << notes;
  EXPECT_NE(notes.find("1 chunk of samples belong"), std::string::npos) << notes;
  EXPECT_NE(notes.find("damaged in 1 place"), std::string::npos) << notes;
}

void expect_every_truncation_read(const std::string& bytes) {
  const auto places = test::xdf_chunks(bytes);
  const MemoryFile memory;
  for (std::size_t size = 4; size < bytes.size(); ++size) {
    XdfFile file = XdfFile::open(memory.write(std::string_view(bytes).substr(0, size)));
    auto expected = test::counted_samples(places, [&](const test::XdfChunkPlace& place) { return place.end <= size; });
    for (std::size_t k = 0; k < file.streams().size(); ++k) {
      ASSERT_EQ(file.streams()[k].samples, expected[file.streams()[k].id]) << "cut at " << size;
      (void)times_of(file, k);
    }
    const bool whole = std::ranges::any_of(places, [&](const auto& place) { return place.end == size; }) || size == 4;
    ASSERT_EQ(file.damage().cut, !whole) << size;
  }
}

TEST(XdfFile, ReadsWhatIsWholeOfEveryTruncation) { expect_every_truncation_read(test::usual_xdf(5).bytes); }

TEST(XdfFile, GoesOnBehindTheNextBoundary) {
  const std::string bytes = test::usual_xdf(8).bytes;
  const MemoryFile memory;
  for (std::size_t at = 4; at < bytes.size(); ++at) {
    for (const unsigned flip : {0x01U, 0x80U, 0xffU}) {
      std::string mutant = bytes;
      mutant[at] = static_cast<char>(static_cast<unsigned char>(mutant[at]) ^ flip);
      XdfFile file = XdfFile::open(memory.write(mutant));
      test::expect_whole_chunks(bytes, at, file);
      for (std::size_t k = 0; k < file.streams().size(); ++k) {
        (void)times_of(file, k);
        if (file.streams()[k].header.format == XdfFormat::text) {
          (void)file.read_markers(k);
        } else {
          (void)values_of(file, k);
        }
      }
    }
  }
}

TEST(XdfFile, AnyMutantIsReadInBoundedMemory) {
  const std::string bytes = test::usual_xdf(40).bytes;
  const MemoryFile memory;
  std::size_t read = 0;
  test::for_each_mutant(bytes, 3000, 5, [&](const std::string& mutant) {
    const auto path = memory.write(mutant);
    try {
      const test::AllocationCount counter;
      XdfFile file = XdfFile::open(path);
      EXPECT_LE(counter.peak_bytes(), (std::size_t{4} << 20U) + 8 * mutant.size());
      Index rows = 0;
      for (const XdfStream& stream : file.streams()) rows += stream.samples;
      EXPECT_LE(rows, static_cast<Index>(mutant.size()));
      ++read;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
    }
  });
  EXPECT_GT(read, 2500U);
}

// Chunks that all claim to reach the end must not make reading quadratic.
TEST(XdfFile, AFileOfLiesIsGivenUp) {
  XdfBytes xdf;
  xdf.stream(1, "s", "EEG", 1, "100", "int8");
  std::string lies;
  for (int k = 0; k < 4000; ++k) {
    lies += "\x04";
    lies += XdfBytes::raw(static_cast<std::uint32_t>(4'000'000 - k));
    lies += XdfBytes::raw(std::uint16_t{3});
    lies += XdfBytes::raw(std::uint32_t{1}) + XdfBytes::length(2'000'000, 4);
    lies += std::string(700, '\0');
    lies += "\x43\xA5\x46\xDC\xCB\xF5\x41\x0F\xB3\x0E\xD5\x46\x73\x83\xCB\xE4";
  }
  xdf.bytes += lies + std::string(4'000'000, '\0');
  const MemoryFile memory;
  expect_error(ErrorKind::bad_data, {"more places"}, [&] { (void)XdfFile::open(memory.write(xdf.bytes)); });
}

using XdfRealData = test::RealData;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(XdfRealData, IsReadAsOtherReadersDo) {
  const std::filesystem::path folder(std::getenv("HEED_TEST_DATA"));  // NOLINT(concurrency-mt-unsafe)
  XdfFile minimal = XdfFile::open(folder / "xdf" / "minimal.xdf");
  ASSERT_EQ(minimal.streams().size(), 2U);
  EXPECT_EQ(minimal.streams()[0].header.name, "SendDataC");
  EXPECT_EQ(minimal.streams()[0].samples, 9);
  const auto times = times_of(minimal, 0);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(times[k], 5.0 + 0.1 * static_cast<double>(k), 1e-9);
  const Matrix values = values_of(minimal, 0);
  EXPECT_EQ((std::vector<double>(values.data(), values.data() + 6)), (std::vector<double>{192, 255, 238, 12, 22, 32}));
  const auto strings = minimal.read_markers(1);
  ASSERT_EQ(strings.size(), 9U);
  EXPECT_EQ(strings[1].text, "Hello");
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(strings[k].time.value, 5.1 + 0.1 * static_cast<double>(k), 1e-9);

  XdfFile empty = XdfFile::open(folder / "xdf" / "empty_streams.xdf");
  std::vector<Index> samples;
  for (const XdfStream& stream : empty.streams()) samples.push_back(stream.samples);
  EXPECT_EQ(samples, (std::vector<Index>{0, 10, 1, 0}));
  const auto synchronised = times_of(empty, 1);
  EXPECT_NEAR(synchronised.front(), 91725.213925466, 1e-9);
  EXPECT_NEAR(synchronised.back(), 91734.213918091, 1e-9);
  EXPECT_EQ(minimal.damage().places + empty.damage().places, 0);
}

TEST_F(XdfRealData, EveryTruncationAndEveryChangedByte) {
  const std::filesystem::path folder(std::getenv("HEED_TEST_DATA"));  // NOLINT(concurrency-mt-unsafe)
  for (const char* name : {"minimal.xdf", "empty_streams.xdf"}) {
    const std::string bytes = bytes_of(folder / "xdf" / name);
    expect_every_truncation_read(bytes);
    const MemoryFile memory;
    for (std::size_t at = 4; at < bytes.size(); ++at) {
      std::string mutant = bytes;
      mutant[at] = static_cast<char>(~mutant[at]);
      const XdfFile file = XdfFile::open(memory.write(mutant));
      test::expect_whole_chunks(bytes, at, file);
    }
  }
}

}  // namespace
}  // namespace heed::io
