// SPDX-License-Identifier: MIT
// Everything core must not do, in one object: the symbol check has to see each of them.
#include <cstdlib>
#include <mutex>
#include <stdexcept>

namespace heed::test {

int* allocates() { return new int(1); }
void gives_back(const int* number) { delete number; }
void* allocates_as_c_does() { return std::malloc(1); }
void throws() { throw std::runtime_error("thrown"); }
void locks(std::mutex& mutex) { const std::scoped_lock lock(mutex); }
int initialises_once(int (*function)()) {
  static const int value = function();
  return value;
}

}  // namespace heed::test
