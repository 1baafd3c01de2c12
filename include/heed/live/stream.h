// SPDX-License-Identifier: MIT
// What comes into a live session: first the description of the stream, then blocks in the order in which they arrive.
// Sources make both, a Session takes both, and neither knows a socket, a file or a clock of the other.
#pragma once

#include <heed/data/series.h>
#include <heed/data/units.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::live {

enum class StreamContent {
  signals,          // EEG and the sound of every speaker: a decoder makes the scores
  scores,           // of somebody else's decoder, one row per window
  log_likelihoods,  // likewise, natural logarithms
};

enum class FeedKind {
  audio,     // samples of sound, full scale 1
  envelope,  // of its power, before any band-pass: one number per sample
};

// One signal of a speaker's sound. Most speakers have one; the envelopes of several are added.
struct SoundFeed {
  Speaker speaker = 0;
  FeedKind kind = FeedKind::audio;
  Hertz sampling_frequency{};
  friend bool operator==(const SoundFeed&, const SoundFeed&) = default;
};

struct StreamDescription {
  std::string name{};  // for messages: replay:data, tcp://127.0.0.1:5000
  StreamContent content = StreamContent::signals;
  std::vector<std::string> speakers{};
  // Of scores and log-likelihoods; of signals the session decides, and this is what the source suggests.
  Seconds window{1};
  std::optional<Seconds> hop{};  // from one window to the next where they overlap; nothing: the window's length
  // Of signals.
  Hertz sampling_frequency{};           // of the EEG, nominal
  std::vector<std::string> channels{};  // columns of EEG blocks: EEG, and channels that only the reference needs
  std::vector<std::string> bad{};       // of these; treated as the decoder's preprocessing says
  std::string unit{"uV"};               // of the EEG
  std::vector<SoundFeed> feeds{};       // at least one per speaker
  bool stored = false;                  // sent from storage, as fast as it is asked for: nothing is late
  // What is known beforehand, so that a table can have its columns from the first row on.
  bool named_trials = false;
  bool labelled = false;  // attention is told in some windows
  friend bool operator==(const StreamDescription&, const StreamDescription&) = default;
};

enum class BlockKind {
  eeg,              // samples: rows x channels; NaN where nothing was recorded
  sound,            // of Block::feed. Audio: samples; an envelope: values
  scores,           // values: rows x speakers, one row per window; NaN is a missing window
  log_likelihoods,  // likewise
  attended,         // from `stamp` on Block::speaker is attended, as somebody said; unknown_speaker: nobody knows
  trial,            // a trial called Block::text begins at `stamp`: chain, filters and clock start anew
  marker,           // Block::text was sent at `stamp`; sound files may be started by it, a session passes it over
  trial_end,        // what lies at `stamp` or after it is for the run-out of filters only
  feed_end,         // Block::feed says no more; its `rows` rows at the decoder's rate are all that count (0: all)
  end,              // of the stream
};

// Storage is kept from block to block: a source that fills the same block again does not allocate.
struct Block {
  BlockKind kind = BlockKind::end;
  // Of the first row of signals, on the source's clock; of the end of the first window for scores. Nothing: it follows
  // what came before without a gap.
  std::optional<Seconds> stamp{};
  Index rows = 0;
  Index feed = 0;                     // of StreamDescription::feeds
  Speaker speaker = unknown_speaker;  // of attended
  std::vector<float> samples{};       // row-major
  std::vector<double> values{};       // row-major
  std::string text{};                 // a trial's name, a marker's text
};

// Where blocks come from: a recording, the simulator, a socket. A source is opened by its address (docs/live.md lists
// them); whoever has signals of another kind derives from it, or feeds a Session directly.

enum class Arrival {
  block,    // one was filled in
  nothing,  // none came in time; ask again
  ended,    // none will come
};

// What an edge had to do with what came in, beside the clock's own counts.
struct SourceCounts {
  Index dropped = 0;         // blocks that a full queue lost, the oldest first
  Index refused = 0;         // pieces that could not be read, and were passed over
  Index reconnects = 0;      // times a connection was opened again
  Index out_of_range = 0;    // rows of which the device itself said so; handed on as missing
  bool battery_low = false;  // as the device said
  friend bool operator==(const SourceCounts&, const SourceCounts&) = default;
};

class Source {
 public:
  Source() = default;
  virtual ~Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  Source(Source&&) = delete;
  Source& operator=(Source&&) = delete;

  // Known once the source is open, and the same for all its blocks.
  [[nodiscard]] virtual const StreamDescription& description() const = 0;
  // Waits at most so long for the next block. Throws bad_data or io where the stream cannot go on.
  virtual Arrival next(Block& block, Seconds patience) = 0;
  // Whether blocks are there before their time, so that whoever asks sets the pace by their stamps: recordings and
  // simulations. Others come when they come.
  [[nodiscard]] virtual bool is_stored() const noexcept { return false; }
  [[nodiscard]] virtual SourceCounts counts() const noexcept { return {}; }
};

}  // namespace heed::live
