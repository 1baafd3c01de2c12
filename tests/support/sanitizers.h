// SPDX-License-Identifier: MIT
// Which sanitizer a test is compiled with: GCC says so by these macros, clang in a way of its own.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__  // NOLINT: GCC's name
#elif __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__  // NOLINT: likewise
#endif
#endif
