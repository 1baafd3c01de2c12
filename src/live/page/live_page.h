// SPDX-License-Identifier: MIT
// A session that people can watch, hear and adjust in a browser: serves the page, its stream of events and its sound
// (docs/live.md, the page). One page can show several sessions, one after the other.
#pragma once

#include <heed/live/decision.h>
#include <heed/live/session.h>
#include <heed/live/stream.h>
#include <live/page/changes.h>
#include <live/page/connection.h>
#include <live/run.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace heed::live {

struct PageOptions {
  std::string address{"127.0.0.1"};  // a number; beyond loopback viewers need the token of the page's address
  std::optional<int> port{};         // nothing: the usual one, or a free one where it is taken; 0: a free one
  PageLimits limits{};
};
inline constexpr int usual_page_port = 4333;

// What a viewer may do in a demonstration. Called by the page's thread.
struct DemoControls {
  DemoSetup setup{};
  std::function<void(Speaker)> attend{};
  std::function<void()> lose_eeg{};
  std::function<void(const DemoSetup&)> change{};  // empty: listener and talkers stay
  bool own_sounds = false;                         // the talkers are files that were given: their number stays
};

// Everything must live until hide().
struct ShownSession {
  Session& session;
  const Source& source;
  const RunReport& run;  // as it is filled
  ParameterDesk& parameters;
  std::optional<double> speed = 1;  // times real time; nothing: as fast as possible
  std::optional<DemoControls> demo{};
};

class LivePage {
 public:
  // Listens. Throws invalid_argument (an address that is no number), and as Listener.
  explicit LivePage(const PageOptions& options);
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;
  LivePage(LivePage&&) = delete;
  LivePage& operator=(LivePage&&) = delete;

  [[nodiscard]] std::string url() const;  // for viewers, with the token where one is needed
  [[nodiscard]] int port() const;

  // Before the run of a session, and after it. For the thread of the session, as the two that follow.
  void show(const ShownSession& shown);
  void hide();
  // The sink that hands decisions to the page, and the source as the page listens in. For the session that is shown.
  [[nodiscard]] std::unique_ptr<Sink> sink(const ShownSession& shown);
  [[nodiscard]] std::unique_ptr<Source> listening(Source& source);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::live
