// SPDX-License-Identifier: MIT
// What viewers are told, as JSON (docs/formats.md, events of the live page). Whatever a name holds, the result is one
// line of UTF-8.
#pragma once

#include <live/page/inbox.h>
#include <live/page/learnt_picture.h>
#include <live/page/live_page.h>
#include <live/page/words.h>

#include <optional>
#include <string>
#include <string_view>

namespace heed::live {

// Which session it is.
struct SessionFace {
  std::string_view instance{};  // of the program
  Index number = 0;
  const ShownSession* shown = nullptr;    // nullptr: none is running
  bool another = false;                   // and one is being made ready
  const LearntPicture* learnt = nullptr;  // nullptr: nothing yet
};
[[nodiscard]] std::string session_json(const SessionFace& face);
[[nodiscard]] std::string parameters_json(const SessionParameters& parameters);
[[nodiscard]] std::string report_json(const PageReport& report, Speaker truth);
[[nodiscard]] std::string learnt_json(const LearntPicture& learnt);
[[nodiscard]] std::string line_json(const PageWords::Line& line);
// rate: of the EEG as it arrives, per second.
[[nodiscard]] std::string health_json(const Vitals& vitals, std::optional<double> rate);

// A session has ended. another: the next one is being made ready.
[[nodiscard]] std::string ended_json(bool another);

// An event as it is sent. id: empty, or its number.
[[nodiscard]] std::string event_text(std::string_view kind, const std::string& json, const std::string& id);

}  // namespace heed::live
