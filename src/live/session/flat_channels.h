// SPDX-License-Identifier: MIT
// Channels of the EEG that stand still: an electrode that fell off, a cable that was pulled. A decoder that leans on
// them would take the nothing it reads for an answer, so rows are not recorded where they weigh much.
#pragma once

#include <heed/data/decoder.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed::live {

class FlatChannels {
 public:
  // `channels`: columns of the stream. Still for `longest` samples is flat.
  FlatChannels(const Decoder& decoder, std::span<const std::string> channels, Index longest)
      : longest_(longest), last_(channels.size()), still_(channels.size()), shares_(channels.size()) {
    const auto add = [&](const Matrix& weights) {
      for (Index c = 0; c < std::min(weights.cols(), std::ssize(decoder.channels)); ++c) {
        const auto found = std::ranges::find(channels, decoder.channels[static_cast<std::size_t>(c)]);
        if (found == channels.end()) continue;
        shares_[static_cast<std::size_t>(found - channels.begin())] += weights.col(c).squaredNorm();
      }
    };
    if (const auto* one = std::get_if<LeastSquaresDecoder>(&decoder.filters)) add(one->weights);
    if (const auto* pairs = std::get_if<CcaDecoder>(&decoder.filters)) {
      for (const Matrix& filter : pairs->eeg_filters) add(filter);
    }
    double sum = 0;
    for (const double share : shares_) sum += share;
    for (double& share : shares_) share = sum > 0 ? share / sum : 0;
  }

  // Whether the decoder reads nothing where it looks most.
  [[nodiscard]] bool push(std::span<const float> row) noexcept {
    double flat = 0;
    for (std::size_t c = 0; c < row.size(); ++c) {
      still_[c] = row[c] == last_[c] ? still_[c] + 1 : 0;
      last_[c] = row[c];
      if (still_[c] >= longest_) flat += shares_[c];
    }
    return flat > most;
  }

  void reset() noexcept { std::ranges::fill(still_, 0); }

 private:
  static constexpr double most = 0.25;  // of the squares of the decoder's weights

  Index longest_;
  std::vector<float> last_;
  std::vector<Index> still_;    // samples
  std::vector<double> shares_;  // of the decoder's weights
};

}  // namespace heed::live
