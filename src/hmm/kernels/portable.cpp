// SPDX-License-Identifier: MIT
#define HEED_LANES 2
#define HEED_KERNEL_SET portable_kernels
#define HEED_CAUSAL_FILTER causal_portable
#define HEED_KERNEL_NAME "portable"
#include "hmm/kernels/kernel_set.h"
