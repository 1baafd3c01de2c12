// SPDX-License-Identifier: MIT
#include <report/ink/legend.h>
#include <report/ink/text.h>

#include <algorithm>

namespace heed::report {

Legend lay_out_legend(const std::vector<LegendEntry>& entries, Point top_left, double room) {
  constexpr double size = 7;
  constexpr double box = 8;  // of the sign
  constexpr double between_sign_and_text = 3;
  constexpr double between_entries = 12;
  constexpr double longest_name = 130;
  Legend legend;
  if (entries.empty()) return legend;
  Point at = top_left;
  for (const LegendEntry& entry : entries) {
    const double sign_room = box + between_sign_and_text;
    const std::string text = elided(entry.text, size, std::min(longest_name, room - sign_room));
    const double width = sign_room + text_width(text, size);
    if (at.x > top_left.x && at.x + width > top_left.x + room) at = {top_left.x, at.y + legend_line};
    for (Shape& shape : entry.sign({at.x, at.y, box, box})) legend.group.shapes.push_back(std::move(shape));
    legend.group.shapes.emplace_back(
        Text{.at = {at.x + sign_room, at.y + (0.5 * box) + (0.36 * size)}, .text = text, .size = size, .colour = ink});
    at.x += width + between_entries;
  }
  legend.height = at.y - top_left.y + legend_line;
  return legend;
}

}  // namespace heed::report
