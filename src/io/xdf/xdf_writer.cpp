// SPDX-License-Identifier: MIT
#include <io/tsv.h>
#include <io/xdf/chunks.h>
#include <io/xdf/xdf_writer.h>

#include <cstring>

namespace heed::io {
namespace {

template <typename Number>
void put(std::string& bytes, Number number) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof number);
  std::memcpy(bytes.data() + at, &number, sizeof number);
}

// The narrowest of the widths that a length may have.
void put_length(std::string& bytes, std::uint64_t length) {
  if (length <= 0xffU) {
    bytes += '\1';
    put(bytes, static_cast<std::uint8_t>(length));
  } else if (length <= 0xffffffffU) {
    bytes += '\4';
    put(bytes, static_cast<std::uint32_t>(length));
  } else {
    bytes += '\b';
    put(bytes, length);
  }
}

}  // namespace

XdfWriter::XdfWriter(std::filesystem::path path) : file_(std::move(path), "the recording") {
  frame_ = xdf_magic;
  put_chunk(static_cast<std::uint16_t>(ChunkTag::file_header),
            R"(<?xml version="1.0"?><info><version>1.0</version></info>)");
}

void XdfWriter::put_chunk(std::uint16_t tag, std::string_view content) {
  put_length(frame_, content.size() + sizeof tag);
  put(frame_, tag);
  frame_ += content;
  file_.append(frame_);
  frame_.clear();
}

std::uint32_t XdfWriter::add_stream(const XdfHeader& header) {
  streams_.push_back({.header = header});
  const auto id = static_cast<std::uint32_t>(streams_.size());
  content_.clear();
  put(content_, id);
  content_ += stream_header_xml(header);
  put_chunk(static_cast<std::uint16_t>(ChunkTag::stream_header), content_);
  return id;
}

void XdfWriter::begin_samples(Stream& stream, std::uint32_t id, Seconds stamp, std::int64_t rows) {
  if (stream.samples == 0) stream.first_stamp = stamp.value;
  stream.samples += rows;
  const double rate = stream.header.sampling_frequency.value;
  stream.last_stamp = stamp.value + (rate > 0 ? static_cast<double>(rows - 1) / rate : 0);
  content_.clear();
  put(content_, id);
  put_length(content_, static_cast<std::uint64_t>(rows));
}

template <typename Number>
void XdfWriter::write_rows(std::uint32_t stream, Seconds stamp, std::span<const Number> values) {
  Stream& written = streams_.at(stream - 1);
  const auto channels = static_cast<std::size_t>(written.header.channels);
  const std::size_t rows = values.size() / channels;
  if (rows == 0) return;
  begin_samples(written, stream, stamp, static_cast<std::int64_t>(rows));
  for (std::size_t row = 0; row < rows; ++row) {
    content_ += row == 0 ? '\b' : '\0';
    if (row == 0) put(content_, stamp.value);
    const std::size_t at = content_.size();
    content_.resize(at + channels * sizeof(Number));
    std::memcpy(content_.data() + at, values.data() + row * channels, channels * sizeof(Number));
  }
  put_chunk(static_cast<std::uint16_t>(ChunkTag::samples), content_);
}

void XdfWriter::write(std::uint32_t stream, Seconds stamp, std::span<const float> values) {
  write_rows(stream, stamp, values);
}

void XdfWriter::write(std::uint32_t stream, Seconds stamp, std::span<const double> values) {
  write_rows(stream, stamp, values);
}

void XdfWriter::write(std::uint32_t stream, Seconds stamp, std::string_view text) {
  begin_samples(streams_.at(stream - 1), stream, stamp, 1);
  content_ += '\b';
  put(content_, stamp.value);
  put_length(content_, text.size());
  content_ += text;
  put_chunk(static_cast<std::uint16_t>(ChunkTag::samples), content_);
}

void XdfWriter::write_offset(std::uint32_t stream, Seconds time, Seconds offset) {
  content_.clear();
  put(content_, stream);
  put(content_, time.value);
  put(content_, offset.value);
  put_chunk(static_cast<std::uint16_t>(ChunkTag::clock_offset), content_);
}

void XdfWriter::write_boundary() {
  content_.assign(boundary_bytes.begin(), boundary_bytes.end());
  put_chunk(static_cast<std::uint16_t>(ChunkTag::boundary), content_);
}

void XdfWriter::finish() {
  for (std::size_t k = 0; k < streams_.size(); ++k) {
    const Stream& stream = streams_[k];
    content_.clear();
    put(content_, static_cast<std::uint32_t>(k + 1));
    content_ += R"(<?xml version="1.0"?><info><first_timestamp>)" + number_text(stream.first_stamp) +
                "</first_timestamp><last_timestamp>" + number_text(stream.last_stamp) +
                "</last_timestamp><sample_count>" + std::to_string(stream.samples) + "</sample_count></info>";
    put_chunk(static_cast<std::uint16_t>(ChunkTag::stream_footer), content_);
  }
  file_.finish();
}

}  // namespace heed::io
