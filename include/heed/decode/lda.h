// SPDX-License-Identifier: MIT
// One linear discriminant for all speakers: is this one attended, given the correlations of a window? Sums add, so
// folds and participants are pooled (docs/decoding.md, Discriminant).
#pragma once

#include <heed/data/decoding/decoder.h>

#include <span>

namespace heed::decode {

// Sums over windows of one class.
struct ClassMoments {
  double count = 0;
  Eigen::VectorXd sum{};
  Eigen::MatrixXd products{};  // sum of z z'

  void add(std::span<const double> z);
  ClassMoments& operator+=(const ClassMoments& other);
};

struct DiscriminantMoments {
  ClassMoments attended{};
  ClassMoments unattended{};
  DiscriminantMoments& operator+=(const DiscriminantMoments& other);
};

// w = Sw^-1 (m_a - m_u), bias = -w'(m_a + m_u)/2, Sw the covariance within classes, both classes equally likely
// before: w'z + bias are log-odds. Throws bad_data if a class has fewer than 2 windows, singular if Sw cannot be
// inverted.
[[nodiscard]] LinearDiscriminant fit_discriminant(const DiscriminantMoments& moments);

}  // namespace heed::decode
