// SPDX-License-Identifier: MIT
// A usual XDF file, and what a reader must find of it after a change.
#pragma once

#include <gtest/gtest.h>
#include <io/xdf/xdf_file.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "support/xdf_bytes.h"

namespace heed::test {

// A file with two streams of numbers, markers, offsets and a boundary every few chunks.
inline XdfBytes usual_xdf(int rounds = 12) {
  XdfBytes xdf;
  xdf.stream(7, "EEG &amp; more", "EEG", 2, "100", "int16",
             "<channels><channel><label>Fz</label><unit>microvolts</unit><type>EEG</type></channel>"
             "<channel><label>Cz</label></channel></channels>");
  xdf.stream(9, "events", "Markers", 1, "0", "string");
  xdf.stream(8, "mic", "Audio", 1, "20.0", "float32");
  int sample = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::string> rows;
    for (int k = 0; k < 10; ++k, ++sample) {
      const std::string values = XdfBytes::raw(static_cast<std::int16_t>(sample)) + XdfBytes::raw(std::int16_t{-5});
      rows.push_back(k == 0 ? XdfBytes::sample(1000 + 0.01 * sample, values) : XdfBytes::sample(values));
    }
    xdf.samples(7, rows);
    xdf.samples(8, {XdfBytes::sample(2000 + 0.1 * round, XdfBytes::raw(0.5F)), XdfBytes::sample(XdfBytes::raw(1.5F))});
    if (round % 3 == 0) xdf.samples(9, {XdfBytes::sample(1000 + 0.1 * round, XdfBytes::text("mark"))});
    xdf.offset(7, 1000 + 0.1 * round, 5);
    if (round % 4 == 3) xdf.boundary();
  }
  xdf.footer(7, sample);
  return xdf;
}

// Samples of each stream in whole chunks that a reader must find.
inline std::map<std::uint32_t, Index> counted_samples(const std::vector<XdfChunkPlace>& places, auto&& is_whole) {
  std::map<std::uint32_t, Index> samples;
  for (const XdfChunkPlace& place : places) {
    if (place.tag == 3 && is_whole(place)) samples[place.stream] += place.samples;
  }
  return samples;
}

// Everything in whole chunks before the change, and behind the next boundary.
inline void expect_whole_chunks(const std::string& bytes, std::size_t changed, const io::XdfFile& file) {
  const auto places = xdf_chunks(bytes);
  // Another format or number of channels makes nonsense of all samples of a stream.
  const auto is_header = [&](const auto& place) {
    return place.tag == 2 && place.begin <= changed && changed < place.end;
  };
  if (std::ranges::any_of(places, is_header)) return;
  std::size_t next_boundary = bytes.size();
  for (const XdfChunkPlace& place : places) {
    if (place.tag == 5 && place.begin > changed) next_boundary = std::min(next_boundary, place.end);
  }
  auto expected = counted_samples(
      places, [&](const XdfChunkPlace& place) { return place.end <= changed || place.begin >= next_boundary; });
  for (const io::XdfStream& stream : file.streams()) {
    ASSERT_GE(stream.samples, expected[stream.id]) << "changed at " << changed;
  }
}

}  // namespace heed::test
