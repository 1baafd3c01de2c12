// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/json/lags_json.h>

#include <algorithm>
#include <cmath>

namespace heed::io {

LagRange parse_lags(const JsonObject& json, std::string_view key) {
  const auto numbers = json.numbers(key);
  constexpr double most = 1e6;  // beyond it the shape of filters could overflow
  const auto whole = [](double number) { return number == std::round(number) && std::abs(number) <= most; };
  if (numbers.size() != 2 || !std::ranges::all_of(numbers, whole) || numbers[1] < numbers[0]) {
    throw Error(ErrorKind::bad_data, "key " + std::string(key) + " is not a first and a last lag in samples");
  }
  return {static_cast<Index>(numbers[0]), static_cast<Index>(numbers[1])};
}

}  // namespace heed::io
