// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <pipeline/trials.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace heed::pipeline {
namespace {

ScoredParticipant without_trials(const ScoredParticipant& participant) {
  return {.id = participant.id, .speakers = participant.speakers, .type = participant.type, .trials = {}};
}

// Of a trial that is cut to `length`.
struct Piece {
  Index windows = 0;  // within it
  Index stride = 0;   // from its first window to that of the next piece; more than `windows` where windows overlap
};

Piece piece_of(Seconds length, const Scores& scores) {
  const double stride = length / scores.hop;
  const double windows = (length - (scores.window - scores.hop)) / scores.hop;
  const auto is_whole = [](double count) {
    return std::round(count) >= 1 && std::abs(count - std::round(count)) <= 1e-6 * std::round(count);
  };
  if (!is_whole(stride) || !is_whole(windows)) {
    throw Error(ErrorKind::invalid_argument, "a trial of " + data::shown(length.value) +
                                                 " s is not a whole number of " +
                                                 data::shown_windows(scores.window, scores.hop));
  }
  return {std::llround(windows), std::llround(stride)};
}

void append_pieces(const ScoredTrial& trial, Piece piece, std::vector<ScoredTrial>& pieces) {
  const Index windows = piece.windows;
  for (Index first = 0; first + windows <= trial.scores.values.rows(); first += piece.stride) {
    const auto labels = trial.attention.attended.begin() + first;
    pieces.push_back({.name = std::to_string(pieces.size() + 1),
                      .onset = trial.onset + static_cast<double>(first) * trial.scores.hop,
                      .scores = {trial.scores.values.middleRows(first, windows), trial.scores.window, trial.scores.hop},
                      .attention = {{labels, labels + windows}}});
  }
}

}  // namespace

ScoredParticipant recut(const ScoredParticipant& participant, const TrialCutting& cutting) {
  ScoredParticipant result = cutting.join ? join_trials(participant) : participant;
  const bool cuts = cutting.length && !(cutting.only_longer && longest_trial(result) <= *cutting.length);
  return cuts ? cut_trials(result, *cutting.length) : result;
}

ScoredParticipant join_trials(const ScoredParticipant& participant) {
  ScoredParticipant joined = without_trials(participant);
  if (participant.trials.empty()) return joined;
  Index windows = 0;
  for (const ScoredTrial& trial : participant.trials) {
    if (trial.scores.window != participant.window() || trial.scores.hop != participant.hop()) {
      throw Error(ErrorKind::bad_data, "participant " + participant.id +
                                           ": trials with windows of different lengths or hops cannot be joined");
    }
    windows += trial.scores.values.rows();
  }
  const ScoredTrial& first = participant.trials.front();
  ScoredTrial whole{.name = "1",
                    .onset = first.onset,
                    .scores = {Matrix(windows, first.scores.values.cols()), first.scores.window, first.scores.hop},
                    .attention = {}};
  Index filled = 0;
  for (const ScoredTrial& trial : participant.trials) {
    whole.scores.values.middleRows(filled, trial.scores.values.rows()) = trial.scores.values;
    filled += trial.scores.values.rows();
    std::ranges::copy(trial.attention.attended, std::back_inserter(whole.attention.attended));
  }
  joined.trials.push_back(std::move(whole));
  return joined;
}

ScoredParticipant cut_trials(const ScoredParticipant& participant, Seconds length) {
  ScoredParticipant cut = without_trials(participant);
  for (const ScoredTrial& trial : participant.trials) {
    append_pieces(trial, piece_of(length, trial.scores), cut.trials);
  }
  if (cut.trials.empty()) {
    throw Error(ErrorKind::bad_data, "participant " + participant.id + ": no trial is as long as " +
                                         data::shown(length.value) + " s; ask for shorter ones");
  }
  return cut;
}

std::vector<Speaker> known_labels(const ScoredTrial& trial) {
  std::vector<Speaker> labels = trial.attention.attended;
  const auto known = std::ranges::find_if(labels, [](Speaker s) { return s != unknown_speaker; });
  if (known == labels.end()) {
    throw Error(ErrorKind::bad_data, "trial '" + trial.name +
                                         "' has no attended speaker, so no switches can be made in it; add the column "
                                         "'attended' or leave the artificial switches out");
  }
  std::fill(labels.begin(), known, *known);
  for (std::size_t t = 1; t < labels.size(); ++t) {
    if (labels[t] == unknown_speaker) labels[t] = labels[t - 1];
  }
  return labels;
}

bool has_switch(const ScoredTrial& trial) noexcept {
  Speaker last = unknown_speaker;
  for (const Speaker attended : trial.attention.attended) {
    if (attended == unknown_speaker) continue;
    if (last != unknown_speaker && attended != last) return true;
    last = attended;
  }
  return false;
}

Seconds longest_trial(const ScoredParticipant& participant) noexcept {
  Seconds longest{0};
  for (const ScoredTrial& trial : participant.trials) {
    const Seconds beyond = trial.scores.window - trial.scores.hop;  // the last window's end
    longest = std::max(longest, static_cast<double>(trial.scores.values.rows()) * trial.scores.hop + beyond);
  }
  return longest;
}

}  // namespace heed::pipeline
