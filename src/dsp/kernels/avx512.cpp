// SPDX-License-Identifier: MIT
#define HEED_LANES 8
#define HEED_KERNEL_SET avx512_kernels
#define HEED_KERNEL_NAME "avx512"
#include "dsp/kernels/kernel_set.h"
