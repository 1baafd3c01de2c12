// SPDX-License-Identifier: MIT
// Source, session and sinks together, in virtual time.
#include <gtest/gtest.h>
#include <live/run.h>
#include <live/sinks/open_sink.h>
#include <live/sources/open_source.h>
#include <sim/recording_options.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/hmm_oracle.h"

namespace heed::live {
namespace {

class Kept final : public Sink {
 public:
  explicit Kept(std::vector<Decision>& decisions, int& finished) : decisions_(decisions), finished_(finished) {}
  void decided(const Decision& decision) override {
    decisions_.push_back(decision);
    posteriors.insert(posteriors.end(), decision.posterior.begin(), decision.posterior.end());
    log_likelihoods.insert(log_likelihoods.end(), decision.log_likelihoods.begin(), decision.log_likelihoods.end());
    attended.push_back(decision.attended);
  }
  void finish() override { ++finished_; }
  std::vector<double> posteriors{};
  std::vector<double> log_likelihoods{};
  std::vector<Speaker> attended{};

 private:
  std::vector<Decision>& decisions_;
  int& finished_;
};

// Scores that come when they come; a pause in between.
class FewScores final : public Source {
 public:
  [[nodiscard]] const StreamDescription& description() const override { return description_; }
  Arrival next(Block& block, Seconds patience) override {
    ++asked_;
    if (asked_ > 40) return Arrival::ended;
    clock.wait_until(clock.now() + (asked_ > 10 && asked_ <= 30 ? patience : Seconds{1}));
    if (asked_ > 10 && asked_ <= 30) return Arrival::nothing;
    block.kind = BlockKind::scores;
    block.rows = 1;
    block.stamp.reset();
    block.values = {0.5, 0};
    return Arrival::block;
  }
  VirtualClock clock{};

 private:
  StreamDescription description_{.name = "few", .content = StreamContent::scores, .speakers = {"left", "right"}};
  int asked_ = 0;
};

// Whatever it hears: how well it decodes is no matter here.
Decoder any_decoder() {
  Decoder decoder;
  decoder.filters = LeastSquaresDecoder{Matrix::Constant(9, 19, 0.01)};
  decoder.channels = sim::electrodes(19);
  decoder.eeg_lags = {0, 8};
  decoder.preprocessing = {.filters = FilterMode::causal, .reference = {.kind = ReferenceKind::none}};
  return decoder;
}

// The posteriors are those of the paper's Algorithm 1, by an implementation that shares no code with the session.
void expect_causal(const Kept& sink, double switch_probability) {
  const auto windows = std::ssize(sink.log_likelihoods) / 2;
  const Matrix log_likelihoods = Eigen::Map<const Matrix>(sink.log_likelihoods.data(), windows, 2);
  const auto expected = test::paper_algorithm(test::plain_sticky_chain(2, switch_probability), log_likelihoods).causal;
  for (Index t = 0; t < windows; ++t) {
    EXPECT_NEAR(sink.posteriors[static_cast<std::size_t>(2 * t)], expected(t, 0), 1e-9) << t;
  }
}

TEST(Run, ASimulatedListenerIsTrackedAlikeAtAnySpeed) {
  const Address address =
      parse_address("simulated:?duration=40&channels=19&rate=64&switch-every=15&seed=3", EndKind::source);
  const Decoder decoder = any_decoder();
  std::vector<double> posteriors;
  for (const std::optional<double> speed : {std::optional(1.0), std::optional(20.0), std::optional<double>()}) {
    const auto source = open_source({.address = address, .decoder = decoder});
    EXPECT_TRUE(source->is_stored());
    EXPECT_TRUE(source->description().labelled);
    SessionOptions options{.decoder = decoder};
    options.tracking.chain.switch_probability = 0.05;
    Session session(source->description(), options);
    std::vector<Decision> decisions;
    int finished = 0;
    Kept sink(decisions, finished);
    VirtualClock clock;
    const RunReport report = run(*source, session, sink, clock, {.speed = speed});
    EXPECT_EQ(decisions.size(), 40U);
    EXPECT_EQ(finished, 1);
    EXPECT_NEAR(report.streamed.value, 40, 0.5);
    EXPECT_NEAR(report.elapsed.value, speed ? 40 / *speed : 0, 0.1);
    EXPECT_EQ(report.latencies.total(), 40);
    EXPECT_EQ(session.counts().clock, ClockCounts{});
    for (std::size_t t = 0; t < sink.attended.size(); ++t) {
      EXPECT_EQ(sink.attended[t] != sink.attended[0], t >= 15 && t < 30) << t;
    }
    expect_causal(sink, 0.05);
    if (posteriors.empty()) posteriors = sink.posteriors;
    EXPECT_EQ(sink.posteriors, posteriors);
  }
}

TEST(Run, TheWatchdogRelaxesWhileNothingComes) {
  FewScores source;
  Session session(source.description(), {});
  std::vector<Decision> decisions;
  int finished = 0;
  Kept sink(decisions, finished);
  const RunReport report = run(source, session, sink, source.clock, {.tick = {0.5}});
  EXPECT_EQ(decisions.size(), 20U);
  EXPECT_EQ(session.counts().relaxations, 1);
  EXPECT_EQ(decisions.back().standing, Standing::tracking);
  EXPECT_EQ(report.blocks, 20);
}

TEST(Run, ASinkHearsEverythingOfTheList) {
  SinkList list;
  std::vector<Decision> decisions;
  int finished = 0;
  list.add(std::make_unique<Kept>(decisions, finished));
  list.add(std::make_unique<Kept>(decisions, finished));
  list.decided({});
  list.finish();
  EXPECT_EQ(decisions.size(), 2U);
  EXPECT_EQ(finished, 2);
}

TEST(Run, OpeningNamesWhatIsWrong) {
  test::expect_error(ErrorKind::not_found, {"nowhere"},
                     [] { (void)open_source({.address = parse_address("replay:nowhere", EndKind::source)}); });
  test::expect_error(ErrorKind::invalid_argument, {"speakers"},
                     [] { (void)open_source({.address = parse_address("simulated:?speakers=1", EndKind::source)}); });
}

TEST(Latency, QuantilesAreWithinATenth) {
  LatencyHistogram histogram;
  EXPECT_FALSE(histogram.quantile(0.5));
  for (int k = 1; k <= 1000; ++k) histogram.add({k * 1e-6});
  for (const double part : {0.1, 0.5, 0.99}) {
    EXPECT_NEAR(histogram.quantile(part)->value, part * 1e-3, part * 1e-4);
    EXPECT_GE(histogram.quantile(part)->value, part * 1e-3 - 1e-9);
  }
  EXPECT_DOUBLE_EQ(histogram.longest().value, 1e-3);
  histogram.add({1e9});
  EXPECT_EQ(histogram.total(), 1001);
}

}  // namespace
}  // namespace heed::live
