// SPDX-License-Identifier: MIT
// The site of a live page: which requests there are, and the events that viewers get.
#pragma once

#include <live/page/inbox.h>
#include <live/page/learnt_picture.h>
#include <live/page/live_page.h>
#include <live/page/page_events.h>
#include <live/page/site.h>
#include <live/page/words.h>

#include <chrono>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heed::live {

class LiveSite final : public Site {
 public:
  LiveSite();

  // For the thread of the session.
  void show(const ShownSession& shown);
  void hide();
  [[nodiscard]] PageInbox& inbox() noexcept { return inbox_; }

  // For the server's thread.
  [[nodiscard]] Answer answer(const HttpRequest& request) override;
  void refresh() override;

 private:
  [[nodiscard]] Answer event_stream(const HttpRequest& request);
  [[nodiscard]] Answer sound_stream();
  [[nodiscard]] Answer change_parameters(const HttpRequest& request);
  [[nodiscard]] Answer change_demo(const HttpRequest& request);
  [[nodiscard]] SessionFace face() const;
  [[nodiscard]] std::optional<double> eeg_rate();
  // data: JSON. Kept events can be caught up with, and those that pass for as long as pages show them.
  void add_kept(std::string_view kind, const std::string& data, Broadcast::Life life = Broadcast::Life::kept);
  void add_fleeting(std::string_view kind, const std::string& data);
  void add_reports();
  void let_go_of_old_windows(Seconds end);
  void add_lines();
  void tell_learnt();
  void tell_health();

  std::string instance_;  // of the program: another one has other numbers
  PageInbox inbox_{};
  PageInbox::Mail mail_{};
  Broadcast events_;
  Broadcast sound_;

  std::mutex mutex_;  // of what follows: the session's thread comes to show and to hide
  std::optional<ShownSession> shown_{};
  std::optional<PageWords> words_{};
  std::optional<LearntPicture> learnt_{};
  Index session_number_ = 0;
  bool calibrating_ = false;
  bool begun_ = false;   // a session that viewers have not been told of
  bool ended_ = false;   // likewise, that it has ended
  bool another_ = true;  // session is being made ready: the first, or one that a visitor asked for

  struct SentWindow {
    Seconds end{};
    std::uint64_t event = 0;
  };
  std::deque<SentWindow> windows_{};  // that pages show

  struct RatePoint {
    std::chrono::steady_clock::time_point time{};
    Index rows = 0;
  };
  std::deque<RatePoint> rate_points_{};  // of the last seconds
  std::chrono::steady_clock::time_point health_told_{};
};

// A file that is built into heed: its path on the site, its type, its text. cmake/HeedWeb.cmake writes the definition.
struct PageAsset {
  std::string_view path{};
  std::string_view type{};
  std::string_view text{};
};
[[nodiscard]] std::span<const PageAsset> page_assets() noexcept;

}  // namespace heed::live
