// SPDX-License-Identifier: MIT
// Filters over channels and lags applied to signals: u(t) = sum over lags l and channels c of w(l, c) x(t+l, c). Sums
// are taken row by row in one fixed order, so chunks of any size give the bits of the whole.
#pragma once

#include <heed/data/decoder.h>
#include <heed/data/trial.h>

#include <span>
#include <vector>

namespace heed::decode {

// Output row t is ready once input row t + lags.last is there. Zeros are taken for what lies before the first row and,
// after finish(), beyond the last. Scales, where given, are applied to each row first.
class LaggedFilter {
 public:
  // filters: [output] lags x channels. Throws invalid_argument if a filter has another shape.
  LaggedFilter(std::span<const Matrix> filters, LagRange lags, SignalScales scales = {});

  // Rows (samples x channels) of input; returns the rows (x outputs) that became ready.
  [[nodiscard]] Matrix push(MatrixView rows);
  [[nodiscard]] Matrix finish();  // the rest; as many rows out as were pushed in total

  // The same, appended to the caller's storage: rows of outputs() numbers. Nothing else is allocated for up to
  // `rows_at_once` rows of a call, after reserve().
  void push(MatrixView rows, std::vector<double>& out);
  void finish(std::vector<double>& out);
  void reserve(Index most_rows);
  void reset() noexcept;  // back to the start

  [[nodiscard]] Index outputs() const noexcept { return outputs_; }

 private:
  void append(MatrixView rows);
  void append_zeros(Index count);
  void take_ready(std::vector<double>& out);

  LagRange lags_;
  SignalScales scales_;
  Index channels_ = 0;
  Index outputs_ = 0;
  // A register is loaded in one piece only where it does not cross a line of the cache.
  using AlignedNumbers = std::vector<double, Eigen::aligned_allocator<double>>;

  AlignedNumbers weights_{};  // [output] lag-major
  AlignedNumbers history_{};  // rows of input still needed
  Index first_row_ = 0;       // which row of the input history_ begins with
  Index rows_ = 0;            // rows of input, and of zeros after them
  Index pushed_ = 0;
  Index emitted_ = 0;
};

// The filters of a decoder, one per pair (least squares: one per target), and those of its stimulus side (least
// squares: each target as it is).
[[nodiscard]] std::vector<Matrix> eeg_filters(const Decoder& decoder);
[[nodiscard]] std::vector<Matrix> stimulus_filters(const Decoder& decoder);

// Where the decoder's channels are in `channels`. Throws bad_data naming those that are missing.
[[nodiscard]] std::vector<Index> channel_positions(const Decoder& decoder, std::span<const std::string> channels);

// samples x pairs: what the decoder makes of a trial's EEG, and of one speaker's stimulus.
[[nodiscard]] Matrix reconstruct(const Decoder& decoder, const Trial& trial);
[[nodiscard]] Matrix filtered_stimulus(const Decoder& decoder, const Trial& trial, Speaker speaker);

}  // namespace heed::decode
