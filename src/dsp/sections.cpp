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

// Row `to` is the point reflection of row `from` in row `centre`.
void reflect(MutableMatrixView signal, Index to, Index centre, Index from) {
  for (Index c = 0; c < signal.columns; ++c) signal(to, c) = 2 * signal(centre, c) - signal(from, c);
}

void reverse_rows(MutableMatrixView signal) {
  for (Index top = 0, bottom = signal.rows - 1; top < bottom; ++top, --bottom) {
    std::ranges::swap_ranges(signal.row(top), signal.row(bottom));
  }
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
  for (Index t = 0; t < signal.rows; ++t) {
    double* row = signal.data + (t * signal.stride);
    double* first = state_.data();
    for (const Section& s : sections_) {
      double* second = first + channels_;
      for (Index c = 0; c < channels_; ++c) {
        const double in = row[c];
        const double out = s.b0 * in + first[c];
        first[c] = s.b1 * in - s.a1 * out + second[c];
        second[c] = s.b2 * in - s.a2 * out;
        row[c] = out;
      }
      first = second + channels_;
    }
  }
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
  Matrix extended(signal.rows + (2 * edge), signal.columns);
  const MutableMatrixView all = data::view(extended);
  for (Index t = 0; t < signal.rows; ++t) std::ranges::copy(signal.row(t), all.row(edge + t).begin());
  const Index last = edge + signal.rows - 1;
  for (Index k = 1; k <= edge; ++k) {
    reflect(all, edge - k, edge, edge + k);
    reflect(all, last + k, last, last - k);
  }
  SectionFilter filter(sections, signal.columns);
  for (int pass = 0; pass < 2; ++pass) {
    filter.start_at(all.row(0));
    filter.filter(all);
    reverse_rows(all);
  }
  for (Index t = 0; t < signal.rows; ++t) std::ranges::copy(all.row(edge + t), signal.row(t).begin());
}

}  // namespace heed::dsp
