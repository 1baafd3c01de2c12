// SPDX-License-Identifier: MIT
// Who may come in. A page on the loopback device is for whoever sits at the machine, but every site that they visit can
// make their browser send requests here: so the host must be one of ours (a foreign name may have been bound to our
// address), and what changes anything must come from our own page. Beyond loopback a token is asked for.
#pragma once

#include <live/page/http_request.h>

#include <string>
#include <string_view>

namespace heed::live {

class Gate {
 public:
  // address: what is listened on, a number such as 127.0.0.1 or ::1. token: empty, or 32 hexadecimal digits.
  Gate(std::string_view address, std::string token);

  struct Verdict {
    int status = 200;  // 401, 403 or 421
    std::string_view words{};
  };
  [[nodiscard]] Verdict judge(const HttpRequest& request) const;

  // The value of Set-Cookie for somebody who came with the token in the address; empty: nothing to set.
  [[nodiscard]] std::string cookie_for(const HttpRequest& request) const;

 private:
  [[nodiscard]] bool is_our_host(std::string_view host) const;
  [[nodiscard]] bool has_token(const HttpRequest& request) const;

  std::string address_;
  bool everywhere_;  // any address of the machine
  std::string token_;
};

// 128 bits from the operating system, in hexadecimal digits. Throws io.
[[nodiscard]] std::string random_token();

// Takes as long for a near miss as for a wild guess of the same length.
[[nodiscard]] bool equal_in_constant_time(std::string_view a, std::string_view b) noexcept;

// A number that stands for a machine, and no name that somebody may bind to another one.
[[nodiscard]] bool is_network_number(const std::string& host);
[[nodiscard]] bool is_loopback_number(const std::string& host);

}  // namespace heed::live
