// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/random.h>
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

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

ScoredParticipant make_participant() {
  RandomStream random(1);
  ScoredParticipant participant;
  participant.id = "01";
  participant.speakers = {"left", "m\xc3\xa4nnlich", "third one"};
  participant.type = ScoreType::log_odds;
  for (const std::string name : {"a", "b"}) {
    ScoredTrial trial{name, Seconds{random.normal()}, {Matrix(50, 3), Seconds{1.0 / 3}}, {}};
    for (Index t = 0; t < 50; ++t) {
      for (Index j = 0; j < 3; ++j) trial.scores.values(t, j) = random.normal() * 1e-3;
      trial.attention.attended.push_back(static_cast<Speaker>(random.integer(-1, 2)));
    }
    trial.scores.values.row(7).setConstant(nan);
    trial.scores.values(8, 1) = -std::numeric_limits<double>::infinity();
    participant.trials.push_back(trial);
  }
  return participant;
}

void expect_same(const Matrix& a, const Matrix& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  for (Index i = 0; i < a.size(); ++i) {
    const double x = a.data()[i];
    const double y = b.data()[i];
    if (std::isnan(x) || std::isinf(x)) {
      EXPECT_EQ(std::isnan(x), std::isnan(y));
      EXPECT_EQ(std::isinf(x), std::isinf(y));
    } else {
      EXPECT_LE(std::abs(x - y), tolerance * std::abs(x));
    }
  }
}

TEST(ScoreWrite, SeventeenDigitsReadBackExactly) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "sub-01_scores.tsv";
  const ScoredParticipant written = make_participant();
  write_scores(file, written, {.digits = 17});
  const ScoreFile read = read_scores(file);
  EXPECT_TRUE(read.warnings.empty());
  EXPECT_EQ(read.participant.id, "01");
  EXPECT_EQ(read.participant.speakers, written.speakers);
  EXPECT_EQ(read.participant.type, written.type);
  ASSERT_EQ(read.participant.trials.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    const ScoredTrial& a = written.trials[k];
    const ScoredTrial& b = read.participant.trials[k];
    EXPECT_EQ(b.name, a.name);
    EXPECT_EQ(b.onset, a.onset);
    EXPECT_EQ(b.scores.window, a.scores.window);
    EXPECT_EQ(b.attention.attended, a.attention.attended);
    expect_same(a.scores.values, b.scores.values, 0);
  }
}

TEST(ScoreWrite, OverlappingWindowsReadBackWithAndWithoutTheSidecar) {
  const test::TemporaryFolder folder;
  ScoredParticipant written{"01", {"a", "b"}, ScoreType::correlation, {}};
  written.trials.push_back({"", Seconds{3}, {Matrix::Constant(5, 2, 0.5), Seconds{1}, Seconds{0.25}}, {}});
  written.trials[0].attention.attended.assign(5, 1);
  const auto file = folder.path() / "sub-01_scores.tsv";
  write_scores(file, written);
  const ScoreFile read = read_scores(file);
  EXPECT_TRUE(read.warnings.empty());
  EXPECT_EQ(read.participant.window(), Seconds{1});
  EXPECT_EQ(read.participant.hop(), Seconds{0.25});
  std::filesystem::remove(folder.path() / "sub-01_scores.json");
  EXPECT_EQ(read_scores(file).participant.hop(), Seconds{0.25}) << "the column duration tells";
  written.trials[0].scores.hop = Seconds{2};
  test::expect_error(ErrorKind::invalid_argument, {"hop", "no longer than the window"},
                     [&] { write_scores(file, written); });
}

TEST(ScoreWrite, FewDigitsRoundScoresButNotTheClock) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "sub-01_scores.tsv";
  for (const int digits : {1, 2, 6, 16}) {
    ScoredParticipant written = make_participant();
    written.trials[0].onset = Seconds{123456.789};
    write_scores(file, written, {.digits = digits});
    const ScoreFile read = read_scores(file);
    const ScoredTrial& trial = read.participant.trials.at(0);
    EXPECT_EQ(trial.onset, Seconds{123456.789});
    EXPECT_EQ(trial.scores.window, Seconds{1.0 / 3});
    expect_same(written.trials[0].scores.values, trial.scores.values, 5.0000001 * std::pow(10.0, -digits));
  }
}

TEST(ScoreWrite, TheTableIsPlain) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "x_scores.tsv";
  ScoredParticipant participant;
  participant.speakers = {"left", "right"};
  Matrix values(4, 2);
  values << 0.1, 0.123456789, nan, nan, -1, 1e-9, 0, 3;
  participant.trials.push_back({"", Seconds{0}, {values, Seconds{0.1}}, {{0, -1, 1, 1}}});
  write_scores(file, participant);
  EXPECT_EQ(read_text_file(file),
            "onset\tleft\tright\tattended\n"
            "0\t0.1\t0.123457\tleft\n"
            "0.1\tn/a\tn/a\tn/a\n"
            "0.2\t-1\t1e-09\tright\n"
            "0.3\t0\t3\tright\n");
  participant.trials[0].name = "first";
  participant.trials[0].attention.attended.assign(4, unknown_speaker);
  write_scores(file, participant, {.digits = 2});
  EXPECT_EQ(read_text_file(file),
            "onset\ttrial\tleft\tright\n"
            "0\tfirst\t0.1\t0.12\n"
            "0.1\tfirst\tn/a\tn/a\n"
            "0.2\tfirst\t-1\t1e-09\n"
            "0.3\tfirst\t0\t3\n");
}

TEST(ScoreWrite, TheSidecarSaysWhatTheNumbersAre) {
  const TemporaryFolder folder;
  write_scores(folder.path() / "sub-01_scores.tsv", make_participant());
  const auto json = nlohmann::json::parse(read_text_file(folder.path() / "sub-01_scores.json"));
  EXPECT_EQ(json.at("WindowLength"), 1.0 / 3);
  EXPECT_EQ(json.at("ScoreType"), "log-odds");
  EXPECT_TRUE(json.at("HeedVersion").is_string());
  EXPECT_EQ(json.at("onset").at("Units"), "s");
  EXPECT_TRUE(json.at("m\xc3\xa4nnlich").at("Description").is_string());
  EXPECT_TRUE(json.at("attended").contains("Description"));
}

TEST(ScoreWrite, ASpeakerMayBeCalledLikeAKey) {
  const TemporaryFolder folder;
  ScoredParticipant participant = make_participant();
  participant.speakers[0] = "WindowLength";
  write_scores(folder.path() / "a_scores.tsv", participant);
  EXPECT_EQ(read_scores(folder.path() / "a_scores.tsv").participant.trials.at(0).scores.window, Seconds{1.0 / 3});
}

TEST(ScoreWrite, StandardOutputGetsTheTableOnly) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "out";
  {
    const test::Redirect output(STDOUT_FILENO, file, O_WRONLY | O_CREAT);
    write_scores("-", make_participant());
  }
  EXPECT_EQ(parse_scores(read_text_file(file)).participant.trials.size(), 2U);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"out"});
}

void expect_refused(const ScoredParticipant& participant, std::string_view word, int digits = 6) {
  const TemporaryFolder folder;
  expect_error(ErrorKind::invalid_argument, {word},
               [&] { write_scores(folder.path() / "a_scores.tsv", participant, {.digits = digits}); });
  EXPECT_TRUE(folder.names().empty());
}

// A participant with one thing changed.
template <typename Change>
ScoredParticipant but(Change change) {
  ScoredParticipant participant = make_participant();
  change(participant);
  return participant;
}

TEST(ScoreWrite, RefusesNamesTheReaderWouldNotTake) {
  expect_refused(but([](auto& p) { p.speakers[0] = ""; }), "no name");
  expect_refused(but([](auto& p) { p.speakers[0] = "a\tb"; }), "tabs");
  expect_refused(but([](auto& p) { p.speakers[0] = "n/a"; }), "n/a");
  expect_refused(but([](auto& p) { p.speakers[0] = p.speakers[1]; }), "two speakers");
  expect_refused(but([](auto& p) { p.speakers[0] = "trial"; }), "reserved");
  expect_refused(but([](auto& p) { p.speakers[0] = "Onset"; }), "reserved");
  expect_refused(but([](auto& p) { p.trials[1].name = ""; }), "no name");
  expect_refused(but([](auto& p) { p.trials[1].name = "a"; }), "two trials");
  expect_refused(but([](auto& p) { p.trials[1].name = "a\nb"; }), "line ends");
}

TEST(ScoreWrite, RefusesShapesAndNumbersTheReaderWouldNotTake) {
  expect_refused(but([](auto& p) { p.trials.clear(); }), "no trials");
  expect_refused(but([](auto& p) { p.speakers.resize(1); }), "two speakers");
  expect_refused(but([](auto& p) { p.speakers.pop_back(); }), "one column");
  expect_refused(but([](auto& p) { p.trials[0].scores.values.resize(0, 3); }), "no windows");
  expect_refused(but([](auto& p) { p.trials[0].attention.attended.pop_back(); }), "label");
  expect_refused(but([](auto& p) { p.trials[0].attention.attended[0] = 3; }), "label");
  expect_refused(but([](auto& p) { p.trials[0].attention.attended[0] = -2; }), "label");
  expect_refused(but([](auto& p) { p.trials[1].scores.window = p.trials[1].scores.hop = Seconds{1}; }),
                 "one window length");
  expect_refused(but([](auto& p) { p.trials[0].scores.window = p.trials[0].scores.hop = Seconds{0}; }),
                 "longer than 0");
  expect_refused(but([](auto& p) { p.trials[0].onset = Seconds{nan}; }), "onset");
  expect_refused(make_participant(), "digits", 0);
  expect_refused(make_participant(), "digits", 18);
  const TemporaryFolder folder;
  expect_error(ErrorKind::invalid_argument, {"sidecar"},
               [&] { write_scores(folder.path() / "a.json", make_participant()); });
}

}  // namespace
}  // namespace heed::io
