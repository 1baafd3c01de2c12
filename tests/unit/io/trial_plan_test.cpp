// SPDX-License-Identifier: MIT
// Events to trials: bounds, pieces, attention, and everything that can be wrong between rows.
#include <gtest/gtest.h>
#include <io/bids/events_file.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "support/expect_error.h"

namespace heed::io {
namespace {

using test::expect_error;

RecordingHeader recording(double seconds, double rate = 64) {
  RecordingHeader header;
  header.sampling_frequency = Hertz{rate};
  header.samples = std::llround(seconds * rate);
  return header;
}

// Rows "onset duration trial_type speaker [trial]", by spaces; the n-th is row n + 1 of its file.
ListeningEvents rows(const std::vector<std::string>& lines) {
  const bool trials = std::count(lines.front().begin(), lines.front().end(), ' ') == 4;
  std::string text = "onset\tduration\ttrial_type\tspeaker\t";
  text += trials ? "trial\tstim_file\n" : "stim_file\n";
  for (std::string line : lines) {
    std::replace(line.begin(), line.end(), ' ', '\t');
    text += line + "\tx.wav\n";
  }
  return parse_events(text);
}

void expect_bad(const std::vector<std::string>& lines, const RecordingHeader& header,
                std::initializer_list<std::string_view> words) {
  expect_error(ErrorKind::bad_data, words, [&] { (void)plan_trials(rows(lines), header); });
}

std::vector<Problem> warnings(const std::vector<std::string>& lines, const RecordingHeader& header) {
  std::vector<Problem> found;
  for (const Problem& problem : check_trials(rows(lines), header).problems) {
    EXPECT_EQ(problem.severity, Severity::warning) << problem.text();
    found.push_back(problem);
  }
  return found;
}

TEST(TrialPlan, RunsFromTheLatestFirstOnsetToTheEarliestLastEnd) {
  const auto trials = plan_trials(
      rows({"1 20 stimulus left", "2 10 stimulus right", "13 5 stimulus right", "0 30 attend right"}), recording(100));
  ASSERT_EQ(trials.size(), 1U);
  const TrialPlan& trial = trials[0];
  EXPECT_EQ(trial.name, "");
  EXPECT_EQ(trial.first_sample, 2 * 64);
  EXPECT_EQ(trial.samples, (18 - 2) * 64);
  EXPECT_EQ(trial.onset, Seconds{2});
  EXPECT_EQ(trial.duration, Seconds{16});
  ASSERT_EQ(trial.speakers.size(), 2U);
  EXPECT_EQ(trial.speakers[0].name, "left");
  EXPECT_EQ(trial.speakers[1].name, "right");
  ASSERT_EQ(trial.speakers[1].pieces.size(), 2U);
  ASSERT_EQ(trial.attention.size(), 1U);
  EXPECT_EQ(trial.attention[0].speaker, 1);
  EXPECT_EQ(trial.attention[0].onset, Seconds{2});  // cut to the trial
  EXPECT_EQ(trial.attention[0].duration, Seconds{16});
}

TEST(TrialPlan, BeginsOnASampleAndEndsWithTheEeg) {
  // 0.51 s is sample 32.64 at 64 Hz: the first sample in the trial is 33. The EEG has 10 s.
  const CheckedPlan plan = check_trials(rows({"0.51 20 stimulus a", "0 20 stimulus b", "0 5 attend a"}), recording(10));
  ASSERT_EQ(plan.trials.size(), 1U);
  EXPECT_EQ(plan.trials[0].first_sample, 33);
  EXPECT_EQ(plan.trials[0].samples, 640 - 33);
  EXPECT_EQ(plan.trials[0].onset, Seconds{33.0 / 64});
  ASSERT_EQ(plan.problems.size(), 1U);
  EXPECT_EQ(plan.problems[0].severity, Severity::warning);
  EXPECT_NE(plan.problems[0].message.find("10 s after the EEG has ended"), std::string::npos);
}

TEST(TrialPlan, SoundBeforeTheEegIsRunIn) {
  const auto trials = plan_trials(rows({"-5 20 stimulus a", "-3 20 stimulus b", "-3 20 attend a"}), recording(100));
  EXPECT_EQ(trials.at(0).first_sample, 0);
  EXPECT_EQ(trials.at(0).samples, 15 * 64);
  EXPECT_EQ(trials.at(0).attention.at(0).onset, Seconds{0});
}

// An onset of a third of a second with six digits is the sample at a third of a second.
TEST(TrialPlan, RoundedTimesMeanTheSampleTheyWereMadeOf) {
  const auto trials = plan_trials(
      rows({"0.333333 0.666667 stimulus a", "0.333334 0.666666 stimulus b", "0 1 attend a"}), recording(10, 300));
  EXPECT_EQ(trials.at(0).first_sample, 100);
  EXPECT_EQ(trials.at(0).samples, 200);
}

// Talkers who swap sides: the state is the side, its sound comes from one file and then from the other.
TEST(TrialPlan, SidesSwapByPieces) {
  const ListeningEvents events = parse_events(
      "onset\tduration\ttrial_type\tspeaker\tstim_file\tstim_onset\n"
      "0\t300\tstimulus\tleft\tanna.wav\t0\n"
      "0\t300\tstimulus\tright\tbert.wav\t0\n"
      "300\t300\tstimulus\tleft\tbert.wav\t300\n"
      "300\t300\tstimulus\tright\tanna.wav\t300\n"
      "0\t300\tattend\tleft\tn/a\tn/a\n"
      "300\t300\tattend\tright\tn/a\tn/a\n");
  const auto trials = plan_trials(events, recording(600));
  ASSERT_EQ(trials.size(), 1U);
  EXPECT_EQ(trials[0].samples, 600 * 64);
  for (const std::size_t side : {0U, 1U}) {
    const auto& pieces = trials[0].speakers.at(side).pieces;
    ASSERT_EQ(pieces.size(), 2U);
    EXPECT_EQ(pieces[0].file, side == 0 ? "anna.wav" : "bert.wav");
    EXPECT_EQ(pieces[1].file, side == 0 ? "bert.wav" : "anna.wav");
    EXPECT_EQ(pieces[1].file_onset, Seconds{300});
  }
  ASSERT_EQ(trials[0].attention.size(), 2U);
  EXPECT_EQ(trials[0].attention[0].speaker, 0);
  EXPECT_EQ(trials[0].attention[1].speaker, 1);
  EXPECT_EQ(trials[0].attention[1].onset, Seconds{300});
}

TEST(TrialPlan, TrialsAreToldApartByTheirColumn) {
  const auto trials = plan_trials(rows({"10 5 stimulus b second", "10 5 stimulus a second", "0 5 stimulus a first",
                                        "1 5 stimulus b first", "1 2 attend b first", "12 9 attend a second"}),
                                  recording(100));
  ASSERT_EQ(trials.size(), 2U);
  EXPECT_EQ(trials[0].name, "second");
  EXPECT_EQ(trials[0].speakers[0].name, "b");
  EXPECT_EQ(trials[1].speakers[0].name, "b");  // one order for the run
  EXPECT_EQ(trials[0].attention.at(0).speaker, 1);
  EXPECT_EQ(trials[0].attention.at(0).duration, Seconds{3});
  EXPECT_EQ(trials[1].attention.at(0).onset, Seconds{1});
  EXPECT_EQ(trials[1].first_sample, 64);
  EXPECT_EQ(trials[1].samples, 4 * 64);
}

TEST(TrialPlan, NobodyMayBeAttendedWhoMakesNoSound) {
  expect_bad({"0 9 stimulus a", "0 9 stimulus b", "0 9 attend c"}, recording(9),
             {"row 4", "column speaker", "'c'", "makes no sound", "stimulus rows: a, b"});
  expect_bad({"0 9 stimulus a 1", "0 9 stimulus b 1", "0 9 attend a 2"}, recording(9),
             {"row 4", "column trial", "'2'", "no stimulus row"});
}

TEST(TrialPlan, AttentionMayNotOverlap) {
  expect_bad({"0 9 stimulus a", "0 9 stimulus b", "0 5 attend a", "4.9 2 attend b"}, recording(9),
             {"row 5", "'b' from 4.9 s overlaps", "'a' of row 4", "ends at 5 s"});
  // The long one reaches over a short one to a third.
  expect_bad({"0 9 stimulus a", "0 9 stimulus b", "0 8 attend a", "1 1 attend b"}, recording(9), {"row 5", "row 4"});
  expect_bad({"0 9 stimulus a", "0 9 stimulus b", "5 2 attend a", "5 2 attend a"}, recording(9), {"row 5"});
  // Times written with three digits meet within half a sample.
  EXPECT_EQ(
      plan_trials(rows({"0 9 stimulus a", "0 9 stimulus b", "0 3.334 attend a", "3.333 3 attend b"}), recording(9))
          .at(0)
          .attention.size(),
      2U);
}

TEST(TrialPlan, EveryTrialHasTheSameSpeakers) {
  expect_bad({"0 5 stimulus a 1", "0 5 stimulus b 1", "5 4 stimulus a 2"}, recording(9),
             {"row 4", "trial '2' has no sound of 'b'", "same speakers"});
}

TEST(TrialPlan, TrialsMayNotShareEeg) {
  expect_bad({"0 5 stimulus a 1", "0 5 stimulus b 1", "4 4 stimulus a 2", "4 4 stimulus b 2"}, recording(9),
             {"row 4", "trial '2' begins before trial '1' has ended"});
}

TEST(TrialPlan, SoundAndEegMustMeet) {
  expect_bad({"20 5 stimulus a", "20 5 stimulus b"}, recording(9), {"row 2", "outside the EEG", "lasts 9 s"});
  expect_bad({"0 4 stimulus a", "5 4 stimulus b"}, recording(9), {"row 2", "ends (4 s) before another begins (5 s)"});
  expect_error(ErrorKind::bad_data, {"no stimulus row"}, [] { (void)plan_trials({}, recording(9)); });
  expect_error(ErrorKind::bad_data, {"no samples"},
               [] { (void)plan_trials(rows({"0 4 stimulus a"}), RecordingHeader{}); });
}

// 20 s of samples in two pieces, with a pause from 10 s to 15 s.
TEST(TrialPlan, APauseOfTheRecordingEndsATrial) {
  RecordingHeader header = recording(20);
  header.segments = {{Seconds{0}, 0, 640}, {Seconds{15}, 640, 640}};
  const auto trials = plan_trials(rows({"16 4 stimulus a", "16 4 stimulus b", "16 4 attend a"}), header);
  EXPECT_EQ(trials.at(0).first_sample, 640 + 64);
  EXPECT_EQ(trials.at(0).onset, Seconds{16});
  EXPECT_EQ(trials.at(0).samples, 4 * 64);
  expect_bad({"5 12 stimulus a", "5 12 stimulus b"}, header, {"row 2", "pause", "before 15 s", "two trials"});
  // Segments that follow at once are no pause.
  header.segments = {{Seconds{0}, 0, 640}, {Seconds{10}, 640, 640}};
  EXPECT_EQ(plan_trials(rows({"5 10 stimulus a", "5 10 stimulus b"}), header).at(0).samples, 640);
}

TEST(TrialPlan, WarnsOfWhatIsPerhapsNotMeant) {
  const std::vector<std::string> two{"0 9 stimulus a", "0 9 stimulus b"};
  const auto said = [&](const std::vector<std::string>& lines, const std::string& word, std::size_t row) {
    const auto found = warnings(lines, recording(9));
    ASSERT_EQ(found.size(), 1U) << word;
    EXPECT_NE(found[0].text().find(word), std::string::npos) << found[0].text();
    EXPECT_EQ(found[0].row, row);
  };
  EXPECT_TRUE(warnings({two[0], two[1], "0 9 attend a"}, recording(9)).empty());
  said(two, "no attend row", 2);
  said({two[0], "0 9 attend a"}, "one speaker", 2);
  said({"0 .5 stimulus a", "0 .5 stimulus b", "0 1 attend a"}, "lasts 0.5 s", 2);
  said({two[0], two[1], "0 9 attend a", "9.5 1 attend b"}, "outside the run", 5);
  said({two[0], two[1], two[0], "0 9 attend a"}, "appears twice", 4);
}

TEST(TrialPlan, TellsEverythingAtOnce) {
  const CheckedPlan plan =
      check_trials(rows({"0 5 stimulus a 1", "0 5 stimulus b 1", "6 2 stimulus a 2", "90 5 stimulus a 3",
                         "90 5 stimulus b 3", "0 2 attend c 1", "1 2 attend a 1"}),
                   recording(9));
  std::vector<std::size_t> found;
  for (const Problem& problem : plan.problems) {
    if (problem.severity == Severity::error) found.push_back(problem.row);
  }
  EXPECT_EQ(found, (std::vector<std::size_t>{7, 8, 4, 5}));
  EXPECT_EQ(plan.trials.size(), 1U);
}

// Whatever the times: a trial lies in the EEG and in every speaker's sound, and cannot be made longer.
RC_GTEST_PROP(TrialPlanLaws, TrialIsTheLargestStretchAllShare, ()) {
  const double rate = *rc::gen::element(64.0, 100.0, 512.0, 128.0 / 3);
  const auto samples = *rc::gen::inRange<Index>(1, 5000);
  RecordingHeader header;
  header.sampling_frequency = Hertz{rate};
  header.samples = samples;
  ListeningEvents events;
  double begin = -1e9;
  double end = 1e9;
  for (const char* speaker : {"a", "b"}) {
    double first = 1e9;
    double last = -1e9;
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
      const double onset = *rc::gen::inRange(-2000, 20000) / 1000.0;
      const double duration = *rc::gen::inRange(1, 30000) / 1000.0;
      events.stimuli.push_back({speaker, Seconds{onset}, Seconds{duration}, "x", {}, {}, ""});
      first = std::min(first, onset);
      last = std::max(last, onset + duration);
    }
    begin = std::max(begin, first);
    end = std::min(end, last);
  }
  // The oracle walks over the samples.
  Index first_sample = -1;
  Index count = 0;
  for (Index i = 0; i < samples; ++i) {
    const double at = static_cast<double>(i) / rate;
    if (at < begin - 0.01 / rate || at + 1 / rate > end + 0.01 / rate + 1e-9) continue;
    if (first_sample < 0) first_sample = i;
    ++count;
  }
  const CheckedPlan plan = check_trials(events, header);
  RC_ASSERT(plan.trials.size() == (count > 0 ? 1U : 0U));
  if (count == 0) return;
  RC_ASSERT(plan.trials[0].first_sample == first_sample);
  RC_ASSERT(plan.trials[0].samples == count);
}

}  // namespace
}  // namespace heed::io
