// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <live/sources/ndjson_header.h>
#include <live/sources/ndjson_reader.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace heed::live {
namespace {

enum : std::size_t { trial_slot, attended_slot, marker_slot, first_feed_slot };

constexpr std::array<std::string_view, 9> line_keys{"t",        "scores",   "log_likelihoods", "eeg",   "audio",
                                                    "envelope", "attended", "trial",           "marker"};

// Everything that can be added to a time without losing a millisecond.
constexpr double latest = 1e12;  // s

float sample_of(double value, const JsonLine& json) {
  if (std::abs(value) > std::numeric_limits<float>::max()) {
    json.refuse("the value " + data::shown(value) + " is too large for a sample");
  }
  return static_cast<float>(value);
}

}  // namespace

NdjsonReader::NdjsonReader(std::string name) { stream_.name = std::move(name); }

void NdjsonReader::read(std::string_view line) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (lines_ == 0 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  ++lines_;
  for (Slot& slot : slots_) slot.used = false;
  taken_ = 0;
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  try {
    if (stream_.speakers.empty()) {
      read_header(line);
    } else {
      read_data(line);
    }
  } catch (const Error& error) {
    for (Slot& slot : slots_) slot.used = false;
    const std::string place = "line " + std::to_string(lines_);
    const bool column = std::string_view(error.what()).starts_with("column ");
    throw Error(error.kind(), place + (column ? ", " : ": ") + error.what());
  }
}

void NdjsonReader::read_header(std::string_view line) {
  StreamDescription stream = parse_ndjson_header(line);
  stream.name = std::move(stream_.name);
  stream_ = std::move(stream);
  slots_.resize(first_feed_slot + stream_.feeds.size() + 1);
  described_ = stream_.content == StreamContent::signals;
}

void NdjsonReader::read_data(std::string_view line) {
  JsonLine& json = json_;
  json.start(line);
  std::array<bool, line_keys.size()> seen{};
  stamp_.reset();
  json.object([&](std::string_view key) {
    const auto place = static_cast<std::size_t>(std::ranges::find(line_keys, key) - line_keys.begin());
    if (place == line_keys.size()) {
      json.refuse("a line has no key '" + std::string(key) + "'" + data::did_you_mean(key, line_keys));
    }
    if (std::exchange(seen.at(place), true)) json.refuse("the key '" + std::string(key) + "' appears twice");
    read_member(key, json);
  });
  json.finish();
  if (std::ranges::none_of(slots_, &Slot::used)) json.refuse("the line holds no data");
  if (!described_ && !slots_.back().used) {
    json.refuse(
        "the line after the first must hold scores or log_likelihoods; trial and attended may stand beside them");
  }
  for (Slot& slot : slots_) slot.block.stamp = stamp_;
  described_ = true;
}

void NdjsonReader::read_member(std::string_view key, JsonLine& json) {
  if (key == "t") {
    const double time = json.number();
    if (std::abs(time) > latest) json.refuse("t is in seconds and at most " + data::shown(latest));
    stamp_ = Seconds{time};
  } else if (key == "scores") {
    read_scores(StreamContent::scores, json);
  } else if (key == "log_likelihoods") {
    read_scores(StreamContent::log_likelihoods, json);
  } else if (key == "eeg") {
    read_eeg(json);
  } else if (key == "audio") {
    read_sounds(FeedKind::audio, json);
  } else if (key == "envelope") {
    read_sounds(FeedKind::envelope, json);
  } else if (key == "attended") {
    read_attended(json);
  } else {
    read_text(key == "trial" ? BlockKind::trial : BlockKind::marker, json);
  }
}

Block& NdjsonReader::use(std::size_t slot, BlockKind kind, const JsonLine& json) {
  Slot& used = slots_[slot];
  if (std::exchange(used.used, true)) json.refuse("the line says the same thing twice");
  Block& block = used.block;
  block.kind = kind;
  block.rows = 0;
  block.samples.clear();
  block.values.clear();
  return block;
}

void NdjsonReader::read_scores(StreamContent content, JsonLine& json) {
  const bool scores = content == StreamContent::scores;
  if (stream_.content == StreamContent::signals) {
    json.refuse("the first line names channels, so lines must hold eeg, not scores; leave channels out");
  }
  if (!described_) stream_.content = content;
  if (stream_.content != content) json.refuse("the lines before held something else; send scores or log_likelihoods");
  Block& block = use(slots_.size() - 1, scores ? BlockKind::scores : BlockKind::log_likelihoods, json);
  json.array([&] { block.values.push_back(json.number_or_null()); });
  if (block.values.size() != stream_.speakers.size()) {
    json.refuse(std::to_string(block.values.size()) + " values for " + std::to_string(stream_.speakers.size()) +
                " speakers");
  }
  block.rows = 1;
}

void NdjsonReader::read_eeg(JsonLine& json) {
  if (stream_.content != StreamContent::signals) {
    json.refuse("the first line must name rate and channels of the EEG, as in \"rate\":512,\"channels\":[\"Fz\"]");
  }
  Block& block = use(slots_.size() - 1, BlockKind::eeg, json);
  json.array([&] {
    const std::size_t before = block.samples.size();
    json.array([&] { block.samples.push_back(sample_of(json.number_or_null(), json)); });
    ++block.rows;
    const std::size_t count = block.samples.size() - before;
    if (count != stream_.channels.size()) {
      json.refuse("row " + std::to_string(block.rows) + " has " + std::to_string(count) + " values for " +
                  std::to_string(stream_.channels.size()) + " channels; one row holds one sample of every channel");
    }
  });
  if (block.rows == 0) json.refuse("eeg is empty; leave it out where there is none");
}

void NdjsonReader::read_sounds(FeedKind kind, JsonLine& json) {
  const bool audio = kind == FeedKind::audio;
  if (stream_.feeds.empty() || stream_.feeds.front().kind != kind) {
    json.refuse(std::string("the first line must give the rate of the sound, as in ") +
                (audio ? "\"audio_rate\":16000" : "\"envelope_rate\":64"));
  }
  json.object([&](std::string_view name) {
    // One feed per speaker, in their order.
    const auto feed = static_cast<std::size_t>(speaker(name, json));
    Block& block = use(first_feed_slot + feed, BlockKind::sound, json);
    block.feed = static_cast<Index>(feed);
    json.array([&] {
      const double value = json.number();
      if (audio) {
        block.samples.push_back(sample_of(value, json));
      } else {
        block.values.push_back(value);
      }
    });
    block.rows = static_cast<Index>(audio ? block.samples.size() : block.values.size());
    if (block.rows == 0) json.refuse("the sound is empty; leave it out where there is none");
  });
}

void NdjsonReader::read_attended(JsonLine& json) {
  if (!stream_.labelled) json.refuse("the first line must announce it: \"attended\":true");
  Block& block = use(attended_slot, BlockKind::attended, json);
  block.speaker = unknown_speaker;
  if (json.takes_null()) return;
  json.text_into(text_);
  block.speaker = speaker(text_, json);
}

void NdjsonReader::read_text(BlockKind kind, JsonLine& json) {
  if (kind == BlockKind::trial && !stream_.named_trials) {
    json.refuse("the first line must announce it: \"trials\":true");
  }
  Block& block = use(kind == BlockKind::trial ? trial_slot : marker_slot, kind, json);
  json.text_into(block.text);
  if (block.text.empty()) json.refuse("the name is empty");
}

Speaker NdjsonReader::speaker(std::string_view name, const JsonLine& json) const {
  const auto found = std::ranges::find(stream_.speakers, name);
  if (found == stream_.speakers.end()) {
    json.refuse("'" + std::string(name) + "' is not one of the speakers that the first line names");
  }
  return static_cast<Speaker>(found - stream_.speakers.begin());
}

bool NdjsonReader::take(Block& block) {
  while (taken_ < slots_.size()) {
    Slot& slot = slots_[taken_++];
    if (!std::exchange(slot.used, false)) continue;
    std::swap(block, slot.block);
    return true;
  }
  return false;
}

}  // namespace heed::live
