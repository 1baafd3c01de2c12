// SPDX-License-Identifier: MIT
// What is known of a stream once its chunks were walked over: where its samples lie, and when they were taken. Of the
// stamps of a regular stream only sums over stretches without a break are kept, so memory does not grow with samples.
#pragma once

#include <io/xdf/chunks.h>
#include <io/xdf/clock_line.h>
#include <io/xdf/stream_header.h>

#include <optional>
#include <vector>

namespace heed::io {

// Samples that follow each other evenly: sample k of the stretch was taken at onset + k period, on the clock of the
// computer that recorded.
struct XdfSegment {
  Index first_sample = 0;
  Index samples = 0;
  Seconds onset{};
  Seconds period{};
  Seconds jitter{};  // root mean square distance of the stamps from the line
  [[nodiscard]] Seconds at(double sample) const noexcept { return onset + sample * period; }
  [[nodiscard]] Seconds end() const noexcept { return at(static_cast<double>(samples)); }
};

// Where reading can begin.
struct SampleCursor {
  std::int64_t position = 0;  // of the next sample
  std::int64_t end = 0;       // of its chunk
  std::int64_t left = 0;      // samples of the chunk
  double stamp = 0;           // of the sample before
};

// The next sample: its stamp goes to the cursor, its values begin at the result. nullptr: it does not fit the chunk.
[[nodiscard]] const char* next_sample(FileWindow& window, const XdfHeader& header, SampleCursor& cursor);

// The cursor of a chunk of samples whose content begins at `position`, behind the stream's number. Nothing where the
// chunk makes no sense.
[[nodiscard]] std::optional<SampleCursor> begin_samples(FileWindow& window, std::int64_t position, std::int64_t end,
                                                        double last_stamp);

class StreamIndex {
 public:
  StreamIndex(std::uint32_t id, XdfHeader header, std::int64_t file_size);

  // False, and nothing was added, where the chunk makes no sense.
  [[nodiscard]] bool add_samples(FileWindow& window, const Chunk& chunk);
  void add_offset(double time, double offset);
  void set_declared(std::optional<std::int64_t> samples) { declared_ = samples; }

  // After the last chunk.
  void finish();

  [[nodiscard]] std::uint32_t id() const noexcept { return id_; }
  [[nodiscard]] const XdfHeader& header() const noexcept { return header_; }
  [[nodiscard]] Index samples() const noexcept { return last_.samples; }
  [[nodiscard]] std::optional<std::int64_t> declared() const noexcept { return declared_; }
  [[nodiscard]] Index offsets() const noexcept { return std::ssize(offsets_); }
  [[nodiscard]] const std::vector<ClockLine>& lines() const noexcept { return lines_; }
  [[nodiscard]] const std::vector<XdfSegment>& segments() const noexcept { return segments_; }  // of a regular stream

  struct Checkpoint {
    Index sample = 0;
    SampleCursor cursor{};
  };
  // The last one at or before the sample.
  [[nodiscard]] const Checkpoint& checkpoint(Index sample) const;

 private:
  // Sums over a stretch of stamps; x is the number of the sample, t its stamp.
  struct Stretch {
    Index first = 0;
    Index count = 0;
    double first_stamp = 0;
    double last_stamp = 0;
    double mean = 0;  // of t - first_stamp
    double xt = 0;    // sums of products of deviations from the mean
    double tt = 0;
  };
  // Of stamps that were not added to the stretch yet: plain sums, from the first of them on.
  struct Pending {
    Index count = 0;
    double first_stamp = 0;
    double t = 0;
    double xt = 0;
    double tt = 0;
  };
  // All that one more sample changes.
  struct Last {
    Index samples = 0;
    double stamp = 0;
    double jump = 0;  // the largest since the last offset
    Index jump_at = 0;
  };

  void add_stamp(double stamp);
  void begin_stretch(double stamp);
  void flush();
  static void merge(Stretch& stretch, const Stretch& next);
  static void correct(Stretch& stretch, const ClockLine& line);
  [[nodiscard]] XdfSegment segment_of(const Stretch& stretch) const;

  std::uint32_t id_;
  XdfHeader header_;
  double longest_step_;         // s between stamps of one stretch
  std::size_t most_stretches_;  // bounds memory for stamps that make no sense
  std::vector<Stretch> stretches_{};
  Pending pending_{};
  Last last_{};
  std::vector<ClockOffset> offsets_{};
  std::vector<Checkpoint> checkpoints_{};
  std::optional<std::int64_t> declared_{};
  std::vector<ClockLine> lines_{};
  std::vector<XdfSegment> segments_{};
};

}  // namespace heed::io
