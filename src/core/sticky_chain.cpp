// SPDX-License-Identifier: MIT
#include <heed/core/sticky_chain.h>

namespace heed::core {

template class StickyChain<float>;
template class StickyChain<double>;

}  // namespace heed::core
