// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <emission/transform.h>
#include <heed/data/error.h>
#include <heed/emission/evidence_scale.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::emission {
namespace {

// Of pairs (earlier, later), around their means.
struct PairSums {
  double products = 0;
  double earlier_squares = 0;
  double later_squares = 0;

  void add(double earlier, double later) noexcept {
    products += earlier * later;
    earlier_squares += earlier * earlier;
    later_squares += later * later;
  }
  [[nodiscard]] std::optional<double> correlation() const noexcept {
    const double scale = std::sqrt(earlier_squares * later_squares);
    return scale > 0 ? std::optional(products / scale) : std::nullopt;
  }
};

struct Average {
  double sum = 0;
  double count = 0;

  void add(std::optional<double> value) noexcept {
    if (!value) return;
    sum += *value;
    count += 1;
  }
  [[nodiscard]] std::optional<double> mean() const noexcept {
    return count > 0 ? std::optional(sum / count) : std::nullopt;
  }
};

std::vector<std::optional<double>> means_of(std::span<const Average> averages) {
  std::vector<std::optional<double>> means;
  means.reserve(averages.size());
  for (const Average& average : averages) means.push_back(average.mean());
  return means;
}

// [trial][window]: the speaker's score of every window that attends to it, around its mean; NaN in all others and where
// it is missing.
std::vector<std::vector<double>> centred_scores(const ScoredParticipant& participant, Speaker speaker,
                                                const IndependenceOptions& options) {
  std::vector<std::vector<double>> all;
  std::vector<Average> averages(participant.trials.size());
  for (std::size_t i = 0; i < participant.trials.size(); ++i) {
    const ScoredTrial& trial = participant.trials[i];
    auto& scores = all.emplace_back(trial.attention.attended.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t t = 0; t < scores.size(); ++t) {
      const double score = trial.scores.values(static_cast<Index>(t), speaker);
      // A score that is no correlation is told of, with its place, where it becomes evidence.
      const bool counts = std::isfinite(score) && (!options.fisher || std::abs(score) <= 1);
      if (trial.attention.attended[t] != speaker || !counts) continue;
      scores[t] = transformed(score, options.fisher);
      averages[options.centring == Centring::trial ? i : 0].add(scores[t]);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double mean = averages[options.centring == Centring::trial ? i : 0].mean().value_or(0);
    for (double& score : all[i]) score -= mean;
  }
  return all;
}

// Overlapping windows share samples with their neighbours: the next that shares none is so many rows later.
std::size_t rows_apart(const Scores& scores) {
  return static_cast<std::size_t>(std::max(1.0, std::ceil((scores.window / scores.hop) - 1e-9)));
}

// One run over a trial: `since` counts how long attention has stayed with the speaker.
void add_pairs(std::vector<PairSums>& sums, const ScoredTrial& trial, Speaker speaker,
               const std::vector<double>& scores) {
  const std::size_t apart = rows_apart(trial.scores);
  std::size_t since = 0;
  for (std::size_t t = 0; t < scores.size(); ++t) {
    since = trial.attention.attended[t] == speaker ? since + 1 : 0;
    if (std::isnan(scores[t])) continue;
    for (std::size_t lag = 1; lag * apart < since && lag <= sums.size(); ++lag) {
      const double earlier = scores[t - (lag * apart)];
      if (!std::isnan(earlier)) sums[lag - 1].add(earlier, scores[t]);
    }
  }
}

}  // namespace

std::vector<std::optional<double>> lag_correlations(const ScoredParticipant& participant,
                                                    const IndependenceOptions& options) {
  if (options.lags < 1) throw Error(ErrorKind::invalid_argument, "the independence check needs a lag of at least 1");
  const auto lags = static_cast<std::size_t>(options.lags);
  std::vector<Average> averages(lags);
  const std::size_t speakers = participant.features.empty() ? participant.speakers.size() : 0;
  for (std::size_t speaker = 0; speaker < speakers; ++speaker) {
    std::vector<PairSums> sums(lags);
    const auto scores = centred_scores(participant, static_cast<Speaker>(speaker), options);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      add_pairs(sums, participant.trials[i], static_cast<Speaker>(speaker), scores[i]);
    }
    for (std::size_t k = 0; k < lags; ++k) averages[k].add(sums[k].correlation());
  }
  return means_of(averages);
}

std::vector<std::optional<double>> lag_correlations(std::span<const ScoredParticipant> participants,
                                                    const IndependenceOptions& options) {
  std::vector<Average> averages(static_cast<std::size_t>(std::max<Index>(options.lags, 0)));
  for (const ScoredParticipant& participant : participants) {
    const auto one = lag_correlations(participant, options);
    for (std::size_t k = 0; k < one.size(); ++k) averages[k].add(one[k]);
  }
  return means_of(averages);
}

std::optional<std::string> dependence_warning(std::span<const std::optional<double>> lag_correlations,
                                              const RepetitionContext& context) {
  const double neighbours = lag_correlations.empty() ? 0 : lag_correlations.front().value_or(0);
  if (!(neighbours > dependence_threshold)) return std::nullopt;
  const double factor = (1 + neighbours) / (1 - neighbours);
  const std::string correlate =
      "attended scores correlate by " + data::shown(std::round(100 * neighbours) / 100) + " with the next";
  const std::string times = " evidence counts about " +
                            data::shown(factor < 10 ? std::round(10 * factor) / 10 : std::round(factor)) +
                            " times what it is worth";
  if (context.unknown_model) {
    return "neighbouring windows are not independent: " + correlate + ". To a model that takes them for independent," +
           times +
           ", and its posteriors are over-confident; tell it (dependence auto), calibrate it, or use longer windows";
  }
  std::string consequence =
      " and posteriors are over-confident; tell the model (dependence auto), calibrate the "
      "emission, or use longer windows";
  if (context.unknown_switch_probability) {
    consequence =
        ", posteriors are over-confident, and noise that goes on is taken for switches, which seem to come "
        "more often than they do; tell the model (dependence auto), or use longer windows";
  }
  if (context.calibrated) {
    consequence = "; the temperature found by calibration makes up for most of it, longer windows would avoid it";
  }
  return "neighbouring windows are not independent, as the HMM assumes: " + correlate + ", so" + times + consequence;
}

}  // namespace heed::emission
