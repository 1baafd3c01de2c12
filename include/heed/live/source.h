// SPDX-License-Identifier: MIT
// Where blocks come from: a recording, the simulator, a socket. A source is opened by its address (docs/live.md lists
// them); whoever has signals of another kind derives from it, or feeds a Session directly.
#pragma once

#include <heed/live/stream.h>

namespace heed::live {

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
