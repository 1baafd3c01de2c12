// SPDX-License-Identifier: MIT
// The referee of one stream's time stamps. Samples are counted; a stamp that disagrees with the count is jitter (only
// its mean counts, and how it drifts), a gap (so many samples are missing), a block that came before (left out), or a
// clock that jumped (the count goes on). docs/live.md, clock, has the rules.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>
#include <heed/live/session.h>

#include <optional>

namespace heed::live {

class Referee {
 public:
  Referee(Hertz rate, const ClockOptions& options) : rate_(rate), options_(options), since_jump_(settled) {}

  // What is to be done with a block before its rows are used.
  struct Verdict {
    Index missing = 0;     // rows to fill in before it
    Index skipped = 0;     // rows at its beginning that came before
    bool restart = false;  // the pause was too long to fill in: everything begins anew with this block
  };

  // A block of so many rows, stamped and arrived then. Counts what was done.
  [[nodiscard]] Verdict judge(std::optional<Seconds> stamp, Index rows, Seconds now, ClockCounts& counts) noexcept;

  // The clock of another stream jumped by so much: that of this one may have, too, as they do on one machine. What that
  // stream, and no other, learns later about the same jump holds for both.
  void witness(const Referee& other, Seconds jump) noexcept;

  // Samples of sound, or parts of one, were repeated (positive) or left out (negative) to keep up with the EEG.
  void shift(double samples) noexcept {
    shifted_ += samples;
    late_ -= samples / rate_.value;
  }
  // The first samples do not matter any more: the count begins behind them, and what the stamps have said of lateness
  // and jumps is settled by the stamp of the first sample that is left.
  void forget(Index samples) noexcept;
  void reset() noexcept;

  [[nodiscard]] bool started() const noexcept { return started_; }
  [[nodiscard]] Hertz rate() const noexcept { return rate_; }
  [[nodiscard]] Seconds origin() const noexcept { return origin_; }  // stamp of the first sample
  [[nodiscard]] Index count() const noexcept { return count_; }      // samples since, without those that were shifted
  // How much later than by the count a sample was taken, by the stamps' own clock; jumps of that clock left out.
  [[nodiscard]] Seconds lateness() const noexcept { return {late_}; }
  // What the clock jumped by, all together: stamps are so much ahead of origin() + count() / rate().
  [[nodiscard]] Seconds jumped() const noexcept { return {jumped_}; }
  [[nodiscard]] double drift_ppm() const noexcept { return drift_ * 1e6; }
  // Whether blocks arrive as they are recorded: a file that is sent at once says nothing about time.
  [[nodiscard]] bool is_real_time() const noexcept;

 private:
  static constexpr Index settled = 20;

  [[nodiscard]] double expected() const noexcept;
  void follow(double error, Index rows) noexcept;
  [[nodiscard]] Verdict gap(double length, ClockCounts& counts) noexcept;
  [[nodiscard]] Verdict ahead(double error, Index rows, Seconds now, ClockCounts& counts) noexcept;
  [[nodiscard]] Verdict behind(double stamp, double error, Index rows, Seconds now, ClockCounts& counts) noexcept;
  [[nodiscard]] Verdict without_doubted(const Verdict& verdict, Index rows) noexcept;
  [[nodiscard]] bool is_copy(double stamp, double error, Index rows, Seconds now) const noexcept;
  [[nodiscard]] bool is_witnessed(double error, Seconds now) const noexcept;
  [[nodiscard]] bool was_lost(double error, double left_out) const noexcept;
  [[nodiscard]] double late_after(double delay, Seconds now) const noexcept;
  [[nodiscard]] double pause_at_jump(Seconds now, Index rows) const noexcept;

  Hertz rate_;
  ClockOptions options_;
  bool started_ = false;
  Seconds origin_{};
  Index count_ = 0;
  double shifted_ = 0;
  Index blocks_ = 0;
  double late_ = 0;    // estimate, seconds
  double drift_ = 0;   // of it, per second
  double jumped_ = 0;  // seconds
  Seconds first_arrival_{};
  Seconds last_arrival_{};
  double last_delay_ = 0;
  double unsteady_ = 0;  // s: by how much the delay changed from block to block of late
  std::optional<double> last_stamp_{};
  std::optional<double> taken_stamp_{};  // of the last block that was not left out
  double witnessed_ = 0;                 // s, since the last block
  const Referee* witnessed_of_ = nullptr;
  const Referee* leader_ = nullptr;  // of the last jump; nullptr: this stream's own
  double least_delay_ = 0;           // from a block's stamp to its arrival, jumps of the clock left out
  Index since_jump_;                 // blocks, in which the jump itself is measured better
  // Blocks from the past: those that follow show whether they were copies or the clock was set back.
  std::optional<double> suspect_next_{};
  Index suspect_rows_ = 0;
  int suspects_ = 0;
  std::optional<Index> overtaken_{};  // the count, when a stamp last went on, but not as fast
  Index doubted_ = 0;                 // rows that are still to be missing
};

}  // namespace heed::live
