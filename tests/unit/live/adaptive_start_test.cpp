// SPDX-License-Identifier: MIT
// A session without a calibration: the bits of the offline decoder that learns, in any pieces and by any thread; what
// is kept is gone on from; what does not fit is refused.
#include <gtest/gtest.h>
#include <heed/io/model_file.h>
#include <live/adaptive_start.h>
#include <live/learner.h>
#include <pipeline/scoring/adaptive_listening.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>

#include "support/allocation_counter.h"
#include "support/expect_error.h"
#include "support/live_cases.h"

namespace heed::live {
namespace {

// Six listeners of two runs, the population of the last five, and what the first is replayed as.
struct Stage {
  Stage()
      : folder([] {
          auto options = test::LiveFolder::usual();
          options.participants = 6;
          return options;
        }()) {
    pipeline::SumUpRequest sums{.folder = {.dataset = folder.dataset(), .cache = std::nullopt}};
    sums.folder.selection.participants = {"02", "03", "04", "05", "06"};
    population = std::make_shared<const Population>(*pipeline::sum_up(sums).population);
  }
  [[nodiscard]] pipeline::FolderRequest listener() const {
    pipeline::FolderRequest request{.dataset = folder.dataset(), .cache = std::nullopt};
    request.selection.participants = {"01"};
    return request;
  }
  [[nodiscard]] AdaptiveStartRequest start() const {
    return {.decoder = {.kind = pipeline::DecoderKind::least_squares, .filters = FilterMode::causal},
            .population = {.given = population, .name = "pop.json"},
            .replayed = listener()};
  }
  [[nodiscard]] SourceRequest source(const Preprocessing& preprocessing) const {
    SourceRequest request{.address = parse_address("replay:" + folder.dataset().string(), EndKind::source),
                          .decoder = Decoder{.preprocessing = preprocessing}};
    request.selection.participants = {"01"};
    return request;
  }
  test::LiveFolder folder;
  std::shared_ptr<const Population> population;
};

const Stage& stage() {
  static const Stage one;
  return one;
}

struct Seen final : Sink {
  Seen() {
    scores.reserve(10'000);
    log_likelihoods.reserve(10'000);
    standings.reserve(10'000);
  }
  void decided(const Decision& decision) override {
    scores.insert(scores.end(), decision.scores.begin(), decision.scores.end());
    log_likelihoods.insert(log_likelihoods.end(), decision.log_likelihoods.begin(), decision.log_likelihoods.end());
    standings.push_back(decision.standing);
    own_share = decision.own_share;
    equal_gains = equal_gains && decision.gains[0] == decision.gains[1];
  }
  std::vector<double> scores;
  std::vector<double> log_likelihoods;
  std::vector<Standing> standings;
  std::optional<double> own_share{};
  bool equal_gains = true;
};

Session session_for(const AdaptiveStartRequest& request, const StreamDescription& stream, Notes& notes) {
  return {stream, {.adaptive = adaptive_session(stream, request, notes)}};
}

void expect_same(const std::vector<double>& live, const std::vector<double>& offline) {
  ASSERT_EQ(live.size(), offline.size());
  for (std::size_t k = 0; k < live.size(); ++k) {
    if (std::isnan(offline[k])) {
      EXPECT_TRUE(std::isnan(live[k])) << k;
    } else {
      EXPECT_EQ(live[k], offline[k]) << k;
    }
  }
}

std::vector<double> offline_scores() {
  pipeline::ScoreRequest request{.folder = stage().listener(),
                                 .population = {.given = stage().population, .name = "pop.json"},
                                 .adaptation = pipeline::AdaptationRequest{}};
  const auto result = pipeline::score(request);
  std::vector<double> scores;
  for (const ScoredTrial& trial : result.participants.front().scores.front().trials) {
    scores.insert(scores.end(), trial.scores.values.data(), trial.scores.values.data() + trial.scores.values.size());
  }
  return scores;
}

TEST(AdaptiveStart, AReplayHasTheBitsOfTheOfflineDecoderInAnyPieces) {
  const std::vector<double> expected = offline_scores();
  ASSERT_EQ(expected.size(), 2U * 100U);
  const AdaptiveStartRequest start = stage().start();
  for (const double block : {0.05, 0.011, 3.0}) {
    SourceRequest request = stage().source(adaptive_signals(start));
    request.block = {block};
    const auto source = open_source(request);
    Notes notes;
    Session session = session_for(start, source->description(), notes);
    Learner learner(session, {});
    Seen seen;
    VirtualClock clock;
    (void)run(*source, session, seen, clock, {.speed = std::nullopt, .between_blocks = [&] { learner.look(); }});
    expect_same(seen.scores, expected);
    EXPECT_EQ(session.counts().windows, 100);
    ASSERT_TRUE(session.learnt());
    EXPECT_GT(*seen.own_share, 0.05);
    EXPECT_EQ(std::ranges::count(seen.standings, Standing::learning), 0);
    EXPECT_EQ(session.learnt_pattern().values.size(), session.channels().size() * 17);
  }
}

TEST(AdaptiveStart, FrozenItIsTheFixedDecoder) {
  AdaptiveStartRequest start = stage().start();
  start.learn = false;
  const auto source = open_source(stage().source(adaptive_signals(start)));
  Notes notes;
  Session session = session_for(start, source->description(), notes);
  Seen seen;
  VirtualClock clock;
  (void)run(*source, session, seen, clock, {.speed = std::nullopt});
  EXPECT_EQ(session.learnt()->labelled_windows, 0);
  EXPECT_EQ(*seen.own_share, 0);
}

TEST(AdaptiveStart, FromNothingItSaysThatItLearnsAndGainsStayEqual) {
  AdaptiveStartRequest start = stage().start();
  start.population = {};
  const auto source = open_source(stage().source(adaptive_signals(start)));
  Notes notes;
  Session session = session_for(start, source->description(), notes);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes.front().text.find("no population"), std::string::npos);
  Seen seen;
  VirtualClock clock;
  (void)run(*source, session, seen, clock, {.speed = std::nullopt});
  EXPECT_EQ(std::ranges::count(seen.standings, Standing::learning), 100);
  EXPECT_TRUE(seen.equal_gains);
  EXPECT_EQ(session.counts().calibrating, 100);
}

// What the first session learnt is where the second one begins, and the file of one listener is no other's.
TEST(AdaptiveStart, WhatWasKeptIsGoneOnFrom) {
  AdaptiveStartRequest start = stage().start();
  const auto path = stage().folder.file("me.json");
  decode::LearningState first;
  {
    const auto source = open_source(stage().source(adaptive_signals(start)));
    Notes notes;
    Session session = session_for(start, source->description(), notes);
    Learner learner(session, {.file = path, .listener = "01", .every = {1}});  // still busy at the end
    Seen seen;
    VirtualClock clock;
    (void)run(*source, session, seen, clock, {.speed = std::nullopt, .between_blocks = [&] { learner.look(); }});
    learner.finish();
    first = *session.learnt();
  }
  const LearntListener kept = io::read_listener(path);
  EXPECT_EQ(kept.listener, "01");
  EXPECT_NEAR(kept.learnt.labelled_windows, first.labelled_windows, 1e-9);
  const auto source = open_source(stage().source(adaptive_signals(start)));
  for (const bool with_population : {true, false}) {
    start.learnt = kept;
    if (!with_population) start.population = {};
    Notes notes;
    Session session = session_for(start, source->description(), notes);
    const decode::LearningState before = *session.learnt();
    EXPECT_NEAR(before.labelled_windows, first.labelled_windows, 1e-9);
    EXPECT_NEAR(before.population_share, first.population_share, 1e-9);
    EXPECT_NEAR(before.emission.mu_attended, first.emission.mu_attended, 1e-9);
    EXPECT_FALSE(session.learnt_pattern().values.empty());
  }
  Notes notes;
  start.listener = "02";
  test::expect_error(ErrorKind::bad_data, {"of 01", "another listener than 02"},
                     [&] { (void)adaptive_session(source->description(), start, notes); });
  start.listener = "";
  EXPECT_NO_THROW((void)adaptive_session(source->description(), start, notes));
  start.learnt->channels.front() = "Other";
  test::expect_error(ErrorKind::bad_data, {"of 01", "other channels"},
                     [&] { (void)adaptive_session(source->description(), start, notes); });
}

TEST(AdaptiveStart, ASessionGoesOnWhereItsFileCannotBeWritten) {
  const AdaptiveStartRequest start = stage().start();
  const auto source = open_source(stage().source(adaptive_signals(start)));
  Notes notes;
  Session session = session_for(start, source->description(), notes);
  std::vector<std::string> told;
  Learner learner(session, {.file = stage().folder.file("absent") / "me.json",
                            .every = {10},
                            .tell = [&](const std::string& why) { told.push_back(why); }});
  Seen seen;
  VirtualClock clock;
  const auto between = [&] {
    learner.look();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // until the thread has tried
  };
  (void)run(*source, session, seen, clock, {.speed = std::nullopt, .between_blocks = between});
  EXPECT_EQ(session.counts().windows, 100);
  ASSERT_FALSE(told.empty());
  EXPECT_NE(told.front().find("me.json"), std::string::npos);
  test::expect_error(ErrorKind::cannot_create, {"me.json"}, [&] { learner.finish(); });
}

TEST(AdaptiveStart, RefusesWhatDoesNotFit) {
  AdaptiveStartRequest start = stage().start();
  const auto source = open_source(stage().source(adaptive_signals(start)));
  const auto refused = [&](ErrorKind kind, std::initializer_list<std::string_view> words, auto change) {
    AdaptiveStartRequest changed = stage().start();
    StreamDescription stream = source->description();
    change(changed, stream);
    Notes notes;
    try {
      (void)adaptive_session(stream, changed, notes);
      FAIL() << "nothing was refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      for (const std::string_view word : words) {
        EXPECT_NE(std::string_view(error.what()).find(word), std::string_view::npos) << error.what();
      }
    }
  };
  refused(ErrorKind::invalid_argument, {"pop.json", "other signals"},
          [](AdaptiveStartRequest& one, auto&) { one.decoder.sampling_frequency = Hertz{32}; });
  refused(ErrorKind::invalid_argument, {"pop.json", "other signals"},
          [](AdaptiveStartRequest& one, auto&) { one.decoder.targets = std::vector{SpeechTarget::envelope}; });
  refused(ErrorKind::invalid_argument, {"windows of 1 s, not 2 s"},
          [](AdaptiveStartRequest& one, auto&) { one.window = {2}; });
  refused(ErrorKind::bad_data, {"nobody in the population has the channels X1"},
          [](auto&, StreamDescription& stream) { stream.channels.front() = "X1"; });
}

TEST(AdaptiveStart, ASessionThatLearnsAllocatesNothingBetweenTrials) {
  AdaptiveStartRequest start = stage().start();
  SourceRequest request = stage().source(adaptive_signals(start));
  request.selection.runs = {"01"};
  start.replayed->selection.runs = {"01"};
  const auto source = open_source(request);
  Notes notes;
  Session session = session_for(start, source->description(), notes);
  std::vector<Block> blocks(1);
  while (source->next(blocks.back(), {}) == Arrival::block) blocks.emplace_back();
  blocks.pop_back();
  Seen seen;
  std::size_t fed = 0;
  for (; fed < blocks.size() / 4; ++fed) session.push(blocks[fed], blocks[fed].stamp.value_or(Seconds{}), seen);
  const test::AllocationCount allocations;
  for (; fed < blocks.size(); ++fed) session.push(blocks[fed], blocks[fed].stamp.value_or(Seconds{}), seen);
  EXPECT_EQ(allocations.so_far(), 0U);
}

}  // namespace
}  // namespace heed::live
