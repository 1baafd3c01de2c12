// SPDX-License-Identifier: MIT
// Radix four, with one pass of radix two where the length asks for it; decimation in frequency, so nothing is moved.
#include "decode/statistics/lagged_sums.h"

#include <data/instruction_sets.h>

#include <array>
#include <cmath>
#include <numbers>

namespace heed::decode {
namespace {

struct Turn {
  double re = 1;
  double im = 0;
};

// Rows of a butterfly: real parts at the pointer, imaginary parts `channels` further on.
HEED_EVERY_MACHINE
void butterfly_two(double* __restrict a, double* __restrict b, Index channels) {
  for (Index c = 0; c < 2 * channels; ++c) {
    const double sum = a[c] + b[c];
    b[c] = a[c] - b[c];
    a[c] = sum;
  }
}

struct FourRows {
  double* a;
  double* b;
  double* c;
  double* d;
};

HEED_EVERY_MACHINE
void butterfly_four(const FourRows& rows, Index channels, const Turn* turns) {
  double* __restrict a = rows.a;
  double* __restrict b = rows.b;
  double* __restrict c = rows.c;
  double* __restrict d = rows.d;
  const Turn w1 = turns[0];
  const Turn w2 = turns[1];
  const Turn w3 = turns[2];
  for (Index re = 0; re < channels; ++re) {
    const Index im = re + channels;
    const double even_re = a[re] + c[re];
    const double even_im = a[im] + c[im];
    const double odd_re = b[re] + d[re];
    const double odd_im = b[im] + d[im];
    const double left_re = a[re] - c[re];
    const double left_im = a[im] - c[im];
    const double right_re = b[im] - d[im];  // -i (b - d)
    const double right_im = d[re] - b[re];
    a[re] = even_re + odd_re;
    a[im] = even_im + odd_im;
    const double one_re = left_re + right_re;
    const double one_im = left_im + right_im;
    const double two_re = even_re - odd_re;
    const double two_im = even_im - odd_im;
    const double three_re = left_re - right_re;
    const double three_im = left_im - right_im;
    b[re] = one_re * w1.re - one_im * w1.im;
    b[im] = one_re * w1.im + one_im * w1.re;
    c[re] = two_re * w2.re - two_im * w2.im;
    c[im] = two_re * w2.im + two_im * w2.re;
    d[re] = three_re * w3.re - three_im * w3.im;
    d[im] = three_re * w3.im + three_im * w3.re;
  }
}

// Which frequency of a transform of `length` lands in `slot`.
Index frequency_in(Index slot, Index length) {
  if (length == 1) return 0;
  const Index radix = length == 2 ? 2 : 4;
  const Index part = length / radix;
  return slot / part + radix * frequency_in(slot % part, part);
}

}  // namespace

RowFft::RowFft(Index length) : length_(length) {
  for (Index k = 0; k < length; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length);
    cosines_.push_back(std::cos(angle));
    sines_.push_back(std::sin(angle));
    frequencies_.push_back(frequency_in(k, length));
  }
}

void RowFft::transform(double* rows, Index channels) const {
  const Index width = 2 * channels;
  const auto turn = [this](Index k) {
    const auto at = static_cast<std::size_t>(k % length_);
    return Turn{cosines_[at], -sines_[at]};
  };
  Index span = length_;
  for (; span >= 4; span /= 4) {
    const Index part = span / 4;
    const Index step = length_ / span;
    for (Index j = 0; j < part; ++j) {
      const std::array<Turn, 3> turns = {turn(step * j), turn(2 * step * j), turn(3 * step * j)};
      for (Index base = j; base < length_; base += span) {
        double* first = rows + base * width;
        butterfly_four({first, first + part * width, first + 2 * part * width, first + 3 * part * width}, channels,
                       turns.data());
      }
    }
  }
  if (span == 2) {
    for (Index base = 0; base < length_; base += 2) {
      butterfly_two(rows + base * width, rows + (base + 1) * width, channels);
    }
  }
}

}  // namespace heed::decode
