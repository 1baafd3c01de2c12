// SPDX-License-Identifier: MIT
// Which channels are EEG, which of them are bad, and what a table says wrong about them.
#include <gtest/gtest.h>
#include <io/bids/channels_file.h>
#include <rapidcheck/gtest.h>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;
using Strings = std::vector<std::string>;

void expect_bad(std::string_view text, std::initializer_list<std::string_view> words) {
  expect_error(ErrorKind::bad_data, words, [&] { (void)parse_channels(text); });
}

RecordingHeader recording(const Strings& names) {
  RecordingHeader header;
  header.sampling_frequency = Hertz{64};
  for (const std::string& name : names) header.channels.push_back({name, "uV", Hertz{64}});
  return header;
}

Strings names_of(const std::vector<EegChannel>& channels) {
  Strings names;
  for (const EegChannel& channel : channels) names.push_back(channel.name);
  return names;
}

TEST(ChannelsFile, ReadsEveryColumn) {
  const auto channels = parse_channels(
      "name\ttype\tunits\tdescription\tsampling_frequency\tstatus\n"
      "Fp1\tEEG\tuV\tx\t512\tgood\n"
      "EXG1\teog\tn/a\tx\tn/a\tbad\n"
      "Cz\tEEG\tV\tx\t256.5\tn/a\n");
  ASSERT_EQ(channels.size(), 3U);
  EXPECT_EQ(channels[0].name, "Fp1");
  EXPECT_EQ(channels[0].unit, "uV");
  EXPECT_EQ(channels[0].sampling_frequency, Hertz{512});
  EXPECT_TRUE(channels[0].good);
  EXPECT_EQ(channels[1].type, "EOG");
  EXPECT_EQ(channels[1].unit, "");
  EXPECT_EQ(channels[1].sampling_frequency, std::nullopt);
  EXPECT_FALSE(channels[1].good);
  EXPECT_EQ(channels[2].sampling_frequency, Hertz{256.5});
  EXPECT_TRUE(channels[2].good);
}

TEST(ChannelsFile, SaysWhatIsWrong) {
  expect_bad("name\tunits\nFp1\tuV\n", {"row 1", "no column type"});
  expect_bad("type\tunits\nEEG\tuV\n", {"row 1", "no column name"});
  expect_bad("name\ttype\n\tEEG\n", {"row 2", "column name"});
  expect_bad("name\ttype\nFp1\tn/a\n", {"row 2", "column type", "EEG, EOG"});
  expect_bad("name\ttype\nFp1\tEEG\nFp1\tEEG\n", {"row 3", "column name", "'Fp1' appears twice"});
  expect_bad("name\ttype\tsampling_frequency\nFp1\tEEG\t0\n", {"row 2", "column sampling_frequency", "greater than 0"});
  expect_bad("name\ttype\tstatus\nFp1\tEEG\tok\n", {"row 2", "column status", "good, bad or n/a"});
  expect_bad("name\ttype\n", {"no channels", "one row per channel"});
  EXPECT_EQ(check_channels("name\ttype\nA\t\nB\t\n").problems.size(), 2U);
}

TEST(ChannelsFile, ErrorsNameTheFile) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("x_channels.tsv", "name\ttype\nFp1\tn/a\n");
  expect_error(ErrorKind::bad_data, {file.string() + ": row 2"}, [&] { (void)read_channels(file); });
}

TEST(ChannelsFile, EegIsWhatTheTableCallsEeg) {
  const auto table = parse_channels(
      "name\ttype\tstatus\nCz\tEEG\tbad\nEXG1\tEOG\tgood\nFp1\tEEG\tgood\nAux\tMISC\tgood\nStatus\tTRIG\tgood\n");
  const auto eeg = select_eeg(recording({"Fp1", "Cz", "EXG1", "Aux"}), table);
  EXPECT_EQ(names_of(eeg), (Strings{"Fp1", "Cz"}));
  EXPECT_EQ(eeg[0].index, 0U);
  EXPECT_TRUE(eeg[0].good);
  EXPECT_EQ(eeg[1].index, 1U);
  EXPECT_FALSE(eeg[1].good);
}

TEST(ChannelsFile, WithoutATableNamesDecide) {
  const Strings names{"Fp1", "EXG1", "VEOG", "eog left", "M1",   "GSR1",    "Status", "Erg1",
                      "Cz",  "ECG",  "Resp", "Ana8",     "Temp", "STI 014", "Plet",   "A1"};
  EXPECT_EQ(names_of(select_eeg(recording(names), {})), (Strings{"Fp1", "M1", "Cz", "A1"}));
}

TEST(ChannelsFile, TableAndRecordingHoldTheSame) {
  const auto table = parse_channels("name\ttype\nFp1\tEEG\nCz\tEEG\n");
  expect_error(ErrorKind::bad_data, {"lists 2 channels", "has 3", "'Pz'"}, [&] {
    (void)select_eeg(recording({"Fp1", "Cz", "Pz"}), table);
  });
  expect_error(ErrorKind::bad_data, {"'Cz'", "does not have"}, [&] { (void)select_eeg(recording({"Fp1"}), table); });
}

TEST(ChannelsFile, SomeEegIsNeeded) {
  expect_error(ErrorKind::bad_data, {"type EEG"},
               [] { (void)select_eeg(recording({"X"}), parse_channels("name\ttype\nX\tEOG\n")); });
  expect_error(ErrorKind::bad_data, {"channels.tsv"}, [] { (void)select_eeg(recording({"EXG1"}), {}); });
}

TEST(ChannelsFile, RefusesToWriteBrokenNames) {
  const std::vector<BidsChannel> channels{{"a\nb", "EEG", "", {}, true}};
  expect_error(ErrorKind::invalid_argument, {"a channel"}, [&] { (void)channels_text(channels); });
}

RC_GTEST_PROP(ChannelsFileLaws, WhatIsWrittenReadsBackExactly, ()) {
  std::vector<BidsChannel> channels;
  const int count = *rc::gen::inRange(1, 8);
  for (int i = 0; i < count; ++i) {
    const int rate = *rc::gen::inRange(-1000, 100000);
    channels.push_back({"ch" + std::to_string(i), *rc::gen::element<std::string>("EEG", "EOG", "MISC"),
                        *rc::gen::element<std::string>("", "uV", "µV"),
                        rate <= 0 ? std::nullopt : std::optional(Hertz{rate / 7.0}), *rc::gen::arbitrary<bool>()});
  }
  const auto back = parse_channels(channels_text(channels));
  RC_ASSERT(back.size() == channels.size());
  for (std::size_t i = 0; i < back.size(); ++i) {
    RC_ASSERT(back[i].name == channels[i].name && back[i].type == channels[i].type);
    RC_ASSERT(back[i].unit == channels[i].unit && back[i].good == channels[i].good);
    RC_ASSERT(back[i].sampling_frequency == channels[i].sampling_frequency);
  }
}

}  // namespace
}  // namespace heed::io
