// SPDX-License-Identifier: MIT
// The page of a whole dataset: methods compared over participants, every participant's place, and who is not in it.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>
#include <heed/evaluate/summary.h>
#include <heed/report/drawing.h>
#include <report/page.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::report {

// Accuracies within [0, 1], times in seconds.
struct MethodResult {
  std::string method{};
  evaluate::Summary accuracy{};
  evaluate::Summary switch_time{};
  // Wilcoxon's signed-rank test against the reference; nothing for that one, or where it cannot be made.
  std::optional<double> accuracy_p{};
  std::optional<double> switch_time_p{};
};

struct GroupParticipant {
  std::string id{};                                 // "01": shown as sub-01
  std::string page{};                               // relative address of the participant's page; empty: none
  Index windows = 0;                                // labelled ones
  std::vector<std::optional<double>> accuracies{};  // one a method, in the order of the methods
  std::optional<double> chance_bound{};             // of the first method
  std::optional<double> p_value{};
};

struct LeftOut {
  std::string id{};
  std::string reason{};  // with the remedy
};

struct GroupPage {
  std::string dataset{};
  std::string decoder{};  // in words
  Seconds window{1};
  double chance = 0.5;                  // accuracy of a guesser
  std::vector<MethodResult> methods{};  // raw first: participants are sorted by it, and the bounds are its
  std::string reference{};              // the method that p compares with; empty: the first
  std::vector<GroupParticipant> participants{};
  std::optional<Drawing> trade_off{};  // draw_trade_off
  std::vector<LeftOut> left_out{};     // failed or missing
  std::vector<std::string> warnings{};
  std::vector<std::string> notes{};
  Provenance provenance{};
};

// HTML. Throws invalid_argument if a participant has not one accuracy a method. Without any accuracy the figure of
// participants is left out.
[[nodiscard]] std::string group_page(const GroupPage& page);

}  // namespace heed::report
