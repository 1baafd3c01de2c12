// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/xdf/xml_walk.h>

#include <string>
#include <utility>
#include <vector>

#include "support/mutants.h"

namespace heed::io {
namespace {

using Told = std::vector<std::pair<std::string, std::string>>;

Told walked(std::string_view text, bool good = true) {
  Told told;
  EXPECT_EQ(walk_xml(text, [&](std::string_view path, const std::string& value) { told.emplace_back(path, value); }),
            good)
      << text;
  return told;
}

TEST(XmlWalk, TellsElementsAsTheyClose) {
  const Told told = walked(
      "<?xml version=\"1.0\"?>\n<!-- <no> --><info a=\"1\">\n <name> x &amp; y&#33;&#x263A; </name><desc/>"
      "<c><![CDATA[<raw>]]></c></info>");
  EXPECT_EQ(told, (Told{{"info/name", "x & y!\xE2\x98\xBA"}, {"info/desc", ""}, {"info/c", "<raw>"}, {"info", ""}}));
}

TEST(XmlWalk, SaysWhatIsNotWellFormed) {
  for (const char* text : {"<a>", "<a></b>", "</a>", "<a", "<>", "<a><!-- ", "<a><![CDATA[x</a>", "<?xml"}) {
    (void)walked(text, false);
  }
  std::string deep;
  for (int k = 0; k < 1000; ++k) deep += "<a>";
  (void)walked(deep, false);
  (void)walked("no markup at all");
}

TEST(XmlWalk, UnknownEntitiesStayAsTheyAre) {
  EXPECT_EQ(walked("<a>&nope; &#xZ; & b</a>"), (Told{{"a", "&nope; &#xZ; & b"}}));
}

TEST(XmlWalk, WhatIsEscapedReadsBack) {
  const std::string text = "a < b & c > \"d\" 'e'";
  EXPECT_EQ(walked("<x>" + xml_escaped(text) + "</x>"), (Told{{"x", text}}));
}

TEST(XmlWalk, AnyMutantEnds) {
  const std::string text =
      "<info><name>EEG</name><desc><channels><channel><label>Fz</label></channel></channels></desc></info>";
  test::for_each_mutant(text, 20'000, 1, [](const std::string& mutant) {
    (void)walk_xml(mutant, [](std::string_view path, const std::string& value) {
      EXPECT_LE(path.size() + value.size(), 3 * 4096U);
    });
  });
}

}  // namespace
}  // namespace heed::io
