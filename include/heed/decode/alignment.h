// SPDX-License-Identifier: MIT
// Do EEG and sound lie on one clock? Two looks: how the EEG follows the envelope over a wide range of delays, which
// needs no decoder, and a decoder's score against shifts of the stimulus (docs/decoding.md, Alignment).
#pragma once

#include <heed/data/decoder.h>
#include <heed/data/trial.h>

#include <span>
#include <string>
#include <vector>

namespace heed::decode {

// A value for each delay, equally spaced.
struct DelayCurve {
  std::vector<Seconds> delays{};
  std::vector<double> values{};
};

enum class AlignmentVerdict {
  aligned,        // the response comes when a brain's would
  likely_offset,  // there is a clear response, at a delay no brain has
  unclear,        // no peak stands out: too little data, too weak a response, or the wrong sound
};

struct Alignment {
  DelayCurve curve{};
  Seconds peak{};       // delay of the largest value
  double strength = 0;  // (peak - median) / robust standard deviation of the curve away from the peak
  AlignmentVerdict verdict = AlignmentVerdict::unclear;
  Seconds offset{};  // of likely_offset: so much later (> 0) or earlier the EEG lies than it should
};

struct DelayRange {
  Seconds earliest{-1};
  Seconds latest{1.5};
  friend bool operator==(const DelayRange&, const DelayRange&) = default;
};

// Without a decoder: how well the attended envelope is told from all channels together at each delay of the EEG (the
// multiple correlation; its floor, what chance fits, is the same at all delays). Pooled over trials, which must agree
// in channels and rate. An aligned recording peaks at 0 ... 350 ms. The offset is told to about 0.1 s: listeners'
// responses differ.
[[nodiscard]] Alignment check_alignment(std::span<const Trial* const> trials, const DelayRange& range = {});

// With a decoder trained on other data: mean correlation (of the first pair) with the attended stimulus when that is
// moved by so much. Peaks at 0 where the trial is aligned as the training data were. A decoder trained on data with the
// same offset has adapted to it and tells nothing: that is what check_alignment is for.
[[nodiscard]] Alignment score_against_shift(const Decoder& decoder, std::span<const Trial* const> trials,
                                            Seconds furthest = {1});

// One line for people.
[[nodiscard]] std::string describe(const Alignment& alignment);

}  // namespace heed::decode
