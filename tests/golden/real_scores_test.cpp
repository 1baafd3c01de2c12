// SPDX-License-Identifier: MIT
// Real scores of real listeners through the whole score-level pipeline, against figures of an
// independent implementation.
#include <gtest/gtest.h>
#include <heed/pipeline/compare.h>

#include <string>
#include <vector>

#include "support/compare_on.h"
#include "support/real_data.h"

namespace heed {
namespace {

using test::compare_on;
using track::Method;

// Two independent implementations agree to .02 points and .3 s; ours has to agree with them to these.
constexpr double accuracy_tolerance = 0.003;
constexpr double time_tolerance = 0.5;

struct Figure {
  Method method;
  double accuracy;
  double switch_time;  // negative: not stated
};

class RealScores : public test::RealData {
 protected:
  static void expect(const pipeline::Comparison& comparison, const std::vector<Figure>& figures) {
    for (std::size_t m = 0; m < figures.size(); ++m) {
      const auto& result = comparison.methods[m];
      EXPECT_NEAR(*result.accuracy.mean, figures[m].accuracy, accuracy_tolerance) << track::name(result.method);
      if (figures[m].switch_time < 0) continue;
      EXPECT_NEAR(*result.switch_time.mean, figures[m].switch_time, time_tolerance) << track::name(result.method);
    }
  }

  static std::vector<Method> methods_of(const std::vector<Figure>& figures) {
    std::vector<Method> methods;
    for (const Figure& figure : figures) methods.push_back(figure.method);
    return methods;
  }
};

TEST_F(RealScores, KuLeuvenLeastSquaresWithArtificialSwitches) {
  const std::vector<Figure> figures{{Method::raw, 0.5816, -1},
                                    {Method::causal, 0.9407, 33.1},
                                    {Method::smooth, 0.9731, 19.3},
                                    {Method::viterbi, 0.9647, 27.2}};
  const auto participants = read("kul-scores", "_window-01s_scores.tsv");
  ASSERT_EQ(participants.size(), 8U);
  pipeline::CompareRequest options;
  options.methods = methods_of(figures);
  options.trial = Seconds{600};
  options.switch_every = SwitchInterval{Seconds{300}, Seconds{300}};
  expect(compare_on(participants, options), figures);
}

TEST_F(RealScores, EtardRidgeWithItsRecordedSwitch) {
  const std::vector<Figure> figures{
      {Method::causal, 0.876, 103}, {Method::smooth, 0.997, 96}, {Method::viterbi, 0.932, 127}};
  pipeline::CompareRequest options;
  options.methods = methods_of(figures);
  expect(compare_on(read("etard-scores", "_decoder-ridge_scores.tsv"), options), figures);
}

TEST_F(RealScores, EtardNetworkWithItsRecordedSwitch) {
  const std::vector<Figure> figures{
      {Method::causal, 0.941, 32.8}, {Method::smooth, 0.989, 17.9}, {Method::viterbi, 0.992, 19.9}};
  pipeline::CompareRequest options;
  options.methods = methods_of(figures);
  expect(compare_on(read("etard-scores", "_decoder-cnn_scores.tsv"), options), figures);
}

}  // namespace
}  // namespace heed
