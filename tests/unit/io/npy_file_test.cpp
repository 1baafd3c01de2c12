// SPDX-License-Identifier: MIT
// Arrays of numpy: bytes that numpy.save wrote, headers that lie, and thousands of broken files.
#include <gtest/gtest.h>
#include <io/npy_file.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"
#include "support/mutants.h"

namespace heed::io {
namespace {

using test::expect_error;

std::string with_header(const std::string& dictionary, std::string_view data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  const std::size_t width = version == 1 ? 2 : 4;
  for (std::size_t k = 0; k < width; ++k) bytes += static_cast<char>((dictionary.size() >> (8 * k)) & 0xffU);
  return bytes + dictionary + std::string(data);
}

template <typename Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

std::string header(const std::string& kind, const std::string& shape) {
  return "{'descr': '" + kind + "', 'fortran_order': False, 'shape': (" + shape + "), }      \n";
}

const std::vector<double> three{1.5, -2e-300, 0};

TEST(NpyFile, ReadsWhatNumpyWrote) {
  // numpy.save(file, numpy.array([1.0, -0.5], '<f4')), numpy 1.24
  std::string bytes("\x93NUMPY\x01\x00\x76\x00", 10);
  bytes += "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  bytes.append(127 - bytes.size(), ' ');
  bytes += '\n';
  ASSERT_EQ(bytes.size(), 128U);
  bytes += std::string("\x00\x00\x80\x3f\x00\x00\x00\xbf", 8);
  EXPECT_EQ(parse_npy(bytes), (Eigen::VectorXd(2) << 1, -0.5).finished());
}

TEST(NpyFile, BothVersionsKindsAndShapes) {
  const Eigen::VectorXd expected = (Eigen::VectorXd(3) << 1.5, -2e-300, 0).finished();
  for (const int version : {1, 2}) {
    EXPECT_EQ(parse_npy(with_header(header("<f8", "3,"), bytes_of(three), version)), expected);
    EXPECT_EQ(parse_npy(with_header(header("<f8", "3, 1"), bytes_of(three), version)), expected);
  }
  const std::vector<float> floats{0.1F, 3e38F};
  const Eigen::VectorXd read = parse_npy(with_header(header("<f4", "2,"), bytes_of(floats)));
  EXPECT_EQ(read, (Eigen::VectorXd(2) << double{0.1F}, double{3e38F}).finished());
  // Keys in any order, double quotes, no comma at the end.
  EXPECT_EQ(parse_npy(with_header(R"({"shape": (3,), "fortran_order": False, "descr": "<f8"})", bytes_of(three))),
            expected);
}

void expect_refused(ErrorKind kind, const std::string& bytes, std::initializer_list<std::string_view> words) {
  expect_error(kind, words, [&] { (void)parse_npy(bytes); });
}

TEST(NpyFile, NeverTrustsALength) {
  const std::string data = bytes_of(three);
  for (const char* shape : {"2,", "4,", "9223372036854775807,", "18446744073709551615,", "2305843009213693955,"}) {
    expect_refused(ErrorKind::bad_data, with_header(header("<f8", shape), data), {"its header says", "of 3"});
  }
  expect_refused(ErrorKind::bad_data, with_header(header("<f8", "3,"), data.substr(1)), {"its header says 3", "of 2"});
  for (const char* shape : {"18446744073709551616,", "-3,", "3.0,", "3 3,", "3,,", "x"}) {
    expect_refused(ErrorKind::bad_data, with_header(header("<f8", shape), data), {"the header is not one of numpy"});
  }
  std::string bytes = with_header(header("<f8", "3,"), data);
  bytes[8] = '\xff';
  bytes[9] = '\xff';
  expect_refused(ErrorKind::bad_data, bytes, {"ends within its header"});
  expect_refused(ErrorKind::bad_data, with_header(header("<f8", "0,"), ""), {"no samples"});
}

TEST(NpyFile, SaysWhatItCannotRead) {
  const std::string data = bytes_of(three);
  for (const char* shape : {"", "1, 3", "3, 1, 1", "3, 0"}) {
    expect_refused(ErrorKind::unsupported, with_header(header("<f8", shape), data), {"not one column", "x[:, k]"});
  }
  for (const char* kind : {">f8", "<i8", "<f2", "|O", "<c16", ""}) {
    expect_refused(ErrorKind::unsupported, with_header(header(kind, "3,"), data), {"float64", "astype"});
  }
  const std::string fortran = "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 1)}";
  expect_refused(ErrorKind::unsupported, with_header(fortran, data), {"Fortran", "ascontiguousarray"});
  expect_refused(ErrorKind::unsupported, with_header(header("<f8", "3,"), data, 3), {"version 3"});
  for (const char* text : {"{'descr': '<f8', 'shape': (3,)}", "{'descr': '<f8', 'descr': '<f8'}", "", "{", "[]",
                           "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)} x",
                           "{'descr': '<f8' 'fortran_order': False, 'shape': (3,)}", "{'other': 1}"}) {
    expect_refused(ErrorKind::bad_data, with_header(text, data), {"the header is not one of numpy"});
  }
  expect_refused(ErrorKind::bad_data, "onset\tleft\n", {"not a file of numpy"});
}

TEST(NpyFile, NumbersAreFinite) {
  for (const double odd : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const std::string data = bytes_of(std::vector<double>{1, odd, 2});
    expect_refused(ErrorKind::bad_data, with_header(header("<f8", "3,"), data), {"row 2", "finite"});
  }
}

TEST(NpyFile, BrokenFilesAreRefusedOrRead) {
  const std::string good = with_header(header("<f8", "3,"), bytes_of(three));
  std::size_t refused = 0;
  std::size_t read = 0;
  const auto use = [&](const std::string& bytes) {
    try {
      const Eigen::VectorXd values = parse_npy(bytes);
      ++read;
      EXPECT_GT(values.size(), 0);
      EXPECT_LE(values.size() * 4, std::ssize(bytes));
      EXPECT_TRUE(values.allFinite());
    } catch (const Error&) {
      ++refused;
    }
  };
  test::for_each_mutant(good, 20000, 7, use);
  EXPECT_GT(refused, 10000U);
  EXPECT_GT(read, 500U);
  refused = 0;
  test::for_each_truncation(good, 1, use);
  EXPECT_EQ(refused, good.size());
}

TEST(NpyFile, FilesAreNamedInErrors) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("a.npy", with_header(header("<f8", "3,"), bytes_of(three)));
  EXPECT_EQ(read_npy(path).size(), 3);
  const auto cut = folder.write("cut.npy", with_header(header("<f8", "3,"), ""));
  expect_error(ErrorKind::bad_data, {"cut.npy: its header says 3"}, [&] { (void)read_npy(cut); });
  expect_error(ErrorKind::not_found, {"gone.npy"}, [&] { (void)read_npy(folder.path() / "gone.npy"); });
  expect_error(ErrorKind::io, {"directory"}, [&] { (void)read_npy(folder.path()); });
}

}  // namespace
}  // namespace heed::io
