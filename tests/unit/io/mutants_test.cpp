// SPDX-License-Identifier: MIT
// Good files cut short at every byte, and thousands with bytes changed: each is either refused with a
// heed::Error or read into something that keeps the readers' promises.
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/data/random.h>
#include <heed/io/model_file.h>
#include <heed/io/score_tables.h>
#include <io/text_file.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

constexpr std::string_view scores =
    "onset\tduration\ttrial\tleft\tright\tattended\n"
    "0\t1\ta\t0.125\t-0.5\tleft\n"
    "1\t1\ta\t-0.25\t0.75\tright\n"
    "2\t1\ta\tn/a\t0.5\tn/a\n"
    "5\t1\ta\t1e-3\t-1\tleft\n"
    "0.5\t1\tb\t0.5\t0.25\tright\n"
    "1.5\t1\tb\t-inf\t0\tright\n";
constexpr std::string_view score_sidecar = R"({"WindowLength": 1.0, "ScoreType": "log-odds", "left": {"Units": "1"}})";
constexpr std::string_view posteriors =
    "onset\ttrial\tleft\tright\tdecision\tattended\n"
    "0\ta\t0.25\t0.75\tright\tleft\n"
    "0.5\ta\t1\t0\tleft\tn/a\n"
    "1\ta\t0.333333\t0.666667\tright\tright\n"
    "7\tb\t0.5\t0.5\tleft\tleft\n"
    "7.5\tb\t1e-9\t1\tright\tleft\n";
constexpr std::string_view posterior_sidecar = R"({"WindowLength": 0.5, "LookAhead": "end of trial", "Digits": 6})";
constexpr std::string_view model = R"({"Format": "heed-model", "FormatVersion": 1, "HeedVersion": "0.1.0",
  "WindowLength": 1, "Participants": 8, "Origin": "x", "Emission": {"Kind": "gaussian", "Spread": "separate",
  "MuAttended": 0.5, "MuUnattended": -1e-3, "SigmaAttended": 1.5, "SigmaUnattended": 2, "Correlation": 0}})";
constexpr std::string_view chain = "0.5\t0.5\t0\n0.25\t0.5\t0.25\n1e-3\t0\t0.999\n";

std::string mutate(std::string_view original, RandomStream& random) {
  static constexpr std::array<std::string_view, 28> pieces{
      "\t",  "\n",   "\r\n",  "0",    "9",    "-", "+", ".", "e",  "1e308", "1e-320", "n/a",  "nan",   "-inf",
      "inf", "left", "onset", "\xff", "\xc3", "{", "}", "[", "\"", ":",     ",",      "null", "1e999", " "};
  std::string text(original);
  for (std::int64_t edits = random.integer(1, 3); edits > 0; --edits) {
    const auto at = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(text.size())));
    const auto length = static_cast<std::size_t>(random.integer(0, 4));
    switch (random.integer(0, 3)) {
      case 0:
        text.insert(at, pieces[static_cast<std::size_t>(random.integer(0, 27))]);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(random.integer(0, 255));
        break;
      default:
        text.insert(static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(text.size()))),
                    text.substr(at, 10 * length));
    }
  }
  return text;
}

// How often `parse` took its text. Anything thrown but heed::Error ends the test.
template <typename Parse>
int count_read(std::string_view original, int mutants, Parse parse) {
  int read = 0;
  const auto attempt = [&](const std::string& text) {
    try {
      parse(text);
      ++read;
    } catch (const Error& error) {
      EXPECT_GT(std::string_view(error.what()).size(), 10U);
    }
  };
  for (std::size_t length = 0; length <= original.size(); ++length) attempt(std::string(original.substr(0, length)));
  RandomStream random(3);
  for (int i = 0; i < mutants; ++i) attempt(mutate(original, random));
  return read;
}

// Some mutants are good files, most are not: both paths were walked.
void expect_some(int read, int all) {
  EXPECT_GT(read, all / 100);
  EXPECT_LT(read, all * 9 / 10);
}

void check_scores(const ScoreFile& file) {
  const auto speakers = static_cast<Index>(file.participant.speakers.size());
  ASSERT_GE(speakers, 2);
  ASSERT_FALSE(file.participant.trials.empty());
  Index observed = 0;
  for (const ScoredTrial& trial : file.participant.trials) {
    const Matrix& values = trial.scores.values;
    ASSERT_GT(trial.scores.window.value, 0);
    ASSERT_GT(values.rows(), 0);
    ASSERT_EQ(values.cols(), speakers);
    ASSERT_EQ(static_cast<Index>(trial.attention.attended.size()), values.rows());
    for (const Speaker s : trial.attention.attended) ASSERT_TRUE(s >= unknown_speaker && s < speakers);
    for (Index t = 0; t < values.rows(); ++t) {
      const Index missing = values.row(t).array().isNaN().count();
      ASSERT_TRUE(missing == 0 || missing == speakers);
      observed += missing == 0 ? 1 : 0;
      ASSERT_FALSE((values.row(t).array() == std::numeric_limits<double>::infinity()).any());
    }
  }
  ASSERT_GT(observed, 0);
}

void check_posteriors(const PosteriorFile& file) {
  ASSERT_GE(file.participant.look_ahead.value, 0);
  for (const TrackedTrial& trial : file.participant.trials) {
    const Matrix& values = trial.posteriors.values;
    ASSERT_GT(values.rows(), 0);
    ASSERT_TRUE((values.array() >= 0 && values.array() <= 1).all());
    ASSERT_EQ(static_cast<Index>(trial.decisions.states.size()), values.rows());
    ASSERT_EQ(static_cast<Index>(trial.attention.attended.size()), values.rows());
    for (const Speaker s : trial.decisions.states) ASSERT_TRUE(s >= 0 && s < values.cols());
  }
}

constexpr int mutants = 4000;

TEST(Mutants, OfAScoreFile) {
  expect_some(count_read(scores, mutants, [](const std::string& text) { check_scores(parse_scores(text)); }), mutants);
}

TEST(Mutants, OfAScoreSidecar) {
  const auto parse = [](const std::string& text) { check_scores(parse_scores(scores, text)); };
  expect_some(count_read(score_sidecar, mutants, parse), mutants);
}

TEST(Mutants, OfAPosteriorFile) {
  const auto parse = [](const std::string& text) { check_posteriors(parse_posteriors(text)); };
  expect_some(count_read(posteriors, mutants, parse), mutants);
}

TEST(Mutants, OfAPosteriorSidecar) {
  const auto parse = [](const std::string& text) { check_posteriors(parse_posteriors(posteriors, text)); };
  expect_some(count_read(posterior_sidecar, mutants, parse), mutants);
}

// What was read can be written, and says the same.
TEST(Mutants, OfAModel) {
  const auto parse = [](const std::string& text) {
    const std::string written = model_text(parse_model(text));
    ASSERT_EQ(model_text(parse_model(written)), written);
  };
  expect_some(count_read(model, mutants, parse), mutants);
}

TEST(Mutants, OfAChain) {
  const auto parse = [](const std::string& text) {
    const Matrix matrix = parse_chain(text);
    ASSERT_EQ(matrix.rows(), matrix.cols());
    ASSERT_TRUE(matrix.allFinite());
  };
  expect_some(count_read(chain, mutants, parse), mutants);
}

// Through the file system as well, where bytes are checked before they are read.
TEST(Mutants, OfAScoreFileOnDisk) {
  const test::TemporaryFolder folder;
  const auto parse = [&](const std::string& text) {
    check_scores(read_scores(folder.write("sub-01_scores.tsv", text)));
  };
  expect_some(count_read(scores, 200, parse), 400);
}

TEST(Mutants, DeeplyNestedJsonIsNoTrouble) {
  const std::string deep = R"({"Format": )" + std::string(100000, '[') + std::string(100000, ']') + "}";
  EXPECT_THROW((void)parse_model(deep), Error);
}

}  // namespace
}  // namespace heed::io
