// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/discovery.h>

namespace heed::io {
namespace {

TEST(Entities, ReadsEveryPairAndTheSuffix) {
  const FileEntities entities =
      parse_entities("data/sub-01_ses-pre_task-listen_run-2_window-0.5s_decoder-cnn_desc-ls_scores.tsv");
  EXPECT_EQ(entities.value("sub"), "01");
  EXPECT_EQ(entities.value("ses"), "pre");
  EXPECT_EQ(entities.value("task"), "listen");
  EXPECT_EQ(entities.value("run"), "2");
  EXPECT_EQ(entities.value("window"), "0.5s");
  EXPECT_EQ(entities.value("decoder"), "cnn");
  EXPECT_EQ(entities.value("desc"), "ls");
  EXPECT_EQ(entities.suffix, "scores");
  EXPECT_EQ(entities.pairs.size(), 7U);
}

TEST(Entities, WhatIsNotThereIsEmpty) {
  const FileEntities entities = parse_entities("listener.tsv");
  EXPECT_EQ(entities.value("sub"), "");
  EXPECT_EQ(entities.suffix, "listener");
  EXPECT_TRUE(entities.pairs.empty());
  EXPECT_EQ(parse_entities("sub-01.tsv").suffix, "");
  EXPECT_EQ(parse_entities("sub-01.tsv").value("sub"), "01");
  EXPECT_EQ(parse_entities("").suffix, "");
}

TEST(Entities, OddNames) {
  EXPECT_EQ(parse_entities("sub-_scores.tsv").value("sub"), "");
  EXPECT_EQ(parse_entities("-01_scores.tsv").pairs.size(), 0U);
  EXPECT_EQ(parse_entities("sub-01_desc-a-b_scores.tsv").value("desc"), "a-b");
  EXPECT_EQ(parse_entities("sub-01_sub-02_scores.tsv").value("sub"), "01");
  EXPECT_EQ(parse_entities("sub-01__scores.tsv").suffix, "scores");
  // The folder is not the file.
  EXPECT_EQ(parse_entities("sub-09/x_scores.tsv").value("sub"), "");
}

TEST(Entities, WhoAFileIsAbout) {
  EXPECT_EQ(participant_id("a/sub-01_window-05s_scores.tsv"), "01");
  EXPECT_EQ(participant_id("a/listener_a.tsv"), "listener_a");
  EXPECT_EQ(participant_id("a/listener_scores.tsv"), "listener");
  EXPECT_EQ(participant_id("a/listener_posterior.tsv"), "listener");
  EXPECT_EQ(participant_id("_scores.tsv"), "_scores");
  EXPECT_EQ(participant_id("-"), "stdin");
  EXPECT_EQ(name_without_suffix("x/sub-01_run-2_scores.tsv"), "sub-01_run-2");
}

}  // namespace
}  // namespace heed::io
