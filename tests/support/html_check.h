// SPDX-License-Identifier: MIT
// Is a page well-formed, and does it keep to itself? A small reader of tags, not a browser.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heed::test {

inline bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

inline std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// A page without its scripts and their data: what is left must keep all other promises.
inline std::string without_scripts(std::string html) {
  for (std::size_t at = html.find("<script"); at != std::string::npos; at = html.find("<script", at)) {
    const std::size_t end = html.find("</script>", at);
    html.erase(at, end == std::string::npos ? end : end + std::string_view("</script>").size() - at);
  }
  return html;
}

// Every tag is closed in order, no id comes twice, and nothing is fetched from elsewhere.
inline void expect_good_html(std::string_view html) {
  constexpr std::array<std::string_view, 3> without_end{"meta", "br", "link"};
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  const std::size_t style = html.find("</style>");
  ASSERT_NE(style, std::string_view::npos);
  std::vector<std::string> open{"html", "head"};
  std::size_t tags = 0;
  for (std::size_t at = html.find('<', style + 1); at != std::string_view::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    ASSERT_NE(end, std::string_view::npos);
    const std::string_view tag = html.substr(at + 1, end - at - 1);
    const bool closes = tag.starts_with('/');
    const std::string name(tag.substr(closes ? 1 : 0, tag.find_first_of(" \n", closes ? 1 : 0) - (closes ? 1 : 0)));
    ++tags;
    if (closes) {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), name) << "before " << html.substr(at, 60);
      open.pop_back();
    } else if (!tag.ends_with('/') && std::ranges::find(without_end, name) == without_end.end()) {
      open.push_back(name);
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_GT(tags, 10U);
  std::set<std::string> ids;
  for (std::size_t at = html.find(" id=\""); at != std::string_view::npos; at = html.find(" id=\"", at + 1)) {
    EXPECT_TRUE(ids.insert(std::string(html.substr(at + 5, html.find('"', at + 5) - at - 5))).second);
  }
  for (const std::string_view outside : {"<script", "src=", "<link", "@import", "url(", "https:", "<img", "<iframe"}) {
    EXPECT_FALSE(has(html, outside)) << outside;
  }
  EXPECT_EQ(count_of(html, "http:"), count_of(html, "xmlns=\"http://www.w3.org/2000/svg\"")) << "names, not addresses";
}

}  // namespace heed::test
