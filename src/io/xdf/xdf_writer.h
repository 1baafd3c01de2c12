// SPDX-License-Identifier: MIT
// Writes XDF chunk by chunk, each handed to the system as it is made: a program that is killed leaves a file that reads
// up to its last whole chunk. Files grow in place, as those of LabRecorder do.
#pragma once

#include <heed/data/units.h>
#include <io/growing_file.h>
#include <io/xdf/stream_header.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

class XdfWriter {
 public:
  // Begins the file anew. Throws cannot_create, also where another process is writing to it.
  explicit XdfWriter(std::filesystem::path path);

  // Streams are numbered from 1 on. All throw io: a full disk.
  std::uint32_t add_stream(const XdfHeader& header);
  // Rows of channels of a stream of float32 or double64. The first is stamped, those after it follow at the stream's
  // rate.
  void write(std::uint32_t stream, Seconds stamp, std::span<const float> values);
  void write(std::uint32_t stream, Seconds stamp, std::span<const double> values);
  // One string of a stream of one channel.
  void write(std::uint32_t stream, Seconds stamp, std::string_view text);
  void write_offset(std::uint32_t stream, Seconds time, Seconds offset);
  // Where readers go on after damage: every ten seconds is usual.
  void write_boundary();
  // The footers; the file is whole.
  void finish();

 private:
  struct Stream {
    XdfHeader header{};
    std::int64_t samples = 0;
    double first_stamp = 0;
    double last_stamp = 0;
  };
  template <typename Number>
  void write_rows(std::uint32_t stream, Seconds stamp, std::span<const Number> values);
  void begin_samples(Stream& stream, std::uint32_t id, Seconds stamp, std::int64_t rows);
  void put_chunk(std::uint16_t tag, std::string_view content);

  GrowingFile file_;
  std::vector<Stream> streams_{};
  std::string content_{};  // of the chunk that is being made
  std::string frame_{};
};

}  // namespace heed::io
