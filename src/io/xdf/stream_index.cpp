// SPDX-License-Identifier: MIT
#include <io/recording/recording_format.h>
#include <io/xdf/stream_index.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace heed::io {
namespace {

constexpr double break_seconds = 1;                    // a step longer than this
constexpr double break_samples = 500;                  // and than so many samples is a break
constexpr std::int64_t between_checkpoints = 1 << 16;  // bytes of the file
constexpr Index most_pending = 4096;                   // keeps plain sums exact
constexpr std::int64_t longest_string = 1 << 20;

double longest_step(Hertz rate) {
  return rate.value > 0 ? std::max(break_seconds, break_samples / rate.value) : break_seconds;
}

// Behind the strings of a sample; nothing where they do not fit.
std::optional<std::int64_t> behind_strings(FileWindow& window, std::int64_t position, const XdfHeader& header,
                                           std::int64_t end) {
  for (Index channel = 0; channel < header.channels; ++channel) {
    const auto length = read_length(window, position, end);
    if (!length || *length > static_cast<std::uint64_t>(std::min(longest_string, end - position))) return std::nullopt;
    position += static_cast<std::int64_t>(*length);
  }
  return position;
}

}  // namespace

const char* next_sample(FileWindow& window, const XdfHeader& header, SampleCursor& cursor) {
  constexpr std::int64_t stamp_bytes = 8;
  if (cursor.position >= cursor.end) return nullptr;
  const char width = *window.at(cursor.position, 1);
  if (width != 0 && width != stamp_bytes) return nullptr;
  const std::int64_t values = cursor.position + 1 + width;
  std::int64_t end = values + header.channels * bytes_of(header.format);
  if (end > cursor.end) return nullptr;
  if (header.format == XdfFormat::text) {
    const auto behind = behind_strings(window, values, header, cursor.end);
    if (!behind) return nullptr;
    end = *behind;
  }
  const char* const sample = window.at(cursor.position, end - cursor.position);
  if (width == stamp_bytes) {
    std::memcpy(&cursor.stamp, sample + 1, sizeof cursor.stamp);
    if (!std::isfinite(cursor.stamp)) return nullptr;
  } else if (header.is_regular()) {
    cursor.stamp += 1 / header.sampling_frequency.value;
  }
  cursor.position = end;
  --cursor.left;
  return sample + 1 + width;
}

std::optional<SampleCursor> begin_samples(FileWindow& window, std::int64_t position, std::int64_t end,
                                          double last_stamp) {
  const auto count = read_length(window, position, end);
  if (!count || *count > static_cast<std::uint64_t>(end - position)) return std::nullopt;
  return SampleCursor{position, end, static_cast<std::int64_t>(*count), last_stamp};
}

StreamIndex::StreamIndex(std::uint32_t id, XdfHeader header, std::int64_t file_size)
    : id_(id),
      header_(std::move(header)),
      longest_step_(longest_step(header_.sampling_frequency)),
      most_stretches_(most_events(file_size)) {}

bool StreamIndex::add_samples(FileWindow& window, const Chunk& chunk) {
  constexpr std::int64_t stream_id_bytes = 4;
  auto cursor = begin_samples(window, chunk.content + stream_id_bytes, chunk.end, last_.stamp);
  if (!cursor) return false;
  flush();
  const Last before = last_;
  const std::size_t stretches = stretches_.size();
  const Stretch stretch = stretches_.empty() ? Stretch{} : stretches_.back();
  const std::size_t checkpoints = checkpoints_.size();
  bool good = true;
  while (good && cursor->left > 0) {
    const bool far =
        checkpoints_.empty() || cursor->position - checkpoints_.back().cursor.position > between_checkpoints;
    if (far) checkpoints_.push_back({last_.samples, *cursor});
    good = next_sample(window, header_, *cursor) != nullptr;
    if (good) add_stamp(cursor->stamp);
  }
  if (good && cursor->position == chunk.end) return true;
  pending_ = {};
  stretches_.resize(stretches);
  if (!stretches_.empty()) stretches_.back() = stretch;
  checkpoints_.resize(checkpoints);
  last_ = before;
  return false;
}

void StreamIndex::add_stamp(double stamp) {
  const double step = std::abs(stamp - last_.stamp);
  if (last_.samples > 0 && step > last_.jump) {
    last_.jump = step;
    last_.jump_at = last_.samples;
  }
  if (header_.is_regular()) {
    if (stretches_.empty() || (step > longest_step_ && stretches_.size() < most_stretches_)) {
      flush();
      begin_stretch(stamp);
    }
    if (pending_.count == most_pending) flush();
    if (pending_.count == 0) pending_.first_stamp = stamp;
    const double t = stamp - pending_.first_stamp;
    pending_.t += t;
    pending_.xt += static_cast<double>(pending_.count) * t;
    pending_.tt += t * t;
    ++pending_.count;
    stretches_.back().last_stamp = stamp;
  }
  last_.stamp = stamp;
  ++last_.samples;
}

void StreamIndex::begin_stretch(double stamp) {
  stretches_.push_back({.first = last_.samples, .first_stamp = stamp, .last_stamp = stamp});
}

void StreamIndex::flush() {
  if (pending_.count == 0) return;
  const auto n = static_cast<double>(pending_.count);
  const double mean = pending_.t / n;
  Stretch next{.count = pending_.count,
               .first_stamp = pending_.first_stamp,
               .last_stamp = stretches_.back().last_stamp,
               .mean = mean,
               .xt = pending_.xt - mean * n * (n - 1) / 2,
               .tt = std::max(0.0, pending_.tt - n * mean * mean)};
  pending_ = {};
  if (stretches_.back().count == 0) {
    next.first = stretches_.back().first;
    stretches_.back() = next;
  } else {
    merge(stretches_.back(), next);
  }
}

// Chan's rule for sums of two groups.
void StreamIndex::merge(Stretch& stretch, const Stretch& next) {
  const auto n = static_cast<double>(stretch.count);
  const auto m = static_cast<double>(next.count);
  const double x = n + (m - 1) / 2 - (n - 1) / 2;  // between the means
  const double t = next.mean + (next.first_stamp - stretch.first_stamp) - stretch.mean;
  const double share = n * m / (n + m);
  stretch.xt += next.xt + share * x * t;
  stretch.tt += next.tt + share * t * t;
  stretch.mean += t * m / (n + m);
  stretch.count += next.count;
  stretch.last_stamp = next.last_stamp;
}

void StreamIndex::correct(Stretch& stretch, const ClockLine& line) {
  stretch.first_stamp = line.corrected(stretch.first_stamp);
  stretch.last_stamp = line.corrected(stretch.last_stamp);
  stretch.mean *= line.stretch();
  stretch.xt *= line.stretch();
  stretch.tt *= line.stretch() * line.stretch();
}

void StreamIndex::add_offset(double time, double offset) {
  const bool sudden = !offsets_.empty() && std::abs(offset - offsets_.back().offset) > sudden_offset;
  const bool jumped = last_.jump > longest_step_;
  offsets_.push_back({time, offset, jumped ? last_.jump_at : last_.samples});
  // It may be a reset of the clock, whose line must begin with a stretch.
  if (sudden && !jumped && !stretches_.empty()) {
    flush();
    if (stretches_.back().count > 0) begin_stretch(last_.stamp);
  }
  last_.jump = 0;
  last_.jump_at = last_.samples;
}

XdfSegment StreamIndex::segment_of(const Stretch& stretch) const {
  const auto n = static_cast<double>(stretch.count);
  const double xx = n * (n * n - 1) / 12;
  double period = stretch.count > 1 ? stretch.xt / xx : 0;
  if (!(period > 0)) period = 1 / header_.sampling_frequency.value;
  const double unexplained = std::max(0.0, stretch.tt - period * stretch.xt);
  return {.first_sample = stretch.first,
          .samples = stretch.count,
          .onset = {stretch.first_stamp + stretch.mean - period * (n - 1) / 2},
          .period = {period},
          .jitter = {std::sqrt(unexplained / n)}};
}

void StreamIndex::finish() {
  flush();
  std::erase_if(stretches_, [](const Stretch& stretch) { return stretch.count == 0; });
  lines_ = clock_lines(offsets_);
  offsets_.shrink_to_fit();
  std::optional<Stretch> current;
  const auto put = [&] {
    if (current) segments_.push_back(segment_of(*current));
  };
  for (Stretch stretch : stretches_) {
    auto line = std::ranges::upper_bound(lines_, stretch.first, {}, &ClockLine::first_sample);
    correct(stretch, *std::prev(line));
    if (current && std::abs(stretch.first_stamp - current->last_stamp) <= longest_step_) {
      merge(*current, stretch);
      continue;
    }
    put();
    current = stretch;
  }
  put();
  stretches_ = {};
}

const StreamIndex::Checkpoint& StreamIndex::checkpoint(Index sample) const {
  return *std::prev(std::ranges::upper_bound(checkpoints_, sample, {}, &Checkpoint::sample));
}

}  // namespace heed::io
