// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/recording/recording_format.h>
#include <io/tsv.h>
#include <io/xdf/xdf_file.h>
#include <io/xdf/xml_walk.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace heed::io {
namespace {

constexpr std::int64_t stream_id_bytes = 4;
constexpr std::int64_t largest_xml = std::int64_t{16} << 20U;

template <typename Number>
Number load(const char* bytes) noexcept {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

// Calls use() with a value of the type that the format stores.
template <typename Use>
void with_number(XdfFormat format, Use&& use) {
  switch (format) {
    case XdfFormat::float32:
      return use(float{});
    case XdfFormat::double64:
      return use(double{});
    case XdfFormat::int8:
      return use(std::int8_t{});
    case XdfFormat::int16:
      return use(std::int16_t{});
    case XdfFormat::int32:
      return use(std::int32_t{});
    case XdfFormat::int64:
      return use(std::int64_t{});
    case XdfFormat::text:
      return;
  }
}

// The string or number that a sample's first channel holds.
std::string first_value(const char* values, XdfFormat format) {
  if (format == XdfFormat::text) {
    const auto width = static_cast<std::size_t>(static_cast<unsigned char>(*values));
    std::uint64_t length = 0;
    std::memcpy(&length, values + 1, width);
    return clean_text({values + 1 + width, static_cast<std::size_t>(length)});
  }
  std::string text;
  with_number(format, [&](auto type) { text = number_text(static_cast<double>(load<decltype(type)>(values))); });
  return text;
}

std::string count_of(std::int64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string damage_text(const XdfDamage& damage) {
  std::string text = "the file is damaged in " + count_of(damage.places, "place") + ", where " +
                     count_of(damage.bytes, "byte") + " could not be read";
  if (damage.cut) text += "; it ends in the middle of a chunk";
  return text;
}

}  // namespace

Hertz XdfStream::effective_frequency() const noexcept {
  const auto longest = std::ranges::max_element(segments, {}, &XdfSegment::samples);
  return longest == segments.end() || longest->samples < 2 ? header.sampling_frequency
                                                           : Hertz{1 / longest->period.value};
}

XdfFile XdfFile::open(const std::filesystem::path& path) {
  XdfFile file(path);
  file.scan();
  file.describe();
  return file;
}

XdfFile::XdfFile(const std::filesystem::path& path) : file_(std::make_unique<SampleFile>(path)), window_(*file_) {
  const std::int64_t size = std::min<std::int64_t>(file_->size(), std::ssize(xdf_magic));
  const std::string_view first(window_.at(0, size), static_cast<std::size_t>(size));
  if (first.starts_with("\x1f\x8b")) {
    throw Error(ErrorKind::unsupported, name() + ": the file is compressed; unpack it with gunzip first");
  }
  if (first != xdf_magic) {
    throw Error(ErrorKind::bad_data, name() + ": not an XDF file, which would begin with 'XDF:'");
  }
}

void XdfFile::scan() {
  // Chunks that make no sense may overlap those behind the next boundary; each is walked over once, but a file can be
  // made so that all of them reach to its end.
  const std::int64_t most_effort = 16 * (file_->size() + (std::int64_t{1} << 20U));
  std::int64_t effort = 0;
  ChunkScanner scanner(window_, std::ssize(xdf_magic), lost_);
  while (const auto chunk = scanner.next()) {
    if (take(*chunk)) continue;
    scanner.refuse(*chunk);
    effort += chunk->size();
    if (effort > most_effort) {
      throw Error(ErrorKind::bad_data, name() + ": damaged in more places than can be searched; record it again");
    }
  }
  for (const LostBytes& lost : lost_) {
    ++damage_.places;
    damage_.bytes += lost.end - lost.begin;
    damage_.cut = lost.end == file_->size();
  }
  for (StreamIndex& index : indices_) index.finish();
}

StreamIndex* XdfFile::find(std::uint32_t id) {
  const auto found = places_.find(id);
  return found == places_.end() ? nullptr : &indices_[found->second];
}

bool XdfFile::take_header(std::uint32_t id, std::string_view xml) {
  auto header = parse_stream_header(xml);
  if (!header || !places_.emplace(id, indices_.size()).second) return false;
  indices_.emplace_back(id, std::move(*header), file_->size());
  return true;
}

// False: what the chunk holds makes no sense.
bool XdfFile::take(const Chunk& chunk) {
  const bool is_xml = chunk.tag == ChunkTag::file_header || chunk.tag == ChunkTag::stream_header ||
                      chunk.tag == ChunkTag::stream_footer;
  if (chunk.tag == ChunkTag::boundary) return true;
  if (is_xml && chunk.size() > largest_xml) return false;
  const auto xml = [&](std::int64_t from) {
    const std::int64_t size = chunk.size() - from;
    return std::string_view(window_.at(chunk.content + from, size), static_cast<std::size_t>(size));
  };
  if (chunk.tag == ChunkTag::file_header) {
    return walk_xml(xml(0), [&](std::string_view path, const std::string& text) {
      if (path == "info/datetime" && !text.empty()) start_ = text;
    });
  }
  const auto id = load<std::uint32_t>(window_.at(chunk.content, stream_id_bytes));
  if (chunk.tag == ChunkTag::stream_header) return take_header(id, xml(stream_id_bytes));
  StreamIndex* const index = find(id);
  if (index == nullptr) {
    unknown_samples_ += chunk.tag == ChunkTag::samples ? 1 : 0;
    return false;
  }
  if (chunk.tag == ChunkTag::samples) return index->add_samples(window_, chunk);
  if (chunk.tag == ChunkTag::stream_footer) {
    std::optional<std::int64_t> samples;
    const bool good = parse_footer(xml(stream_id_bytes), samples);
    if (good) index->set_declared(samples);
    return good;
  }
  const auto time = load<double>(window_.at(chunk.content + stream_id_bytes, 8));
  const auto offset = load<double>(window_.at(chunk.content + stream_id_bytes + 8, 8));
  if (!std::isfinite(time) || !std::isfinite(offset)) return false;
  index->add_offset(time, offset);
  return true;
}

void XdfFile::describe() {
  if (damage_.places > 0) notes_.push_back(damage_text(damage_));
  if (unknown_samples_ > 0) {
    notes_.push_back(count_of(unknown_samples_, "chunk") + " of samples belong to streams whose header is missing");
  }
  for (const StreamIndex& index : indices_) {
    streams_.push_back({.id = index.id(),
                        .header = index.header(),
                        .samples = index.samples(),
                        .declared = index.declared(),
                        .clock_offsets = index.offsets(),
                        .clock_resets = std::ssize(index.lines()) - 1,
                        .segments = index.segments()});
    const XdfStream& stream = streams_.back();
    const std::string name = "stream '" + stream.header.name + "'";
    if (stream.declared && *stream.declared > stream.samples) {
      notes_.push_back(name + " had " + std::to_string(*stream.declared) + " samples, of which " +
                       std::to_string(*stream.declared - stream.samples) + " are missing");
    }
    if (stream.clock_resets > 0) {
      notes_.push_back(name + ": its clock was reset " + count_of(stream.clock_resets, "time") +
                       "; times were corrected on both sides");
    }
    const double nominal = stream.header.sampling_frequency.value;
    const double effective = stream.effective_frequency().value;
    if (stream.header.is_regular() && std::abs(effective / nominal - 1) > 0.005) {
      notes_.push_back(name + " says " + data::shown(nominal) + " Hz, but its samples came at " +
                       data::shown(effective) + " Hz");
    }
  }
}

template <typename Use>
void XdfFile::visit(std::size_t stream, Index first, Index count, Use&& use) {
  if (count == 0) return;
  const StreamIndex& index = indices_[stream];
  const StreamIndex::Checkpoint& start = index.checkpoint(first);
  SampleCursor cursor = start.cursor;
  ChunkScanner scanner(window_, cursor.end, lost_);
  for (Index sample = start.sample; sample < first + count;) {
    while (cursor.left == 0) {
      const auto chunk = scanner.next();
      if (!chunk) throw Error(ErrorKind::bad_data, name() + ": the file has changed while it was read");
      if (chunk->tag != ChunkTag::samples ||
          load<std::uint32_t>(window_.at(chunk->content, stream_id_bytes)) != index.id()) {
        continue;
      }
      cursor = begin_samples(window_, chunk->content + stream_id_bytes, chunk->end, cursor.stamp).value_or(cursor);
    }
    const char* const values = next_sample(window_, index.header(), cursor);
    if (values == nullptr) throw Error(ErrorKind::bad_data, name() + ": the file has changed while it was read");
    if (sample >= first) use(sample, cursor.stamp, values);
    ++sample;
  }
}

template <typename Values>
void XdfFile::read_values(std::size_t stream, Index first, Values& into) {
  const XdfHeader& header = indices_[stream].header();
  into.resize(into.rows(), header.channels);
  with_number(header.format, [&](auto type) {
    using Stored = decltype(type);
    using Scalar = typename Values::Scalar;
    visit(stream, first, into.rows(), [&](Index sample, double, const char* values) {
      Scalar* const row = into.data() + (sample - first) * header.channels;
      for (Index channel = 0; channel < header.channels; ++channel) {
        row[channel] = static_cast<Scalar>(load<Stored>(values + channel * static_cast<Index>(sizeof(Stored))));
      }
    });
  });
}

void XdfFile::read(std::size_t stream, Index first, SampleMatrix& into) { read_values(stream, first, into); }
void XdfFile::read(std::size_t stream, Index first, Matrix& into) { read_values(stream, first, into); }

void XdfFile::read_times(std::size_t stream, Index first, std::span<double> into) {
  const StreamIndex& index = indices_[stream];
  if (!index.header().is_regular()) {
    auto line = std::prev(std::ranges::upper_bound(index.lines(), first, {}, &ClockLine::first_sample));
    visit(stream, first, std::ssize(into), [&](Index sample, double stamp, const char*) {
      while (std::next(line) != index.lines().end() && std::next(line)->first_sample <= sample) ++line;
      into[static_cast<std::size_t>(sample - first)] = line->corrected(stamp);
    });
    return;
  }
  auto segment = std::prev(std::ranges::upper_bound(index.segments(), first, {}, &XdfSegment::first_sample));
  for (Index sample = first; sample < first + std::ssize(into); ++sample) {
    if (sample >= segment->first_sample + segment->samples) ++segment;
    into[static_cast<std::size_t>(sample - first)] =
        segment->at(static_cast<double>(sample - segment->first_sample)).value;
  }
}

std::vector<XdfMarker> XdfFile::read_markers(std::size_t stream) {
  const StreamIndex& index = indices_[stream];
  const Index count = std::min<Index>(index.samples(), static_cast<Index>(most_events(file_->size())));
  std::vector<double> times(static_cast<std::size_t>(count));
  if (count > 0) read_times(stream, 0, times);
  std::vector<XdfMarker> markers;
  markers.reserve(times.size());
  visit(stream, 0, count, [&](Index sample, double, const char* values) {
    markers.push_back({{times[static_cast<std::size_t>(sample)]}, first_value(values, index.header().format)});
  });
  std::ranges::stable_sort(markers, {}, &XdfMarker::time);
  return markers;
}

bool is_xdf_file(const std::filesystem::path& path) { return equal_ignoring_case(path.extension().string(), ".xdf"); }

}  // namespace heed::io
