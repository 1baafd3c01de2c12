// SPDX-License-Identifier: MIT
// The trends of the paper on the default simulated cohorts, decoded from EEG, and on real scores. Bands are stated
// where they are held to, and every row of studies/verdicts.tsv is found again; tests/cli/test_reproduce_slow.py does
// so for those of real EEG.
#include <evaluate/claims.h>
#include <gtest/gtest.h>
#include <heed/evaluate/summary.h>
#include <report/study/result_tables.h>
#include <study/study_file.h>

#include <algorithm>
#include <map>

#include "support/real_data.h"
#include "support/run_study.h"

namespace heed::study {
namespace {

// All results of one cohort; made once, for it takes minutes.
class Results {
 public:
  explicit Results(const Cohort& cohort) {
    std::vector<Study> studies;
    std::vector<Setting> settings;
    for (const std::string_view name : built_in_studies()) {
      Study study = find_study(std::string(name));
      if (study.only_when_named) continue;  // tests/python/test_adaptation_slow.py
      studies.push_back(std::move(study));
      for (const Setting& setting : settings_of(studies.back())) settings.push_back(setting);
    }
    const ScoreLibrary scores(cohort, settings, {.threads = {0}});
    EXPECT_TRUE(scores.notes().empty()) << scores.notes().front().text;
    for (const Study& study : studies) results_[study.name] = run_study(study, scores, {.threads = {0}});
  }

  [[nodiscard]] double mean(const std::string& study, const NamedValues& setting, const std::string& measure) const {
    const auto values = evaluate::measured(results_.at(study).judged(), setting, measure).values;
    const auto mean = evaluate::summarise(values).mean;
    EXPECT_TRUE(mean) << study << " has no such results";
    return mean.value_or(-1);
  }
  [[nodiscard]] const StudyResult& of(const std::string& study) const { return results_.at(study); }

  // What studies/verdicts.tsv says of a cohort, claim by claim.
  void expect_known_verdicts(const std::string& cohort) const {
    std::size_t known = 0;
    for (const auto& [name, result] : results_) {
      for (const Claim& claim : result.study.claims) {
        const auto found = std::ranges::find(claim.known, cohort, &KnownVerdict::cohort);
        if (found == claim.known.end()) continue;
        const evaluate::ClaimVerdict verdict = report::verdict_of(claim, result);
        EXPECT_EQ(verdict.holds, found->holds) << name << ": " << claim.text << " " << verdict.evidence;
        EXPECT_EQ(verdict.evidence, found->evidence) << name << ": " << claim.text;
        ++known;
      }
    }
    EXPECT_GT(known, 60U) << "verdicts of " << cohort;
  }

 private:
  std::map<std::string, StudyResult> results_;
};

NamedValues by(const char* tracker, const std::string& parameter = "", const TableValue& value = {}) {
  NamedValues setting{{"tracker", tracker}};
  if (!parameter.empty()) setting.push_back({parameter, value});
  return setting;
}

const TableValue scaled = "scaled";

void expect_post_processors(const Results& results) {
  const auto accuracy = [&](const char* tracker) {
    return results.mean("post_processors", by(tracker, "switch_probability", scaled), "accuracy");
  };
  EXPECT_GT(accuracy("smooth"), accuracy("causal") + 0.01) << "forward-backward is the more accurate";
  EXPECT_GT(accuracy("causal"), accuracy("markov-chain") + 0.03);
  EXPECT_GT(accuracy("causal"), accuracy("state-space") + 0.25);
  EXPECT_GT(accuracy("causal"), accuracy("raw") + 0.25);
  const NamedValues matched = by("causal", "switch_probability", "as-fast-as-state-space");
  EXPECT_GT(results.mean("post_processors", matched, "accuracy"), accuracy("state-space") + 0.15)
      << "as fast, and still far more accurate";
  EXPECT_NEAR(results.mean("post_processors", matched, "switch_time"),
              results.mean("post_processors", by("state-space"), "switch_time"), 1);
}

void expect_switch_probability(const Results& results) {
  for (const char* tracker : {"causal", "smooth"}) {
    for (const char* measure : {"accuracy", "switch_time"}) {
      const Claim falls{.kind = ClaimKind::falls,
                        .measure = measure,
                        .setting = {{"tracker", tracker}},
                        .along = "switch_probability"};
      const auto verdict = evaluate::judge(falls, results.of("switch_probability").judged());
      EXPECT_EQ(verdict.holds, std::optional(true)) << tracker << " " << measure << ": " << verdict.evidence;
    }
  }
  const auto at = [&](double p, const char* measure) {
    return results.mean("switch_probability", by("causal", "switch_probability", p), measure);
  };
  EXPECT_GT(at(0.001, "accuracy"), at(0.1, "accuracy") + 0.15);
  EXPECT_GT(at(0.001, "switch_time"), 4 * at(0.1, "switch_time"));
}

void expect_switch_interval(const Results& results) {
  const auto accuracy = [&](const char* tracker, double interval, const TableValue& p) {
    NamedValues setting = by(tracker, "switch_interval", interval);
    setting.push_back({"switch_probability", p});
    return results.mean("switch_interval", setting, "accuracy");
  };
  EXPECT_LT(accuracy("smooth", 60, scaled), accuracy("causal", 60, scaled) - 0.05)
      << "forward-backward collapses first";
  EXPECT_GT(accuracy("smooth", 300, scaled), accuracy("causal", 300, scaled) + 0.01);
  for (const char* tracker : {"causal", "smooth"}) {
    EXPECT_LT(accuracy(tracker, 20, scaled), 0.62) << "hardly better than chance";
    EXPECT_GT(accuracy(tracker, 20, "once-an-interval"), accuracy(tracker, 20, scaled) + 0.1)
        << "raising p counteracts most of it";
  }
}

void expect_decoder_accuracy(const Results& results) {
  for (const char* tracker : {"causal", "smooth"}) {
    const auto accuracy = [&](double alpha) {
      return results.mean("decoder_accuracy", by(tracker, "accuracy_shift", alpha), "accuracy");
    };
    EXPECT_GT(accuracy(0), accuracy(-0.5) + 0.05);
    EXPECT_GT(accuracy(1) - accuracy(0), 3 * (accuracy(5) - accuracy(2))) << "it levels off";
    EXPECT_GT(accuracy(5), 0.985);
  }
}

std::optional<bool> holds(const Results& results, const std::string& study, const std::string& text) {
  for (const Claim& claim : results.of(study).study.claims) {
    if (claim.text.starts_with(text)) return evaluate::judge(claim, results.of(study)).holds;
  }
  ADD_FAILURE() << "no claim '" << text << "' in " << study;
  return std::nullopt;
}

// Post-processing beats longer windows, and kappa is another p.
void expect_frontiers(const Results& results) {
  EXPECT_EQ(holds(results, "frontiers", "Within any time the causal model is more accurate than the Markov chain."),
            true);
  EXPECT_EQ(holds(results, "one_score_or_two", "One number counted twice makes the causal model quicker"), true);
  EXPECT_EQ(holds(results, "one_score_or_two", "Twice the evidence is only another p"), true);
  EXPECT_EQ(holds(results, "switch_probability", "What the causal model gains in accuracy by another p"), true);
}

void expect_trends(const Results& results) {
  expect_frontiers(results);
  expect_post_processors(results);
  expect_switch_probability(results);
  expect_switch_interval(results);
  expect_decoder_accuracy(results);
}

TEST(PaperTrends, HoldOnTheDefaultSimulatedCohorts) {
  const Results results(*simulated_cohort(paper_cohorts({})));
  results.expect_known_verdicts("simulated");
  expect_trends(results);
  // Where the simulator stands, so that a change of it is noticed: within three points.
  const auto accuracy = [&](const char* tracker) {
    return results.mean("post_processors", by(tracker, "switch_probability", scaled), "accuracy");
  };
  EXPECT_NEAR(accuracy("raw"), 0.589, 0.01);
  EXPECT_NEAR(accuracy("causal"), 0.946, 0.03);
  EXPECT_NEAR(accuracy("smooth"), 0.981, 0.03);
  const auto raw = [&](double window) {
    return results.mean("window_length", by("raw", "window", window), "accuracy");
  };
  EXPECT_GT(raw(30), raw(5) + 0.1);
  EXPECT_GT(raw(5), raw(1) + 0.05);
  EXPECT_GT(raw(1), raw(0.25) + 0.02);
  const auto correlation = [&](const char* decoder, double lag) {
    return results.mean("independence", {{"decoder", decoder}, {"lag", lag}}, "correlation");
  };
  for (const char* decoder : {"ls", "cca"}) {
    EXPECT_LT(correlation(decoder, 1), 0.12);
    EXPECT_LT(correlation(decoder, 2), 0.03);
  }
  EXPECT_GT(correlation("csp", 1), 0.6);
  EXPECT_GT(correlation("csp", 20), 0.3);
}

using PaperTrendsOnRealScores = test::RealData;

TEST_F(PaperTrendsOnRealScores, Hold) {
  const Results results(*score_files_cohort(files("kul-scores", "_scores.tsv")));
  results.expect_known_verdicts("real scores");
  expect_trends(results);
  EXPECT_EQ(holds(results, "frontiers", "Tuned alike, the causal model and the probabilistic gain"), true);
  // algorithms by another program: 94.1/33.1 and 97.3/19.3 with two numbers, 89.9/18.2 and 95.4/17.3 with one.
  const auto twice = [&](const char* tracker, const char* measure) {
    return results.mean(
        "one_score_or_two",
        {{"tracker", tracker}, {"columns", "difference"}, {"spread", "shared"}, {"switch_probability", "scaled"}},
        measure);
  };
  EXPECT_NEAR(twice("causal", "accuracy"), 0.899, 0.002);
  EXPECT_NEAR(twice("causal", "switch_time"), 18.2, 0.3);
  EXPECT_NEAR(twice("smooth", "accuracy"), 0.954, 0.002);
  EXPECT_NEAR(twice("smooth", "switch_time"), 17.3, 0.3);
}

}  // namespace
}  // namespace heed::study
