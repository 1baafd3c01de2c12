// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/evaluate/switch_metric.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace heed::evaluate {
namespace {

// Windows [first, end) between two true switches. The first block begins with the trial.
struct Block {
  Index first;
  Index end;
  Speaker attended;
};

void check(const Path& decisions, const AttentionTrack& attention) {
  const std::size_t windows = decisions.states.size();
  if (attention.attended.size() != windows) {
    throw Error(ErrorKind::bad_data, std::to_string(windows) + " decisions, but " +
                                         std::to_string(attention.attended.size()) +
                                         " labels of attention; give one label (or n/a) per window");
  }
  for (const Seconds length : {decisions.window, decisions.hop}) {
    if (length.value > 0 && std::isfinite(length.value)) continue;
    throw Error(ErrorKind::invalid_argument,
                "a window of " + data::shown(length.value) + " s cannot be evaluated; give a positive length");
  }
  for (std::size_t t = 0; t < windows; ++t) {
    if (decisions.states[t] < 0 || attention.attended[t] < unknown_speaker) {
      throw Error(ErrorKind::bad_data, "window " + std::to_string(t + 1) + ": decision " +
                                           std::to_string(decisions.states[t]) + ", attended " +
                                           std::to_string(attention.attended[t]) +
                                           "; a decision is a speaker's column, and so is a label unless unknown");
    }
  }
}

std::vector<Block> blocks_of(const std::vector<Speaker>& attended) {
  std::vector<Block> blocks;
  const Index windows = std::ssize(attended);
  for (Index t = 0; t < windows; ++t) {
    const Speaker label = attended[static_cast<std::size_t>(t)];
    if (label == unknown_speaker || (!blocks.empty() && blocks.back().attended == label)) continue;
    if (!blocks.empty()) blocks.back().end = t;
    blocks.push_back({blocks.empty() ? 0 : t, windows, label});
  }
  return blocks;
}

SwitchOutcome judge_switch(const Path& decisions, const Block& previous, const Block& block) {
  const auto begin = decisions.states.begin();
  const auto hit = std::find(begin + block.first, begin + block.end, block.attended) - begin;
  const auto lasting = [&](Index windows) { return static_cast<double>(windows) * decisions.hop; };

  SwitchOutcome outcome;
  outcome.at = block.first;
  outcome.end = block.end;
  outcome.attended = block.attended;
  outcome.first_hit_time = lasting(hit - block.first);  // a miss searched to the end: b - a
  outcome.signed_time = outcome.first_hit_time;
  if (hit < block.end) {
    // Only a hit at a itself has a run behind it: before a later one the decision was another.
    Index detected = hit;
    while (detected > previous.first && begin[detected - 1] == block.attended) --detected;
    outcome.detected = detected;
    outcome.signed_time = lasting(detected - block.first);
  }
  outcome.time = Seconds{std::abs(outcome.signed_time.value)};
  return outcome;
}

Index count_false_switches(const Path& decisions, const AttentionTrack& attention,
                           const std::vector<SwitchOutcome>& switches) {
  const auto counted_change = [&](std::size_t t) {
    return t > 0 && decisions.states[t] != decisions.states[t - 1] && attention.attended[t] != unknown_speaker;
  };
  Index count = 0;
  for (std::size_t t = 0; t < decisions.states.size(); ++t) count += counted_change(t) ? 1 : 0;
  // No two switches share a d: they lead to different speakers, or their ranges do not meet.
  for (const SwitchOutcome& outcome : switches) {
    if (outcome.detected && counted_change(static_cast<std::size_t>(*outcome.detected))) --count;
  }
  return count;
}

}  // namespace

TrialMetrics measure_trial(const Path& decisions, const AttentionTrack& attention) {
  check(decisions, attention);
  TrialMetrics metrics;
  metrics.window = decisions.window;
  metrics.hop = decisions.hop;
  const std::vector<Block> blocks = blocks_of(attention.attended);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const Block& block = blocks[k];
    Index steady_from = block.first;
    if (k > 0) {
      metrics.switches.push_back(judge_switch(decisions, blocks[k - 1], block));
      steady_from = std::max(block.first, metrics.switches.back().detected.value_or(block.first));
    }
    for (Index t = block.first; t < block.end; ++t) {
      const auto window = static_cast<std::size_t>(t);
      if (attention.attended[window] == unknown_speaker) continue;
      const Index steady = t >= steady_from ? 1 : 0;
      const Index correct = decisions.states[window] == block.attended ? 1 : 0;
      metrics.labelled_windows += 1;
      metrics.labelled_correct += correct;
      metrics.steady_windows += steady;
      metrics.steady_correct += steady * correct;
    }
  }
  metrics.false_switches = count_false_switches(decisions, attention, metrics.switches);
  metrics.labelled = static_cast<double>(metrics.labelled_windows) * metrics.hop;
  return metrics;
}

}  // namespace heed::evaluate
