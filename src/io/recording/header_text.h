// SPDX-License-Identifier: MIT
// Text of recording headers: of unknown age and code page, padded with blanks, made into clean UTF-8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

// Without blanks, tabs and line ends at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;

// Every byte a character of Latin-1, written as UTF-8.
[[nodiscard]] std::string latin_to_utf8(std::string_view bytes);

// As it is if it is UTF-8, else taken as Latin-1, which every byte string is. Control characters become blanks.
[[nodiscard]] std::string clean_text(std::string_view bytes);

// clean_text with the two mu of Unicode made one: µV is always the micro sign.
[[nodiscard]] std::string unit_text(std::string_view bytes);

[[nodiscard]] bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept;

// A whole number, the whole of `text`.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text) noexcept;

// Names that occur more than once get -0, -1 ... appended, in order. One note for all of them.
void make_unique(std::vector<std::string>& names, std::vector<std::string>& notes);

// A moment on the wall clock of wherever it was recorded.
struct LocalTime {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int microsecond = 0;
};

[[nodiscard]] bool exists(const LocalTime& time) noexcept;
// 2026-11-15T09:30:00, with .250000 behind it where there is a fraction.
[[nodiscard]] std::string time_text(const LocalTime& time);
// By seconds since 1970, in UTC.
[[nodiscard]] LocalTime utc_time(std::int64_t seconds) noexcept;
// The reverse of time_text, a blank for the T allowed. Nothing for anything else.
[[nodiscard]] std::optional<LocalTime> parse_time(std::string_view text) noexcept;

}  // namespace heed::io
