// SPDX-License-Identifier: MIT
// The nouns of one trial, window by window. They are separate types although their layout is the
// same: handing Posteriors to something that wants LogLikelihoods does not compile.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>

#include <vector>

namespace heed::data {

// A speaker's column, counted from 0.
using Speaker = int;
// The label of a window whose attended speaker is not known (`n/a` in files).
inline constexpr Speaker unknown_speaker = -1;

// All of them are rows in time: row t is the window [t hop, t hop + window), so windows overlap where the hop is the
// shorter. p, lags and switch times count hops; what a decision must wait for is the window.

// What a decoder says of each window and speaker. windows x speakers. A row with NaN is a missing window.
struct Scores {
  Matrix values{};
  Seconds window{1};
  Seconds hop = window;
};

// log b_j(t), natural log, up to a constant per window. windows x states. A row that holds NaN or
// +inf, or -inf for every reachable state, is a missing window; -inf for some states is evidence.
struct LogLikelihoods {
  Matrix values{};
  Seconds window{1};
  Seconds hop = window;
};

// P(attending j | the windows a method may see). windows x states, rows sum to one.
struct Posteriors {
  Matrix values{};
  Seconds window{1};
  Seconds hop = window;
  double log_evidence = 0;  // log P(all windows), up to the constants of the log-likelihoods; NaN if there is none
  Index held = 0;           // windows that were missing: predicted, not updated
};

// One state per window. Of Viterbi: the most probable path and its joint log-probability with the data.
struct Path {
  std::vector<Speaker> states{};
  Seconds window{1};
  Seconds hop = window;
  double log_probability = 0;
  Index held = 0;
};

// The truth, where it is known: the attended speaker of each window, or unknown_speaker.
struct AttentionTrack {
  std::vector<Speaker> attended{};
};

// How often a listener switches, where nobody knows: what the windows say of p, over the values of a bank of filters
// (hmm/bank.h), and the words for it in data/switching.h.
struct SwitchPosterior {
  Index speakers = 2;
  std::vector<double> per_second{};  // p for each other speaker, rising
  std::vector<double> per_window{};  // the same from one window to the next
  std::vector<double> weights{};     // P(p | windows); sum to one
};

}  // namespace heed::data

namespace heed {
using data::AttentionTrack;
using data::LogLikelihoods;
using data::Path;
using data::Posteriors;
using data::Scores;
using data::Speaker;
using data::SwitchPosterior;
using data::unknown_speaker;
}  // namespace heed
