// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <live/address.h>

#include <string>

namespace heed::live {
namespace {

std::string refusal(const std::string& text, EndKind end = EndKind::source) {
  try {
    (void)parse_address(text, end);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Address, OfEveryForm) {
  const Address replay = parse_address("replay:../data/my%3Fset?switch-every=60-125&seed=1", EndKind::source);
  EXPECT_EQ(replay.scheme, "replay");
  EXPECT_EQ(replay.path, "../data/my?set");
  EXPECT_EQ(replay.options.at("switch-every"), "60-125");
  EXPECT_EQ(whole_option(replay, "seed"), 1);
  EXPECT_FALSE(number_option(replay, "absent"));

  EXPECT_EQ(parse_address("simulated:", EndKind::source).path, "");
  EXPECT_EQ(parse_address("-", EndKind::source).scheme, "-");
  EXPECT_EQ(parse_address("-", EndKind::sink).scheme, "-");
  EXPECT_EQ(parse_address("unix:/run/a b.sock", EndKind::sink).path, "/run/a b.sock");
  EXPECT_EQ(parse_address("ndjson:-", EndKind::sink).path, "-");
  EXPECT_EQ(parse_address("tsv:live.tsv", EndKind::sink).path, "live.tsv");

  const Address mha = parse_address("mha://127.0.0.1:33337/mha.gain.gains", EndKind::sink);
  EXPECT_EQ(mha.host, "127.0.0.1");
  EXPECT_EQ(mha.port, 33337);
  EXPECT_EQ(mha.path, "mha.gain.gains");
  EXPECT_EQ(parse_address("tcp://[::1]:5000", EndKind::source).host, "::1");
  const Address biosemi = parse_address("biosemi://localhost:8888?channels=64&rate=2048", EndKind::source);
  EXPECT_EQ(number_option(biosemi, "rate"), 2048);
}

TEST(Address, RefusalsNameTheRemedy) {
  EXPECT_NE(refusal("gopher:x").find("replay:DIR"), std::string::npos);
  EXPECT_NE(refusal("data").find("replay:DIR"), std::string::npos);
  EXPECT_NE(refusal("tsv:x.tsv").find("not a source"), std::string::npos);
  EXPECT_NE(refusal("replay:x", EndKind::sink).find("not a sink"), std::string::npos);
  EXPECT_NE(refusal("replay:").find("replay:DIR"), std::string::npos);
  EXPECT_NE(refusal("replay:x?sed=1").find("'sed'"), std::string::npos);
  EXPECT_NE(refusal("replay:x?seed=1&seed=2").find("twice"), std::string::npos);
  EXPECT_NE(refusal("replay:x?seed").find("KEY=VALUE"), std::string::npos);
  EXPECT_NE(refusal("tcp://localhost").find("missing"), std::string::npos);
  EXPECT_NE(refusal("tcp:localhost:1").find("tcp://HOST:PORT"), std::string::npos);
  EXPECT_NE(refusal("tcp://localhost:99999").find("65535"), std::string::npos);
  EXPECT_NE(refusal("tcp://localhost:http").find("65535"), std::string::npos);
  EXPECT_NE(refusal("mha://localhost:33337", EndKind::sink).find("VARIABLE"), std::string::npos);
  const Address wrong = parse_address("replay:x?seed=one", EndKind::source);
  EXPECT_THROW((void)whole_option(wrong, "seed"), Error);
}

TEST(Address, EveryFormOfTheTableIsReadBack) {
  for (const AddressForm& form : address_forms()) {
    EXPECT_TRUE(form.source || form.sink) << form.scheme;
    EXPECT_TRUE(form.form.starts_with(form.scheme)) << form.scheme;
    EXPECT_FALSE(form.meaning.empty()) << form.scheme;
  }
}

}  // namespace
}  // namespace heed::live
