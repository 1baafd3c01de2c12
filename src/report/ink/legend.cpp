// SPDX-License-Identifier: MIT
#include <report/ink/legend.h>
#include <report/ink/text.h>

#include <algorithm>

namespace heed::report {

Legend lay_out_legend(const std::vector<LegendEntry>& entries, const LegendPlace& place) {
  constexpr double size = 7;
  constexpr double sign_height = 8;
  constexpr double between_sign_and_text = 3;
  constexpr double between_entries = 12;
  constexpr double longest_name = 130;
  Legend legend;
  if (entries.empty()) return legend;
  Point at = place.top_left;
  for (const LegendEntry& entry : entries) {
    const double sign_width = place.one_a_line ? place.sign_width : entry.sign_width.value_or(place.sign_width);
    const double sign_room = sign_width + between_sign_and_text;
    const std::string text = elided(entry.text, size, std::min(longest_name, place.room - sign_room));
    const double width = sign_room + text_width(text, size);
    const bool full = place.one_a_line || at.x + width > place.top_left.x + place.room;
    if (at.x > place.top_left.x && full) at = {place.top_left.x, at.y + legend_line};
    const Rectangle box{at.x, at.y, sign_width, sign_height};
    for (Shape& shape : entry.sign(box)) legend.group.shapes.push_back(std::move(shape));
    legend.group.shapes.emplace_back(
        Text{.at = {at.x + sign_room, box.middle() + (0.36 * size)}, .text = text, .size = size, .colour = ink});
    at.x += width + between_entries;
  }
  legend.height = at.y - place.top_left.y + legend_line;
  return legend;
}

}  // namespace heed::report
