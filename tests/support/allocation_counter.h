// SPDX-License-Identifier: MIT
// Counts heap allocations of the calling thread, for proving that a hot path makes none. Linking it
// replaces the program's operator new and malloc (under a sanitizer: listens to the sanitizer's).
//   const AllocationCount allocations;
//   filter.step(window);
//   EXPECT_EQ(allocations.so_far(), 0U);
#pragma once

#include <cstddef>

namespace heed::test {

class AllocationCount {
 public:
  AllocationCount() noexcept;
  // Allocations on this thread since this object was made: new in all its forms, malloc, calloc,
  // realloc, aligned_alloc, posix_memalign. Giving memory back is not counted.
  [[nodiscard]] std::size_t so_far() const noexcept;

 private:
  std::size_t before_;
};

}  // namespace heed::test
