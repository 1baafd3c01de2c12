// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/open_file.h>
#include <live/connections/endpoint.h>
#include <live/osc/osc_input.h>
#include <live/osc/osc_message.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>
#include <vector>

namespace heed::live {
namespace {

constexpr std::size_t largest_packet = 4096;
constexpr int packets_at_once = 16;  // a flood of them does not keep blocks from the session
constexpr std::size_t longest_text = 256;

io::FileDescriptor listening(const OscInputOptions& options) {
  const Address address{.text = "OSC on " + options.host + ":" + std::to_string(options.port),
                        .scheme = "udp",
                        .host = options.host,
                        .port = options.port};
  const Endpoint endpoint = endpoints_of(address).front();
  io::FileDescriptor socket(::socket(endpoint.address.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const auto* const place = reinterpret_cast<const sockaddr*>(&endpoint.address);  // NOLINT(*-reinterpret-cast)
  if (!socket.is_open() || ::bind(socket.get(), place, endpoint.length) != 0) {
    throw Error(ErrorKind::io, address.text + " cannot be received (" + io::reason(errno) + "); choose another port");
  }
  return socket;
}

std::optional<double> number_of(const OscArgument& argument) {
  if (const auto* const value = std::get_if<float>(&argument)) return *value;
  if (const auto* const value = std::get_if<std::int32_t>(&argument)) return *value;
  return std::nullopt;
}

class WithOscInput final : public Source {
 public:
  WithOscInput(std::unique_ptr<Source> source, OscInputOptions options)
      : source_(std::move(source)), options_(std::move(options)), socket_(listening(options_)) {}

  [[nodiscard]] const StreamDescription& description() const override { return source_->description(); }
  [[nodiscard]] bool is_stored() const noexcept override { return source_->is_stored(); }
  [[nodiscard]] SourceCounts counts() const noexcept override {
    SourceCounts counts = source_->counts();
    counts.refused += refused_;
    return counts;
  }

  Arrival next(Block& block, Seconds patience) override {
    // Whoever floods the port neither grows the queue nor keeps the source from its turn.
    if (waiting_.empty()) {
      const Arrival arrival = source_->next(block, patience);
      if (arrival == Arrival::block && block.stamp) now_ = *block.stamp;
      receive();
      return arrival;
    }
    block = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    return Arrival::block;
  }

 private:
  void receive() {
    for (int k = 0; k < packets_at_once; ++k) {
      const ssize_t size = ::recv(socket_.get(), bytes_.data(), bytes_.size(), MSG_DONTWAIT | MSG_TRUNC);
      if (size < 0) return;
      messages_.clear();
      const bool fits = static_cast<std::size_t>(size) <= bytes_.size();
      if (!fits || !parse_osc({bytes_.data(), static_cast<std::size_t>(size)}, messages_)) {
        ++refused_;
        continue;
      }
      for (const OscMessage& message : messages_) refused_ += take(message) ? 0 : 1;
    }
  }

  bool take(const OscMessage& message) {
    const auto& values = message.arguments;
    if (message.address == "/heed/marker" || message.address == "/heed/attended") {
      const auto* const text = values.size() == 1 ? std::get_if<std::string>(&values.front()) : nullptr;
      if (text == nullptr || text->size() > longest_text) return false;
      return message.address == "/heed/marker" ? add_marker(*text) : add_attended(*text);
    }
    ParameterChange change;
    if (message.address == "/heed/switch-probability" && values.size() == 1) {
      change.switch_probability = number_of(values[0]);
      return change.switch_probability && apply(change);
    }
    if (message.address == "/heed/gain-range" && values.size() == 2) {
      change.suppressed_decibel = number_of(values[0]);
      change.enhanced_decibel = number_of(values[1]);
      return change.suppressed_decibel && change.enhanced_decibel && apply(change);
    }
    return false;
  }

  [[nodiscard]] bool apply(const ParameterChange& change) const {
    if (!options_.change) return false;
    try {
      options_.change(change);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  bool add_marker(const std::string& text) {
    Block block;
    block.kind = BlockKind::marker;
    block.stamp = now_;
    block.text = text;
    waiting_.push_back(std::move(block));
    return true;
  }

  bool add_attended(const std::string& name) {
    const auto& speakers = description().speakers;
    const auto found = std::ranges::find(speakers, name);
    if (found == speakers.end() && !name.empty()) return false;
    Block block;
    block.kind = BlockKind::attended;
    block.stamp = now_;
    block.speaker = name.empty() ? unknown_speaker : static_cast<Speaker>(found - speakers.begin());
    waiting_.push_back(std::move(block));
    return true;
  }

  std::unique_ptr<Source> source_;
  OscInputOptions options_;
  io::FileDescriptor socket_;
  std::array<char, largest_packet> bytes_{};
  std::vector<OscMessage> messages_{};
  std::vector<Block> waiting_{};
  Seconds now_{};  // on the source's clock: the last stamp that came
  Index refused_ = 0;
};

}  // namespace

std::unique_ptr<Source> with_osc_input(std::unique_ptr<Source> source, OscInputOptions options) {
  return std::make_unique<WithOscInput>(std::move(source), std::move(options));
}

}  // namespace heed::live
