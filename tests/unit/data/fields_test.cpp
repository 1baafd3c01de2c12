// SPDX-License-Identifier: MIT
#include <data/fields.h>
#include <gtest/gtest.h>
#include <heed/data/preprocessing.h>

#include <optional>
#include <string>
#include <variant>

namespace heed::data {
namespace {

struct None {};
struct Two {
  double number = 1;
  std::optional<std::string> text{};
};
struct Nested {
  Two two{};
  std::variant<int, Two> either{};
  std::vector<double> several{};
};

TEST(Fields, AreCountedWhateverTheirType) {
  EXPECT_EQ(count_fields<None>(), 0U);
  EXPECT_EQ(count_fields<Two>(), 2U);
  EXPECT_EQ(count_fields<Nested>(), 3U);
  EXPECT_EQ(count_fields<Preprocessing>(), 8U);
}

TEST(Fields, AreReferencesInOrder) {
  Two two{.number = 2, .text = "a"};
  const auto fields = fields_of(two);
  EXPECT_EQ(&std::get<0>(fields), &two.number);
  EXPECT_EQ(&std::get<1>(fields), &two.text);
  std::get<0>(fields) = 3;
  EXPECT_EQ(two.number, 3);
}

TEST(Fields, OfAConstantAreConstant) {
  const Two two{};
  static_assert(std::is_same_v<decltype(std::get<0>(fields_of(two))), const double&>);
}

}  // namespace
}  // namespace heed::data
