// SPDX-License-Identifier: MIT
// One line of JSON, read from left to right by whoever knows what must stand there. Nothing is built on the way:
// numbers go straight to where they belong, so a stream of EEG costs no allocation, and what an unknown sender may
// nest or repeat costs nothing. Strict: what RFC 8259 does not allow is an error that names the column.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heed::live {

class JsonLine {
 public:
  explicit JsonLine(std::string_view text = {}) noexcept : text_(text) {}
  // Another line, in the storage of this one.
  void start(std::string_view text) noexcept {
    text_ = text;
    at_ = 0;
  }

  // Calls member(key) after each key; it must read the value. The key is valid until another text is read.
  template <typename Member>
  void object(Member&& member) {
    open('{', "an object: {...}");
    if (closes('}')) return;
    do {
      text_into(key_);
      expect(':');
      member(std::string_view(key_));
    } while (goes_on('}'));
  }

  // Calls element() before each element; it must read it.
  template <typename Element>
  void array(Element&& element) {
    open('[', "a list: [...]");
    if (closes(']')) return;
    do {
      element();
    } while (goes_on(']'));
  }

  [[nodiscard]] double number();          // finite
  [[nodiscard]] double number_or_null();  // NaN for null
  [[nodiscard]] bool boolean();
  void text_into(std::string& text);                           // UTF-8 without control characters: texts are names
  [[nodiscard]] bool takes_null();                             // true: there was one
  [[nodiscard]] char next();                                   // what follows, without reading it; NUL at the end
  void finish();                                               // nothing but spaces may follow
  [[noreturn]] void refuse(const std::string& problem) const;  // "column 17: ..."

 private:
  void skip_spaces() noexcept;
  void open(char bracket, const char* wanted);
  [[nodiscard]] bool closes(char bracket);
  [[nodiscard]] bool goes_on(char bracket);
  void expect(char wanted);
  [[nodiscard]] bool takes(std::string_view word);
  void escape_into(std::string& text);
  [[nodiscard]] unsigned hexadecimal();
  [[noreturn]] void refuse_value(const char* wanted) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::string key_;
};

}  // namespace heed::live
