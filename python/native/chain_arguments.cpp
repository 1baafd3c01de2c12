// SPDX-License-Identifier: MIT
#include "native/chain_arguments.h"

#include <heed/pipeline/chain_choice.h>

#include <cmath>

#include "native/arrays.h"
#include "native/errors.h"

namespace heed::python {

hmm::Chain chain_of(const ChainArguments& arguments, Index states) {
  if (arguments.switch_probability && !arguments.transition.is_none()) {
    refuse("transition", "a whole chain was given, and a switch_probability too; give one of them");
  }
  if (!(arguments.window > 0) || !std::isfinite(arguments.window)) refuse("window", "must be in seconds, above 0");
  pipeline::ChainChoice choice;
  choice.switch_probability = arguments.switch_probability;
  if (!arguments.transition.is_none()) {
    const Rows rows = rows_of(arguments.transition, "transition");
    choice.transition = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>(
        rows.view.data, rows.view.rows, rows.view.columns, Eigen::OuterStride<>(rows.view.stride));
    choice.transition_file = "transition";
  }
  if (!arguments.initial.is_none()) {
    choice.initial = numbers_of(arguments.initial, "initial");
    if (choice.initial.empty()) refuse("initial", "is empty; give a probability for each speaker, or None");
  }
  return pipeline::make_chain(choice, states, Seconds{arguments.window});
}

}  // namespace heed::python
