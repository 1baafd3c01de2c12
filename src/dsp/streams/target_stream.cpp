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
    : targets_(preprocessing.targets),
      band_pass_(band_pass_sections(preprocessing), std::ssize(preprocessing.targets) * columns),
      waiting_(0, columns) {
  if (wants_onset(targets_)) onset_.emplace(preprocessing.sampling_frequency, columns);
}

Matrix TargetStream::due(const Matrix& more, Index rows) {
  Matrix all(waiting_.rows() + more.rows(), columns());
  all << waiting_, more;
  waiting_ = all.bottomRows(all.rows() - rows);
  return all.topRows(rows);
}

Matrix TargetStream::band_passed(const Matrix& envelope, const Matrix& onset) {
  Matrix result = target_columns(targets_, envelope, onset);
  band_pass_.filter(data::view(result));
  return result;
}

Matrix TargetStream::push(const Matrix& envelope) {
  if (!onset_) return band_passed(envelope, {});
  Matrix onset(onset_->ready(envelope.rows()), columns());
  onset_->push(data::view(envelope), data::view(onset));
  return band_passed(due(envelope, onset.rows()), onset);
}

Matrix TargetStream::finish() {
  if (!onset_) return band_passed(waiting_, {});
  Matrix onset(onset_->remaining(), columns());
  onset_->finish(data::view(onset));
  return band_passed(due(Matrix(0, columns()), onset.rows()), onset);
}

}  // namespace heed::dsp
