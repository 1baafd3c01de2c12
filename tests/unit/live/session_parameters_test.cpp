// SPDX-License-Identifier: MIT
// New parameters while a session runs, streams of scores, and what does not fit together.
#include <gtest/gtest.h>
#include <heed/live/session.h>

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "support/allocation_counter.h"
#include "support/expect_error.h"
#include "support/live_faults.h"

namespace heed::live {
namespace {

struct Seen final : Sink {
  void decided(const Decision& decision) override {
    ++windows;
    end = decision.end;
    held += decision.held ? 1 : 0;
    posterior = decision.posterior[0];
    gain = decision.gains[0];
    standing = decision.standing;
  }
  int windows = 0;
  int held = 0;
  Seconds end{};
  double posterior = 0;
  double gain = 0;
  Standing standing = Standing::unknown;
};

StreamDescription scores_of_two() {
  return {.name = "scores", .content = StreamContent::scores, .speakers = {"left", "right"}};
}

Block window_of(double left, double right, std::optional<Seconds> stamp = {}) {
  return {.kind = BlockKind::scores, .stamp = stamp, .rows = 1, .values = {left, right}};
}

TEST(SessionParameters, AreTakenUpBetweenTwoWindowsWithoutAllocating) {
  Session session(scores_of_two(), {.tracking = test::fault_options().tracking});
  Seen seen;
  const Block attended = window_of(0.8, 0);
  const Block missing = window_of(NAN, NAN);
  double now = 0;
  for (int k = 0; k < 5; ++k) session.push(attended, {now += 1}, seen);
  const double before = seen.posterior;
  TrackingOptions tracking = test::fault_options().tracking;
  tracking.chain.switch_probability = 0.2;
  SteeringOptions steering;
  steering.gains.enhanced_decibel = -2;
  std::thread control([&] { session.offer(session.make_parameters(tracking, steering)); });
  control.join();
  const test::AllocationCount allocations;
  session.push(missing, {now += 1}, seen);
  EXPECT_EQ(allocations.so_far(), 0U);
  EXPECT_NEAR(seen.posterior, (0.8 * before) + (0.2 * (1 - before)), 1e-12);
  for (int k = 0; k < 5; ++k) session.push(attended, {now += 1}, seen);
  EXPECT_NEAR(seen.gain, -2, 0.1);
  EXPECT_EQ(session.switch_probability(), 0.2);
  session.offer(session.make_parameters(tracking, {}));  // one that nobody takes up is freed
}

TEST(SessionParameters, KeepWhatWasLearntOfTheListener) {
  Session session(scores_of_two(), {});
  Seen seen;
  double now = 0;
  for (int k = 0; k < 200; ++k) session.push(window_of(0.4, -0.1), {now += 1}, seen);
  const auto learnt = std::get<GaussianEmission>(session.emission());
  EXPECT_GT(learnt.mu_attended, 0.2);
  TrackingOptions tracking;
  tracking.chain.switch_probability = 0.1;
  session.offer(session.make_parameters(tracking, {}));
  session.push(window_of(NAN, NAN), {now += 1}, seen);
  EXPECT_EQ(std::get<GaussianEmission>(session.emission()), learnt);
  tracking.adaptation = emission::AdaptiveOptions{};
  tracking.model = Model{
      .emission = GaussianEmission{
          .fisher = true, .mu_attended = 0.1, .mu_unattended = 0, .sigma_attended = 0.2, .sigma_unattended = 0.2}};
  session.offer(session.make_parameters(tracking, {}));
  session.push(window_of(NAN, NAN), {now += 1}, seen);
  EXPECT_NEAR(std::get<GaussianEmission>(session.emission()).mu_attended, 0.1, 1e-12) << "another start is meant";
}

TEST(SessionOfScores, PlacesWindowsByTheirStamps) {
  Session session(scores_of_two(), {.tracking = test::fault_options().tracking});
  Seen seen;
  session.push(window_of(0.8, 0, Seconds{10}), {0}, seen);
  EXPECT_EQ(seen.end.value, 10);
  session.push(window_of(0.8, 0, Seconds{11.1}), {1}, seen);  // the nearest
  session.push(window_of(0.8, 0, Seconds{11}), {1}, seen);    // came before
  EXPECT_EQ(seen.windows, 2);
  session.push(window_of(0.8, 0, Seconds{15}), {5}, seen);  // three are missing
  EXPECT_EQ(seen.windows, 6);
  EXPECT_EQ(seen.held, 3);
  session.push(window_of(7, 0), {6}, seen);  // no correlation
  EXPECT_EQ(session.counts().refused, 1);
  EXPECT_EQ(session.counts().clock.gaps, 1);
}

TEST(SessionErrors, SayWhatDoesNotFitBeforeAnythingStarts) {
  using test::expect_error;
  const StreamDescription stream = test::fault_stream();
  const SessionOptions options = test::fault_options();
  expect_error(ErrorKind::invalid_argument, {"need a decoder"}, [&] { Session(stream, {}); });
  SessionOptions zero_phase = options;
  zero_phase.decoder->preprocessing.filters = FilterMode::zero_phase;
  expect_error(ErrorKind::invalid_argument, {"zero-phase", "causal"}, [&] { Session(stream, zero_phase); });
  SessionOptions others = options;
  others.decoder->channels = {"Cz", "Oz", "T7"};
  expect_error(ErrorKind::bad_data, {"Oz, T7"}, [&] { Session(stream, others); });
  StreamDescription millivolts = stream;
  millivolts.unit = "mV";
  expect_error(ErrorKind::bad_data, {"mV", "uV"}, [&] { Session(millivolts, options); });
  StreamDescription odd = stream;
  odd.sampling_frequency = {499.9987654321};
  expect_error(ErrorKind::unsupported, {"499.999", "64 Hz"}, [&] { Session(odd, options); });
  StreamDescription huge = stream;
  huge.sampling_frequency = {6.4e6};
  expect_error(ErrorKind::bad_data, {"3 channels at 6.4e+06 Hz", "ten million"}, [&] { Session(huge, options); });
  StreamDescription silent = stream;
  silent.feeds.pop_back();
  expect_error(ErrorKind::bad_data, {"no sound of speaker 'right'"}, [&] { Session(silent, options); });
  StreamDescription alone = stream;
  alone.speakers.pop_back();
  expect_error(ErrorKind::bad_data, {"two or more"}, [&] { Session(alone, options); });
  Session session(stream, options);
  Seen seen;
  expect_error(ErrorKind::invalid_argument, {"2 rows", "5 numbers, not 6"},
               [&] { session.push({.kind = BlockKind::eeg, .rows = 2, .samples = std::vector<float>(5)}, {0}, seen); });
  expect_error(ErrorKind::invalid_argument, {"no sound feed 7"},
               [&] { session.push({.kind = BlockKind::sound, .rows = 1, .feed = 7, .values = {0}}, {0}, seen); });
  expect_error(ErrorKind::invalid_argument, {"holds none"}, [&] { session.push(window_of(0, 0), {0}, seen); });
  expect_error(ErrorKind::invalid_argument, {"number of seconds up to 1e12"}, [&] {
    session.push({.kind = BlockKind::eeg, .stamp = Seconds{NAN}, .rows = 1, .samples = {0, 0, 0}}, {0}, seen);
  });
  expect_error(ErrorKind::invalid_argument, {"number of seconds up to 1e12"},
               [&] { session.push({.kind = BlockKind::marker, .stamp = Seconds{1e300}}, {0}, seen); });
  const Seconds never{NAN};
  expect_error(ErrorKind::invalid_argument, {"time of arrival"},
               [&] { session.push({.kind = BlockKind::marker}, never, seen); });
  expect_error(ErrorKind::invalid_argument, {"time of arrival"}, [&] { session.wait(never, seen); });
}

}  // namespace
}  // namespace heed::live
