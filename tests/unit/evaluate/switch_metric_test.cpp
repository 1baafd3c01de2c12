// SPDX-License-Identifier: MIT
// The metric against hand-computed trials, one for each edge of its definition, and against a slow
// reference that states the definition window by window.
#include <heed/data/error.h>
#include <heed/evaluate/switch_metric.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace heed::evaluate {
namespace {

// "0011.": speakers by digit, a dot for unknown.
std::vector<Speaker> speakers(std::string_view text) {
  std::vector<Speaker> result;
  for (const char c : text) result.push_back(c == '.' ? unknown_speaker : c - '0');
  return result;
}

TrialMetrics measure(std::string_view attended, std::string_view decided, Seconds window = Seconds{1}) {
  Path path;
  path.states = speakers(decided);
  path.window = path.hop = window;
  return measure_trial(path, {speakers(attended)});
}

ErrorKind kind_of_failure(const Path& path, const AttentionTrack& attention, std::string_view words) {
  try {
    (void)measure_trial(path, attention);
  } catch (const Error& error) {
    EXPECT_NE(std::string_view(error.what()).find(words), std::string_view::npos) << error.what();
    return error.kind();
  }
  ADD_FAILURE() << "no error that says '" << words << "'";
  return ErrorKind::io;
}

// Decisions every quarter of a window: times count hops.
TEST(SwitchMetric, OverlappingWindowsAreCountedByTheHop) {
  const Path path{.states = speakers("0000000111"), .window = Seconds{1}, .hop = Seconds{0.25}};
  const auto trial = measure_trial(path, {speakers("00000.1111")});
  ASSERT_EQ(trial.switches.size(), 1U);
  EXPECT_EQ(trial.switches[0].time.value, 0.25);
  EXPECT_EQ(trial.labelled.value, 9 * 0.25);
  EXPECT_EQ(trial.window, Seconds{1});
  EXPECT_EQ(*pool({&trial, 1}).latency_inclusive_time, 1.25);
}

TEST(SwitchMetric, LateDetection) {
  const auto trial = measure("0000011111", "0000000111");
  ASSERT_EQ(trial.switches.size(), 1U);
  const SwitchOutcome& outcome = trial.switches[0];
  EXPECT_EQ(outcome.at, 5);
  EXPECT_EQ(outcome.end, 10);
  EXPECT_EQ(outcome.attended, 1);
  EXPECT_EQ(outcome.detected, 7);
  EXPECT_FALSE(outcome.missed());
  EXPECT_EQ(outcome.signed_time.value, 2);
  EXPECT_EQ(outcome.time.value, 2);
  EXPECT_EQ(outcome.first_hit_time.value, 2);
  EXPECT_EQ(trial.steady_windows, 8);  // 0..4 and 7..9
  EXPECT_EQ(trial.steady_correct, 8);
  EXPECT_EQ(trial.labelled_windows, 10);
  EXPECT_EQ(trial.labelled_correct, 8);
  EXPECT_EQ(trial.false_switches, 0);
}

TEST(SwitchMetric, EarlyDetectionReachesBackAlongItsRun) {
  const auto trial = measure("0000011111", "0101111111");
  ASSERT_EQ(trial.switches.size(), 1U);
  EXPECT_EQ(trial.switches[0].detected, 3);  // the run through window 5, not the blip at 1
  EXPECT_EQ(trial.switches[0].signed_time.value, -2);
  EXPECT_EQ(trial.switches[0].time.value, 2);
  EXPECT_EQ(trial.switches[0].first_hit_time.value, 0);
  EXPECT_EQ(trial.steady_windows, 10);  // from a, not from the early d
  EXPECT_EQ(trial.steady_correct, 7);
  EXPECT_EQ(trial.false_switches, 2);  // to 1 and back at windows 1 and 2; 3 is the detection
}

TEST(SwitchMetric, DetectionAtTheSwitchItself) {
  const auto trial = measure("000111", "000111");
  EXPECT_EQ(trial.switches.at(0).detected, 3);
  EXPECT_EQ(trial.switches.at(0).time.value, 0);
  EXPECT_EQ(trial.steady_windows, 6);
  EXPECT_EQ(trial.steady_correct, 6);
}

// The blip is the detection: what follows it is steady and wrong.
TEST(SwitchMetric, FirstHitCountsEvenIfItDoesNotLast) {
  const auto trial = measure("0000111111", "0000010001");
  EXPECT_EQ(trial.switches.at(0).detected, 5);
  EXPECT_EQ(trial.steady_windows, 9);
  EXPECT_EQ(trial.steady_correct, 6);
  EXPECT_EQ(trial.false_switches, 2);
}

TEST(SwitchMetric, RunDoesNotReachBeyondThePreviousSwitch) {
  // Speaker 1 was decided long before speaker 2 was ever attended; 1 -> 2 -> 1, all decided 1.
  const auto trial = measure("1112221111", "1111111111");
  ASSERT_EQ(trial.switches.size(), 2U);
  EXPECT_TRUE(trial.switches[0].missed());
  EXPECT_EQ(trial.switches[0].time.value, 3);  // b - a
  EXPECT_EQ(trial.switches[1].detected, 3);    // a-, although the run began at 0
  EXPECT_EQ(trial.switches[1].signed_time.value, -3);
  EXPECT_EQ(trial.steady_windows, 10);
  EXPECT_EQ(trial.steady_correct, 7);
  EXPECT_EQ(trial.false_switches, 0);
}

TEST(SwitchMetric, RunOfTheFirstBlockReachesTheTrialsStart) {
  const auto trial = measure("000111", "111111");
  EXPECT_EQ(trial.switches.at(0).detected, 0);
  EXPECT_EQ(trial.switches.at(0).signed_time.value, -3);
  EXPECT_EQ(trial.steady_windows, 6);
  EXPECT_EQ(trial.steady_correct, 3);
  EXPECT_EQ(trial.false_switches, 0);  // window 0 is no change
}

TEST(SwitchMetric, MissedSwitchLastsToTheNextOneOrTheEnd) {
  const auto trial = measure("00001111000", "00000000000", Seconds{0.5});
  ASSERT_EQ(trial.switches.size(), 2U);
  EXPECT_TRUE(trial.switches[0].missed());
  EXPECT_EQ(trial.switches[0].signed_time.value, 2);
  EXPECT_EQ(trial.switches[0].time.value, 2);
  EXPECT_EQ(trial.switches[0].first_hit_time.value, 2);
  EXPECT_EQ(trial.switches[1].detected, 4);  // held since a-
  EXPECT_EQ(trial.switches[1].time.value, 2);
  EXPECT_EQ(trial.steady_windows, 11);
  EXPECT_EQ(trial.steady_correct, 7);

  const auto at_end = measure("0000111", "0000222");
  EXPECT_TRUE(at_end.switches.at(0).missed());
  EXPECT_EQ(at_end.switches.at(0).time.value, 3);
  EXPECT_EQ(at_end.false_switches, 1);  // to a third speaker
}

TEST(SwitchMetric, WrongTurnsAndReturnsAreFalseSwitches) {
  EXPECT_EQ(measure("000000", "001100").false_switches, 2);
  EXPECT_EQ(measure("000000", "110000").false_switches, 1);  // finds the speaker after a wrong start
  EXPECT_EQ(measure("000111", "000211").false_switches, 1);  // a detour over speaker 2
  EXPECT_EQ(measure("000...", "000101").false_switches, 0);  // nobody knows
}

TEST(SwitchMetric, StraddlingWindowIsNeitherCountedNorAState) {
  const auto trial = measure("000.111", "0000011");
  ASSERT_EQ(trial.switches.size(), 1U);
  EXPECT_EQ(trial.switches[0].at, 4);
  EXPECT_EQ(trial.switches[0].detected, 5);
  EXPECT_EQ(trial.labelled_windows, 6);
  EXPECT_EQ(trial.labelled_correct, 5);
  EXPECT_EQ(trial.steady_windows, 5);
  EXPECT_EQ(trial.labelled.value, 6);

  const auto early = measure("000.111", "0001111");
  EXPECT_EQ(early.switches.at(0).detected, 3);  // a run may begin in it
  EXPECT_EQ(early.switches.at(0).signed_time.value, -1);
  EXPECT_EQ(early.steady_windows, 6);
  EXPECT_EQ(early.steady_correct, 6);
  EXPECT_EQ(early.false_switches, 0);
}

TEST(SwitchMetric, UnknownStretchWithoutChangeIsNoSwitch) {
  const auto trial = measure("00..00", "011110");
  EXPECT_TRUE(trial.switches.empty());
  EXPECT_EQ(trial.labelled_windows, 4);
  EXPECT_EQ(trial.labelled_correct, 2);
  EXPECT_EQ(trial.steady_windows, 4);
  EXPECT_EQ(trial.false_switches, 2);
}

TEST(SwitchMetric, UnknownWindowsAtTheEdgesOfATrial) {
  // The first block begins with the trial, the last ends with it: a run may reach back to window 0.
  const auto trial = measure("..0011..", "11111100");
  ASSERT_EQ(trial.switches.size(), 1U);
  EXPECT_EQ(trial.switches[0].at, 4);
  EXPECT_EQ(trial.switches[0].end, 8);
  EXPECT_EQ(trial.switches[0].detected, 0);
  EXPECT_EQ(trial.labelled_windows, 4);
  EXPECT_EQ(trial.labelled_correct, 2);
  EXPECT_EQ(trial.false_switches, 0);
}

TEST(SwitchMetric, TrialWithoutLabelsOrWindowsCountsNothing) {
  for (const auto& trial : {measure("....", "0101"), measure("", "")}) {
    EXPECT_TRUE(trial.switches.empty());
    EXPECT_EQ(trial.labelled_windows, 0);
    EXPECT_EQ(trial.steady_windows, 0);
    EXPECT_EQ(trial.false_switches, 0);
    EXPECT_EQ(trial.labelled.value, 0);
  }
}

TEST(SwitchMetric, BadInputIsNamed) {
  Path path;
  path.states = {0, 1, 0};
  EXPECT_EQ(kind_of_failure(path, {{0, 1}}, "3 decisions, but 2 labels"), ErrorKind::bad_data);
  EXPECT_EQ(kind_of_failure(path, {{0, -2, 1}}, "window 2"), ErrorKind::bad_data);
  path.states[2] = unknown_speaker;
  EXPECT_EQ(kind_of_failure(path, {{0, 1, 0}}, "window 3: decision -1"), ErrorKind::bad_data);
  path.states[2] = 0;
  path.window = path.hop = Seconds{0};
  EXPECT_EQ(kind_of_failure(path, {{0, 1, 0}}, "positive length"), ErrorKind::invalid_argument);
}

// The definition read out window by window: sets and quantifiers, no blocks and no running state.
class Reference {
 public:
  Reference(std::vector<Speaker> attended, std::vector<Speaker> decided)
      : attended_(std::move(attended)), decided_(std::move(decided)) {
    for (int t = 0; t < windows(); ++t) {
      const Speaker before = last_known_before(t);
      if (known(t) && before != unknown_speaker && before != label(t)) switches_.push_back(t);
    }
  }

  [[nodiscard]] const std::vector<int>& switches() const { return switches_; }
  [[nodiscard]] int end_of(std::size_t s) const { return s + 1 < switches_.size() ? switches_[s + 1] : windows(); }

  // -1: missed.
  [[nodiscard]] int detection(std::size_t s) const {
    const int a = switches_[s];
    if (decision(a) != label(a)) return first_hit(s);
    for (int u = s > 0 ? switches_[s - 1] : 0; u <= a; ++u) {
      if (all_decided(u, a, label(a))) return u;
    }
    return a;
  }

  [[nodiscard]] int first_hit(std::size_t s) const {
    for (int t = switches_[s]; t < end_of(s); ++t) {
      if (decision(t) == label(switches_[s])) return t;
    }
    return -1;
  }

  // Labelled, and not between a switch and its detection.
  [[nodiscard]] bool steady(int t) const {
    if (!known(t)) return false;
    for (std::size_t s = 0; s < switches_.size(); ++s) {
      if (switches_[s] <= t && t < end_of(s) && detection(s) > t) return false;
    }
    return true;
  }

  [[nodiscard]] bool false_switch(int t) const {
    if (t == 0 || !known(t) || decision(t) == decision(t - 1)) return false;
    for (std::size_t s = 0; s < switches_.size(); ++s) {
      if (detection(s) == t) return false;
    }
    return true;
  }

  [[nodiscard]] bool known(int t) const { return label(t) != unknown_speaker; }
  [[nodiscard]] bool correct(int t) const { return known(t) && label(t) == decision(t); }
  [[nodiscard]] int windows() const { return static_cast<int>(attended_.size()); }

 private:
  [[nodiscard]] Speaker label(int t) const { return attended_[static_cast<std::size_t>(t)]; }
  [[nodiscard]] Speaker decision(int t) const { return decided_[static_cast<std::size_t>(t)]; }
  [[nodiscard]] Speaker last_known_before(int t) const {
    for (int u = t - 1; u >= 0; --u) {
      if (known(u)) return label(u);
    }
    return unknown_speaker;
  }
  [[nodiscard]] bool all_decided(int first, int last, Speaker speaker) const {
    return std::all_of(decided_.begin() + first, decided_.begin() + last + 1, [&](Speaker s) { return s == speaker; });
  }

  std::vector<Speaker> attended_;
  std::vector<Speaker> decided_;
  std::vector<int> switches_;
};

template <typename Predicate>
Index count(const Reference& reference, Predicate predicate) {
  Index total = 0;
  for (int t = 0; t < reference.windows(); ++t) total += predicate(t) ? 1 : 0;
  return total;
}

struct Tracks {
  std::vector<Speaker> attended;
  std::vector<Speaker> decided;
};

// Blocks of attention with gaps in the labels; decisions follow them early or late, with blips.
Tracks draw_tracks() {
  const int states = *rc::gen::inRange(2, 5);
  const int windows = *rc::gen::inRange(0, 41);
  const int shift = *rc::gen::inRange(-4, 5);
  std::vector<Speaker> truth;
  while (std::ssize(truth) < windows + 8) {
    truth.insert(truth.end(), static_cast<std::size_t>(*rc::gen::inRange(1, 12)), *rc::gen::inRange(0, states));
  }
  Tracks tracks;
  const auto true_at = [&](int t) { return *(truth.begin() + t + 4); };
  for (int t = 0; t < windows; ++t) {
    const bool gap = *rc::gen::inRange(0, 8) == 0;
    const bool blip = *rc::gen::inRange(0, 6) == 0;
    tracks.attended.push_back(gap ? unknown_speaker : true_at(t));
    tracks.decided.push_back(blip ? *rc::gen::inRange(0, states) : true_at(t + shift));
  }
  return tracks;
}

RC_GTEST_PROP(SwitchMetric, EqualsTheSlowReference, ()) {
  const Tracks tracks = draw_tracks();
  const Reference reference(tracks.attended, tracks.decided);
  Path path;
  path.states = tracks.decided;
  path.window = path.hop = Seconds{0.25};
  const TrialMetrics trial = measure_trial(path, {tracks.attended});

  RC_ASSERT(trial.switches.size() == reference.switches().size());
  for (std::size_t s = 0; s < trial.switches.size(); ++s) {
    const SwitchOutcome& outcome = trial.switches[s];
    const int a = reference.switches()[s];
    const int b = reference.end_of(s);
    const int d = reference.detection(s);
    const int hit = reference.first_hit(s);
    RC_ASSERT(outcome.at == a);
    RC_ASSERT(outcome.end == b);
    RC_ASSERT(outcome.missed() == (d < 0));
    RC_ASSERT(outcome.detected.value_or(-1) == d);
    RC_ASSERT(outcome.signed_time.value == 0.25 * (d < 0 ? b - a : d - a));
    RC_ASSERT(outcome.time.value == std::abs(outcome.signed_time.value));
    RC_ASSERT(outcome.first_hit_time.value == 0.25 * (hit < 0 ? b - a : hit - a));
  }
  const auto steady = [&](int t) { return reference.steady(t); };
  RC_ASSERT(trial.steady_windows == count(reference, steady));
  RC_ASSERT(trial.steady_correct == count(reference, [&](int t) { return steady(t) && reference.correct(t); }));
  RC_ASSERT(trial.labelled_windows == count(reference, [&](int t) { return reference.known(t); }));
  RC_ASSERT(trial.labelled_correct == count(reference, [&](int t) { return reference.correct(t); }));
  RC_ASSERT(trial.false_switches == count(reference, [&](int t) { return reference.false_switch(t); }));
  RC_ASSERT(trial.labelled.value == 0.25 * static_cast<double>(trial.labelled_windows));
}

RC_GTEST_PROP(SwitchMetric, DoesNotDependOnTheOrderOfSpeakers, ()) {
  const Tracks tracks = draw_tracks();
  const auto renamed = [](std::vector<Speaker> track) {
    for (Speaker& s : track) s = s == unknown_speaker ? s : (s + 3) % 5;
    return track;
  };
  Path path;
  path.states = tracks.decided;
  const TrialMetrics before = measure_trial(path, {tracks.attended});
  path.states = renamed(tracks.decided);
  const TrialMetrics after = measure_trial(path, {renamed(tracks.attended)});
  RC_ASSERT(after.steady_correct == before.steady_correct);
  RC_ASSERT(after.steady_windows == before.steady_windows);
  RC_ASSERT(after.false_switches == before.false_switches);
  RC_ASSERT(after.switches.size() == before.switches.size());
  for (std::size_t s = 0; s < after.switches.size(); ++s) {
    RC_ASSERT(after.switches[s].signed_time == before.switches[s].signed_time);
  }
}

RC_GTEST_PROP(SwitchMetric, PerfectDecisionsAreNeverLateOrFalse, ()) {
  Tracks tracks = draw_tracks();
  std::replace(tracks.attended.begin(), tracks.attended.end(), unknown_speaker, Speaker{0});
  Path path;
  path.states = tracks.attended;
  const TrialMetrics trial = measure_trial(path, {tracks.attended});
  RC_ASSERT(trial.steady_windows == std::ssize(tracks.attended));
  RC_ASSERT(trial.steady_correct == trial.steady_windows);
  RC_ASSERT(trial.false_switches == 0);
  for (const SwitchOutcome& outcome : trial.switches) RC_ASSERT(outcome.detected == outcome.at);
}

}  // namespace
}  // namespace heed::evaluate
