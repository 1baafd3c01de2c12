// SPDX-License-Identifier: MIT
// Moves the attention of a simulated listener while it runs: by lines that name a speaker, on standard input or from
// whoever connects.
#pragma once

#include <heed/data/series.h>
#include <live/connections/waiting.h>
#include <live/sources/open_source.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace heed::live {

class AttentionControl {
 public:
  // `address`: -, unix:PATH or tcp://HOST:PORT, where heed listens. What is wrong with a line is told, and nothing
  // else happens. Throws as Listener does, invalid_argument for another kind of address.
  // `attend` and `tell` are called by its thread.
  AttentionControl(const std::string& address, std::vector<std::string> speakers, std::function<void(Speaker)> attend,
                   std::function<void(const std::string&)> tell);
  ~AttentionControl();
  AttentionControl(const AttentionControl&) = delete;
  AttentionControl& operator=(const AttentionControl&) = delete;
  AttentionControl(AttentionControl&&) = delete;
  AttentionControl& operator=(AttentionControl&&) = delete;

 private:
  void read_lines(int descriptor);
  void obey(std::string_view line);
  void say(const std::string& text) const;

  std::vector<std::string> speakers_;
  std::function<void(Speaker)> attend_;
  std::function<void(const std::string&)> tell_;
  std::atomic<bool> stop_ = false;
  Waker waker_;
  std::thread thread_;
};

}  // namespace heed::live
