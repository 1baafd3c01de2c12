// SPDX-License-Identifier: MIT
#include <report/study_figures/study_signs.h>

#include <utility>

namespace heed::report {

Shape published_star(Point at, double size, Colour colour) {
  return edged(hollow(Marker::star, at, size, colour), {colour, 1, 0});
}

Shape participant_dot(Point at, double diameter, Colour colour) {
  return marker(Marker::circle, at, diameter, with_opacity(colour, participant_opacity));
}

LegendEntry sign_entry(const std::string& text, double width, std::vector<Shape> around_origin) {
  return {text,
          [shapes = std::move(around_origin)](const Rectangle& box) {
            std::vector<Shape> placed;
            for (const Shape& shape : shapes)
              placed.push_back(moved(shape, {box.left + (box.width / 2), box.middle()}));
            return placed;
          },
          width};
}

void append_legend(Drawing& drawing, const std::vector<LegendEntry>& entries, const LegendPlace& place) {
  Legend legend = lay_out_legend(entries, place);
  drawing.height += legend.height;
  if (!legend.group.shapes.empty()) drawing.groups.push_back(std::move(legend.group));
}

std::string stamp_sentence(const std::string& stamp) {
  if (stamp.empty()) return "";
  std::string sentence = " " + stamp + ".";
  if (sentence[1] >= 'a' && sentence[1] <= 'z') sentence[1] = static_cast<char>(sentence[1] - 'a' + 'A');
  return sentence;
}

}  // namespace heed::report
