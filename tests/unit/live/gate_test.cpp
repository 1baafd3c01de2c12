// SPDX-License-Identifier: MIT
// Who may come in: hosts, origins, tokens.
#include <gtest/gtest.h>
#include <live/page/gate.h>

#include <string>

namespace heed::live {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

const std::string good_token(32, 'a');

int status(const Gate& gate, const std::string& method, const std::string& target, Headers headers) {
  const std::size_t question = std::min(target.find('?'), target.size());
  HttpRequest request{.method = method, .path = target.substr(0, question), .headers = std::move(headers)};
  if (question < target.size()) request.query = target.substr(question + 1);
  return gate.judge(request).status;
}

TEST(Gate, KnowsItsHost) {
  const Gate gate("127.0.0.1", "");
  for (const char* host : {"127.0.0.1:4333", "localhost:4333", "LOCALHOST", "[::1]:4333", "localhost:8000"}) {
    EXPECT_EQ(status(gate, "GET", "/", {{"host", host}}), 200) << host;
  }
  // A foreign name may have been bound to this address (DNS rebinding).
  for (const char* host :
       {"evil.example:4333", "", "127.0.0.1.evil.example", "localhost.evil.example", "192.168.0.1"}) {
    EXPECT_EQ(status(gate, "GET", "/", {{"host", host}}), 421) << host;
  }
  EXPECT_EQ(status(gate, "GET", "/", {}), 421);
}

TEST(Gate, BeyondLoopbackKnowsItsAddressOrAnyNumber) {
  const Headers cookie{{"cookie", "heed-token-4333=" + good_token}};
  const auto with_host = [&](const char* host) {
    Headers headers = cookie;
    headers.emplace_back("host", host);
    return headers;
  };
  const Gate one("192.168.0.10", good_token);
  EXPECT_EQ(status(one, "GET", "/", with_host("192.168.0.10:4333")), 200);
  EXPECT_EQ(status(one, "GET", "/", with_host("192.168.0.11:4333")), 421);
  const Gate six("fe80::1", good_token);
  EXPECT_EQ(status(six, "GET", "/", with_host("[fe80::1]:4333")), 200);
  const Gate all("0.0.0.0", good_token);
  EXPECT_EQ(status(all, "GET", "/", with_host("192.168.0.11:4333")), 200);
  EXPECT_EQ(status(all, "GET", "/", with_host("evil.example:4333")), 421);
}

TEST(Gate, LetsNoOtherSiteUseThePage) {
  const Gate gate("127.0.0.1", "");
  const std::pair<std::string, std::string> host{"host", "127.0.0.1:4333"};
  EXPECT_EQ(status(gate, "POST", "/demo", {host, {"origin", "http://127.0.0.1:4333"}}), 200);
  EXPECT_EQ(status(gate, "POST", "/demo", {host}), 403) << "an origin is needed to change anything";
  for (const char* origin : {"http://evil.example", "null", "http://127.0.0.1:8080", "https://127.0.0.1:4333"}) {
    EXPECT_EQ(status(gate, "POST", "/demo", {host, {"origin", origin}}), 403) << origin;
    EXPECT_EQ(status(gate, "GET", "/events", {host, {"origin", origin}}), 403) << origin;
  }
  EXPECT_EQ(status(gate, "GET", "/events", {host, {"sec-fetch-site", "same-origin"}}), 200);
  EXPECT_EQ(status(gate, "GET", "/events", {host, {"sec-fetch-site", "cross-site"}}), 403);
  EXPECT_EQ(status(gate, "GET", "/live.js", {host, {"sec-fetch-site", "same-site"}}), 403);
  EXPECT_EQ(status(gate, "GET", "/", {host, {"sec-fetch-site", "cross-site"}}), 200) << "a link to the page";
}

TEST(Gate, AsksForTheToken) {
  const Gate gate("192.168.0.10", good_token);
  const std::pair<std::string, std::string> host{"host", "192.168.0.10:4333"};
  std::string nearly = good_token;
  nearly.back() = 'b';
  EXPECT_EQ(status(gate, "GET", "/", {host}), 401);
  EXPECT_EQ(status(gate, "GET", "/?token=" + nearly, {host}), 401);
  EXPECT_EQ(status(gate, "GET", "/?token=" + good_token, {host}), 200);
  EXPECT_EQ(status(gate, "GET", "/?a=b&token=" + good_token, {host}), 200);
  EXPECT_EQ(status(gate, "GET", "/events?token=" + good_token, {host}), 401)
      << "the page alone takes it from the address";
  EXPECT_EQ(status(gate, "GET", "/events", {host, {"cookie", "heed-token-4333=" + nearly}}), 401);
  EXPECT_EQ(status(gate, "GET", "/events", {host, {"cookie", "heed-token-4333="}}), 401);
  EXPECT_EQ(status(gate, "GET", "/events", {host, {"cookie", "other=1; heed-token-4333=" + good_token}}), 200);
  EXPECT_EQ(gate.cookie_for({.path = "/", .query = "token=" + good_token, .headers = {host}}),
            "heed-token-4333=" + good_token + "; HttpOnly; SameSite=Strict; Path=/");
  EXPECT_EQ(gate.cookie_for({.path = "/", .query = "token=" + nearly, .headers = {host}}), "");
  EXPECT_EQ(Gate("127.0.0.1", "").cookie_for({.path = "/", .query = "token="}), "");
}

// A browser has one set of cookies for all ports of a machine.
TEST(Gate, SessionsOfOneMachineHaveCookiesOfTheirOwn) {
  const std::string other_token(32, 'b');
  const Gate one("192.168.0.10", good_token);
  const Gate other("192.168.0.10", other_token);
  const auto cookie = [](const Gate& gate, const std::string& host, const std::string& token) {
    const std::string set = gate.cookie_for({.path = "/", .query = "token=" + token, .headers = {{"host", host}}});
    return set.substr(0, set.find(';'));
  };
  const std::string both =
      cookie(one, "192.168.0.10:4333", good_token) + "; " + cookie(other, "192.168.0.10:4334", other_token);
  EXPECT_EQ(status(one, "GET", "/events", {{"host", "192.168.0.10:4333"}, {"cookie", both}}), 200);
  EXPECT_EQ(status(other, "GET", "/events", {{"host", "192.168.0.10:4334"}, {"cookie", both}}), 200);
  EXPECT_EQ(status(one, "GET", "/events", {{"host", "192.168.0.10:4334"}, {"cookie", both}}), 401);
  EXPECT_EQ(cookie(one, "192.168.0.10:4333; Domain=evil.example", good_token), "heed-token-=" + good_token);
}

TEST(Gate, TokensAreLongAndDiffer) {
  const std::string one = random_token();
  EXPECT_EQ(one.size(), 32U);
  EXPECT_EQ(one.find_first_not_of("0123456789abcdef"), one.npos);
  EXPECT_NE(one, random_token());
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  EXPECT_FALSE(equal_in_constant_time("abc", "abd"));
  EXPECT_FALSE(equal_in_constant_time("abc", "ab"));
}

TEST(Gate, KnowsNumbersOfNetworks) {
  for (const char* number : {"127.0.0.1", "10.1.2.3", "::1", "fe80::1"})
    EXPECT_TRUE(is_network_number(number)) << number;
  for (const char* name : {"", "localhost", "1.2.3", "evil.example", "127.0.0.1 "}) {
    EXPECT_FALSE(is_network_number(name)) << name;
  }
  EXPECT_TRUE(is_loopback_number("127.8.0.1"));
  EXPECT_TRUE(is_loopback_number("::1"));
  EXPECT_FALSE(is_loopback_number("0.0.0.0"));
}

}  // namespace
}  // namespace heed::live
