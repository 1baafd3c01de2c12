// SPDX-License-Identifier: MIT
// Mean and spread of a measure over participants, for whom it need not exist.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace heed::evaluate {

struct Summary {
  std::optional<double> mean;  // of the values that exist; nothing if none does
  std::optional<double> sd;    // sample standard deviation (n - 1); nothing for fewer than two values
  std::size_t count = 0;       // how many exist
};

Summary summarise(std::span<const std::optional<double>> values);

// A quarter of the values lies below the first, a quarter above the second; between two values interpolated evenly.
struct Quartiles {
  double lower = 0;
  double upper = 0;
};

// Nothing if no value exists.
std::optional<Quartiles> quartiles(std::span<const std::optional<double>> values);

}  // namespace heed::evaluate
