// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <pipeline/artificial_switches.h>

#include <string>
#include <vector>

#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

StimulusPiece piece(const std::string& speaker, const std::string& file, double onset, double duration) {
  return {.speaker = speaker, .onset = {onset}, .duration = {duration}, .file = file, .file_onset = {1}};
}

// Ten minutes; a is attended for the first half, then c.
io::TrialPlan three_talkers() {
  return {.samples = 60000,
          .onset = {100},
          .duration = {600},
          .speakers = {{"a", {piece("a", "a.wav", 95, 620)}},
                       {"b", {piece("b", "b.wav", 100, 600)}},
                       {"c", {piece("c", "c.wav", 100, 600)}}},
          .attention = {{0, {100}, {300}}, {2, {400}, {300}}}};
}

// Which file a speaker's place sounds of at a time, and where in it.
std::pair<std::string, double> heard(const io::TrialPlan& trial, std::size_t place, double time) {
  std::pair<std::string, double> found{"", 0};
  for (const StimulusPiece& one : trial.speakers[place].pieces) {
    if (time < one.onset.value || time >= one.onset.value + one.duration.value) continue;
    EXPECT_EQ(found.first, "") << "two at once";
    found = {one.file, one.file_onset.value + time - one.onset.value};
    EXPECT_EQ(one.speaker, trial.speakers[place].name);
  }
  return found;
}

TEST(ExchangedTalkers, TheAttendedOneMovesOnFromBlockToBlock) {
  RandomStream random(1);
  const io::TrialPlan trial = three_talkers();
  const io::TrialPlan exchanged = with_exchanged_talkers(trial, {{100}, {100}}, random);
  for (double time = 100.5; time < 700; time += 1) {
    const auto block = static_cast<std::size_t>((time - 100) / 100);
    const bool first_half = time < 400;
    const std::vector<std::string> order = first_half ? std::vector<std::string>{"a.wav", "b.wav", "c.wav"}
                                                      : std::vector<std::string>{"c.wav", "a.wav", "b.wav"};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [file, second] = heard(exchanged, (k + block) % 3, time);
      EXPECT_EQ(file, order[k]) << time;
      EXPECT_NEAR(second, 1 + time - (file == "a.wav" ? 95 : 100), 1e-9);
    }
    for (const io::AttendedSpan& span : exchanged.attention) {
      if (span.onset.value <= time && time < span.onset.value + span.duration.value) {
        EXPECT_EQ(span.speaker, static_cast<Speaker>(block % 3)) << time;
      }
    }
  }
  EXPECT_EQ(heard(exchanged, 0, 97).first, "a.wav");   // the run-in
  EXPECT_EQ(heard(exchanged, 0, 710).first, "a.wav");  // the run-out: block 5, c in place 2, then a
}

TEST(ExchangedTalkers, RandomIntervalsComeFromTheStream) {
  RandomStream one(4);
  RandomStream same(4);
  const auto trial = three_talkers();
  const auto first = with_exchanged_talkers(trial, {{60}, {125}}, one);
  const auto second = with_exchanged_talkers(trial, {{60}, {125}}, same);
  ASSERT_EQ(first.attention.size(), second.attention.size());
  for (std::size_t k = 0; k < first.attention.size(); ++k) {
    EXPECT_EQ(first.attention[k].onset.value, second.attention[k].onset.value);
  }
}

TEST(ExchangedTalkers, NeedAttentionAndAnInterval) {
  RandomStream random(1);
  io::TrialPlan unknown = three_talkers();
  unknown.attention.clear();
  test::expect_error(ErrorKind::bad_data, {"attention is known"}, [&] {
    (void)with_exchanged_talkers(unknown, {{60}, {60}}, random);
  });
  test::expect_error(ErrorKind::invalid_argument, {"positive"}, [&] {
    (void)with_exchanged_talkers(three_talkers(), {{60}, {50}}, random);
  });
}

}  // namespace
}  // namespace heed::pipeline
