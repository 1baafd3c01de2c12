// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/bids/channels_file.h>
#include <io/bids/problems.h>
#include <io/score_tables/window_table.h>
#include <io/text_file.h>
#include <io/tsv.h>

#include <algorithm>
#include <array>
#include <set>

namespace heed::io {
namespace {

char capital(char letter) { return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter; }

std::string in_capitals(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), capital);
  return result;
}

struct Columns {
  explicit Columns(const TsvReader& reader)
      : name(needed_column(reader, "name")),
        type(needed_column(reader, "type")),
        units(reader.find("units")),
        sampling_frequency(reader.find("sampling_frequency")),
        status(reader.find("status")) {}

  std::size_t name;
  std::size_t type;
  std::optional<std::size_t> units;
  std::optional<std::size_t> sampling_frequency;
  std::optional<std::size_t> status;
};

std::string needed_text(const TsvReader& reader, std::size_t column, const char* remedy) {
  std::string text = name_cell(reader, column);
  if (text.empty()) throw reader.error(column, remedy);
  return text;
}

std::optional<Hertz> rate_of(const TsvReader& reader, std::optional<std::size_t> column) {
  if (optional_cell(reader, column).empty()) return std::nullopt;
  const double rate = *reader.number(*column);
  if (!(rate > 0)) throw reader.error(*column, "must be greater than 0; write samples per second, or n/a");
  return Hertz{rate};
}

bool is_good(const TsvReader& reader, std::optional<std::size_t> column) {
  const std::string_view status = optional_cell(reader, column);
  if (status == "bad") return false;
  if (status.empty() || status == "good") return true;
  throw reader.error(*column, in_quotes(status) + " is not a status; write good, bad or n/a");
}

BidsChannel channel_of(const TsvReader& reader, const Columns& columns) {
  return {needed_text(reader, columns.name, "a channel without a name; write it as in the recording"),
          in_capitals(needed_text(reader, columns.type, "a channel without a type; write EEG, EOG, MISC ...")),
          name_cell(reader, columns.units), rate_of(reader, columns.sampling_frequency),
          is_good(reader, columns.status)};
}

// A type that BIDS does not know, such as EGG: its channel is passed over without a word otherwise.
std::optional<std::string> doubt_of(const std::string& type) {
  constexpr std::array<std::string_view, 31> known{
      "EEG",      "EOG",  "HEOG",   "VEOG",         "ECG",           "EMG",       "MISC",    "TRIG",
      "AUDIO",    "REF",  "GSR",    "RESP",         "TEMP",          "PPG",       "PUPIL",   "EYEGAZE",
      "SYSCLOCK", "ADC",  "DAC",    "HLU",          "FITERR",        "OTHER",     "ECOG",    "SEEG",
      "DBS",      "NIRS", "MEGMAG", "MEGGRADAXIAL", "MEGGRADPLANAR", "MEGREFMAG", "MEGOTHER"};
  if (std::ranges::find(known, type) != known.end()) return std::nullopt;
  return in_quotes(type) + " is not a type of BIDS" + data::did_you_mean(type, known) +
         "; write EEG for EEG, and MISC for what is nothing else; this channel is not decoded";
}

// Triggers and annotations of a file become events, so a table may list a channel that the header does not have.
bool may_be_missing(const BidsChannel& channel) { return channel.type == "TRIG" || is_other_channel(channel.name); }

void check_same_channels(const RecordingHeader& header, std::span<const BidsChannel> channels) {
  std::set<std::string_view> recorded;
  for (const RecordedChannel& channel : header.channels) recorded.insert(channel.name);
  std::set<std::string_view> listed;
  std::vector<std::string> missing;
  for (const BidsChannel& channel : channels) {
    listed.insert(channel.name);
    if (!recorded.contains(channel.name) && !may_be_missing(channel)) missing.push_back(channel.name);
  }
  if (!missing.empty()) {
    throw Error(ErrorKind::bad_data, "lists " + in_quotes(io::listed(missing)) +
                                         ", which the recording does not have; list the channels of the recording");
  }
  for (const RecordedChannel& channel : header.channels) {
    if (!listed.contains(channel.name)) missing.push_back(channel.name);
  }
  if (missing.empty()) return;
  throw Error(ErrorKind::bad_data, "lists " + std::to_string(channels.size()) + " channels, the recording has " +
                                       std::to_string(header.channels.size()) + "; add " +
                                       in_quotes(io::listed(missing)));
}

}  // namespace

CheckedChannels check_channels(std::string_view text) {
  CheckedChannels result;
  std::set<std::string> seen;
  check_table(text, result.problems, [&](TsvReader& reader) {
    const Columns columns(reader);
    check_rows(reader, result.problems, [&](const TsvReader& row) {
      BidsChannel channel = channel_of(row, columns);
      if (!seen.insert(channel.name).second) {
        throw row.error(columns.name, in_quotes(channel.name) + " appears twice; a channel has one row");
      }
      if (auto doubt = doubt_of(channel.type)) {
        result.problems.push_back({Severity::warning, "", row.row(), "column type: " + *doubt});
      }
      result.channels.push_back(std::move(channel));
    });
    if (result.channels.empty() && result.problems.empty()) {
      throw Error(ErrorKind::bad_data, "there are no channels in it; write one row per channel, or remove the file");
    }
  });
  return result;
}

std::vector<BidsChannel> parse_channels(std::string_view text) {
  CheckedChannels result = check_channels(text);
  throw_first_error(result.problems);
  return std::move(result.channels);
}

std::vector<BidsChannel> read_channels(const std::filesystem::path& path) { return parse_file(path, parse_channels); }

std::string channels_text(std::span<const BidsChannel> channels) {
  const bool rates = std::ranges::any_of(channels, [](const auto& one) { return one.sampling_frequency.has_value(); });
  const bool bad = std::ranges::any_of(channels, [](const BidsChannel& channel) { return !channel.good; });
  std::string text = "name\ttype\tunits";
  if (rates) text += "\tsampling_frequency";
  if (bad) text += "\tstatus";
  text += '\n';
  for (const BidsChannel& channel : channels) {
    check_writable(channel.name, "a channel");
    check_writable(channel.type, "a type");
    if (!channel.unit.empty()) check_writable(channel.unit, "a unit");
    text +=
        channel.name + "\t" + channel.type + "\t" + (channel.unit.empty() ? std::string(missing_cell) : channel.unit);
    if (rates) {
      text += '\t';
      channel.sampling_frequency ? append_exact_number(text, channel.sampling_frequency->value)
                                 : static_cast<void>(text += missing_cell);
    }
    if (bad) text += channel.good ? "\tgood" : "\tbad";
    text += '\n';
  }
  return text;
}

std::vector<EegChannel> select_eeg(const RecordingHeader& header, std::span<const BidsChannel> channels) {
  if (!channels.empty()) check_same_channels(header, channels);
  std::vector<EegChannel> result;
  for (std::size_t i = 0; i < header.channels.size(); ++i) {
    const std::string& name = header.channels[i].name;
    if (channels.empty()) {
      if (!is_other_channel(name)) result.push_back({i, name, true});
      continue;
    }
    const auto listed = std::ranges::find(channels, name, &BidsChannel::name);
    if (listed->type == "EEG") result.push_back({i, name, listed->good});
  }
  if (!result.empty()) return result;
  throw Error(ErrorKind::bad_data, channels.empty()
                                       ? "no channel's name says EEG; write a channels.tsv with their types"
                                       : "no channel has the type EEG; write it in the column type");
}

bool is_other_channel(std::string_view name) noexcept {
  constexpr std::array<std::string_view, 20> beginnings{
      "EXG",  "EOG", "HEOG", "VEOG",   "ECG",  "EKG",     "EMG", "GSR",   "RESP",    "PLET",
      "TEMP", "ERG", "ANA",  "STATUS", "TRIG", "TRIGGER", "STI", "AUDIO", "EDF ANN", "BDF ANN"};
  const auto begins = [&](std::string_view beginning) {
    return name.size() >= beginning.size() &&
           std::ranges::equal(name.substr(0, beginning.size()), beginning, {}, capital);
  };
  return std::ranges::any_of(beginnings, begins);
}

}  // namespace heed::io
