// SPDX-License-Identifier: MIT
// A replay has the bits of the offline chain, however it is cut; a session allocates nothing while it runs.
#include <gtest/gtest.h>
#include <heed/decode/score.h>
#include <heed/live/session.h>
#include <pipeline/artificial_switches.h>
#include <pipeline/preparation/run_signals.h>
#include <pipeline/scoring/scaled_trials.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "support/allocation_counter.h"
#include "support/expect_error.h"
#include "support/live_cases.h"

namespace heed::live {
namespace {

const test::LiveFolder& folder() { return test::usual_live_folder(); }

struct Case {
  std::string name;
  Decoder decoder;
  decode::WindowLayout window;
  test::OfflineAnswer offline;
};

Case make_case(const std::string& name, const pipeline::DecoderRequest& request, const decode::WindowLayout& window) {
  Case one{name, folder().trained(request), window, {}};
  one.offline = test::offline(folder(), one.decoder, window);
  return one;
}

const std::vector<Case>& cases() {
  using pipeline::Recipe;
  static const std::vector<Case> all{
      make_case("paper", {.recipe = Recipe::paper, .kind = pipeline::DecoderKind::least_squares}, Seconds{1}),
      make_case("cca", {.recipe = Recipe::paper, .kind = pipeline::DecoderKind::cca, .pairs = 3}, Seconds{1}),
      make_case("heed", {.recipe = Recipe::heed, .kind = pipeline::DecoderKind::least_squares}, Seconds{1}),
      make_case("envelope and onset",
                {.recipe = Recipe::heed,
                 .kind = pipeline::DecoderKind::least_squares,
                 .targets = std::vector{SpeechTarget::envelope, SpeechTarget::onset}},
                Seconds{0.5}),
      make_case("windows that overlap", {.recipe = Recipe::heed, .kind = pipeline::DecoderKind::least_squares},
                {Seconds{1}, Seconds{0.25}}),
      make_case("steps", {.recipe = Recipe::heed, .kind = pipeline::DecoderKind::least_squares},
                decode::WindowLayout::in_steps({0.25})),
  };
  return all;
}

std::string replayed(const Case& one, std::function<Index(std::size_t, Index)> cut) {
  const SourceRequest request = test::replay_of(folder(), one.decoder, one.window);
  StoredSource source(
      replayed_run(request),
      {.rate = one.decoder.preprocessing.sampling_frequency, .window = one.window, .cut = std::move(cut)});
  Session session(source.description(),
                  {.decoder = one.decoder, .window = one.window, .tracking = {.model = one.offline.model}});
  return test::live_table(source, session, folder().file("live.tsv"));
}

TEST(Session, AReplayIsTheOfflineTableByteForByte) {
  for (const Case& one : cases()) {
    EXPECT_EQ(replayed(one, {}), one.offline.table) << one.name;
    EXPECT_GT(one.offline.table.size(), 1000U);
  }
}

// Single samples and long pieces follow each other at random; everything at once, and nothing but single samples.
TEST(Session, AReplayInAnyPiecesIsTheOfflineTable) {
  constexpr Index whole = 10000000;
  RandomStream random(std::random_device{}());
  for (const Case& one : cases()) {
    const auto seed = static_cast<std::uint64_t>(random.integer(1, 1000000000));
    RandomStream pieces(seed);
    const std::string table = replayed(one, [&](std::size_t, Index) {
      constexpr std::array<Index, 4> largest{1, 7, 300, 20000};
      return pieces.integer(1, largest[static_cast<std::size_t>(pieces.integer(0, 3))]);
    });
    EXPECT_EQ(table, one.offline.table) << one.name << ", pieces of seed " << seed;
    EXPECT_EQ(replayed(one, [](std::size_t, Index) { return whole; }), one.offline.table) << one.name;
  }
  const Case& heed = cases()[2];
  EXPECT_EQ(replayed(heed, [](std::size_t, Index) { return Index{1}; }), heed.offline.table);
}

// The plan of the run is changed before anything is prepared, so the offline chain can be asked about the same
// exchange.
TEST(Session, AReplayWithExchangedTalkersIsTheOfflineChainOfTheSameExchange) {
  const Case& one = cases()[2];
  SourceRequest request = test::replay_of(folder(), one.decoder, one.window);
  request.address = parse_address(request.address.text + "?switch-every=8-13&seed=3", EndKind::source);
  const auto source = open_source(request);
  Session session(source->description(), {.decoder = one.decoder, .tracking = {.model = one.offline.model}});
  const std::string live = test::live_table(*source, session, folder().file("live.tsv"));

  const auto dataset = io::read_dataset(folder().dataset());
  const auto run = io::select_runs(dataset, request.selection).front().runs.front();
  pipeline::RunPlan plan = pipeline::plan_run(dataset, run);
  RandomStream random(3);
  for (io::TrialPlan& trial : plan.trials) {
    trial = pipeline::with_exchanged_talkers(trial, {Seconds{8}, Seconds{13}}, random);
  }
  pipeline::ChosenChannels channels;
  for (const io::EegChannel& channel : plan.eeg) channels.all.push_back(channel.name);
  const pipeline::SoundFiles sounds(dataset);
  const Preprocessing& preprocessing = one.decoder.preprocessing;
  pipeline::SpeakerTracks tracks(sounds, preprocessing);
  const pipeline::PreparedParticipant prepared{
      .id = "01", .runs = {pipeline::prepare_run({run, plan, channels, preprocessing}, tracks)}};
  const auto trials =
      pipeline::scaled_trials(prepared, {.preprocessing = preprocessing, .channels = one.decoder.channels});
  pipeline::TrackRequest tracking{.participant = {.id = "01", .speakers = trials.trials.front().speakers}};
  tracking.participant.trials = {decode::scored_trial(one.decoder, trials.trials.front(), one.window)};
  tracking.participant.trials.front().name.clear();
  tracking.model = one.offline.model;
  io::write_posteriors(folder().file("exchanged.tsv"), pipeline::track_attention(tracking).tracked, {});
  EXPECT_EQ(live, test::bytes_of(folder().file("exchanged.tsv")));
  EXPECT_NE(live, one.offline.table);
}

// Decisions, and nothing else.
class Collector final : public Sink {
 public:
  Collector() { ends.reserve(10000); }
  void decided(const Decision& decision) override {
    ends.push_back(decision.end.value);
    held += decision.held ? 1 : 0;
  }
  std::vector<double> ends{};
  int held = 0;
};

TEST(Session, AllocatesNothingOnceItIsMade) {
  for (const Case& one : cases()) {
    const SourceRequest request = test::replay_of(folder(), one.decoder, one.window);
    StoredSource source(replayed_run(request),
                        {.rate = one.decoder.preprocessing.sampling_frequency, .window = one.window});
    std::vector<Block> blocks(1);
    while (source.next(blocks.back(), {}) == Arrival::block) blocks.emplace_back();
    blocks.pop_back();
    Session session(
        source.description(),
        {.decoder = one.decoder, .window = one.window, .tracking = {.model = one.offline.model, .lag = {5}}});
    for (Block& block : blocks) {  // some of the EEG is lost
      if (block.kind == BlockKind::eeg && block.stamp->value > 20 && block.stamp->value < 23) block.samples[0] = NAN;
    }
    Collector collector;
    const test::AllocationCount allocations;
    for (const Block& block : blocks) session.push(block, block.stamp.value_or(Seconds{}), collector);
    EXPECT_EQ(allocations.so_far(), 0U) << one.name;
    EXPECT_GT(collector.ends.size(), 40U);
    EXPECT_GT(collector.held, 0);
  }
}

}  // namespace
}  // namespace heed::live
