// SPDX-License-Identifier: MIT
// A BIDS folder: its participants and runs, and which files apply to a run.
#include <gtest/gtest.h>
#include <heed/io/bids_dataset.h>
#include <io/bids/dataset_scan.h>

#include "support/bids_folder.h"
#include "support/expect_error.h"

namespace heed::io {
namespace {

using test::BidsFolder;
using test::expect_error;
using test::TemporaryFolder;

std::string leaf(const std::filesystem::path& path) { return path.filename().string(); }

void expect_bad(const BidsFolder& folder, std::initializer_list<std::string_view> words) {
  expect_error(ErrorKind::bad_data, words, [&] { (void)read_dataset(folder.path()); });
}

TEST(Dataset, FindsParticipantsAndRuns) {
  const BidsFolder folder({"10", "2", "01"});
  folder.add_run("sub-2/eeg/sub-2_task-attend_run-10");
  const BidsDataset dataset = read_dataset(folder.path());
  EXPECT_EQ(dataset.name, "Small");
  std::vector<std::string> found;
  for (const BidsParticipant& participant : dataset.participants) found.push_back(participant.id);
  EXPECT_EQ(found, (std::vector<std::string>{"01", "2", "10"}));
  found.clear();
  for (const BidsRun& run : dataset.runs) found.push_back(run.name);
  EXPECT_EQ(found, (std::vector<std::string>{"sub-01_task-attend_run-1", "sub-2_task-attend_run-1",
                                             "sub-2_task-attend_run-10", "sub-10_task-attend_run-1"}));
  const BidsRun& run = dataset.runs[2];
  EXPECT_EQ(run.entities.subject, "2");
  EXPECT_EQ(run.entities.task, "attend");
  EXPECT_EQ(run.entities.run, "10");
  EXPECT_EQ(run.entities.session, "");
  EXPECT_EQ(leaf(run.eeg), "sub-2_task-attend_run-10_eeg.vhdr");
  EXPECT_EQ(leaf(run.events.value()), "sub-2_task-attend_run-10_events.tsv");
  EXPECT_EQ(leaf(run.channels.value()), "sub-2_task-attend_run-10_channels.tsv");
  EXPECT_EQ(dataset.stimulus("a/b.wav"), folder.path() / "stimuli" / "a" / "b.wav");
}

TEST(Dataset, SessionsAndOtherEntities) {
  const BidsFolder folder(std::vector<std::string>{});
  folder.add_run("sub-01/ses-b/eeg/sub-01_ses-b_task-attend_acq-dry_run-1");
  folder.add_run("sub-01/ses-a/eeg/sub-01_ses-a_task-attend");
  const BidsDataset dataset = read_dataset(folder.path());
  ASSERT_EQ(dataset.runs.size(), 2U);
  EXPECT_EQ(dataset.runs[0].entities.session, "a");
  EXPECT_EQ(dataset.runs[1].entities.acquisition, "dry");
  EXPECT_EQ(dataset.participants.size(), 1U);
}

// Rest has no events, an oddball has none with speakers; neither is a mistake beside a task that has.
TEST(Dataset, OtherTasksAreLeftOutUnlessTheyAreNamed) {
  const BidsFolder folder({"01", "02"});
  folder.add_recording("sub-01/eeg/sub-01_task-rest");
  folder.add_recording("sub-02/eeg/sub-02_task-oddball");
  folder.write("sub-02/eeg/sub-02_task-oddball_events.tsv", "onset\tduration\ttrial_type\n1\t0.1\tstimulus\n");
  const auto count = [&](const RunSelection& selection) {
    std::size_t runs = 0;
    for (const ParticipantRuns& one : select_runs(read_dataset(folder.path()), selection)) runs += one.runs.size();
    return runs;
  };
  EXPECT_EQ(count({}), 2U);
  EXPECT_EQ(count({.tasks = {"rest", "attend"}}), 3U);
  EXPECT_EQ(words_of_other_tasks(read_dataset(folder.path())),
            "no events of tasks oddball, rest have a column speaker, so their runs are left out");
  // The task decides and not the run: one that lost its events is a mistake.
  folder.remove("sub-01/eeg/sub-01_task-attend_run-1_events.tsv");
  EXPECT_EQ(count({}), 2U);
  // So is a folder in which nobody speaks anywhere.
  folder.remove("sub-02/eeg/sub-02_task-attend_run-1_events.tsv");
  EXPECT_EQ(count({}), 4U);
  EXPECT_EQ(words_of_other_tasks(read_dataset(folder.path())), "");
}

TEST(Dataset, EveryEndingThatOpensIsListed) {
  const BidsFolder folder({"01"});
  const auto eeg = folder.path() / "sub-01" / "eeg";
  std::filesystem::rename(eeg / "sub-01_task-attend_run-1_eeg.vhdr", eeg / "sub-01_task-attend_run-1_eeg.ahdr");
  const BidsDataset dataset = read_dataset(folder.path());
  ASSERT_EQ(dataset.runs.size(), 1U);
  EXPECT_EQ(leaf(dataset.runs[0].eeg), "sub-01_task-attend_run-1_eeg.ahdr");
}

TEST(Dataset, FilesAreInherited) {
  const BidsFolder folder({"01"});
  folder.remove("sub-01/eeg/sub-01_task-attend_run-1_events.tsv");
  folder.remove("sub-01/eeg/sub-01_task-attend_run-1_channels.tsv");
  folder.write("task-attend_events.tsv", BidsFolder::events);
  folder.write("task-other_channels.tsv", "");  // of another task
  folder.write("sub-01/sub-01_task-attend_channels.tsv", "");
  folder.write("sub-01/sub-01_channels.tsv", "");
  folder.write("eeg.json", R"({"PowerLineFrequency": 50, "SamplingFrequency": 1, "EEGReference": "CMS"})");
  folder.write("sub-01/eeg/sub-01_task-attend_run-1_eeg.json", R"({"EEGReference": "n/a", "RecordingDuration": 20})");
  folder.write("sub-01/eeg/sub-01_task-attend_run-2_eeg.json", R"({"SamplingFrequency": 2})");  // of another run
  const BidsDataset dataset = read_dataset(folder.path());
  const BidsRun& run = dataset.runs.at(0);
  EXPECT_EQ(leaf(run.events.value()), "task-attend_events.tsv");
  EXPECT_EQ(leaf(run.channels.value()), "sub-01_task-attend_channels.tsv");
  ASSERT_EQ(run.sidecars.size(), 3U);
  const EegSidecar sidecar = read_eeg_sidecar(run);
  EXPECT_EQ(sidecar.power_line_frequency, Hertz{50});  // eeg.json
  EXPECT_EQ(sidecar.sampling_frequency, Hertz{64});    // task-attend_eeg.json overrules it
  EXPECT_EQ(sidecar.task, "attend");
  EXPECT_EQ(sidecar.reference, std::nullopt);  // n/a takes it back
  EXPECT_EQ(sidecar.duration, Seconds{20});
  EXPECT_EQ(sidecar.eeg_channels, std::nullopt);
}

TEST(Dataset, SidecarErrorsNameFileAndKey) {
  const BidsFolder folder({"01"});
  folder.write("task-attend_eeg.json", R"({"SamplingFrequency": "fast"})");
  const BidsDataset dataset = read_dataset(folder.path());
  expect_error(ErrorKind::bad_data, {"task-attend_eeg.json", "SamplingFrequency", "not a number"},
               [&] { (void)read_eeg_sidecar(dataset.runs.at(0)); });
}

TEST(Dataset, ParticipantsTableAddsWhatIsKnown) {
  const BidsFolder folder({"01", "02"});
  folder.write("participants.tsv", "participant_id\tage\tsex\nsub-02\t31\tF\nsub-01\tn/a\tM\n");
  const BidsDataset dataset = read_dataset(folder.path());
  ASSERT_EQ(dataset.participants[1].values.size(), 2U);
  EXPECT_EQ(dataset.participants[1].values[0], (std::pair<std::string, std::string>{"age", "31"}));
  EXPECT_EQ(dataset.participants[0].values[1].second, "M");
}

TEST(Dataset, ParticipantsTableSaysWhatIsWrong) {
  const auto fails = [](std::string_view text, std::initializer_list<std::string_view> words) {
    expect_error(ErrorKind::bad_data, words, [&] { (void)parse_participants(text); });
  };
  fails("age\n3\n", {"row 1", "participant_id"});
  fails("participant_id\n01\n", {"row 2", "'01'", "sub-"});
  fails("participant_id\nsub-\n", {"row 2"});
  fails("participant_id\tage\nsub-1\t2\nsub-1\t3\n", {"row 3", "'sub-1' appears twice"});
}

TEST(Dataset, TwoFilesOfOneRunAreAnError) {
  const BidsFolder same;
  same.write("sub-01/eeg/sub-01_task-attend_run-1_eeg.edf", "x");
  expect_bad(same, {"sub-01_task-attend_run-1_eeg.vhdr", "same run as sub-01_task-attend_run-1_eeg.edf", "keep one"});
  const BidsFolder zeros;
  zeros.add_run("sub-01/eeg/sub-01_task-attend_run-01");
  expect_bad(zeros, {"same run as"});
}

// On a disk that does not tell them apart, the results of one replaced those of the other.
TEST(Dataset, NamesThatDifferInCaseOnlyAreAnError) {
  const BidsFolder participants;
  participants.add_run("sub-A/eeg/sub-A_task-attend_run-1");
  participants.add_run("sub-a/eeg/sub-a_task-attend_run-2");
  expect_bad(participants, {"sub-a", "differs from sub-A", "case", "rename"});
  const BidsFolder tasks;
  tasks.add_run("sub-01/eeg/sub-01_task-Attend_run-1");
  expect_bad(tasks, {"sub-01_task-attend_run-1_eeg.vhdr", "same run as sub-01_task-Attend_run-1_eeg.vhdr"});
}

TEST(Dataset, NamesMustFitTheirFolder) {
  const BidsFolder other;
  other.add_recording("sub-01/eeg/sub-02_task-attend_run-7");
  expect_bad(other, {"sub-02_task-attend_run-7_eeg.vhdr", "folder of sub-01", "rename"});
  const BidsFolder session;
  session.add_recording("sub-01/ses-1/eeg/sub-01_task-attend_run-7");
  expect_bad(session, {"sub-01/ses-1"});
  const BidsFolder task;
  task.add_recording("sub-01/eeg/sub-01");
  expect_bad(task, {"sub-01_eeg.vhdr", "no task-"});
}

TEST(Dataset, OtherFormatsAreNamed) {
  const BidsFolder folder;
  folder.write("sub-01/eeg/sub-01_task-attend_run-2_eeg.cnt", "x");
  expect_bad(folder, {"run-2_eeg.cnt", "'.cnt'", "convert"});
}

TEST(Dataset, BrokenJsonIsAnError) {
  const BidsFolder folder;
  folder.write("dataset_description.json", "{");
  expect_bad(folder, {"dataset_description.json", "JSON"});
}

TEST(Dataset, SomethingMustBeThere) {
  const TemporaryFolder folder;
  const auto fails = [](const std::filesystem::path& path, std::initializer_list<std::string_view> words) {
    expect_error(ErrorKind::not_found, words, [&] { (void)read_dataset(path); });
  };
  fails(folder.path() / "none", {"none", "no such folder"});
  fails(folder.path(), {"sub-*/eeg"});
  fails(folder.write("file", "x"), {"not a folder"});
}

// The folder as a user types it: relative, with a slash behind.
TEST(Dataset, ThePathMayBeWrittenInAnyWay) {
  const BidsFolder folder({"01"});
  for (const std::string& way : {folder.path().string() + "/", folder.path().string() + "/./"}) {
    const BidsDataset dataset = read_dataset(way);
    ASSERT_EQ(dataset.runs.size(), 1U) << way;
    EXPECT_EQ(dataset.runs[0].sidecars.size(), 1U) << way;
    EXPECT_TRUE(dataset.runs[0].events.has_value()) << way;
  }
}

}  // namespace
}  // namespace heed::io
