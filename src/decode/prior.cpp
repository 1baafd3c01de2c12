// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/decode/least_squares.h>

#include <string>

namespace heed::decode {

double automatic_prior_weight(std::size_t others) noexcept {
  constexpr double most = 0.55;
  constexpr double half_way = 5;
  const auto count = static_cast<double>(others);
  return most * count / (count + half_way);
}

TrialStatistics with_prior(TrialStatistics statistics, const CrossPrior& prior) {
  if (!(prior.weight >= 0 && prior.weight <= 1)) {
    throw Error(ErrorKind::invalid_argument,
                "the weight of a prior must lie between 0 (none of it) and 1 (nothing else)");
  }
  if (prior.xy.rows() != statistics.xy.rows() || prior.xy.cols() != statistics.xy.cols()) {
    throw Error(ErrorKind::invalid_argument, "a prior of " + std::to_string(prior.xy.rows()) + " x " +
                                                 std::to_string(prior.xy.cols()) + " products for statistics of " +
                                                 std::to_string(statistics.xy.rows()) + " x " +
                                                 std::to_string(statistics.xy.cols()));
  }
  statistics.xy = (1 - prior.weight) * statistics.xy + (prior.weight * statistics.samples) * prior.xy;
  return statistics;
}

LagRange delays_for(const DecoderLags& lags) noexcept {
  return {lags.eeg.first - lags.stimulus.last, lags.eeg.last - lags.stimulus.first};
}

Matrix cross_products(const DelayedProducts& products, const DecoderLags& lags) {
  const LagRange needed = delays_for(lags);
  if (needed.first < products.delays.first || needed.last > products.delays.last) {
    throw Error(ErrorKind::invalid_argument, "these lags need delays of " + std::to_string(needed.first) + " ... " +
                                                 std::to_string(needed.last) + " samples, there are " +
                                                 std::to_string(products.delays.first) + " ... " +
                                                 std::to_string(products.delays.last));
  }
  const Index n = products.channels;
  const Index m = products.values.cols();
  Matrix result(lags.eeg.count() * n, lags.stimulus.count() * m);
  for (Index i = 0; i < lags.eeg.count(); ++i) {
    for (Index k = 0; k < lags.stimulus.count(); ++k) {
      const Index delay = lags.eeg.first + i - (lags.stimulus.first + k);
      result.block(i * n, k * m, n, m) = products.values.middleRows((delay - products.delays.first) * n, n);
    }
  }
  return result;
}

}  // namespace heed::decode
