// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/io/recording_file.h>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"
#include "support/mat_bytes.h"

namespace heed::io {
namespace {

using test::expect_error;
using test::mat_doubles;
using test::mat_struct;
using test::mat_text;

using Fields = std::vector<std::pair<std::string, std::string>>;

// Two channels of five samples: 1 ... 5 and 11 ... 15.
Fields dataset() {
  return {{"srate", mat_doubles({1, 1}, {100})},
          {"nbchan", mat_doubles({1, 1}, {2})},
          {"pnts", mat_doubles({1, 1}, {5})},
          {"trials", mat_doubles({1, 1}, {1})},
          {"data", mat_doubles({2, 5}, {1, 11, 2, 12, 3, 13, 4, 14, 5, 15})}};
}

void set(Fields& fields, const std::string& name, const std::string& value) {
  for (auto& [key, old] : fields) {
    if (key == name) old = value;
  }
}

std::filesystem::path write(const test::TemporaryFolder& folder, const Fields& fields) {
  return folder.write("x.set", test::mat_file({mat_struct(fields, "EEG")}));
}

void expect_samples(const Recording& recording) {
  ASSERT_EQ(recording.samples.rows(), 5);
  for (Index t = 0; t < 5; ++t) {
    EXPECT_EQ(recording.samples(t, 0), static_cast<float>(1 + t));
    EXPECT_EQ(recording.samples(t, 1), static_cast<float>(11 + t));
  }
}

std::string fdt() {
  std::vector<float> values;
  for (int t = 0; t < 5; ++t) values.insert(values.end(), {static_cast<float>(1 + t), static_cast<float>(11 + t)});
  return test::mat_numbers(values);
}

TEST(EeglabFile, HoldsSamplesOfItsOwn) {
  const test::TemporaryFolder folder;
  const auto path = write(folder, dataset());
  const RecordingHeader header = read_recording_header(path);
  EXPECT_EQ(header.format, "EEGLAB");
  EXPECT_EQ(header.sampling_frequency.value, 100);
  EXPECT_EQ(header.channels[1].name, "2");
  EXPECT_EQ(header.channels[1].unit, "uV");
  EXPECT_EQ(header.notes.size(), 1U);
  expect_samples(read_recording(path));
}

TEST(EeglabFile, TakesFieldsAsVariables) {
  const test::TemporaryFolder folder;
  std::vector<std::string> variables{mat_doubles({1, 1}, {100}, "srate"),
                                     mat_doubles({2, 5}, {1, 11, 2, 12, 3, 13, 4, 14, 5, 15}, "data")};
  expect_samples(read_recording(folder.write("x.set", test::mat_file(variables))));
}

TEST(EeglabFile, FindsSamplesBesideIt) {
  const test::TemporaryFolder folder;
  Fields fields = dataset();
  set(fields, "data", mat_text("C:\\old\\named.fdt"));
  const auto path = write(folder, fields);
  expect_error(ErrorKind::not_found, {"named.fdt", "x.fdt"}, [&] { (void)read_recording(path); });
  folder.write("x.fdt", fdt());
  expect_samples(read_recording(path));
  EXPECT_EQ(RecordingFile::open(path).files().size(), 2U);
  folder.write("x.fdt", fdt().substr(4));
  expect_error(ErrorKind::bad_data, {"x.fdt", "36 bytes"}, [&] { (void)read_recording(path); });
}

TEST(EeglabFile, TellsEventsAndCuts) {
  const test::TemporaryFolder folder;
  Fields fields = dataset();
  fields.emplace_back("event", mat_struct({{"type", mat_text("boundary")}, {"latency", mat_doubles({1, 1}, {3.5})}}));
  const RecordingHeader header = read_recording_header(write(folder, fields));
  ASSERT_EQ(header.events.size(), 1U);
  EXPECT_DOUBLE_EQ(header.events[0].onset.value, 0.025);
  ASSERT_EQ(header.segments.size(), 2U);
  EXPECT_EQ(header.segments[1].first_sample, 3);
}

TEST(EeglabFile, RefusesWhatItIsNot) {
  const test::TemporaryFolder folder;
  const auto refused = [&](const Fields& fields, ErrorKind kind, std::string_view word) {
    expect_error(kind, {"x.set", word}, [&] { (void)read_recording(write(folder, fields)); });
  };
  refused({{"other", mat_doubles({1, 1}, {1})}}, ErrorKind::unsupported, "not an EEGLAB dataset");
  Fields epochs = dataset();
  set(epochs, "trials", mat_doubles({1, 1}, {7}));
  refused(epochs, ErrorKind::unsupported, "7 epochs");
  Fields names = dataset();
  names.emplace_back("chanlocs", mat_struct({{"labels", mat_text("Cz")}}));
  refused(names, ErrorKind::bad_data, "1 names in chanlocs");
  Fields rate = dataset();
  set(rate, "srate", mat_doubles({1, 1}, {0}));
  refused(rate, ErrorKind::bad_data, "srate");
  // What is sparse states any size, and holds nothing; a file of 288 bytes took all the memory there is.
  constexpr std::uint32_t sparse = 5;
  Fields empty = dataset();
  set(empty, "data",
      test::mat_element(14, test::mat_head(sparse, {11'800'000, 4}, "") + test::mat_element(7, std::string(32, '\0'))));
  refused(empty, ErrorKind::bad_data, "a matrix of numbers is expected, channels x samples");
  expect_error(ErrorKind::bad_data, {"x.set", "MAT"}, [&] { (void)read_recording(folder.write("x.set", "nothing")); });
}

}  // namespace
}  // namespace heed::io
