// SPDX-License-Identifier: MIT
// Records a session on a thread of its own: signals and decisions are copied into a queue of bytes whose size is fixed
// before the first sample, so that no disk, however slow, delays a decision. Where the queue is full, what comes is
// left out and counted; the recording then has so many samples of nothing in its place and stays aligned.
#pragma once

#include <heed/live/session.h>
#include <live/connections/failure.h>
#include <live/sinks/recorder.h>

#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

namespace heed::live {

class ThreadedRecorder final : public Recorder {
 public:
  // `room`: how much of the stream's signals waits at most.
  ThreadedRecorder(std::unique_ptr<Recorder> recorder, const StreamDescription& stream, Seconds room = {30});
  ~ThreadedRecorder() override;
  ThreadedRecorder(const ThreadedRecorder&) = delete;
  ThreadedRecorder& operator=(const ThreadedRecorder&) = delete;
  ThreadedRecorder(ThreadedRecorder&&) = delete;
  ThreadedRecorder& operator=(ThreadedRecorder&&) = delete;

  void eeg_begins(Seconds stamp) override;
  void sound_begins(Index feed, Seconds stamp) override;
  void restarts() override;
  void eeg(std::span<const float> samples, Index rows) override;
  void audio(Index feed, std::span<const float> samples) override;
  void envelope(Index feed, std::span<const double> values) override;
  void attended(Seconds stamp, Speaker speaker) override;
  void decided(const Decision& decision) override;
  // Waits until all is written. Throws what writing threw.
  void finish() override;
  [[nodiscard]] SinkCounts counts() const noexcept override;

 private:
  enum class Kind { eeg_begins, sound_begins, restarts, eeg, audio, envelope, attended, decided };
  // What precedes the bytes of a piece.
  struct Heading {
    Kind kind = Kind::restarts;
    Index feed = 0;
    Index rows = 0;
    Index lost = 0;  // rows of the same signal that were left out before it
    Seconds stamp{};
    Speaker speaker = unknown_speaker;
    Decision decision{};    // without its views
    std::size_t bytes = 0;  // that follow: numbers
    std::size_t text = 0;   // and then so many characters of a trial's name
  };

  [[nodiscard]] bool put(const Heading& heading, std::span<const std::byte> bytes, std::string_view text = {});
  void put_signal(Heading heading, std::span<const std::byte> bytes, Index& lost);
  void copy_in(std::span<const std::byte> bytes);
  void copy_out(std::span<std::byte> bytes);
  [[nodiscard]] bool take(Heading& heading, std::vector<std::byte>& bytes);
  void write(const Heading& heading, std::span<const std::byte> bytes);
  void write_lost(const Heading& heading);
  void end();

  std::unique_ptr<Recorder> recorder_;
  std::size_t channels_;
  bool waits_;  // a recording at full speed waits for the disk

  mutable std::mutex mutex_;
  std::condition_variable filled_;
  std::condition_variable room_;
  std::vector<std::byte> ring_;
  std::size_t first_ = 0;
  std::size_t used_ = 0;
  Index dropped_ = 0;
  bool closed_ = false;
  bool broken_ = false;

  Index lost_eeg_ = 0;
  std::vector<Index> lost_sound_;      // [feed]
  std::vector<float> nothing_{};       // of the thread
  std::vector<double> no_envelope_{};  // likewise
  std::optional<Failure> failure_{};
  std::thread thread_{};
};

// A recording at `path`, written by a thread of its own: an XDF file where the name ends in .xdf, else a BIDS folder.
// Throws as XdfRecorder or SessionRecorder do.
[[nodiscard]] std::unique_ptr<Recorder> open_recorder(const std::filesystem::path& path, const SinkRequest& decisions);

}  // namespace heed::live
