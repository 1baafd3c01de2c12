// SPDX-License-Identifier: MIT
#include "dsp/streams/eeg_front.h"

#include <data/text.h>
#include <heed/data/error.h>

#include <algorithm>
#include <cmath>

#include "dsp/montage.h"

namespace heed::dsp {
namespace {

constexpr Index block_rows = 256;

// Rows that a block, or the end, can give at once.
Index most_ready(RateRatio ratio) {
  constexpr Index held_back = 10;  // periods of the lower rate
  return ((block_rows * ratio.up) / ratio.down) + ((held_back + 1) * std::max<Index>(1, ratio.up / ratio.down)) + 2;
}

// A number in a decoder's file must not decide how much memory a recording takes.
void check_rate(Hertz target, Hertz native) {
  constexpr double most = 4;
  if (target.value <= most * native.value) return;
  throw Error(ErrorKind::unsupported, "signals at " + data::shown(target.value) + " Hz from EEG at " +
                                          data::shown(native.value) + " Hz: choose a target rate of at most " +
                                          data::shown(most * native.value) + " Hz");
}

}  // namespace

void check_deviations(const EegSource& source, Index channels) {
  const Index given = source.clip_deviations.size();
  if (given == 0 || given == channels) return;
  throw Error(ErrorKind::invalid_argument,
              std::to_string(given) + " deviations to clip by for " + std::to_string(channels) + " channels");
}

EegFront::EegFront(const Preprocessing& preprocessing, const EegSource& source)
    : source_channels_(static_cast<Index>(source.channels.size())) {
  std::vector<bool> bad(source.channels.size());
  for (const std::string& name : source.bad) {
    bad[static_cast<std::size_t>(column_of(name, source.channels, "bad channel"))] = true;
  }
  if (std::ranges::count(bad, false) == 0) {
    throw Error(ErrorKind::bad_data,
                source.channels.empty() ? "there is no EEG channel" : "every channel is bad: leave this recording out");
  }
  const bool interpolate = preprocessing.bad_channels == BadChannels::interpolate && !source.bad.empty();
  for (std::size_t c = 0; c < bad.size(); ++c) {
    if (bad[c] && !interpolate) continue;
    channels_.push_back(source.channels[c]);
    columns_.push_back({.source = static_cast<Index>(c), .interpolated = bad[c]});
  }
  if (interpolate) interpolation_.emplace(channels_, source.bad);
  reference_.emplace(preprocessing.reference, channels_);
  const auto count = static_cast<Index>(channels_.size());
  check_rate(preprocessing.sampling_frequency, source.sampling_frequency);
  resampler_.emplace(rate_ratio(source.sampling_frequency, preprocessing.sampling_frequency), count);
  block_.resize(block_rows, count);
  resampled_.resize(std::max(resampler_->ready(block_rows), most_ready(resampler_->ratio())), count);
  // Every other sample may be missing, as far as an output sees.
  missing_.reserve(static_cast<std::size_t>(resampler_->reach()) + block_rows + 2);
}

bool EegFront::fill_row(const SampleView& chunk, Index t, std::span<double> row) noexcept {
  bool whole = true;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    Column& column = columns_[c];
    const float value = chunk(t, column.source);
    if (column.interpolated) {
      row[c] = 0;
      continue;
    }
    if (std::isfinite(value)) {
      if (!column.started) column.first = value;
      column.started = true;
      column.last = static_cast<double>(value) - static_cast<double>(column.first);
    } else {
      whole = false;
    }
    row[c] = column.last;
  }
  return whole;
}

void EegFront::note_missing(Index row) {
  if (missing_.empty() || missing_.back().first + missing_.back().count != row) missing_.push_back({row, 0});
  ++missing_.back().count;
}

// Asked row by row, in order.
bool EegFront::is_missing(Index output_row) {
  const Index first = resampler_->first_needed(output_row);
  std::erase_if(missing_, [&](const SampleRange& range) { return range.first + range.count <= first; });
  return !missing_.empty() && missing_.front().first <= resampler_->last_needed(output_row);
}

void EegFront::push(SampleView chunk, EegRows& out) {
  if (chunk.columns != source_channels_) {
    throw Error(ErrorKind::invalid_argument, "a chunk of " + std::to_string(chunk.columns) +
                                                 " channels in a recording of " + std::to_string(source_channels_));
  }
  for (Index t = 0; t < chunk.rows;) {
    const Index rows = std::min(chunk.rows - t, block_rows);
    const MutableMatrixView block = data::view(block_).middle_rows(0, rows);
    for (Index k = 0; k < rows; ++k, ++t, ++received_) {
      if (!fill_row(chunk, t, block.row(k))) note_missing(received_);
    }
    if (interpolation_) interpolation_->apply(block);
    reference_->apply(block);
    const Index ready = resampler_->ready(rows);
    resampled_.resize(std::max(resampled_.rows(), ready), block.columns);
    resampler_->push(MatrixView(block), data::view(resampled_));
    append(ready, out);
  }
}

void EegFront::finish(EegRows& out) {
  const Index rest = resampler_->remaining();
  resampled_.resize(std::max(resampled_.rows(), rest), static_cast<Index>(channels_.size()));
  resampler_->finish(data::view(resampled_));
  append(rest, out);
}

void EegFront::reset() noexcept {
  for (Column& column : columns_) {
    column.started = false;
    column.first = 0;
    column.last = 0;
  }
  resampler_->reset();
  missing_.clear();
  received_ = 0;
  written_ = 0;
}

void EegFront::append(Index rows, EegRows& out) {
  out.values.insert(out.values.end(), resampled_.data(), resampled_.data() + (rows * resampled_.cols()));
  for (Index k = 0; k < rows; ++k, ++written_) out.missing.push_back(is_missing(written_));
}

}  // namespace heed::dsp
