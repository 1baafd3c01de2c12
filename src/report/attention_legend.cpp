// SPDX-License-Identifier: MIT
#include <report/attention_legend.h>

namespace heed::report {

std::vector<LegendEntry> attention_legend(Names speakers, const AttentionSigns& seen) {
  std::vector<LegendEntry> entries;
  const auto swatch = [](Colour colour) {
    return [colour](const Rectangle& box) { return std::vector<Shape>{filled(box, colour)}; };
  };
  const auto sign = [](Marker kind, Colour colour) {
    return [=](const Rectangle& box) {
      return std::vector<Shape>{marker(kind, {box.left + 4, box.middle()}, 5, colour)};
    };
  };
  for (std::size_t j = 0; j < speakers.size(); ++j) entries.push_back({speakers[j], swatch(palette(j))});
  const auto explain = [&](bool wanted, const char* text, auto draw) {
    if (wanted) entries.push_back({text, draw});
  };
  explain(seen.true_switch, "true switch", [](const Rectangle& box) {
    return std::vector<Shape>{line({box.left + 4, box.top - 1}, {box.left + 4, box.bottom() + 1}, {ink, 0.6, 0})};
  });
  explain(seen.noticed, "noticed, with delay", sign(Marker::triangle_down, ink));
  explain(seen.decided, "decided", sign(Marker::triangle_down, ink));
  explain(seen.missed, "never noticed", sign(Marker::cross, ink));
  explain(seen.other, "other change of decision", [](const Rectangle& box) {
    return std::vector<Shape>{hollow(Marker::triangle_up, {box.left + 4, box.middle()}, 3.4, faint_ink)};
  });
  explain(seen.truth && seen.unknown, "attention not known", [](const Rectangle& box) {
    return std::vector<Shape>{filled(box, missing_colour), hatched(box, unknown_hatch)};
  });
  explain(seen.missing, "missing window", swatch(missing_colour));
  return entries;
}

}  // namespace heed::report
