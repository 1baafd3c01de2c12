// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/result_table_file.h>
#include <io/text_file.h>

#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

TEST(PatternFile, IsARowAChannelAndAColumnALag) {
  const test::TemporaryFolder folder;
  const std::vector<std::string> channels{"Fz", "Cz"};
  const std::vector<Seconds> lags{{0}, {0.015625}};
  const Matrix values{{0.5, -0.25}, {1, 0}};
  write_pattern(folder.path() / "p.tsv", {channels, lags, values});
  EXPECT_EQ(read_text_file(folder.path() / "p.tsv"), "channel\t0\t0.015625\nFz\t0.5\t-0.25\nCz\t1\t0\n");
  EXPECT_NE(read_text_file(folder.path() / "p.json").find("seconds"), std::string::npos);
}

TEST(PatternFile, SizesMustFit) {
  const test::TemporaryFolder folder;
  const std::vector<std::string> channels{"Fz"};
  const std::vector<Seconds> lags{{0}};
  const Matrix values = Matrix::Zero(2, 1);
  test::expect_error(ErrorKind::invalid_argument, {"channel"}, [&] {
    write_pattern(folder.path() / "p.tsv", {channels, lags, values});
  });
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace heed::io
