// SPDX-License-Identifier: MIT
#include "study/parameters.h"

#include <data/text.h>
#include <heed/data/error.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

namespace heed::study {
namespace {

constexpr double longest_interval = 86400;  // a day

bool is_whole(double value) { return value == std::floor(value); }

// Each reader below tells whether the parameter takes the value, and puts it into the setting if so.
using Reader = bool (*)(const TableValue&, Setting&);

// Numbers within [low, high]. Nothing: another one, or no number.
struct Range {
  double low;
  double high;
};
std::optional<double> number_within(const TableValue& value, Range range) {
  const std::optional<double> number = number_in(value);
  return number && *number >= range.low && *number <= range.high ? number : std::nullopt;
}

bool is_word(const TableValue& value, std::string_view word) {
  const auto* given = std::get_if<std::string>(&value);
  return given != nullptr && *given == word;
}

// The meaning of a word among those listed.
template <typename Meaning, std::size_t n>
std::optional<Meaning> meaning_of(const TableValue& value,
                                  const std::array<std::pair<std::string_view, Meaning>, n>& words) {
  const auto found = std::ranges::find_if(words, [&](const auto& one) { return is_word(value, one.first); });
  return found != words.end() ? std::optional(found->second) : std::nullopt;
}

template <typename Target, typename Value>
bool keep(const std::optional<Value>& value, Target& target) {
  if (value) target = *value;
  return value.has_value();
}

bool keep_seconds(const std::optional<double>& value, Seconds& target) {
  if (value) target = Seconds{*value};
  return value.has_value();
}

bool keep_count(const std::optional<double>& value, auto& target) {
  if (!value || !is_whole(*value)) return false;
  target = static_cast<int>(*value);
  return true;
}

bool read_speakers(const TableValue& value, Setting& setting) {
  return is_word(value, "as-given") || keep_count(number_within(value, {.low = 2, .high = 8}), setting.speakers);
}

bool read_decoder(const TableValue& value, Setting& setting) {
  using pipeline::DecoderKind;
  if (is_word(value, "baseline")) return true;
  for (const DecoderKind kind : {DecoderKind::least_squares, DecoderKind::cca, DecoderKind::csp}) {
    if (is_word(value, pipeline::name(kind))) setting.decoder = kind;
  }
  return setting.decoder.has_value();
}

bool read_recipe(const TableValue& value, Setting& setting) {
  const auto& all = pipeline::all_recipes;
  const auto* found =
      std::ranges::find_if(all, [&](pipeline::Recipe one) { return is_word(value, pipeline::name(one)); });
  if (found != all.end()) setting.recipe = *found;
  return found != all.end();
}

bool read_window(const TableValue& value, Setting& setting) {
  const std::optional<double> seconds = number_within(value, {.low = 0.25, .high = 60});
  return seconds && is_whole(*seconds * 4) && keep_seconds(seconds, setting.window);
}

bool read_lags(const TableValue& value, Setting& setting) {
  const std::optional<double> seconds = number_within(value, {.low = 0, .high = 1});
  return seconds > 0 && keep_seconds(seconds, setting.longest_lag);
}

bool read_tracker(const TableValue& value, Setting& setting) {
  const auto all = track::all_methods();
  const auto found = std::ranges::find_if(all, [&](track::Method one) { return is_word(value, track::name(one)); });
  if (found != all.end()) setting.tracker = *found;
  return found != all.end();
}

bool read_switch_probability(const TableValue& value, Setting& setting) {
  constexpr std::array<std::pair<std::string_view, SwitchRule>, 3> rules{
      {{"scaled", SwitchRule::scaled},
       {"once-an-interval", SwitchRule::once_an_interval},
       {"as-fast-as-state-space", SwitchRule::as_state_space}}};
  if (keep(meaning_of(value, rules), setting.switch_rule)) return true;
  const std::optional<double> p = number_within(value, {.low = 0, .high = 0.5});
  return p > 0 && keep(p, setting.switch_probability);
}

// "60-125"
std::optional<SwitchInterval> range_in(const TableValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return std::nullopt;
  const char* const end = text->data() + text->size();
  int shortest = 0;
  int longest = 0;
  const auto first = std::from_chars(text->data(), end, shortest);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, longest);
  const bool whole_text = second.ec == std::errc{} && second.ptr == end;
  if (!whole_text || shortest < 1 || longest <= shortest || longest > longest_interval) return std::nullopt;
  return SwitchInterval{.shortest = Seconds{static_cast<double>(shortest)},
                        .longest = Seconds{static_cast<double>(longest)}};
}

bool read_switch_interval(const TableValue& value, Setting& setting) {
  constexpr std::array<std::pair<std::string_view, Switches>, 2> words{
      {{"baseline", Switches::baseline}, {"recorded", Switches::recorded}}};
  if (keep(meaning_of(value, words), setting.switches)) return true;
  setting.switches = Switches::artificial;
  if (keep(range_in(value), setting.switch_interval)) return true;
  const std::optional<double> seconds = number_within(value, {.low = 1, .high = longest_interval});
  if (seconds) setting.switch_interval = {.shortest = Seconds{*seconds}, .longest = Seconds{*seconds}};
  return seconds.has_value();
}

bool read_trials(const TableValue& value, Setting& setting) {
  constexpr std::array<std::pair<std::string_view, TrialKind>, 3> kinds{
      {{"all", TrialKind::all}, {"switching", TrialKind::switching}, {"sustained", TrialKind::sustained}}};
  return keep(meaning_of(value, kinds), setting.trials);
}

bool read_accuracy_shift(const TableValue& value, Setting& setting) {
  return keep(number_within(value, {.low = -1, .high = 20}), setting.accuracy_shift);
}

bool read_look_ahead(const TableValue& value, Setting& setting) {
  return keep_seconds(number_within(value, {.low = 0, .high = 600}), setting.look_ahead);
}

bool read_emission(const TableValue& value, Setting& setting) {
  using pipeline::EmissionFit;
  constexpr std::array<std::pair<std::string_view, EmissionFit>, 3> fits{{{"labels", EmissionFit::labels},
                                                                          {"baum-welch", EmissionFit::baum_welch},
                                                                          {"memoryless", EmissionFit::memoryless}}};
  return keep(meaning_of(value, fits), setting.emission);
}

bool read_yes_or_no(const TableValue& value, bool& target) {
  target = is_word(value, "yes");
  return target || is_word(value, "no");
}

bool read_joined(const TableValue& value, Setting& setting) { return read_yes_or_no(value, setting.joined); }

bool read_calibrated(const TableValue& value, Setting& setting) { return read_yes_or_no(value, setting.calibrated); }

bool read_repeats(const TableValue& value, Setting& setting) {
  return keep_count(number_within(value, {.low = 1, .high = 1000}), setting.repeats);
}

constexpr std::array<std::string_view, 15> names{
    "speakers",           "decoder",         "recipe", "window", "lags",           "tracker",
    "switch_probability", "switch_interval", "trials", "joined", "accuracy_shift", "look_ahead",
    "emission",           "calibrated",      "repeats"};

struct Parameter {
  TableValue default_value;
  Reader read;
  std::string_view values;  // what it takes, for messages
};

// In the order of names.
const std::array<Parameter, names.size()>& parameters() {
  static const std::array<Parameter, names.size()> all{{
      {"as-given", read_speakers, "2 to 8, or as-given"},
      {"baseline", read_decoder, "ls, cca, csp or baseline"},
      {"paper", read_recipe, "paper, ridge, cosine, onset or heed"},
      {1.0, read_window, "seconds, a multiple of 0.25 up to 60"},
      {0.25, read_lags, "seconds above 0, up to 1"},
      {"causal", read_tracker,
       "causal, fixed-lag, smooth, viterbi, markov-chain, probabilistic-gain, state-space or raw"},
      {"scaled", read_switch_probability,
       "a number above 0, up to 0.5, or scaled, once-an-interval, as-fast-as-state-space"},
      {"baseline", read_switch_interval,
       "seconds from 1 to 86400, whole seconds from-to such as 60-125, or recorded, baseline"},
      {"all", read_trials, "all, switching or sustained"},
      {"no", read_joined, "no or yes"},
      {0.0, read_accuracy_shift, "a number from -1 to 20"},
      {5.0, read_look_ahead, "seconds from 0 to 600"},
      {"labels", read_emission, "labels, baum-welch or memoryless"},
      {"no", read_calibrated, "no or yes"},
      {1.0, read_repeats, "a whole number from 1 to 1000"},
  }};
  return all;
}

}  // namespace

std::span<const std::string_view> parameter_names() noexcept { return names; }

std::optional<double> number_in(const TableValue& value) noexcept {
  const auto* number = std::get_if<double>(&value);
  return number != nullptr && std::isfinite(*number) ? std::optional(*number) : std::nullopt;
}

void read_parameter(const NamedValue& given, Setting& setting) {
  const auto* found = std::ranges::find(names, given.name);
  if (found == names.end()) {
    const std::string meant = data::did_you_mean(given.name, names);
    std::string known;
    for (const std::string_view name : names) known.append(known.empty() ? "" : ", ").append(name);
    throw Error(ErrorKind::invalid_argument,
                "no parameter '" + given.name + "'" + (meant.empty() ? "; there are " + known : meant));
  }
  const Parameter& parameter = parameters()[static_cast<std::size_t>(found - names.begin())];
  if (parameter.read(given.value, setting)) return;
  throw Error(ErrorKind::invalid_argument,
              given.name + " cannot be '" + data::text_of(given.value) + "'; write " + std::string(parameter.values));
}

NamedValues default_values() {
  NamedValues values;
  for (std::size_t k = 0; k < names.size(); ++k) {
    values.push_back({.name = std::string(names[k]), .value = parameters()[k].default_value});
  }
  return values;
}

}  // namespace heed::study
