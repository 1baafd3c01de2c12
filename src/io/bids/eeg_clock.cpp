// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/bids/eeg_clock.h>

#include <algorithm>
#include <cmath>

namespace heed::io {
namespace {

// Of a sample: an onset of 1/3 s written with six digits means the sample at 1/3 s.
constexpr double rounding = 1e-2;

Seconds end_of(const RecordingSegment& segment, Hertz rate) {
  return segment.onset + Seconds{static_cast<double>(segment.samples) / rate.value};
}

}  // namespace

EegClock::EegClock(const RecordingHeader& header) : rate_(header.sampling_frequency) {
  if (!(rate_.value > 0) || header.samples <= 0) {
    throw Error(ErrorKind::bad_data, "the recording holds no samples; record it again or leave the run out");
  }
  if (header.segments.empty()) segments_.push_back({{}, 0, header.samples});
  for (const RecordingSegment& segment : header.segments) {
    const bool follows =
        !segments_.empty() && std::abs((segment.onset - end_of(segments_.back(), rate_)) * rate_) < 0.5;
    if (follows) {
      segments_.back().samples += segment.samples;
    } else {
      segments_.push_back(segment);
    }
  }
}

EegStretch EegClock::cut(Seconds begin, Seconds end) const {
  EegStretch result;
  for (const RecordingSegment& segment : segments_) {
    const auto samples = static_cast<double>(segment.samples);
    const double first = std::clamp(std::ceil(((begin - segment.onset) * rate_) - rounding), 0.0, samples);
    const double last = std::clamp(std::floor(((end - segment.onset) * rate_) + rounding), 0.0, samples);
    if (!(first < last)) continue;
    if (result.samples > 0) {
      result.problem = " holds a pause of the recording, before " + data::shown(segment.onset.value) +
                       " s; make it two trials, one on each side";
      return result;
    }
    result.first_sample = segment.first_sample + static_cast<Index>(first);
    result.samples = static_cast<Index>(last - first);
    result.onset = segment.onset + Seconds{first / rate_.value};
    result.duration = Seconds{(last - first) / rate_.value};
  }
  if (result.samples > 0) return result;
  if (!(begin < end)) {
    result.problem = ": a speaker ends (" + data::shown(end.value) + " s) before another begins (" +
                     data::shown(begin.value) + " s); a trial is the time in which all of them speak";
  } else {
    result.problem = " (" + data::shown(begin.value) + " to " + data::shown(end.value) +
                     " s) lies outside the EEG, which lasts " + data::shown(end_of(segments_.back(), rate_).value) +
                     " s; onsets count from its first sample";
  }
  return result;
}

}  // namespace heed::io
