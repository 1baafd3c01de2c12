// SPDX-License-Identifier: MIT
#include <dsp/sections.h>
#include <heed/data/error.h>

#include <algorithm>
#include <string>
#include <utility>

namespace heed::dsp {
namespace {

// What the two delays hold when 1 has always come in, and what goes out then.
struct Steady {
  double first;
  double second;
  double gain;
};

Steady steady(const Section& s) {
  const double gain = (s.b0 + s.b1 + s.b2) / (1 + s.a1 + s.a2);
  return {gain - s.b0, s.b2 - (s.a2 * gain), gain};
}

// The point reflection of row `from` in row `centre`.
void reflect(MatrixView signal, Index centre, Index from, std::span<double> to) {
  for (Index c = 0; c < signal.columns; ++c) {
    to[static_cast<std::size_t>(c)] = 2 * signal(centre, c) - signal(from, c);
  }
}

// The same rows from the last to the first.
MutableMatrixView backwards(MutableMatrixView signal) {
  return {signal.data + ((signal.rows - 1) * signal.stride), signal.rows, signal.columns, -signal.stride};
}

}  // namespace

SectionFilter::SectionFilter(Sections sections, Index channels)
    : sections_(std::move(sections)),
      channels_(channels),
      state_(sections_.size() * 2 * static_cast<std::size_t>(channels)) {}

void SectionFilter::reset() noexcept { std::ranges::fill(state_, 0.0); }

void SectionFilter::start_at(std::span<const double> values) noexcept {
  double gain = 1;
  double* state = state_.data();
  for (const Section& section : sections_) {
    const Steady at_one = steady(section);
    for (Index c = 0; c < channels_; ++c) {
      state[c] = gain * at_one.first * values[static_cast<std::size_t>(c)];
      state[channels_ + c] = gain * at_one.second * values[static_cast<std::size_t>(c)];
    }
    gain *= at_one.gain;
    state += 2 * channels_;
  }
}

void SectionFilter::filter(MutableMatrixView signal) noexcept {
  kernels::best_kernels().filter_sections(
      {signal.data, signal.rows, channels_, signal.stride, sections_.data(), std::ssize(sections_), state_.data()});
}

Index zero_phase_padding(std::span<const Section> sections) noexcept {
  const Index short_zeros = std::ranges::count(sections, 0.0, &Section::b2);
  const Index short_poles = std::ranges::count(sections, 0.0, &Section::a2);
  return 3 * (2 * static_cast<Index>(sections.size()) + 1 - std::min(short_zeros, short_poles));
}

void filter_zero_phase(const Sections& sections, MutableMatrixView signal) {
  const Index edge = zero_phase_padding(sections);
  if (signal.rows <= edge) {
    throw Error(ErrorKind::bad_data, "a signal of " + std::to_string(signal.rows) +
                                         " samples is too short for a zero-phase filter: it needs at least " +
                                         std::to_string(edge + 1) + ", or a causal filter");
  }
  Matrix before(edge, signal.columns);
  Matrix after(edge, signal.columns);
  const Index last = signal.rows - 1;
  for (Index k = 1; k <= edge; ++k) {
    reflect(signal, 0, k, data::view(before).row(edge - k));
    reflect(signal, last, last - k, data::view(after).row(k - 1));
  }
  SectionFilter filter(sections, signal.columns);
  filter.start_at(data::view(before).row(0));
  for (const MutableMatrixView& part : {data::view(before), signal, data::view(after)}) filter.filter(part);
  filter.start_at(data::view(after).row(edge - 1));
  for (const MutableMatrixView& part : {data::view(after), signal}) filter.filter(backwards(part));
}

}  // namespace heed::dsp
