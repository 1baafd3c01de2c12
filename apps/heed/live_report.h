// SPDX-License-Identifier: MIT
// What `heed live` shows: a line of state on a terminal, the plan of a dry run, and at the end a summary or JSON.
#pragma once

#include <heed/live/session.h>
#include <heed/live/stream.h>
#include <live/run.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace heed::app {

// One line that is written over and over: who, how sure, gains, rate, gaps, latency.
class StateLine final : public live::Sink {
 public:
  // Both must outlive it; `report` is filled while the session runs.
  StateLine(const live::Session& session, const live::RunReport& report) : session_(session), report_(report) {}
  ~StateLine() override { end_line(); }
  StateLine(const StateLine&) = delete;
  StateLine& operator=(const StateLine&) = delete;

  void decided(const live::Decision& decision) override;
  void relaxed(const live::Relaxation& relaxation) override;
  void finish() override { end_line(); }  // what is told afterwards begins on a line of its own

 private:
  void end_line();
  void show(Seconds time, const std::string& who, std::span<const double> gains, live::Standing standing);
  [[nodiscard]] std::string rate();

  const live::Session& session_;
  const live::RunReport& report_;
  std::chrono::steady_clock::time_point measured_{};
  Index rows_ = 0;
  std::string rate_{};
  bool shown_ = false;
};

struct LiveOutcome {
  const live::Session& session;
  const live::RunReport& report;
  live::SourceCounts source;
  live::SinkCounts sinks;
  const Notes& notes;
  std::string failure;  // why it ended, or what could not be kept; empty: all is well
};
// Why nothing was decided by the end; nothing: something was. `marker` is the one that starts sound files, if any.
[[nodiscard]] std::optional<Note> why_undecided(const live::Session& session, const std::string& marker);

void print_live_json(const LiveOutcome& outcome);
void print_live_summary(const LiveOutcome& outcome);

struct LivePlan {
  const live::Session& session;
  const Decoder* decoder = nullptr;  // nothing: trained in the session, or none is needed
  std::vector<std::string> outputs{};
  std::string record{};
  std::string tracking{};  // file of the model; empty: adapted
  std::optional<Seconds> calibration{};
  std::string start{};  // of a decoder that learns while it listens, in words; empty: another decoder
  std::string kept{};   // file of what is learnt; empty: not kept
  std::string osc_input{};
  bool page = false;
  const Notes& notes;
};
void print_live_plan(const LivePlan& plan, bool json);

}  // namespace heed::app
