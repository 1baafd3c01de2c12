// SPDX-License-Identifier: MIT
// All gains as one OSC message of floats over UDP, of the same size each time, so that a receiver which copies without
// a lock never sees half of it out of place. Nobody answers; what nobody receives is counted where the system tells.
#include <heed/data/error.h>
#include <live/connections/endpoint.h>
#include <live/osc/osc_message.h>
#include <live/sinks/open_sink.h>
#include <live/sinks/threaded_sink.h>
#include <sys/socket.h>

#include <cerrno>

namespace heed::live {
namespace {

// Gains that are late are of no use: only the newest waits.
constexpr std::size_t places = 1;

class OscSpeech final : public Speech {
 public:
  OscSpeech(const Address& address, std::size_t speakers)
      : message_("/" + address.path, speakers), endpoint_(endpoints_of(address).front()) {
    socket_ = io::FileDescriptor(::socket(endpoint_.address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const auto* const peer = reinterpret_cast<const sockaddr*>(&endpoint_.address);  // NOLINT(*-reinterpret-cast)
    if (!socket_.is_open() || ::connect(socket_.get(), peer, endpoint_.length) != 0) {
      throw Error(ErrorKind::io, address.text + ": cannot be sent to (" + io::reason(errno) + ")");
    }
  }

  [[nodiscard]] bool deliver(const Report& report, const Waker&) override {
    const std::string_view bytes = message_.bytes(report.gains);
    // The first call after a packet that nobody took is told so; the second sends this one.
    for (int attempt = 0; attempt < 2; ++attempt) {
      if (::send(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL) == std::ssize(bytes)) {
        return attempt == 0;
      }
    }
    return false;
  }
  [[nodiscard]] std::string trouble() const override { return ""; }
  [[nodiscard]] SinkCounts counts() const noexcept override { return {}; }

 private:
  OscFloats message_;
  Endpoint endpoint_;
  io::FileDescriptor socket_{-1};
};

}  // namespace

std::unique_ptr<Sink> open_osc(const SinkRequest& request) {
  if (!is_osc_address("/" + request.address.path)) {
    throw Error(ErrorKind::invalid_argument, request.address.text + ": '/" + request.address.path +
                                                 "' cannot be an OSC address; write it as in /heed/gain");
  }
  const std::size_t speakers = request.stream.speakers.size();
  return std::make_unique<ThreadedSink>(std::make_unique<OscSpeech>(request.address, speakers),
                                        ThreadedSink::Room{places}, static_cast<Index>(speakers));
}

}  // namespace heed::live
