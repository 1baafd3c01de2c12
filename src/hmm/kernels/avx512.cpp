// SPDX-License-Identifier: MIT
#define HEED_LANES 8
#define HEED_KERNEL_SET avx512_kernels
#define HEED_CAUSAL_FILTER causal_avx512
#define HEED_KERNEL_NAME "avx512"
#include "hmm/kernels/kernel_set.h"
