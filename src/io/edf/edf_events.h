// SPDX-License-Identifier: MIT
// Events of EDF and BDF files: the annotation lists of EDF+, and changes of BioSemi's status channel. Also when each
// record began, which the lists tell and discontinuous files need.
#pragma once

#include <heed/data/recording.h>
#include <io/edf/edf_header.h>

#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

// One text of a time-stamped list "+12.5 (21) 0.1 (20) text (20) text (20) (0)".
struct EdfAnnotation {
  double onset = 0;
  double duration = 0;
  std::string_view text{};  // empty: the list only keeps the time of its record
};

// Walks over one record's annotation bytes, which must outlive it. Allocates nothing.
class EdfAnnotationReader {
 public:
  explicit EdfAnnotationReader(std::string_view bytes) noexcept : rest_(bytes) {}

  bool next() noexcept;  // false: no more
  [[nodiscard]] const EdfAnnotation& annotation() const noexcept { return annotation_; }
  [[nodiscard]] std::size_t damaged() const noexcept { return damaged_; }  // lists that were passed over

 private:
  bool next_list() noexcept;

  std::string_view rest_;
  std::string_view texts_{};  // of the current list, each with the 20 behind it
  EdfAnnotation annotation_{};
  std::size_t damaged_ = 0;
};

// When the first record began, in seconds after the header's start; 0 where no annotation says so.
[[nodiscard]] double first_record_onset(const SampleFile& file, const EdfLayout& layout);

// Stretches of records that follow on one another, at `rate`. One for files that are not discontinuous. Throws
// bad_data for a discontinuous file whose record does not say when it began, or began before the one before ended.
[[nodiscard]] std::vector<RecordingSegment> edf_segments(const SampleFile& file, const EdfLayout& layout,
                                                         std::int64_t samples_a_record);

// Annotations, and rising changes of the low 16 bits of status channels; on the clock of the segments.
[[nodiscard]] std::vector<RecordingEvent> edf_events(const SampleFile& file, const EdfLayout& layout,
                                                     const std::vector<RecordingSegment>& segments,
                                                     std::vector<std::string>& notes);

}  // namespace heed::io
