// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
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

void make_switches(ScoredTrial& trial, const SwitchInterval& interval, RandomStream& random) {
  const std::vector<Speaker> attended = known_labels(trial);
  const Matrix recorded = trial.scores.values;
  const bool overlap = trial.scores.hop < trial.scores.window;
  Blocks blocks(interval, random);
  for (Index t = 0; t < recorded.rows(); ++t) {
    const auto index = static_cast<std::size_t>(t);
    const Seconds start = static_cast<double>(t) * trial.scores.hop;
    const bool straddles = blocks.advance(start, start + trial.scores.window);
    rotate_window(data::view(recorded).row(t), data::view(trial.scores.values).row(t), attended[index], blocks.block());
    // It would have heard both speakers attended; what was recorded heard one, and so the switch too soon.
    if (straddles && overlap) trial.scores.values.row(t).setConstant(std::numeric_limits<double>::quiet_NaN());
    Speaker& label = trial.attention.attended[index];
    if (straddles) label = unknown_speaker;
    if (label != unknown_speaker) label = static_cast<Speaker>(blocks.block() % recorded.cols());
  }
}

}  // namespace

ScoredParticipant with_artificial_switches(const ScoredParticipant& participant, const SwitchInterval& interval,
                                           RandomStream& random) {
  if (!(interval.shortest.value > 0) || interval.longest < interval.shortest) {
    throw Error(ErrorKind::invalid_argument, "the time between switches must be positive, the shorter one first");
  }
  if (!participant.features.empty()) {
    throw Error(ErrorKind::unsupported,
                "artificial switches exchange the scores of speakers, and features cannot be "
                "exchanged; leave them out");
  }
  ScoredParticipant result = interval.shortest >= longest_trial(participant) ? join_trials(participant) : participant;
  for (ScoredTrial& trial : result.trials) make_switches(trial, interval, random);
  return result;
}

ScoredParticipant with_artificial_switches(const ScoredParticipant& participant, const SwitchInterval& interval,
                                           const SwitchDraw& draw) {
  RandomStream random(draw.seed, (static_cast<std::uint64_t>(draw.repeat) << 32U) | draw.participant);
  return with_artificial_switches(participant, interval, random);
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
