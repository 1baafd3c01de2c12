// SPDX-License-Identifier: MIT
#define HEED_LANES 2
#define HEED_CAUSAL_FILTER causal_portable
#include "hmm/kernels/causal/filter_set.h"
