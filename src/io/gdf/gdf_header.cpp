// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/gdf/gdf_header.h>
#include <io/recording/recording_format.h>
#include <io/tsv.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace heed::io {
namespace {

static_assert(std::endian::native == std::endian::little, "the files are little endian, and read as they lie");

constexpr std::size_t block = 256;  // bytes of the fixed header, and of each channel

Error damaged(std::size_t byte, const std::string& problem) {
  return {ErrorKind::bad_data, "byte " + std::to_string(byte + 1) + ": " + problem +
                                   "; the header is damaged, copy or export the file again"};
}

template <typename Number>
Number number_at(std::string_view bytes, std::size_t at) noexcept {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

// Padded with blanks or zeros.
std::string text_at(std::string_view bytes, std::size_t at, std::size_t width) {
  const std::string_view field = bytes.substr(at, width);
  return clean_text(trimmed(field.substr(0, field.find('\0'))));
}

// Fields of channels lie column by column: one of each channel, then the next of each.
class ChannelFields {
 public:
  ChannelFields(std::string_view bytes, std::size_t channels) : bytes_(bytes), channels_(channels) {}

  // `before`: bytes of the fields before it, for one channel.
  [[nodiscard]] std::size_t place(std::size_t before, std::size_t width, std::size_t channel) const noexcept {
    return block + channels_ * before + channel * width;
  }
  template <typename Number>
  [[nodiscard]] Number number(std::size_t before, std::size_t channel) const noexcept {
    return number_at<Number>(bytes_, place(before, sizeof(Number), channel));
  }
  [[nodiscard]] std::string text(std::size_t before, std::size_t width, std::size_t channel) const {
    return text_at(bytes_, place(before, width, channel), width);
  }

 private:
  std::string_view bytes_;
  std::size_t channels_;
};

struct Range {
  double physical_low;
  double physical_high;
  double digital_low;
  double digital_high;
};

Range range_of(const ChannelFields& fields, double version, std::size_t i) {
  const auto low = fields.number<double>(104, i);
  const auto high = fields.number<double>(112, i);
  if (version >= 2) return {low, high, fields.number<double>(120, i), fields.number<double>(128, i)};
  return {low, high, static_cast<double>(fields.number<std::int64_t>(120, i)),
          static_cast<double>(fields.number<std::int64_t>(128, i))};
}

// Units are words in version 1 and codes in version 2, of which these are volts.
std::string unit_of(const ChannelFields& fields, double version, std::size_t i) {
  if (version < 2) return unit_text(fields.text(96, 8, i));
  switch (fields.number<std::uint16_t>(102, i)) {  // 6 bytes of an older field come before it
    case 4256:
      return "V";
    case 4274:
      return "mV";
    case 4275:
      return "µV";
    case 4276:
      return "nV";
    default:
      return "";
  }
}

Encoding encoding_of(std::uint32_t type) {
  switch (type) {
    case 3:
      return Encoding::int16;
    case 5:
      return Encoding::int32;
    case 16:
      return Encoding::float32;
    case 17:
      return Encoding::float64;
    case 255 + 24:
      return Encoding::int24;
    default:
      throw Error(ErrorKind::unsupported,
                  "its samples are numbers of type " + std::to_string(type) +
                      ", and heed reads int16, int24, int32, float32 and float64; export the file as one of these");
  }
}

void read_scale(const ChannelFields& fields, std::size_t i, const GdfLayout& layout, GdfSignal& signal,
                std::vector<std::string>& notes) {
  const Range range = range_of(fields, layout.version, i);
  const double gain = (range.physical_high - range.physical_low) / (range.digital_high - range.digital_low);
  if (gain == 0 || !std::isfinite(gain) || !std::isfinite(range.physical_low - range.digital_low * gain)) {
    notes.push_back("channel " + signal.name + " states no range (byte " + std::to_string(fields.place(104, 8, i) + 1) +
                    "): its samples are bare numbers without a unit");
    signal.unit.clear();
    return;
  }
  signal.gain = gain;
  signal.offset = range.physical_low - range.digital_low * gain;
}

// Channels without samples of their own hold events of another kind, and are passed over.
void read_channel(const ChannelFields& fields, std::size_t i, std::int64_t file_size, GdfLayout& layout) {
  GdfSignal signal;
  signal.name = fields.text(0, 16, i);
  signal.samples = fields.number<std::uint32_t>(216, i);
  if (signal.samples == 0) {
    layout.notes.push_back("channel " + signal.name + " has no samples and is left out");
    return;
  }
  const Encoding encoding = encoding_of(fields.number<std::uint32_t>(220, i));
  if (!layout.signals.empty() && encoding != layout.encoding) {
    throw Error(ErrorKind::unsupported,
                "its channels are stored as numbers of different types, which heed does not read; export the file with "
                "one type for all");
  }
  layout.encoding = encoding;
  signal.unit = unit_of(fields, layout.version, i);
  read_scale(fields, i, layout, signal, layout.notes);
  signal.position = layout.record_bytes;
  layout.record_bytes += signal.samples * layout.sample_bytes();
  if (layout.record_bytes > file_size) {
    throw damaged(fields.place(216, 4, i), "one record would take more bytes than the file has");
  }
  layout.signals.push_back(std::move(signal));
}

// 2026111509300025, the last two digits being hundredths of a second.
std::optional<LocalTime> written_start(std::string_view text) {
  const auto digits = [&](std::size_t at, std::size_t count) {
    return static_cast<int>(parse_integer(text.substr(at, count)).value_or(-1));
  };
  const LocalTime start{digits(0, 4), digits(4, 2), digits(6, 2), digits(8, 2), digits(10, 2), digits(12, 2), 0};
  return exists(start) ? std::optional(start) : std::nullopt;
}

// Days since the year 0, times 2^32.
std::optional<LocalTime> counted_start(std::uint64_t stamp) {
  constexpr std::int64_t day_of_1970 = 719529;
  constexpr std::int64_t longest = 3652424;  // days until the year 9999 ends
  const auto days = static_cast<std::int64_t>(stamp >> 32U);
  if (days < 367 || days > longest) return std::nullopt;
  const double share = static_cast<double>(stamp & 0xffffffffU) / 4294967296.0;
  return utc_time((days - day_of_1970) * 86400 + std::llround(share * 86400));
}

// The number of records stated may be unknown (-1), or too large in a file that was cut.
void settle_records(std::int64_t stated, std::int64_t file_size, GdfLayout& layout) {
  const std::int64_t there = file_size - layout.header_bytes;
  if (layout.signals.empty()) throw Error(ErrorKind::unsupported, "holds events only, no signal");
  if (there < layout.record_bytes) {
    throw Error(ErrorKind::bad_data, "byte " + std::to_string(layout.header_bytes + 1) + ": one record takes " +
                                         std::to_string(layout.record_bytes) + " bytes, and the file has " +
                                         std::to_string(there) +
                                         " left; it was cut short or its header is damaged, copy it again");
  }
  layout.records = there / layout.record_bytes;
  if (stated > 0 && stated <= layout.records) {
    layout.records = stated;
    return;
  }
  layout.notes.push_back("the header states " + std::to_string(stated) + " records, the file holds " +
                         std::to_string(layout.records) + " whole ones, which are read");
}

// Gives the number of channels.
std::size_t read_fixed(std::string_view bytes, std::int64_t file_size, GdfLayout& layout) {
  const auto version = parse_number(trimmed(bytes.substr(4, 4)));
  if (!version || *version < 1 || *version >= 3) {
    throw Error(ErrorKind::unsupported, "is GDF of version " + in_quotes(clean_text(bytes.substr(4, 4))) +
                                            "; heed reads versions 1 and 2, so export it as one of these");
  }
  layout.version = *version < 1.9 ? 1 : 2;  // the format of 1.9 is that of 2
  const bool old = layout.version < 2;
  const std::size_t channels = old ? number_at<std::uint32_t>(bytes, 252) : number_at<std::uint16_t>(bytes, 252);
  const auto least = static_cast<std::int64_t>(block * (channels + 1));
  layout.header_bytes = old ? number_at<std::int64_t>(bytes, 184)
                            : static_cast<std::int64_t>(block) * number_at<std::uint16_t>(bytes, 184);
  if (channels == 0) throw damaged(252, "there are no channels");
  if (layout.header_bytes < least || layout.header_bytes > file_size) {
    throw damaged(184, "a header of " + std::to_string(channels) + " channels takes at least " + std::to_string(least) +
                           " bytes; it states " + std::to_string(layout.header_bytes) + ", and the file has " +
                           std::to_string(file_size));
  }
  const auto seconds = number_at<std::uint32_t>(bytes, 244);
  const auto divisor = number_at<std::uint32_t>(bytes, 248);
  if (seconds == 0 || divisor == 0) throw damaged(244, "a record lasts no time");
  layout.record_seconds = static_cast<double>(seconds) / divisor;
  layout.start = old ? written_start(bytes.substr(168, 16)) : counted_start(number_at<std::uint64_t>(bytes, 168));
  return channels;
}

void make_names_unique(GdfLayout& layout) {
  std::vector<std::string> names;
  for (const GdfSignal& signal : layout.signals) names.push_back(signal.name);
  make_unique(names, layout.notes);
  for (std::size_t i = 0; i < names.size(); ++i) layout.signals[i].name = names[i];
}

void check_rates(const GdfLayout& layout) {
  constexpr double largest_rate = 1e9;
  for (const GdfSignal& signal : layout.signals) {
    if (!(static_cast<double>(signal.samples) / layout.record_seconds <= largest_rate)) {
      throw damaged(244, "records of " + number_text(layout.record_seconds) + " s give no valid sampling frequency");
    }
  }
}

// How the table of events begins.
struct EventTable {
  bool durations = false;
  std::int64_t count = 0;
  double rate = 0;
  std::int64_t position = 0;  // of the first onset
};

// Onsets, codes, and in mode 3 channels and durations too, each a column of its own.
constexpr std::int64_t bytes_of_event(bool durations) noexcept { return durations ? 12 : 6; }

std::optional<EventTable> event_table(const SampleFile& file, const GdfLayout& layout) {
  constexpr std::int64_t beginning = 8;
  const std::int64_t at = layout.offset_of(layout.records);
  if (file.size() - at < beginning) return std::nullopt;
  std::string bytes(beginning, '\0');
  file.read(at, bytes);
  const auto three_bytes = number_at<std::uint32_t>(bytes, 0) >> 8U;
  EventTable table{.durations = bytes[0] == 3, .position = at + beginning};
  table.count = layout.version < 2 ? number_at<std::uint32_t>(bytes, 4) : three_bytes;
  table.rate = layout.version < 2 ? three_bytes : static_cast<double>(number_at<float>(bytes, 4));
  const bool known = bytes[0] == 1 || bytes[0] == 3;
  return known && table.count > 0 ? std::optional(table) : std::nullopt;
}

}  // namespace

bool looks_like_gdf(std::string_view first_bytes) noexcept { return first_bytes.starts_with("GDF "); }

GdfLayout read_gdf_layout(const SampleFile& file) {
  std::string bytes(static_cast<std::size_t>(std::min<std::int64_t>(block, file.size())), '\0');
  file.read(0, bytes);
  if (!looks_like_gdf(bytes)) {
    throw Error(ErrorKind::bad_data, "byte 1: the file does not begin like GDF; is it another kind of file?");
  }
  if (bytes.size() < block) throw damaged(bytes.size(), "the file ends within its header");
  GdfLayout layout;
  const std::size_t channels = read_fixed(bytes, file.size(), layout);
  const auto stated = number_at<std::int64_t>(bytes, 236);
  bytes.resize(block * (channels + 1));
  file.read(0, bytes);
  const ChannelFields fields(bytes, channels);
  for (std::size_t i = 0; i < channels; ++i) read_channel(fields, i, file.size(), layout);
  check_rates(layout);
  settle_records(stated, file.size(), layout);
  make_names_unique(layout);
  return layout;
}

std::vector<RecordingEvent> read_gdf_events(const SampleFile& file, const GdfLayout& layout,
                                            std::vector<std::string>& notes) {
  const auto table = event_table(file, layout);
  if (!table) return {};
  const std::int64_t bytes = table->count * bytes_of_event(table->durations);
  if (bytes > file.size() - table->position) {
    notes.push_back("the table of " + std::to_string(table->count) + " events is cut short and left out");
    return {};
  }
  std::string content(static_cast<std::size_t>(bytes), '\0');
  file.read(table->position, content);
  const auto count = static_cast<std::size_t>(table->count);
  const double own_rate = static_cast<double>(layout.signals.front().samples) / layout.record_seconds;
  const double rate = table->rate > 0 && std::isfinite(table->rate) ? table->rate : own_rate;
  EventList events(most_events(file.size()));
  for (std::size_t k = 0; k < count; ++k) {
    const auto sample = number_at<std::uint32_t>(content, 4 * k);  // counted from 1
    const auto code = number_at<std::uint16_t>(content, 4 * count + 2 * k);
    const auto samples = table->durations ? number_at<std::uint32_t>(content, 8 * count + 4 * k) : 0U;
    events.add((static_cast<double>(sample) - 1) / rate, samples / rate, std::to_string(code));
  }
  return events.take(notes);
}

}  // namespace heed::io
