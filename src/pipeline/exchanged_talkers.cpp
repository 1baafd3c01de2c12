// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <pipeline/artificial_switches.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace heed::pipeline {
namespace {

// A stretch in which nobody changes places.
struct Stretch {
  Seconds begin{};
  Seconds end{};
  Speaker attended = 0;  // the last one known; at the start the next
  bool known = false;
  Index block = 0;
};

std::vector<Seconds> block_ends(const io::TrialPlan& trial, const SwitchInterval& interval, RandomStream& random) {
  const Seconds end = trial.onset + trial.duration;
  std::vector<Seconds> ends;
  Seconds at = trial.onset;
  while (at < end) {
    const bool fixed = interval.shortest == interval.longest;
    at = at + (fixed ? interval.shortest
                     : Seconds{static_cast<double>(random.integer(std::llround(interval.shortest.value),
                                                                  std::llround(interval.longest.value)))});
    ends.push_back(at);
  }
  return ends;
}

const io::AttendedSpan* span_at(const io::TrialPlan& trial, Seconds time) {
  const auto found = std::ranges::find_if(trial.attention, [&](const io::AttendedSpan& span) {
    return span.onset <= time && time < span.onset + span.duration;
  });
  return found == trial.attention.end() ? nullptr : &*found;
}

std::vector<Stretch> stretches_of(const io::TrialPlan& trial, const std::vector<Seconds>& blocks) {
  std::vector<Seconds> cuts(blocks.begin(), blocks.end());
  cuts.push_back(trial.onset);
  for (const io::AttendedSpan& span : trial.attention) {
    cuts.push_back(span.onset);
    cuts.push_back(span.onset + span.duration);
  }
  const Seconds end = trial.onset + trial.duration;
  cuts.push_back(end);
  std::erase_if(cuts, [&](Seconds cut) { return cut < trial.onset || cut > end; });
  std::ranges::sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::vector<Stretch> result;
  Speaker last = trial.attention.front().speaker;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    const io::AttendedSpan* span = span_at(trial, cuts[k]);
    if (span != nullptr) last = span->speaker;
    const auto block = std::ranges::count_if(blocks, [&](Seconds switched) { return switched <= cuts[k]; });
    result.push_back({cuts[k], cuts[k + 1], last, span != nullptr, static_cast<Index>(block)});
  }
  constexpr double forever = std::numeric_limits<double>::infinity();
  result.front().begin = {-forever};
  result.back().end = {forever};
  return result;
}

// Attended first, the others behind it in their order; then everybody `block` places on.
std::size_t place_of(std::size_t speaker, const Stretch& stretch, std::size_t speakers) {
  const auto attended = static_cast<std::size_t>(stretch.attended);
  const std::size_t behind = speaker == attended ? 0 : (speaker < attended ? speaker + 1 : speaker);
  return (behind + static_cast<std::size_t>(stretch.block)) % speakers;
}

void add_cut(const StimulusPiece& piece, const Stretch& stretch, std::vector<StimulusPiece>& pieces) {
  const Seconds begin = std::max(piece.onset, stretch.begin);
  const Seconds end = std::min(piece.onset + piece.duration, stretch.end);
  if (!(begin < end)) return;
  StimulusPiece part = piece;
  part.file_onset = piece.file_onset + (begin - piece.onset);
  part.onset = begin;
  part.duration = end - begin;
  pieces.push_back(std::move(part));
}

}  // namespace

io::TrialPlan with_exchanged_talkers(const io::TrialPlan& trial, const SwitchInterval& interval, RandomStream& random) {
  if (!(interval.shortest.value > 0) || interval.longest < interval.shortest) {
    throw Error(ErrorKind::invalid_argument, "the time between switches must be positive, the shorter one first");
  }
  if (trial.attention.empty()) {
    throw Error(ErrorKind::bad_data, "talkers can be exchanged only where attention is known" +
                                         (trial.name.empty() ? std::string() : ", which it is not in " + trial.name));
  }
  io::TrialPlan result = trial;
  result.attention.clear();
  for (io::SpeakerPieces& speaker : result.speakers) speaker.pieces.clear();
  const std::size_t speakers = trial.speakers.size();
  for (const Stretch& stretch : stretches_of(trial, block_ends(trial, interval, random))) {
    for (std::size_t s = 0; s < speakers; ++s) {
      io::SpeakerPieces& place = result.speakers[place_of(s, stretch, speakers)];
      for (const StimulusPiece& piece : trial.speakers[s].pieces) {
        add_cut(piece, stretch, place.pieces);
      }
      for (StimulusPiece& piece : place.pieces) piece.speaker = place.name;
    }
    if (!stretch.known) continue;
    const Seconds begin = std::max(stretch.begin, trial.onset);
    const Seconds end = std::min(stretch.end, trial.onset + trial.duration);
    result.attention.push_back(
        {static_cast<Speaker>(static_cast<std::size_t>(stretch.block) % speakers), begin, end - begin});
  }
  return result;
}

}  // namespace heed::pipeline
