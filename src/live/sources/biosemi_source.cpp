// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <live/connections/endpoint.h>
#include <live/sources/biosemi_decoder.h>
#include <live/sources/open_source.h>
#include <live/sources/threaded_source.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

namespace heed::live {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Seconds connecting{5};
constexpr Seconds between_attempts{0.25};
constexpr Seconds given_up{30};       // after so long without ActiView the stream has ended
constexpr Seconds kept{10};           // EEG that may wait for a session that is busy
constexpr Seconds before_opinion{5};  // time over which the rate is measured

Seconds since(Clock::time_point moment) { return {std::chrono::duration<double>(Clock::now() - moment).count()}; }

BiosemiLayout layout_of(const Address& address) {
  const auto channels = whole_option(address, "channels");
  const auto rate = number_option(address, "rate");
  if (!channels || !rate) {
    throw Error(ErrorKind::invalid_argument,
                address.text +
                    ": ActiView does not tell what it sends; give channels and rate as they are set there, "
                    "as in ?channels=64&rate=2048");
  }
  BiosemiLayout layout{.channels = *channels, .rate = Hertz{*rate}};
  layout.block_rows = whole_option(address, "samples").value_or(0);
  if (const auto status = whole_option(address, "status")) layout.status = *status != 0;
  return layout;
}

std::vector<std::string> channel_names(const Address& address, Index count) {
  const auto found = address.options.find("cap");
  if (found == address.options.end()) return biosemi_channels(count);
  std::vector<std::string> names(1);
  for (const char c : found->second) {
    if (c == ',') {
      names.emplace_back();
    } else {
      names.back() += c;
    }
  }
  if (static_cast<Index>(names.size()) != count) {
    throw Error(ErrorKind::invalid_argument, address.text + ": cap names " + std::to_string(names.size()) +
                                                 " channels, but there are " + std::to_string(count) +
                                                 "; name them all, separated by commas");
  }
  return names;
}

class BiosemiStream final : public BlockReader {
 public:
  explicit BiosemiStream(const Address& address) : address_(address), decoder_(layout_of(address)) {
    const BiosemiLayout layout = layout_of(address);
    stream_.name = address.text;
    stream_.sampling_frequency = layout.rate;
    stream_.channels = channel_names(address, layout.channels);
    endpoints_ = endpoints_of(address);
    try {
      socket_.emplace(connect_to(address_, endpoints_, Waker{}, connecting));
    } catch (const Error& error) {
      throw Error(error.kind(), std::string(error.what()) + " (ActiView's TCP server must be started)");
    }
  }

  [[nodiscard]] const StreamDescription& description() const override { return stream_; }

  void run(BlockQueue& queue, const Waker& waker) override {
    do {
      try {
        if (!receive(queue, waker)) return;
      } catch (const Error& error) {
        throw error.within(address_.text);
      }
    } while (reconnect(waker));
  }

  [[nodiscard]] SourceCounts counts() const noexcept override {
    return {.reconnects = reconnects_, .out_of_range = out_of_range_, .battery_low = battery_low_};
  }

 private:
  // Until the connection is lost; false: woken, or nobody takes blocks any more.
  bool receive(BlockQueue& queue, const Waker& waker) {
    constexpr Seconds long_time{3600};  // after which it is waited for again
    const Index rows_before = decoder_.rows();
    std::optional<Clock::time_point> first;
    bool measured = false;
    while (true) {
      const Waited waited = wait_for(socket_->get(), POLLIN, waker, long_time);
      if (waited == Waited::woken) return false;
      const ssize_t count = ::read(socket_->get(), bytes_.data(), bytes_.size());
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (count <= 0) return true;
      arrived_ = Clock::now();
      if (!first) first = arrived_;
      decoder_.feed({bytes_.data(), static_cast<std::size_t>(count)});
      if (!hand_on(queue)) return false;
      if (!measured && since(*first) > before_opinion) {
        check_biosemi_rate(decoder_.rows() - rows_before, since(*first), stream_.sampling_frequency);
        measured = true;
      }
    }
  }

  bool hand_on(BlockQueue& queue) {
    while (decoder_.take(block_)) {
      if (!queue.put(block_)) return false;
    }
    out_of_range_ = decoder_.out_of_range();
    battery_low_ = decoder_.battery_low();
    return true;
  }

  // What is lost while ActiView is away is a gap as long as that.
  bool reconnect(const Waker& waker) {
    socket_.reset();
    const auto lost = Clock::now();
    while (since(lost) < given_up) {
      if (wait_for(waker.descriptor(), POLLIN, waker, between_attempts) != Waited::too_long) return false;
      try {
        socket_.emplace(connect_to(address_, endpoints_, waker, connecting));
      } catch (const Error&) {
        continue;  // not yet
      }
      decoder_.restart(decoder_.time() + since(arrived_));
      ++reconnects_;
      return true;
    }
    return false;
  }

  Address address_;
  BiosemiDecoder decoder_;
  StreamDescription stream_;
  std::vector<Endpoint> endpoints_;
  std::optional<io::FileDescriptor> socket_;
  std::array<std::uint8_t, BiosemiDecoder::largest_piece> bytes_{};
  Clock::time_point arrived_{};
  Block block_;
  std::atomic<Index> reconnects_ = 0;
  std::atomic<Index> out_of_range_ = 0;
  std::atomic<bool> battery_low_ = false;
};

}  // namespace

std::unique_ptr<Source> open_biosemi(const SourceRequest& request) {
  auto stream = std::make_unique<BiosemiStream>(request.address);
  const BiosemiLayout layout = layout_of(request.address);
  // Blocks hold what a read brought, which may be one sample; more than these would be a session that stands still.
  const Index rows = layout.block_rows > 0 ? layout.block_rows : 1;
  const auto places = static_cast<std::size_t>(std::ceil(kept * layout.rate / static_cast<double>(rows)));
  return with_sound_files(
      std::make_unique<ThreadedSource>(std::move(stream), std::max<std::size_t>(places, 16), WhenFull::drop_oldest),
      request);
}

}  // namespace heed::live
