// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/evaluate/gains.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

namespace heed::evaluate {
namespace {

using core::GainMap;
using data::shown;

constexpr std::string_view per_nat = "dB/nat";
constexpr std::array<std::pair<std::string_view, GainMap>, 5> words{{{"decibels", GainMap::decibels},
                                                                     {"amplitude", GainMap::amplitude},
                                                                     {"decision", GainMap::decision},
                                                                     {"dead-zone", GainMap::dead_zone},
                                                                     {"intelligibility", GainMap::intelligibility}}};

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

[[noreturn]] void refuse_word(std::string_view word) {
  refuse(
      "'" + std::string(word) +
      "' is not a map from posteriors to gains; choose decibels, amplitude, decision, dead-zone, intelligibility, or "
      "decibels per nat as in 2dB/nat");
}

double number_in(std::string_view text, std::string_view word) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc{} || read.ptr != end) refuse_word(word);
  return value;
}

std::string_view upto(std::string_view text, char separator) { return text.substr(0, text.find(separator)); }
std::string_view after(std::string_view text, char separator) {
  const auto at = text.find(separator);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
}

// What is behind the colons of a word.
void read_numbers(std::string_view numbers, std::string_view word, GainOptions& options) {
  if (options.map == GainMap::dead_zone) {
    options.certainty = number_in(numbers, word);
  } else if (options.map == GainMap::intelligibility) {
    options.margin_decibel = number_in(upto(numbers, ':'), word);
    if (numbers.find(':') != std::string_view::npos) options.slope_per_decibel = number_in(after(numbers, ':'), word);
  } else {
    refuse_word(word);
  }
}

void check_map(Index speakers, const GainOptions& options) {
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
  if (options.map == GainMap::dead_zone && !(options.certainty >= 0 && options.certainty < 1)) {
    refuse("a dead zone must end at a probability from 0 to below 1, not at " + shown(options.certainty) +
           "; 0.8 is usual");
  }
  if (options.map == GainMap::decibels_per_nat && !positive(options.decibels_per_nat)) {
    refuse("the decibels per nat must be above 0, not " + shown(options.decibels_per_nat) + "; 2 are usual");
  }
  if (options.map != GainMap::intelligibility) return;
  if (speakers != 2) {
    refuse("the map intelligibility is for two speakers, not for " + std::to_string(speakers) +
           "; choose dead-zone or 2dB/nat");
  }
  if (!positive(options.margin_decibel) || !positive(options.slope_per_decibel)) {
    refuse("intelligibility needs a margin above the speech reception threshold and a slope above 0, not " +
           shown(options.margin_decibel) + " dB and " + shown(options.slope_per_decibel) +
           " per dB; 3 and 0.12 are usual");
  }
}

void check_range(const GainOptions& options) {
  const auto& [map, enhanced, suppressed, slew, lowest, highest, nat, certainty, margin, slope] = options;
  for (const double gain : {enhanced, suppressed, lowest, highest, slew}) {
    if (!std::isfinite(gain)) refuse("gains and their slew limit must be finite, not " + shown(gain));
  }
  if (!(enhanced > suppressed)) {
    refuse("gains need a range: an attended speaker's gain must be above that of the others, not " + shown(enhanced) +
           " dB against " + shown(suppressed) + " dB");
  }
  if (lowest > highest) {
    refuse("the lowest gain, " + shown(lowest) + " dB, is above the highest, " + shown(highest) + " dB");
  }
  if (std::clamp(enhanced, lowest, highest) == std::clamp(suppressed, lowest, highest)) {
    refuse("the safety range from " + shown(lowest) + " to " + shown(highest) + " dB leaves gains from " +
           shown(suppressed) + " to " + shown(enhanced) + " dB no room to move");
  }
  if (!(slew > 0)) refuse("the slew limit of gains must be above 0 dB/s, not " + shown(slew));
}

// B: the attended speaker above the mean power of the others, in dB.
double benefit_of(std::span<const double> gains, std::size_t attended) {
  if (gains.size() == 2) return gains[attended] - gains[1 - attended];
  double power = 0;
  for (std::size_t k = 0; k < gains.size(); ++k) power += k == attended ? 0 : std::pow(10.0, gains[k] / 10);
  return gains[attended] - (10 * std::log10(power / static_cast<double>(gains.size() - 1)));
}

// The largest change of a difference between two gains.
double moved(std::span<const double> before, std::span<const double> now) {
  double most = now[0] - before[0];
  double least = most;
  for (std::size_t k = 1; k < now.size(); ++k) {
    most = std::max(most, now[k] - before[k]);
    least = std::min(least, now[k] - before[k]);
  }
  return most - least;
}

void check_shape(MatrixView gains, std::span<const Speaker> attended, Seconds hop) {
  if (!(hop.value > 0)) refuse("the time from one window to the next must be above 0 s, not " + shown(hop.value));
  if (gains.columns < 2)
    refuse("gains need a column for each of at least 2 speakers, not " + shown(static_cast<double>(gains.columns)));
  if (std::ssize(attended) != gains.rows) {
    throw Error(ErrorKind::bad_data, std::to_string(attended.size()) + " labels for gains of " +
                                         std::to_string(gains.rows) + " windows; give one per window");
  }
  for (Index t = 0; t < gains.rows; ++t) {
    const Speaker label = attended[static_cast<std::size_t>(t)];
    if (label < unknown_speaker || label >= gains.columns) {
      throw Error(ErrorKind::bad_data, "window " + std::to_string(t + 1) + ": speaker " + std::to_string(label) +
                                           " is attended, but there are gains of " + std::to_string(gains.columns));
    }
    for (const double gain : gains.row(t)) {
      if (std::isfinite(gain)) continue;
      throw Error(ErrorKind::bad_data, "window " + std::to_string(t + 1) + ": a gain is not finite");
    }
  }
}

std::size_t decided_at(const TrackedTrial& trial, Index t, Index speakers) {
  const auto decided = static_cast<std::size_t>(trial.decisions.states[static_cast<std::size_t>(t)]);
  if (decided < static_cast<std::size_t>(speakers)) return decided;
  throw Error(ErrorKind::bad_data, "window " + std::to_string(t + 1) + ": the decision is none of the " +
                                       std::to_string(speakers) + " speakers");
}

std::optional<double> ratio(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}

}  // namespace

GainRule make_gain_rule(Index speakers, Seconds step, const GainOptions& options) {
  if (speakers < 2 || speakers > 64) {
    refuse("gains can be given to 2 to 64 speakers, not to " + std::to_string(speakers));
  }
  check_range(options);
  check_map(speakers, options);
  const auto rule = GainRule::make(static_cast<std::size_t>(speakers), step.value, options);
  if (!rule)
    refuse("no gains can be computed with these options; give gains within 100 dB and windows longer than 0 s");
  return *rule;
}

GainOptions with_map(std::string_view word, GainOptions options) {
  if (word.ends_with(per_nat)) {
    options.map = GainMap::decibels_per_nat;
    options.decibels_per_nat = number_in(word.substr(0, word.size() - per_nat.size()), word);
    check_map(2, options);
    return options;
  }
  const auto* const found = std::ranges::find(words, upto(word, ':'), &std::pair<std::string_view, GainMap>::first);
  if (found == words.end()) refuse_word(word);
  options.map = found->second;
  if (word.find(':') != std::string_view::npos) read_numbers(after(word, ':'), word, options);
  check_map(2, options);  // its numbers; whether there are two speakers is not known yet
  return options;
}

std::string map_word(const GainOptions& options) {
  const GainOptions usual;
  if (options.map == GainMap::decibels_per_nat) return shown(options.decibels_per_nat) + std::string(per_nat);
  std::string word(std::ranges::find(words, options.map, &std::pair<std::string_view, GainMap>::second)->first);
  if (options.map == GainMap::dead_zone && options.certainty != usual.certainty) word += ":" + shown(options.certainty);
  if (options.map != GainMap::intelligibility) return word;
  const bool usual_slope = options.slope_per_decibel == usual.slope_per_decibel;
  if (options.margin_decibel != usual.margin_decibel || !usual_slope) word += ":" + shown(options.margin_decibel);
  if (!usual_slope) word += ":" + shown(options.slope_per_decibel);
  return word;
}

GainOptions with_range(double range, GainOptions options) {
  if (!(std::isfinite(range) && range > 0)) {
    refuse("gains need a range above 0 dB, not " + shown(range) + "; 12 dB is usual");
  }
  options.enhanced_decibel = 0;
  options.suppressed_decibel = -range;
  options.highest_decibel = 0;
  options.lowest_decibel = -2 * range;  // with several speakers one may be further down than suppressed
  return options;
}

Matrix gains_of(const TrackedTrial& trial, Index speakers, const GainOptions& options) {
  const Matrix& posteriors = trial.posteriors.values;
  const bool decided_only = posteriors.rows() == 0;
  if (!decided_only && posteriors.cols() != speakers) {
    throw Error(ErrorKind::bad_data,
                "posteriors of " + std::to_string(posteriors.cols()) + " speakers, not of " + std::to_string(speakers));
  }
  GainRule rule = make_gain_rule(speakers, decided_only ? trial.decisions.hop : trial.posteriors.hop, options);
  Matrix gains(decided_only ? std::ssize(trial.decisions.states) : posteriors.rows(), speakers);
  std::vector<double> certain(static_cast<std::size_t>(speakers), 0.0);
  for (Index t = 0; t < gains.rows(); ++t) {
    if (decided_only) {
      std::ranges::fill(certain, 0.0);
      certain[decided_at(trial, t, speakers)] = 1;
    }
    rule.step(decided_only ? std::span<const double>(certain) : data::view(posteriors).row(t));
    std::ranges::copy(rule.decibels(), data::view(gains).row(t).begin());
  }
  return gains;
}

GainWorth GainWorth::measure(MatrixView gains, std::span<const Speaker> attended, Seconds hop) {
  check_shape(gains, attended, hop);
  GainWorth worth;
  worth.seconds_ = static_cast<double>(gains.rows) * hop.value;
  for (Index t = 0; t < gains.rows; ++t) {
    if (t > 0) worth.travel_ += moved(gains.row(t - 1), gains.row(t));
    const Speaker label = attended[static_cast<std::size_t>(t)];
    if (label == unknown_speaker) continue;
    const double benefit = benefit_of(gains.row(t), static_cast<std::size_t>(label));
    worth.labelled_ += hop.value;
    worth.benefit_ += benefit * hop.value;
    worth.wrong_ += std::max(0.0, -benefit) * hop.value;
    if (benefit < clearly_wrong) worth.clearly_wrong_ += hop.value;
  }
  return worth;
}

GainWorth GainWorth::measure(const TrackedParticipant& participant, const GainOptions& options) {
  GainWorth worth;
  for (const TrackedTrial& trial : participant.trials) {
    try {
      const Matrix gains = gains_of(trial, std::ssize(participant.speakers), options);
      worth += measure(data::view(gains), trial.attention.attended, trial.decisions.hop);
    } catch (const Error& error) {
      throw error.within("participant " + participant.id + ", trial " + trial.name);
    }
  }
  return worth;
}

GainWorth& GainWorth::operator+=(const GainWorth& other) noexcept {
  seconds_ += other.seconds_;
  labelled_ += other.labelled_;
  benefit_ += other.benefit_;
  wrong_ += other.wrong_;
  clearly_wrong_ += other.clearly_wrong_;
  travel_ += other.travel_;
  return *this;
}

std::optional<double> GainWorth::benefit() const noexcept { return ratio(benefit_, labelled_); }
std::optional<double> GainWorth::wrong_emphasis() const noexcept { return ratio(60 * wrong_, labelled_); }
std::optional<double> GainWorth::wrong_share() const noexcept { return ratio(clearly_wrong_, labelled_); }
std::optional<double> GainWorth::travel() const noexcept { return ratio(60 * travel_, seconds_); }

}  // namespace heed::evaluate
