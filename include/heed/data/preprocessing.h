// SPDX-License-Identifier: MIT
// How raw signals become what decoders work on. A plain value: `dsp` carries it out, a decoder's file keeps it, and
// whoever uses the decoder prepares new signals in the same way. Defaults are the paper's (Biesmans 2017).
#pragma once

#include <heed/data/units.h>

#include <string>
#include <vector>

namespace heed::data {

enum class FilterMode {
  zero_phase,  // forwards and backwards: no delay, needs the whole recording
  causal,      // forwards only: what a live session can do; scales come from the decoder
};

enum class ReferenceKind { none, average, channels };

struct Reference {
  ReferenceKind kind = ReferenceKind::average;
  std::vector<std::string> channels{};  // of ReferenceKind::channels: their mean is subtracted

  friend bool operator==(const Reference&, const Reference&) = default;
};

enum class BadChannels {
  exclude,      // gone from every run of the participant
  interpolate,  // by spherical splines from the good ones; needs known electrode names
};

// What decoders are told of a speaker's sound.
enum class SpeechTarget {
  envelope,  // its power-law envelope (the paper)
  onset,     // where that rises: the better target on real EEG (docs/recipe.md)
};

struct Preprocessing {
  Hertz low{1};
  Hertz high{9};
  Hertz sampling_frequency{64};  // of what comes out
  FilterMode filters = FilterMode::zero_phase;
  Reference reference{};
  BadChannels bad_channels = BadChannels::exclude;
  double clip = 0;  // band-passed EEG is limited to so many robust standard deviations of its channel; 0: left as it is
  std::vector<SpeechTarget> targets{SpeechTarget::envelope};  // columns of every stimulus, in this order; each once

  friend bool operator==(const Preprocessing&, const Preprocessing&) = default;
};

}  // namespace heed::data

namespace heed {
using data::BadChannels;
using data::FilterMode;
using data::Preprocessing;
using data::Reference;
using data::ReferenceKind;
using data::SpeechTarget;
}  // namespace heed
