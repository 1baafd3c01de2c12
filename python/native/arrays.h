// SPDX-License-Identifier: MIT
// numpy in and out. Arrays of doubles whose rows lie in one piece are looked at where they are; anything else that
// means numbers (lists, frames, float32, transposed or byte-swapped arrays) is copied once. What is masked, or missing
// in a frame, becomes NaN. Results are handed over, not copied.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/series.h>
#include <pybind11/numpy.h>

#include <optional>
#include <vector>

namespace heed::python {

namespace py = pybind11;

// Numbers of the caller, rows x columns. Keeps the array alive; the caller must not write to it meanwhile.
struct Rows {
  py::array keeper{};
  MatrixView view{};
  Index sequences = 0;  // of a three-dimensional array, whose sequences lie below each other; 0: it has two dimensions
};

// Throws InvalidArgument naming the argument: not numbers (text, dates), complex, other than `dimensions`, no row or no
// column; TypeError for objects that are no numbers.
enum class Dimensions { two, two_or_three };
[[nodiscard]] Rows rows_of(py::handle value, const char* argument, Dimensions dimensions = Dimensions::two);

// A number, of Python or numpy. Throws TypeError naming the argument.
[[nodiscard]] double number_of(py::handle value, const char* argument);

// One dimension, or a single column; none is fine.
[[nodiscard]] std::vector<double> numbers_of(py::handle value, const char* argument);

// Labels: whole numbers, a speaker's column each; -1, NaN and None are unknown. Throws where one is no column.
[[nodiscard]] AttentionTrack attention_of(py::handle value, const char* argument, Index speakers);

// How many rows each sequence has, in order. Throws unless they are whole, positive and add up to `rows`.
[[nodiscard]] std::vector<Index> lengths_of(py::handle value, Index rows);

// An array that owns the matrix.
[[nodiscard]] py::array_t<double> to_numpy(Matrix&& matrix);
[[nodiscard]] py::array_t<double> to_numpy(std::vector<double>&& values);
[[nodiscard]] py::array_t<Speaker> to_numpy(std::vector<Speaker>&& values);

}  // namespace heed::python
