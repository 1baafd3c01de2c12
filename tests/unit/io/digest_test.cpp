// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/preprocessing.h>
#include <io/digest.h>

#include <set>
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

// A field more, and the key is another, though nobody lists it.
TEST(DigestOf, SeesAFieldThatIsAdded) {
  struct Choice {
    double band = 1;
    std::vector<std::string> channels{};
  };
  struct LargerChoice {
    double band = 1;
    std::vector<std::string> channels{};
    bool added = false;
  };
  EXPECT_NE(digest_of(Choice{}), digest_of(LargerChoice{}));
  EXPECT_NE(digest_of(LargerChoice{}), digest_of(LargerChoice{.added = true}));
}

TEST(DigestOf, ChangesWithEveryFieldOfThePreprocessing) {
  const Preprocessing usual{};
  std::set<std::string> different{digest_of(usual)};
  const auto expect_another = [&](const auto& change) {
    Preprocessing changed = usual;
    change(changed);
    EXPECT_TRUE(different.insert(digest_of(changed)).second);
    EXPECT_FALSE(changed == usual);
  };
  expect_another([](Preprocessing& p) { p.low.value = 0.5; });
  expect_another([](Preprocessing& p) { p.high.value = 0.5; });
  expect_another([](Preprocessing& p) { p.sampling_frequency.value = 0.5; });
  expect_another([](Preprocessing& p) { p.filters = FilterMode::causal; });
  expect_another([](Preprocessing& p) { p.reference.channels = {"Cz"}; });
  expect_another([](Preprocessing& p) { p.bad_channels = BadChannels::interpolate; });
  expect_another([](Preprocessing& p) { p.clip = 5; });
  expect_another([](Preprocessing& p) { p.targets.push_back(SpeechTarget::onset); });
  EXPECT_EQ(different.size(), 1 + data::count_fields<Preprocessing>());
}

TEST(DigestOf, TellsNothingFromZero) {
  EXPECT_NE(digest_of(std::optional<int>{}), digest_of(std::optional<int>{0}));
  EXPECT_NE(digest_of(std::vector<std::string>{"a", "b"}), digest_of(std::vector<std::string>{"ab"}));
  EXPECT_NE(digest_of(std::variant<int, long>(1)), digest_of(std::variant<int, long>(1L)));
}

}  // namespace
}  // namespace heed::io
