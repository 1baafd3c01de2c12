// SPDX-License-Identifier: MIT
// What the scores of a listener's labelled windows come down to: sums, so that runs add. `emission` makes them and fits
// to them; a population keeps them.
#pragma once

namespace heed::data {

// Sums over the labelled, complete windows of one participant, of scores after the transform. Where attention is
// known in probability only, a speaker's score counts for both classes, as much as it is likely to belong to them.
struct ScoreMoments {
  double windows = 0;
  double speakers = 0;
  double attended = 0;  // sum of z of the attended speaker
  double attended_squares = 0;
  double unattended = 0;  // sum over all unattended speakers
  double unattended_squares = 0;
  double window_sum = 0;  // sum of (sum of z over all speakers of a window)
  double window_sum_squares = 0;
};

}  // namespace heed::data

namespace heed {
using data::ScoreMoments;
}  // namespace heed
