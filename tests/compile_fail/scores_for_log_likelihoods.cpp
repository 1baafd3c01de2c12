// SPDX-License-Identifier: MIT
// A correlation is no log-likelihood: an emission stands between them.
// expect: Scores
#include <heed/hmm/smooth.h>

#ifdef HEED_MISTAKE
using Given = heed::Scores;
#else
using Given = heed::LogLikelihoods;
#endif

heed::Posteriors track(const heed::hmm::Chain& chain, const Given& given) { return heed::hmm::smooth(chain, given); }
