// SPDX-License-Identifier: MIT
// Designs against scipy's butter(output='sos'): coefficients to 1e-12, sections in the same order.
#include <dsp/sections.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "support/dsp_matrices.h"
#include "support/expect_error.h"
#include "support/python_files.h"

namespace heed::dsp {
namespace {

using test::expect_error;
using test::read_matrix;

class Butterworth : public test::PythonFiles {};

Sections designed(const Matrix& cases, Index k) {
  const auto order = static_cast<int>(cases(k, 0));
  if (cases(k, 1) == 0) return butterworth_low_pass(order, {cases(k, 2)}, {cases(k, 3)});
  return butterworth_band_pass(order, {{cases(k, 1)}, {cases(k, 2)}}, {cases(k, 3)});
}

double gain(const Sections& sections, double frequency, double rate) {
  const std::complex<double> z = std::polar(1.0, -2 * std::numbers::pi * frequency / rate);
  std::complex<double> response = 1;
  for (const Section& s : sections) response *= (s.b0 + s.b1 * z + s.b2 * z * z) / (1.0 + s.a1 * z + s.a2 * z * z);
  return std::abs(response);
}

TEST_F(Butterworth, EqualsScipy) {
  make("dsp_oracle.py");
  if (IsSkipped() || HasFatalFailure()) return;
  const Matrix cases = read_matrix(file("filters.txt"));
  ASSERT_EQ(cases.rows(), 14);
  for (Index k = 0; k < cases.rows(); ++k) {
    const std::string name = "filter_" + std::to_string(k);
    const Sections sections = designed(cases, k);
    const Matrix expected = read_matrix(file(name + "_sections.txt"));
    ASSERT_EQ(static_cast<Index>(sections.size()), expected.rows()) << name;
    for (Index i = 0; i < expected.rows(); ++i) {
      const Section& s = sections[static_cast<std::size_t>(i)];
      const Eigen::RowVectorXd actual = (Eigen::RowVectorXd(6) << s.b0, s.b1, s.b2, 1, s.a1, s.a2).finished();
      EXPECT_LE((actual - expected.row(i)).cwiseAbs().maxCoeff(), 1e-12) << name << " section " << i;
    }
    const Matrix delay = read_matrix(file(name + "_delay.txt"));
    EXPECT_NEAR(group_delay(sections, {delay(0, 0)}, {cases(k, 3)}).value, delay(0, 1), 1e-5 * delay(0, 1)) << name;
  }
}

TEST(ButterworthGain, IsOneInTheMiddleAndHalfThePowerAtTheEdges) {
  const Sections sections = butterworth_band_pass(2, {{1}, {9}}, {64});
  EXPECT_NEAR(gain(sections, 1, 64), std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(gain(sections, 9, 64), std::sqrt(0.5), 1e-12);
  EXPECT_LT(gain(sections, 0, 64), 1e-12);
  EXPECT_LT(gain(sections, 32, 64), 1e-12);
  EXPECT_NEAR(gain(butterworth_low_pass(2, {8}, {64}), 0, 64), 1, 1e-12);
}

TEST(ButterworthGain, VeryLowEdgesStayInPlace) {
  const Sections sections = butterworth_band_pass(2, {{0.001}, {9}}, {64});
  EXPECT_NEAR(gain(sections, 0.001, 64), std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(gain(sections, 0.1, 64), 1, 1e-6);
}

TEST(ButterworthErrors, SayWhatIsWrong) {
  const auto invalid = ErrorKind::invalid_argument;
  expect_error(invalid, {"order 0", "1 to 16"}, [] { (void)butterworth_low_pass(0, {8}, {64}); });
  expect_error(invalid, {"order 17"}, [] { (void)butterworth_band_pass(17, {{1}, {9}}, {64}); });
  expect_error(invalid, {"32 Hz", "64 Hz"}, [] { (void)butterworth_low_pass(2, {32}, {64}); });
  expect_error(invalid, {"edge 0 Hz"}, [] { (void)butterworth_band_pass(2, {{0}, {9}}, {64}); });
  expect_error(invalid, {"9 to 1 Hz"}, [] { (void)butterworth_band_pass(2, {{9}, {1}}, {64}); });
  expect_error(invalid, {"not positive"}, [] { (void)butterworth_low_pass(2, {8}, {0}); });
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_error(invalid, {"nan"}, [&] { (void)butterworth_band_pass(2, {{nan}, {9}}, {64}); });
}

}  // namespace
}  // namespace heed::dsp
