// SPDX-License-Identifier: MIT
// What a session keeps decodes to the same posteriors, byte for byte.
#include <gtest/gtest.h>
#include <live/sinks/recorder.h>

#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/live_cases.h"

namespace heed::live {
namespace {

// A stream without trials: samples, and nothing that tells where they begin or end.
std::vector<Block> bare_blocks(Source& source) {
  std::vector<Block> blocks;
  for (Block block; source.next(block, {}) == Arrival::block;) {
    if (block.kind == BlockKind::eeg || block.kind == BlockKind::sound) blocks.push_back(block);
  }
  return blocks;
}

TEST(Recorder, KeepsARunThatDecodesToTheSamePosteriors) {
  const test::LiveFolder folder;
  const Decoder decoder =
      folder.trained({.recipe = pipeline::Recipe::heed, .kind = pipeline::DecoderKind::least_squares});
  const auto model = test::offline(folder, decoder, Seconds{1}).model;
  const auto source = open_source(test::replay_of(folder, decoder, Seconds{1}));
  StreamDescription stream = source->description();
  stream.labelled = stream.stored = false;
  Session session(stream, {.decoder = decoder, .tracking = {.model = model}});
  SessionRecorder recorder(folder.file("kept"), stream);
  session.tap(&recorder);
  SinkList sinks;
  sinks.add(open_sink({.address = parse_address("tsv:" + folder.file("live.tsv").string(), EndKind::sink),
                       .stream = stream,
                       .window = {1}}));
  Seconds now{};
  for (const Block& block : bare_blocks(*source)) {
    // Three seconds of EEG are lost, and the sound of one speaker begins late.
    const bool lost = block.kind == BlockKind::eeg && block.stamp->value > 20 && block.stamp->value < 23;
    const bool early = block.kind == BlockKind::sound && block.feed == 1 && block.stamp->value < 2;
    now = std::max(now, *block.stamp);
    if (!lost && !early) session.push(block, now, sinks);
  }
  session.push(Block{}, now, sinks);
  sinks.finish();
  recorder.finish();
  EXPECT_EQ(session.counts().clock.gaps, 1);

  pipeline::FolderRequest kept{.dataset = folder.file("kept"), .cache = std::nullopt, .threads = 1};
  const auto scored = pipeline::score({.folder = kept, .model = decoder});
  ASSERT_FALSE(scored.participants.front().failure) << scored.participants.front().failure->what();
  pipeline::TrackRequest request{.participant = scored.participants.front().scores.front(), .model = model};
  for (ScoredTrial& trial : request.participant.trials) trial.name.clear();
  io::write_posteriors(folder.file("again.tsv"), pipeline::track_attention(request).tracked, {.method = "causal"});
  // Onsets count from the first EEG sample in a file, from the source's clock live; here both are 0.
  EXPECT_EQ(test::bytes_of(folder.file("again.tsv")), test::bytes_of(folder.file("live.tsv")));
  EXPECT_GT(test::bytes_of(folder.file("live.tsv")).size(), 1000U);
}

TEST(Recorder, SaysWhatItCannotKeep) {
  const test::TemporaryFolder folder;
  test::expect_error(ErrorKind::invalid_argument, {"no signals"}, [&] {
    SessionRecorder(folder.path() / "kept", {.content = StreamContent::scores, .speakers = {"a", "b"}});
  });
  test::expect_error(ErrorKind::cannot_create, {"cannot be made"}, [&] {
    SessionRecorder("/proc/none/kept", {.speakers = {"a", "b"}});
  });
}

}  // namespace
}  // namespace heed::live
