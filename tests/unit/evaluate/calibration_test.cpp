// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/random.h>
#include <heed/evaluate/calibration.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string_view>
#include <vector>

namespace heed::evaluate {
namespace {

Posteriors rows(const std::vector<std::vector<double>>& values) {
  Posteriors posteriors;
  posteriors.values.resize(std::ssize(values), values.empty() ? 2 : std::ssize(values[0]));
  for (Index t = 0; t < posteriors.values.rows(); ++t) {
    for (Index j = 0; j < posteriors.values.cols(); ++j) {
      posteriors.values(t, j) = values[static_cast<std::size_t>(t)][static_cast<std::size_t>(j)];
    }
  }
  return posteriors;
}

TEST(Calibration, HandComputedTrial) {
  const auto posteriors = rows({{0.9, 0.1}, {0.95, 0.05}, {0.2, 0.8}, {0.6, 0.4}, {0.3, 0.7}});
  const auto calibration = Calibration::measure(posteriors, {{0, 1, 1, unknown_speaker, 1}});
  EXPECT_EQ(calibration.windows(), 4);
  EXPECT_NEAR(calibration.brier().value(), ((0.1 * 0.1) + (0.95 * 0.95) + (0.2 * 0.2) + (0.3 * 0.3)) / 4, 1e-15);
  EXPECT_NEAR(calibration.log_loss().value(), -(std::log(0.9) + std::log(0.05) + std::log(0.8) + std::log(0.7)) / 4,
              1e-15);
  // Bins: [.9, 1] holds .9 and .95 with one right; .8 and .7 stand alone, right.
  EXPECT_NEAR(calibration.expected_calibration_error().value(), (std::abs(1 - 1.85) + 0.2 + 0.3) / 4, 1e-15);
  EXPECT_NEAR(calibration.over_confidence().value(), ((0.9 + 0.95 + 0.8 + 0.7) - 3) / 4, 1e-15);
  const auto curve = calibration.reliability();
  EXPECT_EQ(curve[9].count, 2);
  EXPECT_NEAR(curve[9].confidence.value(), 0.925, 1e-15);
  EXPECT_EQ(curve[9].accuracy, 0.5);
  EXPECT_EQ(curve[8].count, 1);
  EXPECT_EQ(curve[7].count, 1);
  EXPECT_EQ(curve[6].count, 0);  // its window has no label
  EXPECT_FALSE(curve[6].confidence);
  EXPECT_FALSE(curve[6].accuracy);
  EXPECT_EQ(curve[9].lower, 0.9);
  EXPECT_EQ(curve[9].upper, 1);
}

TEST(Calibration, ThreeSpeakers) {
  const auto calibration = Calibration::measure(rows({{0.5, 0.3, 0.2}}), {{1}});
  EXPECT_NEAR(calibration.brier().value(), (0.25 + 0.49 + 0.04) / 2, 1e-15);
  EXPECT_NEAR(calibration.expected_calibration_error().value(), 0.5, 1e-15);
}

TEST(Calibration, OneHotRowsAreBoundedAndFallInTheLastBin) {
  const auto calibration = Calibration::measure(rows({{1, 0}, {0, 1}}), {{0, 0}});
  EXPECT_EQ(calibration.brier(), 0.5);
  EXPECT_NEAR(calibration.log_loss().value(), -std::log(1e-15) / 2, 1e-12);
  EXPECT_EQ(calibration.expected_calibration_error(), 0.5);
  EXPECT_EQ(calibration.reliability()[9].count, 2);
}

// A flat row keeps the speaker decided before, even through a window without label.
TEST(Calibration, ATieHoldsTheDecision) {
  const auto calibration = Calibration::measure(rows({{0.1, 0.9}, {0.5, 0.5}}), {{unknown_speaker, 1}});
  EXPECT_EQ(calibration.windows(), 1);
  EXPECT_EQ(calibration.reliability()[5].accuracy, 1);
}

TEST(Calibration, NoLabelsNoMeasures) {
  const auto calibration = Calibration::measure(rows({{0.1, 0.9}}), {{unknown_speaker}});
  EXPECT_EQ(calibration.windows(), 0);
  EXPECT_FALSE(calibration.over_confidence());
  EXPECT_FALSE(calibration.brier());
  EXPECT_FALSE(calibration.log_loss());
  EXPECT_FALSE(calibration.expected_calibration_error());
  EXPECT_FALSE(Calibration().brier());
}

TEST(Calibration, BadInputIsNamed) {
  const auto fails = [](const Posteriors& posteriors, const AttentionTrack& attention, std::string_view words) {
    try {
      (void)Calibration::measure(posteriors, attention);
      ADD_FAILURE() << "no error that says '" << words << "'";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_data);
      EXPECT_NE(std::string_view(error.what()).find(words), std::string_view::npos) << error.what();
    }
  };
  fails(rows({{0.5, 0.5}}), {{0, 1}}, "1 posteriors, but 2 labels");
  fails(rows({{0.5, 0.5}}), {{2}}, "attended 2 is none of the 2 speakers");
  fails(rows({{0.5, 0.5}, {0.5, 0.6}}), {{0, 0}}, "window 2");
  fails(rows({{std::nan(""), 0.5}}), {{0}}, "window 1");
  fails(rows({{1.2, -0.2}}), {{0}}, "window 1");

  TrackedParticipant participant;
  participant.id = "03";
  participant.trials.resize(1);
  participant.trials[0].name = "2";
  participant.trials[0].posteriors = rows({{0.5, 0.5}});
  try {
    (void)Calibration::measure(participant);
    FAIL() << "a trial without labels for its rows was measured";
  } catch (const Error& error) {
    EXPECT_EQ(std::string_view(error.what()).find("participant 03, trial 2: "), 0U) << error.what();
  }
}

struct LabelledRows {
  std::vector<std::vector<double>> values;
  std::vector<Speaker> attended;
};

LabelledRows draw_rows(int speakers) {
  LabelledRows drawn;
  const int windows = *rc::gen::inRange(1, 30);
  for (int t = 0; t < windows; ++t) {
    std::vector<double> row;
    double total = 0;
    for (int j = 0; j < speakers; ++j) total += row.emplace_back(*rc::gen::inRange(1, 1000));
    for (double& p : row) p /= total;
    drawn.values.push_back(row);
    drawn.attended.push_back(*rc::gen::inRange(-1, speakers));
  }
  drawn.attended[0] = 0;  // at least one label
  return drawn;
}

// Each measure from its definition, bin by bin over all windows.
RC_GTEST_PROP(Calibration, EqualsTheSlowReference, ()) {
  const int speakers = *rc::gen::inRange(2, 5);
  const LabelledRows drawn = draw_rows(speakers);
  double windows = 0;
  double brier = 0;
  double loss = 0;
  for (std::size_t t = 0; t < drawn.values.size(); ++t) {
    const Speaker attended = drawn.attended[t];
    if (attended == unknown_speaker) continue;
    windows += 1;
    const double p = drawn.values[t][static_cast<std::size_t>(attended)];
    double squares = 0;
    for (const double q : drawn.values[t]) squares += q * q;
    brier += (squares - (2 * p) + 1) / 2;
    loss += -std::log(p);
  }
  double error = 0;
  for (int bin = 0; bin < 10; ++bin) {
    double balance = 0;
    for (std::size_t t = 0; t < drawn.values.size(); ++t) {
      const auto largest = std::max_element(drawn.values[t].begin(), drawn.values[t].end());
      RC_PRE(std::count(drawn.values[t].begin(), drawn.values[t].end(), *largest) == 1);
      if (drawn.attended[t] == unknown_speaker || *largest * 10 < bin || *largest * 10 >= bin + 1) continue;
      balance += (largest - drawn.values[t].begin() == drawn.attended[t] ? 1 : 0) - *largest;
    }
    error += std::abs(balance);
  }
  const auto calibration = Calibration::measure(rows(drawn.values), {drawn.attended});
  RC_ASSERT(static_cast<double>(calibration.windows()) == windows);
  RC_ASSERT(std::abs(calibration.brier().value() - (brier / windows)) < 1e-13);
  RC_ASSERT(std::abs(calibration.log_loss().value() - (loss / windows)) < 1e-13);
  RC_ASSERT(std::abs(calibration.expected_calibration_error().value() - (error / windows)) < 1e-13);
}

RC_GTEST_PROP(Calibration, TrialsAddUp, ()) {
  const LabelledRows first = draw_rows(3);
  const LabelledRows second = draw_rows(3);
  LabelledRows joined = first;
  joined.values.insert(joined.values.end(), second.values.begin(), second.values.end());
  joined.attended.insert(joined.attended.end(), second.attended.begin(), second.attended.end());
  TrackedParticipant participant;
  for (const LabelledRows& trial : {first, second}) {
    participant.trials.emplace_back();
    participant.trials.back().posteriors = rows(trial.values);
    participant.trials.back().attention = {trial.attended};
  }
  const auto sum = Calibration::measure(participant);
  const auto whole = Calibration::measure(rows(joined.values), {joined.attended});
  RC_ASSERT(sum.windows() == whole.windows());
  RC_ASSERT(std::abs(*sum.brier() - *whole.brier()) < 1e-13);
  RC_ASSERT(std::abs(*sum.log_loss() - *whole.log_loss()) < 1e-13);
}

// Rows drawn from their own posteriors are calibrated: 20,000 windows leave an ECE of sampling noise.
TEST(Calibration, TruthDrawnFromThePosteriorsIsCalibrated) {
  RandomStream random(11);
  std::vector<std::vector<double>> values;
  std::vector<Speaker> attended;
  for (int t = 0; t < 20000; ++t) {
    const double p = random.uniform();
    values.push_back({p, 1 - p});
    attended.push_back(random.uniform() < p ? 0 : 1);
  }
  const auto calibration = Calibration::measure(rows(values), {attended});
  EXPECT_LT(calibration.expected_calibration_error().value(), 0.012);  // 5 bins of 4,000: sd .006 each
  EXPECT_NEAR(calibration.brier().value(), 1.0 / 6, 0.006);            // E p(1-p)
  EXPECT_NEAR(calibration.log_loss().value(), 0.5, 0.015);             // E entropy of a uniform p
}

}  // namespace
}  // namespace heed::evaluate
