// SPDX-License-Identifier: MIT
// Loops over plain numbers that the compiler makes for several instruction sets; which one runs is chosen at run time.
// Each operation rounds alike in all of them (nothing is fused), so the bits are the same on every machine. Not under
// sanitizers: their runtimes start after the choice.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
#define HEED_EVERY_MACHINE
#elif defined(__x86_64__) && defined(__GNUC__)
#define HEED_EVERY_MACHINE [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define HEED_EVERY_MACHINE
#endif
