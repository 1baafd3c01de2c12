// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/recording/header_text.h>
#include <io/xdf/xdf_plan.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heed::io {
namespace {

[[noreturn]] void refuse_rule(std::string_view text, std::string_view form) {
  throw Error(ErrorKind::invalid_argument,
              "the rule '" + std::string(text) + "' makes no sense; write " + std::string(form));
}

// The text that * stood for; nothing where the marker does not fit.
std::optional<std::string_view> starred(std::string_view marker, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return marker == pattern ? std::optional(std::string_view{}) : std::nullopt;
  const std::string_view before = pattern.substr(0, star);
  const std::string_view after = pattern.substr(star + 1);
  if (marker.size() < before.size() + after.size() || !marker.starts_with(before) || !marker.ends_with(after)) {
    return std::nullopt;
  }
  return marker.substr(before.size(), marker.size() - before.size() - after.size());
}

std::string names_of(const XdfFile& file) {
  std::string names;
  for (const XdfStream& stream : file.streams()) {
    names += (names.empty() ? "" : ", ") + ("'" + stream.header.name + "' (" + stream.header.type + ")");
  }
  return names.empty() ? "it holds none" : "it holds " + names;
}

std::size_t stream_named(const XdfFile& file, const std::string& name) {
  std::optional<std::size_t> found;
  for (std::size_t k = 0; k < file.streams().size(); ++k) {
    if (file.streams()[k].header.name != name) continue;
    if (found) {
      throw Error(ErrorKind::invalid_argument,
                  file.name() + ": two streams are called '" + name + "', and heed cannot tell which is meant");
    }
    found = k;
  }
  if (found) return *found;
  throw Error(ErrorKind::not_found, file.name() + ": no stream is called '" + name + "'; " + names_of(file));
}

bool is_numbers(const XdfStream& stream) {
  return stream.header.format != XdfFormat::text && stream.header.is_regular() && stream.samples > 1;
}

std::size_t eeg_of(const XdfFile& file, const XdfRules& rules) {
  if (!rules.eeg.empty()) {
    const std::size_t named = stream_named(file, rules.eeg);
    if (is_numbers(file.streams()[named])) return named;
    throw Error(ErrorKind::bad_data, file.name() + ": the stream '" + rules.eeg +
                                         "' cannot be EEG: it has no samples of numbers at a regular rate");
  }
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < file.streams().size(); ++k) {
    const XdfStream& stream = file.streams()[k];
    // OpenViBE calls its EEG "signal".
    const bool is_eeg =
        equal_ignoring_case(stream.header.type, "EEG") || equal_ignoring_case(stream.header.type, "signal");
    if (is_eeg && is_numbers(stream)) found.push_back(k);
  }
  if (found.size() == 1) return found.front();
  const std::string problem = found.empty() ? "no stream of type EEG has samples" : "several streams are of type EEG";
  throw Error(found.empty() ? ErrorKind::not_found : ErrorKind::invalid_argument,
              file.name() + ": " + problem + "; name the EEG stream; " + names_of(file));
}

bool is_envelope_type(std::string_view type) { return equal_ignoring_case(type, "Envelope"); }

XdfVoice voice_of(const XdfStream& stream, std::size_t place, Index channel, std::string speaker) {
  constexpr double slowest_sound = 1000;  // Hz; what is slower can only be an envelope
  const auto bits = static_cast<int>(8 * bytes_of(stream.header.format));
  const bool is_integer = stream.header.format != XdfFormat::float32 && stream.header.format != XdfFormat::double64;
  const bool is_sound =
      !is_envelope_type(stream.header.type) && stream.header.sampling_frequency.value >= slowest_sound;
  return {std::move(speaker), place, channel, !is_sound, is_sound && is_integer ? std::ldexp(1.0, 1 - bits) : 1};
}

// One speaker per channel: by its label, or where there is none by the stream's name.
void add_voices(const XdfStream& stream, std::size_t place, std::vector<XdfVoice>& voices) {
  for (Index channel = 0; channel < stream.header.channels; ++channel) {
    const bool labelled = channel < std::ssize(stream.header.described) &&
                          !stream.header.described[static_cast<std::size_t>(channel)].label.empty();
    const std::string numbered =
        stream.header.name + (stream.header.channels > 1 ? "-" + std::to_string(channel + 1) : "");
    voices.push_back(voice_of(stream, place, channel, labelled ? channel_name(stream.header, channel) : numbered));
  }
}

std::vector<XdfVoice> voices_of(const XdfFile& file, const XdfRules& rules, std::size_t eeg) {
  std::vector<XdfVoice> voices;
  for (const SpeakerRule& rule : rules.speakers) {
    const std::size_t place = stream_named(file, rule.stream);
    const XdfStream& stream = file.streams()[place];
    const bool fits = rule.channel ? *rule.channel < stream.header.channels : stream.header.channels == 1;
    if (!fits) {
      throw Error(ErrorKind::invalid_argument,
                  file.name() + ": the stream '" + rule.stream + "' has " + std::to_string(stream.header.channels) +
                      " channels; name one, as in " + rule.speaker + "=" + rule.stream + "#0");
    }
    if (!is_numbers(stream)) {
      throw Error(ErrorKind::bad_data, file.name() + ": the stream '" + rule.stream +
                                           "' cannot be sound: it has no samples of numbers at a regular rate");
    }
    voices.push_back(voice_of(stream, place, rule.channel.value_or(0), rule.speaker));
  }
  if (!rules.speakers.empty()) return voices;
  for (std::size_t place = 0; place < file.streams().size(); ++place) {
    const XdfStream& stream = file.streams()[place];
    const bool speaks = equal_ignoring_case(stream.header.type, "Audio") || is_envelope_type(stream.header.type);
    if (place != eeg && speaks && is_numbers(stream)) add_voices(stream, place, voices);
  }
  return voices;
}

}  // namespace

SpeakerRule parse_speaker_rule(std::string_view text) {
  constexpr std::string_view form = "SPEAKER=STREAM or SPEAKER=STREAM#CHANNEL, channels counted from 0";
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) refuse_rule(text, form);
  SpeakerRule rule{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)), {}};
  const std::size_t hash = rule.stream.rfind('#');
  if (hash == std::string::npos) return rule;
  const auto channel = parse_integer(std::string_view(rule.stream).substr(hash + 1));
  if (!channel || *channel < 0) refuse_rule(text, form);
  rule.channel = *channel;
  rule.stream.resize(hash);
  return rule;
}

std::vector<SpeakerRule> parse_speaker_rules(std::string_view text) {
  std::vector<SpeakerRule> rules;
  while (!text.empty()) {
    std::string rule(text.substr(0, text.find(',')));
    text.remove_prefix(std::min(rule.size() + 1, text.size()));
    std::ranges::replace(rule, ':', '=');
    rules.push_back(parse_speaker_rule(rule));
  }
  return rules;
}

const std::vector<MarkerRule>& own_attention_rules() {
  static const std::vector<MarkerRule> rules{{"attended/*", "*"}};
  return rules;
}

MarkerRule parse_marker_rule(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) refuse_rule(text, "MARKER=MEANING");
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

StimulusRule parse_stimulus_rule(std::string_view text) {
  const std::size_t first = text.find('=');
  const std::size_t second = first == std::string_view::npos ? first : text.find('=', first + 1);
  if (second == std::string_view::npos || first == 0 || second == first + 1 || second + 1 == text.size()) {
    refuse_rule(text, "MARKER=SPEAKER=FILE");
  }
  return {std::string(text.substr(0, first)), std::string(text.substr(first + 1, second - first - 1)),
          std::string(text.substr(second + 1))};
}

std::optional<std::string> meaning_of(std::string_view marker, const std::vector<MarkerRule>& rules) {
  for (const MarkerRule& rule : rules) {
    const auto star = starred(marker, rule.pattern);
    if (!star) continue;
    std::string meaning = rule.meaning;
    if (const std::size_t at = meaning.find('*'); at != std::string::npos) meaning.replace(at, 1, *star);
    return meaning;
  }
  return std::nullopt;
}

XdfPlan plan_xdf(XdfFile& file, const XdfRules& rules) {
  XdfPlan plan{.eeg = eeg_of(file, rules), .attention = rules.attention, .trials = rules.trials};
  plan.voices = voices_of(file, rules, plan.eeg);
  if (plan.attention.empty()) plan.attention = own_attention_rules();
  if (plan.trials.empty()) plan.trials = {{"trial/*", "*"}};
  for (std::size_t k = 0; k < file.streams().size(); ++k) {
    if (file.streams()[k].header.format != XdfFormat::text) continue;
    const auto markers = file.read_markers(k);
    plan.markers.insert(plan.markers.end(), markers.begin(), markers.end());
  }
  std::ranges::stable_sort(plan.markers, {}, &XdfMarker::time);
  return plan;
}

std::string eeg_unit(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 14> known{{{"uV", "uV"},
                                                                                 {"\xc2\xb5V", "uV"},
                                                                                 {"\xce\xbcV", "uV"},
                                                                                 {"microvolt", "uV"},
                                                                                 {"microvolts", "uV"},
                                                                                 {"mV", "mV"},
                                                                                 {"millivolt", "mV"},
                                                                                 {"millivolts", "mV"},
                                                                                 {"V", "V"},
                                                                                 {"volt", "V"},
                                                                                 {"volts", "V"},
                                                                                 {"nV", "nV"},
                                                                                 {"nanovolt", "nV"},
                                                                                 {"nanovolts", "nV"}}};
  for (const auto& [word, meant] : known) {
    if (equal_ignoring_case(unit, word)) return std::string(meant);
  }
  return "";
}

}  // namespace heed::io
