// SPDX-License-Identifier: MIT
// A trained model as a plain value: what turns scores into log-likelihoods, and where it came from.
// The layer `emission` fits and applies it; `io` keeps it as versioned JSON.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/scored.h>
#include <heed/data/units.h>

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace heed::data {

// How the scores of one window spread around their means.
enum class Spread {
  shared,        // one sigma for attended and unattended (the paper)
  separate,      // one sigma each
  exchangeable,  // one sigma and one correlation between every two speakers
};

// Scores are normal given who is attended, after atanh if `fisher` (the paper's Section III).
struct GaussianEmission {
  bool fisher = true;
  Spread spread = Spread::shared;
  double mu_attended = 0;
  double mu_unattended = 0;
  double sigma_attended = 1;
  double sigma_unattended = 1;  // equal to sigma_attended unless separate
  double correlation = 0;       // between speakers; 0 unless exchangeable. -1/(N-1) is allowed
  friend bool operator==(const GaussianEmission&, const GaussianEmission&) = default;
};

// Scores are logits of a classifier; b_j = softmax_j / prior_j.
struct SoftmaxEmission {
  std::vector<double> class_priors{};  // empty: uniform
  friend bool operator==(const SoftmaxEmission&, const SoftmaxEmission&) = default;
};

// Scores are log-likelihoods already.
struct GivenLogLikelihoods {
  friend bool operator==(const GivenLogLikelihoods&, const GivenLogLikelihoods&) = default;
};

// The decoder only decides: its largest score names the speaker, rightly with probability `accuracy`.
struct HardDecisionEmission {
  double accuracy = 0.6;  // in (1/N, 1)
  friend bool operator==(const HardDecisionEmission&, const HardDecisionEmission&) = default;
};

// Scores are P(attending j | the window) of a classifier; b_j = p_j / prior_j.
struct ProbabilityEmission {
  std::vector<double> class_priors{};  // empty: uniform
  friend bool operator==(const ProbabilityEmission&, const ProbabilityEmission&) = default;
};

enum class CovarianceShape { diagonal, full };

struct GaussianComponent {
  double weight = 1;
  Eigen::VectorXd mean{};  // one number per feature
  Matrix covariance{};     // features x features, off-diagonal zeros where the shape is diagonal
  // Eigen's == wants equal sizes.
  friend bool operator==(const GaussianComponent& a, const GaussianComponent& b) {
    const bool same_size = a.mean.size() == b.mean.size() && a.covariance.rows() == b.covariance.rows() &&
                           a.covariance.cols() == b.covariance.cols();
    return same_size && a.weight == b.weight && a.mean == b.mean && a.covariance == b.covariance;
  }
};

// Features of any dimension, a mixture of normal distributions for each state.
struct MixtureEmission {
  CovarianceShape shape = CovarianceShape::full;
  std::vector<std::string> states{};                       // names, in order
  std::vector<std::string> features{};                     // names, in order
  std::vector<std::vector<GaussianComponent>> mixtures{};  // one per state
  friend bool operator==(const MixtureEmission&, const MixtureEmission&) = default;
};

using Emission = std::variant<GaussianEmission, SoftmaxEmission, GivenLogLikelihoods, HardDecisionEmission,
                              ProbabilityEmission, MixtureEmission>;

// How scores repeat each other from window to window, for Gaussian emissions with one sigma
// (docs/mathematics.md, Dependent scores).
struct Dependence {
  double autocorrelation = 0;  // phi, of a score's noise with that of the next window; in [0, 1)
  double offset_sigma = 0;     // of what a trial adds to the difference of two speakers' scores; 0: no offset
  friend bool operator==(const Dependence&, const Dependence&) = default;
};

struct Model {
  Emission emission{};
  Seconds window{1};             // of the scores it was fitted on; another length wants another model
  Seconds hop = window;          // likewise: shorter where those windows overlapped
  bool steps = false;            // those windows were steps (ScoreType::step_cosine), which no other scores are like
  std::size_t participants = 0;  // fitted on so many; 0: parameters were given by hand
  std::string origin{};          // one line for people: what it was fitted on, or "given by hand"
  double temperature = 1;        // log-likelihoods are divided by it: above 1 says less, below 1 more
  std::optional<Dependence> dependence{};  // nothing: windows are independent, given who is attended
  friend bool operator==(const Model&, const Model&) = default;
};

}  // namespace heed::data

namespace heed {
using data::CovarianceShape;
using data::Dependence;
using data::Emission;
using data::GaussianComponent;
using data::GaussianEmission;
using data::GivenLogLikelihoods;
using data::HardDecisionEmission;
using data::MixtureEmission;
using data::Model;
using data::ProbabilityEmission;
using data::SoftmaxEmission;
using data::Spread;
}  // namespace heed
