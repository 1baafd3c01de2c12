// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <io/bids/electrodes_file.h>

#include <cmath>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using Direction = std::array<double, 3>;

std::vector<Direction> places() {
  const double half = std::sqrt(0.5);
  return {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, half, half}, {half, 0, half}};
}

// On a head of this radius whose middle is elsewhere.
std::string table(double radius, const Direction& middle, bool front_first = false) {
  std::string text = "name\tx\ty\tz\tmaterial\n";
  std::size_t k = 0;
  for (const Direction& one : places()) {
    const double x = radius * one[0] + middle[0];
    const double y = radius * one[1] + middle[1];
    const double z = radius * one[2] + middle[2];
    text += "E" + std::to_string(++k) + "\t" + std::to_string(front_first ? y : x) + "\t" +
            std::to_string(front_first ? -x : y) + "\t" + std::to_string(z) + "\tAg\n";
  }
  return text;
}

void expect_places(const std::vector<PlacedElectrode>& found, double tolerance) {
  ASSERT_EQ(found.size(), places().size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(found[k].direction[axis], places()[k][axis], tolerance);
  }
}

// Six decimals of 95 mm, and of .095 m.
TEST(Electrodes, AreDirectionsFromTheMiddleOfTheHead) {
  expect_places(parse_electrodes(table(95, {3, -5, 40}), "CapTrak"), 1e-7);
  expect_places(parse_electrodes(table(0.095, {0.003, -0.005, 0.04}), ""), 1e-4);
}

TEST(Electrodes, FollowAxesThatCountToTheFront) {
  expect_places(parse_electrodes(table(95, {3, -5, 40}, true), "CTF"), 1e-7);
}

TEST(Electrodes, WithoutAPlaceAreLeftOut) {
  const auto found = parse_electrodes(table(95, {}) + "Ref\tn/a\tn/a\tn/a\tAg\n", "CapTrak");
  EXPECT_EQ(found.size(), places().size());
  EXPECT_EQ(found.back().name, "E6");
}

TEST(Electrodes, OnNoHeadAreRefused) {
  test::expect_error(ErrorKind::bad_data, {"row 1"}, [] { (void)parse_electrodes("name\tx\ty\nCz\t0\t0\n", ""); });
  test::expect_error(ErrorKind::bad_data, {"row 2, column z"},
                     [] { (void)parse_electrodes("name\tx\ty\tz\nCz\t0\t0\thigh\n", ""); });
  test::expect_error(ErrorKind::bad_data, {"only 1 electrodes"},
                     [] { (void)parse_electrodes("name\tx\ty\tz\nCz\t0\t0\t1\n", ""); });
  test::expect_error(ErrorKind::bad_data, {"in a plane"}, [] {
    (void)parse_electrodes("name\tx\ty\tz\nA\t0\t1\t0\nB\t1\t0\t0\nC\t-1\t0\t0\nD\t0\t-1\t0\nE\t0.6\t0.8\t0\n", "");
  });
}

TEST(Electrodes, AreFoundForTheRun) {
  const test::TemporaryFolder folder;
  const BidsRun run{.name = "sub-01_ses-2_task-a",
                    .entities = {.subject = "01", .session = "2", .task = "a"},
                    .eeg = folder.path() / "sub-01/ses-2/eeg/sub-01_ses-2_task-a_eeg.bdf"};
  const BidsDataset dataset{.root = folder.path()};
  EXPECT_TRUE(read_electrodes(dataset, run).empty());
  folder.write("sub-01/ses-2/eeg/sub-01_ses-1_space-CTF_electrodes.tsv", "broken");
  EXPECT_TRUE(read_electrodes(dataset, run).empty());
  folder.write("sub-01/ses-2/eeg/sub-01_ses-2_space-CTF_electrodes.tsv", table(95, {3, -5, 40}, true));
  folder.write("sub-01/ses-2/eeg/sub-01_ses-2_space-CTF_coordsystem.json", R"({"EEGCoordinateSystem": "CTF"})");
  expect_places(read_electrodes(dataset, run), 1e-7);
  folder.write("sub-01/ses-2/eeg/sub-01_ses-2_space-CTF_coordsystem.json", "{");
  test::expect_error(ErrorKind::bad_data, {"coordsystem.json"}, [&] { (void)read_electrodes(dataset, run); });
}

}  // namespace
}  // namespace heed::io
