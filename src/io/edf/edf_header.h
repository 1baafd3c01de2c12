// SPDX-License-Identifier: MIT
// The header of EDF and BDF files (Kemp and others 1992; EDF+ 2003; BioSemi's 24 bit variant): fixed-width ASCII
// fields, 256 bytes for the recording and 256 for each signal. What it states is held against the file's size. And the
// lists of annotations that EDF+ keeps in its records.
#pragma once

#include <io/recording/header_text.h>
#include <io/recording/record_samples.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed::io {

enum class EdfSignalKind { signal, annotations, status };

struct EdfSignal : RecordSignal {
  std::string name{};
  std::string unit{};
  EdfSignalKind kind = EdfSignalKind::signal;
};

struct EdfLayout : RecordLayout {
  std::string format{};  // EDF, EDF+, BDF, BDF+
  double record_seconds = 1;
  bool discontinuous = false;  // says the file; its records may follow on one another all the same
  std::vector<EdfSignal> signals{};
  std::optional<LocalTime> start{};
  std::vector<std::string> notes{};
};

// Whether these first bytes of a file are EDF or BDF.
[[nodiscard]] bool looks_like_edf(std::string_view first_bytes) noexcept;

// Throws bad_data with the byte (from 1), or unsupported. Messages do not name the file yet.
[[nodiscard]] EdfLayout read_edf_layout(const SampleFile& file);

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

}  // namespace heed::io
