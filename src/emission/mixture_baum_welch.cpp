// SPDX-License-Identifier: MIT
#include <emission/baum_welch_rounds.h>
#include <emission/mixture_density.h>
#include <emission/mixture_steps.h>
#include <heed/data/error.h>
#include <heed/emission/label_free.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/hmm/smooth.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace heed::emission {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::vector<const ScoredTrial*> trials_of(std::span<const ScoredParticipant> participants) {
  std::vector<const ScoredTrial*> trials;
  for (const ScoredParticipant& participant : participants) {
    for (const ScoredTrial& trial : participant.trials) trials.push_back(&trial);
  }
  return trials;
}

bool is_complete(const ScoredTrial& trial, Index t) { return !trial.scores.values.row(t).hasNaN(); }

// All complete windows below each other.
Matrix complete_windows(std::span<const ScoredTrial* const> trials, Index features) {
  std::vector<double> values;
  for (const ScoredTrial* trial : trials) {
    for (Index t = 0; t < trial->scores.values.rows(); ++t) {
      const auto row = data::view(trial->scores.values).row(t);
      if (is_complete(*trial, t)) values.insert(values.end(), row.begin(), row.end());
    }
  }
  Matrix points = Eigen::Map<const Matrix>(values.data(), std::ssize(values) / features, features);
  if (points.rows() == 0) throw Error(ErrorKind::bad_data, "there is no complete window to fit the mixture to");
  if (!points.allFinite()) throw Error(ErrorKind::bad_data, "the features must be finite numbers");
  return points;
}

// The participants with a state for every complete window, as if it were known.
std::vector<ScoredParticipant> labelled(std::span<const ScoredParticipant> participants,
                                        std::span<const Speaker> states) {
  std::vector<ScoredParticipant> result(participants.begin(), participants.end());
  std::size_t window = 0;
  for (ScoredParticipant& participant : result) {
    for (ScoredTrial& trial : participant.trials) {
      auto& attended = trial.attention.attended;
      attended.assign(static_cast<std::size_t>(trial.scores.values.rows()), unknown_speaker);
      for (std::size_t t = 0; t < attended.size(); ++t) {
        if (is_complete(trial, static_cast<Index>(t))) attended[t] = states[window++];
      }
    }
  }
  return result;
}

// The speaker who stands out, by tied Gaussians of the scores as they are.
std::vector<Speaker> states_by_scores(std::span<const ScoredParticipant> participants, const hmm::Chain& chain,
                                      const std::function<void()>& each_iteration) {
  const BaumWelchFit tied = fit_baum_welch(participants, chain, {.fisher = false}, each_iteration);
  std::vector<Speaker> states;
  for (const ScoredTrial* trial : trials_of(participants)) {
    const Posteriors posteriors = hmm::smooth(chain, log_likelihoods(tied.emission, trial->scores));
    for (Index t = 0; t < posteriors.values.rows(); ++t) {
      Index best = 0;
      posteriors.values.row(t).maxCoeff(&best);
      if (is_complete(*trial, t)) states.push_back(static_cast<Speaker>(best));
    }
  }
  return states;
}

std::vector<Speaker> states_by_clusters(const Matrix& points, Index states, std::uint64_t seed) {
  const std::vector<Index> nearest = seeded_clusters(points, states, seed);
  return {nearest.begin(), nearest.end()};
}

// Errors say that nobody gave these labels.
MixtureEmission start_from(std::span<const ScoredParticipant> participants, std::span<const Speaker> states,
                           const MixtureOptions& options) {
  try {
    return fit_mixtures(labelled(participants, states), options);
  } catch (const Error& error) {
    throw error.within("Baum-Welch finds no start without labels");
  }
}

void require_start(const MixtureEmission& start, const ScoredParticipant& participant) {
  if (start.states == participant.speakers && start.features == feature_names(participant)) return;
  throw Error(ErrorKind::bad_data,
              "the mixture that Baum-Welch is to start from is of other states or features; use the same columns in "
              "the same order");
}

// Mixtures of all states in standardised features, improved by posteriors.
class MixtureStep {
 public:
  MixtureStep(std::span<const ScoredTrial* const> trials, Index features)
      : trials_(trials.begin(), trials.end()), standard_(complete_windows(trials, features)) {
    log_units_ = standard_.deviation.array().log().sum();
  }

  void begin(const MixtureEmission& start) {
    current_ = start;
    for (MixtureComponents& state : current_.mixtures) {
      for (GaussianComponent& one : state) {
        one = standard_.standardised(one);
        one.covariance = floored(one.covariance, start.shape);
      }
    }
    before_ = current_;
  }

  [[nodiscard]] const Matrix& points() const noexcept { return standard_.points; }

  // In the units of the file, so that they are comparable with those of other models.
  [[nodiscard]] std::vector<LogLikelihoods> log_likelihoods() const {
    const MixtureDensity density = MixtureDensity::make(current_);
    std::vector<LogLikelihoods> result;
    Index window = 0;
    for (const ScoredTrial* trial : trials_) {
      LogLikelihoods made{Matrix::Constant(trial->scores.values.rows(), density.states(), missing),
                          trial->scores.window, trial->scores.hop};
      for (Index t = 0; t < made.values.rows(); ++t) {
        if (!is_complete(*trial, t)) continue;
        density.log_densities_into(data::view(standard_.points).row(window++), data::view(made.values).row(t));
        made.values.row(t).array() -= log_units_;
      }
      result.push_back(std::move(made));
    }
    return result;
  }

  // Of each window, the posterior of the state times the share of each of its components.
  void maximise(std::span<const Posteriors> posteriors) {
    before_ = current_;
    for (std::size_t j = 0; j < current_.mixtures.size(); ++j) {
      MixtureComponents& state = current_.mixtures[j];
      Matrix shares(standard_.points.rows(), std::ssize(state));
      share_out(standard_.points, state, current_.shape, shares);
      const double total = weigh(shares, posteriors, static_cast<Index>(j));
      if (total > 1e-100) state = maximised({standard_.points, shares, total}, std::move(state), current_.shape);
    }
  }

  // The latest mixtures, or those before the last round, in the units of the file.
  [[nodiscard]] MixtureEmission emission(bool latest) const {
    MixtureEmission result = latest ? current_ : before_;
    for (MixtureComponents& state : result.mixtures) {
      for (GaussianComponent& one : state) one = standard_.restored(one);
    }
    return result;
  }

 private:
  double weigh(Matrix& shares, std::span<const Posteriors> posteriors, Index state) const {
    double total = 0;
    Index window = 0;
    for (std::size_t k = 0; k < trials_.size(); ++k) {
      for (Index t = 0; t < trials_[k]->scores.values.rows(); ++t) {
        if (!is_complete(*trials_[k], t)) continue;
        const double posterior = posteriors[k].values(t, state);
        shares.row(window++) *= posterior;
        total += posterior;
      }
    }
    return total;
  }

  std::vector<const ScoredTrial*> trials_;
  Standardised standard_;
  double log_units_ = 0;
  MixtureEmission current_;  // of standardised features
  MixtureEmission before_;
};

void require_participants(std::span<const ScoredParticipant> participants, const hmm::Chain& chain,
                          const MixtureBaumWelchOptions& options) {
  require_alike(participants);
  if (std::cmp_not_equal(participants.front().speakers.size(), chain.states())) {
    throw Error(ErrorKind::invalid_argument, "the chain has " + std::to_string(chain.states()) +
                                                 " states, the participants have " +
                                                 std::to_string(participants.front().speakers.size()));
  }
  if (options.fit_switch_probability && chain.as_sticky() == nullptr) {
    throw Error(ErrorKind::invalid_argument, "one switch probability can be fitted to a sticky chain only");
  }
  if (options.start) require_start(*options.start, participants.front());
}

}  // namespace

MixtureBaumWelchFit fit_baum_welch_mixtures(std::span<const ScoredParticipant> participants, const hmm::Chain& chain,
                                            const MixtureBaumWelchOptions& options,
                                            const std::function<void()>& each_iteration) {
  require_participants(participants, chain, options);
  const ScoredParticipant& first = participants.front();
  const bool scores = first.features.empty();
  MixtureStep step(trials_of(participants), std::ssize(feature_names(first)));
  if (options.start) {
    step.begin(*options.start);
  } else {
    const auto states = scores ? states_by_scores(participants, chain, each_iteration)
                               : states_by_clusters(step.points(), chain.states(), options.mixture.seed);
    step.begin(start_from(participants, states, options.mixture));
  }
  hmm::BaumWelchResult result = go_through_rounds(chain, step, options, each_iteration);
  return {.emission = step.emission(keeps_last_round(result)),
          .chain = std::move(result.chain),
          .history = std::move(result.history),
          .iterations = result.iterations,
          .converged = result.converged,
          .states_are_named = scores || options.start};
}

}  // namespace heed::emission
