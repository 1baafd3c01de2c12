// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/score_tables/window_table.h>
#include <io/xdf/xdf_file.h>
#include <live/connections/signals_blocked.h>
#include <live/sinks/threaded_recorder.h>
#include <live/sinks/xdf_recorder.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace heed::live {
namespace {

constexpr std::size_t least_room = std::size_t{1} << 20;
constexpr std::size_t largest_piece = least_room / 4;  // several fit into the smallest queue

std::size_t room_for(const StreamDescription& stream, Seconds room) {
  double bytes_per_second =
      stream.sampling_frequency.value * static_cast<double>(stream.channels.size() * sizeof(float));
  for (const SoundFeed& feed : stream.feeds) {
    bytes_per_second += feed.sampling_frequency.value * static_cast<double>(sizeof(double));
  }
  return least_room + static_cast<std::size_t>(bytes_per_second * room.value);
}

// What was recorded of a listener cannot be recorded again.
void refuse_to_replace(const std::filesystem::path& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none) || std::filesystem::file_size(path, none) == 0) return;
  throw Error(ErrorKind::cannot_create,
              path.string() +
                  ": there is a file of this name, which a recording does not replace; choose another "
                  "name, or remove it");
}

template <typename Number>
std::span<const std::byte> bytes_of(std::span<const Number> numbers) {
  return std::as_bytes(numbers);
}

template <typename Number>
std::span<const Number> numbers_in(std::span<const std::byte> bytes) {
  // Taken out of the queue into storage of its own, which is aligned for any number.
  return {reinterpret_cast<const Number*>(bytes.data()), bytes.size() / sizeof(Number)};  // NOLINT
}

}  // namespace

std::unique_ptr<Recorder> open_recorder(const std::filesystem::path& path, const SinkRequest& decisions) {
  std::string columns;
  io::append_header(columns, {.speakers = decisions.stream.speakers});  // names that tables can hold
  std::unique_ptr<Recorder> recorder;
  if (io::is_xdf_file(path)) {
    refuse_to_replace(path);
    recorder = std::make_unique<XdfRecorder>(path, decisions.stream);
  } else {
    recorder = std::make_unique<SessionRecorder>(path, decisions);
  }
  return std::make_unique<ThreadedRecorder>(std::move(recorder), decisions.stream);
}

ThreadedRecorder::ThreadedRecorder(std::unique_ptr<Recorder> recorder, const StreamDescription& stream, Seconds room)
    : recorder_(std::move(recorder)),
      channels_(stream.channels.size()),
      waits_(stream.stored),
      ring_(room_for(stream, room)),
      lost_sound_(stream.feeds.size()) {
  const SignalsBlocked blocked;
  thread_ = std::thread([this] {
    failure_ = failure_of([this] {
      Heading heading;
      std::vector<std::byte> bytes;
      while (take(heading, bytes)) write(heading, bytes);
      recorder_->finish();
    });
    const std::lock_guard lock(mutex_);
    broken_ = failure_.has_value();
    room_.notify_all();
  });
}

ThreadedRecorder::~ThreadedRecorder() { end(); }

// ---- the session's side ----

void ThreadedRecorder::copy_in(std::span<const std::byte> bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const std::size_t at = (first_ + used_) % ring_.size();
    const std::size_t count = std::min(bytes.size() - done, ring_.size() - at);
    std::memcpy(ring_.data() + at, bytes.data() + done, count);
    done += count;
    used_ += count;
  }
}

bool ThreadedRecorder::put(const Heading& heading, std::span<const std::byte> bytes, std::string_view text) {
  {
    std::unique_lock lock(mutex_);
    const std::size_t size = sizeof heading + bytes.size() + text.size();
    const auto fits = [&] { return broken_ || ring_.size() - used_ >= size; };
    if (waits_) room_.wait(lock, fits);
    if (broken_ || !fits()) {
      ++dropped_;
      return false;
    }
    copy_in(std::as_bytes(std::span(&heading, 1)));
    copy_in(bytes);
    copy_in(std::as_bytes(std::span(text)));
  }
  filled_.notify_one();
  return true;
}

void ThreadedRecorder::put_signal(Heading heading, std::span<const std::byte> bytes, Index& lost) {
  if (heading.rows == 0) return;
  const std::size_t row = bytes.size() / static_cast<std::size_t>(heading.rows);
  const auto most = static_cast<Index>(std::max<std::size_t>(1, largest_piece / row));
  for (Index rest = heading.rows; rest > 0; rest -= heading.rows) {
    heading.rows = std::min(rest, most);
    heading.lost = lost;
    heading.bytes = static_cast<std::size_t>(heading.rows) * row;
    lost = put(heading, bytes.first(heading.bytes)) ? 0 : lost + heading.rows;
    bytes = bytes.subspan(heading.bytes);
  }
}

void ThreadedRecorder::eeg_begins(Seconds stamp) { (void)put({.kind = Kind::eeg_begins, .stamp = stamp}, {}); }

void ThreadedRecorder::sound_begins(Index feed, Seconds stamp) {
  (void)put({.kind = Kind::sound_begins, .feed = feed, .stamp = stamp}, {});
}

void ThreadedRecorder::restarts() {
  lost_eeg_ = 0;
  std::ranges::fill(lost_sound_, 0);
  (void)put({.kind = Kind::restarts}, {});
}

void ThreadedRecorder::eeg(std::span<const float> samples, Index rows) {
  put_signal({.kind = Kind::eeg, .rows = rows}, bytes_of(samples), lost_eeg_);
}

void ThreadedRecorder::audio(Index feed, std::span<const float> samples) {
  put_signal({.kind = Kind::audio, .feed = feed, .rows = std::ssize(samples)}, bytes_of(samples),
             lost_sound_[static_cast<std::size_t>(feed)]);
}

void ThreadedRecorder::envelope(Index feed, std::span<const double> values) {
  put_signal({.kind = Kind::envelope, .feed = feed, .rows = std::ssize(values)}, bytes_of(values),
             lost_sound_[static_cast<std::size_t>(feed)]);
}

void ThreadedRecorder::attended(Seconds stamp, Speaker speaker) {
  (void)put({.kind = Kind::attended, .stamp = stamp, .speaker = speaker}, {});
}

void ThreadedRecorder::decided(const Decision& decision) {
  Heading heading{.kind = Kind::decided, .decision = decision};
  heading.decision.trial = {};
  heading.decision.scores = heading.decision.log_likelihoods = heading.decision.hindsight = {};
  heading.decision.posterior = heading.decision.gains = {};
  heading.bytes = decision.posterior.size_bytes();
  heading.text = decision.trial.size();
  (void)put(heading, bytes_of(decision.posterior), decision.trial);
}

void ThreadedRecorder::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  filled_.notify_one();
  thread_.join();
}

void ThreadedRecorder::finish() {
  end();
  if (const auto failure = std::exchange(failure_, std::nullopt)) throw Error(failure->kind, failure->message);
}

SinkCounts ThreadedRecorder::counts() const noexcept {
  const std::lock_guard lock(mutex_);
  return {.dropped = dropped_, .broken = broken_};
}

// ---- the thread ----

void ThreadedRecorder::copy_out(std::span<std::byte> bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const std::size_t count = std::min(bytes.size() - done, ring_.size() - first_);
    std::memcpy(bytes.data() + done, ring_.data() + first_, count);
    done += count;
    first_ = (first_ + count) % ring_.size();
    used_ -= count;
  }
}

bool ThreadedRecorder::take(Heading& heading, std::vector<std::byte>& bytes) {
  {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return used_ > 0 || closed_; });
    if (used_ == 0) return false;
    copy_out(std::as_writable_bytes(std::span(&heading, 1)));
    bytes.resize(heading.bytes + heading.text);
    copy_out(bytes);
  }
  room_.notify_one();
  return true;
}

void ThreadedRecorder::write_lost(const Heading& heading) {
  constexpr Index at_once = 1024;
  nothing_.assign(static_cast<std::size_t>(at_once) * std::max<std::size_t>(1, channels_),
                  heading.kind == Kind::eeg ? std::numeric_limits<float>::quiet_NaN() : 0.0F);
  no_envelope_.assign(static_cast<std::size_t>(at_once), 0.0);
  for (Index rest = heading.lost; rest > 0; rest -= at_once) {
    const auto rows = static_cast<std::size_t>(std::min(rest, at_once));
    if (heading.kind == Kind::eeg)
      recorder_->eeg(std::span(nothing_).first(rows * channels_), static_cast<Index>(rows));
    if (heading.kind == Kind::audio) recorder_->audio(heading.feed, std::span(nothing_).first(rows));
    if (heading.kind == Kind::envelope) recorder_->envelope(heading.feed, std::span(no_envelope_).first(rows));
  }
}

void ThreadedRecorder::write(const Heading& heading, std::span<const std::byte> bytes) {
  if (heading.lost > 0) write_lost(heading);
  switch (heading.kind) {
    case Kind::eeg_begins:
      return recorder_->eeg_begins(heading.stamp);
    case Kind::sound_begins:
      return recorder_->sound_begins(heading.feed, heading.stamp);
    case Kind::restarts:
      return recorder_->restarts();
    case Kind::eeg:
      return recorder_->eeg(numbers_in<float>(bytes), heading.rows);
    case Kind::audio:
      return recorder_->audio(heading.feed, numbers_in<float>(bytes));
    case Kind::envelope:
      return recorder_->envelope(heading.feed, numbers_in<double>(bytes));
    case Kind::attended:
      return recorder_->attended(heading.stamp, heading.speaker);
    case Kind::decided: {
      Decision decision = heading.decision;
      decision.posterior = numbers_in<double>(bytes.first(heading.bytes));
      decision.trial = {reinterpret_cast<const char*>(bytes.data() + heading.bytes), heading.text};  // NOLINT
      return recorder_->decided(decision);
    }
  }
}

}  // namespace heed::live
