// SPDX-License-Identifier: MIT
#include "gain_options.h"

#include <fmt/format.h>
#include <heed/evaluate/summary.h>

#include <utility>

namespace heed::app {

void add_gain_flags(CLI::App& verb, GainFlags& flags) {
  const auto* group = "Gains";
  const evaluate::GainOptions usual;
  CLI::Option* gain =
      verb.add_option(
              "--gain", flags.maps,
              std::string("What gains would be worth to the listener, by this map, or several: ") + gain_map_help)
          ->delimiter(',')
          ->allow_extra_args(false)
          ->type_name("MAP")
          ->group(group);
  verb.add_option("--range", flags.range, "Decibels between an attended and an unattended speaker")
      ->needs(gain)
      ->default_str(fmt::format("{:g}", usual.enhanced_decibel - usual.suppressed_decibel))
      ->group(group);
  verb.add_option("--slew", flags.slew, "The most that a gain may move, in dB per second")
      ->needs(gain)
      ->default_str(fmt::format("{:g}", usual.slew_decibel_per_second))
      ->group(group);
}

std::vector<evaluate::GainOptions> gain_options(const GainFlags& flags) {
  std::vector<evaluate::GainOptions> all;
  for (const std::string& map : flags.maps) {
    evaluate::GainOptions options = evaluate::with_map(map);
    if (flags.range) options = evaluate::with_range(*flags.range, options);
    if (flags.slew) options.slew_decibel_per_second = *flags.slew;
    all.push_back(options);
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
  return fmt::format("{:g} dB, at most {:g} dB/s", options.enhanced_decibel - options.suppressed_decibel,
                     options.slew_decibel_per_second);
}

}  // namespace heed::app
