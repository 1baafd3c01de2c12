// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/emission/evidence_scale.h>
#include <heed/hmm/filter.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <utility>

namespace heed::emission {
namespace {

constexpr double smallest_probability = 1e-15;

struct Loss {
  double sum = 0;
  double windows = 0;
};

// Storage of one search: every temperature filters all trials again.
class Losses {
 public:
  Losses(const hmm::Chain& chain, std::span<const LabelledTrials> participants)
      : chain_(chain), participants_(participants), workspace_(chain.states()) {
    for (const LabelledTrials& trials : participants) {
      for (const hmm::TrainingSequence& trial : trials) check(trial);
    }
  }

  [[nodiscard]] double mean(double temperature) {
    double sum = 0;
    double count = 0;
    for (const LabelledTrials& trials : participants_) {
      Loss loss;
      for (const hmm::TrainingSequence& trial : trials) add(loss, trial, temperature);
      if (loss.windows == 0) continue;
      sum += loss.sum / loss.windows;
      count += 1;
    }
    if (count == 0) {
      throw Error(ErrorKind::bad_data,
                  "there is no labelled window to calibrate on; the column 'attended' must name a speaker");
    }
    return sum / count;
  }

 private:
  void check(const hmm::TrainingSequence& trial) const {
    const Matrix& values = trial.log_likelihoods.values;
    const bool fits = values.cols() == chain_.states() && std::ssize(trial.labels.attended) == values.rows() &&
                      std::ranges::all_of(trial.labels.attended,
                                          [&](Speaker s) { return s >= unknown_speaker && s < chain_.states(); });
    if (fits) return;
    throw Error(ErrorKind::invalid_argument, "calibration needs log-likelihoods of " + std::to_string(chain_.states()) +
                                                 " states and one label per window, a state or unknown");
  }

  void add(Loss& loss, const hmm::TrainingSequence& trial, double temperature) {
    const Matrix& values = trial.log_likelihoods.values;
    tempered_ = values / temperature;
    posterior_.resize(values.rows(), values.cols());
    (void)hmm::filter_into(chain_, data::view(std::as_const(tempered_)), workspace_, data::view(posterior_));
    for (Index t = 0; t < values.rows(); ++t) {
      const Speaker attended = trial.labels.attended[static_cast<std::size_t>(t)];
      if (attended == unknown_speaker) continue;
      loss.sum -= std::log(std::max(posterior_(t, attended), smallest_probability));
      loss.windows += 1;
    }
  }

  const hmm::Chain& chain_;
  std::span<const LabelledTrials> participants_;
  hmm::FilterWorkspace workspace_;
  Matrix tempered_;
  Matrix posterior_;
};

// The minimum of a function with one valley in [low, high].
template <typename Function>
double golden_section(double low, double high, double tolerance, Function function) {
  constexpr double ratio = 1 / std::numbers::phi;
  double left = high - (ratio * (high - low));
  double right = low + (ratio * (high - low));
  double at_left = function(left);
  double at_right = function(right);
  while (high - low > tolerance) {
    if (at_left <= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - (ratio * (high - low));
      at_left = function(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + (ratio * (high - low));
      at_right = function(right);
    }
  }
  return (low + high) / 2;
}

}  // namespace

double causal_log_loss(const hmm::Chain& chain, std::span<const LabelledTrials> participants, double temperature) {
  if (!(temperature > 0) || !std::isfinite(temperature)) {
    throw Error(ErrorKind::invalid_argument, "the temperature of an emission must be positive and finite");
  }
  return Losses(chain, participants).mean(temperature);
}

double fit_temperature(const hmm::Chain& chain, std::span<const LabelledTrials> participants) {
  constexpr int steps = 16;  // a factor of 1.8 each
  constexpr double tolerance = 1e-4;
  Losses losses(chain, participants);
  const auto loss_at = [&](double log_temperature) { return losses.mean(std::exp(log_temperature)); };
  const double lowest = std::log(lowest_temperature);
  const double step = (std::log(highest_temperature) - lowest) / steps;
  int best = 0;
  double least = loss_at(lowest);
  for (int k = 1; k <= steps; ++k) {
    const double loss = loss_at(lowest + (k * step));
    if (loss >= least) continue;
    least = loss;
    best = k;
  }
  const double low = lowest + (std::max(best - 1, 0) * step);
  const double high = lowest + (std::min(best + 1, steps) * step);
  return std::exp(golden_section(low, high, tolerance, loss_at));
}

}  // namespace heed::emission
