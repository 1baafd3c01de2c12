// SPDX-License-Identifier: MIT
// Each way in which a dataset can be wrong, in a dataset that is otherwise right: file, row, remedy.
#include <gtest/gtest.h>
#include <io/bids/dataset_check.h>

#include <algorithm>
#include <cstdlib>

#include "support/bids_folder.h"
#include "support/expect_error.h"
#include "support/wav_bytes.h"

namespace heed::io {
namespace {

using test::BidsFolder;
using test::expect_error;

const std::string run = "sub-01/eeg/sub-01_task-attend_run-1";

struct Expected {
  Severity severity = Severity::error;
  std::string file{};
  std::size_t row = 0;
  std::string words{};
};

// Exactly these, in this order, and each says what to do.
void expect_problems(const BidsFolder& folder, const std::vector<Expected>& expected) {
  const DatasetReport report = check_dataset(folder.path());
  std::string all;
  for (const Problem& problem : report.problems) all += problem.file + ": " + problem.text() + "\n";
  ASSERT_EQ(report.problems.size(), expected.size()) << all;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Problem& problem = report.problems[i];
    EXPECT_EQ(problem.severity, expected[i].severity) << all;
    EXPECT_EQ(problem.file, expected[i].file) << all;
    EXPECT_EQ(problem.row, expected[i].row) << all;
    EXPECT_NE(problem.message.find(expected[i].words), std::string::npos) << expected[i].words << "\n" << all;
    EXPECT_NE(problem.message.find(';'), std::string::npos) << "no remedy: " << all;
    EXPECT_EQ(problem.message.find(folder.path().string()), std::string::npos) << "the whole path: " << all;
  }
}

void expect_error_at(const BidsFolder& folder, const std::string& file, std::size_t row, const std::string& words) {
  expect_problems(folder, {{Severity::error, file, row, words}});
}
void expect_warning_at(const BidsFolder& folder, const std::string& file, std::size_t row, const std::string& words) {
  expect_problems(folder, {{Severity::warning, file, row, words}});
}

// The good events with one text exchanged for another.
std::string events_with(const std::string& from, const std::string& to) {
  std::string text = BidsFolder::events;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(DatasetCheck, AGoodDatasetHasNoProblem) {
  const BidsFolder folder;
  const DatasetReport report = check_dataset(folder.path());
  expect_problems(folder, {});
  EXPECT_EQ(report.name, "Small");
  EXPECT_EQ(report.participants, 2U);
  EXPECT_EQ(report.runs, 2U);
  EXPECT_EQ(report.trials, 2U);
  EXPECT_EQ(report.recorded, Seconds{40});
  EXPECT_EQ(report.heard, Seconds{40});
  EXPECT_EQ(report.labelled, Seconds{40});
}

TEST(DatasetCheck, ProgressCountsRuns) {
  const BidsFolder folder;
  std::vector<std::size_t> done;
  (void)check_dataset(folder.path(), {[&](std::size_t i, std::size_t total) {
                        EXPECT_EQ(total, 2U);
                        done.push_back(i);
                      }});
  EXPECT_EQ(done, (std::vector<std::size_t>{1, 2}));
}

TEST(DatasetCheck, OfSomeRuns) {
  const BidsFolder folder;
  folder.remove(run + "_events.tsv");
  const DatasetReport report = check_dataset(folder.path(), {.selection = {.participants = {"02"}}});
  EXPECT_TRUE(report.problems.empty());
  EXPECT_EQ(report.participants, 1U);
  EXPECT_EQ(report.runs, 1U);
  expect_error_at(folder, run + "_eeg.vhdr", 0, "or exclude the run sub-01_task-attend_run-1");
  expect_error(ErrorKind::not_found, {"no participant '03'"},
               [&] { (void)check_dataset(folder.path(), {.selection = {.participants = {"03"}}}); });
}

TEST(DatasetCheck, EegInOtherPlaces) {
  const BidsFolder folder;
  folder.add_run("sub-01/session-2/eeg/sub-01_ses-2_task-attend_run-1");
  folder.add_run("sub-02/ses-B/EEG/sub-02_ses-B_task-attend_run-1");
  folder.add_recording("sub-02/sub-02_task-attend_run-2");
  expect_problems(folder, {{Severity::warning, "sub-01/session-2", 0, "does not begin with ses-"},
                           {Severity::warning, "sub-02/sub-02_task-attend_run-2_eeg.vhdr", 0, "beside the folder eeg"},
                           {Severity::warning, "sub-02/ses-B/EEG", 0, "in small letters"}});
}

TEST(DatasetCheck, WhatWasMeantIsSaid) {
  const std::string events = run + "_events.tsv";
  const auto said = [&](const std::string& text, std::size_t row, const std::string& words) {
    const BidsFolder folder({"01"});
    folder.write(events, text);
    const DatasetReport report = check_dataset(folder.path());
    ASSERT_FALSE(report.problems.empty());
    EXPECT_EQ(report.problems.front().row, row);
    EXPECT_NE(report.problems.front().message.find(words), std::string::npos) << report.problems.front().message;
  };
  std::string spaced = BidsFolder::events;
  std::ranges::replace(spaced, '\t', ',');
  said(spaced, 1, "separate the columns by tabs");
  said(events_with("left.tsv", "stimuli/left.tsv"), 2, "leave the first stimuli/ out");
  said(events_with("0\t20\tstimulus\tleft", "0\t20000\tstimulus\tleft"), 2, "in seconds, not in milliseconds");
}

TEST(DatasetCheck, OtherTasks) {
  const BidsFolder folder;
  folder.add_recording("sub-01/eeg/sub-01_task-rest");
  const DatasetReport report = check_dataset(folder.path());
  EXPECT_EQ(report.other_tasks, "no events of task rest have a column speaker, so their runs are left out");
  EXPECT_EQ(report.runs, 2U);
  expect_problems(folder, {});
  EXPECT_EQ(check_dataset(folder.path(), {.selection = {.tasks = {"attend"}}}).other_tasks, "");
}

TEST(DatasetCheck, NoSuchFolder) {
  expect_error(ErrorKind::not_found, {"nowhere"}, [] { (void)check_dataset("nowhere"); });
}

TEST(DatasetCheck, Description) {
  const BidsFolder missing;
  missing.remove("dataset_description.json");
  expect_error_at(missing, "dataset_description.json", 0, "is missing; write");
  const BidsFolder nameless;
  nameless.write("dataset_description.json", "{}");
  expect_problems(nameless, {{Severity::error, "dataset_description.json", 0, "key Name is missing"},
                             {Severity::error, "dataset_description.json", 0, "key BIDSVersion is missing"}});
}

TEST(DatasetCheck, NobodyIsThere) { expect_error_at(BidsFolder(std::vector<std::string>{}), ".", 0, "no sub- folder"); }

TEST(DatasetCheck, AParticipantWithoutEeg) {
  const BidsFolder folder;
  folder.write("sub-03/anat/sub-03_T1w.json", "{}");
  expect_error_at(folder, "sub-03", 0, "no EEG");
}

TEST(DatasetCheck, ParticipantsTable) {
  const BidsFolder folder;
  folder.write("participants.tsv", "participant_id\nsub-01\nsub-07\n");
  expect_problems(folder, {{Severity::error, "participants.tsv", 3, "no folder sub-07"},
                           {Severity::error, "participants.tsv", 0, "sub-02 is not in it"}});
  folder.write("participants.tsv", "participant_id\n01\n");
  expect_problems(folder, {{Severity::error, "participants.tsv", 2, "column participant_id: '01'"},
                           {Severity::error, "participants.tsv", 0, "sub-01 is not in it"},
                           {Severity::error, "participants.tsv", 0, "sub-02 is not in it"}});
}

TEST(DatasetCheck, DuplicateRuns) {
  const BidsFolder folder;
  folder.add_run("sub-01/eeg/sub-01_task-attend_run-01");
  expect_error_at(folder, run + "_eeg.vhdr", 0, "same run as sub-01_task-attend_run-01_eeg.vhdr");
}

TEST(DatasetCheck, FoldersThatAreMissed) {
  const BidsFolder parent(std::vector<std::string>{});
  std::filesystem::create_directories(parent.path() / "study" / "sub-01");
  expect_error_at(parent, ".", 0, "there is no sub- folder; give the folder 'study' in it, which has some");
  const BidsFolder unnamed;
  std::filesystem::create_directories(unnamed.path() / "03" / "eeg");
  expect_warning_at(unnamed, "03", 0, "holds EEG but is not read, since its name does not begin with sub-");
}

TEST(DatasetCheck, TablesOfNoRecording) {
  const BidsFolder folder;
  folder.write("sub-01/eeg/sub-01_task-attend_run-01_events.tsv", BidsFolder::events);
  expect_warning_at(folder, "sub-01/eeg/sub-01_task-attend_run-01_events.tsv", 0, "belongs to no recording");
  const BidsFolder inherited;
  inherited.write("sub-01/eeg/sub-01_task-attend_events.tsv", BidsFolder::events);
  expect_problems(inherited, {});
}

TEST(DatasetCheck, LinksWithoutContent) {
  const BidsFolder folder;
  folder.remove(run + "_eeg.eeg");
  std::filesystem::create_symlink("../../.git/annex/objects/1", folder.path() / (run + "_eeg.eeg"));
  expect_error_at(folder, run + "_eeg.vhdr", 0, "is a link to a file that is not there; fetch it first (datalad get");
}

TEST(DatasetCheck, MalformedRecording) {
  const BidsFolder folder;
  folder.write(run + "_eeg.vhdr",
               "Brain Vision Data Exchange Header File Version 1.0\n\n[Common Infos]\nDataFile=none.eeg\n");
  const DatasetReport report = check_dataset(folder.path());
  ASSERT_EQ(report.count(Severity::error), 1U);
  EXPECT_EQ(report.problems[0].file, run + "_eeg.vhdr");
  EXPECT_EQ(report.recorded, Seconds{20});  // of the other one
}

TEST(DatasetCheck, ChannelsTable) {
  const BidsFolder count;
  count.write(run + "_channels.tsv", "name\ttype\nFp1\tEEG\nEye\tEOG\n");
  expect_problems(count, {{Severity::error, run + "_channels.tsv", 0, "lists 2 channels, the recording has 3"}});
  const BidsFolder unknown;
  unknown.write(run + "_channels.tsv", "name\ttype\nFp1\tEEG\nCz\tEEG\nEye\tEOG\nPz\tEEG\n");
  expect_error_at(unknown, run + "_channels.tsv", 0, "'Pz', which the recording does not have");
  const BidsFolder rate;
  rate.write(run + "_channels.tsv", "name\ttype\tsampling_frequency\nFp1\tEEG\t64\nCz\tEEG\t128\nEye\tEOG\t64\n");
  expect_error_at(rate, run + "_channels.tsv", 3, "'Cz' is said to have 128 Hz, the recording has 64 Hz");
  const BidsFolder broken;
  broken.write(run + "_channels.tsv", "name\ttype\nFp1\n\tEEG\n");
  expect_problems(broken, {{Severity::error, run + "_channels.tsv", 2, "1 cell"},
                           {Severity::error, run + "_channels.tsv", 3, "column name"}});
  const BidsFolder bad;
  bad.write(run + "_channels.tsv", "name\ttype\tstatus\nFp1\tEEG\tbad\nCz\tEEG\tbad\nEye\tEOG\tgood\n");
  expect_error_at(bad, run + "_channels.tsv", 0, "every EEG channel is bad");
  const BidsFolder none;
  none.remove(run + "_channels.tsv");
  expect_warning_at(none, run + "_eeg.vhdr", 0, "no channels.tsv");
}

TEST(DatasetCheck, Sidecar) {
  const BidsFolder rate;
  rate.write(run + "_eeg.json", R"({"SamplingFrequency": 128})");
  expect_error_at(rate, run + "_eeg.json", 0, "SamplingFrequency is 128 Hz, the recording has 64 Hz");
  const BidsFolder broken;
  broken.write(run + "_eeg.json", "{");
  expect_error_at(broken, run + "_eeg.json", 0, "JSON");
  const BidsFolder other;
  other.write(run + "_eeg.json", R"({"RecordingDuration": 30, "EEGChannelCount": 3})");
  expect_problems(other, {{Severity::error, run + "_eeg.json", 0, "the recording lasts 20 s; copy the recording again"},
                          {Severity::warning, run + "_eeg.json", 0, "EEGChannelCount is 3, but 2"}});
  const BidsFolder none({"01"});
  none.remove("task-attend_eeg.json");
  expect_warning_at(none, run + "_eeg.vhdr", 0, "no _eeg.json");
}

TEST(DatasetCheck, EventsTable) {
  const BidsFolder none;
  none.remove(run + "_events.tsv");
  expect_error_at(none, run + "_eeg.vhdr", 0, "no events.tsv");
  const BidsFolder rows;
  rows.write(run + "_events.tsv",
             events_with("0\t20\tstimulus\tleft", "x\t20\tstimulus\tleft") + "3\t-1\tattend\tleft\tn/a\n");
  expect_problems(rows, {{Severity::error, run + "_events.tsv", 2, "column onset: 'x'"},
                         {Severity::error, run + "_events.tsv", 6, "column duration"}});
  const BidsFolder latin;
  latin.write(run + "_events.tsv", "onset\xe4\n");
  expect_error_at(latin, run + "_events.tsv", 1, "UTF-8");
}

TEST(DatasetCheck, Attention) {
  const BidsFolder overlap;
  overlap.write(run + "_events.tsv", events_with("0\t12\tattend", "0\t13\tattend"));
  expect_error_at(overlap, run + "_events.tsv", 5, "overlaps with that to 'left' of row 4");
  const DatasetReport counted = check_dataset(overlap.path());
  EXPECT_LE(counted.labelled.value, counted.heard.value) << "what two rows claim is there once";
  const BidsFolder unknown;
  unknown.write(run + "_events.tsv", events_with("attend\tright", "attend\tmiddle"));
  expect_error_at(unknown, run + "_events.tsv", 5, "'middle' is attended but makes no sound");
  const BidsFolder none;
  std::string text = BidsFolder::events;
  none.write(run + "_events.tsv", text.substr(0, text.find("0\t12\tattend")));
  expect_warning_at(none, run + "_events.tsv", 2, "no attend row");
}

TEST(DatasetCheck, Stimuli) {
  const BidsFolder missing;
  missing.write(run + "_events.tsv", events_with("right.tsv", "gone.wav"));
  expect_error_at(missing, run + "_events.tsv", 3, "there is no 'stimuli/gone.wav'; put the file there");
  const BidsFolder windows;
  windows.write(run + "_events.tsv", events_with("right.tsv", R"(stimuli\right.tsv)"));
  expect_error_at(windows, run + "_events.tsv", 3, "write the path within stimuli, with / between folders");
  const BidsFolder shorter;
  shorter.write("stimuli/right.tsv", BidsFolder::envelope(64 * 15));
  expect_problems(shorter,
                  {{Severity::error, run + "_events.tsv", 3, "wants 20 s from 0 s of 'right.tsv', which ends at 15 s"},
                   {Severity::error, "sub-02/eeg/sub-02_task-attend_run-1_events.tsv", 3, "15 s"}});
  const BidsFolder late({"01"});
  late.write("stimuli/right.json", R"({"SamplingFrequency": 64, "StartTime": 0.5})");
  expect_error_at(late, run + "_events.tsv", 3, "begins at 0.5 s");
  const BidsFolder gap;
  gap.write("stimuli/right.tsv", "envelope\n1\nn/a\n");
  expect_error_at(gap, "stimuli/right.tsv", 3, "column envelope: an envelope has no gaps");  // once, for both runs
  const BidsFolder sidecar({"01"});
  sidecar.remove("stimuli/left.json");
  expect_error_at(sidecar, "stimuli/left.tsv", 0, "no JSON");
  const BidsFolder channel;
  channel.write(run + "_events.tsv",
                "onset\tduration\ttrial_type\tspeaker\tstim_file\tstim_channel\n0\t20\tstimulus\tleft\tleft.tsv\t0\n"
                "0\t20\tstimulus\tright\tright.tsv\tn/a\n0\t20\tattend\tleft\tn/a\tn/a\n");
  expect_error_at(channel, run + "_events.tsv", 2, "is a table, not audio");
}

// A file may be longer than its row, and a row longer than the EEG: the first is a part of it, the second is cut.
TEST(DatasetCheck, SoundLongerThanItsRowOrTheEeg) {
  const BidsFolder part({"01"});
  part.write("stimuli/right.tsv", BidsFolder::envelope(64 * 90));
  expect_problems(part, {});
  part.write("stimuli/left.tsv", BidsFolder::envelope(64 * 90));
  part.write(run + "_events.tsv",
             "onset\tduration\ttrial_type\tspeaker\tstim_file\n5\t60\tstimulus\tleft\tleft.tsv\n"
             "5\t60\tstimulus\tright\tright.tsv\n5\t60\tattend\tleft\tn/a\n");
  expect_warning_at(part, run + "_events.tsv", 2, "continues for 45 s after the EEG has ended");
  EXPECT_EQ(check_dataset(part.path()).heard, Seconds{15});
}

TEST(DatasetCheck, Audio) {
  const std::vector<std::int16_t> frames(std::size_t{2} * 8000 * 20, 100);
  BidsFolder folder({"01"});
  folder.write("stimuli/talk.wav", test::wav_bytes(frames, {2, 8000}));
  const auto use = [&](const std::string& channel) {
    folder.write(run + "_events.tsv",
                 "onset\tduration\ttrial_type\tspeaker\tstim_file\tstim_channel\n0\t20\tstimulus\tleft\ttalk.wav\t0\n"
                 "0\t20\tstimulus\tright\ttalk.wav\t" +
                     channel + "\n0\t20\tattend\tleft\tn/a\tn/a\n");
  };
  use("1");
  expect_problems(folder, {});
  use("2");
  expect_error_at(folder, run + "_events.tsv", 3, "no channel 2 in 'talk.wav'; it has 2, counted from 0");
  use("1");
  folder.write("stimuli/talk.wav", "not audio, but long enough to be looked at as if it were some");
  expect_error_at(folder, "stimuli/talk.wav", 0, "is not audio");
  folder.write("stimuli/talk.wav", test::wav_bytes(frames, {2, 8000}));
  folder.write(run + "_events.tsv", events_with("right.tsv", "talk.wav"));
  expect_warning_at(folder, run + "_events.tsv", 0, "some stimuli are audio, others envelopes");
}

TEST(DatasetCheck, RatesThatDoNotDivide) {
  const BidsFolder folder({"01"});
  folder.write("stimuli/left.json", R"({"SamplingFrequency": 50})");
  expect_warning_at(folder, run + "_events.tsv", 2,
                    "'left.tsv' has 50 Hz, the EEG has 64 Hz: neither is a whole multiple");
  folder.write("stimuli/left.json", R"({"SamplingFrequency": 32})");
  expect_problems(folder, {});
}

TEST(DatasetCheck, TrialsOfLittleUse) {
  const BidsFolder folder({"01"});
  folder.write(
      run + "_events.tsv",
      "onset\tduration\ttrial_type\tspeaker\tstim_file\n0\t.5\tstimulus\tleft\tleft.tsv\n0\t.5\tattend\tleft\tn/a\n");
  expect_problems(folder, {{Severity::warning, run + "_events.tsv", 2, "one speaker"},
                           {Severity::warning, run + "_events.tsv", 2, "lasts 0.5 s"}});
}

TEST(DatasetCheck, RunsOfAParticipantAgree) {
  const BidsFolder folder({"01"});
  const std::string second = "sub-01/eeg/sub-01_task-attend_run-2";
  folder.add_run(second);
  folder.write(second + "_channels.tsv", "name\ttype\nFp1\tEEG\nCz\tMISC\nEye\tEOG\n");
  std::string text = BidsFolder::events;
  for (std::size_t at = text.find("\tleft\t"); at != std::string::npos; at = text.find("\tleft\t"))
    text.replace(at, 6, "\tanna\t");
  folder.write(second + "_events.tsv", text);
  expect_problems(folder,
                  {{Severity::warning, second + "_eeg.vhdr", 0, "differ from those of sub-01_task-attend_run-1"},
                   {Severity::warning, second + "_events.tsv", 0, "other names than in sub-01_task-attend_run-1"}});
}

TEST(DatasetCheck, EverythingAtOnce) {
  const BidsFolder folder;
  folder.remove("dataset_description.json");
  folder.write(run + "_channels.tsv", "name\ttype\nFp1\tEEG\nEye\tEOG\n");
  folder.write(run + "_events.tsv", events_with("right.tsv", "gone.wav"));
  folder.remove("sub-02/eeg/sub-02_task-attend_run-1_events.tsv");
  EXPECT_EQ(check_dataset(folder.path()).count(Severity::error), 4U);
}

TEST(DatasetCheck, RealDataHaveNoProblem) {
  const char* data = std::getenv("HEED_TEST_DATA");  // NOLINT(concurrency-mt-unsafe)
  if (data == nullptr) GTEST_SKIP() << "HEED_TEST_DATA is not set";
  const DatasetReport report = check_dataset(std::filesystem::path(data) / "dtu-match");
  EXPECT_TRUE(report.problems.empty());
  EXPECT_EQ(report.participants, 9U);
  EXPECT_EQ(report.runs, 18U);
  EXPECT_EQ(report.heard, Seconds{4500});
}

}  // namespace
}  // namespace heed::io
