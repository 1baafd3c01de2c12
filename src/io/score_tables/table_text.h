// SPDX-License-Identifier: MIT
// The text of a score or posterior table, checked to be one the readers take back.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/series.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

// One trial's rows; views of what the caller owns.
struct TrialColumns {
  std::string_view name;
  Seconds onset;
  Seconds window;
  const Matrix* values = nullptr;                     // windows x speakers
  std::span<const Speaker> attended;                  // a label a window
  std::optional<std::span<const Speaker>> decisions;  // in posterior files
};

// Throws Error(invalid_argument): digits out of 1..17, names that cannot be columns, shapes or window
// lengths that do not fit, labels that are no speakers, several trials without names of their own.
[[nodiscard]] std::string table_text(std::span<const std::string> speakers, std::span<const TrialColumns> trials,
                                     int digits);

}  // namespace heed::io
