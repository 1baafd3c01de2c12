// SPDX-License-Identifier: MIT
#include <emission/dependent_windows.h>

#include <cmath>
#include <cstddef>
#include <numbers>

namespace heed::emission {

// An exchangeable emission leaves out what all states have in common, mu_unattended among it, as it does for windows
// on their own (log_likelihoods.h); but for what tells offsets apart.
DependentWindows::DependentWindows(const DependentGaussian& model) noexcept
    : emission_(model.emission()),
      autocorrelation_(model.dependence().autocorrelation),
      speakers_(static_cast<double>(model.speakers())),
      centre_(emission_.spread == Spread::exchangeable ? 0 : emission_.mu_unattended),
      distance_(emission_.mu_attended - emission_.mu_unattended) {}

void DependentWindows::prepare(Index hops) noexcept {
  if (hops == hops_) return;
  hops_ = hops;
  phi_ = hops == 0 ? 0 : std::pow(autocorrelation_, static_cast<double>(hops));
  variance_ = emission_.sigma_attended * emission_.sigma_attended * (1 - (phi_ * phi_));
  slope_ = distance_ / (variance_ * (1 - emission_.correlation));
  constant_ = -(distance_ * distance_ * (1 + (phi_ * phi_)) / (2 * variance_)) -
              (speakers_ / 2 * std::log(2 * std::numbers::pi * variance_));
}

hmm::TransitionEvidence DependentWindows::evidence(std::span<const double> z, std::span<const double> before,
                                                   Index hops, double offset, const Storage& storage) noexcept {
  prepare(hops);
  double squares = 0;
  double squares_without = 0;  // an offset
  for (std::size_t k = 0; k < z.size(); ++k) {
    // Half of the offset from each of two speakers; (1 - phi) of it is new.
    const double shift = (k == 0 ? -0.5 : 0.5) * offset;
    const double earlier = hops == 0 ? 0 : phi_ * (before[k] + shift - centre_);
    const double news = (z[k] + shift - centre_) - earlier;
    const double without = news - ((1 - phi_) * shift);
    storage.arriving[k] = slope_ * news;
    storage.departing[k] = -phi_ * storage.arriving[k];
    squares += news * news;
    squares_without += without * without;
  }
  const bool exchangeable = emission_.spread == Spread::exchangeable;
  return {.departing = storage.departing.first(hops == 0 ? 0 : z.size()),
          .arriving = storage.arriving,
          .stay = slope_ * distance_ * phi_,
          .common = exchangeable ? (squares_without - squares) / (2 * variance_ * (1 - emission_.correlation))
                                 : constant_ - (squares / (2 * variance_))};
}

}  // namespace heed::emission
