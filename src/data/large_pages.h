// SPDX-License-Identifier: MIT
// Memory of hundreds of megabytes is new to the process: a page of 2 MB is entered 512 times as fast as pages of 4 kB.
#pragma once

#include <cstddef>

namespace heed::data {

// Asks for large pages for the memory, which nobody has touched yet. A refusal costs nothing but time.
void prefer_large_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace heed::data
