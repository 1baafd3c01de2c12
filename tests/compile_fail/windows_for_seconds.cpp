// SPDX-License-Identifier: MIT
// A lag is a time: five windows are not five seconds.
// expect: Seconds
#include <heed/hmm/fixed_lag.h>

heed::Posteriors track(const heed::hmm::Chain& chain, const heed::LogLikelihoods& windows) {
#ifdef HEED_MISTAKE
  return heed::hmm::fixed_lag(chain, windows, 5);
#else
  return heed::hmm::fixed_lag(chain, windows, heed::Seconds{5});
#endif
}
