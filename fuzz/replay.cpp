// SPDX-License-Identifier: MIT
// heed_replay TARGET FOLDER...: runs a fuzz target on every file of the folders, without libFuzzer: seeds, and inputs
// that once found a fault.
#include <sys/resource.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "target.h"

// Every target there is (fuzz/CMakeLists.txt).
#define TARGET(name) extern "C" int replay_##name(const std::uint8_t* data, std::size_t size);
HEED_REPLAYED
#undef TARGET

namespace {

using Target = int (*)(const std::uint8_t*, std::size_t);
#define TARGET(name) std::pair<std::string_view, Target>{#name, replay_##name},
constexpr auto targets = std::to_array({HEED_REPLAYED});
#undef TARGET

// Null: there is none of this name.
Target target_named(std::string_view wanted) {
  for (const auto& [name, target] : targets) {
    if (name == wanted) return target;
  }
  return nullptr;
}

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
  const Target target = argc > 1 ? target_named(argv[1]) : nullptr;
  if (target == nullptr) {
    (void)std::fprintf(stderr, "there is no such target; say TARGET FOLDER...\n");
    return 1;
  }
  std::size_t inputs = 0;
  for (const char* folder : std::span(argv, static_cast<std::size_t>(argc)).subspan(2)) {
    if (!std::filesystem::is_directory(folder)) continue;  // nothing was found yet
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::ifstream file(entry.path(), std::ios::binary);
      const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
      const std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
      std::printf("%s\n", entry.path().c_str());
      (void)std::fflush(stdout);
      (void)target(copy.data(), copy.size());
      heed::fuzz::require(stayed_small());
      ++inputs;
    }
  }
  if (inputs == 0) (void)std::fprintf(stderr, "there are no inputs to replay\n");
  return inputs > 0 ? 0 : 1;
}
