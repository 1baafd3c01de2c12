// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/emission/evidence_scale.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::emission {
namespace {

void check(const hmm::TrainingSequence& trial) {
  const Matrix& values = trial.log_likelihoods.values;
  const bool fits =
      std::ssize(trial.labels.attended) == values.rows() &&
      std::ranges::all_of(trial.labels.attended, [&](Speaker s) { return s >= unknown_speaker && s < values.cols(); });
  if (fits) return;
  throw Error(ErrorKind::invalid_argument, "the evidence scale needs one label per window, a state or unknown");
}

struct Block {
  Index first = 0;
  Index windows = 0;
};

// The sum over a block of log b_attended - log b_other, counted from the attended speaker round. NaN where the block
// does not count: a window is missing, unlabelled or impossible.
double block_sum(const hmm::TrainingSequence& trial, Block block, Index other) {
  const Matrix& values = trial.log_likelihoods.values;
  double sum = 0;
  for (Index t = block.first; t < block.first + block.windows; ++t) {
    const Speaker attended = trial.labels.attended[static_cast<std::size_t>(t)];
    if (attended == unknown_speaker) return std::numeric_limits<double>::quiet_NaN();
    sum += values(t, attended) - values(t, (attended + other) % values.cols());
  }
  return sum;
}

// "twice", "4 times"
std::string times_text(double times) {
  const double rounded = std::round(10 * times) / 10;
  return rounded == 2 ? "twice" : data::shown(rounded) + " times";
}

}  // namespace

Index windows_per_block(const ScoredParticipant& participant) {
  const Seconds window = participant.window();
  const Seconds hop = participant.hop();
  if (hop == window && participant.type != ScoreType::step_cosine) return 1;
  return std::max<Index>(1, std::llround(std::max(4.0, 4 * window.value) / hop.value));
}

EvidenceMoments evidence_moments(const LabelledTrials& trials, Index windows_per_block) {
  if (windows_per_block < 1) throw Error(ErrorKind::invalid_argument, "a block of windows has at least one");
  EvidenceMoments sums;
  for (const hmm::TrainingSequence& trial : trials) {
    check(trial);
    const Matrix& values = trial.log_likelihoods.values;
    for (Index first = 0; first + windows_per_block <= values.rows(); first += windows_per_block) {
      for (Index other = 1; other < values.cols(); ++other) {
        const double sum = block_sum(trial, {first, windows_per_block}, other);
        if (!std::isfinite(sum)) continue;
        sums.blocks += 1;
        sums.sum += sum;
        sums.squares += sum * sum;
      }
    }
  }
  return sums;
}

std::optional<double> evidence_scale(std::span<const EvidenceMoments> participants) {
  double means = 0;
  double variances = 0;
  for (const EvidenceMoments& one : participants) {
    if (one.blocks < 2) continue;
    const double mean = one.sum / one.blocks;
    means += mean;
    variances += std::max(0.0, (one.squares / one.blocks) - (mean * mean));
  }
  const double scale = 2 * means / variances;
  return scale > 0 && std::isfinite(scale) ? std::optional(scale) : std::nullopt;
}

std::string scale_words(double scale, Neighbours neighbours) {
  const std::string shown = data::shown(std::round(100 * scale) / 100) + ": ";
  const bool single = neighbours == Neighbours::repeat || neighbours == Neighbours::modelled;
  std::string rest;
  if (neighbours == Neighbours::repeat) rest = ", but neighbours repeat each other";
  if (neighbours == Neighbours::modelled) rest = ", and what neighbours repeat is counted by the model";
  if (is_usual(scale))
    return shown + (single ? "single windows mean what they say" : "the scores mean what they say") + rest;
  if (scale > highest_usual_scale) return shown + "the scores say less than they could" + rest;
  if (neighbours == Neighbours::overlap)
    return shown + "windows overlap, so evidence is counted " + times_text(1 / scale);
  const bool twice = scale > 0.4 && scale < 0.6;
  return shown + "evidence is counted " + (twice ? "twice - are the columns s and -s?" : times_text(1 / scale)) + rest;
}

double equivalent_switch_probability(double scale, double separation, double switch_probability) {
  for (const double value : {scale, separation, switch_probability}) {
    if (value > 0 && std::isfinite(value)) continue;
    throw Error(ErrorKind::invalid_argument,
                "the scale, the separation and the switch probability must be positive, not " + data::shown(value));
  }
  return separation / 2 / std::sinh(std::asinh(scale * separation / (2 * switch_probability)) / scale);
}

}  // namespace heed::emission
