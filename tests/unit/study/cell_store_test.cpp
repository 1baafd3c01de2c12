// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/io/text_file.h>
#include <heed/study/cell_store.h>

#include <filesystem>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::study {
namespace {

const ResultTable some{.columns = {"participant", "accuracy"}, .rows = {{"sub-01", 0.9}, {"sub-02", TableValue()}}};

TEST(CellStore, FindsWhatItKept) {
  const test::TemporaryFolder folder;
  const CellStore store(folder.path() / "cells");
  EXPECT_FALSE(store.find("abc"));
  store.keep("abc", some, "a test");
  const auto found = store.find("abc");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->columns, some.columns);
  EXPECT_EQ(found->rows, some.rows);
  EXPECT_TRUE(CellStore(folder.path() / "cells").find("abc")) << "by another run of the program";
}

TEST(CellStore, SaysWhatACellWasMadeFrom) {
  const test::TemporaryFolder folder;
  CellStore(folder.path()).keep("abc", some, "sub-01 of a test");
  const std::string text = io::read_text_file(folder.path() / "abc.tsv");
  EXPECT_TRUE(text.starts_with("# heed ")) << text;
  EXPECT_NE(text.substr(0, text.find('\n')).find("sub-01 of a test"), std::string::npos);
}

// Every byte that changes, and every byte that is missing at the end, makes the cell as good as none.
TEST(CellStore, DoesNotTrustADamagedCell) {
  const test::TemporaryFolder folder;
  const CellStore store(folder.path());
  store.keep("abc", some, "a test");
  const std::string whole = io::read_text_file(folder.path() / "abc.tsv");
  const std::size_t first = whole.find('\n') + 1;
  for (std::size_t at = first; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = changed[at] == 'x' ? 'y' : 'x';
    folder.write("abc.tsv", changed);
    EXPECT_FALSE(store.find("abc")) << at;
  }
  for (std::size_t length = 0; length < whole.size(); ++length) {
    folder.write("abc.tsv", whole.substr(0, length));
    EXPECT_FALSE(store.find("abc")) << length;
  }
}

TEST(CellStore, NamesTheFolderThatCannotBeMade) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("taken", "");
  test::expect_error(ErrorKind::cannot_create, {"taken", "-o"}, [&] { CellStore store(file); });
}

}  // namespace
}  // namespace heed::study
