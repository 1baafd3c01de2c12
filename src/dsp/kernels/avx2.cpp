// SPDX-License-Identifier: MIT
#define HEED_LANES 4
#define HEED_KERNEL_SET avx2_kernels
#define HEED_KERNEL_NAME "avx2"
#include "dsp/kernels/kernel_set.h"
