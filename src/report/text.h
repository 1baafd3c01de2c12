// SPDX-License-Identifier: MIT
// Text in figures: how wide it is, short enough for its room, and free of what no renderer takes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::report {

// Points. An estimate that does not ask the machine for its fonts, so that a figure is laid out the same
// everywhere: advances of DejaVu Sans, which is wider than most sans-serif fonts.
[[nodiscard]] double text_width(std::string_view text, double size);

// The text, or as much of its beginning as leaves room for three dots.
[[nodiscard]] std::string elided(std::string_view text, double size, double room);

// Broken between words into at most so many lines; what is left over is elided.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, double size, double room, std::size_t most_lines);

// Valid UTF-8 without control characters: broken bytes, as file names may hold, become question marks.
[[nodiscard]] std::string printable(std::string_view text);

// Printable, and safe between the tags and the double quotes of SVG and HTML.
[[nodiscard]] std::string escaped(std::string_view text);

// With a capital letter at its beginning.
[[nodiscard]] std::string capitalised(std::string text);
// As messages are written, made a sentence: capitalised where it begins with a word and not with a name such as
// sub-01.bdf, and ended.
[[nodiscard]] std::string sentence(std::string text);
// "3 runs", "1 run", "2 switches"
[[nodiscard]] std::string counted(std::size_t count, const std::string& noun);
// "62.5 %", of a share within 0 and 1
[[nodiscard]] std::string per_cent(double share);
// So many decimals, a true minus sign.
[[nodiscard]] std::string fixed_label(double value, int decimals);
// At most so many decimals, no trailing zeros, a true minus sign.
[[nodiscard]] std::string number_label(double value, int decimals = 6);

}  // namespace heed::report
