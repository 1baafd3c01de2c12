// SPDX-License-Identifier: MIT
#include <dsp/prepare.h>
#include <dsp/standardise.h>
#include <heed/data/error.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "dsp/streams/eeg_front.h"
#include "dsp/streams/target_stream.h"

namespace heed::dsp {
namespace {

constexpr Index block_rows = 256;

}  // namespace

struct LiveEegPreparer::State {
  State(const Preprocessing& preprocessing, const EegSource& source)
      : front(preprocessing, source),
        filter(band_pass_sections(preprocessing), static_cast<Index>(front.channels().size())),
        times(preprocessing.clip),
        deviations(source.clip_deviations) {
    check_deviations(source, filter.channels());
  }

  // Rows from the first that has not been band-passed yet.
  void finish_rows(EegRows& rows, std::size_t first) {
    const Index columns = filter.channels();
    const MutableMatrixView fresh{rows.values.data() + first, static_cast<Index>(rows.values.size() - first) / columns,
                                  columns, columns};
    filter.filter(fresh);
    if (times > 0) clip(fresh, deviations, times);
  }

  EegFront front;
  SectionFilter filter;
  double times;
  Eigen::VectorXd deviations;
};

LiveEegPreparer::LiveEegPreparer(const Preprocessing& preprocessing, const EegSource& source) {
  const auto refuse = [](const char* message) { throw Error(ErrorKind::invalid_argument, message); };
  if (preprocessing.filters != FilterMode::causal)
    refuse("a live stream needs causal filters: zero-phase filters see the future");
  if (preprocessing.clip > 0 && source.clip_deviations.size() == 0) {
    refuse("clipping a live stream needs the standard deviations of the decoder's training data");
  }
  state_ = std::make_unique<State>(preprocessing, source);
}
LiveEegPreparer::~LiveEegPreparer() = default;
LiveEegPreparer::LiveEegPreparer(LiveEegPreparer&&) noexcept = default;
LiveEegPreparer& LiveEegPreparer::operator=(LiveEegPreparer&&) noexcept = default;

void LiveEegPreparer::push(SampleView chunk, EegRows& rows) {
  const std::size_t first = rows.values.size();
  state_->front.push(chunk, rows);
  state_->finish_rows(rows, first);
}

void LiveEegPreparer::finish(EegRows& rows) {
  const std::size_t first = rows.values.size();
  state_->front.finish(rows);
  state_->finish_rows(rows, first);
}

void LiveEegPreparer::reset() noexcept {
  state_->front.reset();
  state_->filter.reset();
}

const std::vector<std::string>& LiveEegPreparer::channels() const noexcept { return state_->front.channels(); }

// ---- envelopes ----

struct LiveEnvelopePreparer::State {
  struct Feed {
    Resampler resampler;
    std::vector<double> first{};    // counted from: a constant that the band-pass takes out anyway
    std::vector<double> counted{};  // a block of input
    std::vector<double> rows{};     // at the target rate, not added yet
    bool started = false;
    bool ended = false;
  };

  State(const Preprocessing& preprocessing, std::span<const Hertz> rates, Index width)
      : columns(width), targets(preprocessing, width), sum(static_cast<std::size_t>(width)) {
    for (const Hertz rate : rates) {
      Feed& feed =
          feeds.emplace_back(Feed{.resampler = Resampler(rate_ratio(rate, preprocessing.sampling_frequency), width)});
      feed.first.resize(static_cast<std::size_t>(width));
      feed.counted.resize(static_cast<std::size_t>(block_rows * width));
      feed.rows.reserve(static_cast<std::size_t>(kept_rows(preprocessing.sampling_frequency) * width));
    }
  }

  // Feeds that wait for each other by more allocate.
  static Index kept_rows(Hertz rate) { return block_rows + static_cast<Index>(Seconds{20} * rate); }

  [[nodiscard]] MutableMatrixView room(Feed& feed, Index count) const {
    const std::size_t before = feed.rows.size();
    feed.rows.resize(before + static_cast<std::size_t>(count * columns));
    return {feed.rows.data() + before, count, columns, columns};
  }

  void take(Feed& feed, MatrixView chunk) const {
    if (chunk.rows == 0) return;
    if (!std::exchange(feed.started, true)) std::ranges::copy(chunk.row(0), feed.first.begin());
    for (Index done = 0; done < chunk.rows; done += block_rows) {
      const Index count = std::min(block_rows, chunk.rows - done);
      const MutableMatrixView block{feed.counted.data(), count, columns, columns};
      for (Index t = 0; t < count; ++t) {
        std::ranges::transform(chunk.row(done + t), feed.first, block.row(t).begin(), std::minus<>());
      }
      feed.resampler.push(MatrixView(block), room(feed, feed.resampler.ready(count)));
    }
  }

  // Feeds that are over are silent.
  void add_ready(std::vector<double>& out) {
    std::size_t used = 0;
    const auto width = static_cast<std::size_t>(columns);
    const auto left = [&](const Feed& feed) { return feed.rows.size() - std::min(used, feed.rows.size()); };
    const auto ready = [&] {
      const bool any = std::ranges::any_of(feeds, [&](const Feed& feed) { return left(feed) > 0; });
      return any && std::ranges::all_of(feeds, [&](const Feed& feed) { return feed.ended || left(feed) > 0; });
    };
    for (; ready(); used += width) {
      std::ranges::fill(sum, 0.0);
      for (const Feed& feed : feeds) {
        if (left(feed) == 0) continue;
        for (std::size_t c = 0; c < width; ++c) sum[c] += feed.rows[used + c];
      }
      targets.push({sum.data(), 1, columns, columns}, out);
    }
    for (Feed& feed : feeds) {
      feed.rows.erase(feed.rows.begin(), feed.rows.begin() + std::min(std::ssize(feed.rows), static_cast<Index>(used)));
    }
  }

  Index columns;
  TargetStream targets;
  std::vector<double> sum;
  std::vector<Feed> feeds{};
};

LiveEnvelopePreparer::LiveEnvelopePreparer(const Preprocessing& preprocessing, std::span<const Hertz> envelope_rates,
                                           Index columns)
    : state_(std::make_unique<State>(preprocessing, envelope_rates, columns)) {}
LiveEnvelopePreparer::~LiveEnvelopePreparer() = default;
LiveEnvelopePreparer::LiveEnvelopePreparer(LiveEnvelopePreparer&&) noexcept = default;
LiveEnvelopePreparer& LiveEnvelopePreparer::operator=(LiveEnvelopePreparer&&) noexcept = default;

void LiveEnvelopePreparer::push(std::size_t feed, MatrixView chunk, std::vector<double>& targets) {
  State& state = *state_;
  if (chunk.columns != state.columns) {
    throw Error(ErrorKind::invalid_argument, "a chunk of " + std::to_string(chunk.columns) +
                                                 " columns in an envelope of " + std::to_string(state.columns));
  }
  for (Index t = 0; t < chunk.rows; ++t) {
    if (std::ranges::all_of(chunk.row(t), [](double x) { return std::isfinite(x); })) continue;
    throw Error(ErrorKind::bad_data, "the envelope contains a number that is not finite: compute it again");
  }
  state.take(state.feeds.at(feed), chunk);
  state.add_ready(targets);
}

void LiveEnvelopePreparer::finish(std::size_t feed, std::vector<double>& targets) {
  State& state = *state_;
  State::Feed& one = state.feeds.at(feed);
  if (std::exchange(one.ended, true)) return;
  if (one.started) one.resampler.finish(state.room(one, one.resampler.remaining()));
  state.add_ready(targets);
  if (std::ranges::all_of(state.feeds, &State::Feed::ended)) state.targets.finish(targets);
}

void LiveEnvelopePreparer::reset() noexcept {
  state_->targets.reset();
  for (State::Feed& feed : state_->feeds) {
    feed.resampler.reset();
    feed.rows.clear();
    feed.started = feed.ended = false;
  }
}

}  // namespace heed::dsp
