// SPDX-License-Identifier: MIT
// HDF5 files for the fuzzing of MATLAB 7.3, made by a recipe. Damage by bytes alone would test HDF5, which gives up
// before heed sees anything. A recipe always makes a sound file, with in it whatever can be said in HDF5.
//
// Each line makes one object; a word or line that makes no sense is passed over.
//   group /a class=struct                  a group; those above it are made, too
//   data /a/x i2 size=3x2 class=int16 1 2  a dataset of 2 x 3 (MATLAB's order); the numbers are repeated
//   data /c ref class=cell @/a/x @- @?96   references: to an object, to nothing, to a place in the file
//   hard /a/y @/a/x                        a second name; `soft` and `other` are links by name and to another file
//   type /t i4                             a type with a name
//   newest                                 as the first line: the file is made as newer versions of HDF5 do
// Of a dataset: how its class is written (class=, class-long=, class-two=, class-number=), other attributes (with=),
// text=, how it is stored (chunk=2x2, deflate, shuffle, sums, compact, early) and whether it is there at all
// (unwritten, partly, outside, virtual). "a*300" at the end of a word repeats its last letter.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heed::fuzz {

// What HDF5 itself says of a dataset that was made.
struct MadeDataset {
  std::string class_name{};
  std::vector<std::size_t> dimensions{};  // in MATLAB's order
  std::vector<double> values{};           // of numbers
  std::vector<std::string> leads_to{};    // of references: the paths, empty where there is none
  bool elsewhere = false;                 // its bytes lie in another file
  bool as_matlab = false;                 // numbers as MATLAB writes them, so that they must be read
};

// By path. Writes the file, with the header of MATLAB before the HDF5.
std::map<std::string, MadeDataset> make_hdf5(std::string_view recipe, const std::filesystem::path& path);

}  // namespace heed::fuzz
