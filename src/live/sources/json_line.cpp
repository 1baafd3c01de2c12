// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/text_file.h>
#include <live/sources/json_line.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace heed::live {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// Length of the number at the start of `text` by JSON's grammar, which from_chars is wider than; 0: none.
std::size_t number_length(std::string_view text) noexcept {
  std::size_t i = 0;
  const auto at = [&] { return i < text.size() ? text[i] : '\0'; };
  const auto digits = [&] {
    const std::size_t first = i;
    while (is_digit(at())) ++i;
    return i > first;
  };
  if (at() == '-') ++i;
  if (at() == '0') {
    ++i;
  } else if (!digits()) {
    return 0;
  }
  if (at() == '.' && (++i, !digits())) return 0;
  if (at() == 'e' || at() == 'E') {
    ++i;
    if (at() == '+' || at() == '-') ++i;
    if (!digits()) return 0;
  }
  return i;
}

// As UTF-8.
void append_character(unsigned code, std::string& text) {
  const auto add = [&](unsigned byte) { text += static_cast<char>(byte); };
  if (code < 0x80U) return add(code);
  if (code < 0x800U) {
    add(0xc0U | (code >> 6U));
  } else if (code < 0x10000U) {
    add(0xe0U | (code >> 12U));
    add(0x80U | ((code >> 6U) & 0x3fU));
  } else {
    add(0xf0U | (code >> 18U));
    add(0x80U | ((code >> 12U) & 0x3fU));
    add(0x80U | ((code >> 6U) & 0x3fU));
  }
  add(0x80U | (code & 0x3fU));
}

}  // namespace

void JsonLine::refuse(const std::string& problem) const {
  throw Error(ErrorKind::bad_data, "column " + std::to_string(at_ + 1) + ": " + problem);
}

// What stands there, up to the next separator, as far as it can be shown.
void JsonLine::refuse_value(const char* wanted) const {
  constexpr std::size_t longest = 24;
  const std::string_view rest = text_.substr(at_);
  if (rest.empty()) refuse("the line ends where " + std::string(wanted) + " should be");
  std::string found(rest.substr(0, std::min(rest.find_first_of(",:]} \t", 1), longest)));
  std::ranges::replace_if(
      found, [](char c) { return c < ' ' || c > '~'; }, '?');
  const char* remedy = "";
  if (found == "NaN" || found == "Infinity" || found == "-Infinity") {
    remedy = "; JSON has no such number: write null for a missing value";
  } else if (found.starts_with('.') || found.starts_with("-.")) {
    remedy = "; JSON wants a digit before the point, as in 0.1";
  }
  refuse("'" + found + "' where " + std::string(wanted) + " should be" + remedy);
}

void JsonLine::skip_spaces() noexcept {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
}

char JsonLine::next() {
  skip_spaces();
  return at_ < text_.size() ? text_[at_] : '\0';
}

void JsonLine::open(char bracket, const char* wanted) {
  if (next() != bracket) refuse_value(wanted);
  ++at_;
}

bool JsonLine::closes(char bracket) {
  if (next() != bracket) return false;
  ++at_;
  return true;
}

bool JsonLine::goes_on(char bracket) {
  if (closes(bracket)) return false;
  if (next() != ',') refuse_value(bracket == '}' ? "a comma or }" : "a comma or ]");
  ++at_;
  return true;
}

void JsonLine::expect(char wanted) {
  if (next() != wanted) refuse_value(wanted == ':' ? "a colon" : "a quotation mark");
  ++at_;
}

bool JsonLine::takes(std::string_view word) {
  skip_spaces();
  if (!text_.substr(at_).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

bool JsonLine::takes_null() { return takes("null"); }

bool JsonLine::boolean() {
  if (takes("true")) return true;
  if (!takes("false")) refuse_value("true or false");
  return false;
}

double JsonLine::number() {
  skip_spaces();
  const std::string_view rest = text_.substr(at_);
  const std::size_t length = number_length(rest);
  if (length == 0) refuse_value("a number");
  double value = 0;
  if (std::from_chars(rest.data(), rest.data() + length, value).ec != std::errc{}) {
    refuse_value("a number that double precision can hold");
  }
  at_ += length;
  return value;
}

double JsonLine::number_or_null() {
  return next() == 'n' && takes_null() ? std::numeric_limits<double>::quiet_NaN() : number();
}

void JsonLine::text_into(std::string& text) {
  if (next() != '"') refuse_value("text in quotation marks");
  ++at_;
  text.clear();
  while (true) {
    const std::size_t special = text_.find_first_of("\"\\", at_);
    if (special == std::string_view::npos) {
      at_ = text_.size();
      refuse("the line ends in the middle of a text");
    }
    text.append(text_.substr(at_, special - at_));
    at_ = special + 1;
    if (text_[special] == '"') break;
    escape_into(text);
  }
  const bool control = std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < ' '; });
  if (control || !io::is_utf8(text)) refuse("the text before holds a control character, or is not UTF-8");
}

unsigned JsonLine::hexadecimal() {
  unsigned code = 0;
  const std::string_view digits = text_.substr(at_, 4);
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (digits.size() < 4 || failure != std::errc{} || end != digits.data() + 4) refuse_value("four hexadecimal digits");
  at_ += 4;
  return code;
}

void JsonLine::escape_into(std::string& text) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  const char letter = at_ < text_.size() ? text_[at_] : '\0';
  const std::size_t known = letter == '\0' ? std::string_view::npos : letters.find(letter);
  if (known == std::string_view::npos && letter != 'u') refuse_value("an escape such as \\n or \\u00e9");
  ++at_;
  if (letter != 'u') {
    text += meanings[known];
    return;
  }
  unsigned code = hexadecimal();
  if (code >= 0xd800U && code < 0xdc00U && text_.substr(at_).starts_with("\\u")) {
    at_ += 2;
    const unsigned low = hexadecimal();
    if (low < 0xdc00U || low > 0xdfffU) refuse("half of a surrogate pair is missing");
    code = 0x10000U + ((code - 0xd800U) << 10U) + (low - 0xdc00U);
  }
  append_character(code, text);  // a lone half is not UTF-8, and is refused with the text
}

void JsonLine::finish() {
  if (next() != '\0' || at_ < text_.size()) refuse_value("the end of the line");
}

}  // namespace heed::live
