// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/figure_frame.h>
#include <report/ink/shapes.h>
#include <report/ink/text.h>

namespace heed::report {

Drawing titled_drawing(double width, const std::string& title, const std::string& subtitle) {
  constexpr double narrowest = 70;
  constexpr double widest = 2000;
  if (!(width >= narrowest && width <= widest)) {
    throw Error(ErrorKind::invalid_argument, "a figure " + number_label(width, 1) + " mm wide cannot be drawn; give " +
                                                 number_label(narrowest) + " to " + number_label(widest) + " mm");
  }
  constexpr double left = 9;
  Drawing drawing;
  drawing.width = width * points_per_millimetre;
  drawing.title = subtitle.empty() ? title : title + ": " + subtitle;
  drawing.height = 5;
  Group group{"title", {}};
  const auto add = [&](const std::string& text, double size, bool bold) {
    // Bold letters are a tenth wider.
    const double room = (drawing.width - (2 * left)) / (bold ? 1.1 : 1);
    for (std::string& words : wrapped(text, size, room, 3)) {
      drawing.height += size + 2;
      group.shapes.emplace_back(
          Text{.at = {left, drawing.height - 2}, .text = std::move(words), .size = size, .colour = ink, .bold = bold});
    }
  };
  add(title, 8.5, true);
  add(subtitle, 7, false);
  drawing.height += 4;
  drawing.groups.push_back(std::move(group));
  return drawing;
}

void append_caption(Drawing& drawing, const std::string& text, const CaptionPlace& place) {
  constexpr double size = 6;
  Group group{"caption", {}};
  for (std::string& words : wrapped(text, size, place.room, 5)) {
    drawing.height += size + 2;
    group.shapes.emplace_back(
        Text{.at = {place.left, drawing.height - 3}, .text = std::move(words), .size = size, .colour = ink});
  }
  if (!group.shapes.empty()) drawing.groups.push_back(std::move(group));
}

}  // namespace heed::report
