// SPDX-License-Identifier: MIT
// Electrode places: symmetry, the fixed points, the names of real caps, and BioSemi's own places within a few degrees.
#include <dsp/montage.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <set>

#include "support/dsp_matrices.h"
#include "support/python_files.h"

namespace heed::dsp {
namespace {

ElectrodePosition at(std::string_view name) {
  const auto position = electrode_position(name);
  EXPECT_TRUE(position) << name;
  return position.value_or(ElectrodePosition{});
}

double degrees_apart(const ElectrodePosition& a, const ElectrodePosition& b) {
  const double cosine = (a.x * b.x) + (a.y * b.y) + (a.z * b.z);
  return std::acos(std::min(cosine, 1.0)) * 180 / std::numbers::pi;
}

const std::vector<std::string> cap64 = {
    "Fp1", "AF7", "AF3", "F1",  "F3",  "F5",  "F7",  "FT7", "FC5", "FC3", "FC1", "C1",  "C3",  "C5",  "T7",  "TP7",
    "CP5", "CP3", "CP1", "P1",  "P3",  "P5",  "P7",  "P9",  "PO7", "PO3", "O1",  "Iz",  "Oz",  "POz", "Pz",  "CPz",
    "Fpz", "Fp2", "AF8", "AF4", "AFz", "Fz",  "F2",  "F4",  "F6",  "F8",  "FT8", "FC6", "FC4", "FC2", "FCz", "Cz",
    "C2",  "C4",  "C6",  "T8",  "TP8", "CP6", "CP4", "CP2", "P2",  "P4",  "P6",  "P8",  "P10", "PO8", "PO4", "O2"};

std::vector<std::string> biosemi_names() {
  std::vector<std::string> names;
  for (const char letter : {'A', 'B'}) {
    for (int number = 1; number <= 32; ++number) names.push_back(letter + std::to_string(number));
  }
  return names;
}

TEST(Montage, PutsEveryNameOfTheCapSomewhereElseOnTheSphere) {
  std::set<std::pair<double, double>> places;
  for (const std::string& name : cap64) {
    const ElectrodePosition p = at(name);
    EXPECT_NEAR((p.x * p.x) + (p.y * p.y) + (p.z * p.z), 1, 1e-12) << name;
    EXPECT_TRUE(places.insert({std::round(p.x * 1e6), std::round(p.y * 1e6)}).second) << name;
  }
}

TEST(Montage, HasItsFixedPoints) {
  EXPECT_LE(degrees_apart(at("Cz"), {0, 0, 1}), 1e-6);
  EXPECT_GT(at("Fpz").y, 0.99);
  EXPECT_LT(at("Oz").y, -0.99);
  EXPECT_LT(at("T7").x, -0.99);
  EXPECT_GT(at("T8").x, 0.99);
  EXPECT_NEAR(degrees_apart(at("Fz"), at("Cz")), 46, 1e-9);
  EXPECT_NEAR(degrees_apart(at("C3"), at("Cz")), 46, 1e-9);
  EXPECT_NEAR(degrees_apart(at("F3"), at("F1")), degrees_apart(at("F1"), at("Fz")), 1e-9);
}

TEST(Montage, IsSymmetric) {
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"Fp1", "Fp2"}, {"AF3", "AF4"}, {"F5", "F6"}, {"FC1", "FC2"}, {"T7", "T8"}, {"P9", "P10"}, {"O1", "O2"}};
  for (const auto& [left, right] : pairs) {
    const ElectrodePosition a = at(left);
    const ElectrodePosition b = at(right);
    EXPECT_LT(a.x, 0) << left;
    EXPECT_NEAR(a.x, -b.x, 1e-12) << left;
    EXPECT_NEAR(a.y, b.y, 1e-12) << left;
    EXPECT_NEAR(a.z, b.z, 1e-12) << left;
  }
}

TEST(Montage, KnowsOldNamesAndAnyCase) {
  EXPECT_LE(degrees_apart(at("T3"), at("T7")), 1e-5);
  EXPECT_LE(degrees_apart(at("t4"), at("T8")), 1e-5);
  EXPECT_LE(degrees_apart(at("T5"), at("P7")), 1e-5);
  EXPECT_LE(degrees_apart(at("T6"), at("P8")), 1e-5);
  EXPECT_LE(degrees_apart(at("M2"), at("TP10")), 1e-5);
  EXPECT_LE(degrees_apart(at("FPZ"), at("Fpz")), 1e-5);
}

TEST(Montage, DoesNotKnowOthers) {
  for (const char* name :
       {"", "z", "EXG1", "Status", "T1", "FT3", "FC7", "Cz1", "C11", "A1", "O3", "Fp10", "F01", "C-1"}) {
    EXPECT_FALSE(electrode_position(name)) << name;
  }
}

TEST(Montage, ReadsBiosemiNumbersAsTheCapHasThem) {
  const auto names = biosemi_names();
  const auto positions = electrode_positions(names);
  for (std::size_t c = 0; c < cap64.size(); ++c) {
    ASSERT_TRUE(positions[c]) << names[c];
    EXPECT_LE(degrees_apart(*positions[c], at(cap64[c])), 1e-5) << names[c] << " " << cap64[c];
  }
}

TEST(Montage, TakesLoneA1AndA2ForEars) {
  const std::vector<std::string> ears = {"Cz", "A1", "A2", "C3"};
  const auto positions = electrode_positions(ears);
  EXPECT_TRUE(positions[0]);
  EXPECT_FALSE(positions[1]);
  EXPECT_FALSE(positions[2]);
  EXPECT_TRUE(positions[3]);
}

TEST(Montage, DoesNotGuessAtLargerCaps) {
  auto names = biosemi_names();
  names.emplace_back("C7");
  names.emplace_back("D1");
  for (const auto& position : electrode_positions(names)) EXPECT_FALSE(position);
}

class BiosemiPlaces : public test::PythonFiles {};

TEST_F(BiosemiPlaces, AreWithinAFewDegrees) {
  make("dsp_scalp_oracle.py");
  if (IsSkipped() || HasFatalFailure()) return;
  if (!std::filesystem::exists(file("biosemi.txt"))) GTEST_SKIP() << "MNE is wanted (Debian: python3-mne)";
  const Matrix places = test::read_matrix(file("biosemi.txt"));
  std::ifstream names(file("biosemi_names.txt"));
  Index k = 0;
  for (std::string name; std::getline(names, name); ++k) {
    EXPECT_LE(degrees_apart(at(name), {places(k, 0), places(k, 1), places(k, 2)}), 5) << name;
  }
  EXPECT_EQ(k, 64);
}

}  // namespace
}  // namespace heed::dsp
