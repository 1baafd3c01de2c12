// SPDX-License-Identifier: MIT
#define HEED_LANES 4
#define HEED_CAUSAL_FILTER causal_avx2
#include "hmm/kernels/causal/filter_set.h"
