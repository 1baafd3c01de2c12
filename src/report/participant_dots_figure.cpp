// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/evaluate/summary.h>
#include <report/figures.h>
#include <report/frame.h>
#include <report/text.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::report {
namespace {

constexpr double right_margin = 10;
constexpr double name_size = 6;
constexpr double mean_size = 6.5;

void check(const ParticipantDotsPicture& picture) {
  bool any = false;
  for (const ParticipantAccuracies& one : picture.participants) {
    if (one.accuracies.size() != picture.methods.size()) {
      throw Error(ErrorKind::invalid_argument, "participant " + one.participant + " has " +
                                                   std::to_string(one.accuracies.size()) + " accuracies for " +
                                                   std::to_string(picture.methods.size()) +
                                                   " methods; give one each, nothing where it is not known");
    }
    for (const auto& accuracy : one.accuracies) {
      any = any || accuracy.has_value();
      if (accuracy && !(*accuracy >= 0 && *accuracy <= 1)) {
        throw Error(ErrorKind::invalid_argument, "participant " + one.participant + ": an accuracy of " +
                                                     number_label(*accuracy) + "; give a share within 0 and 1");
      }
    }
  }
  if (!any) throw Error(ErrorKind::bad_data, "no participant has an accuracy, so there is nothing to draw");
}

// From the least accurate by the first method; those without an accuracy last.
std::vector<ParticipantAccuracies> sorted(std::vector<ParticipantAccuracies> participants) {
  std::ranges::stable_sort(participants, [](const auto& a, const auto& b) {
    const auto& left = a.accuracies.front();
    const auto& right = b.accuracies.front();
    if (left.has_value() != right.has_value()) return left.has_value();
    return left != right ? *left < *right : a.participant < b.participant;
  });
  return participants;
}

Group not_known(Point at) { return {"not-known", {words_at(at, "n/a", name_size, Anchor::middle, faint_ink)}}; }

class DotsFigure {
 public:
  DotsFigure(const ParticipantDotsPicture& picture, const FigureOptions& options)
      : picture_(picture),
        participants_(sorted(picture.participants)),
        drawing_(titled_drawing(options.width, picture.title, picture.subtitle)) {}

  Drawing draw() {
    add_legend();
    lay_out();
    add_chance();
    add_axes();
    add_participants();
    add_means();
    drawing_.height = plot_.bottom() + name_room_ + 26;
    drawing_.description = description();
    return std::move(drawing_);
  }

 private:
  void add_legend();
  void lay_out();
  [[nodiscard]] Range range() const;
  void add_chance();
  void add_axes();
  void add_participants();
  void add_means();
  [[nodiscard]] evaluate::Summary summary(std::size_t method) const;
  [[nodiscard]] std::string description() const;
  // One place per participant; the means stand apart.
  [[nodiscard]] double place(std::size_t k) const { return plot_.left + ((static_cast<double>(k) + 0.5) * step_); }
  [[nodiscard]] double mean_place() const { return plot_.right() - (mean_room / 2); }

  static constexpr double mean_room = 30;
  const ParticipantDotsPicture& picture_;
  std::vector<ParticipantAccuracies> participants_;
  Drawing drawing_;
  Rectangle plot_;
  Axis up_;
  double step_ = 0;
  double name_room_ = 0;  // below the plot, for names that climb; 0: they lie, or there are none
  bool named_ = false;
};

void DotsFigure::add_legend() {
  std::vector<LegendEntry> entries;
  for (std::size_t k = 0; k < picture_.methods.size(); ++k) {
    entries.push_back({picture_.methods[k], {filled_mark(mark_shape(k), {}, 5, palette(k))}});
  }
  const bool bounded = std::ranges::any_of(participants_, [](const auto& one) { return one.chance_bound.has_value(); });
  if (bounded) entries.push_back({"compatible with chance (95 %)", {filled(swatch_area(), chance_area)}});
  append_legend(
      drawing_, entries,
      {.top_left = {plot_left_margin, drawing_.height}, .room = drawing_.width - plot_left_margin - right_margin});
  drawing_.height += 4;
}

void DotsFigure::lay_out() {
  const double width = drawing_.width - plot_left_margin - right_margin;
  plot_ = {plot_left_margin, drawing_.height, width, std::clamp(0.4 * width, 120.0, 190.0)};
  step_ = (width - mean_room) / static_cast<double>(participants_.size());
  up_ = {range(), {plot_.bottom(), plot_.top}};
  constexpr double longest = 60;
  double widest = 0;
  for (const auto& one : participants_) widest = std::max(widest, text_width(one.participant, name_size));
  named_ = step_ >= name_size + 0.5;
  if (named_ && widest > step_ - 3) name_room_ = std::min(widest, longest);
}

Range DotsFigure::range() const {
  Range range{picture_.chance, picture_.chance};
  const auto include = [&](const std::optional<double>& share) {
    if (share) range = {std::min(range.low, *share), std::max(range.high, *share)};
  };
  for (const auto& one : participants_) {
    std::ranges::for_each(one.accuracies, include);
    include(one.chance_bound);
  }
  const double margin = std::max(0.02, 0.06 * (range.high - range.low));
  // 100 % keeps a little air, so that no mark is cut in half.
  return {100 * std::max(-0.02, range.low - margin), 100 * std::min(1.03, range.high + margin)};
}

// From the bottom to the bound, one step per participant: chance reaches further with fewer windows.
void DotsFigure::add_chance() {
  Polyline area{.closed = true, .fill = chance_area};
  std::vector<Point> steps;
  const auto end_area = [&] {
    if (steps.empty()) return;
    steps.push_back({steps.back().x, plot_.bottom()});
    steps.push_back({steps.front().x, plot_.bottom()});
    area.pieces.push_back(std::exchange(steps, {}));
  };
  for (std::size_t k = 0; k < participants_.size(); ++k) {
    const auto& bound = participants_[k].chance_bound;
    if (!bound) {
      end_area();
      continue;
    }
    const double top = up_.place(100 * *bound);
    steps.push_back({place(k) - (step_ / 2), top});
    steps.push_back({place(k) + (step_ / 2), top});
  }
  end_area();
  if (!area.pieces.empty()) drawing_.groups.push_back({"chance-range", {std::move(area)}});
}

void DotsFigure::add_axes() {
  PlotFrame frame{.area = plot_, .up = titled_axis("accuracy (%)", up_, 6)};
  drawing_.groups.push_back(framed_plot(frame));
  drawing_.groups.push_back(
      chance_line({plot_.left, plot_.top, plot_.width - mean_room, plot_.height}, up_.place(100 * picture_.chance)));
  Group names{"names", {}};
  for (std::size_t k = 0; named_ && k < participants_.size(); ++k) {
    const bool climbs = name_room_ > 0;
    const Point at{place(k) + (climbs ? 0.36 * name_size : 0), plot_.bottom() + (climbs ? 3 : 9)};
    names.shapes.emplace_back(Text{.at = at,
                                   .text = elided(participants_[k].participant, name_size, climbs ? name_room_ : step_),
                                   .size = name_size,
                                   .anchor = climbs ? Anchor::end : Anchor::middle,
                                   .colour = ink,
                                   .climbs = climbs});
  }
  const auto below = [&](Point at, std::string text, double size) {
    names.shapes.emplace_back(words_at(at, std::move(text), size, Anchor::middle));
  };
  below({mean_place(), plot_.bottom() + 9}, "mean", 7);
  const std::string order = participants_.size() == 1 ? "" : ", sorted by " + picture_.methods.front();
  below({plot_.left + (plot_.width / 2), plot_.bottom() + name_room_ + 20},
        counted(participants_.size(), "participant") + order, 8);
  const double apart = plot_.right() - mean_room;
  names.shapes.emplace_back(line({apart, plot_.top}, {apart, plot_.bottom()}, {ink, 0.5, 0}));
  drawing_.groups.push_back(std::move(names));
}

// A thin line joins what belongs to one participant, where there is room for it. The first method is painted last, on
// top.
void DotsFigure::add_participants() {
  const double size = std::clamp(0.55 * step_, 1.6, 5.0);
  for (std::size_t k = 0; k < participants_.size(); ++k) {
    const ParticipantAccuracies& one = participants_[k];
    Group group{"participant", {}};
    std::vector<double> heights;
    for (std::size_t m = one.accuracies.size(); m-- > 0;) {
      if (!one.accuracies[m]) continue;
      const double share = *one.accuracies[m];
      heights.push_back(up_.place(100 * share));
      group.shapes.push_back(hinted(filled_mark(mark_shape(m), {place(k), heights.back()}, size, palette(m)),
                                    one.participant + ", " + picture_.methods[m] + ": " + per_cent(share)));
    }
    if (heights.empty()) {
      if (named_) drawing_.groups.push_back(not_known({place(k), plot_.top + 10}));
      continue;
    }
    constexpr double closest = 3;
    const auto [top, bottom] = std::ranges::minmax(heights);
    if (step_ >= closest) {
      group.shapes.insert(group.shapes.begin(), line({place(k), top}, {place(k), bottom}, {faint_ink, 0.5, 0}));
    }
    drawing_.groups.push_back(std::move(group));
  }
}

evaluate::Summary DotsFigure::summary(std::size_t method) const {
  std::vector<std::optional<double>> values;
  for (const auto& one : participants_) values.push_back(one.accuracies[method]);
  return evaluate::summarise(values);
}

void DotsFigure::add_means() {
  Group group{"means", {}};
  for (std::size_t m = picture_.methods.size(); m-- > 0;) {
    const auto mean = summary(m).mean;
    if (!mean) continue;
    const Point at{mean_place(), up_.place(100 * *mean)};
    group.shapes.push_back(hinted(filled_mark(mark_shape(m), at, mean_size, palette(m)),
                                  "mean, " + picture_.methods[m] + ": " + per_cent(*mean)));
  }
  drawing_.groups.push_back(std::move(group));
}

std::string DotsFigure::description() const {
  std::string text = "Accuracy of " + counted(participants_.size(), "participant") + ".";
  for (std::size_t m = 0; m < picture_.methods.size(); ++m) {
    const auto mean = summary(m).mean;
    if (mean) text += " Mean of " + picture_.methods[m] + ": " + per_cent(*mean) + ".";
  }
  std::size_t above = 0;
  std::size_t bounded = 0;
  for (const auto& one : participants_) {
    if (!one.chance_bound || !one.accuracies.front()) continue;
    ++bounded;
    above += *one.accuracies.front() >= *one.chance_bound ? 1U : 0U;
  }
  if (bounded == 0) return text;
  return text + " " + picture_.methods.front() + " is better than chance in " + std::to_string(above) + " of " +
         std::to_string(bounded) + ".";
}

}  // namespace

Drawing draw_participant_dots(const ParticipantDotsPicture& picture, const FigureOptions& options) {
  check(picture);
  return DotsFigure(picture, options).draw();
}

}  // namespace heed::report
