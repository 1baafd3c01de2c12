// SPDX-License-Identifier: MIT
// Do results show what was claimed? Every claim is a question put to each listener, and Wilcoxon's tests over the
// listeners answer it in one of three ways: it holds, it does not, or these listeners cannot tell.
#pragma once

#include <data/study.h>
#include <evaluate/measured_participants.h>

#include <optional>
#include <string>

namespace heed::evaluate {

struct ClaimVerdict {
  std::optional<bool> holds{};  // nothing: it cannot be told
  std::string evidence{};       // for people: "forward-backward: 97.3 %; causal: 94.0 %, p = 0.008, n = 8"
  bool has_results = true;      // false: the table holds no such rows, or no values
};

// What the settings of a claim are called, so that each number stands beside its name.
struct SideNames {
  std::string setting{};
  std::string other{};
};

// `results` is the table the claim is about: "tracking", of independence "lags". Rows belong to a setting if they equal
// all its values; rows of one participant are averaged.
//
// A claim holds where a two-sided signed-rank test of the listeners' answers is significant (p < .05) and their mean
// lies on the claim's side, and does not hold where both lie on the other; where no listener differs it cannot be told.
// The answer of a listener is a difference
// (greater, less, makes_up, levels_off, changes_less, below, above) or Spearman's rank correlation (rises, falls,
// rises_with); a trend of the means must also reach a rank correlation of .7. Settings of different listeners are
// compared by the rank-sum test. Claims of likeness hold where two one-sided tests show the difference to be less than
// the margin, and do not where one shows it to be more. Frontiers are compared by intervals (evaluate/frontier.h).
[[nodiscard]] ClaimVerdict judge(const Claim& claim, const ResultTable& results, const SideNames& names = {});

// Differences that do not matter: 2 points of shares, a fifth of the larger mean of anything else.
[[nodiscard]] double likeness_margin(const std::string& measure, double mean, double other);

// How many claims hold, do not, and cannot be told.
struct ClaimCounts {
  std::size_t hold = 0;
  std::size_t fail = 0;
  std::size_t open = 0;
  void add(std::optional<bool> holds) noexcept { ++(!holds ? open : *holds ? hold : fail); }
  ClaimCounts& operator+=(const ClaimCounts& other) noexcept {
    hold += other.hold;
    fail += other.fail;
    open += other.open;
    return *this;
  }
  [[nodiscard]] std::size_t all() const noexcept { return hold + fail + open; }
};
// Of a study's claims, all of them; where it could not be run, none can be told.
[[nodiscard]] ClaimCounts count_claims(const StudyResult& result);
// The verdict on one of a study's claims; where it could not be run, the obstacle is the evidence.
[[nodiscard]] ClaimVerdict judge(const Claim& claim, const StudyResult& result, const SideNames& names = {});
// Those that the paper makes: a study may add some of its own.
[[nodiscard]] bool is_of_the_paper(const Claim& claim, const Study& study) noexcept;

}  // namespace heed::evaluate
