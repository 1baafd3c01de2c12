// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/figure_frame.h>
#include <report/ink/shapes.h>
#include <report/ink/text.h>

#include <algorithm>

namespace heed::report {

namespace {

constexpr double left = 9;
constexpr double stamp_top = 3.5;
constexpr double stamp_bottom = 15.5;

// How wide it is, with the space that keeps words away from it.
double add_stamp(Drawing& drawing, const std::string& words) {
  if (words.empty()) return 0;
  constexpr double size = 7;
  const std::string text = elided(words, size, drawing.width / 3);
  const double width = (1.1 * text_width(text, size)) + 10;  // bold letters are a tenth wider
  const Rectangle box{drawing.width - left - width, stamp_top, width, stamp_bottom - stamp_top};
  const Colour colour = palette(5);
  drawing.groups.push_back({"stamp",
                            {framed(box, {colour, 0.8, 0}), Text{.at = {box.left + (width / 2), box.middle() + 2.5},
                                                                 .text = text,
                                                                 .size = size,
                                                                 .anchor = Anchor::middle,
                                                                 .colour = colour,
                                                                 .bold = true}}});
  return width + 8;
}

}  // namespace

Drawing titled_drawing(double width, const std::string& title, const std::string& subtitle, const std::string& stamp) {
  constexpr double narrowest = 70;
  constexpr double widest = 2000;
  if (!(width >= narrowest && width <= widest)) {
    throw Error(ErrorKind::invalid_argument, "a figure " + number_label(width, 1) + " mm wide cannot be drawn; give " +
                                                 number_label(narrowest) + " to " + number_label(widest) + " mm");
  }
  Drawing drawing;
  drawing.width = width * points_per_millimetre;
  drawing.title = subtitle.empty() ? title : title + ": " + subtitle;
  drawing.height = 5;
  const double taken = add_stamp(drawing, stamp);
  Group group{"title", {}};
  const auto add = [&](const std::string& text, double size, bool bold) {
    const double beside = drawing.height < stamp_bottom ? taken : 0;
    const double room = (drawing.width - (2 * left) - beside) / (bold ? 1.1 : 1);
    for (std::string& words : wrapped(text, size, room, 3)) {
      drawing.height += size + 2;
      group.shapes.emplace_back(
          Text{.at = {left, drawing.height - 2}, .text = std::move(words), .size = size, .colour = ink, .bold = bold});
    }
  };
  add(title, 8.5, true);
  add(subtitle, 7, false);
  if (taken > 0) drawing.height = std::max(drawing.height, stamp_bottom);
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
