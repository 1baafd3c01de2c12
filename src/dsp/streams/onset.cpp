// SPDX-License-Identifier: MIT
#include <dsp/onset.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::dsp {
namespace {

constexpr int smoothing_order = 2;

Sections smoothing_sections(Hertz rate) { return butterworth_low_pass(smoothing_order, onset_smoothing, rate); }

double rise(double from, double to, double samples) { return std::max(0.0, (to - from) / samples); }

// What slow changes are late by, to the nearest sample.
Index late_by(Hertz rate) {
  constexpr Hertz slow{0};
  return static_cast<Index>(std::lround(group_delay(smoothing_sections(rate), slow, rate) * rate));
}

}  // namespace

Matrix onsets(const Matrix& envelope, Hertz rate) {
  Matrix smooth = envelope;
  filter_zero_phase(smoothing_sections(rate), data::view(smooth));
  const Index last = smooth.rows() - 1;
  return Matrix::NullaryExpr(smooth.rows(), smooth.cols(), [&](Index t, Index c) {
    const Index from = std::max<Index>(t - 1, 0);
    const Index to = std::min(t + 1, last);
    return rise(smooth(from, c), smooth(to, c), static_cast<double>(to - from));
  });
}

OnsetFilter::OnsetFilter(Hertz rate, Index columns)
    : rate_(rate),
      smoothing_(smoothing_sections(rate), columns),
      waiting_(late_by(rate) + 1),
      input_(static_cast<std::size_t>(columns)),
      now_(input_),
      before_(input_),
      earlier_(input_) {}

Index OnsetFilter::ready(Index rows) const noexcept {
  return std::max<Index>(0, received_ + rows - waiting_) - written_;
}

Seconds OnsetFilter::delay() const noexcept { return {static_cast<double>(waiting_) / rate_.value}; }

// One row in; writes row `at` of `out` where one is ready, and returns where the next goes.
Index OnsetFilter::take(std::span<const double> row, MutableMatrixView out, Index at) noexcept {
  if (smoothed_ == 0) {
    smoothing_.start_at(row);
    std::ranges::copy(row, now_.begin());
    before_ = now_;
  }
  std::swap(earlier_, before_);
  std::swap(before_, now_);
  std::ranges::copy(row, now_.begin());
  smoothing_.filter({now_.data(), 1, columns(), columns()});
  if (smoothed_++ < waiting_) return at;
  const std::span<double> onset = out.row(at);
  for (std::size_t c = 0; c < onset.size(); ++c) onset[c] = rise(earlier_[c], now_[c], 2);
  ++written_;
  return at + 1;
}

Index OnsetFilter::push(MatrixView input, MutableMatrixView out) noexcept {
  Index at = 0;
  for (Index t = 0; t < input.rows; ++t) at = take(input.row(t), out, at);
  received_ += input.rows;
  if (input.rows > 0) std::ranges::copy(input.row(input.rows - 1), input_.begin());
  return at;
}

Index OnsetFilter::finish(MutableMatrixView out) noexcept {
  const Index rest = remaining();
  Index at = 0;
  while (at < rest) at = take(input_, out, at);
  return rest;
}

}  // namespace heed::dsp
