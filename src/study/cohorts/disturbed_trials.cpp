// SPDX-License-Identifier: MIT
#include <dsp/interpolate.h>
#include <dsp/montage.h>
#include <heed/data/error.h>
#include <study/cohorts/disturbed_trials.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heed::study {
namespace {

constexpr Seconds longest_middle{600};

// The part of a trial that lies in the middle of the listening; empty: none.
struct Part {
  Index first = 0;
  Index end = 0;
  [[nodiscard]] Index samples() const noexcept { return end - first; }
};

// [trial]
std::vector<Part> middles_of(const std::vector<Trial>& trials) {
  Index all = 0;
  for (const Trial& trial : trials) all += trial.samples();
  const auto longest = static_cast<Index>(longest_middle * trials.front().sampling_frequency);
  const Index first = all / 3;
  const Index end = first + std::min(all / 3, longest);
  std::vector<Part> parts;
  Index before = 0;
  for (const Trial& trial : trials) {
    const Index last = trial.samples();
    parts.push_back({std::clamp<Index>(first - before, 0, last), std::clamp<Index>(end - before, 0, last)});
    before += last;
  }
  return parts;
}

// Electrodes on the rim of a cap lie 18 degrees apart: a turn by nearly two of them, 5 cm there.
dsp::ElectrodePosition turned(const dsp::ElectrodePosition& place) {
  constexpr double angle = 30 * std::numbers::pi / 180;
  return {std::cos(angle) * place.x - std::sin(angle) * place.y, std::sin(angle) * place.x + std::cos(angle) * place.y,
          place.z};
}

// The head stays: a channel has from then on what its field is where the cap has carried the electrode.
void slip(Trial& trial, Index from) {
  constexpr std::size_t fewest_places = 3;
  std::vector<Index> columns;
  std::vector<dsp::ElectrodePosition> before;
  std::vector<dsp::ElectrodePosition> after;
  const auto places = dsp::electrode_positions(trial.channels);
  for (std::size_t channel = 0; channel < places.size(); ++channel) {
    if (!places[channel]) continue;
    columns.push_back(static_cast<Index>(channel));
    before.push_back(*places[channel]);
    after.push_back(turned(*places[channel]));
  }
  if (columns.size() < fewest_places) {
    throw Error(ErrorKind::unsupported, "a cap slips only where the names of three channels or more tell their places");
  }
  const Index rows = trial.samples() - from;
  const Matrix field = trial.eeg.bottomRows(rows)(Eigen::all, columns);
  trial.eeg.bottomRows(rows)(Eigen::all, columns) = field * dsp::spherical_spline_weights(before, after).transpose();
}

void swap_sounds(Trial& trial, const Part& part) {
  for (Index row = part.first; row < part.end; ++row) {
    const Eigen::RowVectorXd first = trial.stimuli.front().row(row);
    for (std::size_t k = 0; k + 1 < trial.stimuli.size(); ++k)
      trial.stimuli[k].row(row) = trial.stimuli[k + 1].row(row);
    trial.stimuli.back().row(row) = first;
  }
}

void leave(Trial& trial, const Part& part) {
  if (part.samples() <= 0) return;
  const Matrix backwards = trial.eeg.middleRows(part.first, part.samples()).colwise().reverse();
  trial.eeg.middleRows(part.first, part.samples()) = backwards;
  std::vector<AttendedRange> kept;
  for (const AttendedRange& one : trial.attention) {
    const Index first = one.samples.first;
    const Index end = first + one.samples.count;
    if (first < std::min(end, part.first)) kept.push_back({{first, std::min(end, part.first) - first}, one.speaker});
    const Index resumed = std::max(first, part.end);
    if (resumed < end) kept.push_back({{resumed, end - resumed}, one.speaker});
  }
  trial.attention = std::move(kept);
}

}  // namespace

pipeline::ParticipantTrials disturbed(pipeline::ParticipantTrials participant, Disturbance disturbance) {
  if (disturbance == Disturbance::none || participant.trials.empty()) return participant;
  const std::vector<Part> middles = middles_of(participant.trials);
  for (std::size_t k = 0; k < participant.trials.size(); ++k) {
    Trial& trial = participant.trials[k];
    switch (disturbance) {
      case Disturbance::none:
        break;
      case Disturbance::slipped_cap:
        slip(trial, middles[k].first);
        break;
      case Disturbance::swapped_sounds:
        swap_sounds(trial, middles[k]);
        break;
      case Disturbance::nobody:
        leave(trial, middles[k]);
        break;
      case Disturbance::inverted_cap:
        trial.eeg = -trial.eeg;
        break;
    }
  }
  return participant;
}

}  // namespace heed::study
