// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/brainvision/brainvision_header.h>
#include <io/text_file.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace heed::io {
namespace {

// "20131113161403794232": year to microsecond, without separators. Zeros: not known.
std::optional<LocalTime> marker_date(std::string_view text) {
  constexpr std::size_t length = 20;
  if (text.size() != length || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t count) {
    return static_cast<int>(parse_integer(text.substr(at, count)).value_or(0));
  };
  const LocalTime time{number(0, 4),  number(4, 2),  number(6, 2), number(8, 2),
                       number(10, 2), number(12, 2), number(14, 6)};
  return exists(time) ? std::optional(time) : std::nullopt;
}

// Electrode caps end at 512; a header made to hold nothing but channels may not cost many times its size.
constexpr std::int64_t most_channels = 4096;

Error at_line(std::size_t row, const std::string& problem, ErrorKind kind = ErrorKind::bad_data) {
  return {kind, "line " + std::to_string(row) + ": " + problem};
}

Error missing(std::string_view section, std::string_view key) {
  return {ErrorKind::bad_data,
          "there is no '" + std::string(key) + "=' in [" + std::string(section) + "]; export the header again"};
}

struct Entry {
  std::string_view value;
  std::size_t row = 0;
};

bool is_section(std::string_view section, std::string_view name) { return equal_ignoring_case(section, name); }

// What a header says, taken line by line.
class HeaderBuilder {
 public:
  void take(const KeyValueLine& line) {
    if (is_section(line.section, "Channel Infos")) {
      take_channel(line);
    } else if (is_section(line.section, "Common Infos") || is_section(line.section, "Binary Infos")) {
      keep(line);
    }
  }
  [[nodiscard]] BrainVisionHeader finish();

 private:
  struct Named {
    std::string_view name;
    Entry entry;
  };
  void keep(const KeyValueLine& line);
  void take_channel(const KeyValueLine& line);
  [[nodiscard]] const Entry* find(std::string_view key) const;
  [[nodiscard]] const Entry& need(std::string_view section, std::string_view key) const;
  void settle_format();
  void settle_channels();

  std::vector<Named> entries_;  // of the few keys heed uses
  std::map<std::int64_t, BrainVisionChannel> channels_;
  std::size_t last_channel_row_ = 0;
  BrainVisionHeader header_;
};

void HeaderBuilder::keep(const KeyValueLine& line) {
  for (const std::string_view key : {"DataFile", "MarkerFile", "DataFormat", "DataOrientation", "NumberOfChannels",
                                     "SamplingInterval", "DataPoints", "BinaryFormat", "DataType"}) {
    if (equal_ignoring_case(key, line.key) && find(key) == nullptr) entries_.push_back({key, {line.value, line.row}});
  }
}

const Entry* HeaderBuilder::find(std::string_view key) const {
  const auto found = std::ranges::find(entries_, key, &Named::name);
  return found == entries_.end() ? nullptr : &found->entry;
}

const Entry& HeaderBuilder::need(std::string_view section, std::string_view key) const {
  const Entry* const entry = find(key);
  if (entry == nullptr) throw missing(section, key);
  return *entry;
}

std::int64_t count_of(const Entry& entry, std::string_view key) {
  const auto value = parse_integer(entry.value);
  if (!value || *value < 1)
    throw at_line(entry.row, std::string(key) + ": " + in_quotes(clean_text(entry.value)) +
                                 " is not a whole number above 0; correct it, or export the file again");
  return *value;
}

// "Ch12=Fz,,0.5,µV": name, reference, resolution, unit.
void HeaderBuilder::take_channel(const KeyValueLine& line) {
  const auto number = line.key.size() > 2 && equal_ignoring_case(line.key.substr(0, 2), "Ch")
                          ? parse_integer(line.key.substr(2))
                          : std::nullopt;
  if (!number || *number < 1)
    throw at_line(line.row, in_quotes(clean_text(line.key)) + " is not a channel; write Ch1=, Ch2= ...");
  if (*number > most_channels)
    throw at_line(line.row, "heed reads at most " + std::to_string(most_channels) + " channels",
                  ErrorKind::unsupported);
  BrainVisionChannel channel;
  channel.name = field_of(line.value, 0);
  const std::string resolution = field_of(line.value, 2);
  channel.unit = unit_text(field_of(line.value, 3));
  if (channel.unit.empty()) channel.unit = "\xc2\xb5V";  // the format's default
  const auto scale = resolution.empty() ? std::optional(1.0) : parse_number(resolution);
  constexpr double largest = 1e20;  // samples must stay within single precision
  if (!scale || *scale == 0 || std::abs(*scale) > largest) {
    throw at_line(line.row, "channel " + in_quotes(channel.name) + ": the resolution " + in_quotes(resolution) +
                                " is not a number heed can use; write e.g. 0.1");
  }
  channel.resolution = *scale;
  if (!channels_.emplace(*number, std::move(channel)).second)
    throw at_line(line.row, "channel " + std::to_string(*number) + " is described twice");
  last_channel_row_ = line.row;
}

void HeaderBuilder::settle_format() {
  if (const Entry* const format = find("DataFormat");
      format != nullptr && !equal_ignoring_case(format->value, "BINARY")) {
    throw at_line(
        format->row,
        "samples are stored as " + in_quotes(clean_text(format->value)) + "; heed reads BINARY, export it that way",
        ErrorKind::unsupported);
  }
  if (const Entry* const type = find("DataType"); type != nullptr && !equal_ignoring_case(type->value, "TIMEDOMAIN")) {
    throw at_line(type->row, "the data are " + in_quotes(clean_text(type->value)) + "; heed reads TIMEDOMAIN",
                  ErrorKind::unsupported);
  }
  if (const Entry* const order = find("DataOrientation")) {
    header_.multiplexed = equal_ignoring_case(order->value, "MULTIPLEXED");
    if (!header_.multiplexed && !equal_ignoring_case(order->value, "VECTORIZED")) {
      throw at_line(
          order->row,
          "DataOrientation: " + in_quotes(clean_text(order->value)) + " is neither MULTIPLEXED nor VECTORIZED",
          ErrorKind::unsupported);
    }
  }
  const Entry* const binary = find("BinaryFormat");
  if (binary == nullptr || equal_ignoring_case(binary->value, "INT_16")) return;  // the format's default
  if (equal_ignoring_case(binary->value, "INT_32")) {
    header_.encoding = Encoding::int32;
  } else if (equal_ignoring_case(binary->value, "IEEE_FLOAT_32")) {
    header_.encoding = Encoding::float32;
  } else {
    throw at_line(
        binary->row,
        "BinaryFormat: heed reads INT_16, INT_32 and IEEE_FLOAT_32, not " + in_quotes(clean_text(binary->value)),
        ErrorKind::unsupported);
  }
}

void HeaderBuilder::settle_channels() {
  const Entry& stated = need("Common Infos", "NumberOfChannels");
  const std::int64_t number = count_of(stated, "NumberOfChannels");
  const auto described = static_cast<std::int64_t>(channels_.size());
  if (number != described || channels_.rbegin()->first != number) {
    throw at_line(stated.row, "NumberOfChannels is " + std::to_string(number) + ", but [Channel Infos] describes " +
                                  std::to_string(described) +
                                  (described > 0 ? " (the last in line " + std::to_string(last_channel_row_) + ")"
                                                 : std::string()) +
                                  "; write one Ch line for each channel");
  }
  std::vector<std::string> names;
  for (auto& [index, channel] : channels_) {
    names.push_back(channel.name.empty() ? "Ch" + std::to_string(index) : channel.name);
    header_.channels.push_back(std::move(channel));
  }
  make_unique(names, header_.notes);
  for (std::size_t c = 0; c < names.size(); ++c) header_.channels[c].name = std::move(names[c]);
}

BrainVisionHeader HeaderBuilder::finish() {
  settle_format();
  settle_channels();
  header_.data_file = clean_text(need("Common Infos", "DataFile").value);
  if (const Entry* const markers = find("MarkerFile")) header_.marker_file = clean_text(markers->value);
  const Entry& interval = need("Common Infos", "SamplingInterval");
  const auto microseconds = parse_number(interval.value);
  constexpr double shortest = 1e-3;  // a gigahertz
  if (!microseconds || *microseconds < shortest || *microseconds > 1e12) {
    throw at_line(interval.row, "SamplingInterval: " + in_quotes(clean_text(interval.value)) +
                                    " is not a time in microseconds; 1000 Hz is 1000");
  }
  header_.sampling_frequency = Hertz{1e6 / *microseconds};
  if (const Entry* const points = find("DataPoints"); points != nullptr && points->value != "0")
    header_.samples = count_of(*points, "DataPoints");
  return std::move(header_);
}

}  // namespace

// "Mk2=Stimulus,S253,487,1,0": type, description, position from 1, size, channel.
BrainVisionMarkers parse_brainvision_markers(std::string_view text, const MarkerLimits& limits) {
  BrainVisionMarkers markers;
  std::size_t damaged = 0;
  std::size_t left_out = 0;
  KeyValueReader lines(text);
  while (lines.next()) {
    const KeyValueLine& line = lines.line();
    if (!equal_ignoring_case(line.section, "Marker Infos")) continue;
    const auto position = parse_integer(trimmed(field_of(line.value, 2)));
    const auto size = parse_integer(trimmed(field_of(line.value, 3)));
    constexpr std::int64_t farthest = std::int64_t{1} << 50U;  // samples; beyond it a double cannot tell them apart
    if (!position || *position < 0 || *position > farthest) {
      ++damaged;
      continue;
    }
    if (markers.events.size() == limits.most_events) {
      ++left_out;
      continue;
    }
    const std::string type = field_of(line.value, 0);
    const Index sample = std::max<Index>(0, *position - 1);
    if (type == "New Segment") {
      markers.segments.push_back(sample);
      if (!markers.start) markers.start = marker_date(trimmed(field_of(line.value, 5)));
    }
    const double length = size ? static_cast<double>(std::clamp<std::int64_t>(*size, 0, farthest)) : 0;
    markers.events.push_back({Seconds{static_cast<double>(sample) / limits.sampling_frequency.value},
                              Seconds{length / limits.sampling_frequency.value}, type + "/" + field_of(line.value, 1)});
  }
  if (damaged > 0)
    markers.notes.push_back(std::to_string(damaged) + " lines of the marker file are damaged and left out");
  if (left_out > 0)
    markers.notes.push_back("there are more markers than a recording of this size can have; " +
                            std::to_string(left_out) + " of them are left out");
  return markers;
}

bool looks_like_brainvision(std::string_view first_bytes) noexcept {
  const std::string_view text = first_bytes.starts_with("\xef\xbb\xbf") ? first_bytes.substr(3) : first_bytes;
  return text.starts_with("Brain Vision") || text.starts_with("BrainVision");
}

std::string decode_brainvision_text(std::string bytes) {
  if (bytes.starts_with(byte_order_mark)) bytes.erase(0, byte_order_mark.size());
  bool latin = !is_utf8(bytes);
  KeyValueReader lines(bytes);
  while (!latin && lines.next()) {
    latin = equal_ignoring_case(lines.line().key, "Codepage") && equal_ignoring_case(lines.line().value, "ANSI");
    if (!is_section(lines.line().section, "Common Infos")) break;
  }
  if (latin) return latin_to_utf8(bytes);
  return bytes;
}

bool KeyValueReader::next() noexcept {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_.row;
    if (line.starts_with('[') && line.ends_with(']')) {
      line_.section = line.substr(1, line.size() - 2);
      if (is_section(line_.section, "Comment")) rest_ = {};  // free text to the end
      continue;
    }
    const std::size_t equals = line.find('=');
    if (line.starts_with(';') || equals == std::string_view::npos || line_.section.empty()) continue;
    line_.key = trimmed(line.substr(0, equals));
    line_.value = trimmed(line.substr(equals + 1));
    return true;
  }
  return false;
}

std::string field_of(std::string_view value, std::size_t index) {
  for (; index > 0; --index) {
    const std::size_t comma = value.find(',');
    if (comma == std::string_view::npos) return {};
    value.remove_prefix(comma + 1);
  }
  std::string field = clean_text(value.substr(0, value.find(',')));
  for (std::size_t at = field.find("\\1"); at != std::string::npos; at = field.find("\\1", at + 1))
    field.replace(at, 2, ",");
  return field;
}

BrainVisionHeader parse_brainvision_header(std::string_view text) {
  if (!looks_like_brainvision(text))
    throw at_line(
        1, "a BrainVision header begins with 'Brain Vision Data Exchange Header File'; is it another kind of file?");
  HeaderBuilder builder;
  KeyValueReader lines(text);
  while (lines.next()) builder.take(lines.line());
  return builder.finish();
}

}  // namespace heed::io
