// SPDX-License-Identifier: MIT
// What a decoder that learns has become, for the page: where on the head it finds attended speech in the EEG, as it
// began and as it is now.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::live {

// A decoder as the session left it.
struct LearntNews {
  std::vector<double> pattern{};  // forward pattern, lag-major over the decoder's channels
  Seconds first_lag{};
  Hertz rate{};  // of the lags
};

class LearntPicture {
 public:
  // From above, the nose at the top; the head's rim has radius 1.
  struct Electrode {
    std::string name{};
    double x = 0;
    double y = 0;
  };

  explicit LearntPicture(std::span<const std::string> channels);

  void take(const LearntNews& news);

  // Those whose place is known by name.
  [[nodiscard]] const std::vector<Electrode>& electrodes() const noexcept { return electrodes_; }
  [[nodiscard]] bool is_known() const noexcept { return !first_.pattern.empty(); }
  // One value per electrode, at the lag at which both together are strongest; relative to the largest of them.
  [[nodiscard]] std::vector<double> then() const { return map_of(first_); }
  [[nodiscard]] std::vector<double> now() const { return map_of(last_); }
  [[nodiscard]] Seconds lag() const noexcept;
  // Correlation of the whole patterns, then and now.
  [[nodiscard]] double likeness() const;

 private:
  [[nodiscard]] double power(const LearntNews& news, std::size_t lag) const;
  [[nodiscard]] std::vector<double> map_of(const LearntNews& news) const;

  std::size_t channels_;
  std::vector<Electrode> electrodes_{};
  std::vector<std::size_t> places_{};  // [electrode] among the channels
  LearntNews first_{};
  LearntNews last_{};
  std::size_t strongest_ = 0;  // lag, counted
};

}  // namespace heed::live
