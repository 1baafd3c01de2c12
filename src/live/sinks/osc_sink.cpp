// SPDX-License-Identifier: MIT
// OSC over UDP: gains, posterior or decision after each window. All numbers go into one message of floats, of the same
// size each time, so that a receiver which copies without a lock never sees half of it out of place; a path with
// {speaker} has one message per speaker instead. Nobody answers; what nobody receives is counted where the system
// tells.
#include <heed/data/error.h>
#include <live/connections/endpoint.h>
#include <live/osc/osc_message.h>
#include <live/sinks/open_sink.h>
#include <live/sinks/threaded_sink.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <span>
#include <utility>

namespace heed::live {
namespace {

// Gains that are late are of no use: only the newest waits.
constexpr std::size_t places = 1;
constexpr std::string_view speaker_place = "{speaker}";

enum class Content { gains, posterior, decision };

struct OscPlan {
  Content content = Content::gains;
  std::vector<double> numbers{};         // of a decision: what is sent for each speaker
  std::vector<std::string> addresses{};  // one, or one per speaker
};

[[noreturn]] void refuse(const Address& address, const std::string& why) {
  throw Error(ErrorKind::invalid_argument, address.text + ": " + why);
}

Content content_of(const Address& address) {
  constexpr std::array<std::pair<std::string_view, Content>, 3> names{
      {{"gains", Content::gains}, {"posterior", Content::posterior}, {"decision", Content::decision}}};
  const auto wanted = address.options.find("send");
  if (wanted == address.options.end()) return Content::gains;
  for (const auto& [name, content] : names) {
    if (wanted->second == name) return content;
  }
  refuse(address, "send=" + wanted->second + ": give gains, posterior or decision");
}

// 12,60: the number of each speaker; without them 0, 1 and so on.
std::vector<double> numbers_of(const Address& address, std::size_t speakers) {
  std::vector<double> numbers;
  const auto given = address.options.find("numbers");
  if (given == address.options.end()) {
    for (std::size_t k = 0; k < speakers; ++k) numbers.push_back(static_cast<double>(k));
    return numbers;
  }
  std::string_view rest = given->second;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    double number = 0;
    const auto [stop, failure] = std::from_chars(rest.data(), rest.data() + end, number);
    if (failure != std::errc{} || stop != rest.data() + end) break;
    numbers.push_back(number);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (!rest.empty() || numbers.size() != speakers) {
    refuse(address, "numbers=" + given->second + ": give one number for each of the " + std::to_string(speakers) +
                        " speakers, separated by commas");
  }
  return numbers;
}

std::vector<std::string> addresses_of(const Address& address, const std::vector<std::string>& speakers) {
  const std::string path = "/" + address.path;
  const std::size_t place = path.find(speaker_place);
  std::vector<std::string> addresses{path};
  if (place != std::string::npos) {
    addresses.clear();
    for (const std::string& speaker : speakers) {
      addresses.push_back(path.substr(0, place) + speaker + path.substr(place + speaker_place.size()));
    }
  }
  for (const std::string& one : addresses) {
    if (!is_osc_address(one)) {
      refuse(address, "'" + one + "' cannot be an OSC address; write it as in /heed/gain, or /scene/{speaker}/0/gain");
    }
  }
  return addresses;
}

OscPlan plan_of(const SinkRequest& request) {
  const Address& address = request.address;
  OscPlan plan{content_of(address), {}, addresses_of(address, request.stream.speakers)};
  if (plan.content == Content::decision) {
    if (plan.addresses.size() > 1) refuse(address, "a decision is one number; leave {speaker} out");
    plan.numbers = numbers_of(address, request.stream.speakers.size());
  } else if (address.options.contains("numbers")) {
    refuse(address, "numbers need send=decision");
  }
  return plan;
}

class OscSpeech final : public Speech {
 public:
  OscSpeech(const Address& address, OscPlan plan, std::size_t speakers)
      : plan_(std::move(plan)), endpoint_(endpoints_of(address).front()) {
    const bool single = plan_.content == Content::decision || plan_.addresses.size() > 1;
    for (const std::string& one : plan_.addresses) messages_.emplace_back(one, single ? 1 : speakers);
    socket_ = io::FileDescriptor(::socket(endpoint_.address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const auto* const peer = reinterpret_cast<const sockaddr*>(&endpoint_.address);  // NOLINT(*-reinterpret-cast)
    if (!socket_.is_open() || ::connect(socket_.get(), peer, endpoint_.length) != 0) {
      throw Error(ErrorKind::io, address.text + ": cannot be sent to (" + io::reason(errno) + ")");
    }
  }

  [[nodiscard]] bool deliver(const Report& report, const Waker&) override {
    const std::span<const double> values = values_of(report);
    if (values.empty()) return true;  // nothing is decided yet
    bool arrived = true;
    const std::size_t each = values.size() / messages_.size();
    for (std::size_t k = 0; k < messages_.size(); ++k) {
      arrived = send(messages_[k].bytes(values.subspan(k * each, each))) && arrived;
    }
    return arrived;
  }
  [[nodiscard]] std::string trouble() const override { return ""; }
  [[nodiscard]] SinkCounts counts() const noexcept override { return {}; }

 private:
  [[nodiscard]] std::span<const double> values_of(const Report& report) const {
    if (plan_.content == Content::gains) return report.gains;
    if (plan_.content == Content::posterior) return report.posterior;
    if (report.decision == unknown_speaker) return {};
    return {&plan_.numbers[static_cast<std::size_t>(report.decision)], 1};
  }

  [[nodiscard]] bool send(std::string_view bytes) const {
    // The first call after a packet that nobody took is told so; the second sends this one.
    for (int attempt = 0; attempt < 2; ++attempt) {
      if (::send(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL) == std::ssize(bytes)) {
        return attempt == 0;
      }
    }
    return false;
  }

  OscPlan plan_;
  std::vector<OscFloats> messages_{};
  Endpoint endpoint_;
  io::FileDescriptor socket_{-1};
};

}  // namespace

std::unique_ptr<Sink> open_osc(const SinkRequest& request) {
  const std::size_t speakers = request.stream.speakers.size();
  return std::make_unique<ThreadedSink>(std::make_unique<OscSpeech>(request.address, plan_of(request), speakers),
                                        ThreadedSink::Room{places}, static_cast<Index>(speakers));
}

}  // namespace heed::live
