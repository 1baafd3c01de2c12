// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/io/model_file.h>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;

void expect_bad(std::string_view text, std::initializer_list<std::string_view> words) {
  expect_error(ErrorKind::bad_data, words, [&] { (void)parse_chain(text); });
}

TEST(ChainFile, ReadsFromDownAndToAcross) {
  const test::TemporaryFolder folder;
  const Matrix chain = read_chain(folder.write("chain.tsv", "0.9\t0.1\t0\r\n0.2\t0.7\t0.1\r\n0\t5e-1\t0.5\r\n"));
  Matrix expected(3, 3);
  expected << 0.9, 0.1, 0, 0.2, 0.7, 0.1, 0, 0.5, 0.5;
  EXPECT_EQ(chain, expected);
}

TEST(ChainFile, LeavesProbabilitiesToTheChain) {
  Matrix expected(2, 2);
  expected << 7, -1, 0, 0;
  EXPECT_EQ(parse_chain("7\t-1\n0\t0"), expected);
}

TEST(ChainFile, RefusesWhatIsNotASquareOfNumbers) {
  expect_bad("", {"empty"});
  expect_bad("\n\n", {"empty"});
  expect_bad("left\tright\n0.9\t0.1\n", {"row 1, column 1", "'left'", "no header"});
  expect_bad("0.9\t0.1\n0.1\tn/a\n", {"row 2, column 2", "'n/a'"});
  expect_bad("0.9\t0.1\n0.1\n", {"row 2 has 1 numbers", "row 1 has 2"});
  expect_bad("0.9\t0.1\n0.1\t0.9\t0\n", {"row 2 has 3"});
  expect_bad("0.9\t0.1\n", {"row 1 is the last", "2 columns"});
  expect_bad("0.9\t0.1\n0.1\t0.9\n0.5\t0.5\n", {"row 3 is the last", "2 columns"});
  expect_bad("0.9\t0.1\n\n0.1\t0.9\n", {"row 2, column 1"});
  expect_bad("0.9 0.1\n0.1 0.9\n", {"row 1, column 1", "tabs"});
  expect_bad("inf\t0\n0\t1\n", {"'inf'"});
}

TEST(ChainFile, NamesTheFile) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("chain.tsv", "x");
  expect_error(ErrorKind::bad_data, {file.string()}, [&] { (void)read_chain(file); });
  expect_error(ErrorKind::not_found, {"no.tsv"}, [&] { (void)read_chain(folder.path() / "no.tsv"); });
}

}  // namespace
}  // namespace heed::io
