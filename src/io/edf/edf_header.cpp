// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/edf/edf_header.h>
#include <io/tsv.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heed::io {
namespace {

constexpr std::size_t block = 256;  // bytes for the recording, and for each signal
constexpr std::string_view bdf_mark =
    "\xff"
    "BIOSEMI";

Error damaged(std::size_t byte, const std::string& problem) {
  return {ErrorKind::bad_data, "byte " + std::to_string(byte + 1) + ", " + problem};
}

// A field of the header, by its place and width; its name serves messages.
struct Field {
  std::size_t byte;
  std::size_t width;
  std::string name;
};

class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : bytes_(bytes) {}

  // Some programs pad with NUL instead of blanks.
  [[nodiscard]] std::string_view text(const Field& field) const {
    const std::string_view raw = bytes_.substr(field.byte, field.width);
    return trimmed(raw.substr(0, raw.find('\0')));
  }

  [[nodiscard]] std::int64_t integer(const Field& field) const {
    const auto value = parse_integer(text(field));
    if (!value) {
      throw damaged(field.byte, field.name + ": " + in_quotes(clean_text(text(field))) +
                                    " is not a whole number; the header is damaged, copy or export the file again");
    }
    return *value;
  }

  [[nodiscard]] double number(const Field& field) const {
    std::string digits(text(field));
    std::ranges::replace(digits, ',', '.');  // as some countries export it
    const auto value = parse_number(digits);
    constexpr double largest = 1e30;  // samples must stay within single precision
    if (!value || std::abs(*value) > largest) {
      throw damaged(field.byte,
                    field.name + ": " + in_quotes(clean_text(text(field))) +
                        " is not a number heed can use; the header is damaged, copy or export the file again");
    }
    return *value;
  }

 private:
  std::string_view bytes_;
};

// Fields of signals lie by kind: all labels, then all transducers ...
class SignalFields {
 public:
  explicit SignalFields(std::size_t signals) : signals_(signals) {}

  [[nodiscard]] Field operator()(std::size_t kind, std::size_t signal) const {
    constexpr std::array<std::size_t, 10> widths{16, 80, 8, 8, 8, 8, 8, 80, 8, 32};
    constexpr std::array<std::string_view, 10> names{
        "label",           "transducer",      "unit",      "physical minimum",   "physical maximum",
        "digital minimum", "digital maximum", "prefilter", "samples per record", "reserved"};
    std::size_t byte = block;
    for (std::size_t k = 0; k < kind; ++k) byte += signals_ * widths.at(k);
    return {byte + signal * widths.at(kind), widths.at(kind),
            std::string(names.at(kind)) + " of signal " + std::to_string(signal + 1)};
  }

 private:
  std::size_t signals_;
};

enum Kind : std::size_t {
  label = 0,
  unit = 2,
  physical_minimum = 3,
  physical_maximum = 4,
  digital_minimum = 5,
  digital_maximum = 6,
  samples_a_record = 8
};

// "Startdate 02-AUG-1951": EDF+ has four digits for the year there.
std::optional<LocalTime> plus_date(std::string_view recording) {
  constexpr std::string_view key = "Startdate ";
  constexpr std::array<std::string_view, 12> months{"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                                    "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
  if (!recording.starts_with(key) || recording.size() < key.size() + 11) return std::nullopt;
  const std::string_view date = recording.substr(key.size(), 11);
  const auto day = parse_integer(date.substr(0, 2));
  const auto year = parse_integer(date.substr(7, 4));
  const auto* const month =
      std::ranges::find_if(months, [&](auto name) { return equal_ignoring_case(name, date.substr(3, 3)); });
  if (!day || !year || month == months.end() || date[2] != '-' || date[6] != '-') return std::nullopt;
  return LocalTime{
      static_cast<int>(*year), static_cast<int>(month - months.begin()) + 1, static_cast<int>(*day), 0, 0, 0, 0};
}

// Two fields "dd.mm.yy" and "hh.mm.ss"; other separators occur.
std::optional<std::array<int, 3>> three_numbers(std::string_view text) {
  if (text.size() != 8) return std::nullopt;
  std::array<int, 3> numbers{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto number = parse_integer(trimmed(text.substr(3 * i, 2)));
    if (!number || *number < 0) return std::nullopt;
    numbers.at(i) = static_cast<int>(*number);
  }
  return numbers;
}

std::optional<LocalTime> start_of(const FieldReader& fields) {
  const auto time = three_numbers(fields.text({176, 8, "start time"}));
  const std::string_view recording = fields.text({88, 80, "recording"});
  if (recording.starts_with("Startdate X ")) return std::nullopt;  // EDF+ for "not known"
  auto start = plus_date(recording);
  if (!start) {
    const auto date = three_numbers(fields.text({168, 8, "start date"}));
    if (!date) return std::nullopt;
    constexpr int first_year = 85;  // of the format: 85 is 1985, 84 is 2084
    start = LocalTime{(*date)[2] + ((*date)[2] < first_year ? 2000 : 1900), (*date)[1], (*date)[0], 0, 0, 0, 0};
  }
  if (!time) return std::nullopt;
  start->hour = (*time)[0];
  start->minute = (*time)[1];
  start->second = (*time)[2];
  return exists(*start) ? start : std::nullopt;
}

// "Startdate X" of EDF+, or nothing but blanks: the start is not told, on purpose.
bool says_no_start(const FieldReader& fields) {
  return fields.text({88, 80, "recording"}).starts_with("Startdate X ") ||
         clean_text(fields.text({168, 8, "start date"})).empty();
}

EdfSignalKind kind_of(std::string_view name) {
  if (name == "EDF Annotations" || name == "BDF Annotations") return EdfSignalKind::annotations;
  const bool status = equal_ignoring_case(name, "Status") || equal_ignoring_case(name, "Trigger");
  return status ? EdfSignalKind::status : EdfSignalKind::signal;
}

void read_scale(const FieldReader& fields, const SignalFields& place, std::size_t i, EdfLayout& layout) {
  EdfSignal& signal = layout.signals[i];
  const double low = fields.number(place(physical_minimum, i));
  const double high = fields.number(place(physical_maximum, i));
  const double digital_low = fields.number(place(digital_minimum, i));
  const double digital_high = fields.number(place(digital_maximum, i));
  if (low == high || digital_low == digital_high) {
    layout.notes.push_back("channel " + signal.name + " states no range (byte " +
                           std::to_string(place(physical_minimum, i).byte + 1) +
                           "): its samples are bare counts without a unit");
    signal.unit.clear();
    return;
  }
  signal.gain = (high - low) / (digital_high - digital_low);
  signal.offset = low - digital_low * signal.gain;
}

void read_signal(const FieldReader& fields, const SignalFields& place, std::size_t i, EdfLayout& layout) {
  EdfSignal& signal = layout.signals[i];
  signal.name = clean_text(fields.text(place(label, i)));
  signal.kind = kind_of(signal.name);
  signal.unit = unit_text(fields.text(place(unit, i)));
  signal.samples = fields.integer(place(samples_a_record, i));
  const bool none = signal.samples == 0 && signal.kind == EdfSignalKind::signal;
  if (signal.samples < 0 || none) {
    throw damaged(place(samples_a_record, i).byte,
                  place(samples_a_record, i).name + ": " + std::to_string(signal.samples) +
                      " is not possible; the header is damaged, copy or export the file again");
  }
  if (signal.kind == EdfSignalKind::signal) read_scale(fields, place, i, layout);
  signal.position = layout.record_bytes;
  layout.record_bytes += signal.samples * layout.sample_bytes();
}

// The number of records stated is often wrong: unfinished recordings say -1, cut ones too many.
void settle_records(std::int64_t stated, std::int64_t file_size, EdfLayout& layout) {
  const std::int64_t there = file_size - layout.header_bytes;
  if (layout.record_bytes == 0 || there < layout.record_bytes) {
    throw Error(ErrorKind::bad_data, "byte " + std::to_string(layout.header_bytes + 1) + ": one record takes " +
                                         std::to_string(layout.record_bytes) + " bytes, and the file has " +
                                         std::to_string(there) +
                                         " left; it was cut short or its header is damaged, copy it again");
  }
  layout.records = there / layout.record_bytes;
  const std::int64_t rest = there % layout.record_bytes;
  const std::string held = std::to_string(layout.records) + (layout.records == 1 ? " whole record" : " whole records");
  if (stated == -1) {
    layout.notes.push_back("the recording was not finished: its header does not say how long it is; the file holds " +
                           held);
  } else if (stated != layout.records) {
    layout.notes.push_back("the header says " + std::to_string(stated) + " records, the file holds " + held +
                           ", which are read");
  }
  if (rest != 0) {
    layout.notes.push_back("the last " + std::to_string(rest) + " bytes are less than a record and are left out");
  }
}

void make_names_unique(EdfLayout& layout) {
  std::vector<std::string> names;
  for (const EdfSignal& signal : layout.signals) {
    if (signal.kind == EdfSignalKind::signal) names.push_back(signal.name);
  }
  make_unique(names, layout.notes);
  std::size_t next = 0;
  for (EdfSignal& signal : layout.signals) {
    if (signal.kind == EdfSignalKind::signal) signal.name = names[next++];
  }
}

// What the first 256 bytes say; gives how many signals there are.
std::size_t read_fixed(const FieldReader& fields, std::int64_t file_size, EdfLayout& layout) {
  const Field count{252, 4, "number of signals"};
  const std::int64_t signals = fields.integer(count);
  layout.header_bytes = fields.integer({184, 8, "bytes of the header"});
  if (signals < 1)
    throw damaged(count.byte, "number of signals: " + std::to_string(signals) +
                                  " is not possible; the header is damaged, copy or export the file again");
  if (layout.header_bytes != static_cast<std::int64_t>(block) * (signals + 1)) {
    throw damaged(184, "bytes of the header: " + std::to_string(layout.header_bytes) + ", but " +
                           std::to_string(signals) + " signals take " +
                           std::to_string(static_cast<std::int64_t>(block) * (signals + 1)) +
                           "; the header is damaged, copy or export the file again");
  }
  if (file_size < layout.header_bytes) {
    throw damaged(static_cast<std::size_t>(file_size), "the file ends within its header of " +
                                                           std::to_string(layout.header_bytes) +
                                                           " bytes; it is truncated, copy it again");
  }
  layout.record_seconds = fields.number({244, 8, "seconds of a record"});
  const std::string_view reserved = fields.text({192, 44, "reserved"});
  const bool plus = reserved.starts_with("EDF+") || reserved.starts_with("BDF+");
  if (plus) layout.format += '+';
  layout.discontinuous = plus && reserved.substr(4).starts_with('D');
  layout.start = start_of(fields);
  if (!layout.start && !says_no_start(fields)) {
    layout.notes.push_back("the start of the recording, " + in_quotes(clean_text(fields.text({168, 8, "start date"}))) +
                           " at " + in_quotes(clean_text(fields.text({176, 8, "start time"}))) +
                           ", is not a date and time; it is left out");
  }
  return static_cast<std::size_t>(signals);
}

void check_rates(const EdfLayout& layout) {
  const auto is_signal = [](const EdfSignal& signal) { return signal.kind == EdfSignalKind::signal; };
  if (std::ranges::none_of(layout.signals, is_signal)) {
    throw Error(ErrorKind::unsupported,
                "holds annotations or triggers only, no signal; give the recording they belong to");
  }
  constexpr double largest_rate = 1e9;
  for (const EdfSignal& signal : layout.signals) {
    const double rate = static_cast<double>(signal.samples) / layout.record_seconds;
    if (layout.record_seconds <= 0 || !(rate <= largest_rate)) {
      throw damaged(244,
                    "seconds of a record: " + number_text(layout.record_seconds) +
                        " gives no valid sampling frequency; the header is damaged, copy or export the file again");
    }
  }
}

}  // namespace

bool looks_like_edf(std::string_view first_bytes) noexcept {
  return first_bytes.starts_with(bdf_mark) || first_bytes.starts_with("0       ");
}

EdfLayout read_edf_layout(const SampleFile& file) {
  std::string bytes(static_cast<std::size_t>(std::min<std::int64_t>(block, file.size())), '\0');
  file.read(0, bytes);
  if (!looks_like_edf(bytes))
    throw damaged(0,
                  "the file begins neither like EDF ('0') nor like BDF (255, 'BIOSEMI'); is it another kind of file?");
  if (bytes.size() < block)
    throw damaged(bytes.size(), "the file ends within its header; it is truncated, copy it again");
  const bool bdf = bytes.starts_with(bdf_mark);
  EdfLayout layout;
  layout.format = bdf ? "BDF" : "EDF";
  layout.encoding = bdf ? Encoding::int24 : Encoding::int16;
  const std::size_t signals = read_fixed(FieldReader(bytes), file.size(), layout);

  bytes.resize(static_cast<std::size_t>(layout.header_bytes));
  file.read(0, bytes);
  const FieldReader fields(bytes);
  layout.signals.resize(signals);
  const SignalFields place(signals);
  for (std::size_t i = 0; i < signals; ++i) read_signal(fields, place, i, layout);
  check_rates(layout);
  settle_records(fields.integer({236, 8, "number of records"}), file.size(), layout);
  make_names_unique(layout);
  return layout;
}

}  // namespace heed::io
