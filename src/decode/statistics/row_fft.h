// SPDX-License-Identifier: MIT
// The Fourier transform of many channels at once: time runs down the rows, and every butterfly works on whole rows.
#pragma once

#include <heed/data/matrix.h>

#include <vector>

namespace heed::decode {

// Of one length, a power of two. Rows hold the real parts of all channels, then their imaginary parts.
class RowFft {
 public:
  explicit RowFft(Index length);

  // In place, length x (2 channels), of exp(-2 pi i f t / length). Slot s comes to hold frequency frequency_of(s).
  void transform(double* rows, Index channels) const;
  [[nodiscard]] Index frequency_of(Index slot) const { return frequencies_[static_cast<std::size_t>(slot)]; }
  [[nodiscard]] Index length() const noexcept { return length_; }

 private:
  Index length_;
  std::vector<double> cosines_{};  // of 2 pi k / length
  std::vector<double> sines_{};
  std::vector<Index> frequencies_{};
};

}  // namespace heed::decode
