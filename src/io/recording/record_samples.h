// SPDX-License-Identifier: MIT
// Samples that lie in records, as those of EDF, BDF and GDF do: signals one after the other, each with its samples of
// the record.
#pragma once

#include <heed/data/recording.h>
#include <io/open_file.h>
#include <io/recording/sample_decoding.h>

#include <cstdint>
#include <span>

namespace heed::io {

struct RecordSignal {
  double gain = 1;  // physical = gain * number + offset
  double offset = 0;
  std::int64_t samples = 0;   // in a record
  std::int64_t position = 0;  // bytes from the beginning of a record
};

struct RecordLayout {
  Encoding encoding = Encoding::int16;
  std::int64_t header_bytes = 0;
  std::int64_t record_bytes = 0;
  std::int64_t records = 0;  // whole ones in the file

  [[nodiscard]] std::int64_t sample_bytes() const noexcept { return bytes_of(encoding); }
  [[nodiscard]] std::int64_t offset_of(std::int64_t record) const noexcept {
    return header_bytes + record * record_bytes;
  }
};

// As many samples as `into` has rows, from `first` on; signal c goes to column c. All have as many samples in a record.
void read_record_samples(const SampleFile& file, const RecordLayout& layout, std::span<const RecordSignal> signals,
                         Index first, SampleMatrix& into);

}  // namespace heed::io
