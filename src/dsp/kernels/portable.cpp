// SPDX-License-Identifier: MIT
#define HEED_LANES 2
#define HEED_KERNEL_SET portable_kernels
#define HEED_KERNEL_NAME "portable"
#include "dsp/kernels/kernel_set.h"
