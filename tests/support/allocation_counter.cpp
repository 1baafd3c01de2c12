// SPDX-License-Identifier: MIT
#include "support/allocation_counter.h"

#include <cerrno>
#include <cstdlib>
#include <new>

namespace heed::test {
namespace {

constinit thread_local std::size_t allocations = 0;

void note_allocation() noexcept {
  ++allocations;
}

}  // namespace

AllocationCount::AllocationCount() noexcept : before_(allocations) {}
std::size_t AllocationCount::so_far() const noexcept {
  return allocations - before_;
}

}  // namespace heed::test

// NOLINTBEGIN: names and signatures below are the C library's and the sanitizers'.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

// A sanitizer owns the heap; it calls these two around every allocation, those of operator new too.
extern "C" void __sanitizer_malloc_hook(const volatile void* /*block*/, std::size_t /*size*/) {
  heed::test::note_allocation();
}
extern "C" void __sanitizer_free_hook(const volatile void* /*block*/) {}

#else

// A definition in the program comes before the C library's, for the library's own calls as well.
// glibc keeps its allocator reachable under these names for exactly this purpose.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept {
  heed::test::note_allocation();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  heed::test::note_allocation();
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) noexcept {
  heed::test::note_allocation();
  return __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  heed::test::note_allocation();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  heed::test::note_allocation();
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
}

// Replaced as well, so that the count does not rest on how the C++ library gets its memory. The
// array, nothrow and sized forms end up in these by the standard's rules.
void* operator new(std::size_t size) {
  heed::test::note_allocation();
  if (void* block = __libc_malloc(size == 0 ? 1 : size)) return block;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  heed::test::note_allocation();
  if (void* block = __libc_memalign(static_cast<std::size_t>(alignment), size == 0 ? 1 : size)) return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t /*size*/) noexcept {
  std::free(block);
}
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  std::free(block);
}

#endif
// NOLINTEND
