// SPDX-License-Identifier: MIT
#define HEED_LANES 8
#define HEED_CAUSAL_FILTER causal_avx512
#include "hmm/kernels/causal/filter_set.h"
