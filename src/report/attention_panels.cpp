// SPDX-License-Identifier: MIT
#include <report/attention_panels.h>
#include <report/text.h>

#include <algorithm>
#include <cmath>

namespace heed::report {
namespace {

// windows x (speakers + 1); the last column is for windows that have none.
Matrix one_hot(std::span<const Speaker> labels, Index speakers) {
  Matrix shares = Matrix::Zero(std::ssize(labels), speakers + 1);
  for (Index t = 0; t < shares.rows(); ++t) {
    const Speaker label = labels[static_cast<std::size_t>(t)];
    shares(t, label == unknown_speaker ? speakers : label) = 1;
  }
  return shares;
}

// From the bottom up to the sum of shares 0..k, one step a column.
std::vector<Point> stacked_outline(const TrialFrame& frame, const Rectangle& band, const Matrix& shares, Index k) {
  constexpr double invisible = 0.004;  // points: steps less high are drawn as none
  const Columns columns = frame.columns();
  std::vector<Point> outline{{frame.left, band.bottom()}};
  double level = band.bottom();
  for (Index c = 0; c < columns.count(); ++c) {
    const double share = std::clamp(shares.row(c).head(k + 1).sum(), 0.0, 1.0);
    const double y = band.bottom() - (share * band.height);
    if (c > 0 && std::abs(y - level) < invisible) continue;
    if (c > 0) outline.push_back({frame.x(columns.first(c)), level});
    outline.push_back({frame.x(columns.first(c)), y});
    level = y;
  }
  outline.push_back({frame.right(), level});
  outline.push_back({frame.right(), band.bottom()});
  return outline;
}

// The highest first: each area covers the lower part of the one before, so no seam shows between them.
void add_stack(Group& group, const TrialFrame& frame, const Rectangle& band, const Matrix& shares) {
  for (Index k = shares.cols() - 1; k >= 0; --k) {
    const bool missing = k == frame.speakers();
    group.shapes.emplace_back(Polyline{.pieces = {stacked_outline(frame, band, shares, k)},
                                       .closed = true,
                                       .fill = missing ? missing_colour : palette(static_cast<std::size_t>(k))});
  }
}

void name_areas(Group& group, Names speakers) {
  for (std::size_t k = 0; k < speakers.size(); ++k) {
    std::get<Polyline>(group.shapes[group.shapes.size() - 1 - k]).hint = speakers[k];
  }
}

// What most of a column's windows are, for stretches of equal columns.
struct Stretch {
  Index first;  // windows
  Index end;
  Index label;  // a column of the shares
};

std::vector<Stretch> stretches(const Matrix& shares, const Columns& columns) {
  std::vector<Stretch> result;
  for (Index c = 0; c < shares.rows(); ++c) {
    Index label = 0;
    shares.row(c).maxCoeff(&label);
    if (result.empty() || result.back().label != label) result.push_back({columns.first(c), 0, label});
    result.back().end = columns.first(c + 1);
  }
  return result;
}

std::string stretch_hint(const TrialFrame& frame, const Stretch& stretch, const std::string& name) {
  return name + ", " + number_label(frame.time(stretch.first).value, 3) + " to " +
         number_label(frame.time(stretch.end).value, 3) + " s";
}

constexpr double sliver = 2;  // narrower pieces need no words, and are one shape

Colour ribbon_colour(std::size_t label, Names speakers) {
  return label < speakers.size() ? palette(label) : missing_colour;
}

void add_name(Group& group, const Rectangle& piece, const std::string& name, Colour background) {
  constexpr double size = 6;
  if (text_width(name, size) + 4 > piece.width) return;
  const Point at{piece.left + (piece.width / 2), piece.bottom() - 1.8};
  group.shapes.emplace_back(words_at(at, name, size, Anchor::middle, readable_on(background)));
}

}  // namespace

std::vector<Speaker> window_winners(MatrixView scores) {
  std::vector<Speaker> winners;
  winners.reserve(static_cast<std::size_t>(scores.rows));
  for (Index t = 0; t < scores.rows; ++t) {
    const auto row = scores.row(t);
    const bool missing = std::ranges::any_of(row, [](double value) { return std::isnan(value); });
    winners.push_back(missing ? unknown_speaker : static_cast<Speaker>(std::ranges::max_element(row) - row.begin()));
  }
  return winners;
}

Group truth_ribbon(const TrialFrame& frame, const Rectangle& band, Names speakers) {
  Group group{"truth", {}};
  const Matrix labels = one_hot(frame.trial.attention.attended, frame.speakers());
  std::vector<Polyline> slivers(speakers.size() + 1);
  for (const Stretch& stretch : stretches(column_means(data::view(labels), frame.columns()), frame.columns())) {
    const auto label = static_cast<std::size_t>(stretch.label);
    const double left = frame.x(stretch.first);
    const Rectangle piece{left, band.top, frame.x(stretch.end) - left, band.height};
    if (piece.width < sliver) {
      slivers[label].pieces.push_back(filled(piece, paper).pieces.front());
      continue;
    }
    Polyline path = filled(piece, ribbon_colour(label, speakers));
    path.hint = stretch_hint(frame, stretch, label < speakers.size() ? speakers[label] : "unknown");
    group.shapes.emplace_back(std::move(path));
    if (label == speakers.size()) {
      group.shapes.emplace_back(hatched(piece, unknown_hatch));
    } else {
      add_name(group, piece, speakers[label], palette(label));
    }
  }
  for (std::size_t label = 0; label < slivers.size(); ++label) {
    slivers[label].fill = ribbon_colour(label, speakers);
    if (!slivers[label].pieces.empty()) group.shapes.emplace_back(std::move(slivers[label]));
  }
  return group;
}

Group posterior_areas(const TrialFrame& frame, const Rectangle& band, Names speakers) {
  Group group{"posterior", {}};
  add_stack(group, frame, band, column_means(data::view(frame.trial.posteriors.values), frame.columns()));
  name_areas(group, speakers);
  return group;
}

std::vector<Rectangle> missing_parts(const TrialFrame& frame, const Rectangle& band) {
  constexpr Speaker missing = 0;
  std::vector<Speaker> labels = window_winners(frame.scores);
  for (Speaker& label : labels) label = label == unknown_speaker ? missing : 1;
  std::vector<Rectangle> parts;
  for (const Stretch& stretch :
       stretches(column_means(data::view(one_hot(labels, 2)), frame.columns()), frame.columns())) {
    const double left = frame.x(stretch.first);
    if (stretch.label == missing) parts.push_back({left, band.top, frame.x(stretch.end) - left, band.height});
  }
  return parts;
}

Group missing_veil(const TrialFrame& frame, const Rectangle& band) {
  Polyline veil{.closed = true, .fill = with_opacity(paper, 0.6), .hint = "missing windows"};
  for (const Rectangle& part : missing_parts(frame, band)) veil.pieces.push_back(filled(part, paper).pieces.front());
  Group group{"missing", {}};
  if (!veil.pieces.empty()) group.shapes.emplace_back(std::move(veil));
  return group;
}

Group raw_strip(const TrialFrame& frame, const Rectangle& band, Names speakers, Index width) {
  Group group{"raw", {}};
  Matrix winners = one_hot(window_winners(frame.scores), frame.speakers());
  TrialFrame seen = frame;
  if (width > 1) {
    seen.most_columns = std::max<Index>(1, frame.most_columns / 3);  // shares change slowly
    for (Index j = 0; j < winners.cols(); ++j) {
      const Eigen::VectorXd column = winners.col(j);
      const auto shares = smoothed(std::span(column.data(), static_cast<std::size_t>(column.size())), width);
      std::ranges::copy(shares, winners.col(j).begin());
    }
  }
  add_stack(group, seen, band, column_means(data::view(winners), seen.columns()));
  name_areas(group, speakers);
  return group;
}

ScoreLines smooth_scores(MatrixView scores, Index width) {
  ScoreLines lines;
  lines.speakers.reserve(static_cast<std::size_t>(scores.columns));
  std::vector<double> column(static_cast<std::size_t>(scores.rows));
  for (Index j = 0; j < scores.columns; ++j) {
    for (Index t = 0; t < scores.rows; ++t) column[static_cast<std::size_t>(t)] = scores(t, j);
    lines.speakers.push_back(smoothed(column, width));
  }
  return lines;
}

Group score_lines(const TrialFrame& frame, const Rectangle& band, const ScoreLines& lines, const Range& range) {
  Group group{"scores", {}};
  const Axis up(range, {band.bottom(), band.top});
  // A line has two points a column and is wider than one: half as many columns do.
  const Columns columns(frame.windows(), std::max<Index>(1, frame.most_columns / 2));
  for (std::size_t j = 0; j < lines.speakers.size(); ++j) {
    Polyline path{.closed = false, .stroke = Stroke{palette(j), 0.9, 0}};
    for (const auto& piece : extreme_lines(lines.speakers[j], columns)) {
      std::vector<Point> points;
      points.reserve(piece.size() + 1);
      for (const LinePoint& point : piece) {
        points.push_back({frame.x(point.window) + (frame.window_width / 2), up.place(point.value)});
      }
      // A window between two gaps would be a line of no length.
      if (points.size() == 1) points.push_back({points[0].x + std::max(0.5, frame.window_width / 2), points[0].y});
      path.pieces.push_back(std::move(points));
    }
    group.shapes.emplace_back(std::move(path));
  }
  return group;
}

}  // namespace heed::report
