// SPDX-License-Identifier: MIT
// Mutations that keep lengths true. In formats made of records, each with its length before it, a random byte mostly
// breaks a length, and what lies behind is never read. Here libFuzzer changes the content of one record, or records are
// repeated, left out or exchanged; lengths are written anew. Now and then bytes are changed blindly, as before.
#pragma once

#ifdef HEED_FUZZ
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's names
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace heed::fuzz {

// A file is what comes before its records, then these, each `before` with the length in it, and its content.
struct Record {
  std::string before{};
  std::string content{};
};
struct Records {
  std::string head{};
  std::vector<Record> records{};
  std::string rest{};  // what does not come in records
};

// An unsigned number of `bytes` bytes, the least first unless big.
inline std::uint64_t number_at(std::string_view text, std::size_t bytes, bool big) {
  std::uint64_t number = 0;
  for (std::size_t k = 0; k < bytes; ++k) {
    number = number << 8U | static_cast<unsigned char>(text[big ? k : bytes - 1 - k]);
  }
  return number;
}

inline void put_number(std::string& text, std::size_t at, std::size_t bytes, std::uint64_t number, bool big) {
  for (std::size_t k = 0; k < bytes; ++k) {
    text[at + (big ? bytes - 1 - k : k)] = static_cast<char>(number >> (8 * k));
  }
}

inline void mutate_content(std::string& content, std::mt19937& random) {
  const std::size_t most = content.size() + 1 + random() % 64;
  std::vector<std::uint8_t> bytes(most);
  std::copy(content.begin(), content.end(), bytes.begin());
  const std::size_t size = LLVMFuzzerMutate(bytes.data(), content.size(), most);
  content.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
}

inline void mutate_records(std::vector<Record>& records, std::mt19937& random) {
  const std::size_t one = random() % records.size();
  const std::size_t other = random() % records.size();
  switch (random() % 8) {
    case 0:
      records.insert(records.begin() + static_cast<std::ptrdiff_t>(other), Record(records[one]));
      return;
    case 1:
      records.erase(records.begin() + static_cast<std::ptrdiff_t>(one));
      return;
    case 2:
      std::swap(records[one], records[other]);
      return;
    default:
      mutate_content(records[one].content, random);
  }
}

// Format has  static Records split(std::string_view file)  and  static void set_length(Record&), which may pad the
// content. The number of bytes in `data` then.
template <typename Format>
std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  std::mt19937 random(seed);
  Records file = Format::split({reinterpret_cast<const char*>(data), size});  // NOLINT(*-reinterpret-cast)
  if (file.records.empty() || random() % 8 == 0) return LLVMFuzzerMutate(data, size, most);
  mutate_records(file.records, random);
  std::string made = file.head;
  for (Record& record : file.records) {
    Format::set_length(record);
    made += record.before + record.content;
  }
  made += file.rest;
  if (made.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, made.data(), made.size());
  return made.size();
}

// Records of one header size, with the length of the content at one place in it, padded to a multiple.
template <std::size_t Head, std::size_t Before, std::size_t LengthAt, bool Big, std::size_t Padded>
struct FixedRecords {
  static Records split(std::string_view file) {
    Records result{std::string(file.substr(0, Head)), {}, {}};
    file.remove_prefix(std::min(Head, file.size()));
    while (file.size() >= Before) {
      const std::uint64_t length = number_at(file.substr(LengthAt), 4, Big);
      const std::uint64_t whole = Before + (length + Padded - 1) / Padded * Padded;
      if (whole > file.size()) break;
      result.records.push_back({std::string(file.substr(0, Before)), std::string(file.substr(Before, length))});
      file.remove_prefix(whole);
    }
    result.rest = file;
    return result;
  }

  static void set_length(Record& record) {
    put_number(record.before, LengthAt, 4, record.content.size(), Big);
    record.content.resize((record.content.size() + Padded - 1) / Padded * Padded);
  }
};

}  // namespace heed::fuzz

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): libFuzzer finds the function by its name
#define HEED_MUTATE_BY(Format)                                                                           \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, \
                                                 unsigned seed) {                                        \
    return heed::fuzz::mutate<Format>(data, size, most, seed);                                           \
  }
#endif
