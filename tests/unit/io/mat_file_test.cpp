// SPDX-License-Identifier: MIT
// The same values, written by scipy and h5py in the three forms MATLAB writes: each must read as it was written, and
// each question that does not fit must be answered with the value's place, class and shape.
#include <gtest/gtest.h>
#include <io/mat/mat_file.h>
#include <io/mat/mat_node.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "support/allocation_counter.h"
#include "support/expect_error.h"
#include "support/mutants.h"
#include "support/python_files.h"

namespace heed::io {
namespace {

using test::expect_error;

class MatFileTest : public test::PythonFiles {
 protected:
  void SetUp() override { make("make_mat_values.py"); }

  // The three forms.
  template <typename Check>
  void in_every_form(Check&& check) const {
    for (const std::string name : {"plain.mat", "compressed.mat", "v73.mat"}) {
      SCOPED_TRACE(name);
      check(MatFile::open(file(name)));
    }
  }
  // place: "cells{2}"; what is asked is asked of its variable.
  void refused(const std::string& place, const std::string& words,
               const std::function<void(const MatValue&)>& ask) const {
    const std::string variable = place.substr(0, place.find_first_of(".{("));
    in_every_form([&](const MatFile& open) {
      expect_error(ErrorKind::bad_data, {".mat: " + place + ": ", words}, [&] { ask(open.variable(variable)); });
    });
  }
};

TEST_F(MatFileTest, ReadsNumbersOfEveryClass) {
  in_every_form([](const MatFile& open) {
    for (const std::string kind : {"f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"}) {
      SCOPED_TRACE(kind);
      const MatValue value = open.variable("matrix_" + kind);
      EXPECT_EQ(value.numbers(), (std::vector<double>{1, 4, 2, 5, 3, 100}));
      SampleMatrix expected(2, 3);
      expected << 1, 2, 3, 4, 5, 100;
      EXPECT_EQ(value.samples(), expected);
    }
    const SampleMatrix wide = open.variable("wide").samples();
    ASSERT_EQ(wide.rows(), 300);
    ASSERT_EQ(wide.cols(), 5);
    for (Eigen::Index row = 0; row < 300; ++row) {
      for (Eigen::Index column = 0; column < 5; ++column) {
        EXPECT_EQ(wide(row, column), static_cast<float>(static_cast<double>(row * 5 + column) / 7));
      }
    }
    EXPECT_EQ(open.variable("flag").number(), 1);
    EXPECT_EQ(open.variable("scalar").positive(), 2.5);
    EXPECT_TRUE(open.variable("empty").numbers().empty());
  });
}

TEST_F(MatFileTest, ReadsTextCellsAndStructs) {
  in_every_form([](const MatFile& open) {
    EXPECT_EQ(open.variable("text").text(), "Übung é");
    EXPECT_EQ(open.variable("no_text").text(), "");
    const MatValue cells = open.variable("cells");
    EXPECT_EQ(cells.size(), 4U);
    EXPECT_EQ(cells.cell(0).number(), 1);
    EXPECT_EQ(cells.cell(1).text(), "two");
    EXPECT_EQ(cells.at("{3}{2}").text(), "four");
    EXPECT_EQ(cells.cell(3).size(), 0U);
    EXPECT_EQ(open.variable("one").at("inner.deep").numbers(), (std::vector<double>{1, 2, 3}));
    EXPECT_TRUE(open.variable("one").has("name"));
    EXPECT_FALSE(open.variable("one").has("Name"));
    const MatValue many = open.variable("many");
    ASSERT_EQ(many.size(), 4U);
    EXPECT_EQ(many.at("(3).Label").text(), "E3");
    EXPECT_EQ(many.element(3).at("Place.x").number(), 4);
  });
}

TEST_F(MatFileTest, SaysWhatIsThereWhereSomethingElseWasWanted) {
  refused("one", "has no field nothing; it has", [](const MatValue& value) { (void)value.field("nothing"); });
  refused("one.inner", "has no field other; it has deep", [](const MatValue& value) { (void)value.at("inner.other"); });
  refused("wide", "is 300 x 5 double, not a struct with the field a",
          [](const MatValue& value) { (void)value.field("a"); });
  refused("wide", "is 300 x 5 double, not a number", [](const MatValue& value) { (void)value.number(); });
  refused("wide", "is 300 x 5 double, not a cell array", [](const MatValue& value) { (void)value.cell(0); });
  refused("text", "char, not numbers", [](const MatValue& value) { (void)value.numbers(); });
  refused("scalar", "is 1 x 1 double, not a row of text", [](const MatValue& value) { (void)value.text(); });
  refused("cells", "has 4 cells, no number 5", [](const MatValue& value) { (void)value.cell(4); });
  refused("cells{2}", "not a number", [](const MatValue& value) { (void)value.cell(1).number(); });
  refused("many", "is 1 x 4 struct, not a struct with the field Label",
          [](const MatValue& value) { (void)value.field("Label"); });
  refused("many", "has 4 elements, no number 9", [](const MatValue& value) { (void)value.element(8); });
  refused("empty", "is empty", [](const MatValue& value) { (void)value.samples(); });
  refused("broken", "row 1, column 2 is not finite", [](const MatValue& value) { (void)value.samples(); });
  refused("broken", "number 2 is not finite", [](const MatValue& value) { (void)value.numbers(); });
}

TEST_F(MatFileTest, NamesWhatOnlyMatlabReads) {
  expect_error(ErrorKind::bad_data,
               {"v73.mat: table: is an object of class table, not numbers", "only MATLAB can read it"},
               [&] { (void)MatFile::open(file("v73.mat")).variable("table").numbers(); });
  expect_error(ErrorKind::bad_data, {"compressed.mat: complex: is an object of class complex double, not a number"},
               [&] { (void)MatFile::open(file("compressed.mat")).variable("complex").number(); });
  expect_error(ErrorKind::bad_data, {"odd-v73.mat: complex: is an object of class complex single, not a number"},
               [&] { (void)MatFile::open(file("odd-v73.mat")).variable("complex").number(); });
  expect_error(ErrorKind::bad_data, {"has no variable trials; it has", "scalar"},
               [&] { (void)MatFile::open(file("v73.mat")).variable("trials"); });
}

TEST_F(MatFileTest, RefusesWhatIsNoMatFile) {
  expect_error(ErrorKind::not_found, {"nowhere.mat: no such file"}, [&] { (void)MatFile::open(file("nowhere.mat")); });
  expect_error(ErrorKind::io, {"is not a file"}, [&] { (void)MatFile::open(folder_.path()); });
  expect_error(ErrorKind::bad_data, {"not a MAT file"}, [&] { (void)MatFile::open(folder_.write("a.mat", "short")); });
  expect_error(ErrorKind::bad_data, {"if it is of MATLAB 4, save it again with -v7"},
               [&] { (void)MatFile::open(folder_.write("b.mat", std::string(200, '\0'))); });
  std::string header(124, ' ');
  expect_error(ErrorKind::bad_data, {"without HDF5 inside"},
               [&] { (void)MatFile::open(folder_.write("c.mat", header + std::string("\x00\x02IM", 4) + header)); });
}

TEST_F(MatFileTest, MessagesAreLegibleWhateverTheNamesAre) {
  const MatFile open = MatFile::open(file("odd-v73.mat"));
  expect_error(ErrorKind::bad_data, {"odd-v73.mat: red [31m : is an object of class \xc3\xbftable , not numbers"},
               [&] { (void)open.variable("red\x1b[31m\n").numbers(); });
  expect_error(ErrorKind::bad_data, {"odd-v73.mat: \xc3\xa9: is 2 x 1 double, not a number"},
               [&] { (void)open.variable("\xe9").number(); });
  expect_error(ErrorKind::bad_data, {"odd-v73.mat: group: has no field b ; it has a \xc3\xbf"},
               [&] { (void)open.variable("group").field("b\x7f"); });
  expect_error(ErrorKind::bad_data,
               {"odd-v73.mat: has no variable  ; it has complex, group, outside, red [31m , sizes"},
               [&] { (void)open.variable("\n"); });
}

// HDF5 would open whichever file the MAT file names.
TEST_F(MatFileTest, NothingIsReadFromOtherFiles) {
  const MatFile open = MatFile::open(file("odd-v73.mat"));
  for (const std::string name : {"outside", "virtual", "sizes"}) {
    expect_error(ErrorKind::bad_data, {"odd-v73.mat: " + name + ": the file is damaged there"},
                 [&] { (void)open.variable(name); });
  }
}

TEST_F(MatFileTest, ACircleOfReferencesHasAnEnd) {
  const MatFile open = MatFile::open(file("circle-v73.mat"));
  EXPECT_EQ(open.variable("cells").at("{2}{2}{2}{1}").number(), 1);
  expect_error(ErrorKind::bad_data, {"nested too deeply"}, [&] { (void)read_all_of(open); });
}

// HDF5 takes some milliseconds to open a file, so there are fewer of these.
TEST_F(MatFileTest, MutantsOfVersion73AreReadOrRefused) {
  std::ifstream stream(file("small-v73.mat"), std::ios::binary);
  std::stringstream good;
  good << stream.rdbuf();
  std::size_t read = 0;
  std::size_t refused = 0;
  const auto use = [&](const std::string& bytes) {
    const auto path = folder_.write("mutant.mat", bytes);
    constexpr std::size_t for_any_file = std::size_t{8} << 20U;
    const test::AllocationCount memory;
    try {
      (void)read_all_of(MatFile::open(path));
      ++read;
    } catch (const Error& error) {
      ++refused;
      EXPECT_NE(std::string(error.what()).find("mutant.mat"), std::string::npos) << error.what();
    }
    EXPECT_LE(memory.peak_bytes(), 3 * bytes.size() + for_any_file);
  };
  use(good.str());
  EXPECT_EQ(read, 1U);
  test::for_each_mutant(good.str(), 300, 1, use);
  test::for_each_truncation(good.str(), 1024, use);
  EXPECT_GT(read, 20U);
  EXPECT_GT(refused, 100U);
}

TEST(OpenApart, AProcessThatSaysNothingIsGivenUp) {
  const auto sleep = []() -> std::shared_ptr<const MatContent> {
    while (true) ::pause();
  };
  expect_error(ErrorKind::bad_data, {"takes too long"},
               [&] { (void)open_apart(sleep, std::chrono::milliseconds(20)); });
}

}  // namespace
}  // namespace heed::io
