// SPDX-License-Identifier: MIT
// Counts heap allocations of the calling thread, for proving that a hot path makes none, and the bytes it
// holds, for proving that a reader asks for no more than its file justifies.
// Linking it replaces the program's operator new and malloc (under a sanitizer: listens to the sanitizer's).
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
  // The most bytes this thread held at once since this object was made, beyond what it held then. The newest object
  // starts the measurement anew.
  [[nodiscard]] std::size_t peak_bytes() const noexcept;

 private:
  std::size_t before_;
  std::ptrdiff_t held_before_;
};

}  // namespace heed::test
