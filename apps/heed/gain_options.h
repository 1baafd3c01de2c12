// SPDX-License-Identifier: MIT
// Options of verbs that turn posteriors into gains.
#pragma once

#include <heed/evaluate/gains.h>
#include <heed/live/steering.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "terminal.h"

namespace heed::app {

inline constexpr const char* gain_map_help =
    "dead-zone (a speaker more probable than 0.8 alone, dead-zone:0.9 above 0.9), 2dB/nat (decibels per nat of "
    "log-odds), intelligibility (for two speakers; intelligibility:6 with 6 dB above the reception threshold), "
    "decibels "
    "or amplitude (a straight line in either), or decision (the most probable speaker alone)";

struct GainFlags {
  std::vector<std::string> maps;  // empty: gains are not asked for
  std::optional<double> range;
  std::optional<double> slew;
};

// `purpose`: the help of --gain, up to the list of maps. Whether --range and --slew alone mean the default map.
enum class GainDefault : std::uint8_t { none, usual_map };
void add_gain_flags(CLI::App& verb, GainFlags& flags, const std::string& purpose,
                    GainDefault unasked = GainDefault::none);

// One per map. Throws invalid_argument for a word that is none, and for a range that is not positive.
[[nodiscard]] std::vector<evaluate::GainOptions> gain_options(const GainFlags& flags);

// "12 dB, at most 6 dB/s"
[[nodiscard]] std::string words_of(const evaluate::GainOptions& options);
// "dead-zone, 12 dB, at most 6 dB/s"
[[nodiscard]] std::string gain_words(const evaluate::GainOptions& options);

// Whose gains, and what they are worth: of one, or mean and SD of several.
[[nodiscard]] TextTable gain_table(std::vector<std::string> whose);
void add_gain_row(TextTable& table, std::vector<std::string> whose, std::span<const evaluate::GainWorth> gains);

// The options of `heed live` about gains.
void add_steering_flags(CLI::App& verb, std::string& map, live::SteeringOptions& steering);

}  // namespace heed::app
