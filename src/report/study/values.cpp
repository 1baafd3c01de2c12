// SPDX-License-Identifier: MIT
#include <report/study/values.h>
#include <report/text.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace heed::report {
namespace {

void widen(std::optional<Range>& range, double value) {
  range = range ? Range{std::min(range->low, value), std::max(range->high, value)} : Range{value, value};
}

// The axis that goes up has its labels above each other.
bool goes_up(const Axis& axis) { return axis.paper().low > axis.paper().high; }

bool labels_fit(const Axis& axis, const std::vector<PlacedTick>& ticks) {
  constexpr double apart = 5;
  for (std::size_t k = 1; k < ticks.size(); ++k) {
    const double halves =
        (text_width(ticks[k - 1].label, plot_tick_size) + text_width(ticks[k].label, plot_tick_size)) / 2;
    const double room = goes_up(axis) ? plot_tick_size : halves;
    if (std::abs(ticks[k].at - ticks[k - 1].at) < room + apart) return false;
  }
  return true;
}

bool is_power_of_ten(double value) {
  const double power = std::log10(value);
  return std::abs(power - std::round(power)) < 1e-9;
}

// 0.25, 30 and 600, but not 56.3.
bool has_two_digits(double value) {
  if (value == 0) return true;
  const double scaled = std::abs(value) / std::pow(10.0, std::floor(std::log10(std::abs(value))) - 1);
  return std::abs(scaled - std::round(scaled)) < 1e-6;
}

// Only powers of ten of a logarithmic axis, if they suffice; then every second, and so on.
std::vector<Tick> fewer(const Axis& axis, std::vector<Tick> ticks) {
  if (axis.scale() == Scale::logarithmic) {
    std::vector<Tick> powers;
    std::ranges::copy_if(ticks, std::back_inserter(powers),
                         [](const Tick& tick) { return is_power_of_ten(tick.value); });
    if (powers.size() >= 2 && powers.size() < ticks.size()) return powers;
  }
  std::vector<Tick> result;
  for (std::size_t k = 0; k < ticks.size(); k += 2) result.push_back(ticks[k]);
  return result;
}

std::vector<PlacedTick> fitting(const Axis& axis, std::vector<Tick> ticks) {
  while (ticks.size() > 2 && !labels_fit(axis, placed(axis, ticks))) ticks = fewer(axis, std::move(ticks));
  return placed(axis, ticks);
}

std::string unit_after(const MeasureAxis& measure) { return measure.unit.empty() ? "" : " " + measure.unit; }

std::string bare(const MeasureAxis& measure, double value) {
  return fixed_label(measure.factor * value, measure.decimals);
}

std::string reach(const MeasureAxis& measure, const evaluate::Quartiles& quartiles) {
  return bare(measure, quartiles.lower) + " to " + bare(measure, quartiles.upper) + unit_after(measure);
}

// Where " (unit)" begins at the end of a title; npos where it has none.
std::size_t unit_begin(const std::string& title) {
  return title.ends_with(')') ? title.rfind(" (") : std::string::npos;
}

// 0, then ever farther on both sides, within the room.
std::vector<double> candidates(const SwarmRoom& room) {
  const double step = room.diameter / 4;
  std::vector<double> result{0};
  for (int k = 1; k * step <= room.half + 1e-9; ++k) {
    result.push_back(k * step);
    result.push_back(-k * step);
  }
  return result;
}

}  // namespace

void ShownValues::add_value(double value, bool summary) {
  if (!std::isfinite(value)) return;
  widen(all_, measure_.factor * value);
  if (summary) widen(summary_, measure_.factor * value);
}

void ShownValues::add(const PlottedValues& values, const std::optional<PublishedMark>& published) {
  for (const ParticipantValue& one : values.participants) add_value(one.value, false);
  if (values.mean) add_value(*values.mean, true);
  if (const auto quartiles = known(values.quartiles)) {
    add_value(quartiles->lower, true);
    add_value(quartiles->upper, true);
  }
  if (published) add_value(published->value, true);
}

bool ShownValues::wants_logarithm() const {
  constexpr double wide = 20;
  constexpr double astray = 4;
  if (measure_.unit != "s" || !all_ || !summary_ || !(all_->low > 0)) return false;
  return summary_->high / summary_->low >= wide || all_->high / summary_->high >= astray;
}

Range ShownValues::linear_range() const {
  Range range = all_.value_or(Range{0, measure_.factor});
  if (measure_.unit == "s") range.low = std::min(0.0, range.low);
  if (measure_.chance) {
    const double chance = measure_.factor * *measure_.chance;
    const double room = std::max(range.high - range.low, 1e-12);
    if (chance < range.low && range.low - chance <= room) range.low = chance;
    if (chance > range.high && chance - range.high <= room) range.high = chance;
  }
  if (measure_.lowest) range.low = std::min(range.low, measure_.factor * *measure_.lowest);
  if (measure_.highest) range.high = std::max(range.high, measure_.factor * *measure_.highest);
  const double spread = range.high - range.low;
  // Values all alike lie in the middle of an axis that tells a hundredth of them.
  const double margin = spread > 0 ? 0.05 * spread : std::max(0.01 * std::abs(range.low), 1e-3);
  const bool from_zero = range.low == 0;
  const bool share = measure_.unit == "%" && range.low >= 0 && range.high <= 100;
  range = {from_zero ? range.low : range.low - margin, range.high + margin};
  // 100 % keeps a little air, so that no mark is cut in half.
  if (share) range = {std::max(range.low, 0.0), std::min(range.high, 100 + (0.03 * (range.high - range.low)))};
  return range;
}

Axis ShownValues::axis(const Range& along) const {
  if (wants_logarithm()) return {{all_->low / 1.2, all_->high * 1.2}, along, Scale::logarithmic};
  return {linear_range(), along, Scale::linear};
}

std::string scaled_title(const MeasureAxis& measure, const Axis& axis, const TitleRoom& room) {
  const std::string title = measure_title(measure);
  if (axis.scale() != Scale::logarithmic) return elided(title, room.size, room.length);
  const std::string whole = title + ", log scale";
  return text_width(whole, room.size) <= room.length ? whole : elided(title + ", log", room.size, room.length);
}

std::optional<double> chance_place(const MeasureAxis& measure, const Axis& axis) {
  if (!measure.chance) return {};
  const double chance = measure.factor * *measure.chance;
  const bool inside = chance >= axis.values().low && chance <= axis.values().high;
  return inside ? std::optional(axis.place(chance)) : std::nullopt;
}

std::vector<PlacedTick> round_ticks(const Axis& axis) {
  const double room = goes_up(axis) ? 20 : 28;
  const double length = std::abs(axis.paper().high - axis.paper().low);
  const int wanted = std::clamp(static_cast<int>(length / room), 2, 6);
  std::vector<Tick> ticks = axis.ticks(wanted);
  // Round steps may be much longer than wanted.
  for (int more = wanted + 1; ticks.size() < 4 && more <= 2 * wanted; ++more) {
    std::vector<Tick> finer = axis.ticks(more);
    if (labels_fit(axis, placed(axis, finer))) ticks = std::move(finer);
  }
  return fitting(axis, std::move(ticks));
}

std::vector<PlacedTick> chosen_ticks(const Axis& axis, std::span<const double> chosen) {
  std::vector<Tick> ticks;
  for (const double value : chosen) ticks.push_back({value, number_label(value)});
  if (std::ranges::all_of(chosen, has_two_digits) && labels_fit(axis, placed(axis, ticks))) return placed(axis, ticks);
  return round_ticks(axis);
}

std::optional<double> known(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::vector<ParticipantValue> known(const std::vector<ParticipantValue>& participants) {
  std::vector<ParticipantValue> result;
  for (const ParticipantValue& one : participants) {
    if (std::isfinite(one.value)) result.push_back(one);
  }
  return result;
}

std::optional<evaluate::Quartiles> known(const std::optional<evaluate::Quartiles>& quartiles) {
  return quartiles && std::isfinite(quartiles->lower) && std::isfinite(quartiles->upper) ? quartiles : std::nullopt;
}

std::string measure_title(const MeasureAxis& measure) {
  return measure.unit.empty() ? measure.title : measure.title + " (" + measure.unit + ")";
}

std::string value_text(const MeasureAxis& measure, double value) { return bare(measure, value) + unit_after(measure); }

std::string mean_text(const MeasureAxis& measure, const PlottedValues& values) {
  std::string text = "mean " + measure.title + " " + value_text(measure, *values.mean);
  if (const auto quartiles = known(values.quartiles)) text += ", interquartile range " + reach(measure, *quartiles);
  const std::size_t participants = known(values.participants).size();
  return participants == 0 ? text : text + ", " + counted(participants, "participant");
}

std::string quartile_text(const MeasureAxis& measure, const evaluate::Quartiles& quartiles) {
  return "interquartile range of " + measure.title + " " + reach(measure, quartiles);
}

std::string published_text(const MeasureAxis& measure, const PublishedMark& mark) {
  const std::string text = measure.title + " " + value_text(measure, mark.value);
  return mark.place.empty() ? text : text + " (" + mark.place + ")";
}

std::string across_text(const std::string& axis_title, double value) {
  return axis_title.substr(0, unit_begin(axis_title)) + " = " + across_value(axis_title, value);
}

std::string across_value(const std::string& axis_title, double value) {
  const std::size_t begin = unit_begin(axis_title);
  if (begin == std::string::npos) return number_label(value);
  return number_label(value) + " " + axis_title.substr(begin + 2, axis_title.size() - begin - 3);
}

Shape published_star(Point at, double size, Colour colour) {
  return edged(hollow_mark(MarkShape::star, at, size, colour), {colour, 1, 0});
}

Shape participant_dot(Point at, double diameter, Colour colour) {
  return filled_mark(MarkShape::circle, at, diameter, with_opacity(colour, participant_opacity));
}

Swarm swarm_of(std::span<const double> places, const SwarmRoom& room) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return places[k]; });
  const std::vector<double> choices = candidates(room);
  Swarm swarm{.offsets = std::vector<double>(places.size(), 0)};
  std::vector<double>& offsets = swarm.offsets;
  for (std::size_t n = 0; n < order.size(); ++n) {
    const auto clearance = [&](double offset) {
      double nearest = std::numeric_limits<double>::infinity();
      for (std::size_t m = n; m-- > 0;) {
        const double along = places[order[n]] - places[order[m]];
        if (along >= room.diameter) break;
        nearest = std::min(nearest, std::hypot(along, offset - offsets[order[m]]));
      }
      return nearest;
    };
    double best = -1;
    for (const double offset : choices) {
      const double clear = clearance(offset);
      if (clear <= best) continue;
      best = clear;
      offsets[order[n]] = offset;
      if (clear >= room.diameter) break;
    }
    swarm.clear = swarm.clear && best >= room.diameter;
  }
  return swarm;
}

}  // namespace heed::report
