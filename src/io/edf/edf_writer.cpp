// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/io/recording_file.h>
#include <io/atomic_file.h>
#include <io/recording/header_text.h>
#include <io/recording/recording_format.h>
#include <io/tsv.h>

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
              "at " + number_text(rate, 17) +
                  " Hz no record of up to 100 s holds a whole number of samples, which the format needs; write "
                  "BrainVision instead");
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
  constexpr std::size_t most = 9998;  // four digits for them and the annotations
  if (recording.channels.size() > most) {
    throw Error(ErrorKind::invalid_argument, "the format has room for " + std::to_string(most) + " channels");
  }
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

std::string two_digits(int value) { return std::string(value % 100 < 10 ? "0" : "") + std::to_string(value % 100); }

std::string recording_field(const std::optional<LocalTime>& start) {
  constexpr std::array<std::string_view, 12> months{"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                                    "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
  if (!start) return "Startdate X X X heed";
  const std::string month(months.at(static_cast<std::size_t>(start->month - 1)));
  return "Startdate " + two_digits(start->day) + "-" + month + "-" + time_text(*start).substr(0, 4) + " X X heed";
}

std::string patient_field(const RecordingWriteOptions& options) {
  std::string subject = clean_text(options.subject);
  std::ranges::replace_if(
      subject, [](char c) { return c <= ' ' || c > '~'; }, '_');
  return (subject.empty() ? "X" : subject) + " X X X";
}

// The bytes of a file, put together in the order they lie.
class EdfComposer {
 public:
  EdfComposer(const Variant& variant, const Recording& recording, std::span<const RecordingEvent> events,
              const RecordingWriteOptions& options)
      : variant_(&variant),
        recording_(&recording),
        options_(&options),
        start_(start_of(options)),
        records_(cut_into_records(recording)),
        // NOLINTNEXTLINE(clang-analyzer-optin.cplusplus.UninitializedObject): a time that is not there has no parts
        annotations_(records_, start_ ? start_->microsecond / 1e6 : 0, events_within(recording, events),
                     variant.bytes) {
    for (Index c = 0; c < recording.samples.cols(); ++c) scales_.push_back(scale_of(recording, c, variant));
  }

  [[nodiscard]] std::string compose() {
    const std::size_t record = annotations_.bytes() + recording_->channels.size() *
                                                          static_cast<std::size_t>(records_.samples * variant_->bytes);
    out_.reserve(256 * (recording_->channels.size() + 2) + static_cast<std::size_t>(records_.count) * record);
    put_fixed();
    put_signals();
    for (Index index = 0; index < records_.count; ++index) {
      for (Index c = 0; c < recording_->samples.cols(); ++c) put_samples(c, index * records_.samples);
      out_ += annotations_.record(index);
    }
    return std::move(out_);
  }

 private:
  void put_fixed();
  void put_signals();
  void put_samples(Index channel, Index first);

  const Variant* variant_;
  const Recording* recording_;
  const RecordingWriteOptions* options_;
  std::optional<LocalTime> start_;
  Records records_;
  AnnotationLists annotations_;
  std::vector<Scale> scales_{};
  std::string out_{};
};

void EdfComposer::put_fixed() {
  const std::size_t signals = recording_->channels.size() + 1;
  const auto joined = [](int a, int b, int c) { return two_digits(a) + "." + two_digits(b) + "." + two_digits(c); };
  const bool short_year = start_ && start_->year >= 1985 && start_->year <= 2084;
  out_ += variant_->mark;
  put(out_, patient_field(*options_), 80);
  put(out_, recording_field(start_), 80);
  put(out_, short_year ? joined(start_->day, start_->month, start_->year) : "01.01.85", 8);
  put(out_, start_ ? joined(start_->hour, start_->minute, start_->second) : "00.00.00", 8);
  put(out_, std::to_string(256 * (signals + 1)), 8);
  put(out_, std::string(variant_->name) + "+C", 44);
  put(out_, std::to_string(records_.count), 8);
  put(out_, records_.seconds, 8);
  put(out_, std::to_string(signals), 4);
}

void EdfComposer::put_signals() {
  const auto each = [&](std::size_t width, std::string_view annotation, auto&& text) {
    for (std::size_t c = 0; c < recording_->channels.size(); ++c) put(out_, text(c), width);
    put(out_, annotation, width);
  };
  const auto always = [](const std::string& text) { return [text](std::size_t) { return text; }; };
  const std::string lowest = std::to_string(variant_->lowest());
  const std::string highest = std::to_string(variant_->highest());
  const std::string annotation_samples =
      std::to_string(annotations_.bytes() / static_cast<std::size_t>(variant_->bytes));
  each(16, std::string(variant_->name) + " Annotations", [&](std::size_t c) { return recording_->channels[c].name; });
  each(80, "", always(""));
  each(8, "", [&](std::size_t c) { return plain_unit(recording_->channels[c].unit); });
  each(8, "-1", [&](std::size_t c) { return scales_[c].low; });
  each(8, "1", [&](std::size_t c) { return scales_[c].high; });
  each(8, lowest, always(lowest));
  each(8, highest, always(highest));
  each(80, "", always(""));
  each(8, annotation_samples, always(std::to_string(records_.samples)));
  each(32, "", always(""));
}

// One record's samples of a channel; the last one again where there are no more.
void EdfComposer::put_samples(Index channel, Index first) {
  const Scale& scale = scales_[static_cast<std::size_t>(channel)];
  const auto lowest = static_cast<double>(variant_->lowest());
  const auto highest = static_cast<double>(variant_->highest());
  for (Index i = first; i < first + records_.samples; ++i) {
    const Index row = std::min(i, recording_->samples.rows() - 1);
    const double nearest =
        std::nearbyint((static_cast<double>(recording_->samples(row, channel)) - scale.offset) / scale.gain);
    const auto digital = static_cast<std::uint64_t>(static_cast<std::int64_t>(std::clamp(nearest, lowest, highest)));
    for (int byte = 0; byte < variant_->bytes; ++byte)
      out_ += static_cast<char>(digital >> (8U * static_cast<unsigned>(byte)));
  }
}

}  // namespace

void write_bdf(const std::filesystem::path& path, const Recording& recording, std::span<const RecordingEvent> events,
               const RecordingWriteOptions& options) {
  check_writable(recording, false);
  check_names(recording);
  StagedFile(path, EdfComposer(bdf, recording, events, options).compose()).commit();
}

void write_edf(const std::filesystem::path& path, const Recording& recording, std::span<const RecordingEvent> events,
               const RecordingWriteOptions& options) {
  check_writable(recording, false);
  check_names(recording);
  StagedFile(path, EdfComposer(edf, recording, events, options).compose()).commit();
}

}  // namespace heed::io
