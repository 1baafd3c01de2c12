// SPDX-License-Identifier: MIT
#include "live_loopback.h"

#include <heed/data/random.h>
#include <heed/live/session.h>
#include <live/connections/endpoint.h>
#include <live/connections/line_reader.h>
#include <live/run.h>
#include <live/sinks/open_sink.h>
#include <live/sources/ndjson_reader.h>
#include <live/sources/open_source.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <ctime>
#include <exception>
#include <optional>
#include <stdexcept>
#include <thread>

namespace heed::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int lines_per_window = 20;
constexpr Seconds window{1};
constexpr int minute = 60 * lines_per_window;

// As an amplifier's numbers are printed: four decimals.
void append(double value, std::string& text) {
  std::array<char, 32> digits{};
  auto* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, 4).ptr;
  text.append(digits.data(), end);
}

void append_noise(Index count, double deviation, RandomStream& random, std::string& text) {
  text += '[';
  for (Index k = 0; k < count; ++k) {
    if (k > 0) text += ',';
    append(deviation * random.normal(), text);
  }
  text += ']';
}

class DecisionCount final : public live::Sink {
 public:
  void decided(const live::Decision&) override { ++count; }
  int count = 0;
};

live::SessionOptions session_options(const Decoder& decoder) { return {.decoder = decoder, .window = window}; }

double thread_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + (static_cast<double>(time.tv_nsec) * 1e-9);
}

double process_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + (static_cast<double>(time.tv_nsec) * 1e-9);
}

void send_all(int descriptor, std::string_view bytes) {
  const live::Waker never;
  while (!bytes.empty()) {
    (void)live::wait_for(descriptor, POLLOUT, never, Seconds{60});
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno != EAGAIN) throw std::runtime_error("the session has gone");
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

// A thread of a run: how long it computed, and what it threw.
struct Party {
  double seconds = 0;
  std::exception_ptr failure{};
};

// One sender, one session, one receiver.
struct Connected {
  live::Listener source{live::parse_address("tcp://127.0.0.1:0", live::EndKind::source)};
  live::Listener sink{live::parse_address("tcp://127.0.0.1:0", live::EndKind::source)};
  std::atomic<bool> stop = false;
  std::vector<Clock::time_point> sent{};
  std::vector<Clock::time_point> received{};
  double behind = 0;
  Party sender{};
  Party session{};
  Party receiver{};
};

std::string local(const live::Listener& listener, const char* options) {
  return "tcp://127.0.0.1:" + std::to_string(listener.port()) + options;
}

void run_session(const Connected& ends, const Decoder& decoder) {
  const auto source = live::open_source(
      {.address = live::parse_address(local(ends.source, "?connect=1"), live::EndKind::source), .decoder = decoder});
  live::Session session(source->description(), session_options(decoder));
  live::SinkList sinks;
  sinks.add(live::open_sink({.address = live::parse_address(local(ends.sink, ""), live::EndKind::sink),
                             .stream = source->description(),
                             .window = window}));
  live::SteadyClock clock;
  (void)live::run(*source, session, sinks, clock);
}

// To the end, which the session makes after the last line that it was sent.
void receive(Connected& ends) {
  const io::FileDescriptor peer = ends.sink.accept(&ends.stop);
  const live::Waker never;
  live::LineReader lines(peer.get(), 4096);
  std::string_view line;
  while (lines.next(line, never, Seconds{60}) == live::LineReader::Came::line) ends.received.push_back(Clock::now());
}

struct Pace {
  const std::string& header;
  const std::vector<std::string>& lines;
  int count = 0;
  std::chrono::duration<double> step{};
};

void send(Connected& ends, const Pace& pace) {
  const io::FileDescriptor peer = ends.source.accept(&ends.stop);
  send_all(peer.get(), pace.header);
  const auto start = Clock::now();
  for (int line = 0; line < pace.count; ++line) {
    const auto due = start + std::chrono::duration_cast<Clock::duration>((line + 1) * pace.step);
    std::this_thread::sleep_until(due);
    ends.sent.push_back(Clock::now());
    send_all(peer.get(), pace.lines[static_cast<std::size_t>(line) % pace.lines.size()]);
    ends.behind = std::chrono::duration<double>(Clock::now() - due).count();
  }
}

// One line per window from a thread to another and nothing else: what this machine, as busy as it is, takes itself.
class Echo {
 public:
  explicit Echo(std::chrono::duration<double> pace)
      : address_(live::parse_address(local(listener_, "?connect=1"), live::EndKind::source)),
        sender_([this, pace](const std::stop_token& stop) { send_lines(stop, pace); }),
        receiver_([this] { receive_lines(); }) {}

  std::vector<double> finish() {
    sender_.request_stop();
    sender_.join();
    receiver_.join();
    std::ranges::sort(seconds_);
    return seconds_;
  }

 private:
  void send_lines(const std::stop_token& stop, std::chrono::duration<double> pace) {
    const io::FileDescriptor peer =
        live::connect_to(address_, live::endpoints_of(address_), live::Waker{}, Seconds{60});
    for (auto due = Clock::now(); !stop.stop_requested(); due += std::chrono::duration_cast<Clock::duration>(pace)) {
      std::this_thread::sleep_until(due);
      send_all(peer.get(), std::to_string(Clock::now().time_since_epoch().count()) + "\n");
    }
  }
  void receive_lines() {
    const io::FileDescriptor peer = listener_.accept(nullptr);
    const live::Waker never;
    live::LineReader lines(peer.get(), 4096);
    std::string_view line;
    while (lines.next(line, never, Seconds{60}) == live::LineReader::Came::line) {
      const Clock::duration sent(std::stoll(std::string(line)));
      seconds_.push_back(std::chrono::duration<double>(Clock::now().time_since_epoch() - sent).count());
    }
  }

  live::Listener listener_{live::parse_address("tcp://127.0.0.1:0", live::EndKind::source)};
  live::Address address_;
  std::vector<double> seconds_{};
  std::jthread sender_;
  std::jthread receiver_;
};

template <typename Work>
std::jthread started(Connected& ends, Party& party, Work work) {
  return std::jthread([&ends, &party, work] {
    try {
      work();
    } catch (...) {
      party.failure = std::current_exception();
      ends.stop = true;
    }
    party.seconds = thread_seconds();
  });
}

}  // namespace

double LoopbackReport::quantile_of(const std::vector<double>& rising, double part) {
  const auto place = static_cast<std::size_t>(std::ceil(part * static_cast<double>(rising.size())));
  return rising.at(std::max<std::size_t>(place, 1) - 1);
}

Loopback::Loopback(const LoopbackOptions& options)
    : options_(options),
      decoder_(live::simulated_decoder(live::parse_address("simulated:", live::EndKind::source), window)) {
  make_lines();
  find_completing_lines();
}

void Loopback::make_lines() {
  header_ = R"({"speakers":["left","right"],"rate":)" + std::to_string(static_cast<int>(options_.rate.value)) +
            R"(,"audio_rate":)" + std::to_string(static_cast<int>(options_.audio_rate.value)) + R"(,"channels":[)";
  for (const std::string& channel : decoder_.channels) header_ += "\"" + channel + "\",";
  header_.back() = ']';
  header_ += "}\n";
  RandomStream random(20);
  const auto place = [](Hertz rate, int line) {
    return static_cast<Index>(std::llround(rate.value * window.value * line / lines_per_window));
  };
  const auto channels = static_cast<Index>(decoder_.channels.size());
  for (int k = 0; k < minute; ++k) {
    std::string& line = lines_.emplace_back(R"({"audio":{"left":)");
    const Index frames = place(options_.audio_rate, k + 1) - place(options_.audio_rate, k);
    append_noise(frames, 0.1, random, line);
    line += R"(,"right":)";
    append_noise(frames, 0.1, random, line);
    line += R"(},"eeg":[)";
    for (Index row = place(options_.rate, k); row < place(options_.rate, k + 1); ++row) {
      append_noise(channels, 20, random, line);
      line += ',';
    }
    line.back() = ']';
    line += "}\n";
  }
}

void Loopback::find_completing_lines() {
  live::NdjsonReader reader("loopback");
  reader.read(std::string_view(header_).substr(0, header_.size() - 1));
  live::Session session(reader.description(), session_options(decoder_));
  DecisionCount decisions;
  live::Block block;
  std::vector<int> completing;
  for (int k = 0; k < minute; ++k) {
    const std::string_view line = lines_[static_cast<std::size_t>(k)];
    reader.read(line.substr(0, line.size() - 1));
    while (reader.take(block)) session.push(block, Seconds{0.05 * k}, decisions);
    while (static_cast<int>(completing.size()) < decisions.count) completing.push_back(k);
  }
  if (completing.size() < 10) throw std::runtime_error("too few decisions without sockets");
  first_completing_ = completing.back() - (lines_per_window * (static_cast<int>(completing.size()) - 1));
  for (std::size_t k = 1; k < completing.size(); ++k) {
    if (completing[k] != first_completing_ + (lines_per_window * static_cast<int>(k))) {
      throw std::runtime_error("windows are not completed at equal distances");
    }
  }
}

LoopbackReport Loopback::run() const {
  const std::chrono::duration<double> step(window.value / lines_per_window / options_.speed);
  const Pace pace{header_, lines_, first_completing_ + (lines_per_window * options_.windows), step};
  std::vector<Connected> all(static_cast<std::size_t>(options_.sessions));
  const double before = process_seconds();
  std::optional<Echo> echo;
  if (options_.echo) echo.emplace(std::chrono::duration<double>(window.value / options_.speed));
  {
    std::vector<std::jthread> threads;
    for (Connected& ends : all) {
      threads.emplace_back(started(ends, ends.session, [&] { run_session(ends, decoder_); }));
      threads.emplace_back(started(ends, ends.receiver, [&] { receive(ends); }));
      threads.emplace_back(started(ends, ends.sender, [&] { send(ends, pace); }));
    }
  }
  LoopbackReport report;
  if (echo) report.echoes = echo->finish();
  double others = 0;
  for (const Connected& ends : all) {
    for (const Party* party : {&ends.session, &ends.receiver, &ends.sender}) {
      if (party->failure) std::rethrow_exception(party->failure);
    }
    others += ends.receiver.seconds + ends.sender.seconds;
    report.behind = std::max(report.behind, ends.behind);
    for (int w = 0; w < options_.windows; ++w) {
      const auto completing = first_completing_ + (lines_per_window * w);
      const auto latency =
          ends.received.at(static_cast<std::size_t>(w)) - ends.sent.at(static_cast<std::size_t>(completing));
      report.latencies.push_back(std::chrono::duration<double>(latency).count());
    }
  }
  std::ranges::sort(report.latencies);
  report.processor = (process_seconds() - before - others) / (options_.windows * window.value * options_.sessions);
  return report;
}

}  // namespace heed::bench
