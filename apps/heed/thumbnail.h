// SPDX-License-Identifier: MIT
// A recording at a glance: for every channel a strip of blocks as high as the signal is wide (peak to peak) there.
// Half a second of each stretch is read, so that long recordings cost no more than short ones.
#pragma once

#include <heed/io/recording_file.h>

#include <cstddef>
#include <string>

namespace heed::app {

// Names and strips, as many side by side as make it fit a screen of `width` columns; with few channels each has its
// line, and behind it the median height in its unit. The highest stretch of a channel is a full block, a flat one a
// dot; without UTF-8 they are ASCII characters.
std::string thumbnail(const io::RecordingFile& file, std::size_t width, bool utf8);

}  // namespace heed::app
