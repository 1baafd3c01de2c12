// SPDX-License-Identifier: MIT
#include <dsp/reference.h>

#include <numeric>

#include "dsp/montage.h"

namespace heed::dsp {
namespace {

void check_average(std::span<const std::string> channels) {
  if (channels.size() > 1) return;
  throw Error(ErrorKind::bad_data,
              "an average reference of " + std::to_string(channels.size()) +
                  " channel(s) leaves nothing: use more channels, no reference, or a named channel");
}

}  // namespace

Rereference::Rereference(const Reference& reference, std::span<const std::string> channels) {
  switch (reference.kind) {
    case ReferenceKind::none:
      break;
    case ReferenceKind::average:
      check_average(channels);
      reference_.resize(channels.size());
      std::iota(reference_.begin(), reference_.end(), Index{0});
      break;
    case ReferenceKind::channels:
      if (reference.channels.empty()) {
        throw Error(ErrorKind::invalid_argument, "a reference to named channels needs at least one name");
      }
      for (const std::string& name : reference.channels) {
        reference_.push_back(column_of(name, channels, "reference channel"));
      }
      break;
  }
}

void Rereference::apply(MutableMatrixView signal) const noexcept {
  if (reference_.empty()) return;
  const double share = 1 / static_cast<double>(reference_.size());
  for (Index t = 0; t < signal.rows; ++t) {
    double sum = 0;
    for (const Index c : reference_) sum += signal(t, c);
    const double mean = sum * share;
    for (double& value : signal.row(t)) value -= mean;
  }
}

}  // namespace heed::dsp
