// SPDX-License-Identifier: MIT
// What is written as a BIDS folder reads back as it was, appears whole or not at all, and leaves alone what others put
// there.
#include <gtest/gtest.h>
#include <heed/io/recording_file.h>
#include <heed/io/sound_file.h>
#include <io/bids/dataset_writer.h>
#include <io/bids/events_file.h>
#include <io/text_file.h>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;

WrittenRun small_run() {
  WrittenRun run;
  run.entities.task = "attend";
  run.entities.acquisition = "dry";
  run.entities.run = "02";
  run.recording.channels = {{"Cz", "uV", {64}}, {"EXG1", "uV", {64}}};
  run.recording.sampling_frequency = {64};
  run.recording.samples = SampleMatrix(128, 2);
  for (Eigen::Index t = 0; t < 128; ++t)
    run.recording.samples.row(t) << static_cast<float>(t) / 3, -static_cast<float>(t);
  run.channels = {{"Cz", "EEG", "uV", Hertz{64}, true}, {"EXG1", "MISC", "uV", Hertz{64}, true}};
  run.listening.stimuli = {{"left", {0}, {2}, "talk.tsv", {0.5}, {}, "7"}};
  run.listening.attention = {{"left", {0}, {2}, "7"}};
  return run;
}

Envelope small_envelope() { return {{64}, {}, {"envelope"}, Matrix::Constant(160, 1, 0.25)}; }

class DatasetWriterTest : public ::testing::Test {
 protected:
  [[nodiscard]] DatasetWriter writer(const DatasetWriteOptions& options = {}) const {
    return {FolderLock(root_), described_, options};
  }

  static void write_participant(DatasetWriter& to, const std::string& subject) {
    ParticipantDraft draft = to.begin(subject);
    draft.write_envelope("talk.tsv", small_envelope());
    draft.write(small_run());
    to.commit(draft, "S" + subject + ".mat");
  }

  void write_first_participant() const {
    DatasetWriter to = writer();
    write_participant(to, "01");
  }

  test::TemporaryFolder folder_;
  std::filesystem::path root_ = folder_.path() / "bids";
  DatasetDescription described_{"A set", {"A. Author"}, "CC0", "10.1/2", {"https://example.org"}, "About\n"};
};

TEST_F(DatasetWriterTest, ReadsBackAsItWas) {
  DatasetWriter to = writer();
  write_participant(to, "03");
  const BidsDataset found = read_dataset(root_);
  EXPECT_EQ(found.name, "A set");
  ASSERT_EQ(found.participants.size(), 1U);
  EXPECT_EQ(found.participants[0].values.at(0).second, "S03.mat");
  ASSERT_EQ(found.runs.size(), 1U);
  const BidsRun& run = found.runs[0];
  EXPECT_EQ(run.name, "sub-03_task-attend_acq-dry_run-02");
  const Recording recording = read_recording(run.eeg);
  EXPECT_EQ(recording.samples, small_run().recording.samples);
  const ListeningEvents events = read_events(run.events.value());
  ASSERT_EQ(events.stimuli.size(), 1U);
  EXPECT_EQ(events.stimuli[0].file_onset, Seconds{0.5});
  EXPECT_EQ(events.stimuli[0].trial, "7");
  EXPECT_EQ(read_channels(run.channels.value())[1].type, "MISC");
  const EegSidecar sidecar = read_eeg_sidecar(run);
  EXPECT_EQ(sidecar.eeg_channels, 1U);
  EXPECT_EQ(sidecar.duration, Seconds{2});
  EXPECT_EQ(io::read_envelope(found.stimulus("talk.tsv")).values, small_envelope().values);
}

TEST_F(DatasetWriterTest, ADraftThatIsNotCommittedLeavesNothing) {
  {
    const DatasetWriter to = writer();
    ParticipantDraft draft = to.begin("01");
    draft.write(small_run());
    EXPECT_FALSE(std::filesystem::exists(root_ / "sub-01"));
    EXPECT_FALSE(to.has_participant("01"));
  }
  EXPECT_FALSE(std::filesystem::exists(root_));
}

TEST_F(DatasetWriterTest, OneWriterAtATime) {
  const DatasetWriter first = writer();
  expect_error(ErrorKind::cannot_create, {"another process is writing to this folder", "choose another"}, [&] {
    (void)writer({EegFormat::brainvision, true});
  });
}

TEST_F(DatasetWriterTest, GoesOnWithAnEarlierConversion) {
  write_first_participant();
  std::filesystem::create_directories(root_ / ".heed-sub-02" / "stimuli");  // of one that was killed
  std::filesystem::create_directories(root_ / ".heed-sub-09" / "stimuli");  // of another, not converted again
  expect_error(ErrorKind::cannot_create, {"is not empty", "resume"}, [&] { (void)writer(); });
  DatasetWriter second = writer({EegFormat::brainvision, true});
  EXPECT_TRUE(second.has_participant("01"));
  write_participant(second, "02");
  const std::string table = read_text_file(root_ / "participants.tsv");
  EXPECT_EQ(table, "participant_id\tsource_file\nsub-01\tS01.mat\nsub-02\tS02.mat\n");
  for (const char* left : {".heed-sub-02", ".heed-sub-09"}) EXPECT_FALSE(std::filesystem::exists(root_ / left)) << left;
}

TEST_F(DatasetWriterTest, LeavesOtherFoldersAlone) {
  write_first_participant();
  described_.name = "Another set";
  expect_error(ErrorKind::cannot_create, {"is another dataset"}, [&] { (void)writer({EegFormat::brainvision, true}); });
  root_ = folder_.path() / "mine";
  folder_.write("mine/notes.txt", "x");
  expect_error(ErrorKind::cannot_create, {"holds notes.txt", "heed did not write this"}, [&] {
    (void)writer({EegFormat::brainvision, true});
  });
  root_ = folder_.write("file", "x");
  expect_error(ErrorKind::cannot_create, {"a file is in its place"}, [&] { (void)writer(); });
}

TEST_F(DatasetWriterTest, CopiesASoundOnceAndRefusesAnotherOfItsName) {
  DatasetWriter to = writer();
  const auto sound = folder_.write("a/talk.wav", "12345");
  const auto other = folder_.write("b/talk.wav", "12354");  // as long, and another sound
  ParticipantDraft draft = to.begin("01");
  draft.copy_sound("talk.wav", sound);
  draft.copy_sound("talk.wav", sound);
  expect_error(ErrorKind::bad_data, {"b/talk.wav", "another sound of this name"},
               [&] { draft.copy_sound("talk.wav", other); });
  for (const std::string name : {"../talk.wav", "a/b.wav", "..", "", "a\\b.wav"}) {
    expect_error(ErrorKind::bad_data, {"cannot be the name of a file in stimuli/"},
                 [&] { draft.copy_sound(name, sound); });
  }
  draft.write(small_run());
  to.commit(draft, "x");
  EXPECT_EQ(read_text_file(root_ / "stimuli" / "talk.wav"), "12345");
}

TEST_F(DatasetWriterTest, WritesASoundOnceAndNeedsNoSourceFile) {
  DatasetWriter to = writer();
  const Sound sound{Hertz{8000}, Seconds{0}, {0.5F, -0.25F}};
  ParticipantDraft first = to.begin("01");
  EXPECT_FALSE(first.has_sound("talk.flac"));
  first.write_sound("talk.flac", sound);
  EXPECT_TRUE(first.has_sound("talk.flac"));
  expect_error(ErrorKind::bad_data, {"talk.flac", "another sound"}, [&] { first.write_sound("talk.flac", sound); });
  expect_error(ErrorKind::bad_data, {"cannot be the name"}, [&] { first.write_sound("../talk.flac", sound); });
  first.write(small_run());
  to.commit(first, "");
  EXPECT_EQ(read_audio(root_ / "stimuli" / "talk.flac").samples, sound.samples);
  EXPECT_EQ(read_text_file(root_ / "participants.tsv"), "participant_id\nsub-01\n");
  EXPECT_FALSE(std::filesystem::exists(root_ / "participants.json"));
  const ParticipantDraft second = to.begin("02");
  EXPECT_TRUE(second.has_sound("talk.flac"));  // the first participant brought it
}

// Sounds are moved into place before their participant is: who was interrupted in between was refused for ever.
TEST_F(DatasetWriterTest, ASoundThatAnInterruptedParticipantLeftIsItsOwn) {
  const Sound sound{Hertz{8000}, Seconds{0}, {0.5F, -0.25F}};
  {
    DatasetWriter interrupted = writer();
    ParticipantDraft draft = interrupted.begin("01");
    draft.write_sound("talk.wav", sound);
    draft.write(small_run());
    interrupted.commit(draft, "");
    std::filesystem::remove_all(root_ / "sub-01");
  }
  DatasetWriter to = writer({EegFormat::brainvision, true});
  const Sound other{Hertz{8000}, Seconds{0}, {0.25F, -0.5F}};
  expect_error(ErrorKind::bad_data, {"talk.wav", "another sound"},
               [&] { to.begin("01").write_sound("talk.wav", other); });
  ParticipantDraft draft = to.begin("01");
  draft.write_sound("talk.wav", sound);
  draft.write(small_run());
  to.commit(draft, "");
  EXPECT_EQ(read_audio(root_ / "stimuli" / "talk.wav").samples, sound.samples);
  EXPECT_TRUE(to.has_participant("01"));
}

TEST_F(DatasetWriterTest, RefusesWhatHasNoName) {
  const DatasetWriter to = writer();
  expect_error(ErrorKind::invalid_argument, {"'a_b' cannot be the label"}, [&] { (void)to.begin("a_b"); });
  WrittenRun run = small_run();
  run.channels.pop_back();
  ParticipantDraft draft = to.begin("01");
  expect_error(ErrorKind::invalid_argument, {"one BidsChannel for each channel"}, [&] { draft.write(run); });
  EXPECT_EQ(bids_label("Moving-Video 1_é"), "MovingVideo1");
}

}  // namespace
}  // namespace heed::io
