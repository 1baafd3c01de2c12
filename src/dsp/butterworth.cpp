// SPDX-License-Identifier: MIT
// Poles of the analogue prototype, moved to the band, warped to the unit circle, paired with zeros into sections.
#include <data/text.h>
#include <dsp/sections.h>
#include <heed/data/error.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>

namespace heed::dsp {
namespace {

using Complex = std::complex<double>;

constexpr int highest_order = 16;
// The bilinear transform is done at this rate, the edges being fractions of half of it.
constexpr double design_rate = 2;

// Zeros of these designs are real: +1, -1, and 0 where a section has only one.
struct ZerosAndPoles {
  std::vector<double> zeros;
  std::vector<Complex> poles;
  double gain = 1;
};

void check(int order, Hertz edge, Hertz rate) {
  if (order < 1 || order > highest_order) {
    throw Error(ErrorKind::invalid_argument, "filter order " + std::to_string(order) + ": give an order from 1 to 16");
  }
  if (!(rate.value > 0) || !std::isfinite(rate.value)) {
    throw Error(ErrorKind::invalid_argument, "sampling frequency " + data::shown(rate.value) + " Hz is not positive");
  }
  if (!(edge.value > 0) || !(edge.value < rate.value / 2)) {
    throw Error(ErrorKind::invalid_argument,
                "band edge " + data::shown(edge.value) + " Hz at a sampling frequency of " + data::shown(rate.value) +
                    " Hz: choose one above 0 and below " + data::shown(rate.value / 2) + " Hz");
  }
}

double warped(Hertz edge, Hertz rate) {
  return 2 * design_rate * std::tan(std::numbers::pi * (2 * edge.value / rate.value) / design_rate);
}

std::vector<Complex> prototype_poles(int order) {
  std::vector<Complex> poles;
  for (int m = 1 - order; m < order; m += 2) poles.push_back(-std::polar(1.0, std::numbers::pi * m / (2.0 * order)));
  return poles;
}

// The exact mirror image of rounding: a pole that belongs on the real axis is put there.
Complex tidied(Complex pole) {
  constexpr double tolerance = 100 * std::numeric_limits<double>::epsilon();
  return std::abs(pole.imag()) <= tolerance * std::abs(pole) ? Complex(pole.real(), 0) : pole;
}

// Analogue poles, zeros at 0 (`at_origin` of them) and the rest at infinity, to the unit circle.
ZerosAndPoles bilinear(const std::vector<Complex>& analogue, std::size_t at_origin, double gain) {
  constexpr double twice = 2 * design_rate;
  ZerosAndPoles result;
  Complex denominator = 1;
  for (const Complex pole : analogue) {
    result.poles.push_back(tidied((twice + pole) / (twice - pole)));
    denominator *= twice - pole;
  }
  result.zeros.assign(at_origin, 1.0);
  result.zeros.resize(analogue.size(), -1.0);
  result.gain = gain * (std::pow(twice, static_cast<double>(at_origin)) / denominator).real();
  return result;
}

template <typename Values, typename Distance>
auto take_nearest(Values& values, Distance distance) {
  const auto nearest =
      std::ranges::min_element(values, [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  const auto value = *nearest;
  values.erase(nearest);
  return value;
}

// From the last section to the first: the pole nearest to the unit circle, with the zeros nearest to it.
Sections paired(ZerosAndPoles design) {
  if (design.poles.size() % 2 == 1) {
    design.poles.emplace_back(0);
    design.zeros.push_back(0);
  }
  std::erase_if(design.poles, [](Complex pole) { return pole.imag() < 0; });
  Sections sections;
  while (!design.poles.empty()) {
    const auto from_circle = [](Complex pole) { return std::abs(1 - std::abs(pole)); };
    const Complex first = take_nearest(design.poles, from_circle);
    Complex second = std::conj(first);
    if (first.imag() == 0) {
      second = take_nearest(design.poles, [&](Complex pole) {
        return pole.imag() == 0 ? from_circle(pole) : std::numeric_limits<double>::infinity();
      });
    }
    const auto from_pole = [&](double zero) { return std::abs(zero - first); };
    const double z1 = take_nearest(design.zeros, from_pole);
    const double z2 = take_nearest(design.zeros, from_pole);
    sections.push_back({1, -(z1 + z2), z1 * z2, -(first + second).real(), (first * second).real()});
  }
  std::ranges::reverse(sections);
  sections.front().b0 *= design.gain;
  sections.front().b1 *= design.gain;
  sections.front().b2 *= design.gain;
  return sections;
}

}  // namespace

Sections butterworth_band_pass(int order, Band band, Hertz rate) {
  check(order, band.low, rate);
  check(order, band.high, rate);
  if (!(band.low < band.high)) {
    throw Error(ErrorKind::invalid_argument, "band from " + data::shown(band.low.value) + " to " +
                                                 data::shown(band.high.value) +
                                                 " Hz: the lower edge must be below the upper one");
  }
  const double low = warped(band.low, rate);
  const double high = warped(band.high, rate);
  const double width = high - low;
  std::vector<Complex> poles;
  for (const Complex prototype : prototype_poles(order)) {
    const Complex half = prototype * (width / 2);
    const Complex root = std::sqrt(half * half - low * high);
    poles.push_back(half + root);
    poles.push_back(half - root);
  }
  return paired(bilinear(poles, static_cast<std::size_t>(order), std::pow(width, order)));
}

Sections butterworth_low_pass(int order, Hertz edge, Hertz rate) {
  check(order, edge, rate);
  const double cut = warped(edge, rate);
  std::vector<Complex> poles = prototype_poles(order);
  for (Complex& pole : poles) pole *= cut;
  return paired(bilinear(poles, 0, std::pow(cut, order)));
}

Seconds group_delay(std::span<const Section> sections, Hertz frequency, Hertz rate) {
  // -d phase / d omega of b0 + b1 z^-1 + b2 z^-2 is the real part of sum n b_n z^-n over sum b_n z^-n.
  const Complex z = std::polar(1.0, -2 * std::numbers::pi * frequency.value / rate.value);
  const auto delay = [&](double c0, double c1, double c2) {
    return ((c1 * z + 2.0 * c2 * z * z) / (c0 + c1 * z + c2 * z * z)).real();
  };
  double samples = 0;
  for (const Section& s : sections) samples += delay(s.b0, s.b1, s.b2) - delay(1, s.a1, s.a2);
  return {samples / rate.value};
}

}  // namespace heed::dsp
