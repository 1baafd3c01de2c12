// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <heed/data/version.h>
#include <heed/io/score_tables.h>
#include <io/text_file.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "support/expect_error.h"
#include "support/io_redirect.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;
using test::TemporaryFolder;

void expect_bad(std::string_view table, std::initializer_list<std::string_view> words,
                std::optional<std::string_view> sidecar = {}) {
  expect_error(ErrorKind::bad_data, words, [&] { (void)parse_posteriors(table, sidecar); });
}

TrackedParticipant make_participant(Index speakers = 3) {
  RandomStream random(2);
  TrackedParticipant participant;
  participant.id = "02";
  for (Index j = 0; j < speakers; ++j) participant.speakers.push_back("speaker " + std::to_string(j + 1));
  participant.look_ahead = Seconds{4.5};
  for (const std::string name : {"one", "two"}) {
    TrackedTrial trial;
    trial.name = name;
    trial.onset = Seconds{random.uniform()};
    trial.posteriors.window = trial.decisions.window = Seconds{0.3};
    trial.posteriors.hop = trial.decisions.hop = Seconds{0.3};
    trial.posteriors.log_evidence = -10;
    trial.posteriors.values.resize(200, speakers);
    for (Index t = 0; t < 200; ++t) {
      for (Index j = 0; j < speakers; ++j) trial.posteriors.values(t, j) = std::exp(5 * random.normal());
      trial.posteriors.values.row(t) /= trial.posteriors.values.row(t).sum();
      trial.decisions.states.push_back(static_cast<Speaker>(random.integer(0, speakers - 1)));
      trial.attention.attended.push_back(static_cast<Speaker>(random.integer(-1, speakers - 1)));
    }
    participant.trials.push_back(trial);
  }
  return participant;
}

PosteriorWriteOptions make_options(int digits) {
  return {.digits = digits,
          .method = "fixed-lag",
          .switch_probability = 0.001,
          .emission = "fisher-gaussian",
          .sources = {"sub-02_scores.tsv"}};
}

TEST(PosteriorFile, SeventeenDigitsReadBackExactly) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "sub-02_posterior.tsv";
  const TrackedParticipant written = make_participant();
  write_posteriors(file, written, make_options(17));
  const PosteriorFile read = read_posteriors(file);
  EXPECT_TRUE(read.warnings.empty());
  EXPECT_EQ(read.participant.id, "02");
  EXPECT_EQ(read.participant.speakers, written.speakers);
  EXPECT_EQ(read.participant.look_ahead, written.look_ahead);
  ASSERT_EQ(read.participant.trials.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    const TrackedTrial& a = written.trials[k];
    const TrackedTrial& b = read.participant.trials[k];
    EXPECT_EQ(b.name, a.name);
    EXPECT_EQ(b.onset, a.onset);
    EXPECT_EQ(b.posteriors.window, a.posteriors.window);
    EXPECT_EQ(b.decisions.window, a.posteriors.window);
    EXPECT_EQ(b.posteriors.values, a.posteriors.values);
    EXPECT_EQ(b.decisions.states, a.decisions.states);
    EXPECT_EQ(b.attention.attended, a.attention.attended);
  }
}

// The sums of rounded rows are off by up to half a unit in the last digit; the sidecar's Digits allow for it.
TEST(PosteriorFile, WhatItWritesItReadsAtAnyDigits) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "sub-02_posterior.tsv";
  for (const Index speakers : {2, 7}) {
    const TrackedParticipant written = make_participant(speakers);
    for (int digits = 1; digits <= 17; ++digits) {
      write_posteriors(file, written, make_options(digits));
      const Matrix values = read_posteriors(file).participant.trials.at(1).posteriors.values;
      const Matrix& exact = written.trials[1].posteriors.values;
      const double tolerance = 5.0000001 * std::pow(10.0, -digits);
      EXPECT_TRUE(((values - exact).array().abs() <= tolerance * exact.array() + 1e-16).all()) << digits;
    }
  }
}

TEST(PosteriorFile, TheTableIsPlain) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "x_posterior.tsv";
  TrackedParticipant participant;
  participant.speakers = {"left", "right"};
  TrackedTrial trial;
  trial.posteriors.values = (Matrix(2, 2) << 0.25, 0.75, 1.0 / 3, 2.0 / 3).finished();
  trial.decisions.states = {1, 0};
  trial.attention.attended = {unknown_speaker, 0};
  participant.trials.push_back(trial);
  write_posteriors(file, participant);
  EXPECT_EQ(read_text_file(file),
            "onset\tleft\tright\tdecision\tattended\n"
            "0\t0.25\t0.75\tright\tn/a\n"
            "1\t0.333333\t0.666667\tleft\tleft\n");
  participant.trials[0].attention.attended.assign(2, unknown_speaker);
  participant.trials[0].name = "a";
  write_posteriors(file, participant);
  EXPECT_EQ(read_text_file(file),
            "onset\ttrial\tleft\tright\tdecision\n"
            "0\ta\t0.25\t0.75\tright\n"
            "1\ta\t0.333333\t0.666667\tleft\n");
}

TEST(PosteriorFile, TheSidecarSaysHowItWasMade) {
  const TemporaryFolder folder;
  write_posteriors(folder.path() / "sub-02_posterior.tsv", make_participant(), make_options(6));
  const auto json = nlohmann::json::parse(read_text_file(folder.path() / "sub-02_posterior.json"));
  EXPECT_EQ(json.at("Method"), "fixed-lag");
  EXPECT_EQ(json.at("WindowLength"), 0.3);
  EXPECT_EQ(json.at("LookAhead"), 4.5);
  EXPECT_EQ(json.at("SwitchProbability"), 0.001);
  EXPECT_EQ(json.at("Emission"), "fisher-gaussian");
  EXPECT_EQ(json.at("LogEvidence"), -20);
  EXPECT_EQ(json.at("Digits"), 6);
  EXPECT_EQ(json.at("Sources"), nlohmann::json({"sub-02_scores.tsv"}));
  EXPECT_EQ(json.at("HeedVersion"), version());
  EXPECT_EQ(json.at("onset").at("Units"), "s");
  for (const auto* const name : {"speaker 1", "decision", "attended", "trial"}) {
    EXPECT_TRUE(json.at(name).at("Description").is_string()) << name;
  }
}

TEST(PosteriorFile, TheSidecarLeavesOutWhatThereIsNot) {
  const TemporaryFolder folder;
  TrackedParticipant participant = make_participant();
  participant.look_ahead = Seconds{std::numeric_limits<double>::infinity()};
  participant.trials[0].posteriors.log_evidence = std::numeric_limits<double>::quiet_NaN();
  const auto file = folder.path() / "a_posterior.tsv";
  write_posteriors(file, participant, {.sources = {"not \xff utf-8"}});
  const auto json = nlohmann::json::parse(read_text_file(folder.path() / "a_posterior.json"));
  EXPECT_EQ(json.at("LookAhead"), "end of trial");
  EXPECT_TRUE(json.at("LogEvidence").is_null());
  EXPECT_FALSE(json.contains("SwitchProbability"));
  EXPECT_FALSE(json.contains("Emission"));
  EXPECT_EQ(read_posteriors(file).participant.look_ahead, participant.look_ahead);
}

TEST(PosteriorFile, WithoutASidecarThereIsNoLookAhead) {
  const PosteriorFile file = parse_posteriors("onset\ta\tb\tdecision\n0\t0.5\t0.5\ta\n2\t0.1\t0.9\tb\n");
  EXPECT_EQ(file.participant.look_ahead, Seconds{0});
  const TrackedTrial& trial = file.participant.trials.at(0);
  EXPECT_EQ(trial.posteriors.window, Seconds{2});
  EXPECT_EQ(trial.decisions.states, (std::vector<Speaker>{0, 1}));
  EXPECT_EQ(trial.attention.attended, (std::vector<Speaker>{unknown_speaker, unknown_speaker}));
  EXPECT_EQ(parse_posteriors("a\tb\tdecision\n0.5\t0.5\ta\n").warnings.size(), 1U);
}

TEST(PosteriorFile, RefusesWhatIsNoProbability) {
  expect_bad("a\tb\tdecision\n0.5\t0.5\ta\n1.5\t-0.5\ta\n", {"row 3", "from 0 to 1"});
  expect_bad("a\tb\tdecision\nn/a\t0.5\ta\n", {"row 2", "never n/a"});
  expect_bad("a\tb\tdecision\n-inf\t1\ta\n", {"row 2", "from 0 to 1"});
  expect_bad("a\tb\tdecision\nx\t1\ta\n", {"row 2, column a", "'x'"});
  expect_bad("a\tb\tdecision\n0.5\t0.4\ta\n", {"row 2", "sum to 0.9, not to 1"});
  expect_bad("a\tb\tdecision\n0.5\t0.502\ta\n", {"row 2", "1.002"});
  EXPECT_EQ(parse_posteriors("a\tb\tdecision\n0.5\t0.501\ta\n").participant.trials.size(), 1U);
}

TEST(PosteriorFile, DigitsOfTheSidecarWidenTheSum) {
  const std::string_view table = "a\tb\tc\tdecision\n0.3\t0.3\t0.3\ta\n";
  expect_bad(table, {"sum to 0.9"}, R"({"Digits": 6})");
  EXPECT_EQ(parse_posteriors(table, R"({"Digits": 1})").participant.speakers.size(), 3U);
  expect_bad(table, {"sidecar", "Digits"}, R"({"Digits": 0})");
  expect_bad(table, {"sidecar", "Digits"}, R"({"Digits": 18})");
  expect_bad(table, {"sidecar", "Digits"}, R"({"Digits": 1.5})");
}

TEST(PosteriorFile, NeedsADecisionForEveryWindow) {
  expect_bad("a\tb\n0.5\t0.5\n", {"row 1", "decision is missing"});
  expect_bad("a\tb\tdecision\n0.5\t0.5\ta\n0.5\t0.5\tn/a\n", {"row 3", "needs a decision"});
  expect_bad("a\tb\tdecision\n0.5\t0.5\tc\n", {"row 2, column decision", "'c'", "a, b"});
}

TEST(PosteriorFile, RefusesGapsAndOtherSpacing) {
  expect_bad("onset\ta\tb\tdecision\n0\t1\t0\ta\n1\t1\t0\ta\n3\t1\t0\ta\n", {"row 4", "windows are missing"});
  expect_bad("onset\ta\tb\tdecision\n0\t1\t0\ta\n1\t1\t0\ta\n2\t1\t0\ta\n2.5\t1\t0\ta\n",
             {"row 5, column onset", "overlaps"});
}

TEST(PosteriorFile, RefusesABadSidecar) {
  const std::string_view table = "a\tb\tdecision\n0.5\t0.5\ta\n";
  expect_bad(table, {"sidecar", "LookAhead", "negative"}, R"({"LookAhead": -1})");
  expect_bad(table, {"sidecar", "LookAhead", "number"}, R"({"LookAhead": "long"})");
  expect_bad(table, {"sidecar", "JSON"}, "x");
}

TEST(PosteriorFile, RefusesToWriteWhatItWouldNotRead) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a_posterior.tsv";
  const auto refuse = [&](const TrackedParticipant& participant, std::string_view word) {
    expect_error(ErrorKind::invalid_argument, {word}, [&] { write_posteriors(file, participant); });
    EXPECT_TRUE(folder.names().empty());
  };
  TrackedParticipant participant = make_participant();
  participant.trials[0].posteriors.values(3, 0) = std::numeric_limits<double>::quiet_NaN();
  refuse(participant, "probability");
  participant = make_participant();
  participant.trials[1].decisions.states[5] = unknown_speaker;
  refuse(participant, "label");
  participant.trials[1].decisions.states.clear();
  refuse(participant, "label");
}

TEST(PosteriorFile, ErrorsNameTheFile) {
  const TemporaryFolder folder;
  const auto bad = folder.write("x_posterior.tsv", "a\tb\tdecision\n1\t1\ta\n");
  expect_error(ErrorKind::bad_data, {bad.string() + ": row 2"}, [&] { (void)read_posteriors(bad); });
  expect_error(ErrorKind::not_found, {"no.tsv"}, [&] { (void)read_posteriors(folder.path() / "no.tsv"); });
  expect_error(ErrorKind::cannot_create, {"no/out.tsv"},
               [&] { write_posteriors(folder.path() / "no/out.tsv", make_participant()); });
}

TEST(PosteriorFile, GoesThroughStandardStreams) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "stream";
  {
    const test::Redirect output(STDOUT_FILENO, file, O_WRONLY | O_CREAT);
    write_posteriors("-", make_participant());
  }
  const test::Redirect input(STDIN_FILENO, file, O_RDONLY);
  EXPECT_EQ(read_posteriors("-").participant.trials.size(), 2U);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"stream"});
}

}  // namespace
}  // namespace heed::io
