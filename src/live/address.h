// SPDX-License-Identifier: MIT
// Sources and sinks as short URLs: SCHEME:PATH, SCHEME://HOST:PORT/PATH, each with ?KEY=VALUE&KEY=VALUE, or - alone.
// There is one table of all of them, from which help, messages and the documentation's test take theirs.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::live {

struct Address {
  std::string text{};    // as it was given, for messages
  std::string scheme{};  // replay, simulated, tcp ...; "-" for standard input or output
  std::string host{};    // of SCHEME://
  int port = 0;          // likewise
  std::string path{};    // of SCHEME:, or what follows the port; %3F is a question mark
  std::map<std::string, std::string> options{};
};

enum class EndKind { source, sink };

struct AddressForm {
  std::string_view scheme{};
  std::string_view form{};     // replay:DIR[?switch-every=A-B&seed=N]
  std::string_view meaning{};  // one sentence
  bool source = false;
  bool sink = false;
  bool network = false;        // SCHEME://HOST:PORT
  std::string_view options{};  // keys that it knows, separated by spaces
};

[[nodiscard]] std::span<const AddressForm> address_forms() noexcept;

// Throws invalid_argument with the remedy: an unknown scheme (with the list of those for such an end), an option that
// the scheme does not know, a port that is none, a host or path that is missing.
[[nodiscard]] Address parse_address(std::string_view text, EndKind end);

// Options by their type. Throw invalid_argument naming address and option.
[[nodiscard]] std::optional<double> number_option(const Address& address, const std::string& key);
[[nodiscard]] std::optional<long> whole_option(const Address& address, const std::string& key);

}  // namespace heed::live
