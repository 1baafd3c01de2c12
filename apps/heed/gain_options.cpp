// SPDX-License-Identifier: MIT
#include "gain_options.h"

#include <fmt/format.h>
#include <heed/evaluate/summary.h>

#include <utility>

namespace heed::app {
namespace {

const evaluate::GainOptions usual;
double range_of(const evaluate::GainOptions& options) { return options.enhanced_decibel - options.suppressed_decibel; }

}  // namespace

void add_gain_flags(CLI::App& verb, GainFlags& flags, const std::string& purpose, GainDefault unasked) {
  const auto* group = "Gains";
  CLI::Option* gain = verb.add_option("--gain", flags.maps, purpose + gain_map_help)
                          ->delimiter(',')
                          ->allow_extra_args(false)
                          ->type_name("MAP")
                          ->group(group);
  CLI::Option* range = verb.add_option("--range", flags.range, "Decibels between an attended and an unattended speaker")
                           ->default_str(fmt::format("{:g}", range_of(usual)))
                           ->group(group);
  CLI::Option* slew = verb.add_option("--slew", flags.slew, "The most that a gain may move, in dB per second")
                          ->default_str(fmt::format("{:g}", usual.slew_decibel_per_second))
                          ->group(group);
  if (unasked == GainDefault::usual_map) {
    gain->default_str(evaluate::map_word(usual));
  } else {
    range->needs(gain);
    slew->needs(gain);
  }
}

std::vector<evaluate::GainOptions> gain_options(const GainFlags& flags) {
  std::vector<evaluate::GainOptions> all;
  for (const std::string& map : flags.maps) {
    all.push_back(evaluate::with_range(flags.range.value_or(range_of(usual)), evaluate::with_map(map)));
    all.back().slew_decibel_per_second = flags.slew.value_or(usual.slew_decibel_per_second);
  }
  return all;
}

TextTable gain_table(std::vector<std::string> whose) {
  whose.insert(whose.end(), {"benefit dB", "wrong dB s/min", "travel dB/min", "below -3 dB %"});
  return TextTable(std::move(whose));
}

void add_gain_row(TextTable& table, std::vector<std::string> whose, std::span<const evaluate::GainWorth> gains) {
  const auto add = [&](auto measure, double factor, int decimals) {
    std::vector<std::optional<double>> values;
    for (const evaluate::GainWorth& one : gains) {
      const std::optional<double> value = (one.*measure)();
      values.push_back(value ? std::optional(factor * *value) : std::nullopt);
    }
    const auto summary = evaluate::summarise(values);
    whose.push_back(shown_with_spread(summary.mean, summary.sd, decimals));
  };
  add(&evaluate::GainWorth::benefit, 1, 2);
  add(&evaluate::GainWorth::wrong_emphasis, 1, 1);
  add(&evaluate::GainWorth::travel, 1, 1);
  add(&evaluate::GainWorth::wrong_share, 100, 1);
  table.add(std::move(whose));
}

std::string words_of(const evaluate::GainOptions& options) {
  return fmt::format("{:g} dB, at most {:g} dB/s", range_of(options), options.slew_decibel_per_second);
}

std::string gain_words(const evaluate::GainOptions& options) {
  return evaluate::map_word(options) + ", " + words_of(options);
}

void add_steering_flags(CLI::App& verb, std::string& map, live::SteeringOptions& steering) {
  const auto* group = "Steering";
  auto& gains = steering.gains;
  verb.add_option("--map", map, std::string("From posterior to gain: ") + gain_map_help)
      ->capture_default_str()
      ->group(group);
  verb.add_option("--enhanced", gains.enhanced_decibel, "Gain in dB of a speaker who is certainly attended")
      ->capture_default_str()
      ->group(group);
  verb.add_option("--suppressed", gains.suppressed_decibel, "Gain in dB of a speaker who is certainly not attended")
      ->capture_default_str()
      ->group(group);
  verb.add_option("--slew", gains.slew_decibel_per_second, "The most that a gain may move, in dB per second")
      ->capture_default_str()
      ->group(group);
  verb.add_option("--lowest", gains.lowest_decibel, "No gain is ever below this, in dB")
      ->capture_default_str()
      ->group(group);
  verb.add_option("--highest", gains.highest_decibel, "No gain is ever above this, in dB")
      ->capture_default_str()
      ->group(group);
  verb.add_option("--watchdog", steering.patience,
                  "Windows without input, or without evidence, after which the gains relax to equal")
      ->capture_default_str()
      ->group(group);
}

}  // namespace heed::app
