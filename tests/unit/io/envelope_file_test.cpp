// SPDX-License-Identifier: MIT
// Envelope tables and their sidecars.
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/io/sound_file.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;
using test::TemporaryFolder;

constexpr const char* sidecar = R"({"SamplingFrequency": 64, "StartTime": 0.5, "Columns": ["envelope"]})";

void expect_bad(std::string_view table, std::string_view json, std::initializer_list<std::string_view> words) {
  expect_error(ErrorKind::bad_data, words, [&] { (void)parse_envelope(table, json); });
}

TEST(EnvelopeFile, ReadsTableAndSidecar) {
  const Envelope envelope = parse_envelope("envelope\n1.5\n-2e-3\n0\n", sidecar);
  EXPECT_EQ(envelope.sampling_frequency, Hertz{64});
  EXPECT_EQ(envelope.onset, Seconds{0.5});
  EXPECT_EQ(envelope.columns, std::vector<std::string>{"envelope"});
  EXPECT_EQ(envelope.values, (Matrix(3, 1) << 1.5, -2e-3, 0).finished());
}

TEST(EnvelopeFile, BandsAreColumnsAndStartTimeIsZero) {
  const Envelope envelope = parse_envelope("low\thigh\n1\t2\n3\t4\n", R"({"SamplingFrequency": 31.25})");
  EXPECT_EQ(envelope.onset, Seconds{0});
  EXPECT_EQ(envelope.values, (Matrix(2, 2) << 1, 2, 3, 4).finished());
}

TEST(EnvelopeFile, AnArrayIsOneColumn) {
  const TemporaryFolder folder;
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}";
  const std::string begin("\x93NUMPY\x01\x00\x37\x00", 10);
  ASSERT_EQ(header.size(), 0x37U);
  const auto path = folder.write("a.npy", begin + header + std::string("\x00\x00\x80\x3f", 4));
  expect_error(ErrorKind::not_found, {"a.npy", "no JSON beside it"}, [&] { (void)read_envelope(path); });
  folder.write("a.json", R"({"SamplingFrequency": 125, "StartTime": 2})");
  const Envelope envelope = read_envelope(path);
  EXPECT_EQ(envelope.sampling_frequency, Hertz{125});
  EXPECT_EQ(envelope.onset, Seconds{2});
  EXPECT_EQ(envelope.columns, std::vector<std::string>{"envelope"});
  EXPECT_EQ(envelope.values, Matrix::Ones(1, 1));
}

TEST(EnvelopeFile, SaysWhatIsWrong) {
  expect_bad("envelope\n1\nn/a\n", sidecar, {"row 3", "column envelope", "no gaps"});
  expect_bad("envelope\n1\nnan\n", sidecar, {"row 3", "'nan' is not a number"});
  expect_bad("envelope\n1\ninf\n", sidecar, {"row 3", "'inf' is not a number"});
  expect_bad("envelope\n1\n\n2\n", sidecar, {"row 3"});
  expect_bad("envelope\n", sidecar, {"no samples"});
  expect_bad("0.5\n0.25\n", sidecar, {"row 1", "holds numbers"});
  expect_bad("", sidecar, {"empty"});
  expect_bad("envelope\n1\n", "{}", {"sidecar", "SamplingFrequency is missing"});
  expect_bad("envelope\n1\n", R"({"SamplingFrequency": 0})", {"sidecar", "greater than 0"});
  expect_bad("envelope\n1\n", R"({"SamplingFrequency": 1e300})", {"sidecar", "samples per second"});
  expect_bad("envelope\n1\n", R"({"SamplingFrequency": 64, "StartTime": 1e300})", {"StartTime", "seconds"});
  expect_bad("envelope\n1\n", R"({"SamplingFrequency": 64, "Columns": ["x"]})", {"Columns", "'envelope'"});
  expect_bad("envelope\n1\n", "nonsense", {"sidecar", "JSON"});
}

TEST(EnvelopeFile, NeedsItsSidecar) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.tsv", "envelope\n1\n");
  expect_error(ErrorKind::not_found, {"a.tsv", "no JSON", "SamplingFrequency"}, [&] { (void)read_envelope(path); });
  expect_error(ErrorKind::not_found, {"b.tsv"}, [&] { (void)read_envelope(folder.path() / "b.tsv"); });
  (void)folder.write("a.json", "{}");
  expect_error(ErrorKind::bad_data, {path.string() + ": sidecar: key SamplingFrequency"},
               [&] { (void)read_envelope(path); });
}

RC_GTEST_PROP(EnvelopeFileLaws, SeventeenDigitsReadBackExactly, ()) {
  const auto rows = *rc::gen::inRange<Index>(1, 20);
  const auto columns = *rc::gen::inRange<Index>(1, 4);
  Envelope envelope{Hertz{*rc::gen::inRange(1, 100000) / 7.0}, Seconds{*rc::gen::inRange(-99, 99) / 3.0}, {}, {}};
  envelope.values.resize(rows, columns);
  for (Index c = 0; c < columns; ++c) envelope.columns.push_back("band " + std::to_string(c));
  for (Index i = 0; i < envelope.values.size(); ++i) {
    const auto digits = static_cast<double>(*rc::gen::inRange<std::int64_t>(-1LL << 53U, 1LL << 53U));
    envelope.values.data()[i] = digits * std::pow(10.0, *rc::gen::inRange(-30, 10)) / 3;
  }
  const TemporaryFolder folder;
  write_envelope(folder.path() / "e.tsv", envelope, 17);
  const Envelope back = read_envelope(folder.path() / "e.tsv");
  RC_ASSERT(back.values == envelope.values);
  RC_ASSERT(back.columns == envelope.columns);
  RC_ASSERT(back.sampling_frequency == envelope.sampling_frequency);
  RC_ASSERT(back.onset == envelope.onset);
}

TEST(EnvelopeFile, RefusesToWriteWhatCannotBeReadBack) {
  const TemporaryFolder folder;
  const Envelope good{Hertz{64}, Seconds{0}, {"envelope"}, Matrix::Ones(3, 1)};
  const auto refuses = [&](const Envelope& envelope, std::string_view word, int digits = 6) {
    expect_error(ErrorKind::invalid_argument, {word},
                 [&] { write_envelope(folder.path() / "e.tsv", envelope, digits); });
    EXPECT_TRUE(folder.names().empty());
  };
  refuses(good, "digits", 18);
  Envelope bad = good;
  bad.sampling_frequency = Hertz{0};
  refuses(bad, "sampling frequency");
  bad = good;
  bad.onset = Seconds{std::nan("")};
  refuses(bad, "onset");
  bad = good;
  bad.values(1, 0) = std::nan("");
  refuses(bad, "finite");
  bad = good;
  bad.values.resize(0, 1);
  refuses(bad, "finite");
  bad = good;
  bad.columns = {"a", "b"};
  refuses(bad, "every column");
  for (const char* name : {"", "a\tb", "0.5"}) {
    bad = good;
    bad.columns = {name};
    refuses(bad, "different names");
  }
}

// Read by numpy.
TEST(EnvelopeFile, ReadsRealEnvelopes) {
  const char* data = std::getenv("HEED_TEST_DATA");  // NOLINT(concurrency-mt-unsafe)
  if (data == nullptr) GTEST_SKIP() << "HEED_TEST_DATA is not set";
  const Envelope envelope = read_envelope(std::filesystem::path(data) / "dtu-match" / "stimuli" / "half-1_heard.tsv");
  ASSERT_EQ(envelope.values.rows(), 16000);
  EXPECT_EQ(envelope.values(12345, 0), 0.0208384);
  EXPECT_NEAR(envelope.values.sum(), 188.7174358952, 1e-9);
}

}  // namespace
}  // namespace heed::io
