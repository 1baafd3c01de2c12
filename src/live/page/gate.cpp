// SPDX-License-Identifier: MIT
#include <arpa/inet.h>
#include <heed/data/error.h>
#include <io/open_file.h>
#include <live/page/gate.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace heed::live {
namespace {

// Browsers send the cookies of a host to all of its ports: by the port, which ends the host's name, sessions on one
// machine do not take each other's.
std::string cookie_name(const HttpRequest& request) {
  const std::string_view host = request.header("host");
  return "heed-token-" + std::string(host.substr(host.find_last_not_of("0123456789") + 1));
}

// Without brackets and port; in lower case.
std::string host_name(std::string_view host) {
  std::string name;
  if (host.starts_with('[')) {
    name = host.substr(1, std::min(host.find(']'), host.size()) - 1);
  } else {
    name = host.substr(0, host.find(':'));
  }
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name;
}

// The value of NAME in "NAME=VALUE; OTHER=..." or "NAME=VALUE&OTHER=...".
std::string_view value_of(std::string_view name, std::string_view pairs, char separator) {
  while (!pairs.empty()) {
    const std::size_t end = std::min(pairs.find(separator), pairs.size());
    std::string_view pair = pairs.substr(0, end);
    pairs.remove_prefix(std::min(end + 1, pairs.size()));
    while (pair.starts_with(' ')) pair.remove_prefix(1);
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('=')) return pair.substr(name.size() + 1);
  }
  return {};
}

}  // namespace

Gate::Gate(std::string_view address, std::string token)
    : address_(host_name(address.find(':') == std::string_view::npos ? std::string(address)
                                                                     : "[" + std::string(address) + "]")),
      everywhere_(address_ == "0.0.0.0" || address_ == "::"),
      token_(std::move(token)) {}

bool Gate::is_our_host(std::string_view host) const {
  const std::string name = host_name(host);
  if (name == "localhost" || name == "127.0.0.1" || name == "::1" || name == address_) return true;
  return everywhere_ && is_network_number(name);
}

bool Gate::has_token(const HttpRequest& request) const {
  if (token_.empty()) return true;
  const std::string_view brought = value_of(cookie_name(request), request.header("cookie"), ';');
  return equal_in_constant_time(brought, token_) || !cookie_for(request).empty();
}

std::string Gate::cookie_for(const HttpRequest& request) const {
  if (token_.empty() || request.path != "/") return "";
  if (!equal_in_constant_time(value_of("token", request.query, '&'), token_)) return "";
  return cookie_name(request) + "=" + token_ + "; HttpOnly; SameSite=Strict; Path=/";
}

Gate::Verdict Gate::judge(const HttpRequest& request) const {
  const std::string_view host = request.header("host");
  if (!is_our_host(host)) return {421, "This page is not known by that name. Use the address that heed printed."};
  const std::string_view origin = request.header("origin");
  const bool own_origin = origin == "http://" + std::string(host);
  if ((!origin.empty() || request.method == "POST") && !own_origin) {
    return {403, "Another site may not use this page."};
  }
  // Browsers say where a request comes from; a link to the page is fine, the rest is for the page itself.
  const std::string_view from = request.header("sec-fetch-site");
  if (request.path != "/" && !from.empty() && from != "same-origin" && from != "none") {
    return {403, "Another site may not use this page."};
  }
  if (!has_token(request)) return {401, "Open the address that heed printed: it ends with ?token=..."};
  return {};
}

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw Error(ErrorKind::io, "the operating system gives no random numbers: " + io::reason(errno));
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += digits[byte / 16];
    token += digits[byte % 16];
  }
  return token;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;  // lengths are no secret
  unsigned char different = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    different =
        static_cast<unsigned char>(different | (static_cast<unsigned char>(a[k]) ^ static_cast<unsigned char>(b[k])));
  }
  return different == 0;
}

bool is_network_number(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return ::inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

bool is_loopback_number(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  if (::inet_pton(AF_INET, host.c_str(), address.data()) == 1) return address[0] == 127;
  return host == "::1";
}

}  // namespace heed::live
