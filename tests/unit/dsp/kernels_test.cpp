// SPDX-License-Identifier: MIT
// Every instruction set this machine runs against plain arithmetic in long double.
#include "dsp/kernels/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/dsp_matrices.h"

namespace heed::dsp {
namespace {

using test::noise;

std::vector<const kernels::KernelSet*> sets() {
  std::vector<const kernels::KernelSet*> result;
  for (const auto* set : kernels::supported_kernels().sets) {
    if (set != nullptr) result.push_back(set);
  }
  return result;
}

TEST(Kernels, RaiseToThePowerWithinOneInABillion) {
  RandomStream random(1);
  std::vector<double> values(8000);
  for (double& value : values)
    value = (random.uniform() - 0.5) * std::exp2(static_cast<double>(random.integer(-990, 1000)));
  values[0] = 1;
  values[1] = 2;
  values[2] = std::nextafter(1.0, 0.0);
  values[3] = std::numeric_limits<double>::max();
  for (const auto* set : sets()) {
    std::vector<double> powers = values;
    set->compress(powers.data(), 8000);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const long double expected = std::pow(std::abs(static_cast<long double>(values[i])), 0.6L);
      ASSERT_LE(std::abs(static_cast<double>((static_cast<long double>(powers[i]) - expected) / expected)), 1e-9)
          << set->name << ": " << values[i];
    }
  }
}

TEST(Kernels, RaiseAlmostNothingToNothing) {
  for (const auto* set : sets()) {
    std::vector<double> values = {0, -0.0, 1e-301, -1e-310, 5e-324, 2e-300, 1, -1};
    set->compress(values.data(), 8);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(values[i], 0) << set->name << i;
    EXPECT_NEAR(values[5] / std::pow(2e-300, 0.6), 1, 1e-9);
    EXPECT_NEAR(values[7], 1, 1e-9);
  }
}

TEST(Kernels, WeighRowsAndMultiplyVectors) {
  for (const auto* set : sets()) {
    for (const Index count : {1, 5, 31, 32, 161, 1000}) {
      for (const Index columns : {8, 16, 64, 72}) {
        const Matrix rows = noise(count, columns, 2);
        const Matrix taps = noise(count, 1, 3);
        Matrix out(1, columns);
        set->weigh_rows(taps.data(), rows.data(), count, columns, out.data());
        EXPECT_LE(test::relative_error(out, taps.transpose() * rows), 1e-12) << set->name;
      }
      const Matrix a = noise(count, 1, 4);
      const Matrix b = noise(count, 1, 5);
      EXPECT_NEAR(set->dot(a.data(), b.data(), count), a.cwiseProduct(b).sum(), 1e-11) << set->name << count;
    }
  }
}

TEST(Kernels, RunEveryBandOnItsOwn) {
  constexpr Index bands = 24;
  const Matrix coefficients = 0.5 * noise(kernels::gammatone_coefficients, bands, 6).array().tanh();
  const std::vector<float> audio = {1, -0.5F, 0.25F, 2, 0, 0, 1, 3, -1};
  const auto samples = static_cast<Index>(audio.size());
  const Matrix carrier = noise(2 * samples, bands, 8);
  for (const auto* set : sets()) {
    Matrix state = noise(kernels::gammatone_states, bands, 7);
    Matrix s = state;
    Matrix out(samples, bands);
    set->gammatone({audio.data(), samples, bands, coefficients.data(), carrier.data(), state.data(), out.data()});
    for (Index b = 0; b < bands; ++b) {
      for (Index n = 0; n < samples; ++n) {
        EXPECT_NEAR(out(n, b), carrier(2 * n, b) * s(8, b) + carrier(2 * n + 1, b) * s(9, b), 1e-11) << set->name;
        for (Index part = 0; part < 2; ++part) {
          // Each stage by its own difference equation, with the pole coefficients(0) and, in two, a zero.
          const double in = static_cast<double>(audio[static_cast<std::size_t>(n)]) * carrier(2 * n + part, b);
          const Eigen::Vector4d old(s(part, b), s(2 + part, b), s(4 + part, b), s(6 + part, b));
          s(part, b) = in + coefficients(0, b) * old[0];
          s(2 + part, b) = s(part, b) + coefficients(0, b) * old[1];
          s(4 + part, b) = s(2 + part, b) + coefficients(0, b) * old[2];
          const double zeroed = s(2 + part, b) + coefficients(1, b) * old[2];
          s(6 + part, b) = zeroed + coefficients(0, b) * old[3];
          s(8 + part, b) = zeroed + coefficients(2, b) * old[3];
        }
      }
    }
    EXPECT_LE(test::relative_error(state, s), 1e-12) << set->name;
  }
}

}  // namespace
}  // namespace heed::dsp
