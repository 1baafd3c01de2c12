// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <dsp/resample.h>
#include <heed/data/error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

#include "dsp/kernels/kernels.h"

namespace heed::dsp {
namespace {

constexpr Index largest_term = 50'000;
constexpr double ratio_tolerance = 1e-10;
constexpr Index periods_each_side = 10;  // of the lower rate
constexpr double kaiser_beta = 5;
constexpr Index smallest_block = 64;  // rows of history beyond what one output row needs

Index floor_divide(Index a, Index b) noexcept { return (a / b) - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }
Index ceil_divide(Index a, Index b) noexcept { return -floor_divide(-a, b); }

// 1 / (k!)^2
constexpr std::array<double, 17> bessel_coefficients() {
  std::array<double, 17> result{1};
  for (std::size_t k = 1; k < result.size(); ++k) result[k] = result[k - 1] / static_cast<double>(k * k);
  return result;
}

// The modified Bessel function of order 0 of 2 sqrt(q), by its series: sum over k of q^k / (k!)^2. Up to q = 6.25 the
// first term left out is below 1e-17 of the sum.
double bessel_i0(double q) {
  constexpr auto coefficients = bessel_coefficients();
  double sum = coefficients.back();
  for (std::size_t k = coefficients.size() - 1; k-- > 0;) sum = (sum * q) + coefficients[k];
  return sum;
}

// A windowed sinc that cuts at 1/largest of half the upsampled rate, of gain `up` at zero frequency.
std::vector<double> low_pass_taps(Index half, Index largest, Index up) {
  // sin(pi i / largest) comes again, with the other sign.
  std::vector<double> sines(static_cast<std::size_t>(largest));
  for (Index i = 0; i < largest; ++i) {
    sines[static_cast<std::size_t>(i)] =
        std::sin(std::numbers::pi * static_cast<double>(i) / static_cast<double>(largest));
  }
  std::vector<double> taps(static_cast<std::size_t>(2 * half + 1));
  const auto middle = taps.begin() + half;
  *middle = bessel_i0(kaiser_beta * kaiser_beta / 4);
  double sum = *middle;
  for (Index period = 0; period < periods_each_side; ++period) {
    const double sign = period % 2 == 0 ? 1 : -1;
    for (Index k = 1; k <= largest; ++k) {
      const Index i = (period * largest) + k;
      const double across = static_cast<double>(i) / static_cast<double>(half);
      const double window = bessel_i0(kaiser_beta * kaiser_beta / 4 * (1 - (across * across)));
      const double angle = std::numbers::pi * static_cast<double>(i) / static_cast<double>(largest);
      const double sine = k == largest ? 0 : sign * sines[static_cast<std::size_t>(k)];
      const double tap = window * sine / angle;
      middle[i] = middle[-i] = tap;
      sum += 2 * tap;
    }
  }
  for (double& tap : taps) tap *= static_cast<double>(up) / sum;
  return taps;
}

Index row_stride(Index channels) { return channels == 1 ? 1 : (channels + 7) / 8 * 8; }

}  // namespace

RateRatio rate_ratio(Hertz from, Hertz to) {
  const auto positive = [](Hertz rate) { return rate.value > 0 && std::isfinite(rate.value); };
  if (!positive(from) || !positive(to)) {
    throw Error(ErrorKind::invalid_argument, "sampling frequencies must be positive: " + data::shown(from.value) +
                                                 " and " + data::shown(to.value) + " Hz");
  }
  // Convergents of the continued fraction: each is the best of its size.
  const double wanted = to.value / from.value;
  double rest = wanted;
  RateRatio before{1, 0};
  RateRatio now{static_cast<Index>(std::min(std::floor(rest), 1e9)), 1};
  while (now.up <= largest_term && now.down <= largest_term) {
    const double ratio = static_cast<double>(now.up) / static_cast<double>(now.down);
    if (std::abs(ratio - wanted) <= ratio_tolerance * wanted) return now;
    rest = 1 / (rest - std::floor(rest));
    const double whole = std::floor(rest);
    if (!(whole <= 1e9)) break;
    const auto term = static_cast<Index>(whole);
    const RateRatio next{(term * now.up) + before.up, (term * now.down) + before.down};
    before = now;
    now = next;
  }
  throw Error(ErrorKind::unsupported,
              data::shown(from.value) + " Hz to " + data::shown(to.value) +
                  " Hz is not a ratio of whole numbers up to 50000: choose another target rate, "
                  "or correct the sampling frequency if it was measured rather than set");
}

Resampler::Resampler(RateRatio ratio, Index channels)
    : ratio_(ratio), channels_(channels), stride_(row_stride(channels)) {
  const Index largest = std::max(ratio.up, ratio.down);
  half_ = largest == 1 ? 0 : periods_each_side * largest;
  phase_taps_ = ceil_divide((2 * half_) + 1, ratio.up);
  const std::vector<double> taps = half_ == 0 ? std::vector<double>{1} : low_pass_taps(half_, largest, ratio.up);
  taps_.resize(static_cast<std::size_t>(ratio.up * phase_taps_));
  for (Index phase = 0; phase < ratio.up; ++phase) {
    auto place = static_cast<std::size_t>((phase + 1) * phase_taps_);
    for (Index i = phase; i < std::ssize(taps); i += ratio.up) taps_[--place] = taps[static_cast<std::size_t>(i)];
  }
  // Twice what is needed: moving the window on costs one copy of a row each.
  history_.resize(static_cast<std::size_t>((2 * phase_taps_ + smallest_block) * stride_));
  row_.resize(static_cast<std::size_t>(stride_));
}

double Resampler::reach() const noexcept { return static_cast<double>(half_) / static_cast<double>(ratio_.up); }

Index Resampler::last_needed(Index k) const noexcept { return floor_divide((k * ratio_.down) + half_, ratio_.up); }

Index Resampler::first_needed(Index k) const noexcept { return ceil_divide((k * ratio_.down) - half_, ratio_.up); }

Index Resampler::ready(Index rows) const noexcept {
  // The largest k with last_needed(k) < received: k down + half < received up.
  const Index received = received_ + rows;
  return std::max<Index>(ceil_divide((received * ratio_.up) - half_, ratio_.down) - written_, 0);
}

Index Resampler::remaining() const noexcept { return ceil_divide(received_ * ratio_.up, ratio_.down) - written_; }

template <typename Element>
Index Resampler::push_elements(data::BasicMatrixView<const Element> input, MutableMatrixView out) noexcept {
  const Index capacity = static_cast<Index>(history_.size()) / stride_;
  Index written = 0;
  if (received_ == 0 && input.rows > 0) {
    // The rows before the first one: as it is.
    first_row_ = 1 - phase_taps_;
    for (rows_ = 0; rows_ < phase_taps_ - 1; ++rows_) {
      std::ranges::copy(input.row(0), history_.begin() + (rows_ * stride_));
    }
  }
  for (Index t = 0; t < input.rows;) {
    if (rows_ == capacity) make_room();
    const Index count = std::min(input.rows - t, capacity - rows_);
    if (stride_ == 1 && input.stride == 1) {
      std::copy_n(input.data + t, count, history_.begin() + rows_);
    } else {
      for (Index k = 0; k < count; ++k) {
        std::ranges::copy(input.row(t + k), history_.begin() + ((rows_ + k) * stride_));
      }
    }
    t += count;
    rows_ += count;
    received_ += count;
    written += write_ready(out.middle_rows(written, out.rows - written));
  }
  return written;
}

Index Resampler::push(SampleView input, MutableMatrixView out) noexcept { return push_elements(input, out); }

Index Resampler::push(MatrixView input, MutableMatrixView out) noexcept { return push_elements(input, out); }

// Keeps the rows that later outputs look at.
void Resampler::make_room() noexcept {
  const Index kept = phase_taps_ - 1;
  const Index gone = rows_ - kept;
  std::copy(history_.begin() + (gone * stride_), history_.begin() + (rows_ * stride_), history_.begin());
  first_row_ += gone;
  rows_ = kept;
}

Index Resampler::write_ready(MutableMatrixView out) noexcept {
  const kernels::KernelSet& kernels = kernels::best_kernels();
  const Index count = std::min(ready(0), out.rows);
  for (Index i = 0; i < count; ++i, ++written_) {
    const Index place = (written_ * ratio_.down) + half_;
    const double* taps = taps_.data() + ((place % ratio_.up) * phase_taps_);
    const double* rows = history_.data() + (((place / ratio_.up) - phase_taps_ + 1 - first_row_) * stride_);
    if (stride_ == 1) {
      out(i, 0) = kernels.dot(taps, rows, phase_taps_);
    } else {
      kernels.weigh_rows(taps, rows, phase_taps_, stride_, row_.data());
      std::copy_n(row_.begin(), channels_, out.row(i).begin());
    }
  }
  return count;
}

Index Resampler::finish(MutableMatrixView out) noexcept {
  const Index wanted = remaining();
  const Index received = received_;
  Index written = 0;
  while (written < wanted) {
    if (rows_ == static_cast<Index>(history_.size()) / stride_) make_room();
    std::copy_n(history_.begin() + ((rows_ - 1) * stride_), stride_, history_.begin() + (rows_ * stride_));
    ++rows_;
    ++received_;
    written += write_ready(out.middle_rows(written, wanted - written));
  }
  received_ = received;
  return written;
}

Matrix resample_causal(const Matrix& signal, RateRatio ratio) {
  Resampler resampler(ratio, signal.cols());
  Matrix out(ceil_divide(signal.rows() * ratio.up, ratio.down), signal.cols());
  if (signal.rows() == 0) return out;
  const MutableMatrixView all = data::view(out);
  const Index written = resampler.push(data::view(signal), all);
  resampler.finish(all.middle_rows(written, all.rows - written));
  return out;
}

Matrix resample(const Matrix& signal, RateRatio ratio) {
  const Index samples = signal.rows();
  if (samples == 0) return signal;
  // Whole periods of the ratio, so that the padding shifts the output by whole samples.
  const Index largest = std::max(ratio.up, ratio.down);
  const Index periods = ceil_divide(periods_each_side * largest, ratio.up * ratio.down) + 1;
  const Index padding = periods * ratio.down;
  Matrix extended(samples + (2 * padding), signal.cols());
  const Eigen::RowVectorXd slope =
      (signal.row(samples - 1) - signal.row(0)) / static_cast<double>(std::max<Index>(samples - 1, 1));
  for (Index k = 1; k <= padding; ++k) {
    extended.row(padding - k) = signal.row(0) - (static_cast<double>(k) * slope);
    extended.row(padding + samples - 1 + k) = signal.row(samples - 1) + (static_cast<double>(k) * slope);
  }
  extended.middleRows(padding, samples) = signal;
  const Matrix all = resample_causal(extended, ratio);
  return all.middleRows(periods * ratio.up, ceil_divide(samples * ratio.up, ratio.down));
}

}  // namespace heed::dsp
