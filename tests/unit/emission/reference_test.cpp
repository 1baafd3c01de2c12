// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/emission/label_free.h>

#include <cmath>
#include <limits>
#include <variant>

#include "support/expect_error.h"

namespace heed::emission {
namespace {

const GaussianEmission& gaussian_of(const Model& model) { return std::get<GaussianEmission>(model.emission); }

// What a hop of windows that favour one speaker by their mean is worth, per second.
double evidence_per_second(Seconds window, Seconds hop) {
  const Model model = reference_model(window, hop);
  const GaussianEmission& e = gaussian_of(model);
  const double difference = e.mu_attended - e.mu_unattended;
  return difference * difference / (e.sigma_attended * e.sigma_attended) / model.temperature / hop.value;
}

TEST(ReferenceModel, SaysWhatItIs) {
  const Model model = reference_model(Seconds{2}, Seconds{0.5});
  EXPECT_TRUE(is_reference(model));
  EXPECT_FALSE(is_reference({.origin = "given by hand"}));
  EXPECT_EQ(model.window, Seconds{2});
  EXPECT_EQ(model.hop, Seconds{0.5});
  EXPECT_TRUE(gaussian_of(model).fisher);
  EXPECT_GT(gaussian_of(model).mu_attended, gaussian_of(model).mu_unattended);
}

TEST(ReferenceModel, OverlapAddsNoEvidence) {
  for (const double window : {1.0, 5.0, 30.0}) {
    EXPECT_NEAR(evidence_per_second(Seconds{window}, Seconds{window / 4}),
                evidence_per_second(Seconds{window}, Seconds{window}), 1e-12);
  }
}

// Longer windows say more, though less per second: listeners differ, however long one listens.
TEST(ReferenceModel, LongerWindowsAreLessNoisy) {
  EXPECT_GT(gaussian_of(reference_model(Seconds{1}, Seconds{1})).sigma_attended,
            2 * gaussian_of(reference_model(Seconds{10}, Seconds{10})).sigma_attended);
  EXPECT_GT(evidence_per_second(Seconds{1}, Seconds{1}), evidence_per_second(Seconds{30}, Seconds{30}));
}

TEST(ReferenceModel, RefusesWindowsThatAreNone) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const auto& times : {std::pair{0.0, 0.0}, {1.0, 2.0}, {-1.0, -1.0}, {infinity, 1.0}, {NAN, NAN}}) {
    test::expect_error(ErrorKind::invalid_argument, {"longer than 0 s"},
                       [&] { (void)reference_model(Seconds{times.first}, Seconds{times.second}); });
  }
}

}  // namespace
}  // namespace heed::emission
