// SPDX-License-Identifier: MIT
// Reconstructions with their envelopes and labels: every way to write them, and what does not meet.
#include <gtest/gtest.h>
#include <io/reconstruction_file.h>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;

class ReconstructionFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("sub-01_run-2_reconstruction.tsv", "reconstruction\n1\n2\n3\n4\n");
    sidecar(R"({"SamplingFrequency": 2, "StartTime": 10, "Attended": "right"})");
    folder_.write("sub-01_run-2_envelopes.tsv", "left\tright\n0\t1\n2\t3\n4\t5\n6\t7\n");
    folder_.write("sub-01_run-2_envelopes.json", R"({"SamplingFrequency": 2, "StartTime": 10})");
  }

  void sidecar(std::string_view text) const { folder_.write("sub-01_run-2_reconstruction.json", text); }

  [[nodiscard]] Reconstruction read() const { return read_reconstruction(path()); }
  [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "sub-01_run-2_reconstruction.tsv"; }

  void expect_refused(std::initializer_list<std::string_view> words, ErrorKind kind = ErrorKind::bad_data) const {
    expect_error(kind, words, [&] { (void)read(); });
  }

  test::TemporaryFolder folder_;
};

TEST_F(ReconstructionFile, OneTableOfEnvelopes) {
  const Reconstruction found = read();
  EXPECT_EQ(found.listener, "01");
  EXPECT_EQ(found.name, "sub-01_run-2");
  EXPECT_EQ(found.sampling_frequency, Hertz{2});
  EXPECT_EQ(found.onset, Seconds{10});
  EXPECT_EQ(found.values, (Eigen::VectorXd(4) << 1, 2, 3, 4).finished());
  EXPECT_EQ(found.speakers, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(found.envelopes, (Matrix(4, 2) << 0, 1, 2, 3, 4, 5, 6, 7).finished());
  ASSERT_EQ(found.attention.size(), 1U);
  EXPECT_EQ(found.attention.front().samples, (SampleRange{0, 4}));
  EXPECT_EQ(found.attention.front().speaker, 1);
}

TEST_F(ReconstructionFile, AnEnvelopeASpeaker) {
  folder_.write("sounds/a.tsv", "x\n9\n8\n7\n6\n");
  folder_.write("sounds/a.json", R"({"SamplingFrequency": 2, "StartTime": 10})");
  folder_.write("b.tsv", "x\n5\n4\n3\n2\n");
  folder_.write("b.json", R"({"SamplingFrequency": 2, "StartTime": 10})");
  sidecar(R"({"SamplingFrequency": 2, "StartTime": 10, "Envelopes":
    [{"Speaker": "one", "File": "sounds/a.tsv"}, {"Speaker": "two", "File": "b.tsv"}]})");
  const Reconstruction found = read();
  EXPECT_EQ(found.speakers, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(found.envelopes, (Matrix(4, 2) << 9, 5, 8, 4, 7, 3, 6, 2).finished());
  EXPECT_TRUE(found.attention.empty());
  sidecar(R"({"SamplingFrequency": 2, "StartTime": 10, "Envelopes":
    [{"Speaker": "one", "File": "b.tsv"}, {"Speaker": "one", "File": "b.tsv"}]})");
  expect_refused({"'one' twice"});
  sidecar(R"({"SamplingFrequency": 2, "StartTime": 10, "Envelopes": [{"Speaker": "one", "File": "b.tsv"}]})");
  expect_refused({"one speaker"});
  sidecar(R"({"SamplingFrequency": 2, "StartTime": 10, "Envelopes":
    [{"Speaker": "one", "File": "sub-01_run-2_envelopes.tsv"}]})");
  expect_refused({"several columns"});
}

TEST_F(ReconstructionFile, AttentionInStretches) {
  sidecar(R"({"SamplingFrequency": 2, "StartTime": 10, "Attended": [{"Onset": 10.5, "Speaker": "left"},
    {"Onset": 11, "Speaker": "n/a"}, {"Onset": 11.5, "Speaker": "right"}]})");
  const Reconstruction found = read();
  ASSERT_EQ(found.attention.size(), 2U);
  EXPECT_EQ(found.attention[0].samples, (SampleRange{1, 1}));
  EXPECT_EQ(found.attention[0].speaker, 0);
  EXPECT_EQ(found.attention[1].samples, (SampleRange{3, 1}));
  EXPECT_EQ(found.attention[1].speaker, 1);
  for (const char* onset : {"9", "12", "1e300", "-1e300"}) {
    sidecar(std::string(R"({"SamplingFrequency": 2, "StartTime": 10, "Attended": [{"Speaker": "left", "Onset": )") +
            onset + "}]}");
    expect_refused({"outside the signal"});
  }
}

TEST_F(ReconstructionFile, WhatDoesNotMeetIsRefused) {
  folder_.write("sub-01_run-2_envelopes.json", R"({"SamplingFrequency": 4, "StartTime": 10})");
  expect_refused({"sub-01_run-2_envelopes.tsv", "4 samples per second", "the reconstruction 2", "resample"});
  folder_.write("sub-01_run-2_envelopes.json", R"({"SamplingFrequency": 2})");
  expect_refused({"begins at 0 s", "10 s"});
  folder_.write("sub-01_run-2_envelopes.json", R"({"SamplingFrequency": 2, "StartTime": 10})");
  folder_.write("sub-01_run-2_envelopes.tsv", "left\tright\n0\t1\n2\t3\n4\t5\n");
  expect_refused({"has 3 samples", "4"});
  folder_.write("sub-01_run-2_envelopes.tsv", "left\n0\n2\n4\n6\n");
  expect_refused({"one speaker"});
  folder_.write("sub-01_run-2_reconstruction.tsv", "a\tb\n0\t1\n2\t3\n4\t5\n6\t7\n");
  expect_refused({"2 columns"});
  std::filesystem::remove(folder_.path() / "sub-01_run-2_reconstruction.json");
  expect_refused({"no JSON beside it"}, ErrorKind::not_found);
}

TEST_F(ReconstructionFile, FoldersAreSearchedForBothKinds) {
  folder_.write("deep/sub-10_reconstruction.npy", "");
  folder_.write("deep/sub-2_reconstruction.tsv", "");
  folder_.write("deep/other.npy", "");
  const std::vector<std::filesystem::path> all{folder_.path()};
  const auto found = find_reconstructions(all);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0], path());
  EXPECT_EQ(found[1].filename(), "sub-2_reconstruction.tsv");
  EXPECT_EQ(found[2].filename(), "sub-10_reconstruction.npy");
  folder_.write("sub-2_reconstruction.npy", "");
  expect_error(ErrorKind::bad_data, {"same name"}, [&] { (void)find_reconstructions(all); });
  const test::TemporaryFolder empty;
  const std::vector<std::filesystem::path> none{empty.path()};
  expect_error(ErrorKind::not_found, {"*_reconstruction.tsv or *_reconstruction.npy"},
               [&] { (void)find_reconstructions(none); });
}

}  // namespace
}  // namespace heed::io
