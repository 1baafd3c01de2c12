// SPDX-License-Identifier: MIT
// What a page server shows: answers to requests, some of which go on for as long as the viewer stays.
#pragma once

#include <live/page/broadcast.h>
#include <live/page/http_request.h>

#include <string>
#include <string_view>

namespace heed::live {

struct Answer {
  int status = 200;
  std::string_view type{"text/plain; charset=utf-8"};
  std::string body{};
  std::string cookie{};               // Set-Cookie
  const Broadcast* stream = nullptr;  // goes on with its pieces after the body
  Broadcast::Place place{};           // from there on
};

// In words, for people.
[[nodiscard]] Answer refusal(int status, std::string_view words);

// The bytes of an answer up to its body, with the headers that keep a page safe. Nothing that a client sent is in them.
[[nodiscard]] std::string head_of(const Answer& answer);

// Used by the server's thread alone.
class Site {
 public:
  Site() = default;
  virtual ~Site() = default;
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;
  Site(Site&&) = delete;
  Site& operator=(Site&&) = delete;

  [[nodiscard]] virtual Answer answer(const HttpRequest& request) = 0;
  // Some time has passed, or the server was woken: streams may go on.
  virtual void refresh() = 0;
};

}  // namespace heed::live
