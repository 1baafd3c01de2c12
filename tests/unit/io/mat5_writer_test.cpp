// SPDX-License-Identifier: MIT
// What is written reads back by the reader, which checks every length first. scipy reads the same in tests/cli.
#include <gtest/gtest.h>
#include <io/mat/mat5_writer.h>
#include <io/mat/mat_file.h>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;

Mat5Value numbers(const Eigen::MatrixXd& values) {
  return Mat5Value::numbers(values.rows(), values.cols(), [values] { return values; });
}

TEST(Mat5Writer, EveryKindReadsBack) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "x.mat";
  const Eigen::MatrixXd matrix{{1, 2.5, -3}, {4e-300, 0.1, 6}};
  write_mat5(
      path,
      {{"s", Mat5Value::structs({{"matrix", {numbers(matrix)}},
                                 {"text", {Mat5Value::text("S\xc3\xb8ren \xf0\x9f\x91\x82")}},
                                 {"empty", {Mat5Value::text("")}},
                                 {"cell", {Mat5Value::cell(1, 2, {Mat5Value::number(7), Mat5Value::text("b")})}}})},
       {"places", Mat5Value::structs({{"labels", {Mat5Value::text("Fz"), Mat5Value::text("Cz")}}})},
       {"row", Mat5Value::row({1, 2, 3})}});
  const MatFile file = MatFile::open(path);
  EXPECT_EQ(file.names(), (std::vector<std::string>{"s", "places", "row"}));
  const MatValue value = file.variable("s");
  EXPECT_EQ(value.field("matrix").dimensions(), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(value.field("matrix").numbers(), (std::vector<double>{1, 4e-300, 2.5, 0.1, -3, 6}));
  EXPECT_EQ(value.field("text").text(), "S\xc3\xb8ren \xf0\x9f\x91\x82");
  EXPECT_EQ(value.field("empty").text(), "");
  EXPECT_EQ(value.at("cell{1}").number(), 7);
  EXPECT_EQ(value.at("cell{2}").text(), "b");
  EXPECT_EQ(file.variable("places").at("(2).labels").text(), "Cz");
  EXPECT_EQ(file.variable("row").numbers(), (std::vector<double>{1, 2, 3}));
}

TEST(Mat5Writer, LettersThatAreNoUnicodeAreReplaced) {
  const test::TemporaryFolder folder;
  write_mat5(folder.path() / "x.mat", {{"t", Mat5Value::text("a\xff\xc3")}});
  EXPECT_EQ(MatFile::open(folder.path() / "x.mat").variable("t").text(), "a\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Mat5Writer, WhatFailsLeavesNothing) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "x.mat";
  const auto huge = Mat5Value::numbers(1 << 20, 300, [] { return Eigen::MatrixXd(); });
  expect_error(ErrorKind::unsupported, {"x.mat: eeg would have more than 2 GB"}, [&] {
    write_mat5(path, {{"eeg", huge}});
  });
  const auto other = Mat5Value::numbers(2, 2, [] { return Eigen::MatrixXd(3, 2); });
  expect_error(ErrorKind::io, {"2 x 2 came as 3 x 2"}, [&] { write_mat5(path, {{"eeg", other}}); });
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace heed::io
