// SPDX-License-Identifier: MIT
#include <support/study_cases.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace heed::test {

namespace {

// Between -1 and 1, by its place alone.
double wobble(std::size_t a, std::size_t b, std::size_t c = 0) {
  std::uint64_t bits = (a * 0x9E3779B97F4A7C15ULL) ^ (b * 0xC2B2AE3D27D4EB4FULL) ^ (c * 0x165667B19E3779F9ULL);
  bits = (bits ^ (bits >> 29U)) * 0xBF58476D1CE4E5B9ULL;
  return (static_cast<double>((bits ^ (bits >> 32U)) >> 11U) / 4503599627370496.0) - 1;
}

std::string two_digits(std::size_t number) { return (number < 10 ? "0" : "") + std::to_string(number); }

// Rows of one setting: the values of its parameters, then a row per participant around these means.
struct SettingMeans {
  std::vector<TableValue> parameters{};
  double accuracy = 0.9;
  double switch_time = 20;
};

ResultTable tracking_table(std::vector<std::string> parameters, const std::vector<SettingMeans>& settings,
                           std::size_t participants = 13) {
  ResultTable table{std::move(parameters), {}};
  for (const char* name : {"participant", "p", "accuracy", "whole_accuracy", "switch_time", "brier", "ece", "log_loss"})
    table.columns.emplace_back(name);
  for (std::size_t s = 0; s < settings.size(); ++s) {
    for (std::size_t k = 0; k < participants; ++k) {
      std::vector<TableValue> row = settings[s].parameters;
      const double spread = 0.6 * wobble(k, 1) + 0.4 * wobble(k, s, 2);
      const double accuracy = std::min(1.0, settings[s].accuracy + ((1 - settings[s].accuracy) * 0.8 * spread));
      const double time = settings[s].switch_time * std::exp(0.7 * spread);
      row.insert(row.end(), {two_digits(k + 1), 0.001, accuracy, accuracy - 0.02, time, 0.5 * (1 - accuracy),
                             0.3 * (1 - accuracy), 1 - accuracy});
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

NamedValues at(const char* tracker, const char* p = "scaled") {
  return {{"tracker", tracker}, {"switch_probability", p}};
}

std::vector<Claim> post_processor_claims() {
  return {{.kind = ClaimKind::greater,
           .text = "Forward-backward is more accurate than causal.",
           .measure = "accuracy",
           .setting = at("smooth"),
           .other = at("causal"),
           .place = "Section V-A"},
          {.kind = ClaimKind::greater,
           .text = "The state-space model is more accurate than the causal HMM.",
           .measure = "accuracy",
           .setting = at("state-space"),
           .other = at("causal")},
          {.kind = ClaimKind::alike,
           .text = "Forward-backward and Viterbi do not differ in accuracy.",
           .measure = "accuracy",
           .setting = at("smooth"),
           .other = at("viterbi"),
           .place = "Section V-A"},
          {.kind = ClaimKind::above,
           .text = "A tracker that is not among these results finds nine of ten.",
           .measure = "accuracy",
           .setting = at("oracle"),
           .bound = 0.9}};
}

}  // namespace

StudyResult post_processors() {
  StudyResult result{
      .study = {.name = "post_processors",
                .title = "Post-processors compared",
                .paper = "Section V-A, Table II",
                .question = "How accurate and how quick is each way of making a trajectory of single decisions?",
                .figure = {.series = {"tracker", "switch_probability"}},
                .published = {{at("causal"), "accuracy", 0.89, 0.042, "Table II", true},
                              {at("causal"), "switch_time", 20.3, 8.6, "Table II", true},
                              {at("smooth"), "accuracy", 0.973, 0.04, "Table II", true},
                              {at("smooth"), "switch_time", 9.4, {}, "Table II", true},
                              {at("viterbi"), "accuracy", 0.965, 0.076, "Table II", false},
                              {at("state-space"), "accuracy", 0.598, 0.064, "Table II", false}},
                .claims = post_processor_claims()},
      .tables = {},
      .notes = {{.text = "p of the last row was chosen on the mean over the cohort."}}};
  result.tables.push_back({"tracking", tracking_table({"speakers", "tracker", "switch_probability"},
                                                      {{{2.0, "smooth", "scaled"}, 0.968, 8},
                                                       {{2.0, "viterbi", "scaled"}, 0.962, 14},
                                                       {{2.0, "causal", "scaled"}, 0.9, 21},
                                                       {{2.0, "causal", "as-fast-as-state-space"}, 0.82, 9},
                                                       {{2.0, "markov-chain", "scaled"}, 0.87, 33},
                                                       {{2.0, "probabilistic-gain", "scaled"}, 0.88, 24},
                                                       {{2.0, "state-space", "scaled"}, 0.62, 8.5},
                                                       {{2.0, "raw", "scaled"}, 0.58, 3}})});
  return result;
}

StudyResult switch_probability() {
  StudyResult result{.study = {.name = "switch_probability",
                               .title = "Switch probability",
                               .paper = "Section V-E, Fig. 4 and 5",
                               .question = "What does a larger p buy, and what does it cost?",
                               .figure = {.picture = StudyPicture::trade_off,
                                          .along = "switch_probability",
                                          .logarithmic = true,
                                          .series = {"tracker"}},
                               .claims = {{.kind = ClaimKind::falls,
                                           .text = "Accuracy falls as p rises.",
                                           .measure = "accuracy",
                                           .setting = {{"tracker", "causal"}},
                                           .along = "switch_probability",
                                           .place = "Section V-E"}}}};
  std::vector<SettingMeans> settings;
  const std::vector<std::pair<const char*, double>> trackers{{"causal", 0.0}, {"smooth", 0.07}, {"viterbi", 0.06}};
  for (const auto& [tracker, more] : trackers) {
    for (std::size_t k = 0; k < 13; ++k) {
      const double p = std::pow(10.0, -4 + (static_cast<double>(k) / 4));
      settings.push_back({{2.0, tracker, std::stod(data::text_of(std::round(p * 1e6) / 1e6))},
                          0.91 + more - (0.006 * static_cast<double>(k * k) / 4),
                          (40 / (1 + (0.25 * static_cast<double>(k)))) * (1 - (4 * more))});
    }
  }
  result.tables.push_back({"tracking", tracking_table({"speakers", "tracker", "switch_probability"}, settings)});
  return result;
}

StudyResult aad_accuracy() {
  StudyResult result{
      .study = {.name = "aad_accuracy",
                .title = "Better decoders",
                .paper = "Section V-H, Fig. 7",
                .question = "How much does a better decision a window help?",
                .figure = {.picture = StudyPicture::sweep, .along = "raw_accuracy", .series = {"tracker"}}}};
  std::vector<SettingMeans> settings;
  for (const char* tracker : {"raw", "causal", "smooth"}) {
    for (std::size_t k = 0; k < 7; ++k) {
      const double raw = 0.53 + (0.05 * static_cast<double>(k));
      const double gain = std::string(tracker) == "raw" ? 0 : std::string(tracker) == "causal" ? 0.75 : 0.9;
      settings.push_back(
          {{tracker, -0.5 + static_cast<double>(k)}, raw + (gain * (1 - raw)), 30 - (3.5 * static_cast<double>(k))});
    }
  }
  result.tables.push_back({"tracking", tracking_table({"tracker", "accuracy_shift"}, settings)});
  return result;
}

StudyResult calibration() {
  StudyResult result{.study = {.name = "calibration",
                               .title = "Calibration",
                               .question = "Does a belief of 90 % come true nine times of ten?",
                               .figure = {.picture = StudyPicture::reliability, .series = {"tracker", "calibrated"}}}};
  result.tables.push_back({"tracking", tracking_table({"tracker", "calibrated"}, {{{"causal", "no"}, 0.88, 20},
                                                                                  {{"causal", "yes"}, 0.9, 20},
                                                                                  {{"smooth", "no"}, 0.95, 10},
                                                                                  {{"smooth", "yes"}, 0.96, 10}})});
  ResultTable bins{{"tracker", "calibrated", "lower", "upper", "windows", "confidence", "accuracy"}, {}};
  for (const char* tracker : {"causal", "smooth"}) {
    for (const char* calibrated : {"no", "yes"}) {
      for (std::size_t k = 0; k < 5; ++k) {
        const double lower = 0.5 + (0.1 * static_cast<double>(k));
        const double fall = std::string(calibrated) == "no" ? 0.08 : 0.01;
        bins.rows.push_back({tracker, calibrated, lower, lower + 0.1, 500.0, lower + 0.05, lower + 0.05 - fall});
      }
    }
  }
  result.tables.push_back({"reliability", std::move(bins)});
  return result;
}

StudyResult independence() {
  StudyResult result{.study = {.name = "independence",
                               .title = "Independence of scores",
                               .paper = "Section IV-C",
                               .question = "Is a score like the one before?",
                               .measure = StudyMeasure::independence,
                               .figure = {.picture = StudyPicture::lags, .series = {"decoder"}}}};
  ResultTable lags{{"decoder", "participant", "lag", "correlation"}, {}};
  for (const char* decoder : {"ls", "cca"}) {
    for (std::size_t k = 0; k < 5; ++k) {
      for (std::size_t lag = 1; lag <= 10; ++lag) {
        lags.rows.push_back({decoder, two_digits(k + 1), static_cast<double>(lag),
                             (0.2 / static_cast<double>(lag)) + (0.05 * wobble(k, lag))});
      }
    }
  }
  result.tables.push_back({"lags", std::move(lags)});
  return result;
}

StudyResult attention_switch() {
  StudyResult result{.study = {.name = "attention_switch",
                               .title = "A switch of attention from close by",
                               .paper = "Section V-B, Fig. 2",
                               .question = "What does each method believe while attention moves?",
                               .measure = StudyMeasure::trace,
                               .figure = {.picture = StudyPicture::trace}}};
  ResultTable trace{{"participant", "trial", "tracker", "onset", "duration", "attended", "decision", "left", "right"},
                    {}};
  for (const char* tracker : {"raw", "causal", "smooth", "viterbi"}) {
    const double pull = std::string(tracker) == "raw" ? 0.3 : std::string(tracker) == "causal" ? 2.2 : 4;
    double belief = 0;
    for (std::size_t t = 0; t < 600; ++t) {
      const bool left = t < 300;
      belief += 0.25 * ((left ? pull : -pull) - belief);
      const double noise = pull < 1 ? 2.5 : 0.6;
      const double posterior = 1 / (1 + std::exp(-belief - (noise * wobble(t, 3))));
      trace.rows.push_back({"07", 1.0, tracker, static_cast<double>(t), 1.0, left ? "left" : "right",
                            posterior > 0.5 ? "left" : "right", posterior, 1 - posterior});
    }
  }
  result.tables.push_back({"trace", std::move(trace)});
  return result;
}

report::StudyReport sample_report() {
  StudyResult recorded{.study = {.name = "recorded_switches", .title = "Recorded switches", .paper = "Section V-I"},
                       .obstacle = "no trial has a switch of attention as it was recorded; give a dataset that has"};
  return {.title = "Hidden Markov models for auditory attention decoding, reproduced",
          .cohort = "13 simulated listeners, two speakers, 4 trials of 10 min",
          .simulated = true,
          .studies = {post_processors(), attention_switch(), switch_probability(), aad_accuracy(), independence(),
                      calibration(), std::move(recorded)},
          .notes = {{.text = "Every number here is made up."}},
          .facts = {{"Seed", "1"}, {"Participants", "13"}},
          .provenance = {.command = "heed reproduce --quick -o repro",
                         .version = "0.1.0",
                         .data = {{"sub-01", "sha256:0123"}, {"sub-02", "sha256:4567"}}}};
}

}  // namespace heed::test
