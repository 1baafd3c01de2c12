// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/score_tables/window_table.h>
#include <live/sources/json_line.h>
#include <live/sources/ndjson_header.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heed::live {
namespace {

constexpr std::size_t most_speakers = 64;
constexpr std::size_t most_channels = 1024;
constexpr double highest_rate = 1e6;     // Hz
constexpr double longest_window = 3600;  // s

// One rate for all speakers, or each with its own.
struct SoundRates {
  double all = 0;
  std::map<std::string, double> each{};
};

struct HeaderLine {
  StreamDescription stream{};
  std::optional<double> rate{};
  std::optional<SoundRates> audio{};
  std::optional<SoundRates> envelope{};
};

[[noreturn]] void refuse(const std::string& problem) { throw Error(ErrorKind::bad_data, problem); }

double bounded(JsonLine& json, const std::string& key, double highest) {
  const double value = json.number();
  if (!(value > 0) || value > highest) {
    json.refuse(key + " must be above 0 and at most " + data::shown(highest) + ", not " + data::shown(value));
  }
  return value;
}

std::vector<std::string> names(JsonLine& json, const std::string& key, std::size_t most) {
  std::vector<std::string> result;
  std::set<std::string> seen;
  json.array([&] {
    std::string name;
    json.text_into(name);
    if (name.empty()) json.refuse("a name in " + key + " is empty");
    if (!seen.insert(name).second) json.refuse("'" + name + "' appears twice in " + key);
    if (result.size() == most) json.refuse(key + " has more than " + std::to_string(most) + " names");
    result.push_back(std::move(name));
  });
  return result;
}

SoundRates sound_rates(JsonLine& json, const std::string& key) {
  SoundRates rates;
  if (json.next() != '{') {
    rates.all = bounded(json, key, highest_rate);
    return rates;
  }
  json.object([&](std::string_view name) {
    const std::string speaker(name);
    if (rates.each.size() == most_speakers) json.refuse(key + " has too many speakers");
    if (!rates.each.emplace(speaker, bounded(json, key, highest_rate)).second) {
      json.refuse("'" + speaker + "' appears twice in " + key);
    }
  });
  return rates;
}

void read_member(std::string_view key, JsonLine& json, HeaderLine& header) {
  constexpr std::array<std::string_view, 11> known{"speakers",      "window",   "hop",   "rate",
                                                   "channels",      "bad",      "unit",  "audio_rate",
                                                   "envelope_rate", "attended", "trials"};
  if (key == "speakers") {
    header.stream.speakers = names(json, "speakers", most_speakers);
  } else if (key == "window") {
    header.stream.window = Seconds{bounded(json, "window", longest_window)};
  } else if (key == "hop") {
    header.stream.hop = Seconds{bounded(json, "hop", longest_window)};
  } else if (key == "rate") {
    header.rate = bounded(json, "rate", highest_rate);
  } else if (key == "channels") {
    header.stream.channels = names(json, "channels", most_channels);
  } else if (key == "bad") {
    header.stream.bad = names(json, "bad", most_channels);
  } else if (key == "unit") {
    json.text_into(header.stream.unit);
  } else if (key == "audio_rate") {
    header.audio = sound_rates(json, "audio_rate");
  } else if (key == "envelope_rate") {
    header.envelope = sound_rates(json, "envelope_rate");
  } else if (key == "attended") {
    header.stream.labelled = json.boolean();
  } else if (key == "trials") {
    header.stream.named_trials = json.boolean();
  } else {
    json.refuse("the first line has no key '" + std::string(key) + "'" + data::did_you_mean(key, known));
  }
}

void check_speakers(const StreamDescription& stream) {
  if (stream.speakers.size() < 2) {
    refuse(R"(at least two speakers must be named, as in "speakers":["left","right"])");
  }
  for (const std::string& speaker : stream.speakers) {
    if (!io::reserved_like(speaker).empty()) refuse("speakers: '" + speaker + "' is reserved; rename the speaker");
  }
}

void add_feeds(const SoundRates& rates, FeedKind kind, const std::string& key, StreamDescription& stream) {
  for (const auto& [name, rate] : rates.each) {
    if (std::ranges::find(stream.speakers, name) == stream.speakers.end()) {
      refuse(key + ": '" + name + "' is not one of the speakers");
    }
  }
  for (std::size_t k = 0; k < stream.speakers.size(); ++k) {
    const auto found = rates.each.find(stream.speakers[k]);
    if (rates.all == 0 && found == rates.each.end()) refuse(key + " has no rate for '" + stream.speakers[k] + "'");
    const double rate = rates.all > 0 ? rates.all : found->second;
    stream.feeds.push_back({.speaker = static_cast<Speaker>(k), .kind = kind, .sampling_frequency = {rate}});
  }
}

void check_signals(HeaderLine& header) {
  StreamDescription& stream = header.stream;
  if (!header.rate) refuse("EEG needs its rate in Hz, as in \"rate\":512");
  stream.sampling_frequency = Hertz{*header.rate};
  for (const std::string& name : stream.bad) {
    if (std::ranges::find(stream.channels, name) == stream.channels.end()) {
      refuse("bad: '" + name + "' is not one of the channels");
    }
  }
  if (header.audio && header.envelope) refuse("audio_rate and envelope_rate exclude each other: send one of them");
  if (header.audio) add_feeds(*header.audio, FeedKind::audio, "audio_rate", stream);
  if (header.envelope) add_feeds(*header.envelope, FeedKind::envelope, "envelope_rate", stream);
}

}  // namespace

StreamDescription parse_ndjson_header(std::string_view line) {
  HeaderLine header;
  header.stream.content = StreamContent::scores;
  std::set<std::string, std::less<>> seen;
  JsonLine json(line);
  json.object([&](std::string_view key) {
    if (!seen.emplace(key).second) json.refuse("the key '" + std::string(key) + "' appears twice");
    read_member(key, json, header);
  });
  json.finish();
  check_speakers(header.stream);
  if (seen.contains("channels")) {
    if (header.stream.channels.empty()) refuse("channels is empty; name every column of the EEG, or leave it out");
    header.stream.content = StreamContent::signals;
    check_signals(header);
    return header.stream;
  }
  if (header.stream.hop && *header.stream.hop > header.stream.window) {
    refuse("hop is longer than the window, so that EEG would be left out; send a shorter one");
  }
  if (header.audio || header.envelope || !header.stream.bad.empty()) {
    refuse("sound and bad channels belong to EEG: name its columns, as in \"channels\":[\"Fz\",\"Cz\"]");
  }
  return header.stream;
}

}  // namespace heed::live
