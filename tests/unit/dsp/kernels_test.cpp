// SPDX-License-Identifier: MIT
// Every instruction set this machine runs against plain arithmetic in long double.
#include "dsp/kernels/kernels.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>
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

// Plain sums in the order that every machine keeps: eight parts of a row, added in pairs.
double in_eight_parts(const double* weights, const double* row, Index length) {
  std::array<double, 8> s{};
  for (Index i = 0; i < length; ++i) s[static_cast<std::size_t>(i % 8)] += weights[i] * row[i];
  return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

TEST(Kernels, FilterLagsWithTheSameBitsOnEveryMachine) {
  for (const Index outputs : {1, 2, 5, 7, 10}) {
    for (const auto& [channels, lags] : {std::pair<Index, Index>{1, 1}, {1, 17}, {3, 5}, {8, 2}, {64, 17}}) {
      const Index length = lags * channels;
      for (const Index rows : {1, 3, 4, 9}) {
        const Matrix signal = noise(rows + lags - 1, channels, 9);
        const Matrix weights = noise(outputs, length, 10);
        for (const auto* set : sets()) {
          Matrix out(rows, outputs);
          set->filter_lagged({signal.data(), rows, length, channels, weights.data(), outputs, out.data()});
          for (Index t = 0; t < rows; ++t) {
            for (Index p = 0; p < outputs; ++p) {
              ASSERT_EQ(out(t, p), in_eight_parts(weights.row(p).data(), signal.data() + t * channels, length))
                  << set->name << ", " << rows << " rows of " << length << ", output " << p;
            }
          }
        }
      }
    }
  }
}

TEST(Kernels, RunSectionsWithTheSameBitsOnEveryMachine) {
  const std::vector<kernels::Section> sections{{0.5, 0.25, -0.1, -0.9, 0.3}, {1.25, -0.5, 0.3, 0.2, -0.4}};
  for (const Index channels : {1, 2, 5, 8, 37, 64}) {
    constexpr Index rows = 70;
    const Matrix input = noise(rows, channels, 11);
    const Matrix delays = noise(4, channels, 12);
    Matrix expected = input;
    Matrix expected_delays = delays;
    for (Index c = 0; c < channels; ++c) {
      for (std::size_t s = 0; s < 2; ++s) {
        double& first = expected_delays(2 * static_cast<Index>(s), c);
        double& second = expected_delays(2 * static_cast<Index>(s) + 1, c);
        for (Index t = 0; t < rows; ++t) {
          const double in = expected(t, c);
          const double out = sections[s].b0 * in + first;
          first = sections[s].b1 * in - sections[s].a1 * out + second;
          second = sections[s].b2 * in - sections[s].a2 * out;
          expected(t, c) = out;
        }
      }
    }
    for (const auto* set : sets()) {
      Matrix signal = input;
      Matrix state = delays;
      set->filter_sections({signal.data(), rows, channels, channels, sections.data(), 2, state.data()});
      EXPECT_EQ(signal, expected) << set->name << ", " << channels << " channels";
      EXPECT_EQ(state, expected_delays) << set->name << ", " << channels << " channels";

      // From the last row to the first: the same of a signal that is turned round.
      signal = input.colwise().reverse();
      state = delays;
      double* const last = signal.data() + (rows - 1) * channels;
      set->filter_sections({last, rows, channels, -channels, sections.data(), 2, state.data()});
      EXPECT_EQ(Matrix(signal.colwise().reverse()), expected) << set->name << ", " << channels << " channels";
    }
  }
}

}  // namespace
}  // namespace heed::dsp
