// SPDX-License-Identifier: MIT
// The texts themselves: what a reader of JSON finds is held by tests/cli and tests/python.
#include <gtest/gtest.h>
#include <heed/pipeline/compare.h>
#include <heed/pipeline/evaluate.h>

#include <string>

namespace heed::pipeline {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Comparison small_comparison() {
  MethodResult method;
  method.method = track::Method::causal;
  method.accuracy.mean = 0.1;  // written so that it reads back exactly, and not longer
  method.missed = 1.5;
  ParticipantResult participant;
  participant.id = "01";
  participant.metrics.switches = 4;
  participant.metrics.missed = 0.25;
  participant.gain_states = 9;
  method.participants.push_back(participant);
  Comparison comparison;
  comparison.methods.push_back(method);
  comparison.speakers = 2;
  comparison.chance = 0.5;
  comparison.temperatures = {1};
  comparison.lag_correlations = {0.25, std::nullopt};
  return comparison;
}

TEST(MeasuresJson, ComparisonsHaveEveryKeyInOrder) {
  const std::string text = comparison_json(small_comparison());
  EXPECT_EQ(text.back(), '\n');
  EXPECT_TRUE(has(text, R"("accuracy": {
        "mean": 0.1,
        "sd": null
      })"));
  EXPECT_TRUE(has(text, R"("missed": 1.5)"));
  EXPECT_TRUE(has(text, R"("missed": 0.25,
          "switches": 4,
          "false_switch_rate": null)"))
      << text;
  EXPECT_TRUE(has(text, R"("uncalibrated": null,
          "gain_states": 9)"));
  EXPECT_TRUE(has(text, R"("lag_correlations": [
    0.25,
    null
  ])"));
}

TEST(MeasuresJson, CurvesLeaveOutMethodsWithoutAProbability) {
  Comparison result = small_comparison();
  result.methods.insert(result.methods.begin(), MethodResult{});
  EXPECT_EQ(curves_json(result), "{}\n");
  result.methods[1].curve.push_back(
      {.switch_probability = 0.01, .accuracy = {0.9, std::nullopt, 1}, .switch_time = {}});
  EXPECT_EQ(curves_json(result), R"({
  "causal": [
    {
      "switch_probability": 0.01,
      "accuracy": {
        "mean": 0.9,
        "sd": null
      },
      "switch_time": {
        "mean": null,
        "sd": null
      }
    }
  ]
}
)");
}

TEST(MeasuresJson, EvaluationsKeepWhatDoesNotExistAsNull) {
  Evaluation evaluation;
  EvaluatedParticipant participant{.id = "caf\xe9", .speakers = 4, .metrics = {}, .calibration = {}};
  participant.metrics.windows = 12;
  evaluation.participants.push_back(participant);
  const std::string text = evaluation_json(evaluation);
  EXPECT_TRUE(has(text, "\"id\": \"caf\xef\xbf\xbd\"")) << "a byte that is not UTF-8 is replaced";
  EXPECT_TRUE(has(text, "\"chance\": 0.25"));
  EXPECT_TRUE(has(text, "\"windows\": 12,"));
  EXPECT_TRUE(has(text, "\"lag_correlations\": null"));
  evaluation.lag_correlations = {std::nullopt, 0.5};
  EXPECT_TRUE(has(evaluation_json(evaluation), "\"lag_correlations\": [\n    null,\n    0.5\n  ]"));
  EXPECT_TRUE(has(participant_json({.participants = {participant}}, 0), "\"over_confidence\": null"));
}

TEST(MeasuresJson, SwitchDurationsAreNullWithoutAMesd) {
  MesdResult result{.participants = {{.id = "01", .speakers = 2}}};
  const std::string none = switch_durations_json(result);
  EXPECT_TRUE(has(none, R"("curve": [],
      "mesd": null,
      "window": null,
      "accuracy": null,
      "states": null,
      "target": null)"))
      << none;
  const auto mesd = evaluate::Mesd{.duration = Seconds{12.5}, .window = Seconds{3}, .accuracy = .75, .chain = {9, 6}};
  result.participants[0].mesd = mesd;
  result.mesd = {12.5, std::nullopt, 1};
  EXPECT_TRUE(has(switch_durations_json(result), "\"mesd\": {\n    \"mean\": 12.5,\n    \"sd\": null\n  }"));
  EXPECT_EQ(mesd_json(mesd),
            "{\n  \"mesd\": 12.5,\n  \"window\": 3.0,\n  \"accuracy\": 0.75,\n  \"states\": 9,\n  \"target\": 6\n}\n");
}

}  // namespace
}  // namespace heed::pipeline
