// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/text.h>
#include <heed/io/atomic_file.h>
#include <heed/io/recording/recording_writer.h>
#include <heed/io/tsv.h>
#include <io/recording/header_text.h>
#include <io/recording/writing.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace heed::io {
namespace {

// EDF and BDF differ in their mark and the width of a number.
struct Variant {
  std::string_view mark;
  std::string_view name;
  int bytes;
  [[nodiscard]] std::int64_t lowest() const { return -(std::int64_t{1} << (8 * bytes - 1)); }
  [[nodiscard]] std::int64_t highest() const { return -lowest() - 1; }
};
constexpr Variant edf{"0       ", "EDF", 2};
constexpr Variant bdf{
    "\xff"
    "BIOSEMI",
    "BDF", 3};

// A field of the header: `text`, filled up with blanks.
void put(std::string& out, std::string_view text, std::size_t width) {
  out += text.substr(0, width);
  out.append(width - std::min(width, text.size()), ' ');
}

// Without an exponent, which annotations may not have.
std::string seconds_text(double seconds) {
  std::array<char, 64> digits{};
  constexpr int decimals = 9;
  const auto result =
      std::to_chars(digits.data(), digits.data() + digits.size(), seconds, std::chars_format::fixed, decimals);
  std::string text(digits.data(), result.ptr);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// How a recording is cut into records.
struct Records {
  Index samples = 0;  // in a record
  Index count = 0;
  std::string seconds;
};

// The length of a record of so many samples as the header can state it: exactly, in 8 characters.
std::optional<std::string> exact_seconds(Index samples, double rate) {
  std::string text = seconds_text(static_cast<double>(samples) / rate);
  constexpr double exact = 1e-12;
  const double stated = parse_number(text).value_or(0) * rate;
  if (text.size() > 8 || std::abs(stated - static_cast<double>(samples)) > exact * static_cast<double>(samples)) {
    return std::nullopt;
  }
  return text;
}

Records cut_into_records(const Recording& recording) {
  const double rate = recording.sampling_frequency.value;
  const Index total = recording.samples.rows();
  const auto second = std::max<Index>(1, static_cast<Index>(std::floor(rate)));
  for (Index samples = std::min(second, total); samples >= std::max<Index>(1, second / 8); --samples) {
    const auto text = total % samples == 0 ? exact_seconds(samples, rate) : std::nullopt;
    if (text) return {samples, total / samples, *text};
  }
  constexpr int longest = 100;  // seconds
  for (int seconds = 1; seconds <= longest; ++seconds) {
    const auto samples = static_cast<Index>(std::llround(seconds * rate));
    const auto text = samples > 0 ? exact_seconds(samples, rate) : std::nullopt;
    if (text) return {samples, (total + samples - 1) / samples, *text};
  }
  throw Error(ErrorKind::invalid_argument,
              "a sampling frequency of " + number_text(rate, 17) +
                  " Hz has no whole number of samples in up to 100 s, as the format wants; write BrainVision instead");
}

// A bound of the physical range in 8 characters, not below `value` if it is the upper one, else not above.
std::string bound_text(double value, bool upper) {
  for (int digits = 7; digits > 0; --digits) {
    const double size = value == 0 ? 0 : std::floor(std::log10(std::abs(value)));
    const double step = std::pow(10.0, size - digits + 1);
    const double rounded = (upper ? std::ceil(value / step) : std::floor(value / step)) * step;
    std::string text = number_text(rounded, digits);
    // Exponents as short as can be leave room for digits: e7, e-6.
    for (const auto& [longer, shorter] : {std::pair{"e+0", "e"}, std::pair{"e-0", "e-"}}) {
      if (const std::size_t at = text.find(longer); at != std::string::npos) text.replace(at, 3, shorter);
    }
    const double stated = parse_number(text).value_or(rounded);
    if (text.size() <= 8 && (upper ? stated >= value : stated <= value)) return text;
  }
  throw Error(ErrorKind::invalid_argument, "a sample of " + data::shown(value) + " cannot be stated in the header");
}

struct Scale {
  std::string low;
  std::string high;
  double gain = 1;
  double offset = 0;
};

Scale scale_of(const Recording& recording, Index channel, const Variant& variant) {
  double low = static_cast<double>(recording.samples.col(channel).minCoeff());
  double high = static_cast<double>(recording.samples.col(channel).maxCoeff());
  // A flat channel still needs a range.
  if (low == high) {
    const double margin = std::max(1.0, std::abs(low)) / 2;
    low -= margin;
    high += margin;
  }
  Scale scale{bound_text(low, false), bound_text(high, true)};
  const double stated_low = parse_number(scale.low).value_or(low);
  const double stated_high = parse_number(scale.high).value_or(high);
  scale.gain = (stated_high - stated_low) / static_cast<double>(variant.highest() - variant.lowest());
  scale.offset = stated_low - scale.gain * static_cast<double>(variant.lowest());
  return scale;
}

// Annotations spread over the records: each begins with its own time, then come as many as find room.
class AnnotationLists {
 public:
  AnnotationLists(const Records& records, double fraction, std::span<const RecordingEvent> events, int sample_bytes);

  [[nodiscard]] std::size_t bytes() const { return width_; }  // in a record
  [[nodiscard]] std::string record(Index index) {
    std::string text = stamp(index);
    while (next_ < lists_.size() && text.size() + lists_[next_].size() <= width_) text += lists_[next_++];
    text.resize(width_, '\0');
    return text;
  }

 private:
  [[nodiscard]] std::string stamp(Index index) const {
    return "+" + seconds_text(fraction_ + static_cast<double>(index) * record_seconds_) + "\x14\x14" +
           std::string(1, '\0');
  }

  double fraction_;
  double record_seconds_;
  std::vector<std::string> lists_;
  std::size_t next_ = 0;
  std::size_t width_ = 0;
};

AnnotationLists::AnnotationLists(const Records& records, double fraction, std::span<const RecordingEvent> events,
                                 int sample_bytes)
    : fraction_(fraction), record_seconds_(parse_number(records.seconds).value_or(1)) {
  std::size_t total = 0;
  std::size_t longest = 0;
  for (const RecordingEvent& event : events) {
    if (trimmed(event.description).empty()) {
      throw Error(ErrorKind::invalid_argument,
                  "the event at " + data::shown(event.onset.value) + " s has no description, which the format needs");
    }
    std::string list = "+" + seconds_text(event.onset.value + fraction);
    if (event.duration.value > 0) list += "\x15" + seconds_text(event.duration.value);
    list += "\x14" + clean_text(event.description) + "\x14" + std::string(1, '\0');
    total += list.size();
    longest = std::max(longest, list.size());
    lists_.push_back(std::move(list));
  }
  // Filled in order, a record leaves less than the longest list empty, so this is room enough for all.
  const auto count = static_cast<std::size_t>(records.count);
  width_ = stamp(records.count).size() + longest + (total + count - 1) / count;
  const auto unit = static_cast<std::size_t>(sample_bytes);
  width_ = (width_ + unit - 1) / unit * unit;
}

void check_names(const Recording& recording) {
  for (const RecordedChannel& channel : recording.channels) {
    const auto is_plain = [](char c) { return c >= ' ' && c <= '~'; };
    if (channel.name.size() > 16 || !std::ranges::all_of(channel.name, is_plain)) {
      throw Error(ErrorKind::invalid_argument,
                  "channel " + in_quotes(channel.name) + ": the format has room for 16 plain (ASCII) characters");
    }
  }
}

// The format has ASCII only, and eight characters.
std::string plain_unit(std::string unit) {
  for (const std::string_view mu : {"\xc2\xb5", "\xce\xbc"}) {
    const std::size_t at = unit.find(mu);
    if (at != std::string::npos) unit.replace(at, mu.size(), "u");
  }
  std::ranges::replace_if(
      unit, [](char c) { return c < ' ' || c > '~'; }, '?');
  return unit;
}

void put_fixed(std::string& out, const Variant& variant, const Records& records, std::size_t signals,
               const RecordingWriteOptions& options) {
  constexpr std::array<std::string_view, 12> months{"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                                    "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
  const auto start = start_of(options);
  const auto two = [](int value) { return std::string(value % 100 < 10 ? "0" : "") + std::to_string(value % 100); };
  std::string subject = clean_text(options.subject);
  std::ranges::replace_if(
      subject, [](char c) { return c <= ' ' || c > '~'; }, '_');
  out += variant.mark;
  put(out, (subject.empty() ? "X" : subject) + " X X X", 80);
  const std::string day = start ? two(start->day) + "-" +
                                      std::string(months.at(static_cast<std::size_t>(start->month - 1))) + "-" +
                                      time_text(*start).substr(0, 4)
                                : "X";
  put(out, "Startdate " + day + " X X heed", 80);
  const bool short_year = start && start->year >= 1985 && start->year <= 2084;
  put(out, short_year ? two(start->day) + "." + two(start->month) + "." + two(start->year) : "01.01.85", 8);
  put(out, start ? two(start->hour) + "." + two(start->minute) + "." + two(start->second) : "00.00.00", 8);
  put(out, std::to_string(256 * (signals + 1)), 8);
  put(out, std::string(variant.name) + "+C", 44);
  put(out, std::to_string(records.count), 8);
  put(out, records.seconds, 8);
  put(out, std::to_string(signals), 4);
}

void put_signals(std::string& out, const Variant& variant, const Recording& recording, std::span<const Scale> scales,
                 Index samples, std::size_t annotation_bytes) {
  const auto each = [&](std::size_t width, std::string_view annotation, auto&& text) {
    for (std::size_t c = 0; c < recording.channels.size(); ++c) put(out, text(c), width);
    put(out, annotation, width);
  };
  const auto always = [](std::string text) { return [text](std::size_t) { return text; }; };
  const std::string lowest = std::to_string(variant.lowest());
  const std::string highest = std::to_string(variant.highest());
  each(16, std::string(variant.name) + " Annotations", [&](std::size_t c) { return recording.channels[c].name; });
  each(80, "", always(""));
  each(8, "", [&](std::size_t c) { return plain_unit(recording.channels[c].unit); });
  each(8, "-1", [&](std::size_t c) { return scales[c].low; });
  each(8, "1", [&](std::size_t c) { return scales[c].high; });
  each(8, lowest, always(lowest));
  each(8, highest, always(highest));
  each(80, "", always(""));
  each(8, std::to_string(annotation_bytes / static_cast<std::size_t>(variant.bytes)), always(std::to_string(samples)));
  each(32, "", always(""));
}

void put_channel(std::string& out, const Variant& variant, const Recording& recording, Index channel,
                 const Scale& scale, Index first, Index count) {
  for (Index i = first; i < first + count; ++i) {
    const auto value = static_cast<double>(recording.samples(std::min(i, recording.samples.rows() - 1), channel));
    const double nearest = std::nearbyint((value - scale.offset) / scale.gain);
    const auto digital = static_cast<std::int64_t>(
        std::clamp(nearest, static_cast<double>(variant.lowest()), static_cast<double>(variant.highest())));
    for (int byte = 0; byte < variant.bytes; ++byte)
      out += static_cast<char>(static_cast<std::uint64_t>(digital) >> (8U * static_cast<unsigned>(byte)));
  }
}

void write_variant(const Variant& variant, const std::filesystem::path& path, const Recording& recording,
                   std::span<const RecordingEvent> events, const RecordingWriteOptions& options) {
  check_writable(recording);
  check_names(recording);
  const Records records = cut_into_records(recording);
  const auto start = start_of(options);
  const double fraction = start ? start->microsecond / 1e6 : 0;
  const std::vector<RecordingEvent> placed = events_within(recording, events);
  AnnotationLists annotations(records, fraction, placed, variant.bytes);
  std::vector<Scale> scales;
  for (Index c = 0; c < recording.samples.cols(); ++c) scales.push_back(scale_of(recording, c, variant));

  std::string out;
  const std::size_t signals = recording.channels.size() + 1;
  const auto bytes = static_cast<std::size_t>(records.count) *
                     (annotations.bytes() + (signals - 1) * static_cast<std::size_t>(records.samples * variant.bytes));
  out.reserve(256 * (signals + 1) + bytes);
  put_fixed(out, variant, records, signals, options);
  put_signals(out, variant, recording, scales, records.samples, annotations.bytes());
  for (Index record = 0; record < records.count; ++record) {
    for (Index c = 0; c < recording.samples.cols(); ++c) {
      put_channel(out, variant, recording, c, scales[static_cast<std::size_t>(c)], record * records.samples,
                  records.samples);
    }
    out += annotations.record(record);
  }
  StagedFile(path, out).commit();
}

}  // namespace

void write_bdf(const std::filesystem::path& path, const Recording& recording, std::span<const RecordingEvent> events,
               const RecordingWriteOptions& options) {
  write_variant(bdf, path, recording, events, options);
}

void write_edf(const std::filesystem::path& path, const Recording& recording, std::span<const RecordingEvent> events,
               const RecordingWriteOptions& options) {
  write_variant(edf, path, recording, events, options);
}

}  // namespace heed::io
