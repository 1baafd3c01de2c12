// SPDX-License-Identifier: MIT
// A run that is there already, sent as if it were recorded now: trials with what lies around them, EEG and sound side
// by side in time, attention as the events tell it. Recordings and simulations are both replayed this way.
#pragma once

#include <heed/data/preprocessing.h>
#include <heed/decode/window_sums.h>
#include <heed/live/stream.h>
#include <io/bids/events_file.h>
#include <pipeline/preparation/run_signals.h>
#include <pipeline/preparation/speaker_track.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace heed::live {

struct StoredRun {
  std::string name{};
  RecordingHeader header{};
  std::vector<std::string> channels{};  // to be sent, in this order
  std::vector<std::string> bad{};       // of these
  std::vector<io::TrialPlan> trials{};
  // Rows of these channels, from `time` on.
  std::function<SampleMatrix(Seconds time, Index rows)> read{};
  std::shared_ptr<const pipeline::SoundSource> sounds{};
};

struct SourceRequest;
// The run of a BIDS folder that a request for `replay:` is about. Throws as open_source does.
[[nodiscard]] StoredRun replayed_run(const SourceRequest& request);

struct ReplayOptions {
  Hertz rate{64};                           // of the decoder: run-ins are whole rows
  decode::WindowLayout window{Seconds{1}};  // attention is told by windows
  Seconds block{0.05};                      // how much of a signal comes at once
  // Tests cut blocks otherwise: how many rows of stream k (0: EEG, then feeds) come at once, instead of `rows`.
  std::function<Index(std::size_t stream, Index rows)> cut{};
};

class StoredSource final : public Source {
 public:
  // Throws what reading sounds does, and bad_data where trials have other speakers.
  StoredSource(StoredRun run, ReplayOptions options);

  [[nodiscard]] const StreamDescription& description() const override { return description_; }
  Arrival next(Block& block, Seconds patience) override;
  [[nodiscard]] bool is_stored() const noexcept override { return true; }

 private:
  struct Stream {  // of the trial that is being sent; 0: EEG
    Seconds origin{};
    Hertz rate{};
    Index samples = 0;
    Index sent = 0;
    Index rows = 0;  // of a feed, at the decoder's rate
    pipeline::RatedPieces pieces{};
    pipeline::SpeakerTimeline timeline{};
    Matrix envelope{};
    bool ended = false;
    // What was read and not sent yet.
    SampleMatrix buffer{};
    std::vector<float> audio{};
    Index buffered = 0;  // the first sample in it
  };

  void describe();
  void begin_trial();
  void begin_feeds(const io::TrialPlan& trial, Index rows);
  [[nodiscard]] bool next_control(Block& block);
  [[nodiscard]] bool next_samples(Block& block);
  void fill_eeg(Stream& stream, Index count, Block& block) const;
  void fill_feed(Stream& stream, Index count, Block& block);

  StoredRun run_;
  ReplayOptions options_;
  StreamDescription description_{};
  std::size_t trial_ = 0;
  bool begun_ = false;
  std::vector<Block> control_{};  // of the trial, before its samples; the next one last
  std::vector<Stream> streams_{};
};

}  // namespace heed::live
