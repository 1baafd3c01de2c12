// SPDX-License-Identifier: MIT
// MAT 5 files with one thing wrong are refused with the place; thousands of mutants, each refused or read, hold no
// more memory than their size justifies.
#include <gtest/gtest.h>
#include <io/mat/mat5_guard.h>
#include <io/mat/mat_file.h>

#include <numeric>

#include "support/allocation_counter.h"
#include "support/expect_error.h"
#include "support/io_temporary_folder.h"
#include "support/mat_bytes.h"
#include "support/mutants.h"

namespace heed::io {
namespace {

using namespace test;

std::vector<double> ramp(std::size_t count) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

// Two trials as KU Leuven's, in 8 kB.
std::string trials() {
  std::vector<std::string> cells;
  cells.reserve(2);
  for (int k = 0; k < 2; ++k) {
    cells.push_back(mat_struct({{"RawData", mat_struct({{"EegData", mat_doubles({100, 4}, ramp(400))}})},
                                {"attended_ear", mat_text(k == 0 ? "L" : "R")},
                                {"stimuli", mat_cell({mat_text("a.wav"), mat_text("b.wav")})},
                                {"empty", mat_doubles({0, 0}, {})}}));
  }
  return mat_cell(cells, "trials");
}

class Mat5Guard : public ::testing::Test {
 protected:
  void refused(const std::string& variable, const std::string& words) const {
    const auto path = folder_.write("a.mat", mat_file({variable}));
    expect_error(ErrorKind::bad_data, {words, "byte "}, [&] { (void)check_mat5(path); });
    expect_error(ErrorKind::bad_data, {words, "a.mat"}, [&] { (void)MatFile::open(path); });
    const auto packed = folder_.write("b.mat", mat_file({mat_compressed(variable)}));
    expect_error(ErrorKind::bad_data, {words, "of the compressed data at byte 136"}, [&] { (void)check_mat5(packed); });
  }

  TemporaryFolder folder_;
};

TEST_F(Mat5Guard, ListsTheVariables) {
  const std::string object = mat_element(6, mat_numbers<std::uint32_t>({17, 0})) + mat_element(1, "t") +
                             mat_element(1, "MCOS") + mat_element(1, "table") + mat_doubles({1, 1}, {1});
  const auto path = folder_.write(
      "a.mat", mat_file({trials(), mat_element(14, object), mat_compressed(mat_doubles({1, 1}, {3}, "x"))}));
  const auto variables = check_mat5(path);
  ASSERT_EQ(variables.size(), 3U);
  EXPECT_EQ(variables[0].name, "trials");
  EXPECT_EQ(variables[0].array_class, 1);
  EXPECT_EQ(variables[1].name, "t");
  EXPECT_EQ(variables[1].object_class, "table");
  EXPECT_EQ(variables[2].name, "x");
  const MatFile open = MatFile::open(path);
  EXPECT_EQ(open.variable("x").number(), 3);
  expect_error(ErrorKind::bad_data, {"a.mat: t: is an object of class table, not a number; only MATLAB can read it"},
               [&] { (void)open.variable("t").number(); });
}

TEST_F(Mat5Guard, RefusesWhatDoesNotAddUp) {
  refused(mat_element(14, mat_head(6, {100, 4}, "x") + mat_element(9, mat_numbers(ramp(8)))),
          "an array of 400 values with 64 bytes of data");
  refused(mat_element(14, mat_head(6, {-1, 4}, "x") + mat_element(9, "")), "a negative dimension");
  refused(mat_element(14, mat_head(6, {65536, 65536}, "x") + mat_element(9, "")), "more than 2 147 483 647 values");
  refused(mat_element(14, mat_head(1, {1, 1000000}, "x") + mat_doubles({1, 1}, {1})),
          "8 bytes are needed where 0 are left");
  refused(mat_element(14, mat_head(99, {1, 1}, "x")), "no class of arrays has the number 99");
  refused(mat_element(14, mat_element(6, "1234")), "a value without its class");
  refused(mat_element(
              14, mat_element(6, mat_numbers<std::uint32_t>({6, 0})) + mat_element(5, mat_numbers<std::int32_t>({3}))),
          "a value without its dimensions");
  refused(mat_element(14, mat_head(6, {1, 1}, "x") + mat_element(14, "")), "an array without data");
  refused(mat_element(14, mat_head(6, {1, 1}, "x") + mat_element(9, mat_numbers(ramp(1))) + std::string(8, '\0')),
          "8 bytes too many in a value");
  refused(mat_element(14, mat_head(1, {1, 1}, "x") + mat_element(9, "12345678")),
          "a cell or field that holds no value");
  const std::string name_length = mat_element(5, mat_numbers<std::int32_t>({0}));
  refused(mat_element(14, mat_head(2, {1, 1}, "x") + name_length + mat_element(1, "abc")),
          "names cannot be told apart");
  refused(mat_element(14, mat_head(6, {1, 1}, std::string(300, 'x')) + mat_element(9, mat_numbers(ramp(1)))),
          "a name that is not one");
}

TEST_F(Mat5Guard, RefusesTooDeepAndTooManyValues) {
  std::string deep = mat_doubles({1, 1}, {1});
  for (int k = 0; k < 20; ++k) deep = mat_cell({deep});
  refused(deep, "more than 16 deep");
  // A million empty cells compress to a few kilobytes.
  std::string many = mat_head(1, {1, 1000000}, "x");
  for (int k = 0; k < 1000000; ++k) many += mat_numbers<std::uint32_t>({14, 0});
  const auto path = folder_.write("c.mat", mat_file({mat_compressed(mat_element(14, many))}));
  expect_error(ErrorKind::bad_data, {"more values in it than a file of its size can hold"},
               [&] { (void)check_mat5(path); });
}

TEST_F(Mat5Guard, RefusesDamagedCompression) {
  std::string packed = mat_compressed(mat_doubles({100, 4}, ramp(400), "x"));
  packed[packed.size() - 2] = static_cast<char>(packed[packed.size() - 2] ^ 1);  // the check sum
  const auto path = folder_.write("a.mat", mat_file({packed}));
  expect_error(ErrorKind::bad_data, {"the compressed data are damaged"}, [&] { (void)check_mat5(path); });
}

TEST_F(Mat5Guard, ReadsFilesOfLargeEndFirstMachines) {
  // 1 x 2 uint8, every word turned round.
  const auto word = [](std::uint32_t value) {
    std::string bytes = mat_numbers<std::uint32_t>({value});
    return std::string(bytes.rbegin(), bytes.rend());
  };
  const std::string content = word(6) + word(8) + word(9) + word(0) + word(5) + word(8) + word(1) + word(2) + word(1) +
                              word(1) + std::string("x\0\0\0\0\0\0\0", 8) + word(2) + word(2) +
                              std::string("\x07\x09\0\0\0\0\0\0", 8);
  std::string bytes = mat_file({});
  bytes.replace(124, 4, std::string("\x01\x00MI", 4));
  const auto path =
      folder_.write("a.mat", bytes + word(14) + word(static_cast<std::uint32_t>(content.size())) + content);
  EXPECT_EQ(MatFile::open(path).variable("x").numbers(), (std::vector<double>{7, 9}));
}

// Refused or read; never more memory than three times the file and what zlib and matio hold for any file at all.
class Mat5Mutants : public Mat5Guard {
 protected:
  void use(const std::string& bytes) {
    const auto path = folder_.write("mutant.mat", bytes);
    constexpr std::size_t for_any_file = std::size_t{1} << 20U;
    const AllocationCount memory;
    try {
      values_ += read_all_of(MatFile::open(path));
      ++read_;
    } catch (const Error& error) {
      ++refused_;
      EXPECT_NE(std::string(error.what()).find("mutant.mat"), std::string::npos) << error.what();
    }
    ASSERT_LE(memory.peak_bytes(), 3 * bytes.size() + for_any_file);
  }

  std::size_t read_ = 0;
  std::size_t refused_ = 0;
  std::size_t values_ = 0;
};

TEST_F(Mat5Mutants, PlainFilesAreReadOrRefused) {
  const std::string good = mat_file({trials(), mat_doubles({1, 1}, {128}, "fs")});
  use(good);
  EXPECT_EQ(read_, 1U);
  EXPECT_EQ(values_, 18U);
  for_each_mutant(good, 5000, 1, [&](const std::string& bytes) { use(bytes); });
  for_each_truncation(good, 256, [&](const std::string& bytes) { use(bytes); });
  EXPECT_GT(read_, 500U);  // data changed: still a file
  EXPECT_GT(refused_, 500U);
}

TEST_F(Mat5Mutants, CompressedFilesAreReadOrRefused) {
  const std::string good = mat_file({mat_compressed(trials()), mat_compressed(mat_doubles({1, 1}, {128}, "fs"))});
  use(good);
  EXPECT_EQ(read_, 1U);
  for_each_mutant(good, 5000, 2, [&](const std::string& bytes) { use(bytes); });
  for_each_truncation(good, 256, [&](const std::string& bytes) { use(bytes); });
  EXPECT_GT(refused_, 4000U);  // nearly every change breaks the check sum
}

}  // namespace
}  // namespace heed::io
