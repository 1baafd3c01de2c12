// SPDX-License-Identifier: MIT
#include <data/large_pages.h>
#include <sys/mman.h>

#include <memory>

namespace heed::data {

void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t large_page = std::size_t{1} << 21U;
  // Whole pages only.
  if (std::align(large_page, large_page, memory, bytes) == nullptr) return;
  ::madvise(memory, bytes / large_page * large_page, MADV_HUGEPAGE);
#endif
}

}  // namespace heed::data
