// SPDX-License-Identifier: MIT
// Pictures of what a decoder listens to, and of whether EEG and sound are in step.
#pragma once

#include <heed/decode/alignment.h>
#include <heed/report/drawing.h>
#include <pipeline/decoding/training.h>

#include <string>

namespace heed::app {

[[nodiscard]] report::Drawing pattern_drawing(const pipeline::ForwardPattern& pattern, const std::string& title);
[[nodiscard]] report::Drawing alignment_drawing(const decode::Alignment& alignment, const std::string& title);

}  // namespace heed::app
