// SPDX-License-Identifier: MIT
// Broken files, the same ones every time: a parser given them must say what is wrong or read what is there.
// A mutant is a copy of a good file with one to eight changes - bits flipped, bytes replaced by ones that matter
// to parsers, stretches removed, repeated, overwritten or exchanged - or cut short.
#pragma once

#include <heed/data/random.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace heed::test {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  // Small files are changed all over; of large ones half the changes fall into the first 4 kB, where headers are.
  [[nodiscard]] std::string mutant(std::string_view original) {
    std::string bytes(original);
    const std::size_t changes = 1 + below(8);
    for (std::size_t i = 0; i < changes && !bytes.empty(); ++i) change(bytes);
    return bytes;
  }

 private:
  [[nodiscard]] std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(random_.uniform() * static_cast<double>(count));
  }

  [[nodiscard]] std::size_t place(const std::string& bytes) {
    constexpr std::size_t front = 4096;
    return below(below(2) == 0 ? std::min(front, bytes.size()) : bytes.size());
  }

  void change(std::string& bytes) {
    // Ends of ranges, signs, digits, separators of every format heed reads.
    constexpr std::string_view telling{"\0\xff\x7f\x80 -+.,;=09eE\t\n\r\x14\x15\"'[]{}/\\nN", 30};
    constexpr std::array<std::string_view, 8> numbers{"-1",       "0",   "99999999",   "1e308",
                                                      "-9999999", "nan", "2147483648", "0.00001"};
    const std::size_t at = place(bytes);
    const std::size_t length = std::min(bytes.size() - at, 1 + below(16));
    switch (below(8)) {
      case 0:
        bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << below(8)));
        break;
      case 1:
        bytes[at] = telling[below(telling.size())];
        break;
      case 2:
        bytes[at] = static_cast<char>(below(256));
        break;
      case 3:
        bytes.erase(at, length);
        break;
      case 4:
        bytes.insert(at, bytes.substr(place(bytes), length));
        break;
      case 5:
        bytes.replace(at, length, bytes.substr(place(bytes), length));
        break;
      case 6: {
        const std::string_view number = numbers[below(numbers.size())];
        bytes.replace(at, std::min(number.size(), bytes.size() - at), number);
        break;
      }
      default:
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), length, telling[below(telling.size())]);
        break;
    }
  }

  RandomStream random_;
};

// f(std::string mutant), `count` times.
template <typename Use>
void for_each_mutant(std::string_view bytes, std::size_t count, std::uint64_t seed, Use&& use) {
  Mutator mutator(seed);
  for (std::size_t i = 0; i < count; ++i) use(mutator.mutant(bytes));
}

// f(std::string beginning) for every beginning of 0, step, 2 step ... bytes, the whole left out.
template <typename Use>
void for_each_truncation(std::string_view bytes, std::size_t step, Use&& use) {
  for (std::size_t size = 0; size < bytes.size(); size += step) use(std::string(bytes.substr(0, size)));
}

}  // namespace heed::test
