// SPDX-License-Identifier: MIT
#include <report/text.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace heed::report {
namespace {

// Of the characters 32 to 126, in thousandths of the size.
constexpr std::array<std::uint16_t, 95> advances{
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
constexpr double other_letters = 0.7;  // beyond ASCII, Latin, Greek, Cyrillic and signs
constexpr double wide_letters = 1.0;   // Chinese, Japanese, Korean and the rest

// How many bytes the character at the front takes; 0 if it is no valid UTF-8.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  // Overlong forms, surrogates and what lies beyond Unicode.
  const unsigned char second = byte(1);
  const bool bad = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                   (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return bad ? 0 : length;
}

double advance(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (lead >= 32 && lead < 127) return advances[lead - 32U] / 1000.0;
  const bool sign = lead == 0xE2;  // dashes, minus, arrows
  return lead < 0xE0 || sign ? other_letters : wide_letters;
}

bool is_control(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (lead < 32 || lead == 127) return true;
  if (character.size() == 2) return lead == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
  return character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";  // no characters, and refused by XML
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    if (length == 0) {
      result += '?';
    } else {
      result += is_control(character) ? " " : character;
    }
    text.remove_prefix(character.size());
  }
  return result;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

double text_width(std::string_view text, double size) {
  const std::string clean = printable(text);
  double width = 0;
  for (std::string_view rest = clean; !rest.empty(); rest.remove_prefix(character_length(rest))) {
    width += advance(rest.substr(0, character_length(rest)));
  }
  return width * size;
}

std::string elided(std::string_view text, double size, double room) {
  std::string clean = printable(text);
  if (text_width(clean, size) <= room) return clean;
  constexpr std::string_view dots = "...";
  double left = room - text_width(dots, size);
  std::string_view rest = clean;
  while (!rest.empty()) {
    const std::string_view character = rest.substr(0, character_length(rest));
    left -= advance(character) * size;
    if (left < 0) break;
    rest.remove_prefix(character.size());
  }
  return clean.substr(0, clean.size() - rest.size()) + std::string(dots);
}

std::vector<std::string> wrapped(std::string_view text, double size, double room, std::size_t most_lines) {
  const std::string clean = printable(text);
  std::vector<std::string> lines;
  std::string_view rest = clean;
  while (!rest.empty() && lines.size() + 1 < most_lines) {
    // The last word that still fits ends the line; one that fits nowhere is cut below.
    std::size_t end = 0;
    for (std::size_t next = rest.find(' '); next != std::string_view::npos; next = rest.find(' ', next + 1)) {
      if (text_width(rest.substr(0, next), size) > room) break;
      end = next;
    }
    if (text_width(rest, size) <= room || end == 0) break;
    lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  if (!rest.empty()) lines.push_back(elided(rest, size, room));
  return lines;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string sentence(std::string text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
  const std::size_t word = text.find_first_not_of(letters);
  const bool begins_with_word = word > 1 && word < text.size() && (text[word] == ' ' || text[word] == ',');
  if (begins_with_word && !text.starts_with("heed")) text = capitalised(std::move(text));
  const bool ended = text.empty() || std::string_view(".!?:").find(text.back()) != std::string_view::npos;
  return ended ? text : text + ".";
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : noun.ends_with("ch") ? "es" : "s");
}

std::string per_cent(double share) { return fixed_label(100 * share, 1) + " %"; }

std::string fixed_label(double value, int decimals) {
  std::array<char, 400> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, std::abs(value));
  const std::string digits(buffer.data(), static_cast<std::size_t>(length));
  const bool zero = digits.find_first_not_of("0.") == std::string::npos;
  return value < 0 && !zero ? "\u2212" + digits : digits;
}

std::string number_label(double value, int decimals) {
  std::string label = fixed_label(value, decimals);
  if (label.find('.') != std::string::npos) {
    label.erase(label.find_last_not_of('0') + 1);
    if (label.back() == '.') label.pop_back();
  }
  return label;
}

}  // namespace heed::report
