// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/text_file.h>
#include <study/results/participant_results.h>

#include <filesystem>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::study {
namespace {

ResultTable rows(std::vector<std::string> columns, std::vector<std::vector<TableValue>> values) {
  return {.columns = std::move(columns), .rows = std::move(values)};
}

const Outcome full{
    .tables = {{"tracking", rows({"tracker", "accuracy"}, {{"causal", 0.9}})},
               {"reliability", rows({"lower"}, {{0.0}, {0.5}})}},
    .notes = {{.subject = "01", .kind = NoteKind::doubtful, .text = "one"}, {.text = "two\nlines\tand a tab"}}};
const Outcome other{.tables = {{"tracking", rows({"tracker", "accuracy"}, {{"smooth", TableValue()}})}}};
const Outcome wider{.tables = {{"tracking", rows({"tracker", "accuracy", "more"}, {{"smooth", 0.1, 1.0}})}}};
const Outcome left_out{.left_out = "no EEG"};

void expect_same(const std::optional<Outcome>& found, const Outcome& expected) {
  ASSERT_TRUE(found);
  EXPECT_EQ(found->left_out, expected.left_out);
  ASSERT_EQ(found->tables.size(), expected.tables.size());
  for (const NamedTable& one : expected.tables) {
    ASSERT_NE(found->find(one.name), nullptr) << one.name;
    EXPECT_EQ(found->find(one.name)->columns, one.table.columns);
    EXPECT_EQ(found->find(one.name)->rows, one.table.rows);
  }
}

TEST(ParticipantResults, ComeBackFromTheirText) {
  ParticipantResults results;
  results.add("k1", full);
  results.add("k2", other);
  results.add("k3", left_out);
  results.add("k4", {});
  results.add("k5", wider);
  const ParticipantResults back(results.text());
  EXPECT_EQ(back.text(), results.text());
  expect_same(back.find("k1"), full);
  expect_same(back.find("k2"), other);
  expect_same(back.find("k3"), left_out);
  expect_same(back.find("k4"), {});
  expect_same(back.find("k5"), wider);
  const Notes expected{{.subject = "01", .kind = NoteKind::doubtful, .text = "one"}, {.text = "two lines and a tab"}};
  EXPECT_EQ(back.find("k1")->notes, expected);
  EXPECT_EQ(back.find("k1")->find("trace"), nullptr);
  EXPECT_FALSE(back.find("k6"));
  EXPECT_TRUE(back.contains("k4")) << "an outcome without rows is there";
}

TEST(ParticipantResults, AreTheSameTextInAnyOrder) {
  ParticipantResults one;
  one.add("a", full);
  one.add("b", wider);
  one.add("c", other);
  ParticipantResults two;
  two.add("c", other);
  ParticipantResults rest;
  rest.add("b", wider);
  rest.add("a", full);
  rest.add("c", left_out);  // is there already
  two.merge(rest);
  EXPECT_EQ(two.text(), one.text());
  EXPECT_EQ(ParticipantResults(two.text()).text(), one.text());
}

TEST(ParticipantResults, OfAnotherTextAreRefused) {
  for (const char* text :
       {"a\tb\n", "# table tracking\nspeakers\n", "# table outcomes", "# table outcomes\noutcome\nab"}) {
    test::expect_error(ErrorKind::bad_data, {}, [&] { ParticipantResults results(text); });
  }
}

TEST(ResultStore, HasAFileForEachParticipant) {
  const test::TemporaryFolder folder;
  ResultStore store(folder.path() / "results");
  store.add("01", "k1", full, "seed 1 | sub-01");
  store.add("01", "k2", other, "seed 1 | sub-01");
  store.add("02", "k1", left_out, "seed 1 | sub-02");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "results")) << "nothing is written yet";
  expect_same(store.find("01", "k2"), other);
  store.write("01");
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "results/sub-01.tsv"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "results/sub-02.tsv"));
  store.write_all();
  const ResultStore again(folder.path() / "results");
  expect_same(again.find("01", "k1"), full);
  EXPECT_TRUE(again.contains("02", "k1"));
  EXPECT_FALSE(again.contains("02", "k2"));
  EXPECT_FALSE(again.contains("03", "k1"));
}

TEST(ResultStore, TakesADamagedFileForNone) {
  const test::TemporaryFolder folder;
  ResultStore store(folder.path());
  store.add("01", "k1", full, "a test");
  store.write_all();
  std::filesystem::resize_file(store.file_of("01"), 30);
  ResultStore again(folder.path());
  EXPECT_TRUE(again.is_damaged("01"));
  EXPECT_FALSE(again.contains("01", "k1"));
  EXPECT_FALSE(again.is_damaged("02")) << "who is not there";
  again.add("01", "k1", full, "a test");
  again.write("01");
  EXPECT_FALSE(ResultStore(folder.path()).is_damaged("01"));
}

// Two processes on one participant: neither loses what the other has written.
TEST(ResultStore, KeepsWhatOthersWrote) {
  const test::TemporaryFolder folder;
  ResultStore one(folder.path());
  ResultStore two(folder.path());
  EXPECT_FALSE(one.contains("01", "k2"));
  two.add("01", "k2", other, "a test");
  two.write_all();
  one.add("01", "k1", full, "a test");
  one.write_all();
  const ResultStore after(folder.path());
  EXPECT_TRUE(after.contains("01", "k1"));
  EXPECT_TRUE(after.contains("01", "k2"));
}

}  // namespace
}  // namespace heed::study
