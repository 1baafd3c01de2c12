// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/random.h>
#include <io/tsv.h>
#include <pipeline/artificial_switches.h>
#include <pipeline/trials.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed::pipeline {
namespace {

// Walks through the blocks of one trial as its windows go by.
class Blocks {
 public:
  Blocks(const SwitchInterval& interval, RandomStream& random) : interval_(interval), random_(random), end_(draw()) {}

  // Moves on to the block that holds the end of the window; true if a switch lies inside the window.
  bool advance(Seconds start, Seconds end) {
    constexpr double rounding = 1e-9;
    while (end_.value < end.value - rounding) {
      begin_ = end_;
      end_ = end_ + draw();
      ++block_;
    }
    return begin_.value > start.value + rounding;
  }
  [[nodiscard]] Index block() const noexcept { return block_; }

 private:
  Seconds draw() {
    if (interval_.shortest == interval_.longest) return interval_.shortest;
    return {static_cast<double>(
        random_.integer(std::llround(interval_.shortest.value), std::llround(interval_.longest.value)))};
  }

  SwitchInterval interval_;
  RandomStream& random_;
  Seconds begin_{};
  Seconds end_;
  Index block_ = 0;
};

// Attended first, the others behind it in their order; then everybody `turn` places on.
void rotate_window(std::span<const double> from, std::span<double> to, Speaker attended, Index turn) {
  const std::size_t speakers = from.size();
  auto place = static_cast<std::size_t>(turn);
  to[place++ % speakers] = from[static_cast<std::size_t>(attended)];
  for (std::size_t j = 0; j < speakers; ++j) {
    if (std::cmp_not_equal(j, attended)) to[place++ % speakers] = from[j];
  }
}

// `start`: the column that is attended first.
void make_switches(ScoredTrial& trial, const SwitchInterval& interval, Index start, RandomStream& random) {
  const std::vector<Speaker> attended = known_labels(trial);
  const Matrix recorded = trial.scores.values;
  const bool overlap = trial.scores.hop < trial.scores.window;
  Blocks blocks(interval, random);
  for (Index t = 0; t < recorded.rows(); ++t) {
    const auto index = static_cast<std::size_t>(t);
    const Seconds onset = static_cast<double>(t) * trial.scores.hop;
    const bool straddles = blocks.advance(onset, onset + trial.scores.window);
    const Index turn = start + blocks.block();
    rotate_window(data::view(recorded).row(t), data::view(trial.scores.values).row(t), attended[index], turn);
    // It would have heard both speakers attended; what was recorded heard one, and so the switch too soon.
    if (straddles && overlap) trial.scores.values.row(t).setConstant(std::numeric_limits<double>::quiet_NaN());
    Speaker& label = trial.attention.attended[index];
    if (straddles) label = unknown_speaker;
    if (label != unknown_speaker) label = static_cast<Speaker>(turn % recorded.cols());
  }
}

void require_scores(const ScoredParticipant& participant) {
  if (participant.features.empty()) return;
  throw Error(ErrorKind::unsupported,
              "artificial switches exchange the scores of speakers, and features cannot be "
              "exchanged; leave them out");
}

Seconds length_of(const ScoredTrial& trial) {
  return (static_cast<double>(trial.scores.values.rows() - 1) * trial.scores.hop) + trial.scores.window;
}

Index start_of(std::size_t trial, const SwitchDraw& draw) {
  return static_cast<Index>(trial + draw.participant + static_cast<std::size_t>(draw.repeat));
}

}  // namespace

ScoredParticipant with_artificial_switches(const ScoredParticipant& participant, const SwitchInterval& interval,
                                           const SwitchDraw& draw, SwitchedTrials trials) {
  if (!(interval.shortest.value > 0) || interval.longest < interval.shortest) {
    throw Error(ErrorKind::invalid_argument, "the time between switches must be positive, the shorter one first");
  }
  require_scores(participant);
  const bool all = trials == SwitchedTrials::all;
  const bool joins = all && interval.shortest >= longest_trial(participant);
  ScoredParticipant result = joins ? join_trials(participant) : participant;
  RandomStream random(draw.seed, (static_cast<std::uint64_t>(draw.repeat) << 32U) | draw.participant);
  for (std::size_t i = 0; i < result.trials.size(); ++i) {
    ScoredTrial& trial = result.trials[i];
    const bool chosen = all || (!has_switch(trial) && interval.shortest < length_of(trial));
    if (chosen) make_switches(trial, interval, start_of(i, draw), random);
  }
  return result;
}

ScoredParticipant without_switches(const ScoredParticipant& participant, const SwitchDraw& draw) {
  require_scores(participant);
  ScoredParticipant result = participant;
  RandomStream random(draw.seed);  // one block takes none of it
  for (std::size_t i = 0; i < result.trials.size(); ++i) {
    const Seconds whole = length_of(result.trials[i]);
    make_switches(result.trials[i], {whole, whole}, start_of(i, draw), random);
  }
  return result;
}

SwitchInterval parse_interval(const std::string& option, const std::string& text) {
  const auto dash = text.find('-');
  const auto shortest = io::parse_number(text.substr(0, dash));
  const auto longest = dash == std::string::npos ? shortest : io::parse_number(text.substr(dash + 1));
  const auto is_whole = [](double seconds) { return std::floor(seconds) == seconds; };
  const bool usable = shortest && longest && *shortest > 0 && *longest >= *shortest &&
                      (*longest == *shortest || (is_whole(*shortest) && is_whole(*longest)));
  if (usable) return {Seconds{*shortest}, Seconds{*longest}};
  throw Error(
      ErrorKind::invalid_argument,
      option + " " + text + ": give seconds, e.g. 300, or a range of whole seconds, the shorter first, e.g. 60-125");
}

}  // namespace heed::pipeline
