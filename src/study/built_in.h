// SPDX-License-Identifier: MIT
// The files of studies/, put into the library when it is built (cmake/HeedStudies.cmake).
#pragma once

#include <span>
#include <string_view>

namespace heed::study {

struct BuiltInStudy {
  std::string_view name;
  std::string_view toml;
};

// In the order of studies/order.txt.
[[nodiscard]] std::span<const BuiltInStudy> built_in_texts() noexcept;

}  // namespace heed::study
