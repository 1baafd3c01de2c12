// SPDX-License-Identifier: MIT
// How Python says how signals are prepared and which decoder to train: dictionaries with the words of the program's
// long options. What is left out is not said.
#pragma once

#include <heed/data/preprocessing.h>
#include <heed/data/recording.h>
#include <heed/decode/window_sums.h>
#include <heed/pipeline/recipe.h>
#include <pybind11/numpy.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::python {

namespace py = pybind11;

// What a user says of signals and decoder: keys band, rate, filters, reference, bad_channels, clip, target, channels;
// recipe, decoder, regularisation, ridge, first_lag, longest_lag, pairs, score, score_shrinkage, score_memory. A value
// None is not said. Throws InvalidArgument naming the key.
[[nodiscard]] pipeline::DecoderRequest request_of(const py::dict& options);

// What is not said is heed's recipe, or the one that is named.
[[nodiscard]] Preprocessing preprocessing_of(const py::dict& options);
[[nodiscard]] py::dict preprocessing_dict(const Preprocessing& preprocessing);

// "envelope", "onset", "both", or names in an order of their own.
[[nodiscard]] std::vector<SpeechTarget> targets_of(const py::object& value);

// One or several numbers, in seconds.
// Of windows (seconds, one or several), a hop and a step, each of which may be None.
[[nodiscard]] std::vector<decode::WindowLayout> layouts_of(const py::object& windows, std::optional<double> hop,
                                                           std::optional<double> step);

// A name or several; none for None.
[[nodiscard]] std::vector<std::string> names_of(const py::object& value, const char* argument);

// "1" ... "n": what channels without names are called.
[[nodiscard]] std::vector<std::string> counted_names(Index count);

// Single precision, rows in one piece: in place where it is so already. Throws InvalidArgument for anything but numbers
// in two dimensions.
using Samples = py::array_t<float, py::array::c_style | py::array::forcecast>;
[[nodiscard]] Samples samples_of(const py::object& value, const char* argument);

}  // namespace heed::python
