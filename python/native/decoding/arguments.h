// SPDX-License-Identifier: MIT
// How Python says how signals are prepared and which decoder to train: dictionaries with the words of the program's
// long options. What is left out takes the engine's default.
#pragma once

#include <heed/data/preprocessing.h>
#include <heed/data/recording.h>
#include <heed/pipeline/decoding/recipe.h>
#include <pybind11/numpy.h>

#include <string>
#include <vector>

namespace heed::python {

namespace py = pybind11;

// Keys band, rate, filters, reference, bad_channels, clip, target; `how` is what is not said. Throws InvalidArgument
// naming the key.
[[nodiscard]] Preprocessing preprocessing_of(const py::dict& options, Preprocessing how = {});
[[nodiscard]] py::dict preprocessing_dict(const Preprocessing& how);

// "envelope", "onset", "both", or names in an order of their own.
[[nodiscard]] std::vector<SpeechTarget> targets_of(const py::object& value);

// "paper" or "heed".
[[nodiscard]] pipeline::Recipe recipe_named(const std::string& wanted);

// Keys recipe, decoder, regularisation, ridge, first_lag, longest_lag, pairs, score, score_shrinkage, score_memory; the
// preprocessing is `how`.
[[nodiscard]] pipeline::DecoderChoice choice_of(const py::dict& options, const Preprocessing& how);

// One or several numbers, in seconds.
[[nodiscard]] std::vector<Seconds> windows_of(const py::object& windows);

// A name or several; none for None.
[[nodiscard]] std::vector<std::string> names_of(const py::object& value, const char* argument);

// "1" ... "n": what channels without names are called.
[[nodiscard]] std::vector<std::string> counted_names(Index count);

// Single precision, rows in one piece: in place where it is so already. Throws InvalidArgument for anything but numbers
// in two dimensions.
using Samples = py::array_t<float, py::array::c_style | py::array::forcecast>;
[[nodiscard]] Samples samples_of(const py::object& value, const char* argument);

}  // namespace heed::python
