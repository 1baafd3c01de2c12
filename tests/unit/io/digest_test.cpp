// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/io/decoding/digest.h>

#include <string>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

TEST(Digest, IsTheSameForEqualContents) {
  EXPECT_EQ(Digest().add("abc").add("d").hex(), Digest().add("abc").add("d").hex());
  EXPECT_EQ(Digest().hex().size(), 32U);
}

// XXH3 with 128 bits of nothing, as its specification states it.
TEST(Digest, OfNothingIsThePublishedOne) { EXPECT_EQ(Digest().hex(), "99aa06d3014798d86001c324468d497f"); }

TEST(Digest, KeepsPartsApart) {
  EXPECT_NE(Digest().add("ab").add("c").hex(), Digest().add("a").add("bc").hex());
  EXPECT_NE(Digest().add("").hex(), Digest().hex());
}

TEST(Digest, OfAFileIsOfItsContentAlone) {
  const test::TemporaryFolder folder;
  const std::string large(3'000'000, 'x');
  folder.write("a", large);
  folder.write("b", large);
  folder.write("c", large + "y");
  const auto of = [&](const char* name) { return Digest().add_file(folder.path() / name).hex(); };
  EXPECT_EQ(of("a"), of("b"));
  EXPECT_NE(of("a"), of("c"));
}

TEST(Digest, NamesTheFileItCannotRead) {
  test::expect_error(ErrorKind::not_found, {"/nowhere/eeg.bdf"}, [] { (void)Digest().add_file("/nowhere/eeg.bdf"); });
}

}  // namespace
}  // namespace heed::io
