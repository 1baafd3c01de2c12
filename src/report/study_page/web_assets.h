// SPDX-License-Identifier: MIT
// The files of web/, and uPlot's if heed was built with them; cmake/HeedWeb.cmake writes the definition.
#pragma once

#include <span>
#include <string_view>

namespace heed::report {

struct WebAsset {
  std::string_view name;  // "report.css", "uplot.js"
  std::string_view text;
  std::string_view sha256;  // of the text, in hexadecimal digits
};

// Scripts in the order in which they must run.
[[nodiscard]] std::span<const WebAsset> web_assets() noexcept;

}  // namespace heed::report
