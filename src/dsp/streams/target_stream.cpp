// SPDX-License-Identifier: MIT
#include "dsp/streams/target_stream.h"

#include <dsp/prepare.h>

#include <algorithm>

namespace heed::dsp {

bool wants_onset(std::span<const SpeechTarget> targets) noexcept {
  return std::ranges::find(targets, SpeechTarget::onset) != targets.end();
}

Matrix target_columns(std::span<const SpeechTarget> targets, const Matrix& envelope, const Matrix& onset) {
  Matrix result(envelope.rows(), std::ssize(targets) * envelope.cols());
  Index first = 0;
  for (const SpeechTarget target : targets) {
    result.middleCols(first, envelope.cols()) = target == SpeechTarget::onset ? onset : envelope;
    first += envelope.cols();
  }
  return result;
}

TargetStream::TargetStream(const Preprocessing& preprocessing, Index columns)
    : columns_(columns),
      targets_(preprocessing.targets),
      band_pass_(band_pass_sections(preprocessing), std::ssize(preprocessing.targets) * columns) {
  if (!wants_onset(targets_)) return;
  onset_.emplace(preprocessing.sampling_frequency, columns);
  waiting_.resize(static_cast<std::size_t>((onset_->waiting() + 1) * columns));
  onsets_.resize(waiting_.size());
}

std::span<const double> TargetStream::onset(Index row) const noexcept {
  return {onsets_.data() + (row * columns_), static_cast<std::size_t>(columns_)};
}

std::span<double> TargetStream::waiting(Index row) noexcept {
  const auto width = static_cast<std::size_t>(columns_);
  return std::span(waiting_).subspan(static_cast<std::size_t>(row) % (waiting_.size() / width) * width, width);
}

void TargetStream::append(std::span<const double> envelope, std::span<const double> onset,
                          std::vector<double>& targets) {
  const std::size_t before = targets.size();
  for (const SpeechTarget target : targets_) {
    const auto part = target == SpeechTarget::onset ? onset : envelope;
    targets.insert(targets.end(), part.begin(), part.end());
  }
  const auto width = static_cast<Index>(targets.size() - before);
  band_pass_.filter({targets.data() + before, 1, width, width});
}

void TargetStream::push(MatrixView envelope, std::vector<double>& targets) {
  for (Index t = 0; t < envelope.rows; ++t) {
    const std::span<const double> row = envelope.row(t);
    if (!onset_) {
      append(row, {}, targets);
      continue;
    }
    std::ranges::copy(row, waiting(received_++).begin());
    const Index ready = onset_->push(envelope.middle_rows(t, 1), {onsets_.data(), 1, columns_, columns_});
    if (ready > 0) append(waiting(written_++), onset(0), targets);
  }
}

void TargetStream::finish(std::vector<double>& targets) {
  if (!onset_) return;
  const Index rest = onset_->finish({onsets_.data(), onset_->waiting(), columns_, columns_});
  for (Index k = 0; k < rest; ++k) append(waiting(written_++), onset(k), targets);
}

void TargetStream::reset() noexcept {
  band_pass_.reset();
  if (onset_) onset_->reset();
  received_ = 0;
  written_ = 0;
}

}  // namespace heed::dsp
