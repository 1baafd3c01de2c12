// SPDX-License-Identifier: MIT
// A session kept as one XDF file, as LabRecorder would write it: EEG, the speakers' sound, who was attended as markers,
// and heed's posteriors, all on the clock of the source. Signals are those the referee placed. A program that is killed
// loses no more than its last window. ThreadedRecorder does all this beside the session.
#pragma once

#include <live/sinks/recorder.h>

#include <filesystem>
#include <memory>

namespace heed::live {

class XdfRecorder final : public Recorder {
 public:
  // Throws cannot_create where the file cannot be made, and invalid_argument for a stream of scores.
  XdfRecorder(const std::filesystem::path& path, const StreamDescription& stream);
  ~XdfRecorder() override;
  XdfRecorder(const XdfRecorder&) = delete;
  XdfRecorder& operator=(const XdfRecorder&) = delete;
  XdfRecorder(XdfRecorder&&) = delete;
  XdfRecorder& operator=(XdfRecorder&&) = delete;

  void eeg_begins(Seconds stamp) override;
  void sound_begins(Index feed, Seconds stamp) override;
  void restarts() override;  // a pause in the file: readers find a new stretch
  void eeg(std::span<const float> samples, Index rows) override;
  void audio(Index feed, std::span<const float> samples) override;
  void envelope(Index feed, std::span<const double> values) override;

  void decided(const Decision& decision) override;
  void finish() override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::live
