// SPDX-License-Identifier: MIT
// What a session keeps decodes to the same posteriors, byte for byte.
#include <gtest/gtest.h>
#include <io/text_file.h>
#include <live/sinks/threaded_recorder.h>
#include <live/sinks/xdf_recorder.h>

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

class Both final : public Sink {
 public:
  Both(Sink& first, Sink& second) : first_(first), second_(second) {}
  void decided(const Decision& decision) override {
    first_.decided(decision);
    second_.decided(decision);
  }

 private:
  Sink& first_;
  Sink& second_;
};

TEST(Recorder, KeepsARunThatDecodesToTheSamePosteriors) {
  const test::LiveFolder& folder = test::usual_live_folder();
  const Decoder decoder =
      folder.trained({.recipe = pipeline::Recipe::heed, .kind = pipeline::DecoderKind::least_squares});
  const auto model = test::offline(folder, decoder, Seconds{1}).model;
  const auto source = open_source(test::replay_of(folder, decoder, Seconds{1}));
  StreamDescription stream = source->description();
  stream.labelled = stream.stored = false;
  Session session(stream, {.decoder = decoder, .tracking = {.model = model}});
  const auto recorder = open_recorder(folder.file("kept"), {.stream = stream, .window = {1}});
  session.tap(recorder.get());
  SinkList sinks;
  sinks.add(open_sink({.address = parse_address("tsv:" + folder.file("live.tsv").string(), EndKind::sink),
                       .stream = stream,
                       .window = {1}}));
  Both both(sinks, *recorder);
  Seconds now{};
  for (const Block& block : bare_blocks(*source)) {
    // Three seconds of EEG are lost, and the sound of one speaker begins late.
    const bool lost = block.kind == BlockKind::eeg && block.stamp->value > 20 && block.stamp->value < 23;
    const bool early = block.kind == BlockKind::sound && block.feed == 1 && block.stamp->value < 2;
    now = std::max(now, *block.stamp);
    if (!lost && !early) session.push(block, now, both);
  }
  session.push(Block{}, now, both);
  sinks.finish();
  recorder->finish();
  EXPECT_EQ(session.counts().clock.gaps, 1);
  EXPECT_EQ(recorder->counts(), SinkCounts{});

  pipeline::FolderRequest kept{.dataset = folder.file("kept"), .cache = std::nullopt, .threads = 1};
  const auto scored = pipeline::score({.folder = kept, .model = decoder});
  ASSERT_FALSE(scored.participants.front().failure) << scored.participants.front().failure->what();
  pipeline::TrackRequest request{.participant = scored.participants.front().scores.front(), .model = model};
  for (ScoredTrial& trial : request.participant.trials) trial.name.clear();
  io::write_posteriors(folder.file("again.tsv"), pipeline::track_attention(request).tracked, {.method = "causal"});
  // Onsets count from the first EEG sample in a file, from the source's clock live; here both are 0.
  EXPECT_EQ(test::bytes_of(folder.file("again.tsv")), test::bytes_of(folder.file("live.tsv")));
  EXPECT_GT(test::bytes_of(folder.file("live.tsv")).size(), 1000U);
  // The decisions are kept beside the signals.
  EXPECT_EQ(test::bytes_of(folder.file("kept") / "derivatives/heed/sub-live/eeg" /
                           "sub-live_task-live_run-01_desc-live_posteriors.tsv"),
            test::bytes_of(folder.file("again.tsv")));
}

// Written by a thread of its own, an XDF file is the one that is written at once: trials by name, attention, and all.
TEST(Recorder, WritesTheSameXdfOnAThreadOfItsOwn) {
  const test::TemporaryFolder folder;
  StreamDescription stream{.speakers = {"a", "b"}, .sampling_frequency = {64}, .channels = {"Fz"}, .stored = true};
  stream.feeds = {{0, FeedKind::audio, {100}}, {1, FeedKind::envelope, {64}}};
  const auto record = [](Recorder& recorder) {
    const std::vector<float> samples(640, 0.25F);
    const std::vector<double> values(640, 0.5);
    const std::vector<double> posterior{0.75, 0.25};
    for (Index trial = 0; trial < 3; ++trial) {
      const std::string name = "trial number " + std::to_string(trial);
      recorder.restarts();
      recorder.eeg_begins({0});
      recorder.sound_begins(0, {0.5});
      recorder.sound_begins(1, {0});
      for (Index window = 0; window < 5; ++window) {
        recorder.eeg(samples, 640);
        recorder.audio(0, samples);
        recorder.envelope(1, values);
        recorder.decided({.window = window,
                          .trial_number = trial,
                          .trial = name,
                          .onset = {static_cast<double>(window)},
                          .end = {static_cast<double>(window + 1)},
                          .posterior = posterior,
                          .attended = static_cast<Speaker>(trial % 2)});
      }
    }
    recorder.finish();
  };
  XdfRecorder at_once(folder.path() / "at_once.xdf", stream);
  record(at_once);
  record(*open_recorder(folder.path() / "beside.xdf", {.stream = stream}));
  const auto after_header = [&](const char* name) {
    const std::string bytes = test::bytes_of(folder.path() / name);
    return bytes.substr(bytes.find("</info>"));  // the header of a file tells when it was made
  };
  EXPECT_GT(after_header("at_once.xdf").size(), 10000U);
  EXPECT_EQ(after_header("beside.xdf"), after_header("at_once.xdf"));
}

// A disk that takes nothing: the session goes on, and the end says what was wrong.
TEST(Recorder, ADiskThatIsFullNeverDelaysTheSession) {
  const test::TemporaryFolder folder;
  const StreamDescription stream{.speakers = {"a", "b"}, .sampling_frequency = {64}, .channels = {"Fz"}};
  ThreadedRecorder recorder(std::make_unique<SessionRecorder>(folder.path() / "kept", SinkRequest{.stream = stream}),
                            stream, Seconds{1});
  std::filesystem::remove_all(folder.path() / "kept");
  recorder.eeg_begins({0});  // no folder to write to
  const std::vector<float> samples(6400);
  for (int k = 0; k < 1000; ++k) recorder.eeg(samples, 6400);
  EXPECT_GT(recorder.counts().dropped, 0);
  test::expect_error(ErrorKind::cannot_create, {"kept"}, [&] { recorder.finish(); });
  EXPECT_TRUE(recorder.counts().broken);
}

TEST(Recorder, SaysWhatItCannotKeep) {
  const test::TemporaryFolder folder;
  test::expect_error(ErrorKind::invalid_argument, {"no signals"}, [&] {
    (void)open_recorder(folder.path() / "kept", {.stream = {.content = StreamContent::scores, .speakers = {"a", "b"}}});
  });
  test::expect_error(ErrorKind::cannot_create, {"cannot be made"}, [&] {
    (void)open_recorder("/proc/none/kept", {.stream = {.speakers = {"a", "b"}}});
  });
  // Before the session, not when its sound begins.
  const SoundFeed odd{.sampling_frequency = {16000.5}};
  test::expect_error(ErrorKind::unsupported, {"16000.5 Hz", ".xdf"}, [&] {
    (void)open_recorder(folder.path() / "kept", {.stream = {.speakers = {"a", "b"}, .feeds = {odd}}});
  });
  test::expect_error(ErrorKind::invalid_argument, {"'attended' is reserved"}, [&] {
    (void)open_recorder(folder.path() / "kept", {.stream = {.speakers = {"a", "attended"}}});
  });
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "kept"));
}

TEST(Recorder, ReplacesNothing) {
  const test::TemporaryFolder folder;
  const StreamDescription stream{.speakers = {"a", "b"}, .sampling_frequency = {64}, .channels = {"Fz"}};
  const auto kept = folder.write("kept.xdf", "of a listener");
  test::expect_error(ErrorKind::cannot_create, {"kept.xdf", "another name"},
                     [&] { (void)open_recorder(kept, {.stream = stream}); });
  EXPECT_EQ(io::read_text_file(kept), "of a listener");
  // A folder of somebody's own gets a run, and keeps its name.
  const auto described = folder.write("dataset_description.json", "{}");
  (void)open_recorder(folder.path(), {.stream = stream});
  EXPECT_EQ(io::read_text_file(described), "{}");
}

}  // namespace
}  // namespace heed::live
