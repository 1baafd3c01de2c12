// SPDX-License-Identifier: MIT
// Posteriors look like log-likelihoods in memory; filtering them again would give plausible nonsense.
// expect: Posteriors
#include <heed/hmm/filter.h>

#ifdef HEED_MISTAKE
using Given = heed::Posteriors;
#else
using Given = heed::LogLikelihoods;
#endif

heed::Posteriors track(const heed::hmm::Chain& chain, const Given& given) { return heed::hmm::filter(chain, given); }
