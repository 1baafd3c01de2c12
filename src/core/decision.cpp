// SPDX-License-Identifier: MIT
#include <heed/core/decision.h>

namespace heed::core {

template class DecisionRule<float>;
template class DecisionRule<double>;

}  // namespace heed::core
