// SPDX-License-Identifier: MIT
// Following attention window by window, as a hearing aid would: scores of two speakers come in, the
// probability of attending each goes out, and from it the gains. Only core is used: no allocation.
// Prints: window 8: attending right with probability 0\.9[0-9]+, left at -[0-9.]+ dB
#include <heed/core/attention_filter.h>
#include <heed/core/gain.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

namespace {

// Correlations of the decoded envelope with each speaker's, one row per window of one second. The
// listener turns from left to right after the fourth; the last but one was lost to a loose electrode.
constexpr std::array<std::array<double, 2>, 8> scores{
    {{0.41, 0.12}, {0.22, 0.19}, {0.35, -0.08}, {0.30, 0.02}, {0.06, 0.38}, {0.03, 0.47}, {NAN, NAN}, {-0.04, 0.42}}};

// What such a decoder is known to give: atanh(score) ~ N(0.3, 0.2^2) if attended, N(0.05, 0.2^2) if not.
// With one sigma for both, all that matters is this slope times atanh(score).
constexpr double slope = (0.3 - 0.05) / (0.2 * 0.2);

}  // namespace

int main() {
  const auto chain = heed::core::StickyChain<double>::make(2, 0.01);  // moves once in 100 windows
  if (!chain) return 1;
  auto filter = heed::core::AttentionFilter<double, 2>::make(*chain);
  auto gain = heed::core::GainRule<double, 2>::make(2, 1.0);
  if (!filter || !gain) return 1;

  constexpr std::array names{"left", "right"};
  for (std::size_t t = 0; t < scores.size(); ++t) {
    const std::array log_likelihood{slope * std::atanh(scores[t][0]), slope * std::atanh(scores[t][1])};
    const auto step = filter->step(log_likelihood);
    gain->step(filter->belief());
    std::printf("window %zu: attending %s with probability %.3f, left at %.1f dB, right at %.1f dB%s\n", t + 1,
                names[filter->decision()], filter->belief()[filter->decision()], gain->decibels()[0],
                gain->decibels()[1], step == heed::core::Step::held ? " (window missing)" : "");
  }
}
