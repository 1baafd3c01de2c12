// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <report/page/page_policy.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace heed::report {
namespace {

constexpr std::size_t digest_bytes = 32;
using Digest = std::array<std::uint8_t, digest_bytes>;

Digest parse_digest(std::string_view hex) {
  Digest bytes{};
  bool good = hex.size() == 2 * digest_bytes;
  for (std::size_t k = 0; good && k < digest_bytes; ++k) {
    const std::string_view two = hex.substr(2 * k, 2);
    const auto [end, fault] = std::from_chars(two.data(), two.data() + two.size(), bytes.at(k), 16);
    good = fault == std::errc{} && end == two.data() + two.size();
  }
  if (!good) {
    throw Error(ErrorKind::invalid_argument,
                "'" + std::string(hex) + "' is no SHA-256 digest of a script; give 64 hexadecimal digits");
  }
  return bytes;
}

// Three bytes are four letters of six bits; what is missing of the last three is said by '='.
std::string base64(const Digest& bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) bits = (bits << 8U) | (i < count ? bytes.at(k + i) : 0U);
    for (std::size_t i = 0; i < 4; ++i) text += i <= count ? letters[(bits >> (18 - (6 * i))) & 63U] : '=';
  }
  return text;
}

}  // namespace

std::string allowed_scripts(const std::vector<Script>& scripts) {
  std::string policy;
  for (const Script& script : scripts) policy += " 'sha256-" + base64(parse_digest(script.sha256)) + "'";
  return policy.empty() ? "" : "; script-src" + policy;
}

}  // namespace heed::report
