// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <study/plan/plan_run.h>

#include <charconv>
#include <optional>
#include <string_view>

namespace heed::study {
namespace {

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

ArrayTask parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto number = whole_number(std::string_view(text).substr(0, slash));
  const auto count = slash == std::string::npos ? std::nullopt : whole_number(std::string_view(text).substr(slash + 1));
  constexpr std::size_t most = 1'000'000;
  if (number && count && *number >= 1 && *number <= *count && *count <= most) return {*number, *count};
  throw Error(ErrorKind::invalid_argument,
              "--shard " + text + ": write i/n, the i-th of n shares, from 1/n to n/n, e.g. --shard 1/4");
}

CellBlock block_of(const ArrayTask& shard, std::size_t cells) {
  return {cells * (shard.number - 1) / shard.count, cells * shard.number / shard.count};
}

}  // namespace heed::study
