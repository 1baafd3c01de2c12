// SPDX-License-Identifier: MIT
// Words of a figure can be read: none is cut off or stands on another.
#pragma once

#include <heed/report/drawing.h>
#include <report/text.h>
#include <support/report_cases.h>

#include <gtest/gtest.h>

namespace heed::test {

struct TextBox {
  double left, right, top, bottom;
};

inline TextBox box_of(const report::Text& text) {
  const double width = report::text_width(text.text, text.size) * (text.bold ? 1.1 : 1);
  const double share = text.anchor == report::Anchor::start ? 0 : text.anchor == report::Anchor::middle ? 0.5 : 1;
  const double start = -share * width;
  const double above = 0.72 * text.size;
  if (text.climbs) return {text.at.x - above, text.at.x, text.at.y - start - width, text.at.y - start};
  return {text.at.x + start, text.at.x + start + width, text.at.y - above, text.at.y};
}

inline void expect_legible(const report::Drawing& drawing) {
  const auto texts = texts_of(drawing);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const TextBox a = box_of(texts[i]);
    EXPECT_GE(a.left, 0) << texts[i].text;
    EXPECT_LE(a.right, drawing.width) << texts[i].text;
    EXPECT_GE(a.top, 0) << texts[i].text;
    EXPECT_LE(a.bottom, drawing.height) << texts[i].text;
    for (std::size_t j = 0; j < i; ++j) {
      const TextBox b = box_of(texts[j]);
      const bool apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      EXPECT_TRUE(apart) << "'" << texts[i].text << "' on '" << texts[j].text << "'";
    }
  }
}

}  // namespace heed::test
