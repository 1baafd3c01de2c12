// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <live/address.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

namespace heed::live {
namespace {

constexpr std::array forms{
    AddressForm{"replay",
                "replay:DIR[?switch-every=A-B&seed=N], replay:FILE.xdf[?eeg=STREAM&speakers=NAME:STREAM,...] or "
                "replay:FILE of another format",
                "a run of a BIDS folder, a recording of LabRecorder, or one file of EEG; with switch-every, the "
                "talkers' sounds are exchanged every A to B seconds",
                true, false, false, "switch-every seed eeg speakers"},
    AddressForm{"simulated",
                "simulated:[?duration=S&speakers=N&channels=N&rate=HZ&switch-every=A-B&seed=N&control=-|unix:PATH|"
                "tcp://HOST:PORT]",
                "a simulated listener, with a decoder of its own where none is given; with control, lines that name a "
                "speaker move its attention",
                true, false, false, "duration speakers channels rate switch-every seed control"},
    AddressForm{"-", "-", "NDJSON on standard input; as a sink, on standard output", true, true, false, ""},
    AddressForm{"tcp", "tcp://HOST:PORT[?connect=1]",
                "NDJSON over TCP; as a source heed listens unless connect=1, as a sink it connects", true, true, true,
                "connect"},
    AddressForm{"unix", "unix:PATH[?connect=1]", "NDJSON over a Unix socket, likewise", true, true, false, "connect"},
    AddressForm{"biosemi", "biosemi://HOST:PORT?channels=N&rate=HZ[&samples=N&cap=NAMES&status=0|1]",
                "EEG of BioSemi ActiView's TCP server; the speakers' sound comes from files", true, false, true,
                "channels rate samples cap status"},
    AddressForm{"lsl", "lsl:[NAME][?speakers=SPEAKER:STREAM,...&markers=STREAM&timeout=S]",
                "the lab streaming layer: as a source the EEG stream NAME, sound of streams of type Audio or Envelope "
                "and markers; as a sink the streams heed-posterior and heed-switch",
                true, true, false, "speakers markers timeout"},
    AddressForm{"osc", "osc://HOST:PORT/PATH[?send=gains|posterior|decision&numbers=N,N]",
                "all gains in dB, or the posterior, as one OSC message of floats, over UDP; a PATH with {speaker} has "
                "one message per speaker, and of a decision the speaker's number is sent",
                false, true, true, "send numbers"},
    AddressForm{"tsv", "tsv:FILE", "a posterior table, as heed track writes it; every row is kept at once", false, true,
                false, ""},
    AddressForm{"ndjson", "ndjson:FILE|-", "one JSON object per line, in a file or on standard output", false, true,
                false, ""},
    AddressForm{"mha", "mha://HOST:PORT/VARIABLE", "gains in dB for openMHA's TCP port: VARIABLE=[g1 g2 ...]", false,
                true, true, ""},
};

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw Error(ErrorKind::invalid_argument, std::string(text) + ": " + why);
}

bool serves(const AddressForm& form, EndKind end) { return end == EndKind::source ? form.source : form.sink; }

const AddressForm& form_of(std::string_view scheme, std::string_view text, EndKind end) {
  for (const AddressForm& form : forms) {
    if (form.scheme == scheme && serves(form, end)) return form;
  }
  if (end == EndKind::source && std::filesystem::exists(text)) {
    refuse(text, "this is a file or folder; to replay it, write replay:" + std::string(text));
  }
  std::string known;
  for (const AddressForm& form : forms) {
    if (serves(form, end)) known += (known.empty() ? "" : ", ") + std::string(form.form);
  }
  refuse(text,
         std::string("not a ") + (end == EndKind::source ? "source" : "sink") + " that heed knows; it knows " + known);
}

int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string decoded(std::string_view part) {
  std::string result;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const bool coded =
        part[i] == '%' && i + 2 < part.size() && hex_digit(part[i + 1]) >= 0 && hex_digit(part[i + 2]) >= 0;
    result += coded ? static_cast<char>((hex_digit(part[i + 1]) * 16) + hex_digit(part[i + 2])) : part[i];
    if (coded) i += 2;
  }
  return result;
}

template <typename Number>
std::optional<Number> parsed(std::string_view text) {
  Number number{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool knows(const AddressForm& form, std::string_view key) {
  std::string_view rest = form.options;
  while (!rest.empty()) {
    const std::size_t space = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, space) == key) return true;
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  return false;
}

void add_options(std::string_view query, const AddressForm& form, Address& address) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view option = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const std::size_t equals = option.find('=');
    const std::string key(option.substr(0, equals));
    if (equals == std::string_view::npos || key.empty())
      refuse(address.text, "'" + std::string(option) + "' is not an option; write KEY=VALUE");
    if (!knows(form, key)) {
      refuse(address.text, "there is no option '" + key + "' here; the form is " + std::string(form.form));
    }
    if (!address.options.emplace(key, decoded(option.substr(equals + 1))).second)
      refuse(address.text, "the option '" + key + "' is given twice");
  }
}

// HOST:PORT[/PATH]; a host in brackets may hold colons.
void add_network(std::string_view place, const AddressForm& form, Address& address) {
  const std::string shape = "write " + std::string(form.form);
  if (!place.starts_with("//")) refuse(address.text, shape);
  place.remove_prefix(2);
  const std::size_t slash = std::min(place.find('/'), place.size());
  if (slash < place.size()) address.path = decoded(place.substr(slash + 1));
  std::string_view host = place.substr(0, slash);
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos || colon == 0) refuse(address.text, "host or port is missing; " + shape);
  const auto port = parsed<int>(host.substr(colon + 1));
  if (!port || *port < 0 || *port > 65535) {
    refuse(address.text, "'" + std::string(host.substr(colon + 1)) + "' is not a port; give a number from 0 to 65535");
  }
  host = host.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  address.host = host;
  address.port = *port;
}

}  // namespace

std::span<const AddressForm> address_forms() noexcept { return forms; }

Address parse_address(std::string_view text, EndKind end) {
  Address address{.text = std::string(text)};
  if (text == "-") {
    address.scheme = text;
    return address;
  }
  // What needs no path needs no colon either.
  if (text == "lsl") text = "lsl:";
  const std::size_t colon = text.find(':');
  address.scheme = text.substr(0, colon);
  const AddressForm& form =
      form_of(colon == std::string_view::npos ? std::string_view{} : text.substr(0, colon), text, end);
  std::string_view place = text.substr(colon + 1);
  const std::size_t question = std::min(place.find('?'), place.size());
  if (question < place.size()) add_options(place.substr(question + 1), form, address);
  place = place.substr(0, question);
  if (form.network) {
    add_network(place, form, address);
  } else {
    address.path = decoded(place);
  }
  const bool may_be_empty = form.scheme == "simulated" || form.scheme == "lsl";
  const bool wants_path = !may_be_empty && (!form.network || form.scheme == "mha" || form.scheme == "osc");
  if (wants_path && address.path.empty()) refuse(text, "something is missing; write " + std::string(form.form));
  if (form.scheme == "simulated" && !address.path.empty()) {
    refuse(text, "a simulated listener has no name; write " + std::string(form.form));
  }
  return address;
}

std::optional<double> number_option(const Address& address, const std::string& key) {
  const auto found = address.options.find(key);
  if (found == address.options.end()) return std::nullopt;
  const auto number = parsed<double>(found->second);
  if (!number) refuse(address.text, key + "=" + found->second + ": give a number");
  return number;
}

std::optional<long> whole_option(const Address& address, const std::string& key) {
  const auto found = address.options.find(key);
  if (found == address.options.end()) return std::nullopt;
  const auto number = parsed<long>(found->second);
  if (!number) refuse(address.text, key + "=" + found->second + ": give a whole number");
  return number;
}

}  // namespace heed::live
