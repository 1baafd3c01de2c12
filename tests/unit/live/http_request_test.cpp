// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <live/page/http_request.h>

#include <string>

namespace heed::live {
namespace {

using State = RequestReader::State;

int status_of(const std::string& bytes) {
  RequestReader reader;
  return reader.take(bytes) == State::refused ? reader.status() : 0;
}

TEST(RequestReader, ReadsARequestHoweverItIsCut) {
  const std::string bytes =
      "POST /parameters?x=1 HTTP/1.1\r\nHost: 127.0.0.1:4333\r\nContent-Type:  application/json \r\n"
      "Content-Length: 4\r\n\r\n{\"a\"and what follows";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    RequestReader reader;
    for (std::size_t at = 0; at < bytes.size(); at += piece) reader.take(bytes.substr(at, piece));
    ASSERT_EQ(reader.state(), State::complete) << piece;
    const HttpRequest& request = reader.request();
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.path, "/parameters");
    EXPECT_EQ(request.query, "x=1");
    EXPECT_EQ(request.header("host"), "127.0.0.1:4333");
    EXPECT_EQ(request.header("content-type"), "application/json");
    EXPECT_EQ(request.header("origin"), "");
    EXPECT_EQ(request.body, "{\"a\"");
  }
}

TEST(RequestReader, WaitsForTheRest) {
  RequestReader reader;
  EXPECT_EQ(reader.take("GET / HTTP/1.1\r\nHost: a\r\n"), State::reading);
  EXPECT_EQ(reader.take("\r\n"), State::complete);
  RequestReader posting;
  EXPECT_EQ(posting.take("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n1"), State::reading);
  EXPECT_EQ(posting.take("2"), State::complete);
}

TEST(RequestReader, RefusesWhatIsNoPlainRequest) {
  EXPECT_EQ(status_of("GET /\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET http://other/ HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("G(T / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/2\r\n\r\n"), 505);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nno colon\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost : a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n"), 400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"), 400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\n\r\n"), 411);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nContent-Length: 1e3\r\n\r\n"), 400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nContent-Length: 4097\r\n\r\n"), 413);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n"), 413);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), 501);
}

// A line end, or a NUL, that hides in a target or a value would end up in somebody's log or answer.
TEST(RequestReader, RefusesControlCharacters) {
  EXPECT_EQ(status_of("GET /a\nb HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of(std::string("GET /a\0b HTTP/1.1\r\n\r\n", 21)), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\nSet-Cookie: b\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n"), 400);
}

TEST(RequestReader, KeepsNoMoreThanALittle) {
  const std::string head = "GET / HTTP/1.1\r\nX: ";
  EXPECT_EQ(status_of(head + std::string(9000, 'a')), 431);
  EXPECT_EQ(status_of(head + std::string(9000, 'a') + "\r\n\r\n"), 431);
  RequestReader reader;
  State state = reader.take(head);
  for (int k = 0; k < 9000 && state == State::reading; ++k) state = reader.take("a");
  EXPECT_EQ(reader.status(), 431);
  std::string many = "GET / HTTP/1.1\r\n";
  for (int k = 0; k < 65; ++k) many += "h" + std::to_string(k) + ": 1\r\n";
  EXPECT_EQ(status_of(many + "\r\n"), 400);
}

TEST(RequestReader, TakesTheLongestHeadAndBodyAtOnce) {
  const std::string line = "POST / HTTP/1.1\r\nContent-Length: 4096\r\nX: ";
  const std::string head = line + std::string(RequestReader::longest_head - line.size(), 'a') + "\r\n\r\n";
  RequestReader reader;
  EXPECT_EQ(reader.take(head + std::string(4096, 'b')), State::complete);
  EXPECT_EQ(reader.request().body.size(), 4096U);
}

}  // namespace
}  // namespace heed::live
