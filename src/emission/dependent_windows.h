// SPDX-License-Identifier: MIT
// What a window's scores say, given those of the last window that was observed: the density of an AR(1) process around
// the means of whoever is attended, in the form that hmm/transition_stream.h takes.
#pragma once

#include <heed/emission/dependence.h>
#include <hmm/transition_stream.h>

#include <span>

namespace heed::emission {

class DependentWindows {
 public:
  explicit DependentWindows(const DependentGaussian& model) noexcept;

  // Where arriving and departing are written to; a number per speaker each.
  struct Storage {
    std::span<double> arriving;
    std::span<double> departing;
  };
  // z: transformed scores, and those of `hops` windows before; 0 hops: there are none. An offset is taken off the
  // difference of two speakers.
  [[nodiscard]] hmm::TransitionEvidence evidence(std::span<const double> z, std::span<const double> before, Index hops,
                                                 double offset, const Storage& storage) noexcept;

 private:
  void prepare(Index hops) noexcept;

  GaussianEmission emission_;
  double autocorrelation_;
  double speakers_;
  double centre_ = 0;    // what the scores are taken around
  double distance_ = 0;  // D, of the means
  Index hops_ = -1;      // for which the following are
  double phi_ = 0;
  double variance_ = 1;  // of an innovation
  double slope_ = 0;     // g
  double constant_ = 0;
};

}  // namespace heed::emission
