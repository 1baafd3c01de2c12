// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/digest.h>
#include <study/setting.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

namespace heed::study {
namespace {

using data::number_in;
using pipeline::DecoderKind;

constexpr double longest_interval = 86400;  // a day
// More than anybody waits for; less than fills the memory.
constexpr std::size_t most_settings = 100000;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

// ---- Readers tell whether the parameter takes a value, and put it into the setting; printers give it back. ----

bool is_whole(double value) { return value == std::floor(value); }

struct Range {
  double low;
  double high;
};
// Nothing: a number outside [low, high], or no number.
std::optional<double> number_within(const TableValue& value, Range range) {
  const std::optional<double> number = number_in(value);
  return number && *number >= range.low && *number <= range.high ? number : std::nullopt;
}

std::string_view word_in(const TableValue& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word != nullptr ? std::string_view(*word) : std::string_view();
}

TableValue printed(std::string_view word) { return std::string(word); }

// Words with a meaning each.
template <typename Meaning, std::size_t n>
using Words = std::array<std::pair<std::string_view, Meaning>, n>;

template <typename Meaning, std::size_t n>
std::optional<Meaning> meaning_of(const TableValue& value, const Words<Meaning, n>& words) {
  const auto found = std::ranges::find(words, word_in(value), &std::pair<std::string_view, Meaning>::first);
  return found != words.end() ? std::optional(found->second) : std::nullopt;
}

template <typename Meaning, std::size_t n>
TableValue word_for(Meaning meaning, const Words<Meaning, n>& words) {
  return printed(std::ranges::find(words, meaning, &std::pair<std::string_view, Meaning>::second)->first);
}

constexpr Words<DecoderKind, 3> decoders{
    {{"ls", DecoderKind::least_squares}, {"cca", DecoderKind::cca}, {"csp", DecoderKind::csp}}};
constexpr Words<SwitchRule, 4> rules{{{"scaled", SwitchRule::scaled},
                                      {"auto", SwitchRule::unknown},
                                      {"once-an-interval", SwitchRule::once_an_interval},
                                      {"as-fast-as-state-space", SwitchRule::as_state_space}}};
constexpr Words<Switches, 3> kinds_of_switches{
    {{"baseline", Switches::baseline}, {"recorded", Switches::recorded}, {"none", Switches::none}}};
constexpr Words<decode::DiscriminantForm, 2> forms_of_lda{
    {{"per-speaker", decode::DiscriminantForm::per_speaker}, {"difference", decode::DiscriminantForm::difference}}};
constexpr Words<ScoreColumns, 2> kinds_of_columns{
    {{"as-given", ScoreColumns::as_given}, {"difference", ScoreColumns::difference}}};
constexpr Words<TrialKind, 3> kinds_of_trials{
    {{"all", TrialKind::all}, {"switching", TrialKind::switching}, {"sustained", TrialKind::sustained}}};
constexpr Words<Learning, 5> kinds_of_learning{{{"labels", Learning::labels},
                                                {"labels-alone", Learning::labels_alone},
                                                {"population", Learning::population},
                                                {"adaptive", Learning::adaptive},
                                                {"nothing", Learning::nothing}}};
constexpr Words<Disturbance, 5> kinds_of_disturbance{{{"none", Disturbance::none},
                                                      {"slipped-cap", Disturbance::slipped_cap},
                                                      {"swapped-sounds", Disturbance::swapped_sounds},
                                                      {"nobody", Disturbance::nobody},
                                                      {"inverted-cap", Disturbance::inverted_cap}}};
constexpr Words<bool, 2> yes_or_no{{{"no", false}, {"yes", true}}};

template <auto field, const auto& words>
bool read_word(const TableValue& value, Setting& setting) {
  const auto meaning = meaning_of(value, words);
  if (meaning) std::invoke(field, setting) = *meaning;
  return meaning.has_value();
}
template <auto field, const auto& words>
TableValue print_word(const Setting& setting) {
  return word_for(std::invoke(field, setting), words);
}

// Fields of ListeningSetting.
constexpr auto learning_of = [](auto& setting) -> auto& { return setting.listening.learning; };
constexpr auto disturbance_of = [](auto& setting) -> auto& { return setting.listening.disturbance; };
constexpr auto joined_of = [](auto& setting) -> auto& { return setting.listening.joined; };

bool read_speakers(const TableValue& value, Setting& setting) {
  const std::optional<double> count = number_within(value, {.low = 2, .high = 8});
  if (!count || !is_whole(*count)) return word_in(value) == "as-given";
  setting.speakers = static_cast<int>(*count);
  return true;
}
TableValue print_speakers(const Setting& setting) {
  return setting.speakers ? TableValue(static_cast<double>(*setting.speakers)) : printed("as-given");
}

bool read_decoder(const TableValue& value, Setting& setting) {
  setting.decoder = meaning_of(value, decoders);
  return setting.decoder || word_in(value) == "baseline";
}
TableValue print_decoder(const Setting& setting) {
  return setting.decoder ? word_for(*setting.decoder, decoders) : printed("baseline");
}

// One of those that have names of their own.
template <auto field>
bool read_named(const TableValue& value, const auto& all, Setting& setting) {
  const auto found = std::ranges::find_if(all, [&](auto one) { return word_in(value) == name(one); });
  if (found != all.end()) setting.*field = *found;
  return found != all.end();
}
bool read_recipe(const TableValue& value, Setting& setting) {
  return read_named<&Setting::recipe>(value, pipeline::all_recipes, setting);
}
bool read_tracker(const TableValue& value, Setting& setting) {
  return read_named<&Setting::tracker>(value, track::all_methods(), setting);
}
// "paper, ridge, cosine, onset or heed"
std::string listed(const auto& all) {
  std::string text;
  for (std::size_t k = 0; k < std::size(all); ++k) {
    text.append(k == 0 ? "" : k + 1 == std::size(all) ? " or " : ", ").append(name(all[k]));
  }
  return text;
}
template <auto field>
TableValue print_named(const Setting& setting) {
  return printed(name(setting.*field));
}

bool read_window(const TableValue& value, Setting& setting) {
  const std::optional<double> seconds = number_within(value, {.low = 0.25, .high = 60});
  if (!seconds || !is_whole(*seconds * 4)) return false;
  setting.window = Seconds{*seconds};
  return true;
}
bool read_lags(const TableValue& value, Setting& setting) {
  const std::optional<double> seconds = number_within(value, {.low = 0, .high = 1});
  if (!(seconds > 0)) return false;
  setting.longest_lag = Seconds{*seconds};
  return true;
}
bool read_look_ahead(const TableValue& value, Setting& setting) {
  const std::optional<double> seconds = number_within(value, {.low = 0, .high = 600});
  if (seconds) setting.look_ahead = Seconds{*seconds};
  return seconds.has_value();
}
template <auto field>
TableValue print_seconds(const Setting& setting) {
  return (setting.*field).value;
}

bool read_switch_probability(const TableValue& value, Setting& setting) {
  if (read_word<&Setting::switch_rule, rules>(value, setting)) return true;
  const std::optional<double> p = number_within(value, {.low = 0, .high = 0.5});
  if (p > 0) setting.switch_probability = p;
  return p > 0;
}
TableValue print_switch_probability(const Setting& setting) {
  if (setting.switch_probability) return *setting.switch_probability;
  return word_for(setting.switch_rule, rules);
}

// "60-125"
std::optional<SwitchInterval> interval_in(std::string_view text) {
  const char* const end = text.data() + text.size();
  int shortest = 0;
  int longest = 0;
  const auto first = std::from_chars(text.data(), end, shortest);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, longest);
  const bool whole_text = second.ec == std::errc{} && second.ptr == end;
  if (!whole_text || shortest < 1 || longest <= shortest || longest > longest_interval) return std::nullopt;
  return SwitchInterval{.shortest = Seconds{static_cast<double>(shortest)},
                        .longest = Seconds{static_cast<double>(longest)}};
}

bool read_switch_interval(const TableValue& value, Setting& setting) {
  if (read_word<&Setting::switches, kinds_of_switches>(value, setting)) return true;
  std::optional<SwitchInterval> interval = interval_in(word_in(value));
  if (const auto seconds = number_within(value, {.low = 1, .high = longest_interval})) {
    interval = SwitchInterval{.shortest = Seconds{*seconds}, .longest = Seconds{*seconds}};
  }
  if (!interval) return false;
  setting.switches = Switches::artificial;
  setting.switch_interval = *interval;
  return true;
}
TableValue print_switch_interval(const Setting& setting) {
  if (setting.switches != Switches::artificial) return word_for(setting.switches, kinds_of_switches);
  const auto& [shortest, longest] = setting.switch_interval;
  if (shortest == longest) return shortest.value;
  return std::to_string(std::lround(shortest.value)) + "-" + std::to_string(std::lround(longest.value));
}

// A number within a range, in a field of its own.
template <auto field, auto limits>
bool read_number(const TableValue& value, Setting& setting) {
  const auto [low, high] = limits();
  const std::optional<double> number = number_within(value, {.low = low, .high = high});
  if (number) setting.*field = *number;
  return number.has_value();
}
template <auto field>
TableValue print_number(const Setting& setting) {
  return setting.*field;
}

bool read_ridge(const TableValue& value, Setting& setting) {
  setting.ridges.eeg = number_within(value, {.low = 0, .high = 1000});
  return setting.ridges.eeg || word_in(value) == "by-recipe";
}
TableValue print_ridge(const Setting& setting) {
  return setting.ridges.eeg ? TableValue(*setting.ridges.eeg) : printed("by-recipe");
}
bool read_stimulus_ridge(const TableValue& value, Setting& setting) {
  const std::optional<double> ridge = number_within(value, {.low = 0, .high = 1000});
  if (ridge) setting.ridges.stimulus = *ridge;
  return ridge.has_value();
}
TableValue print_stimulus_ridge(const Setting& setting) { return setting.ridges.stimulus; }

bool read_minute(const TableValue& value, Setting& setting) {
  setting.listening.minute = number_within(value, {.low = 0, .high = 1440});
  return setting.listening.minute || word_in(value) == "all";
}
TableValue print_minute(const Setting& setting) {
  return setting.listening.minute ? TableValue(*setting.listening.minute) : printed("all");
}

bool read_gain_states(const TableValue& value, Setting& setting) {
  const std::optional<double> count = number_within(value, {.low = 2, .high = 1000});
  if (!count || !is_whole(*count)) return word_in(value) == "by-mesd";
  setting.gains.states = static_cast<int>(*count);
  return true;
}
TableValue print_gain_states(const Setting& setting) {
  return setting.gains.states ? TableValue(static_cast<double>(*setting.gains.states)) : printed("by-mesd");
}
bool read_gain_step(const TableValue& value, Setting& setting) {
  const std::optional<double> step = number_within(value, {.low = 0.001, .high = 10});
  if (step) setting.gains.step = *step;
  return step.has_value();
}
TableValue print_gain_step(const Setting& setting) { return setting.gains.step; }
bool read_gain_map(const TableValue& value, Setting& setting) {
  try {
    setting.gains.heard = evaluate::with_map(word_in(value));
    (void)evaluate::make_gain_rule(2, Seconds{1}, setting.gains.heard);
    return true;
  } catch (const Error&) {
    return false;
  }
}
TableValue print_gain_map(const Setting& setting) { return evaluate::map_word(setting.gains.heard); }

// Words that are the same at every door.
template <auto field, auto names>
bool read_known(const TableValue& value, Setting& setting) {
  const auto known = names();
  const auto found = known.find(word_in(value));
  if (found != known.end()) setting.*field = found->second;
  return found != known.end();
}
template <auto field, auto names>
TableValue print_known(const Setting& setting) {
  for (const auto& [word, meaning] : names()) {
    if (setting.*field == meaning) return printed(word);
  }
  return printed("as-fitted");
}
bool read_spread(const TableValue& value, Setting& setting) {
  return read_known<&Setting::spread, pipeline::spread_names>(value, setting) || word_in(value) == "as-fitted";
}

bool read_repeats(const TableValue& value, Setting& setting) {
  const std::optional<double> count = number_within(value, {.low = 1, .high = 1000});
  if (!count || !is_whole(*count)) return false;
  setting.repeats = static_cast<int>(*count);
  return true;
}
TableValue print_repeats(const Setting& setting) { return static_cast<double>(setting.repeats); }

// ---- The table of parameters: a new one is a field of Setting and a line here. ----

struct Parameter {
  std::string_view name;
  bool (*read)(const TableValue&, Setting&);
  TableValue (*print)(const Setting&);
  std::string_view values;           // those it takes, for messages
  std::string (*names)() = nullptr;  // likewise, of what has names of its own
};

constexpr std::array parameters{
    Parameter{"speakers", read_speakers, print_speakers, "2 to 8, or as-given"},
    Parameter{"decoder", read_decoder, print_decoder, "ls, cca, csp or baseline"},
    Parameter{"recipe", read_recipe, print_named<&Setting::recipe>, "", [] { return listed(pipeline::all_recipes); }},
    Parameter{"learning", read_word<learning_of, kinds_of_learning>, print_word<learning_of, kinds_of_learning>,
              "labels, labels-alone, population, adaptive or nothing"},
    Parameter{"disturbance", read_word<disturbance_of, kinds_of_disturbance>,
              print_word<disturbance_of, kinds_of_disturbance>,
              "none, slipped-cap, swapped-sounds, nobody or inverted-cap"},
    Parameter{"minute", read_minute, print_minute, "a number from 0 to 1440, or all"},
    Parameter{"window", read_window, print_seconds<&Setting::window>, "seconds, a multiple of 0.25 up to 60"},
    Parameter{"lags", read_lags, print_seconds<&Setting::longest_lag>, "seconds above 0, up to 1"},
    Parameter{"ridge", read_ridge, print_ridge, "a number from 0 to 1000, or by-recipe"},
    Parameter{"stimulus_ridge", read_stimulus_ridge, print_stimulus_ridge, "a number from 0 to 1000"},
    Parameter{"lda", read_word<&Setting::lda, forms_of_lda>, print_word<&Setting::lda, forms_of_lda>,
              "per-speaker or difference"},
    Parameter{"columns", read_word<&Setting::columns, kinds_of_columns>,
              print_word<&Setting::columns, kinds_of_columns>, "as-given or difference"},
    Parameter{"tracker", read_tracker, print_named<&Setting::tracker>, "", [] { return listed(track::all_methods()); }},
    Parameter{"switch_probability", read_switch_probability, print_switch_probability,
              "a number above 0, up to 0.5, or scaled, auto, once-an-interval, as-fast-as-state-space"},
    Parameter{"switch_interval", read_switch_interval, print_switch_interval,
              "seconds from 1 to 86400, whole seconds from-to such as 60-125, or recorded, none, baseline"},
    Parameter{"trials", read_word<&Setting::trials, kinds_of_trials>, print_word<&Setting::trials, kinds_of_trials>,
              "all, switching or sustained"},
    Parameter{"joined", read_word<joined_of, yes_or_no>, print_word<joined_of, yes_or_no>, "no or yes"},
    Parameter{"accuracy_shift", read_number<&Setting::accuracy_shift, [] { return std::pair(-1.0, 20.0); }>,
              print_number<&Setting::accuracy_shift>, "a number from -1 to 20"},
    Parameter{"look_ahead", read_look_ahead, print_seconds<&Setting::look_ahead>, "seconds from 0 to 600"},
    Parameter{"gain_states", read_gain_states, print_gain_states, "a whole number from 2 to 1000, or by-mesd"},
    Parameter{"gain_step", read_gain_step, print_gain_step, "a number from 0.001 to 10"},
    Parameter{"gain_map", read_gain_map, print_gain_map,
              "dead-zone, intelligibility, decibels, amplitude, decision, or decibels per nat as in 2dB/nat"},
    Parameter{"emission", read_known<&Setting::emission, pipeline::fit_names>,
              print_known<&Setting::emission, pipeline::fit_names>, "labels, baum-welch, memoryless or adaptive"},
    Parameter{"spread", read_spread, print_known<&Setting::spread, pipeline::spread_names>,
              "as-fitted, shared, separate or exchangeable"},
    Parameter{"evidence", read_number<&Setting::evidence, [] { return std::pair(0.01, 100.0); }>,
              print_number<&Setting::evidence>, "a number from 0.01 to 100"},
    Parameter{"dependence", read_known<&Setting::dependence, pipeline::dependence_names>,
              print_known<&Setting::dependence, pipeline::dependence_names>, "none, ar1, offset or auto"},
    Parameter{"calibrated", read_word<&Setting::calibrated, yes_or_no>, print_word<&Setting::calibrated, yes_or_no>,
              "no or yes"},
    Parameter{"repeats", read_repeats, print_repeats, "a whole number from 1 to 1000"},
};

constexpr auto names = [] {
  std::array<std::string_view, parameters.size()> all{};
  std::ranges::transform(parameters, all.begin(), &Parameter::name);
  return all;
}();

const Parameter& parameter_named(std::string_view name) {
  const auto* found = std::ranges::find(parameters, name, &Parameter::name);
  if (found != parameters.end()) return *found;
  std::string remedy = data::did_you_mean(name, names);
  for (const std::string_view known : names) {
    if (!remedy.starts_with(',')) remedy.append(remedy.empty() ? "; there are " : ", ").append(known);
  }
  refuse("no parameter '" + std::string(name) + "'" + remedy);
}

// The k-th combination of a grid's values, the last axis running fastest.
NamedValues combination(const StudyGrid& grid, std::size_t k) {
  NamedValues values(grid.size());
  for (std::size_t a = grid.size(); a-- > 0;) {
    const GridAxis& axis = grid[a];
    values[a] = {.name = axis.name, .value = axis.values[k % axis.values.size()]};
    k /= axis.values.size();
  }
  return values;
}

std::size_t combinations_in(const StudyGrid& grid) {
  std::size_t count = 1;
  for (const GridAxis& axis : grid) {
    if (axis.values.empty()) refuse(axis.name + " has no values; write at least one or leave it out");
    count *= axis.values.size();
    if (count > most_settings) {
      refuse("a grid of more than " + std::to_string(most_settings) + " settings; split it into several studies");
    }
  }
  return count;
}

}  // namespace

std::span<const std::string_view> parameter_names() noexcept { return names; }

TableValue value_of(const Setting& setting, std::string_view parameter) {
  return parameter_named(parameter).print(setting);
}

NamedValues named_values(const Setting& setting) {
  NamedValues values;
  for (const Parameter& one : parameters) {
    values.push_back({.name = std::string(one.name), .value = one.print(setting)});
  }
  return values;
}

void read_parameter(const NamedValue& given, Setting& setting) {
  const Parameter& parameter = parameter_named(given.name);
  if (parameter.read(given.value, setting)) return;
  refuse(given.name + " cannot be '" + data::text_of(given.value) + "'; write " +
         (parameter.names != nullptr ? parameter.names() : std::string(parameter.values)));
}

Setting make_setting(const NamedValues& values) {
  Setting setting;
  std::set<std::string_view> given;
  for (const NamedValue& one : values) {
    read_parameter(one, setting);
    if (!given.insert(one.name).second) refuse(one.name + " is given twice; leave one out");
  }
  check_together(setting);
  return setting;
}

std::vector<Setting> settings_of(const Study& study) {
  std::vector<Setting> settings;
  std::unordered_set<std::string> seen;
  for (const StudyGrid& grid : study.grids) {
    const std::size_t count = combinations_in(grid);
    for (std::size_t k = 0; k < count; ++k) {
      const Setting setting = make_setting(combination(grid, k));
      if (seen.insert(io::digest_of(setting)).second) settings.push_back(setting);
    }
  }
  return settings;
}

}  // namespace heed::study
