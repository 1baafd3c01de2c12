// SPDX-License-Identifier: MIT
// Reports as lines of JSON (docs/formats.md):
// {"t":...,"posterior":[...],"decision":"left","gains_db":[...],"state":...}; with a second opinion "hindsight":[...],
// the posterior of the window that ended a lag earlier; of a stream of several trials "trial":"run-02".
#pragma once

#include <live/sinks/report_queue.h>

#include <string>
#include <string_view>
#include <vector>

namespace heed::live {

class ReportLine {
 public:
  explicit ReportLine(const std::vector<std::string>& speakers);

  // With its line end; valid until the next call. Numbers read back exactly.
  [[nodiscard]] std::string_view text(const Report& report);

 private:
  void add(double number);
  void add(std::span<const double> numbers);

  std::vector<std::string> speakers_;  // in quotation marks
  std::string trial_{};                // of the last line,
  std::string trial_text_{};           // and in quotation marks
  std::string line_;
};

}  // namespace heed::live
