// SPDX-License-Identifier: MIT
// A simulated listener between talkers who talk without end, sent as it is simulated: whoever holds it moves its
// attention, or pulls out the EEG for a while, from any thread.
#pragma once

#include <heed/live/stream.h>
#include <sim/listener_stream.h>
#include <sim/recording_options.h>

#include <atomic>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::live {

// Sound and what it does to the brain, both whole seconds long and played round and round.
struct Talker {
  std::string name{};
  Sound sound{};
  Eigen::VectorXd envelope{};  // at the rate of the EEG; mean 0, standard deviation 1
  Eigen::VectorXd onsets{};    // likewise: what the brain answers to
};

// The simulator's voices, as many as the options have speakers.
[[nodiscard]] std::vector<Talker> simulated_talkers(const sim::RecordingCohortOptions& options, Seconds length);

// One sound file for each of the options' speakers, cut to whole seconds, all at the highest of their rates. Throws
// invalid_argument (another number of files), bad_data (shorter than ten seconds, silent), and as io::read_audio.
[[nodiscard]] std::vector<Talker> talkers_from_files(const sim::RecordingCohortOptions& options,
                                                     std::span<const std::filesystem::path> files);

// Attention that moves by itself, to the next talker in turn, while nobody else moves it.
struct Wandering {
  Seconds every{20};
  Seconds after_choice{60};  // somebody chose a talker: it stays there for so long
};

struct SimulatedListenerOptions {
  std::string name{"simulated:"};
  sim::RecordingCohortOptions cohort{};  // its first participant listens, in a trial after the last
  std::optional<Seconds> duration{};     // nothing: without end
  Seconds block{0.05};                   // how much of a signal comes at once
  std::optional<Wandering> wandering{};  // nothing: attention stays until somebody moves it
};

class SimulatedListener final : public Source {
 public:
  // Begins with the first talker attended. Throws as simulated_talkers and ListenerStream.
  SimulatedListener(SimulatedListenerOptions options, std::vector<Talker> talkers);

  // From the next block on. For any thread.
  void attend(Speaker speaker) noexcept {
    attended_ = speaker;
    chosen_ = true;
  }
  // No EEG comes for so long, while the sound goes on. For any thread.
  void lose_eeg(Seconds length) noexcept { wanted_loss_ = length.value; }
  // Nothing comes any more. For any thread.
  void end() noexcept { ended_ = true; }

  [[nodiscard]] const StreamDescription& description() const override { return description_; }
  Arrival next(Block& block, Seconds patience) override;
  [[nodiscard]] bool is_stored() const noexcept override { return true; }

 private:
  [[nodiscard]] Index samples_until(Index step, Hertz rate) const noexcept;
  void begin_step();
  void wander(Seconds now);
  void fill_sound(Block& block);
  [[nodiscard]] bool fill_eeg(Block& block);  // false: it is lost

  SimulatedListenerOptions options_;
  std::vector<Talker> talkers_;
  sim::ListenerStream listener_;
  StreamDescription description_{};
  std::atomic<Speaker> attended_ = 0;
  std::atomic<bool> chosen_ = false;     // by somebody, since the last step
  std::atomic<double> wanted_loss_ = 0;  // s; 0: nothing new
  std::atomic<bool> ended_ = false;
  Speaker told_ = unknown_speaker;  // who is attended, as the stream says
  Index step_ = 0;                  // of a block's length, from the beginning
  std::size_t next_ = 0;            // in this step: talkers' sound, then EEG
  Seconds lost_until_{};
  Seconds stays_until_{};
};

}  // namespace heed::live
