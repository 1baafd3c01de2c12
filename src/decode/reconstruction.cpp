// SPDX-License-Identifier: MIT
#include "decode/sample_labels.h"

#include <dsp/kernels/kernels.h>
#include <heed/data/error.h>
#include <heed/decode/reconstruction.h>

#include <algorithm>
#include <string>
#include <utility>

namespace heed::decode {
namespace {

Matrix whole(LaggedFilter filter, MatrixView signal) {
  constexpr Index piece = 256;  // rows that stay in the near caches
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(signal.rows * filter.outputs()));
  filter.reserve(piece);
  for (Index first = 0; first < signal.rows; first += piece) {
    filter.push(signal.middle_rows(first, std::min(piece, signal.rows - first)), out);
  }
  filter.finish(out);
  return Eigen::Map<const Matrix>(out.data(), signal.rows, filter.outputs());
}

// Where `wanted` names are among `given`; a list of those that are not.
std::vector<Index> positions(std::span<const std::string> wanted, std::span<const std::string> given,
                             std::string& absent) {
  std::vector<Index> result;
  for (const std::string& name : wanted) {
    const auto at = std::find(given.begin(), given.end(), name);
    if (at == given.end()) absent += (absent.empty() ? "" : ", ") + name;
    result.push_back(at - given.begin());
  }
  return result;
}

bool are_all(const std::vector<Index>& columns, const Matrix& signal) {
  Index next = 0;
  return std::ssize(columns) == signal.cols() && std::ranges::all_of(columns, [&](Index c) { return c == next++; });
}

// Of the columns that a decoder needs; a signal that holds these alone, in their order, is not copied.
Matrix whole(LaggedFilter filter, const Matrix& signal, const std::vector<Index>& columns) {
  if (are_all(columns, signal)) return whole(std::move(filter), data::view(signal));
  const Matrix chosen = signal(Eigen::all, columns);
  return whole(std::move(filter), data::view(chosen));
}

}  // namespace

LaggedFilter::LaggedFilter(std::span<const Matrix> filters, LagRange lags, SignalScales scales)
    : lags_(lags), scales_(std::move(scales)), outputs_(static_cast<Index>(filters.size())) {
  if (filters.empty() || lags.count() < 1)
    throw Error(ErrorKind::invalid_argument, "a decoder without filters or lags");
  channels_ = filters.front().cols();
  for (const Matrix& filter : filters) {
    if (filter.rows() != lags.count() || filter.cols() != channels_ || channels_ == 0) {
      throw Error(ErrorKind::invalid_argument, "a decoder's filter is " + std::to_string(filter.rows()) + " x " +
                                                   std::to_string(filter.cols()) + ", its lags and channels " +
                                                   std::to_string(lags.count()) + " x " + std::to_string(channels_));
    }
    weights_.insert(weights_.end(), filter.data(), filter.data() + filter.size());
  }
  const bool scaled = scales_.deviation.size() > 0;
  if (scaled && (scales_.deviation.size() != channels_ || scales_.mean.size() != channels_)) {
    throw Error(ErrorKind::invalid_argument, "a decoder with scales for " + std::to_string(scales_.deviation.size()) +
                                                 " of its " + std::to_string(channels_) + " channels");
  }
  reset();
}

void LaggedFilter::append(MatrixView rows) {
  if (rows.columns != channels_) {
    throw Error(ErrorKind::invalid_argument, "a signal of " + std::to_string(rows.columns) +
                                                 " channels for a filter of " + std::to_string(channels_));
  }
  const std::size_t before = history_.size();
  for (Index t = 0; t < rows.rows; ++t) {
    const auto row = rows.row(t);
    history_.insert(history_.end(), row.begin(), row.end());
  }
  if (scales_.deviation.size() > 0) {
    Eigen::Map<Matrix> fresh(history_.data() + before, rows.rows, channels_);
    fresh = (fresh.rowwise() - scales_.mean.transpose()).array().rowwise() / scales_.deviation.transpose().array();
  }
  rows_ += rows.rows;
}

void LaggedFilter::append_zeros(Index count) {
  history_.insert(history_.end(), static_cast<std::size_t>(count * channels_), 0.0);
  rows_ += count;
}

void LaggedFilter::take_ready(std::vector<double>& out) {
  const Index until = std::max(emitted_, std::min(pushed_, rows_ - lags_.last));
  const Index ready = until - emitted_;
  const std::size_t before = out.size();
  out.resize(before + static_cast<std::size_t>(ready * outputs_));
  const Index from = emitted_ + lags_.first - first_row_;
  dsp::kernels::best_kernels().filter_lagged({history_.data() + from * channels_, ready, lags_.count() * channels_,
                                              channels_, weights_.data(), outputs_, out.data() + before});
  emitted_ = until;
  // What lies before the first lag of the next row is done with.
  const Index done = std::clamp<Index>(emitted_ + lags_.first - first_row_, 0, rows_ - first_row_);
  history_.erase(history_.begin(), history_.begin() + done * channels_);
  first_row_ += done;
}

void LaggedFilter::push(MatrixView rows, std::vector<double>& out) {
  append(rows);
  pushed_ += rows.rows;
  take_ready(out);
}

void LaggedFilter::finish(std::vector<double>& out) {
  append_zeros(std::max<Index>(0, pushed_ + lags_.last - rows_));
  take_ready(out);
}

Matrix LaggedFilter::push(MatrixView rows) {
  std::vector<double> out;
  push(rows, out);
  return Eigen::Map<const Matrix>(out.data(), std::ssize(out) / outputs_, outputs_);
}

Matrix LaggedFilter::finish() {
  std::vector<double> out;
  finish(out);
  return Eigen::Map<const Matrix>(out.data(), std::ssize(out) / outputs_, outputs_);
}

void LaggedFilter::reserve(Index most_rows) {
  const Index kept = std::max<Index>(0, lags_.last) - std::min<Index>(0, lags_.first) + 1;
  history_.reserve(static_cast<std::size_t>((2 * kept + most_rows) * channels_));
}

void LaggedFilter::reset() noexcept {
  first_row_ = std::min<Index>(0, lags_.first);
  history_.assign(static_cast<std::size_t>(-first_row_ * channels_), 0.0);
  rows_ = pushed_ = emitted_ = 0;
}

std::vector<Matrix> eeg_filters(const Decoder& decoder) {
  if (const auto* cca = std::get_if<CcaDecoder>(&decoder.filters)) return cca->eeg_filters;
  const Matrix& weights = std::get<LeastSquaresDecoder>(decoder.filters).weights;
  const Index lags = decoder.eeg_lags.count();
  const auto targets = static_cast<Index>(decoder.targets.size());
  if (weights.rows() != targets * lags) return {weights};  // LaggedFilter says what does not fit
  std::vector<Matrix> filters;
  for (Index k = 0; k < targets; ++k) filters.emplace_back(weights.middleRows(k * lags, lags));
  return filters;
}

std::vector<Matrix> stimulus_filters(const Decoder& decoder) {
  if (const auto* cca = std::get_if<CcaDecoder>(&decoder.filters)) return cca->stimulus_filters;
  const auto targets = static_cast<Index>(decoder.targets.size());
  const Matrix each = Matrix::Identity(targets, targets);
  std::vector<Matrix> filters;
  for (Index k = 0; k < targets; ++k) filters.emplace_back(each.row(k));
  return filters;
}

std::vector<Index> channel_positions(const Decoder& decoder, std::span<const std::string> channels) {
  std::string absent;
  std::vector<Index> result = positions(decoder.channels, channels, absent);
  if (!absent.empty()) {
    throw Error(ErrorKind::bad_data, "the decoder was trained with channels that are missing here: " + absent +
                                         "; use recordings of the same montage, or train without them");
  }
  return result;
}

Matrix reconstruct(const Decoder& decoder, const Trial& trial) {
  const std::vector<Matrix> filters = eeg_filters(decoder);
  return whole(LaggedFilter(filters, decoder.eeg_lags, decoder.eeg_scales), trial.eeg,
               channel_positions(decoder, trial.channels));
}

Matrix filtered_stimulus(const Decoder& decoder, const Trial& trial, Speaker speaker) {
  std::string absent;
  const std::vector<Index> targets = positions(decoder.targets, trial.targets, absent);
  if (!absent.empty()) {
    throw Error(ErrorKind::bad_data, place_of(trial) + ": the decoder needs the target " + absent +
                                         ", which was not prepared; prepare it as for training");
  }
  const std::vector<Matrix> filters = stimulus_filters(decoder);
  return whole(LaggedFilter(filters, decoder.stimulus_lags, decoder.stimulus_scales),
               trial.stimuli.at(static_cast<std::size_t>(speaker)), targets);
}

}  // namespace heed::decode
