// SPDX-License-Identifier: MIT
// Live sessions over loopback: senders that pace NDJSON lines of EEG and sound, heed's edge and session, receivers of
// decisions. Latency is measured outside: from just before the line that completes a window is sent to the arrival of
// the window's decision. Which line that is, a session without sockets tells.
#pragma once

#include <heed/data/decoder.h>
#include <heed/data/units.h>

#include <string>
#include <vector>

namespace heed::bench {

struct LoopbackOptions {
  Hertz rate{512};
  Hertz audio_rate{16000};
  double speed = 20;  // times real time
  int windows = 300;
  int sessions = 1;
  bool echo = false;  // measure the machine beside it
};

struct LoopbackReport {
  std::vector<double> latencies{};  // seconds, in rising order; of all sessions
  double processor = 0;             // seconds that heed's threads computed per second of each stream
  std::vector<double> echoes{};     // seconds, in rising order: a line between two threads, without heed, meanwhile
  double behind = 0;                // seconds that the last line was sent after its time, the most of all sessions

  [[nodiscard]] double quantile(double part) const { return quantile_of(latencies, part); }
  [[nodiscard]] double echo_quantile(double part) const { return quantile_of(echoes, part); }
  [[nodiscard]] static double quantile_of(const std::vector<double>& rising, double part);
};

// 64 channels, two talkers, lines of 50 ms. Throws where a decision is missing.
class Loopback {
 public:
  explicit Loopback(const LoopbackOptions& options);
  [[nodiscard]] LoopbackReport run() const;

 private:
  void make_lines();
  void find_completing_lines();

  LoopbackOptions options_;
  Decoder decoder_;
  std::string header_;
  std::vector<std::string> lines_;  // of a minute, repeated
  int first_completing_ = 0;        // line that completes window 0, as if all windows took equally many
};

}  // namespace heed::bench
