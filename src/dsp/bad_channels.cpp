// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <dsp/bad_channels.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace heed::dsp {
namespace {

std::string percent(double share) { return data::shown(std::round(share * 1000) / 10) + " %"; }

double share_of(Index part, Index all) { return static_cast<double>(part) / static_cast<double>(all); }

}  // namespace

BadChannelDetector::BadChannelDetector(Index channels, BadChannelRules rules)
    : rules_(rules), counts_(static_cast<std::size_t>(channels)) {}

void BadChannelDetector::push(const SampleMatrix& chunk) noexcept {
  samples_ += chunk.rows();
  for (Index t = 0; t < chunk.rows(); ++t) {
    for (std::size_t c = 0; c < counts_.size(); ++c) {
      const float value = chunk(t, static_cast<Index>(c));
      if (!std::isfinite(value)) continue;
      Count& count = counts_[c];
      if (count.finite++ == 0) {
        count.last = count.lowest = count.highest = value;
        count.at_lowest = count.at_highest = 1;
        continue;
      }
      count.repeats += value == count.last ? 1 : 0;
      count.last = value;
      if (value < count.lowest) count.at_lowest = 0;
      if (value > count.highest) count.at_highest = 0;
      count.lowest = std::min(count.lowest, value);
      count.highest = std::max(count.highest, value);
      count.at_lowest += value == count.lowest ? 1 : 0;
      count.at_highest += value == count.highest ? 1 : 0;
    }
  }
}

std::vector<BadChannel> BadChannelDetector::found() const {
  std::vector<BadChannel> bad;
  if (samples_ < 2) return bad;
  for (std::size_t c = 0; c < counts_.size(); ++c) {
    const Count& count = counts_[c];
    const auto channel = static_cast<Index>(c);
    const double missing = 1 - share_of(count.finite, samples_);
    if (missing > rules_.missing_share || count.finite < 2) {
      bad.push_back({channel, "missing: " + percent(missing) + " of its samples are not numbers"});
      continue;
    }
    const double repeats = share_of(count.repeats, count.finite - 1);
    const bool high = count.at_highest >= count.at_lowest;
    const double railed = share_of(high ? count.at_highest : count.at_lowest, count.finite);
    if (repeats > rules_.flat_share && count.lowest == count.highest) {
      bad.push_back({channel, "flat: it is always " + data::shown(count.lowest)});
    } else if (railed > rules_.railed_share) {
      bad.push_back({channel, "railed: " + percent(railed) + " of its samples are at its " +
                                  (high ? "largest" : "smallest") + " value, " +
                                  data::shown(high ? count.highest : count.lowest)});
    } else if (repeats > rules_.flat_share) {
      bad.push_back({channel, "flat: " + percent(repeats) + " of its samples repeat the one before"});
    }
  }
  return bad;
}

}  // namespace heed::dsp
