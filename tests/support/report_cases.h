// SPDX-License-Identifier: MIT
// Tracked participants to draw, and what was drawn of them.
#pragma once

#include <heed/data/random.h>
#include <heed/data/scored.h>
#include <heed/report/attention_figure.h>
#include <heed/report/drawing.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace heed::test {

struct TrackedCase {
  TrackedParticipant tracked{};
  std::vector<Matrix> evidence{};

  [[nodiscard]] report::AttentionPicture picture() const {
    report::AttentionPicture result{tracked, {}, "score", "listener", "by hand"};
    for (const Matrix& one : evidence) result.scores.push_back(data::view(one));
    return result;
  }
};

// Attention moves on every `block` windows; the decision follows `delay` windows later with certainty .9.
inline void add_trial(TrackedCase& one, Index windows, Index block, Index delay) {
  const auto speakers = static_cast<Index>(one.tracked.speakers.size());
  RandomStream random(7, one.tracked.trials.size());
  TrackedTrial trial;
  trial.posteriors.values = Matrix::Constant(windows, speakers, 0.1 / static_cast<double>(speakers - 1));
  Matrix evidence(windows, speakers);
  for (Index t = 0; t < windows; ++t) {
    const Index attended = t / block % speakers;
    const Index decided = t < delay ? attended : (t - delay) / block % speakers;
    trial.attention.attended.push_back(static_cast<Speaker>(attended));
    trial.decisions.states.push_back(static_cast<Speaker>(decided));
    trial.posteriors.values(t, decided) = 0.9;
    for (Index j = 0; j < speakers; ++j) evidence(t, j) = (j == attended ? 0.3 : 0) + (0.3 * random.normal());
  }
  one.tracked.trials.push_back(std::move(trial));
  one.evidence.push_back(std::move(evidence));
}

inline TrackedCase tracked_case(Index speakers, Index windows, Index block = 100, Index delay = 12) {
  TrackedCase one;
  for (Index j = 0; j < speakers; ++j) one.tracked.speakers.push_back("speaker " + std::to_string(j + 1));
  add_trial(one, windows, block, delay);
  return one;
}

inline std::vector<report::Group> groups_of(const report::Drawing& drawing, const std::string& name) {
  std::vector<report::Group> found;
  for (const report::Group& group : drawing.groups) {
    if (group.name == name) found.push_back(group);
  }
  return found;
}

template <typename Shape>
std::vector<Shape> shapes_of(const report::Group& group) {
  std::vector<Shape> found;
  for (const report::Shape& shape : group.shapes) {
    if (const auto* one = std::get_if<Shape>(&shape)) found.push_back(*one);
  }
  return found;
}

// Of everything drawn.
inline std::vector<report::Text> texts_of(const report::Drawing& drawing) {
  std::vector<report::Text> found;
  for (const report::Group& group : drawing.groups) {
    for (const report::Text& text : shapes_of<report::Text>(group)) found.push_back(text);
  }
  return found;
}

inline bool says(const report::Drawing& drawing, const std::string& words) {
  const auto texts = texts_of(drawing);
  return std::ranges::any_of(texts, [&](const report::Text& text) { return text.text == words; });
}

// The area inside a closed piece, by the shoelace formula.
inline double area_of(const std::vector<report::Point>& piece) {
  double twice = 0;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    const report::Point& a = piece[i];
    const report::Point& b = piece[(i + 1) % piece.size()];
    twice += (a.x * b.y) - (b.x * a.y);
  }
  return std::abs(twice) / 2;
}

}  // namespace heed::test
