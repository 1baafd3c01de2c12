// SPDX-License-Identifier: MIT
#include <decode/patterns.h>
#include <heed/data/error.h>
#include <heed/decode/reconstruction.h>

#include <string>
#include <utility>

namespace heed::decode {
namespace {

TrialStatistics in_units_of(const Decoder& decoder, const TrialStatistics& statistics) {
  const bool fits =
      statistics.lags.eeg == decoder.eeg_lags && statistics.channels == static_cast<Index>(decoder.channels.size());
  if (!fits) {
    throw Error(ErrorKind::invalid_argument, "patterns need statistics of the decoder's own lags and channels (" +
                                                 std::to_string(decoder.eeg_lags.count()) + " x " +
                                                 std::to_string(decoder.channels.size()) + ")");
  }
  if (decoder.eeg_scales.deviation.size() == 0) return statistics;
  return standardised(statistics, {decoder.eeg_scales, decoder.stimulus_scales});
}

}  // namespace

std::vector<Matrix> forward_patterns(const Decoder& decoder, const TrialStatistics& statistics) {
  const TrialStatistics scaled = in_units_of(decoder, statistics);
  std::vector<Matrix> patterns;
  for (const Matrix& filter : eeg_filters(decoder)) {
    const Eigen::Map<const Eigen::VectorXd> weights(filter.data(), filter.size());
    const Eigen::VectorXd spread = scaled.xx * weights;
    const double power = weights.dot(spread);
    if (!(power > 0)) throw Error(ErrorKind::singular, "a filter of the decoder gives nothing on this EEG: no pattern");
    const Eigen::VectorXd pattern = spread / power;
    patterns.emplace_back(Eigen::Map<const Matrix>(pattern.data(), filter.rows(), filter.cols()));
  }
  return patterns;
}

}  // namespace heed::decode
