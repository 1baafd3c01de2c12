// SPDX-License-Identifier: MIT
// Rows of an events table, one by one; trial_plan_test.cpp has what they mean together.
#include <gtest/gtest.h>
#include <io/bids/events_file.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;

constexpr const char* header = "onset\tduration\ttrial_type\tspeaker\tstim_file\tstim_onset\tstim_channel\ttrial\n";

std::string with(const std::string& row) { return header + row + "\n"; }

void expect_bad(const std::string& row, std::initializer_list<std::string_view> words) {
  expect_error(ErrorKind::bad_data, words, [&] { (void)parse_events(with(row)); });
}

bool same(const StimulusPiece& a, const StimulusPiece& b) {
  return a.speaker == b.speaker && a.onset == b.onset && a.duration == b.duration && a.file == b.file &&
         a.file_onset == b.file_onset && a.channel == b.channel && a.trial == b.trial;
}
bool same(const AttentionStretch& a, const AttentionStretch& b) {
  return a.speaker == b.speaker && a.onset == b.onset && a.duration == b.duration && a.trial == b.trial;
}
template <typename Row>
bool all_same(const std::vector<Row>& a, const std::vector<Row>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Row& x, const Row& y) { return same(x, y); });
}

TEST(EventsFile, ReadsEveryColumn) {
  const ListeningEvents events =
      parse_events(with("-0.5\t30\tstimulus\tleft\tbooks/a.wav\t1.5\t1\tt1\n"
                        "0\t29.5\tattend\tleft\tn/a\tn/a\tn/a\tt1"));
  ASSERT_EQ(events.stimuli.size(), 1U);
  ASSERT_EQ(events.attention.size(), 1U);
  const StimulusPiece piece{"left", Seconds{-0.5}, Seconds{30}, "books/a.wav", Seconds{1.5}, 1, "t1"};
  EXPECT_TRUE(same(events.stimuli[0], piece));
  EXPECT_EQ(events.stimuli[0].row, 2U);
  EXPECT_TRUE(same(events.attention[0], {"left", Seconds{0}, Seconds{29.5}, "t1"}));
  EXPECT_EQ(events.attention[0].row, 3U);
}

TEST(EventsFile, OptionalColumnsHaveTheirDefaults) {
  const ListeningEvents events =
      parse_events("stim_file\tspeaker\ttrial_type\tduration\tonset\na.wav\tleft\tstimulus\t3\t1\n");
  EXPECT_TRUE(same(events.stimuli.at(0), {"left", Seconds{1}, Seconds{3}, "a.wav", Seconds{0}, std::nullopt, ""}));
}

TEST(EventsFile, PassesOverOtherEvents) {
  const ListeningEvents events =
      parse_events(with("n/a\t0\tbutton\tn/a\tn/a\tn/a\tn/a\tn/a\n"
                        "1\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a"));
  EXPECT_TRUE(events.stimuli.empty());
  EXPECT_TRUE(events.attention.empty());
}

TEST(EventsFile, SaysWhichRowAndColumnIsWrong) {
  const std::string good = "\tstimulus\tleft\ta.wav\t0\t0\tt";
  expect_bad("x\t1" + good, {"row 2", "column onset", "'x'", "write"});
  expect_bad("n/a\t1" + good, {"row 2", "column onset", "write seconds"});
  expect_bad("1e9\t1" + good, {"column onset", "10000000"});
  expect_bad("0\tn/a" + good, {"column duration", "write seconds"});
  expect_bad("0\t0" + good, {"column duration", "0 s or less"});
  expect_bad("0\t-1" + good, {"column duration", "0 s or less"});
  expect_bad("0\t1\tstimulus\tn/a\ta.wav\t0\t0\tt", {"column speaker", "needs its speaker"});
  expect_bad("0\t1\tattend\t\tn/a\t0\t0\tt", {"column speaker", "needs its speaker"});
  expect_bad("0\t1\tstimulus\tattended\ta.wav\t0\t0\tt", {"column speaker", "another name"});
  expect_bad("0\t1\tstimulus\tleft\tn/a\t0\t0\tt", {"column stim_file", "needs its file"});
  expect_bad("0\t1\tstimulus\tleft\ta.wav\t-1\t0\tt", {"column stim_onset", "at least 0"});
  expect_bad("0\t1\tstimulus\tleft\ta.wav\t0\t1.5\tt", {"column stim_channel", "0 for the first"});
  expect_bad("0\t1\tstimulus\tleft\ta.wav\t0\t-1\tt", {"column stim_channel", "0 for the first"});
  expect_bad("0\t1\tstimulus\tleft\ta.wav\t0\t0\tn/a", {"column trial", "leave the column out"});
  expect_bad("0\t1\tAttend\tleft\tn/a\t0\t0\tt", {"column trial_type", "write attend"});
  expect_bad("0\t1", {"row 2", "2 cells", "8"});
}

TEST(EventsFile, StimuliLieBelowTheirFolder) {
  for (const char* file : {"/etc/passwd", "../a.wav", "a/../../b.wav", "a/"}) {
    expect_bad(std::string("0\t1\tstimulus\tleft\t") + file + "\t0\t0\tt", {"column stim_file", "below stimuli/"});
  }
}

TEST(EventsFile, SaysWhichColumnIsMissing) {
  for (const std::string column : {"onset", "duration", "trial_type", "speaker", "stim_file"}) {
    std::string text = "onset\tduration\ttrial_type\tspeaker\tstim_file\n";
    text.replace(text.find(column), column.size(), "other");
    expect_error(ErrorKind::bad_data, {"row 1", "no column " + column, "add it"}, [&] { (void)parse_events(text); });
  }
}

TEST(EventsFile, TellsEveryBadRowAtOnce) {
  const CheckedEvents checked =
      check_events(with("x\t1\tattend\tleft\tn/a\t0\t0\tt\n"
                        "0\t1\tattend\tleft\tn/a\t0\t0\tt\n"
                        "short\n"
                        "2\t0\tattend\tleft\tn/a\t0\t0\tt"));
  ASSERT_EQ(checked.problems.size(), 3U);
  EXPECT_EQ(checked.problems[0].row, 2U);
  EXPECT_EQ(checked.problems[1].row, 4U);
  EXPECT_EQ(checked.problems[2].row, 5U);
  EXPECT_EQ(checked.problems[2].text(), "row 5, column duration: lasts 0 s or less; write how many seconds it lasts");
  EXPECT_EQ(checked.events.attention.size(), 1U);
}

TEST(EventsFile, ErrorsNameTheFile) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("sub-01_task-x_events.tsv", with("x\t1\tattend\tleft\tn/a\t0\t0\tt"));
  expect_error(ErrorKind::bad_data, {file.string() + ": row 2, column onset"}, [&] { (void)read_events(file); });
  expect_error(ErrorKind::not_found, {"none.tsv"}, [&] { (void)read_events(folder.path() / "none.tsv"); });
}

TEST(EventsFile, LeavesOutColumnsNobodyNeeds) {
  ListeningEvents events;
  events.stimuli.push_back({"left", Seconds{0.1}, Seconds{100000}, "a.wav", {}, {}, ""});
  events.attention.push_back({"left", Seconds{0.1}, Seconds{20}, ""});
  EXPECT_EQ(events_text(events),
            "onset\tduration\ttrial_type\tspeaker\tstim_file\n"
            "0.1\t100000\tstimulus\tleft\ta.wav\n"
            "0.1\t20\tattend\tleft\tn/a\n");
}

TEST(EventsFile, RefusesToWriteWhatCannotBeReadBack) {
  const auto refuses = [](const StimulusPiece& piece, std::string_view word) {
    expect_error(ErrorKind::invalid_argument, {word}, [&] { (void)events_text({{piece}, {}}); });
  };
  const StimulusPiece good{"left", Seconds{0}, Seconds{1}, "a.wav", {}, {}, ""};
  StimulusPiece piece = good;
  piece.speaker = "a\tb";
  refuses(piece, "a speaker");
  piece = good;
  piece.file = "n/a";
  refuses(piece, "a stimulus");
  piece = good;
  piece.onset = Seconds{std::nan("")};
  refuses(piece, "a time");
  piece = good;
  piece.duration = Seconds{0};
  refuses(piece, "no time");
  // A trial for one row and none for another.
  ListeningEvents events{{good, good}, {}};
  events.stimuli[0].trial = "t";
  expect_error(ErrorKind::invalid_argument, {"a trial"}, [&] { (void)events_text(events); });
}

rc::Gen<double> times(double from, double to) {
  return rc::gen::map(rc::gen::inRange<std::int64_t>(0, 1LL << 40U),
                      [=](std::int64_t n) { return from + (to - from) * static_cast<double>(n) / 1099511627776.0; });
}

RC_GTEST_PROP(EventsFileLaws, WhatIsWrittenReadsBackExactly, ()) {
  const bool trials = *rc::gen::arbitrary<bool>();
  const auto name = rc::gen::element<std::string>("left", "right", "Mrs. Höller", "3", "a b");
  const auto trial = [&] { return trials ? *rc::gen::element<std::string>("1", "two") : std::string(); };
  ListeningEvents events;
  for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
    const auto channel = *rc::gen::inRange(-1, 4);
    events.stimuli.push_back({*name, Seconds{*times(-10, 1e6)}, Seconds{*times(1e-6, 1e4)},
                              *rc::gen::element<std::string>("a.wav", "x/y z.flac"), Seconds{*times(0, 100)},
                              channel < 0 ? std::nullopt : std::optional(channel), trial()});
  }
  for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
    events.attention.push_back({*name, Seconds{*times(-10, 1e6)}, Seconds{*times(1e-6, 1e4)}, trial()});
  }
  const ListeningEvents back = parse_events(events_text(events));
  RC_ASSERT(all_same(back.stimuli, events.stimuli));
  RC_ASSERT(all_same(back.attention, events.attention));
}

TEST(EventsFile, SidecarDescribesEveryColumnOfItsOwn) {
  const std::string text = events_sidecar_text();
  for (const char* column : {"trial_type", "speaker", "stim_onset", "stim_channel", "trial", "attend", "stimulus"}) {
    EXPECT_NE(text.find('"' + std::string(column) + '"'), std::string::npos) << column;
  }
}

}  // namespace
}  // namespace heed::io
