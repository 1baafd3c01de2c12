// SPDX-License-Identifier: MIT
// Random scripts of faults in virtual time. What is promised always: posteriors are distributions, gains keep their
// range and their pace, and once the input is good the answer is right again.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "support/live_faults.h"

namespace heed::test {
namespace {

TEST(Faults, WithoutAnyEveryWindowIsRight) {
  const FaultOutcome outcome = run_script({.seed = 3, .duration = 30});
  EXPECT_EQ(outcome.failure, "");
  EXPECT_EQ(outcome.held, 0);
  EXPECT_GT(outcome.worst_score, 0.7);
  EXPECT_EQ(outcome.counts.clock, live::ClockCounts{});
}

TEST(Faults, OfEveryKindAreOvercome) {
  const std::vector<Fault> faults{
      {FaultKind::loss, 5, 6, 0.5},         {FaultKind::eeg_gap, 5, 3, 0},    {FaultKind::sound_gap, 5, 4, 0},
      {FaultKind::pause, 5, 5, 0},          {FaultKind::nan, 5, 2, 0},        {FaultKind::rail, 5, 2, 0},
      {FaultKind::flat, 5, 2, 0},           {FaultKind::swap, 5, 4, 0},       {FaultKind::jump, 5, 0, 20},
      {FaultKind::jump, 5, 0, -20},         {FaultKind::jump, 5, 0, 200000},  {FaultKind::jump, 5, 0, -200000},
      {FaultKind::eeg_jump, 5, 0, 20},      {FaultKind::eeg_jump, 5, 0, -20}, {FaultKind::eeg_jump, 5, 0, 200000},
      {FaultKind::jitter, 5, 5, 0.04},      {FaultKind::backwards, 5, 3, 2},  {FaultKind::duplicates, 5, 5, 0},
      {FaultKind::burst, 5, 1.5, 0},        {FaultKind::drift, 0, 0, 500},    {FaultKind::drift, 0, 0, -500},
      {FaultKind::rate, 5, 5, 0.01},        {FaultKind::rate, 5, 5, -0.01},   {FaultKind::rate, 5, 5, 1},
      {FaultKind::rate, 5, 5, -0.5},        {FaultKind::reconnect, 5, 3, 20}, {FaultKind::reconnect, 5, 3, -20},
      {FaultKind::reconnect, 5, 3, 200000},
  };
  for (const Fault& fault : faults) {
    for (const auto sound : {live::FeedKind::envelope, live::FeedKind::audio}) {
      const FaultScript script{.seed = 7, .duration = 34, .faults = {fault}, .sound = sound};
      EXPECT_EQ(run_script(script).failure, "") << describe(script);
    }
  }
}

// 500 ppm for a minute are 30 ms; 5 ms are allowed, and scores see what is left.
TEST(Faults, SoundThatDriftsStaysBesideTheEeg) {
  for (const double ppm : {500.0, -500.0}) {
    const FaultOutcome outcome = run_script({.seed = 9, .duration = 80, .faults = {{FaultKind::drift, 0, 0, ppm}}});
    EXPECT_EQ(outcome.failure, "");
    EXPECT_NEAR(outcome.counts.clock.drift_ppm, 500, 100);
    EXPECT_GT(outcome.counts.clock.shifted, 1);
  }
}

// What a recording of the session keeps of one envelope.
class KeptEnvelope final : public live::SignalTap {
 public:
  void eeg_begins(Seconds) override {}
  void sound_begins(Index, Seconds) override {}
  void restarts() override {}
  void eeg(std::span<const float>, Index) override {}
  void audio(Index, std::span<const float>) override {}
  void envelope(Index feed, std::span<const double> more) override {
    if (feed == 0) values.insert(values.end(), more.begin(), more.end());
  }
  std::vector<double> values{};
};

class Nobody final : public live::Sink {
 public:
  void decided(const live::Decision&) override {}
};

// The envelope's values are the times at which they were taken, so the session's own copy tells by how much sound and
// EEG are apart: at most 5 ms after a minute of 500 ppm.
TEST(Faults, DriftLeavesSoundWithinFiveMillisecondsOfTheEeg) {
  for (const double ppm : {500.0, -500.0, 120.0}) {
    live::Session session(fault_stream(), fault_options());
    KeptEnvelope kept;
    session.tap(&kept);
    Nobody nobody;
    std::array<Index, 2> sent{};
    const double rate = fault_rate.value * (1 + (ppm * 1e-6));  // of the sound, by the EEG's clock
    for (Index k = 0; k < 80 * 16; ++k) {
      const double now = static_cast<double>(k + 1) / 16;
      live::Block eeg{.kind = live::BlockKind::eeg, .stamp = Seconds{now - 0.0625}, .rows = 4};
      eeg.samples.assign(12, 1.0F);
      session.push(eeg, {now}, nobody);
      for (Index feed = 0; feed < 2; ++feed) {
        for (; static_cast<double>(sent[feed] + 4) / rate <= now; sent[feed] += 4) {
          live::Block sound{.kind = live::BlockKind::sound, .rows = 4, .feed = feed};
          sound.stamp = Seconds{static_cast<double>(sent[feed]) / rate};
          for (Index t = 0; t < 4; ++t) sound.values.push_back(static_cast<double>(sent[feed] + t) / rate);
          session.push(sound, {now}, nobody);
        }
      }
    }
    ASSERT_GT(kept.values.size(), 79U * 64U);
    double apart = 0;
    for (std::size_t k = 10 * 64; k < kept.values.size(); ++k) {
      apart = std::max(apart, std::abs(kept.values[k] - (static_cast<double>(k) / fault_rate.value)));
    }
    EXPECT_LE(apart, 0.005) << ppm << " ppm";
    EXPECT_NEAR(session.counts().clock.drift_ppm, std::abs(ppm), 100);
  }
}

// What follows may be wrong, but never in silence, and gains keep their promises.
void expect_counted(const FaultScript& script) {
  const FaultOutcome outcome = run_script(script);
  EXPECT_GE(outcome.counts.clock.jumps, 1) << describe(script);
  for (const char* promise : {"distribution", "range", "too fast", "altogether"}) {
    EXPECT_EQ(outcome.failure.find(promise), std::string::npos) << outcome.failure << "; " << describe(script);
  }
}

// A clock that jumps while the rate is wrong by 1 % or more cannot be told from samples that were lost (docs/live.md).
TEST(Faults, ThatCannotBeResolvedAreCounted) {
  RandomStream random(11);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const double sign = random.uniform() < 0.5 ? -1 : 1;
    const Fault jump{.kind = random.uniform() < 0.5 ? FaultKind::eeg_jump : FaultKind::jump,
                     .begin = 5 + random.uniform(),
                     .amount = sign * (random.uniform() < 0.5 ? 20 : 200000)};
    const Fault rate{.kind = FaultKind::rate,
                     .begin = 3,
                     .duration = 2 + (5 * random.uniform()),
                     .amount = (random.uniform() < 0.5 ? -1 : 1) * (0.01 + (0.4 * random.uniform()))};
    expect_counted({.seed = seed, .duration = 30, .faults = {jump, rate}});
  }
}

// Those of docs/live.md as the campaign met them: an amplifier that is connected again, or whose clock jumped in a
// pause, while blocks are held back; a jump of every clock while stamps jitter by 39 ms; a rate that is wrong by just 1
// %, or by 0.9 % while the amplifier is connected again twice.
TEST(Faults, ThatTheCampaignMetAndCannotBeResolvedAreCounted) {
  const std::vector<FaultScript> scripts{
      {280080, 31, {{FaultKind::reconnect, 11.926528, 5.862243, -200000}, {FaultKind::burst, 17.172178, 0.978793, 0}}},
      {41123, 26, {{FaultKind::burst, 14.231439, 1.966731, 0}, {FaultKind::reconnect, 11.009165, 4.147503, -20}}},
      {400621, 27, {{FaultKind::burst, 14.040875, 0.388238, 0}, {FaultKind::reconnect, 11.566729, 2.639183, 200000}}},
      {800044, 29, {{FaultKind::burst, 15.573892, 1.042914, 0}, {FaultKind::reconnect, 10.495022, 5.559490, -200000}}},
      {800193,
       29,
       {{FaultKind::eeg_jump, 10.397646, 0, 20},
        {FaultKind::burst, 14.888337, 0.565162, 0},
        {FaultKind::pause, 10.343152, 4.953232, 0}}},
      {340733, 22, {{FaultKind::jitter, 6.556182, 1.140097, 0.039146}, {FaultKind::jump, 7.298624, 0, -200000}}},
      {900946, 22, {{FaultKind::rate, 8.374821, 4.544687, 0.01}, {FaultKind::reconnect, 10.219365, 0.443456, -200000}}},
      {257435,
       23,
       {{FaultKind::rate, 8.017076, 5.704275, 0.009},
        {FaultKind::reconnect, 11.91458, 0.246822, 200000},
        {FaultKind::reconnect, 10.295988, 0.329925, -20}}}};
  for (const FaultScript& script : scripts) expect_counted(script);
}

// The smallest scripts of those that once failed.
TEST(Faults, ThatWereFoundByTheCampaignStayMended) {
  const std::vector<FaultScript> scripts{
      // A clock that jumps while its stamps jitter: how long nothing came was measured by a single stamp.
      {48860,
       36,
       {{FaultKind::jitter, 2.5663667452863761, 5.0545238213168462, 0.039116192565037726},
        {FaultKind::jump, 5.1496945832188237, 0, -20}}},
      // A stream that followed the jump of a second one was corrected by a third as well.
      {26797,
       36,
       {{FaultKind::jump, 5.0066939883709143, 0, 20},
        {FaultKind::jitter, 3.9271149509815255, 2.5312758786586746, 0.028802923742532686},
        {FaultKind::backwards, 4.8983110007685848, 2.3232479332340317, 1.0845708621981831}}},
      // Two stretches in which blocks are held back overlap: the order of the blocks stays.
      {27764,
       36,
       {{FaultKind::sound_gap, 6.420944, 1.251792, 0},
        {FaultKind::burst, 9.827251, 0.083337, 0},
        {FaultKind::burst, 7.515389, 2.640966, 0}}},
      // Two stamps lie back before the amplifier is connected again: the second block was taken for one that came late.
      {.seed = 15595,
       .duration = 26,
       .faults = {{FaultKind::reconnect, 11.337539, 0.086367, -20},
                  {FaultKind::backwards, 10.823011, 0.50867, 0.087235}}},
      // Sound is missing as soon as the channels are right again: no window could mend what was believed.
      {.seed = 20756,
       .duration = 24,
       .faults = {{FaultKind::sound_gap, 10.76107, 1.993005, 0}, {FaultKind::swap, 4.800091, 5.192934, 0}}},
      // The copy of a block that was late itself was taken for the next one, and the clock was set back at once.
      {43760,
       18,
       {{FaultKind::jump, 8.365623, 0, -20},
        {FaultKind::duplicates, 3.424097, 0.093067, 0},
        {FaultKind::jitter, 3.18765, 0.463499, 0.014948},
        {FaultKind::pause, 3.608182, 5.144374, 0}}},
      // How much was left out since the clock jumped was measured by a single stamp, which jittered.
      {51399,
       22,
       {{FaultKind::jump, 8.547309, 0, 200000},
        {FaultKind::jitter, 9.733585, 0.636978, 0.012806},
        {FaultKind::backwards, 5.067801, 4.979593, 1.608974}}},
      // An amplifier that sends twice as many samples as it announced; what was not left out of them was believed.
      random_script(92204),
      // A clock that was just set back, and a stamp that lies back by a little more than jitter: what was left out of
      // its block was a part of it, and went missing.
      {158761, 13, {{FaultKind::eeg_jump, 2.200934, 0, -20}, {FaultKind::backwards, 2.381788, 0.121472, 0.054124}}},
  };
  for (const FaultScript& script : scripts) EXPECT_EQ(run_script(script).failure, "") << describe(script);
}

TEST(Faults, InRandomScriptsNeverBreakAPromise) {
  constexpr std::uint64_t scripts = 2000;
  for (std::uint64_t seed = 1; seed <= scripts; ++seed) ASSERT_EQ(failure_of(random_script(seed)), "");
}

TEST(Faults, InRandomScriptsWithAudioNeverBreakAPromise) {
  constexpr std::uint64_t scripts = 100;
  for (std::uint64_t seed = 1; seed <= scripts; ++seed) {
    FaultScript script = random_script(seed);
    script.sound = live::FeedKind::audio;
    ASSERT_EQ(failure_of(script), "");
  }
}

}  // namespace
}  // namespace heed::test
