// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <live/osc/osc_message.h>

#include <array>
#include <string>

#include "support/mutants.h"

namespace heed::live {
namespace {

using namespace std::string_literals;

// The bytes of the specification's own kind of example: padded to four, big endian.
TEST(OscMessage, BytesAreThoseOfTheSpecification) {
  EXPECT_EQ(osc_bytes({"/heed/gain", {-3.0F, 0.5F}}), "/heed/gain\0\0,ff\0\xC0\x40\0\0\x3F\0\0\0"s);
  EXPECT_EQ(osc_bytes({"/abc", {std::int32_t{258}, std::string("go")}}), "/abc\0\0\0\0,is\0\0\0\x01\x02go\0\0"s);
}

TEST(OscMessage, FloatsKeepTheirSize) {
  OscFloats message("/g", 3);
  const std::array<double, 3> first{0, 0, 0};
  const std::array<double, 3> second{-12.25, 1e-30, 100};
  const std::size_t size = message.bytes(first).size();
  EXPECT_EQ(message.bytes(second), osc_bytes({"/g", {-12.25F, 1e-30F, 100.0F}}));
  EXPECT_EQ(message.bytes(second).size(), size);
}

TEST(OscMessage, WhatIsWrittenIsReadAloneAndInBundles) {
  const OscMessage message{"/heed/x", {1.5F, std::int32_t{-7}, std::string("text")}};
  std::vector<OscMessage> messages;
  ASSERT_TRUE(parse_osc(osc_bytes(message), messages));
  EXPECT_EQ(messages, std::vector<OscMessage>{message});
  const std::string one = osc_bytes(message);
  std::string bundle = "#bundle\0"s + std::string(8, '\0');
  for (int k = 0; k < 2; ++k) bundle += "\0\0\0"s + static_cast<char>(one.size()) + one;
  messages.clear();
  ASSERT_TRUE(parse_osc(bundle, messages));
  EXPECT_EQ(messages.size(), 2U);
}

TEST(OscMessage, WhatMakesNoSenseIsRefusedWhole) {
  std::vector<OscMessage> messages;
  for (const std::string& packet :
       {""s, "/"s, "/a"s, "/a\0\0"s, "/a\0\0,f\0\0"s, "/a\0\0,f\0\0\0\0\0"s, "/a\0\0,x\0\0"s, "a\0\0\0,\0\0\0"s,
        "/a*\0,\0\0\0"s, "/a\0\0,\0\0\0more"s, "#bundle\0"s, "#bundle\0\0\0\0\0\0\0\0\0\0\0\0\x09/a\0\0"s}) {
    EXPECT_FALSE(parse_osc(packet, messages)) << packet.size();
  }
  EXPECT_TRUE(messages.empty());
  std::string deep = osc_bytes({"/a", {}});
  for (int k = 0; k < 10; ++k) {
    deep = "#bundle\0"s + std::string(8, '\0') + "\0\0\0"s + static_cast<char>(deep.size()) + deep;
    if (deep.size() > 200) break;
  }
  EXPECT_FALSE(parse_osc(deep, messages));
  test::for_each_mutant(osc_bytes({"/heed/x", {1.5F, std::string("text")}}), 20'000, 1,
                        [&](const std::string& mutant) { (void)parse_osc(mutant, messages); });
}

}  // namespace
}  // namespace heed::live
