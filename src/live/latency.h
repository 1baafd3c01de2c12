// SPDX-License-Identifier: MIT
// How long decisions took, as counts in steps of a tenth: any number of them in fixed storage.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

namespace heed::live {

class LatencyHistogram {
 public:
  static constexpr Seconds shortest{1e-6};  // anything below counts as that

  void add(Seconds latency) noexcept {
    ++counts_[bin_of(latency)];
    ++total_;
    longest_ = std::max(longest_, latency);
  }

  [[nodiscard]] Index total() const noexcept { return total_; }
  [[nodiscard]] Seconds longest() const noexcept { return longest_; }
  [[nodiscard]] std::span<const Index> counts() const noexcept { return counts_; }
  // Upper edge of a bin.
  [[nodiscard]] static Seconds edge(std::size_t bin) noexcept {
    return {shortest.value * std::pow(step, static_cast<double>(bin))};
  }
  // Not more than this in `part` (0.99) of all; to a tenth. Nothing without any.
  [[nodiscard]] std::optional<Seconds> quantile(double part) const noexcept {
    if (total_ == 0) return std::nullopt;
    const auto wanted = static_cast<Index>(std::ceil(part * static_cast<double>(total_)));
    Index seen = 0;
    for (std::size_t bin = 0; bin < bins; ++bin) {
      seen += counts_[bin];
      if (seen >= wanted) return std::min(edge(bin), longest_);
    }
    return longest_;
  }

 private:
  static constexpr double step = 1.1;
  static constexpr std::size_t bins = 200;  // up to 170 s

  static std::size_t bin_of(Seconds latency) noexcept {
    if (!(latency > shortest)) return 0;
    const double place = std::ceil((std::log(latency / shortest) / std::log(step)) - 1e-9);
    return static_cast<std::size_t>(std::min(place, static_cast<double>(bins - 1)));
  }

  std::array<Index, bins> counts_{};
  Index total_ = 0;
  Seconds longest_{};
};

}  // namespace heed::live
