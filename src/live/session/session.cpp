// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/decode/score.h>
#include <heed/live/session.h>
#include <live/adaptive_start.h>
#include <live/clock/referee.h>
#include <live/session/attention_marks.h>
#include <live/session/described_windows.h>
#include <live/session/signal_path.h>
#include <live/session/window_tracker.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace heed::live {

class Parameters {
 public:
  Parameters(WindowTracker made_tracker, Steering made_steering, std::optional<TrainedScorer> made_scorer)
      : tracker(std::move(made_tracker)), steering(std::move(made_steering)), scorer(std::move(made_scorer)) {}
  WindowTracker tracker;
  Steering steering;
  std::optional<TrainedScorer> scorer;  // that ends a calibration
};

void ParametersDeleter::operator()(Parameters* parameters) const noexcept { delete parameters; }

Seconds StageDelays::until_decision() const noexcept { return std::max(eeg + lags, sound); }

namespace {

constexpr Hertz usual_rate{64};

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

void check_arrival(Seconds now) {
  if (!std::isfinite(now.value)) refuse("the time of arrival is not a finite number");
}

std::optional<SignalPath> path_of(const StreamDescription& stream, const SessionOptions& options) {
  if (stream.content != StreamContent::signals) return std::nullopt;
  if (!options.decoder && !options.calibration && !options.adaptive) {
    refuse("EEG and sound need a decoder; train one, or send scores");
  }
  if (options.adaptive && (options.tracking.model || options.tracking.adaptation)) {
    refuse("a decoder that learns while it listens knows what its scores mean; leave the tracking model out");
  }
  return std::optional<SignalPath>(std::in_place, stream, options);
}

}  // namespace

struct Session::State {
  State(const StreamDescription& described, const SessionOptions& options)
      : stream(described),
        windows(windows_of(described, options)),
        type(type_of(described, options)),
        content(tracked_content(described, options)),
        adaptive(options.adaptive),
        path(path_of(described, options)),
        windows_clock({1 / windows.hop.value}, clock_of_windows(options.clock, windows.hop)),
        marks(path ? path->rate() : usual_rate, windows.window, windows.hop),
        parameters(make(options.tracking, options.steering, nullptr)) {
    notes = parameters->tracker.notes();
    delays = path ? path->delays() : StageDelays{.window = windows.window};
    scores.reserve(64 * described.speakers.size());
    missing.assign(described.speakers.size(), std::numeric_limits<double>::quiet_NaN());
    trial.reserve(256);
  }
  ~State() {
    delete pending.load();
    delete retired.load();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  State(State&&) = delete;
  State& operator=(State&&) = delete;

  [[nodiscard]] ParametersPointer make(const TrackingOptions& tracking, const SteeringOptions& steering,
                                       const Decoder* decoder) const {
    const auto speakers = std::ssize(stream.speakers);
    std::optional<TrainedScorer> scorer;
    if (decoder != nullptr) {
      if (!path) refuse("a stream of scores needs no decoder");
      scorer = path->trained(*decoder);
    }
    return ParametersPointer(
        new Parameters(WindowTracker(tracking, {speakers, windows.window, windows.hop, content, type}),
                       Steering(speakers, pace_of(windows), steering), std::move(scorer)));
  }

  // Between two windows. What was used before waits for the next offer, whose thread frees it.
  void take_up_offer() {
    Parameters* fresh = pending.exchange(nullptr, std::memory_order_acq_rel);
    if (fresh == nullptr) return;
    if (fresh->scorer) path->adopt(*fresh->scorer);
    fresh->tracker.resume(parameters->tracker);
    parameters->steering.adopt(fresh->steering);
    std::swap(fresh->steering, parameters->steering);
    Parameters* old = parameters.release();
    parameters.reset(fresh);
    Parameters* nobody = nullptr;
    if (!retired.compare_exchange_strong(nobody, old, std::memory_order_acq_rel)) delete old;
  }

  [[nodiscard]] bool learns() const noexcept { return path && path->scorer().learning() != nullptr; }

  // tracked: the scores themselves, or the log-likelihoods of a decoder that learns.
  void decide(std::span<const double> row, std::span<const double> tracked, Seconds now, Sink& sink) {
    WindowTracker& tracker = parameters->tracker;
    const Speaker before = tracker.decision();
    const WindowTracker::Result result = tracker.step(std::isnan(row.front()) ? missing : tracked);
    Steering& steering = parameters->steering;
    const bool known = steering.standing() == Standing::tracking;
    const auto learnt = learns() ? std::optional(path->scorer().learning()->learnt()) : std::nullopt;
    const bool learning = learnt && learnt->learning;
    const bool calibrating = learning || (path && path->is_calibrating());
    if (calibrating) {
      steering.calibrating(now, learning ? Standing::learning : Standing::calibrating);
    } else {
      steering.decided(tracker.posterior(), result.held, now);
    }
    counts.calibrating += calibrating ? 1 : 0;
    counts.held += result.held && !calibrating ? 1 : 0;
    counts.refused += result.refused ? 1 : 0;
    counts.switches += next_window > 0 && tracker.decision() != before ? 1 : 0;
    counts.relaxations += known && steering.standing() == Standing::unknown ? 1 : 0;
    ++counts.windows;
    const Seconds onset = trial_onset() + (static_cast<double>(next_window) * windows.hop);
    sink.decided({.window = next_window,
                  .trial_number = trial_number,
                  .trial = trial,
                  .onset = onset,
                  .end = onset + windows.window + clock_offset(),
                  .scores = row,
                  .log_likelihoods = tracker.log_likelihoods(),
                  .posterior = tracker.posterior(),
                  .decision = tracker.decision(),
                  .hindsight = tracker.hindsight(),
                  .attended = marks.label(trial_onset(), next_window),
                  .held = result.held,
                  .gains = steering.gains(),
                  .standing = steering.standing(),
                  .own_share = learnt ? std::optional(1 - learnt->population_share) : std::nullopt,
                  .gave_up = learnt && learnt->guarded});
    ++next_window;
  }

  void decide_all(Seconds now, Sink& sink) {
    const std::size_t speakers = stream.speakers.size();
    const std::span<const double> tracked = learns() ? path->scorer().log_likelihoods() : scores;
    for (std::size_t k = 0; k < scores.size(); k += speakers) {
      decide(std::span<const double>(scores).subspan(k, speakers), tracked.subspan(k, speakers), now, sink);
    }
    scores.clear();
    if (path) path->scorer().take_log_likelihoods();
    if (path) counts.clock = path->counts();
  }

  [[nodiscard]] Seconds trial_onset() const noexcept {
    if (path) return path->onset().value_or(Seconds{0});
    return windows_clock.origin() - windows.window;
  }
  [[nodiscard]] Seconds clock_offset() const noexcept {
    return path ? path->clock_offset() : windows_clock.lateness() + windows_clock.jumped();
  }

  [[nodiscard]] Referee::Verdict judge_windows(const Block& block, Seconds now) {
    const auto stamp = windows_clock.started() ? block.stamp : std::optional(block.stamp.value_or(windows.window));
    return windows_clock.judge(stamp, block.rows, now, counts.clock);
  }

  void push_windows(const Block& block, Seconds now, Sink& sink) {
    Referee::Verdict verdict = judge_windows(block, now);
    if (verdict.restart) {
      windows_clock.reset();
      verdict = judge_windows(block, now);
      begin_anew(block.stamp.value_or(now));
    }
    for (Index k = 0; k < verdict.missing; ++k) decide(missing, missing, now, sink);
    const std::size_t speakers = stream.speakers.size();
    for (Index k = verdict.skipped; k < block.rows; ++k) {
      const auto row = std::span(block.values).subspan(static_cast<std::size_t>(k) * speakers, speakers);
      decide(row, row, now, sink);
    }
  }

  void tell(Seconds stamp, Speaker speaker) {
    marks.mark(stamp, speaker);
    if (path) path->tell(stamp, speaker);
  }

  void begin_windows() {
    trial_number += next_window > 0 ? 1 : 0;
    next_window = 0;
    marks.clear();
    parameters->tracker.reset();
  }

  void begin_trial(const Block& block) {
    if (path) {
      path->begin(block.stamp);
    } else {
      windows_clock.reset();
    }
    trial.assign(block.text);
    begin_windows();
  }

  // After a pause too long to fill in, at `stamp`: the trial goes on as another one of its name. What was told of
  // attention holds.
  void begin_anew(Seconds stamp) {
    const std::optional<Speaker> told = marks.last();
    begin_windows();
    if (told) tell(stamp, *told);
  }

  void check(const Block& block) const;

  StreamDescription stream;
  decode::WindowLayout windows;
  ScoreType type;
  StreamContent content;  // of what is tracked
  std::optional<AdaptiveSession> adaptive;
  std::optional<SignalPath> path;
  Referee windows_clock;
  AttentionMarks marks;
  ParametersPointer parameters;
  std::atomic<Parameters*> pending{nullptr};
  std::atomic<Parameters*> retired{nullptr};
  StageDelays delays{};
  SessionCounts counts{};
  Notes notes{};
  std::vector<double> scores{};
  std::vector<double> missing{};
  std::string trial{};
  Index trial_number = 0;
  Index next_window = 0;
};

void Session::State::check(const Block& block) const {
  const auto rows = static_cast<std::size_t>(std::max<Index>(0, block.rows));
  const auto wants = [&](std::size_t given, std::size_t columns, const char* kind) {
    if (block.rows >= 0 && given == rows * columns) return;
    refuse("a block of " + std::to_string(block.rows) + " rows of " + kind + " has " + std::to_string(given) +
           " numbers, not " + std::to_string(rows * columns));
  };
  const auto is = [&](StreamContent wanted, const char* kind) {
    if (stream.content != wanted) refuse(std::string("a block of ") + kind + " in a stream that holds none");
  };
  const auto has_feed = [&] {
    if (block.feed < 0 || block.feed >= std::ssize(stream.feeds)) {
      refuse("there is no sound feed " + std::to_string(block.feed));
    }
  };
  constexpr Seconds latest{1e12};  // to which a sample can be counted
  if (block.stamp && !(std::abs(block.stamp->value) <= latest.value)) {
    refuse("a time stamp is not a number of seconds up to 1e12");
  }
  switch (block.kind) {
    case BlockKind::eeg:
      is(StreamContent::signals, "EEG");
      return wants(block.samples.size(), stream.channels.size(), "EEG");
    case BlockKind::sound: {
      is(StreamContent::signals, "sound");
      has_feed();
      const bool audio = stream.feeds[static_cast<std::size_t>(block.feed)].kind == FeedKind::audio;
      return wants(audio ? block.samples.size() : block.values.size(), 1, audio ? "audio" : "an envelope");
    }
    case BlockKind::scores:
      is(StreamContent::scores, "scores");
      return wants(block.values.size(), stream.speakers.size(), "scores");
    case BlockKind::log_likelihoods:
      is(StreamContent::log_likelihoods, "log-likelihoods");
      return wants(block.values.size(), stream.speakers.size(), "log-likelihoods");
    case BlockKind::feed_end:
      is(StreamContent::signals, "sound");
      return has_feed();
    case BlockKind::attended:
      if (block.speaker >= unknown_speaker && block.speaker < std::ssize(stream.speakers)) return;
      refuse("there is no speaker " + std::to_string(block.speaker));
    case BlockKind::marker:
    case BlockKind::trial:
    case BlockKind::trial_end:
    case BlockKind::end:
      return;
  }
}

Session::Session(const StreamDescription& stream, const SessionOptions& options)
    : state_(std::make_unique<State>(stream, options)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

void Session::push(const Block& block, Seconds now, Sink& sink) {
  State& state = *state_;
  check_arrival(now);
  state.check(block);
  state.take_up_offer();
  // Sound without EEG decides nothing: the watchdog must not take it for input.
  if (block.kind != BlockKind::sound) state.parameters->steering.heard(now);
  switch (block.kind) {
    case BlockKind::eeg:
      state.path->push_eeg(block, now, state.scores);
      break;
    case BlockKind::sound:
      state.path->push_sound(block, now, state.scores);
      break;
    case BlockKind::feed_end:
      state.path->end_feed(block, now, state.scores);
      break;
    case BlockKind::scores:
    case BlockKind::log_likelihoods:
      return state.push_windows(block, now, sink);
    case BlockKind::attended:
      return state.tell(block.stamp.value_or(now) - state.clock_offset(), block.speaker);
    case BlockKind::trial:
    case BlockKind::end:
      if (state.path) state.path->finish(now, state.scores);
      state.decide_all(now, sink);
      if (block.kind == BlockKind::trial) state.begin_trial(block);
      return;
    case BlockKind::marker:
      return;
    case BlockKind::trial_end:
      if (state.path && block.stamp) state.path->end_at(*block.stamp);
      return;
  }
  if (state.path->restarted()) state.begin_anew(block.stamp.value_or(now));
  state.decide_all(now, sink);
}

void Session::wait(Seconds now, Sink& sink) {
  check_arrival(now);
  State& state = *state_;
  if (state.path) {
    state.path->wait(now, state.scores);
    state.decide_all(now, sink);
  }
  Steering& steering = state.parameters->steering;
  const bool known = steering.standing() == Standing::tracking;
  if (!steering.wait(now)) return;
  state.counts.relaxations += known ? 1 : 0;
  const Seconds time = state.trial_onset() + (static_cast<double>(state.next_window) * state.windows.hop);
  sink.relaxed({.time = time + state.clock_offset(),
                .posterior = state.parameters->tracker.posterior(),
                .gains = steering.gains(),
                .standing = steering.standing()});
}

ParametersPointer Session::make_parameters(const TrackingOptions& tracking, const SteeringOptions& steering,
                                           const Decoder* decoder) const {
  return state_->make(tracking, steering, decoder);
}

void Session::offer(ParametersPointer parameters) noexcept {
  // In this order: the session then always finds room for what it retires.
  delete state_->retired.exchange(nullptr, std::memory_order_acq_rel);
  // A trained decoder that nobody has taken up yet is not lost to whoever changes something else.
  const ParametersPointer waiting(state_->pending.exchange(nullptr, std::memory_order_acq_rel));
  if (waiting && waiting->scorer && !parameters->scorer) parameters->scorer = std::move(waiting->scorer);
  delete state_->pending.exchange(parameters.release(), std::memory_order_acq_rel);
}

bool Session::is_calibrating() const noexcept { return state_->path && state_->path->is_calibrating(); }

bool Session::has_calibration() const noexcept { return state_->path && state_->path->has_calibration(); }

std::vector<Trial> Session::calibration() const {
  if (!has_calibration()) refuse("too little was heard so far to train a decoder on");
  return state_->path->calibration();
}

std::optional<decode::LearningState> Session::learnt() const {
  if (!state_->learns()) return std::nullopt;
  return state_->path->scorer().learning()->learnt();
}

std::optional<LearntListener> Session::learnt_listener(std::string listener) const {
  const State& state = *state_;
  if (!state.learns()) return std::nullopt;
  LearntListener result =
      live::learnt_listener(*state.adaptive, *state.path->scorer().learning(), state.windows.window);
  result.listener = std::move(listener);
  result.origin = "a live session of " + std::to_string(state.counts.windows) + " windows";
  result.channels = state.path->channels();
  return result;
}

LearntPattern Session::learnt_pattern() const noexcept {
  if (!state_->learns()) return {};
  const Hertz rate = state_->path->rate();
  return {.values = state_->path->scorer().learning()->pattern(),
          .first_lag = {static_cast<double>(state_->adaptive->eeg_lags.first) / rate.value},
          .rate = rate};
}

const std::vector<std::string>& Session::channels() const noexcept {
  return state_->path ? state_->path->channels() : state_->stream.channels;
}

bool Session::has_learning_to_do() const noexcept {
  return state_->learns() && state_->path->scorer().learning()->has_work();
}

void Session::learn() noexcept {
  if (state_->learns()) state_->path->scorer().learning()->compute();
}

void Session::tap(SignalTap* tap) noexcept {
  if (state_->path) state_->path->tap(tap);
}

const StreamDescription& Session::description() const noexcept { return state_->stream; }
Seconds Session::window() const noexcept { return state_->windows.window; }
Seconds Session::hop() const noexcept { return state_->windows.hop; }
const StageDelays& Session::delays() const noexcept { return state_->delays; }
const SessionCounts& Session::counts() const noexcept { return state_->counts; }
const Notes& Session::notes() const noexcept { return state_->notes; }
std::vector<std::string> Session::awaited() const {
  return state_->path ? state_->path->awaited() : std::vector<std::string>{};
}
std::optional<double> Session::switch_probability() const noexcept {
  return state_->parameters->tracker.switch_probability();
}
std::optional<SwitchPosterior> Session::switching() const { return state_->parameters->tracker.switching(); }
const Emission& Session::emission() const noexcept { return state_->parameters->tracker.emission(); }

}  // namespace heed::live
