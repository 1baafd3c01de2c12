// SPDX-License-Identifier: MIT
#include "decoding/figures.h"

#include <dsp/montage.h>
#include <report/alignment_figure.h>
#include <report/topography_figure.h>

namespace heed::app {

report::Drawing pattern_drawing(const pipeline::ForwardPattern& pattern, const std::string& title) {
  report::TopographyPicture picture{
      .channels = pattern.channels, .pattern = pattern.values, .lags = pattern.lags, .title = title};
  for (const auto& position : dsp::electrode_positions(pattern.channels)) {
    picture.positions.push_back(position ? std::optional(report::ScalpPosition{position->x, position->y, position->z})
                                         : std::nullopt);
  }
  picture.subtitle = "forward pattern of the decoder, by lag of the EEG behind the sound";
  return report::draw_topography(picture);
}

report::Drawing alignment_drawing(const decode::Alignment& alignment, const std::string& title) {
  report::AlignmentPicture picture{.shifts = alignment.curve.delays,
                                   .scores = alignment.curve.values,
                                   .score_name = "multiple correlation",
                                   .shift_name = "delay of the EEG behind the sound",
                                   .expected_first = Seconds{0},
                                   .expected_last = Seconds{0.35},
                                   .title = title,
                                   .subtitle = "EEG behind the sound of the attended speaker"};
  if (alignment.verdict != decode::AlignmentVerdict::unclear) picture.peak = alignment.peak;
  return report::draw_alignment(picture);
}

}  // namespace heed::app
