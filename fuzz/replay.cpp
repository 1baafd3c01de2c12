// SPDX-License-Identifier: MIT
// Runs a fuzz target on every file of the folders given, without libFuzzer: seeds, and inputs that once found a fault.
#include <sys/resource.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <vector>

#include "target.h"

namespace {

// Inputs are small: a process that became large believed one of them. Sanitizers need more for themselves.
bool stayed_small() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
  return true;
#else
  constexpr long most = 512L << 10;  // kB
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss < most;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t inputs = 0;
  for (const char* folder : std::span(argv + 1, static_cast<std::size_t>(argc - 1))) {
    if (!std::filesystem::is_directory(folder)) continue;  // nothing was found yet
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::ifstream file(entry.path(), std::ios::binary);
      const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
      const std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
      std::printf("%s\n", entry.path().c_str());
      (void)std::fflush(stdout);
      (void)LLVMFuzzerTestOneInput(copy.data(), copy.size());
      heed::fuzz::require(stayed_small());
      ++inputs;
    }
  }
  if (inputs == 0) (void)std::fprintf(stderr, "there are no inputs to replay\n");
  return inputs > 0 ? 0 : 1;
}
