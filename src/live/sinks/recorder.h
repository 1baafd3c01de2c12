// SPDX-License-Identifier: MIT
// A session kept as a run of a BIDS folder while it goes on: EEG as BrainVision, sound as WAV of 32 bit floats,
// envelopes as tables, events that say when each speaker's sound began and who was attended as far as that was told,
// and among the derivatives the table of posteriors. Signals are those the referee placed, so the run decodes to the
// session's posteriors. What was written is there at every moment: a program that is killed loses no more than its last
// window. ThreadedRecorder does all this beside the session.
#pragma once

#include <heed/live/session.h>
#include <live/sinks/open_sink.h>

#include <filesystem>
#include <memory>

namespace heed::live {

// What keeps a session: its signals, and what was decided.
class Recorder : public SignalTap, public Sink {};

class SessionRecorder final : public Recorder {
 public:
  // `decisions` says what the table of posteriors is like; its address is not looked at. Throws cannot_create where the
  // folder cannot be made.
  SessionRecorder(std::filesystem::path folder, SinkRequest decisions);
  ~SessionRecorder() override;
  SessionRecorder(const SessionRecorder&) = delete;
  SessionRecorder& operator=(const SessionRecorder&) = delete;
  SessionRecorder(SessionRecorder&&) = delete;
  SessionRecorder& operator=(SessionRecorder&&) = delete;

  void eeg_begins(Seconds stamp) override;
  void sound_begins(Index feed, Seconds stamp) override;
  void restarts() override;  // the next run of the folder
  void eeg(std::span<const float> samples, Index rows) override;
  void audio(Index feed, std::span<const float> samples) override;
  void envelope(Index feed, std::span<const double> values) override;
  void attended(Seconds stamp, Speaker speaker) override;

  // After each window the tables are brought up to date.
  void decided(const Decision& decision) override;
  void finish() override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::live
