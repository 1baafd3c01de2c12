// SPDX-License-Identifier: MIT
// The orientation of a transition is in the call.
// expect: From|To
#include <heed/hmm/chain.h>

double leaving(const heed::hmm::Chain& chain) {
  using heed::hmm::From;
  using heed::hmm::To;
#ifdef HEED_MISTAKE
  return chain.transition(To{1}, From{0});
#else
  return chain.transition(From{0}, To{1});
#endif
}
