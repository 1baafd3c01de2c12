// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <dsp/prepare.h>
#include <dsp/resample.h>
#include <dsp/standardise.h>
#include <heed/data/error.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "dsp/streams/eeg_front.h"
#include "dsp/streams/target_stream.h"

namespace heed::dsp {
namespace {

constexpr int band_pass_order = 2;
constexpr double lowest_rate = 20;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

Matrix as_matrix(const std::vector<double>& values, Index columns) {
  return Eigen::Map<const Matrix>(values.data(), static_cast<Index>(values.size()) / columns, columns);
}

std::vector<SampleRange> ranges_of(const std::vector<bool>& missing) {
  std::vector<SampleRange> ranges;
  for (Index t = 0; t < static_cast<Index>(missing.size()); ++t) {
    if (!missing[static_cast<std::size_t>(t)]) continue;
    if (ranges.empty() || ranges.back().first + ranges.back().count != t) ranges.push_back({t, 0});
    ++ranges.back().count;
  }
  return ranges;
}

// A straight line from the row before to the row after; at an end of the signal, the row beside.
void bridge(Matrix& values, std::span<const SampleRange> ranges) {
  for (const SampleRange& range : ranges) {
    const Index before = range.first - 1;
    const Index after = range.first + range.count;
    if (before < 0 && after == values.rows()) continue;  // nothing was recorded at all
    const Eigen::RowVectorXd from = values.row(before >= 0 ? before : after);
    const Eigen::RowVectorXd to = values.row(after < values.rows() ? after : before);
    for (Index t = range.first; t < after; ++t) {
      const double part = static_cast<double>(t - before) / static_cast<double>(after - before);
      values.row(t) = from + (part * (to - from));
    }
  }
}

const Preprocessing& checked(const Preprocessing& preprocessing) {
  check_preprocessing(preprocessing);
  return preprocessing;
}

// Whether they differ in the band-pass and what comes after it, if at all.
bool same_front(const Preprocessing& one, const Preprocessing& other) {
  return one.reference == other.reference && one.bad_channels == other.bad_channels &&
         one.sampling_frequency == other.sampling_frequency;
}

PreparedEeg not_filtered(const EegFront& front, const EegRows& rows) {
  if (rows.missing.empty()) throw Error(ErrorKind::bad_data, "the recording has no samples");
  return {.channels = front.channels(),
          .values = as_matrix(rows.values, std::ssize(front.channels())),
          .missing = ranges_of(rows.missing)};
}

// deviations: those given to clip by; empty: the recording's own.
void band_pass(const Preprocessing& way, const Eigen::VectorXd& deviations, PreparedEeg& eeg) {
  const Sections sections = band_pass_sections(way);
  if (way.filters == FilterMode::zero_phase) {
    bridge(eeg.values, eeg.missing);
    filter_zero_phase(sections, data::view(eeg.values));
  } else {
    SectionFilter(sections, eeg.values.cols()).filter(data::view(eeg.values));
  }
  if (way.clip <= 0) return;
  eeg.clip_deviations =
      deviations.size() > 0 ? deviations : robust_deviations(data::view(std::as_const(eeg.values)), eeg.missing);
  eeg.clipped = clip(data::view(eeg.values), eeg.clip_deviations, way.clip);
}

void check_envelope(const Matrix& envelope) {
  if (!envelope.allFinite()) {
    throw Error(ErrorKind::bad_data, "the envelope contains a number that is not finite: compute it again");
  }
}

void check_targets(std::span<const SpeechTarget> targets) {
  if (targets.empty()) refuse("no target is chosen: choose the envelope of a speaker's sound, its onset or both");
  for (const SpeechTarget target : targets) {
    if (std::ranges::count(targets, target) > 1) refuse("a target is named twice: each gives one column");
  }
}

}  // namespace

void check_preprocessing(const Preprocessing& preprocessing) {
  const double rate = preprocessing.sampling_frequency.value;
  if (!(rate >= lowest_rate) || !std::isfinite(rate)) {
    refuse("a target rate of " + data::shown(rate) +
           " Hz is too low to follow speech: choose at least 20 Hz (64 is usual)");
  }
  if (!(preprocessing.high.value < rate / 2)) {
    refuse("an upper band edge of " + data::shown(preprocessing.high.value) + " Hz needs a sampling rate above " +
           data::shown(2 * preprocessing.high.value) + " Hz, not " + data::shown(rate) +
           ": raise the rate or lower the edge");
  }
  if (!(preprocessing.low.value > 0) || !(preprocessing.low < preprocessing.high)) {
    refuse("a band from " + data::shown(preprocessing.low.value) + " to " + data::shown(preprocessing.high.value) +
           " Hz: the lower edge must lie above 0 and below the upper one");
  }
  if (!(preprocessing.clip >= 0) || !std::isfinite(preprocessing.clip)) {
    refuse("clipping at " + data::shown(preprocessing.clip) +
           " standard deviations: give a positive number, or 0 for none");
  }
  check_targets(preprocessing.targets);
}

Sections band_pass_sections(const Preprocessing& preprocessing) {
  check_preprocessing(preprocessing);
  return butterworth_band_pass(band_pass_order, {preprocessing.low, preprocessing.high},
                               preprocessing.sampling_frequency);
}

CausalDelay causal_delay(const Preprocessing& preprocessing, Hertz native_rate) {
  const Resampler resampler(rate_ratio(native_rate, preprocessing.sampling_frequency), 1);
  const Hertz middle{std::sqrt(preprocessing.low.value * preprocessing.high.value)};
  const Hertz rate = preprocessing.sampling_frequency;
  return {.resampling = {resampler.reach() / native_rate.value},
          .band_pass = group_delay(band_pass_sections(preprocessing), middle, rate),
          .onset = wants_onset(preprocessing.targets) ? OnsetFilter(rate, 1).delay() : Seconds{}};
}

struct EegPreparer::State {
  State(const Preprocessing& wanted, const EegSource& source)
      : preprocessing(checked(wanted)), front(wanted, source), deviations(source.clip_deviations) {
    check_deviations(source, std::ssize(front.channels()));
  }

  Preprocessing preprocessing;
  EegFront front;
  Eigen::VectorXd deviations;
  EegRows rows;
};

EegPreparer::EegPreparer(const Preprocessing& preprocessing, const EegSource& source)
    : state_(std::make_unique<State>(preprocessing, source)) {}
EegPreparer::~EegPreparer() = default;
EegPreparer::EegPreparer(EegPreparer&&) noexcept = default;
EegPreparer& EegPreparer::operator=(EegPreparer&&) noexcept = default;

void EegPreparer::push(const SampleMatrix& chunk) {
  state_->front.push({chunk.data(), chunk.rows(), chunk.cols(), chunk.cols()}, state_->rows);
}

PreparedEeg EegPreparer::finish() {
  State& state = *state_;
  state.front.finish(state.rows);
  PreparedEeg result = not_filtered(state.front, state.rows);
  state.rows = {};
  band_pass(state.preprocessing, state.deviations, result);
  return result;
}

struct EegInWays::State {
  EegSource source;
  const SampleMatrix& samples;
  std::optional<EegFront> front{};
  EegRows rows{};
  std::optional<Preprocessing> way{};  // by which the rows were made; nothing: there are none

  void make_rows(const Preprocessing& wanted) {
    if (way && same_front(*way, wanted)) return;
    way.reset();
    rows = {};
    front.emplace(wanted, source);
    check_deviations(source, std::ssize(front->channels()));
    front->push({samples.data(), samples.rows(), samples.cols(), samples.cols()}, rows);
    front->finish(rows);
    way = wanted;
  }
};

EegInWays::EegInWays(EegSource source, const SampleMatrix& samples)
    : state_(new State{.source = std::move(source), .samples = samples}) {}
EegInWays::~EegInWays() = default;
EegInWays::EegInWays(EegInWays&&) noexcept = default;
EegInWays& EegInWays::operator=(EegInWays&&) noexcept = default;

PreparedEeg EegInWays::prepare(const Preprocessing& way) {
  state_->make_rows(checked(way));
  PreparedEeg result = not_filtered(*state_->front, state_->rows);
  band_pass(way, state_->source.clip_deviations, result);
  return result;
}

PreparedEeg prepare_eeg(const Preprocessing& preprocessing, const EegSource& source, const SampleMatrix& samples) {
  EegPreparer preparer(preprocessing, source);
  preparer.push(samples);
  return preparer.finish();
}

Matrix resample_envelope(const Preprocessing& preprocessing, const Matrix& envelope, Hertz envelope_rate) {
  check_preprocessing(preprocessing);
  if (envelope.rows() == 0 || envelope.cols() == 0) throw Error(ErrorKind::bad_data, "the envelope has no samples");
  check_envelope(envelope);
  const RateRatio ratio = rate_ratio(envelope_rate, preprocessing.sampling_frequency);
  if (preprocessing.filters == FilterMode::zero_phase) return resample(envelope, ratio);
  return resample_causal(envelope.rowwise() - envelope.row(0), ratio);
}

Matrix prepare_targets(const Preprocessing& preprocessing, const Matrix& envelope) {
  if (preprocessing.filters == FilterMode::causal) {
    TargetStream stream(preprocessing, envelope.cols());
    std::vector<double> rows;
    stream.push(data::view(envelope), rows);
    stream.finish(rows);
    return as_matrix(rows, std::ssize(preprocessing.targets) * envelope.cols());
  }
  const Sections sections = band_pass_sections(preprocessing);
  const Matrix onset =
      wants_onset(preprocessing.targets) ? onsets(envelope, preprocessing.sampling_frequency) : Matrix();
  Matrix result = target_columns(preprocessing.targets, envelope, onset);
  filter_zero_phase(sections, data::view(result));
  return result;
}

Matrix prepare_envelope(const Preprocessing& preprocessing, const Matrix& envelope, Hertz envelope_rate) {
  return prepare_targets(preprocessing, resample_envelope(preprocessing, envelope, envelope_rate));
}

}  // namespace heed::dsp
