// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/emission_json.h>
#include <io/tsv.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <utility>

namespace heed::io {
namespace {

constexpr double sum_tolerance = 1e-6;

Spread parse_spread(const std::string& name) {
  for (const Spread spread : {Spread::shared, Spread::separate, Spread::exchangeable}) {
    if (name == name_of(spread)) return spread;
  }
  throw Error(ErrorKind::unsupported,
              "key Emission.Spread is '" + name +
                  "'; this heed knows shared, separate and exchangeable. Update heed, or fit again");
}

CovarianceShape parse_shape(const std::string& name) {
  for (const CovarianceShape shape : {CovarianceShape::diagonal, CovarianceShape::full}) {
    if (name == name_of(shape)) return shape;
  }
  throw Error(ErrorKind::unsupported, "key Emission.Covariance is '" + name +
                                          "'; this heed knows diagonal and full. Update heed, or fit again");
}

std::string fault(const GaussianEmission& gaussian) {
  const auto positive = [](double sigma) { return sigma > 0 && std::isfinite(sigma); };
  if (!std::isfinite(gaussian.mu_attended)) return "Emission.MuAttended must be finite";
  if (!std::isfinite(gaussian.mu_unattended)) return "Emission.MuUnattended must be finite";
  if (!positive(gaussian.sigma_attended)) return "Emission.SigmaAttended must be greater than 0";
  if (!positive(gaussian.sigma_unattended)) return "Emission.SigmaUnattended must be greater than 0";
  if (gaussian.spread != Spread::separate && gaussian.sigma_attended != gaussian.sigma_unattended) {
    return "Emission.SigmaUnattended must equal SigmaAttended unless Spread is separate";
  }
  if (gaussian.spread != Spread::exchangeable && gaussian.correlation != 0) {
    return "Emission.Correlation must be 0 unless Spread is exchangeable";
  }
  if (!(gaussian.correlation >= -1 && gaussian.correlation < 1)) return "Emission.Correlation must lie in [-1, 1)";
  return {};
}

std::string fault(std::span<const double> priors) {
  if (priors.empty()) return {};
  if (!std::ranges::all_of(priors, [](double prior) { return prior > 0 && prior <= 1; })) {
    return "Emission.ClassPriors must each be greater than 0 and at most 1";
  }
  const double sum = std::accumulate(priors.begin(), priors.end(), 0.0);
  if (std::abs(sum - 1) > sum_tolerance) return "Emission.ClassPriors must sum to 1, not to " + number_text(sum);
  if (priors.size() < 2) return "Emission.ClassPriors must be empty (uniform) or one a speaker";
  return {};
}

std::string fault(const SoftmaxEmission& softmax) { return fault(softmax.class_priors); }
std::string fault(const ProbabilityEmission& probability) { return fault(probability.class_priors); }
std::string fault(const GivenLogLikelihoods&) { return {}; }

std::string fault(const HardDecisionEmission& hard) {
  return hard.accuracy > 0 && hard.accuracy < 1 ? "" : "Emission.Accuracy must lie between chance, 1/N, and 1";
}

std::string fault(const std::vector<std::string>& names, const char* key, std::size_t least) {
  const std::set<std::string> different(names.begin(), names.end());
  if (names.size() < least || different.size() != names.size() || different.contains("")) {
    return std::string(key) + " must be a list of " + std::to_string(least) + " or more different names";
  }
  return {};
}

std::string fault(const GaussianComponent& component, CovarianceShape shape, Index features) {
  if (!(component.weight >= 0 && component.weight <= 1)) return "Weight must lie in [0, 1]";
  if (component.mean.size() != features || !component.mean.allFinite()) return "Mean must be one number a feature";
  const Matrix& covariance = component.covariance;
  const bool square = covariance.rows() == features && covariance.cols() == features && covariance.allFinite();
  if (!square) return "Covariance must be one number a feature if diagonal, a list of D x D if full";
  const bool positive = (covariance.diagonal().array() > 0).all();
  if (!positive || covariance != covariance.transpose()) return "Covariance must be symmetric, its variances above 0";
  const bool diagonal = covariance.isDiagonal(0);
  if (shape == CovarianceShape::diagonal && !diagonal) return "Covariance must be diagonal";
  return {};
}

std::string fault(const MixtureEmission& mixture) {
  if (std::string why = fault(mixture.states, "Emission.States", 2); !why.empty()) return why;
  if (std::string why = fault(mixture.features, "Emission.Features", 1); !why.empty()) return why;
  if (mixture.mixtures.size() != mixture.states.size()) return "Emission.Components must have a list a state";
  for (std::size_t s = 0; s < mixture.states.size(); ++s) {
    const std::string place = "Emission.Components of state " + mixture.states[s] + ": ";
    double total = 0;
    for (const GaussianComponent& component : mixture.mixtures[s]) {
      const std::string why = fault(component, mixture.shape, std::ssize(mixture.features));
      if (!why.empty()) return place + why;
      total += component.weight;
    }
    if (!(std::abs(total - 1) <= sum_tolerance))
      return place + "the weights must sum to 1, not to " + number_text(total);
  }
  return {};
}

// Numbers that do not fit make an empty matrix, which fault() refuses with the state's name.
Matrix covariance_from(const std::vector<double>& numbers, CovarianceShape shape, Index features) {
  if (shape == CovarianceShape::diagonal && std::ssize(numbers) == features) {
    return Eigen::Map<const Eigen::VectorXd>(numbers.data(), features).asDiagonal();
  }
  if (shape == CovarianceShape::full && std::ssize(numbers) == features * features) {
    return Eigen::Map<const Matrix>(numbers.data(), features, features);
  }
  return {};
}

MixtureEmission parse_mixture(const JsonObject& json) {
  MixtureEmission mixture{.shape = parse_shape(json.text("Covariance")),
                          .states = json.texts("States"),
                          .features = json.texts("Features"),
                          .mixtures = std::vector<std::vector<GaussianComponent>>(json.texts("States").size())};
  for (const JsonObject& component : json.objects("Components")) {
    const std::string state = component.text("State");
    const auto found = std::ranges::find(mixture.states, state);
    if (found == mixture.states.end()) {
      throw Error(ErrorKind::bad_data,
                  "key Emission.Components names the state '" + state + "', which is not in States");
    }
    const std::vector<double> mean = component.numbers("Mean");
    mixture.mixtures[static_cast<std::size_t>(found - mixture.states.begin())].push_back(
        {.weight = component.number("Weight"),
         .mean = Eigen::Map<const Eigen::VectorXd>(mean.data(), std::ssize(mean)),
         .covariance = covariance_from(component.numbers("Covariance"), mixture.shape, std::ssize(mixture.features))});
  }
  return mixture;
}

}  // namespace

std::string_view kind_of(const Emission& emission) {
  constexpr std::array<std::string_view, std::variant_size_v<Emission>> kinds{
      "gaussian", "softmax", "log-likelihood", "hard-decision", "probability", "mixture"};
  const auto* gaussian = std::get_if<GaussianEmission>(&emission);
  return gaussian != nullptr && gaussian->fisher ? "fisher-gaussian" : kinds.at(emission.index());
}

std::string_view name_of(Spread spread) {
  switch (spread) {
    case Spread::shared:
      return "shared";
    case Spread::separate:
      return "separate";
    case Spread::exchangeable:
      return "exchangeable";
  }
  return {};
}

std::string_view name_of(CovarianceShape shape) { return shape == CovarianceShape::diagonal ? "diagonal" : "full"; }

std::string fault_of(const Emission& emission) {
  return std::visit([](const auto& one) { return fault(one); }, emission);
}

Emission parse_emission(const JsonObject& json) {
  const std::string kind = json.text("Kind");
  if (kind == "fisher-gaussian" || kind == "gaussian") {
    return GaussianEmission{kind == "fisher-gaussian",    parse_spread(json.text("Spread")),
                            json.number("MuAttended"),    json.number("MuUnattended"),
                            json.number("SigmaAttended"), json.number("SigmaUnattended"),
                            json.number("Correlation")};
  }
  if (kind == "softmax") return SoftmaxEmission{json.numbers("ClassPriors")};
  if (kind == "probability") return ProbabilityEmission{json.numbers("ClassPriors")};
  if (kind == "hard-decision") return HardDecisionEmission{json.number("Accuracy")};
  if (kind == "mixture") return parse_mixture(json);
  if (kind == "log-likelihood") return GivenLogLikelihoods{};
  throw Error(ErrorKind::unsupported,
              "key Emission.Kind is '" + kind +
                  "'; this heed knows fisher-gaussian, gaussian, softmax, probability, hard-decision, mixture and "
                  "log-likelihood. Update heed, or fit again");
}

}  // namespace heed::io
