// SPDX-License-Identifier: MIT
#include <live/osc/osc_message.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

namespace heed::live {
namespace {

constexpr std::size_t word = 4;  // everything is a multiple of it
constexpr std::string_view bundle_name("#bundle\0", 8);
constexpr std::size_t time_bytes = 8;
constexpr int deepest = 4;
constexpr std::size_t most_messages = 64;

std::uint32_t big_endian(std::uint32_t value) {
  return std::endian::native == std::endian::little ? __builtin_bswap32(value) : value;
}

void put(std::string& bytes, std::uint32_t value) {
  const auto letters = std::bit_cast<std::array<char, word>>(big_endian(value));
  bytes.append(letters.data(), letters.size());
}

// At least one zero behind it.
void put(std::string& bytes, std::string_view text) {
  bytes += text;
  bytes.append(word - text.size() % word, '\0');
}

class Packet {
 public:
  explicit Packet(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool is_at_end() const noexcept { return rest_.empty(); }

  std::optional<std::uint32_t> number() {
    if (rest_.size() < word) return std::nullopt;
    std::uint32_t value = 0;
    std::memcpy(&value, rest_.data(), word);
    rest_.remove_prefix(word);
    return big_endian(value);
  }

  std::optional<std::string_view> text() {
    const std::size_t length = rest_.find('\0');
    if (length == std::string_view::npos) return std::nullopt;
    const std::size_t padded = (length / word + 1) * word;
    if (padded > rest_.size()) return std::nullopt;
    const std::string_view found = rest_.substr(0, length);
    rest_.remove_prefix(padded);
    return found;
  }

  std::optional<std::string_view> piece(std::size_t size) {
    if (size > rest_.size() || size % word != 0) return std::nullopt;
    const std::string_view found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return found;
  }

 private:
  std::string_view rest_;
};

std::optional<OscArgument> argument(Packet& packet, char type) {
  if (type == 's') {
    const auto text = packet.text();
    return text ? std::optional<OscArgument>(std::string(*text)) : std::nullopt;
  }
  if (type == 'T') return OscArgument(std::int32_t{1});
  if (type == 'F') return OscArgument(std::int32_t{0});
  if (type == 'd') {
    const auto high = packet.number();
    const auto low = packet.number();
    if (!high || !low) return std::nullopt;
    return OscArgument(static_cast<float>(std::bit_cast<double>((std::uint64_t{*high} << 32U) | *low)));
  }
  if (type != 'f' && type != 'i') return std::nullopt;
  const auto bits = packet.number();
  if (!bits) return std::nullopt;
  return type == 'f' ? OscArgument(std::bit_cast<float>(*bits)) : OscArgument(static_cast<std::int32_t>(*bits));
}

bool parse_message(std::string_view bytes, std::vector<OscMessage>& messages) {
  Packet packet(bytes);
  const auto address = packet.text();
  const auto types = packet.text();
  if (!address || !is_osc_address(*address) || !types || !types->starts_with(',')) return false;
  OscMessage message{std::string(*address), {}};
  for (const char type : types->substr(1)) {
    auto value = argument(packet, type);
    if (!value) return false;
    message.arguments.push_back(std::move(*value));
  }
  messages.push_back(std::move(message));
  return packet.is_at_end();
}

bool parse(std::string_view bytes, int depth, std::vector<OscMessage>& messages) {
  if (messages.size() >= most_messages) return false;
  if (!bytes.starts_with(bundle_name)) return parse_message(bytes, messages);
  Packet packet(bytes.substr(bundle_name.size()));
  if (depth == deepest || !packet.piece(time_bytes)) return false;
  while (!packet.is_at_end()) {
    const auto size = packet.number();
    const auto element = size ? packet.piece(*size) : std::nullopt;
    if (!element || !parse(*element, depth + 1, messages)) return false;
  }
  return true;
}

}  // namespace

bool is_osc_address(std::string_view address) {
  return address.starts_with('/') && address.size() > 1 && std::ranges::all_of(address, [](char c) {
           return c > ' ' && c < '\x7f' && std::string_view("#*,?[]{}").find(c) == std::string_view::npos;
         });
}

std::string osc_bytes(const OscMessage& message) {
  std::string types(",");
  std::string values;
  for (const OscArgument& value : message.arguments) {
    if (const auto* const number = std::get_if<float>(&value)) {
      types += 'f';
      put(values, std::bit_cast<std::uint32_t>(*number));
    } else if (const auto* const whole = std::get_if<std::int32_t>(&value)) {
      types += 'i';
      put(values, static_cast<std::uint32_t>(*whole));
    } else {
      types += 's';
      put(values, std::string_view(std::get<std::string>(value)));
    }
  }
  std::string bytes;
  put(bytes, std::string_view(message.address));
  put(bytes, std::string_view(types));
  return bytes + values;
}

OscFloats::OscFloats(std::string_view address, std::size_t count)
    : bytes_(osc_bytes({std::string(address), std::vector<OscArgument>(count, 0.0F)})),
      first_(bytes_.size() - count * word) {}

std::string_view OscFloats::bytes(std::span<const double> values) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::uint32_t bits = big_endian(std::bit_cast<std::uint32_t>(static_cast<float>(values[k])));
    std::memcpy(bytes_.data() + first_ + k * word, &bits, word);
  }
  return bytes_;
}

bool parse_osc(std::string_view packet, std::vector<OscMessage>& messages) {
  std::vector<OscMessage> parsed;
  if (!parse(packet, 0, parsed)) return false;
  messages.insert(messages.end(), std::make_move_iterator(parsed.begin()), std::make_move_iterator(parsed.end()));
  return true;
}

}  // namespace heed::live
