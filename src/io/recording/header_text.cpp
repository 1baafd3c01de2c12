// SPDX-License-Identifier: MIT
#include <io/recording/header_text.h>
#include <io/text_file.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>

namespace heed::io {
namespace {

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// The digits at `at`, as many as said.
std::optional<int> digits_at(std::string_view text, std::size_t at, std::size_t count) noexcept {
  if (text.size() < at + count) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(at, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return value;
}

std::optional<int> parse_fraction(std::string_view text) noexcept {
  constexpr std::size_t kept = 6;
  int value = 0;
  for (std::size_t i = 0; i < std::max(kept, text.size()); ++i) {
    const char c = i < text.size() ? text[i] : '0';
    if (c < '0' || c > '9') return std::nullopt;
    if (i < kept) value = 10 * value + (c - '0');
  }
  return value;
}

}  // namespace

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string latin_to_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80U) {
      text += c;
    } else {
      text += static_cast<char>(0xc0U | (byte >> 6U));
      text += static_cast<char>(0x80U | (byte & 0x3fU));
    }
  }
  return text;
}

std::string clean_text(std::string_view bytes) {
  std::string text = is_utf8(bytes) ? std::string(bytes) : latin_to_utf8(bytes);
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == '\x7f'; };
  std::ranges::replace_if(text, is_control, ' ');
  // U+0080 to U+009F, of which some terminals obey U+009B; a whole character, since 0xc2 always begins one.
  for (std::size_t at = text.find('\xc2'); at != std::string::npos; at = text.find('\xc2', at + 1)) {
    if (static_cast<unsigned char>(text[at + 1]) < 0xa0U) text.replace(at, 2, " ");
  }
  return text;
}

std::string unit_text(std::string_view bytes) {
  std::string text = clean_text(trimmed(bytes));
  replace_all(text, "\xce\xbc", "\xc2\xb5");
  return text;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::optional<std::int64_t> parse_integer(std::string_view text) noexcept {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || stop != end) return std::nullopt;
  return value;
}

void make_unique(std::vector<std::string>& names, std::vector<std::string>& notes) {
  std::map<std::string, int> uses;
  for (const std::string& name : names) ++uses[name];
  std::set<std::string> taken(names.begin(), names.end());
  std::map<std::string, int> given;
  std::size_t renamed = 0;
  std::string first;
  for (std::string& name : names) {
    if (uses[name] == 1) continue;
    const std::string original = name;
    int& number = given[original];
    do name = original + "-" + std::to_string(number++);
    while (!taken.insert(name).second);
    if (renamed++ == 0) first = original;
  }
  if (renamed == 0) return;
  notes.push_back(std::to_string(renamed) + " channels share a name with another (the first is called '" + first +
                  "'); they are numbered: " + first + "-0, " + first + "-1 ...");
}

bool exists(const LocalTime& time) noexcept {
  constexpr std::array<int, 13> days{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (time.month < 1 || time.month > 12 || time.day < 1 || time.year < 1) return false;
  const bool leap = time.year % 4 == 0 && (time.year % 100 != 0 || time.year % 400 == 0);
  const int last = time.month == 2 && leap ? 29 : days.at(static_cast<std::size_t>(time.month));
  return time.day <= last && time.hour >= 0 && time.hour < 24 && time.minute >= 0 && time.minute < 60 &&
         time.second >= 0 && time.second < 60;
}

LocalTime utc_time(std::int64_t seconds) noexcept {
  const std::chrono::sys_seconds time{std::chrono::seconds{seconds}};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  return {.year = static_cast<int>(date.year()),
          .month = static_cast<int>(static_cast<unsigned>(date.month())),
          .day = static_cast<int>(static_cast<unsigned>(date.day())),
          .hour = static_cast<int>(clock.hours().count()),
          .minute = static_cast<int>(clock.minutes().count()),
          .second = static_cast<int>(clock.seconds().count())};
}

std::string time_text(const LocalTime& time) {
  std::array<char, 64> text{};
  int length = std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d", time.year, time.month, time.day,
                             time.hour, time.minute, time.second);
  if (time.microsecond != 0) {
    const auto used = static_cast<std::size_t>(length);
    length += std::snprintf(text.data() + used, text.size() - used, ".%06d", time.microsecond);
  }
  return {text.data(), static_cast<std::size_t>(length)};
}

std::optional<LocalTime> parse_time(std::string_view text) noexcept {
  const auto year = digits_at(text, 0, 4);
  const auto month = digits_at(text, 5, 2);
  const auto day = digits_at(text, 8, 2);
  const auto hour = digits_at(text, 11, 2);
  const auto minute = digits_at(text, 14, 2);
  const auto second = digits_at(text, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  if (text[4] != '-' || text[7] != '-' || (text[10] != 'T' && text[10] != ' ') || text[13] != ':' || text[16] != ':') {
    return std::nullopt;
  }
  LocalTime time{*year, *month, *day, *hour, *minute, *second, 0};
  if (text.size() > 19) {
    const auto fraction = text[19] == '.' ? parse_fraction(text.substr(20)) : std::nullopt;
    if (!fraction) return std::nullopt;
    time.microsecond = *fraction;
  }
  return exists(time) ? std::optional(time) : std::nullopt;
}

}  // namespace heed::io
