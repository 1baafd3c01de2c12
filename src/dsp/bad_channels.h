// SPDX-License-Identifier: MIT
// Which channels of a raw recording cannot be used, and why: flat ones, ones at the amplifier's limits, ones without
// samples. What is done about them is the pipeline's business.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/recording.h>

#include <string>
#include <vector>

namespace heed::dsp {

struct BadChannel {
  Index channel = 0;
  std::string reason{};  // for people: "flat: 98 % of its samples repeat the one before"
};

struct BadChannelRules {
  double flat_share = 0.5;     // of the samples that repeat the one before; more makes the channel flat
  double railed_share = 0.1;   // of the samples at the channel's own largest or smallest value; more makes it railed
  double missing_share = 0.5;  // of the samples that are not numbers; more makes it missing
};

// Takes a recording in pieces of any size.
class BadChannelDetector {
 public:
  explicit BadChannelDetector(Index channels, BadChannelRules rules = {});

  // Precondition: chunk.cols() is the number of channels.
  void push(const SampleMatrix& chunk) noexcept;
  // By channel. Nothing is said before the second sample.
  [[nodiscard]] std::vector<BadChannel> found() const;

 private:
  struct Count {
    float last = 0;
    float lowest = 0;
    float highest = 0;
    Index finite = 0;
    Index repeats = 0;
    Index at_lowest = 0;
    Index at_highest = 0;
  };
  BadChannelRules rules_;
  Index samples_ = 0;
  std::vector<Count> counts_;
};

}  // namespace heed::dsp
