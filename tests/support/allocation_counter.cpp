// SPDX-License-Identifier: MIT
#include "support/allocation_counter.h"

#include "support/sanitizers.h"

#include <malloc.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <new>

namespace heed::test {
namespace {

constinit thread_local std::size_t allocations = 0;
constinit thread_local std::ptrdiff_t held = 0;
constinit thread_local std::ptrdiff_t most_held = 0;

void note_bytes(std::ptrdiff_t bytes) noexcept {
  held += bytes;
  most_held = std::max(most_held, held);
}

void note_allocation(std::size_t bytes) noexcept {
  ++allocations;
  note_bytes(static_cast<std::ptrdiff_t>(bytes));
}

}  // namespace

AllocationCount::AllocationCount() noexcept : before_(allocations), held_before_(held) { most_held = held; }
std::size_t AllocationCount::so_far() const noexcept { return allocations - before_; }
std::size_t AllocationCount::peak_bytes() const noexcept {
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, most_held - held_before_));
}

}  // namespace heed::test

// NOLINTBEGIN: names and signatures below are the C library's and the sanitizers'.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

// A sanitizer owns the heap; it calls these two around every allocation, those of operator new too.
extern "C" std::size_t __sanitizer_get_allocated_size(const volatile void* block);
extern "C" void __sanitizer_malloc_hook(const volatile void* /*block*/, std::size_t size) {
  heed::test::note_allocation(size);
}
extern "C" void __sanitizer_free_hook(const volatile void* block) {
  if (block == nullptr) return;
  heed::test::note_bytes(-static_cast<std::ptrdiff_t>(__sanitizer_get_allocated_size(block)));
}

#else

// A definition in the program comes before the C library's, for the library's own calls as well.
// glibc keeps its allocator reachable under these names for exactly this purpose.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);
}

namespace {

// The allocator rounds sizes up; what it gives back later is what it gave out.
void* counted(void* block) noexcept {
  heed::test::note_allocation(block == nullptr ? 0 : malloc_usable_size(block));
  return block;
}

void give_back(void* block) noexcept {
  if (block != nullptr) heed::test::note_bytes(-static_cast<std::ptrdiff_t>(malloc_usable_size(block)));
  __libc_free(block);
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) noexcept { return counted(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) noexcept { return counted(__libc_calloc(count, size)); }
void* realloc(void* block, std::size_t size) noexcept {
  if (block != nullptr) heed::test::note_bytes(-static_cast<std::ptrdiff_t>(malloc_usable_size(block)));
  return counted(__libc_realloc(block, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return counted(__libc_memalign(alignment, size));
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  *block = counted(__libc_memalign(alignment, size));
  return *block == nullptr ? ENOMEM : 0;
}
void free(void* block) noexcept { give_back(block); }
}

// Replaced as well, so that the count does not rest on how the C++ library gets its memory. The
// array, nothrow and sized forms end up in these by the standard's rules.
void* operator new(std::size_t size) {
  if (void* block = counted(__libc_malloc(size == 0 ? 1 : size))) return block;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  if (void* block = counted(__libc_memalign(static_cast<std::size_t>(alignment), size == 0 ? 1 : size))) return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept { give_back(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept { give_back(block); }
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept { give_back(block); }
void operator delete(void* block, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { give_back(block); }

#endif
// NOLINTEND
