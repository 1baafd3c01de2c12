// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <dsp/clip.h>
#include <dsp/prepare.h>
#include <dsp/resample.h>
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

Matrix joined(const Matrix& top, const Matrix& bottom) {
  Matrix both(top.rows() + bottom.rows(), top.cols());
  both << top, bottom;
  return both;
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

void check_deviations(const EegSource& source, Index channels) {
  const Index given = source.clip_deviations.size();
  if (given != 0 && given != channels) {
    refuse(std::to_string(given) + " deviations to clip by for " + std::to_string(channels) + " channels");
  }
}

void check_envelope(const Matrix& envelope) {
  if (!envelope.allFinite()) {
    throw Error(ErrorKind::bad_data, "the envelope holds a number that is not finite: make it again");
  }
}

void check_targets(std::span<const SpeechTarget> targets) {
  if (targets.empty()) refuse("nothing of a speaker's sound is a target: choose its envelope, its onset or both");
  for (const SpeechTarget target : targets) {
    if (std::ranges::count(targets, target) > 1) refuse("a target is named twice: each gives one column");
  }
}

}  // namespace

void check_preprocessing(const Preprocessing& how) {
  const double rate = how.sampling_frequency.value;
  if (!(rate >= lowest_rate) || !std::isfinite(rate)) {
    refuse("a target rate of " + data::shown(rate) +
           " Hz is too low to follow speech: choose at least 20 Hz (64 is usual)");
  }
  if (!(how.high.value < rate / 2)) {
    refuse("an upper band edge of " + data::shown(how.high.value) + " Hz wants a target rate above " +
           data::shown(2 * how.high.value) + " Hz, not " + data::shown(rate) + ": raise the rate or lower the edge");
  }
  if (!(how.low.value > 0) || !(how.low < how.high)) {
    refuse("a band from " + data::shown(how.low.value) + " to " + data::shown(how.high.value) +
           " Hz: the lower edge must lie above 0 and below the upper one");
  }
  if (!(how.clip >= 0) || !std::isfinite(how.clip)) {
    refuse("clipping at " + data::shown(how.clip) + " standard deviations: give a positive number, or 0 for none");
  }
  check_targets(how.targets);
}

Sections band_pass_sections(const Preprocessing& how) {
  check_preprocessing(how);
  return butterworth_band_pass(band_pass_order, {how.low, how.high}, how.sampling_frequency);
}

CausalDelay causal_delay(const Preprocessing& how, Hertz native_rate) {
  const Resampler resampler(rate_ratio(native_rate, how.sampling_frequency), 1);
  const Hertz middle{std::sqrt(how.low.value * how.high.value)};
  const Hertz rate = how.sampling_frequency;
  return {.resampling = {resampler.reach() / native_rate.value},
          .band_pass = group_delay(band_pass_sections(how), middle, rate),
          .onset = wants_onset(how.targets) ? OnsetFilter(rate, 1).delay() : Seconds{}};
}

struct EegPreparer::State {
  State(const Preprocessing& wanted, const EegSource& source)
      : how(wanted), sections(band_pass_sections(wanted)), front(wanted, source), deviations(source.clip_deviations) {
    check_deviations(source, channels());
  }

  [[nodiscard]] Index channels() const { return static_cast<Index>(front.channels().size()); }

  Preprocessing how;
  Sections sections;
  EegFront front;
  Eigen::VectorXd deviations;
  EegRows rows;
};

EegPreparer::EegPreparer(const Preprocessing& how, const EegSource& source)
    : state_(std::make_unique<State>(how, source)) {}
EegPreparer::~EegPreparer() = default;
EegPreparer::EegPreparer(EegPreparer&&) noexcept = default;
EegPreparer& EegPreparer::operator=(EegPreparer&&) noexcept = default;

void EegPreparer::push(const SampleMatrix& chunk) { state_->front.push(chunk, state_->rows); }

PreparedEeg EegPreparer::finish() {
  State& state = *state_;
  state.front.finish(state.rows);
  if (state.rows.missing.empty()) throw Error(ErrorKind::bad_data, "the recording has no samples");
  PreparedEeg result{.channels = state.front.channels(),
                     .values = as_matrix(state.rows.values, state.channels()),
                     .missing = ranges_of(state.rows.missing)};
  state.rows = {};
  if (state.how.filters == FilterMode::zero_phase) {
    bridge(result.values, result.missing);
    filter_zero_phase(state.sections, data::view(result.values));
  } else {
    SectionFilter(state.sections, state.channels()).filter(data::view(result.values));
  }
  if (state.how.clip > 0) {
    result.clip_deviations = state.deviations.size() > 0
                                 ? state.deviations
                                 : robust_deviations(data::view(std::as_const(result.values)), result.missing);
    result.clipped = clip(data::view(result.values), result.clip_deviations, state.how.clip);
  }
  return result;
}

struct LiveEegPreparer::State {
  State(const Preprocessing& how, const EegSource& source)
      : front(how, source),
        filter(band_pass_sections(how), static_cast<Index>(front.channels().size())),
        times(how.clip),
        deviations(source.clip_deviations) {
    check_deviations(source, filter.channels());
  }

  Rows band_passed(EegRows& rows) {
    Rows result{as_matrix(rows.values, filter.channels()), std::move(rows.missing)};
    filter.filter(data::view(result.values));
    if (times > 0) clip(data::view(result.values), deviations, times);
    return result;
  }

  EegFront front;
  SectionFilter filter;
  double times;
  Eigen::VectorXd deviations;
};

LiveEegPreparer::LiveEegPreparer(const Preprocessing& how, const EegSource& source) {
  if (how.filters != FilterMode::causal) refuse("a live stream wants causal filters: zero-phase ones see the future");
  if (how.clip > 0 && source.clip_deviations.size() == 0) {
    refuse("clipping live wants the standard deviations of the decoder's training data");
  }
  state_ = std::make_unique<State>(how, source);
}
LiveEegPreparer::~LiveEegPreparer() = default;
LiveEegPreparer::LiveEegPreparer(LiveEegPreparer&&) noexcept = default;
LiveEegPreparer& LiveEegPreparer::operator=(LiveEegPreparer&&) noexcept = default;

LiveEegPreparer::Rows LiveEegPreparer::push(const SampleMatrix& chunk) {
  EegRows rows;
  state_->front.push(chunk, rows);
  return state_->band_passed(rows);
}

LiveEegPreparer::Rows LiveEegPreparer::finish() {
  EegRows rows;
  state_->front.finish(rows);
  return state_->band_passed(rows);
}

const std::vector<std::string>& LiveEegPreparer::channels() const noexcept { return state_->front.channels(); }

PreparedEeg prepare_eeg(const Preprocessing& how, const EegSource& source, const SampleMatrix& samples) {
  EegPreparer preparer(how, source);
  preparer.push(samples);
  return preparer.finish();
}

struct LiveEnvelopePreparer::State {
  State(const Preprocessing& how, Hertz rate, Index columns)
      : targets(how, columns), resampler(rate_ratio(rate, how.sampling_frequency), columns) {}

  TargetStream targets;
  Resampler resampler;
  std::optional<Eigen::RowVectorXd> first;  // counted from: a constant that the band-pass takes out anyway
};

LiveEnvelopePreparer::LiveEnvelopePreparer(const Preprocessing& how, Hertz envelope_rate, Index columns)
    : state_(std::make_unique<State>(how, envelope_rate, columns)) {}
LiveEnvelopePreparer::~LiveEnvelopePreparer() = default;
LiveEnvelopePreparer::LiveEnvelopePreparer(LiveEnvelopePreparer&&) noexcept = default;
LiveEnvelopePreparer& LiveEnvelopePreparer::operator=(LiveEnvelopePreparer&&) noexcept = default;

Matrix LiveEnvelopePreparer::push(const Matrix& chunk) {
  State& state = *state_;
  if (chunk.cols() != state.targets.columns()) {
    refuse("a chunk of " + std::to_string(chunk.cols()) + " columns in an envelope of " +
           std::to_string(state.targets.columns()));
  }
  check_envelope(chunk);
  Matrix out(state.resampler.ready(chunk.rows()), chunk.cols());
  if (chunk.rows() > 0) {
    if (!state.first) state.first = chunk.row(0);
    const Matrix counted = chunk.rowwise() - *state.first;
    state.resampler.push(data::view(counted), data::view(out));
  }
  return state.targets.push(out);
}

Matrix LiveEnvelopePreparer::finish() {
  State& state = *state_;
  Matrix out(state.resampler.remaining(), state.targets.columns());
  state.resampler.finish(data::view(out));
  Matrix body = state.targets.push(out);
  return joined(body, state.targets.finish());
}

Matrix resample_envelope(const Preprocessing& how, const Matrix& envelope, Hertz envelope_rate) {
  check_preprocessing(how);
  if (envelope.rows() == 0 || envelope.cols() == 0) throw Error(ErrorKind::bad_data, "the envelope has no samples");
  check_envelope(envelope);
  const RateRatio ratio = rate_ratio(envelope_rate, how.sampling_frequency);
  if (how.filters == FilterMode::zero_phase) return resample(envelope, ratio);
  return resample_causal(envelope.rowwise() - envelope.row(0), ratio);
}

Matrix prepare_targets(const Preprocessing& how, const Matrix& envelope) {
  if (how.filters == FilterMode::causal) {
    TargetStream stream(how, envelope.cols());
    const Matrix body = stream.push(envelope);
    return joined(body, stream.finish());
  }
  const Sections sections = band_pass_sections(how);
  const Matrix onset = wants_onset(how.targets) ? onsets(envelope, how.sampling_frequency) : Matrix();
  Matrix result = target_columns(how.targets, envelope, onset);
  filter_zero_phase(sections, data::view(result));
  return result;
}

Matrix prepare_envelope(const Preprocessing& how, const Matrix& envelope, Hertz envelope_rate) {
  return prepare_targets(how, resample_envelope(how, envelope, envelope_rate));
}

}  // namespace heed::dsp
