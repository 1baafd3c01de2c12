// SPDX-License-Identifier: MIT
// Names and places of electrodes for tests: BioSemi's numbers, and MNE's montages.
#pragma once

#include <dsp/montage.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "support/python_files.h"

namespace heed::test {

inline double degrees_apart(const dsp::ElectrodePosition& a, const dsp::ElectrodePosition& b) {
  const double cosine = (a.x * b.x) + (a.y * b.y) + (a.z * b.z);
  return std::acos(std::min(cosine, 1.0)) * 180 / std::numbers::pi;
}

// A1 ... A32, B1 and so on.
inline std::vector<std::string> biosemi_names(int electrodes) {
  std::vector<std::string> names;
  for (int k = 0; k < electrodes; ++k) {
    names.push_back(static_cast<char>('A' + (k / 32)) + std::to_string((k % 32) + 1));
  }
  return names;
}

inline std::vector<std::string> numbered_names(int electrodes) {
  std::vector<std::string> names;
  for (int k = 1; k <= electrodes; ++k) names.push_back("A" + std::to_string(k));
  return names;
}

class PlacesOfMne : public PythonFiles {
 protected:
  void SetUp() override {
    PythonFiles::SetUp();
    make("dsp_scalp_oracle.py");
  }

  // Name and place on the unit sphere of every electrode in one of MNE's montages; none where MNE is missing.
  std::vector<std::pair<std::string, dsp::ElectrodePosition>> montage(const std::string& name) {
    std::vector<std::pair<std::string, dsp::ElectrodePosition>> found;
    std::ifstream lines(file(name + ".txt"));
    std::string electrode;
    for (dsp::ElectrodePosition p; lines >> electrode >> p.x >> p.y >> p.z;) found.emplace_back(electrode, p);
    return found;
  }
};

}  // namespace heed::test
