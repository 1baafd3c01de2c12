// SPDX-License-Identifier: MIT
// The listener whose attention is moved from outside: what it sends, and that a session finds out.
#include <gtest/gtest.h>
#include <heed/io/sound_file.h>
#include <heed/live/session.h>
#include <live/run.h>
#include <live/sources/open_source.h>
#include <live/sources/simulated_listener.h>
#include <pipeline/preparation/simulated_cohort.h>
#include <pipeline/scoring/training.h>

#include <cmath>
#include <vector>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::live {
namespace {

sim::RecordingCohortOptions small_cohort() {
  sim::RecordingCohortOptions options;
  options.participants = 1;
  options.trials = 1;
  options.trial = {20};
  options.channels = sim::electrodes(19);
  options.sampling_frequency = {64};
  options.sound_frequency = {8000};
  return options;
}

SimulatedListener small_listener(Seconds duration) {
  return {{.cohort = small_cohort(), .duration = duration}, simulated_talkers(small_cohort(), {3})};
}

TEST(SimulatedListener, SendsSoundAndEegWithoutAGapBeyondTheEndOfItsVoices) {
  SimulatedListener source = small_listener({7});
  const std::vector<Talker> talkers = simulated_talkers(small_cohort(), {3});
  EXPECT_EQ(source.description().speakers, (std::vector<std::string>{"left", "right"}));
  Block block;
  std::vector<Index> rows(3);
  while (source.next(block, {0}) == Arrival::block) {
    if (block.kind == BlockKind::attended) continue;
    const bool eeg = block.kind == BlockKind::eeg;
    Index& sent = rows[eeg ? 2 : static_cast<std::size_t>(block.feed)];
    EXPECT_NEAR(block.stamp->value, static_cast<double>(sent) / (eeg ? 64 : 8000), 1e-9);
    if (!eeg && block.feed == 1) {
      const auto place = static_cast<std::size_t>(sent) % talkers[1].sound.samples.size();
      EXPECT_EQ(block.samples.front(), talkers[1].sound.samples[place]);
    }
    sent += block.rows;
  }
  EXPECT_EQ(rows, (std::vector<Index>{7 * 8000, 7 * 8000, 7 * 64}));
}

TEST(SimulatedListener, SaysWhereAttentionMovesAndLosesTheEegAlone) {
  SimulatedListener source = small_listener({6});
  Block block;
  std::vector<std::pair<double, Speaker>> marks;
  double last_eeg = -1;
  double longest_gap = 0;
  while (source.next(block, {0}) == Arrival::block) {
    if (block.kind == BlockKind::attended) marks.emplace_back(block.stamp->value, block.speaker);
    if (block.kind == BlockKind::eeg) {
      if (last_eeg >= 0) longest_gap = std::max(longest_gap, block.stamp->value - last_eeg);
      last_eeg = block.stamp->value;
    }
    if (block.kind == BlockKind::sound && block.feed == 1 && std::abs(block.stamp->value - 2) < 1e-9) {
      source.attend(1);
      source.lose_eeg({1.5});
    }
  }
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_EQ(marks[0], (std::pair<double, Speaker>(0, 0)));
  EXPECT_EQ(marks[1].second, 1);
  EXPECT_NEAR(marks[1].first, 2.05, 1e-9);
  EXPECT_NEAR(longest_gap, 1.55, 0.051);
}

// Nobody is there: attention goes round. A choice stays for a while.
TEST(SimulatedListener, WandersUntilSomebodyChooses) {
  sim::RecordingCohortOptions cohort = small_cohort();
  cohort.speakers = 3;
  SimulatedListener source(
      {.cohort = cohort, .duration = Seconds{16}, .wandering = Wandering{.every = {2}, .after_choice = {5}}},
      simulated_talkers(cohort, {3}));
  Block block;
  std::vector<std::pair<double, Speaker>> marks;
  bool chosen = false;
  while (source.next(block, {0}) == Arrival::block) {
    if (block.kind == BlockKind::attended) marks.emplace_back(block.stamp->value, block.speaker);
    if (!chosen && block.kind == BlockKind::eeg && block.stamp->value > 6.9) {
      source.attend(1);
      chosen = true;
    }
  }
  const std::vector<std::pair<double, Speaker>> expected{{0, 0}, {2, 1}, {4, 2}, {6, 0}, {7, 1}, {12, 2}, {14, 0}};
  ASSERT_EQ(marks.size(), expected.size());
  for (std::size_t k = 0; k < marks.size(); ++k) {
    EXPECT_NEAR(marks[k].first, expected[k].first, 0.051) << k;
    EXPECT_EQ(marks[k].second, expected[k].second) << k;
  }
}

struct Course final : Sink {
  void decided(const Decision& decision) override {
    if (!decision.held && decision.attended != unknown_speaker) {
      ++heard;
      const auto attended = static_cast<std::size_t>(decision.attended);
      right += decision.scores[attended] > decision.scores[1 - attended] ? 1 : 0;
    }
    decisions.push_back(decision.decision);
    gains.assign(decision.gains.begin(), decision.gains.end());
  }
  void relaxed(const Relaxation& relaxation) override {
    gains.assign(relaxation.gains.begin(), relaxation.gains.end());
    unknown = unknown || relaxation.standing == Standing::unknown;
  }
  bool unknown = false;
  Index heard = 0;  // windows with evidence
  Index right = 0;  // of them, in which the attended speaker has the higher score
  std::vector<Speaker> decisions{};
  std::vector<double> gains{};
};

// Of two minutes of the listener, in other trials than the one that is sent.
Decoder trained_on_two_minutes(sim::RecordingCohortOptions cohort) {
  cohort.trials = 2;
  cohort.trial = {60};
  cohort.interval = {{20}, {20}};
  const pipeline::DecoderChoice choice = pipeline::resolve(
      {.recipe = pipeline::Recipe::onset, .kind = pipeline::DecoderKind::least_squares, .filters = FilterMode::causal});
  const auto prepared = pipeline::SimulatedCohort(cohort).prepare(0, choice.preprocessing);
  auto trials = pipeline::scaled_trials(prepared, choice);
  return pipeline::train(1, [&](std::size_t) { return trials; }, choice, {1}).decoder;
}

// The EEG goes while the sound goes on: gains become equal all the same.
TEST(SimulatedListener, ASessionFindsOutWhoIsAttendedAndRelaxesWithoutEeg) {
  sim::RecordingCohortOptions cohort = small_cohort();
  // Of listeners of this strength, 19 channels and two minutes of training decode 0.86 of the windows (0.79 to 0.92 for
  // six of them), so 18 windows together are wrong once in 10^5. With a strength of 3 it would be 0.67, and once in 25.
  cohort.signal = 12;
  cohort.trials = 2;
  const Decoder decoder = trained_on_two_minutes(cohort);
  SimulatedListener source({.cohort = cohort, .duration = Seconds{60}}, simulated_talkers(cohort, {30}));
  Session session(source.description(), {.decoder = decoder});
  Course course;
  Block block;
  bool equal_without_eeg = false;
  while (source.next(block, {0}) == Arrival::block) {
    const Seconds now = block.stamp.value_or(Seconds{0});
    if (block.kind == BlockKind::sound && block.feed == 0) {
      if (std::abs(now.value - 20) < 1e-9) source.attend(1);
      if (std::abs(now.value - 45) < 1e-9) source.lose_eeg({10});
      if (std::abs(now.value - 54) < 1e-9) equal_without_eeg = course.gains[0] == course.gains[1];
    }
    session.push(block, now, course);
    session.wait(now, course);
  }
  ASSERT_GT(course.decisions.size(), 50U);
  // 0.79, less three standard deviations of a binomial proportion.
  EXPECT_GT(static_cast<double>(course.right), 0.62 * static_cast<double>(course.heard));
  EXPECT_EQ(course.decisions[18], 0);
  EXPECT_EQ(course.decisions[42], 1);
  EXPECT_TRUE(course.unknown);
  EXPECT_TRUE(equal_without_eeg);
  EXPECT_EQ(session.counts().clock.gaps, 1);
}

TEST(TalkersFromFiles, DriveTheBrainByTheirLoudness) {
  const test::TemporaryFolder folder;
  Sound sound{.sampling_frequency = {8000}};
  for (int n = 0; n < 12 * 8000 + 77; ++n) {
    const bool loud = n / 4000 % 2 == 0;
    sound.samples.push_back((loud ? 0.5F : 0.05F) * static_cast<float>(std::sin(0.5 * n)));
  }
  io::write_audio(folder.path() / "a.wav", sound);
  io::write_audio(folder.path() / "b.wav", sound);
  const std::vector<std::filesystem::path> files{folder.path() / "a.wav", folder.path() / "b.wav"};
  const std::vector<Talker> talkers = talkers_from_files(small_cohort(), files);
  ASSERT_EQ(talkers.size(), 2U);
  EXPECT_EQ(talkers[0].name, "left");
  EXPECT_EQ(talkers[0].sound.samples.size(), 12U * 8000U);
  EXPECT_EQ(talkers[0].envelope.size(), 12 * 64);
  EXPECT_NEAR(talkers[0].envelope.mean(), 0, 1e-12);
  EXPECT_NEAR(talkers[0].envelope.squaredNorm() / (12 * 64), 1, 1e-12);
  EXPECT_GT(talkers[0].envelope[16], 0.9);   // 0.25 s: loud
  EXPECT_LT(talkers[0].envelope[48], -0.9);  // 0.75 s: quiet
}

TEST(TalkersFromFiles, RefuseWhatNobodyCouldListenTo) {
  const test::TemporaryFolder folder;
  Sound sound{.sampling_frequency = {8000}, .samples = std::vector<float>(8000 * 12)};
  io::write_audio(folder.path() / "silent.wav", sound);
  sound.samples.resize(8000);
  io::write_audio(folder.path() / "short.wav", sound);
  const auto files = [&](const char* name) { return std::vector<std::filesystem::path>(2, folder.path() / name); };
  test::expect_error(ErrorKind::bad_data, {"nothing can be heard"},
                     [&] { (void)talkers_from_files(small_cohort(), files("silent.wav")); });
  test::expect_error(ErrorKind::bad_data, {"at least 10 s"},
                     [&] { (void)talkers_from_files(small_cohort(), files("short.wav")); });
  test::expect_error(ErrorKind::not_found, {"none.wav"},
                     [&] { (void)talkers_from_files(small_cohort(), files("none.wav")); });
  test::expect_error(ErrorKind::invalid_argument, {"give one for each"},
                     [&] { (void)talkers_from_files(small_cohort(), std::vector<std::filesystem::path>(3)); });
}

}  // namespace
}  // namespace heed::live
